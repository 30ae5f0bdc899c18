"""Measures how far every metric is from the canonical program, and writes the table of docs/parity.md.

make parity     needs the golden values (ADJUDGE_SHARED, default ../shared); a few minutes
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import significance_parity

from adjudge.data import TestSet
from adjudge.metrics import metric as metric_of
from adjudge.metrics.base import Metric, Rows

HERE = Path(__file__).resolve().parent
SHARED = Path(os.environ.get("ADJUDGE_SHARED", HERE.parents[1] / "shared"))
PAGE = HERE.parent / "docs" / "parity.md"


@dataclass
class Line:
    """One row of the table while it is being measured."""

    metric: str
    oracle: str
    precision: str
    """What a difference may be because of how the oracle prints."""
    values: int = 0
    segments: int = 0
    largest: float = 0.0

    def compare(self, ours: Iterable[float], theirs: Iterable[float], *, segments: bool = False) -> None:
        a, b = np.asarray(list(ours), float), np.asarray(list(theirs), float)
        if a.shape != b.shape:
            raise ValueError(f"{self.metric}: {a.shape} values against {b.shape}")
        self.largest = max(self.largest, float(np.abs(a - b).max()))
        self.values += len(a)
        self.segments += len(a) if segments else 0


def lines(path: Path) -> tuple[str, ...]:
    return tuple(path.read_bytes().decode("utf-8").removesuffix("\n").split("\n"))


def golden_lines(name: str) -> tuple[str, ...]:
    return lines(SHARED / "golden" / "data" / name)


def golden(name: str) -> dict[str, object]:
    found: dict[str, object] = json.loads((SHARED / "golden" / name).read_text(encoding="utf-8"))
    return found


def rows_of(metric: Metric, hyp: str, refs: Iterable[str]) -> Rows:
    test_set = TestSet(references=tuple(golden_lines(ref) for ref in refs))
    return metric.stats(metric.prepare(test_set), golden_lines(hyp))


def of_signature(name: str, signature: str) -> Metric:
    """Our metric for a sacreBLEU signature; what the signature leaves out is in the entry's name."""
    part = dict(p.split(":", 1) for p in signature.split("|"))
    case = f"lowercase={str(part['case'] == 'lc').lower()}"
    if "nc" in part:
        beta = 1 if name == "chrF1" else 2
        space, eps = str(part["space"] == "yes").lower(), str(part["eff"] == "no").lower()
        orders = f"char_order={part['nc']},word_order={part['nw']},beta={beta}"
        return metric_of(f"chrf({orders},{case},whitespace={space},eps_smoothing={eps})")
    if "norm" in part:
        flags = {
            "normalized": part["norm"] == "yes",
            "no_punct": part["punct"] == "no",
            "asian_support": part["asian"] == "yes",
            "case_sensitive": part["case"] == "mixed",
        }
        return metric_of(f"ter({','.join(f'{k}={str(v).lower()}' for k, v in flags.items())})")
    tokenize = "ja-mecab" if "mecab" in part["tok"] else part["tok"]
    order = 2 if "max2" in name else 4
    return metric_of(
        f"bleu(tokenize={tokenize},{case},max_order={order},smooth={part['smooth'].split('[')[0]})"
    )


def sacrebleu() -> Iterator[Line]:
    found: dict[str, Line] = {}
    for entry in golden("sacrebleu.json")["entries"]:  # type: ignore[attr-defined]
        metric = of_signature(entry["name"], entry["signature"])
        line = found.setdefault(metric.title, Line(metric.title, "sacreBLEU 2.6.0", "none"))
        rows = rows_of(metric, entry["hyp"], entry["refs"])
        line.compare([metric.aggregate(rows.sum(0))], [entry["score"]])
        if "segments" in entry:
            scores = metric.for_segments().aggregate(rows[: len(entry["segments"])])
            line.compare(scores, entry["segments"], segments=True)
    yield from found.values()


def moses() -> Iterator[Line]:
    document = golden("moses.json")
    bleu = Line("BLEU", "multi-bleu.perl, multi-bleu-detok.perl", "0.005")
    edits = {m: Line(m.upper(), "Moses' evaluator", "0.005") for m in ("wer", "per", "cder")}
    for key, printed in document["multi_bleu_and_mert_evaluator"].items():  # type: ignore[attr-defined]
        words = key.split()
        files = {
            "tok": lambda s: (f"w1.tok.{s}.en", ["w1.tok.ref.en"]),
            "detok": lambda s: (f"w1.{s}.en", ["w1.ref.en"]),
            "raw": lambda s: ("w2.zh-en.Online-B.en", ["w2.zh-en.refA.en", "w2.zh-en.refB.en"]),
        }
        text = next((w for w in words if w in files), "")
        if "multi-bleu" in key:
            tokenize = "13a" if text == "detok" else "none"
            metric = metric_of(
                f"bleu(tokenize={tokenize},smooth=none,lowercase={str('-lc' in words).lower()})"
            )
            score = metric.aggregate(rows_of(metric, *files[text](words[-1])).sum(0))
            bleu.compare([score], [float(printed.split("=")[1].split(",")[0])])
        elif text == "tok" and words[1].lower() in edits:
            metric = metric_of(words[1].lower())
            score = metric.aggregate(rows_of(metric, *files[text](words[-1])).sum(0))
            edits[words[1].lower()].compare([score], [100 - 100 * float(printed)])
    yield bleu
    yield from edits.values()
    yield from mteval(document["mteval"])  # type: ignore[arg-type]


def mteval(runs: dict[str, dict[str, dict[str, object]]]) -> Iterator[Line]:
    bleu, nist = Line("BLEU", "mteval-v13a, v14", "0.005"), Line("NIST", "mteval-v13a, v14", "0.00005")
    for run, result in runs.items():
        tokenize = "intl" if "international" in run else "13a"
        lower = str(not re.match(r"mteval-v1\da?-c", run)).lower()
        two = "zhen2ref" in run
        for system in result["tables"]:
            hyp = "w2.zh-en.Online-B.en" if two else f"w1.{system}.en"
            refs = ["w2.zh-en.refA.en", "w2.zh-en.refB.en"] if two else ["w1.ref.en"]
            chosen = metric_of(f"bleu(tokenize={tokenize},lowercase={lower},smooth=mteval)")
            rows = rows_of(chosen, hyp, refs)
            bleu.compare([chosen.aggregate(rows.sum(0))], [100 * result[system]["BLEU"]])  # type: ignore[operator]
            if "segment_bleu" in result:
                segments = [100 * float(s) for s in result["segment_bleu"][system]]  # type: ignore[attr-defined]
                bleu.compare(chosen.for_segments().aggregate(rows), segments, segments=True)
            chosen = metric_of(f"nist(tokenize={tokenize},lowercase={lower})")
            rows = rows_of(chosen, hyp, refs)
            nist.compare([chosen.aggregate(rows.sum(0))], [result[system]["NIST"]])  # type: ignore[list-item]
            if "segment_nist" in result:
                segments = [float(s) for s in result["segment_nist"][system]]  # type: ignore[attr-defined]
                nist.compare(chosen.for_segments().aggregate(rows), segments, segments=True)
    yield bleu
    yield nist


def tercom() -> Iterator[Line]:
    line = Line("TER (edits)", "tercom 0.7.25, 0.10.0", "none")
    for entry in golden("tercom.json")["entries"]:  # type: ignore[attr-defined]
        options = {"-N": "normalized=true", "-A": "asian_support=true", "-s": "case_sensitive=true"}
        spec = ",".join(["implementation=tercom", *(options[o] for o in entry["opts"])])
        rows = rows_of(metric_of(f"ter({spec})"), entry["hyp"], entry["refs"])
        line.compare(rows[:, 0], [edits for _, edits, _, _ in entry["segments"]], segments=True)
    yield line


def ribes() -> Iterator[Line]:
    line = Line("RIBES", "RIBES 1.03.1", "0.00005")
    for name, entry in golden("ribes.json")["entries"].items():  # type: ignore[attr-defined]
        two = "2ref" in name
        hyp = "w2.zh-en.Online-B.en" if two else f"{name.removesuffix('.cased')}.en"
        refs = ["w2.zh-en.refA.en", "w2.zh-en.refB.en"] if two else ["w1.tok.ref.en"]
        lower = str("cased" not in name).lower()
        metric = metric_of(f"ribes(tokenize=none,lowercase={lower})")
        rows = rows_of(metric, hyp, refs)
        line.compare(metric.aggregate(rows), [100 * s for s in entry["segments"]], segments=True)
    yield line


def kelp() -> Iterator[Line]:
    folder = SHARED / "golden" / "kelp"
    texts = [line.split("\t") for line in lines(folder / "seqs500.tsv")]
    outputs, references = (tuple(row[side][1:-1].replace(")(", " ") for row in texts) for side in (0, 1))
    theirs = [100 * float(line.split("\t")[3]) for line in lines(folder / "seqs500.sk.n4.l0.75.tsv")]
    metric = metric_of("sk(tokenize=none)")
    rows = metric.stats(metric.prepare(TestSet(references=(references,))), outputs)
    line = Line("SK", "KeLP 2.2.4 (float32)", "0.00002")
    line.compare(metric.aggregate(rows), theirs, segments=True)
    yield line


METEOR = {
    "w1.sys1.norm.exact": ("exact", "matchers=exact"),
    "w1.sys1.norm.exact_stem_syn": ("exact, stem, synonym", "matchers=exact+stem+synonym"),
    "w1.sys1.norm.vout": ("all matchers", ""),
    "w1.sys2.norm.vout": ("all matchers", ""),
    "zhen.OnlineB.2ref.norm": ("two references", ""),
    "w1.sys1.norm.nopunct": ("-noPunct, -lower, none", "punctuation=false"),
    "w1.tok.sys1.lower.vout": ("-noPunct, -lower, none", "normalize=false"),
    "w1.tok.sys1.plain.vout": ("-noPunct, -lower, none", "normalize=false,lowercase=false"),
    "w1.sys1.norm.ch": ("-ch", "characters=true"),
    **{
        f"w1.sys1.norm.{t}": ("adq hter li tune util", f"task={t}")
        for t in ("adq", "hter", "li", "tune", "util")
    },
    "en-cs.exact": ("cs de ru", "language=cs,matchers=exact"),
    "en-de.exact_stem": ("cs de ru", "language=de,matchers=exact+stem,weights=1+0.5"),
    "en-ru.exact_stem": ("cs de ru", "language=ru,matchers=exact+stem,weights=1+0.5"),
}


def meteor() -> Iterator[Line]:
    found: dict[str, Line] = {}
    runs = golden("meteor.json")
    for name, (kind, options) in METEOR.items():
        line = found.setdefault(kind, Line(f"METEOR ({kind})", "METEOR 1.5", "none"))
        metric = metric_of(f"meteor({options})")
        if name.startswith("w1"):
            tokenized = ".tok" if ".tok." in name else ""
            hyp, refs = f"w1{tokenized}.{'sys2' if 'sys2' in name else 'sys1'}.en", [f"w1{tokenized}.ref.en"]
        elif name.startswith("zhen"):
            hyp, refs = "w2.zh-en.Online-B.en", ["w2.zh-en.refA.en", "w2.zh-en.refB.en"]
        else:
            pair = name[:5]
            hyp, refs = (
                f"{pair}.Online-B.{pair[3:]}",
                [f"{pair}.ref{'B' if pair == 'en-cs' else 'A'}.{pair[3:]}"],
            )
        rows = rows_of(metric, hyp, refs)
        theirs: dict[str, Any] = runs[name]  # type: ignore[assignment]
        line.compare([metric.aggregate(rows.sum(0))], [100 * theirs["final"]])
        line.compare(metric.aggregate(rows), [100 * s[3] for s in theirs["segments"]], segments=True)
    yield from found.values()


def hter() -> Iterator[Line]:
    line = Line("HTER", "gold of MLQE-PE en-de", "0.00005")
    for part, stem in (("dev", "dev"), ("test", "test20"), ("train", "train")):
        folder = SHARED / "data" / "10_mlqe_pe" / "en-de" / "pe" / part
        outputs, edited, gold = (lines(folder / f"{stem}.{kind}") for kind in ("mt", "pe", "hter"))
        metric = metric_of("hter(cap=true)")
        rows = metric.stats(metric.prepare(TestSet(references=(edited,))), outputs)
        line.compare(metric.aggregate(rows), [100 * float(g) for g in gold], segments=True)
    yield line


def terp() -> Iterator[Line]:
    folder = SHARED / "golden" / "terp"
    for spec, run in (("terp-ter", "terp_ter"), ("terp", "terpa_nophrase")):
        metric = metric_of(spec)
        rows = rows_of(metric, "w1.sys1.en", ["w1.ref.en"])
        line = Line(metric.label, "TERp 0.1", "0.0005")
        printed = [[f.strip() for f in text.split("|")] for text in lines(folder / f"w1.sys1.{run}.sum")]
        scores = {f[0]: float(f[-1]) for f in printed if len(f) == 12 and f[0] != "ID"}
        line.compare([float(metric.aggregate(rows.sum(0)))], [scores.pop("TOTAL")])
        line.compare(metric.aggregate(rows), [scores[str(i + 1)] for i in range(len(rows))], segments=True)
        yield line
    line = Line("TERp", "TERp 0.1", "none")
    theirs = {
        text.split()[0]: float(text.split()[1]) for text in lines(folder / "w1.sys1.terpa_nophrase.seg.scr")
    }
    line.compare(metric.aggregate(rows), [100 * theirs[str(i + 1)] for i in range(len(rows))], segments=True)
    yield line


def jiwer() -> Iterator[Line]:
    from jiwer import wer

    line = Line("WER", "jiwer 4.0.0", "none")
    metric = metric_of("wer")
    for hyp, ref in (("w1.sys1.en", "w1.ref.en"), ("w3.hyp.en", "w3.ref.en")):
        outputs, references = golden_lines(hyp)[:10000], golden_lines(ref)[:10000]
        rows = metric.stats(metric.prepare(TestSet(references=(references,))), outputs)
        theirs = [100 * wer(r, h) for r, h in zip(references, outputs, strict=True)]
        line.compare(metric.aggregate(rows), theirs, segments=True)
    yield line


def main() -> None:
    table = [
        "| metric | oracle | values | of which segments | largest difference | the oracle prints to |",
        "|---|---|--:|--:|--:|--:|",
    ]
    for source in (sacrebleu, moses, tercom, meteor, ribes, kelp, hter, terp, jiwer):
        for line in source():
            prints = "all digits" if line.precision == "none" else f"± {line.precision}"
            largest = "0" if line.largest == 0 else f"{line.largest:.2g}"
            table.append(
                f"| {line.metric} | {line.oracle} | {line.values:,} | {line.segments:,} | {largest} | {prints} |"
            )
    write("table", table)
    write("significance", significance_parity.table(significance_parity.everything()))


def write(name: str, table: list[str]) -> None:
    """Put a table between the marks of its place on the page."""
    page = PAGE.read_text(encoding="utf-8")
    head, _, rest = page.partition(f"<!-- {name} -->")
    _, _, tail = rest.partition(f"<!-- /{name} -->")
    body = "\n".join(table)
    PAGE.write_text(f"{head}<!-- {name} -->\n{body}\n<!-- /{name} -->{tail}", encoding="utf-8")
    print(body)


if __name__ == "__main__":
    main()
