"""Measures how far our p-values are from other programs', in Monte-Carlo standard errors: a part of docs/parity.md.

Called by bench/parity.py (`make parity`); needs the golden values, and runs sacreBLEU beside us for about a minute.
"""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from adjudge.data import TestSet
from adjudge.metrics import metric as metric_of
from adjudge.stats import resampling
from adjudge.stats.runs import RunSpread, spread, stratified_randomisation
from adjudge.stats.tests.systems.base import SystemRows, TestOptions
from adjudge.stats.tests.systems.randomisation import Randomisation

HERE = Path(__file__).resolve().parent
SHARED = Path(os.environ.get("ADJUDGE_SHARED", HERE.parents[1] / "shared"))
TRIALS = 20_000
SEED = 12345

Rows = NDArray[np.float64]


@dataclass(frozen=True)
class Sampled:
    """The p of one pair by another program and by us, each a share of so many trials."""

    oracle: str
    metric: str
    pair: str
    theirs: float
    their_trials: int
    ours: float
    our_trials: int
    rounding: float = 0.0
    """By how much the other program's printed p may be off."""
    counts_itself: bool = True
    """Whether the other program adds what was seen to the trials, as we do."""

    @property
    def shares(self) -> tuple[float, float]:
        """The shares of trials as far as what was seen: p without the one that is added."""
        n, m = self.their_trials, self.our_trials
        theirs = (self.theirs * (n + 1) - 1) / n if self.counts_itself else self.theirs
        return max(0.0, theirs), (self.ours * (m + 1) - 1) / m

    @property
    def apart(self) -> float:
        """The difference in standard errors of both sides together, over what rounding explains."""
        theirs, ours = self.shares
        n, m = self.their_trials, self.our_trials
        p = (theirs * n + ours * m) / (n + m)
        difference = max(0.0, abs(theirs - ours) - self.rounding)
        return difference / float(np.sqrt(p * (1 - p) * (1 / n + 1 / m))) if difference else 0.0

    @property
    def at_the_floor(self) -> bool:
        """Whether neither found more than a trial or two as far."""
        theirs, ours = self.shares
        return theirs * self.their_trials < 2.5 and ours * self.our_trials < 2.5


def lines(path: Path) -> tuple[str, ...]:
    return tuple(path.read_bytes().decode("utf-8").removesuffix("\n").split("\n"))


def w2(name: str) -> Path:
    return SHARED / "golden" / "data" / f"w2.zh-en.{name}.en"


@cache
def rows_of(spec: str, hypothesis: Path, references: tuple[Path, ...]) -> Rows:
    metric = metric_of(spec)
    return metric.stats(metric.prepare(TestSet(references=tuple(map(lines, references)))), lines(hypothesis))


def p_values(
    spec: str, test: str, base: Path, others: Sequence[Path], references: tuple[Path, ...], seed: int = SEED
) -> list[float]:
    """Ours of one system against others, by sacreBLEU's name of the test."""
    systems = [rows_of(spec, path, references) for path in (base, *others)]
    aggregate = metric_of(spec).aggregate
    scores = [float(aggregate(rows.sum(0))) for rows in systems]
    pairs = [(0, other) for other in range(1, len(systems))]
    options = {"seed": seed}
    if test == "ar":
        rows = SystemRows([[own] for own in systems], aggregate, pairs)
        return Randomisation().run(rows, TestOptions(TRIALS, **options)).p_values
    drawn = resampling.resampled_scores(systems, aggregate, resamples=TRIALS, **options)
    return [
        resampling.bootstrap_p(scores[a] - scores[b], drawn[:, a] - drawn[:, b], definition="moses")
        for a, b in pairs
    ]


SPECS = {"BLEU": "bleu", "chrF2": "chrf", "chrF2++": "chrf++", "TER": "ter"}
TESTS = {"ar": "sacreBLEU’s randomisation", "bs": "sacreBLEU’s bootstrap"}


def golden_sacrebleu() -> Iterator[Sampled]:
    """The first of WMT22 zh-en's systems against the nine others, by every golden run of sacreBLEU's tests."""
    for path in sorted((SHARED / "golden" / "significance").glob("*ref.json")):
        document = json.loads(path.read_text(encoding="utf-8"))
        (name,) = document["signature"]
        references = tuple(w2(ref) for ref in ("refA", "refB")[: document["nrefs"]])
        files = [SHARED / "golden" / "data" / system for system in document["systems"]]
        found = p_values(SPECS[name], document["test"], files[0], files[1:], references)
        for file, result, ours in zip(files[1:], document[name][1:], found, strict=True):
            pair = f"{short(files[0])}, {short(file)}" + (", 2 references" if len(references) > 1 else "")
            yield Sampled(TESTS[document["test"]], name, pair, result["p_value"], document["n"], ours, TRIALS)


def short(path: Path) -> str:
    """A system's name without what its files share."""
    return path.name.removeprefix("w2.zh-en.").rsplit(".", 1)[0]


WMT = {
    "WMT18 de-en": ("05_wmt18_fwdrev/de-en", "ref.en", "hyp/*.en", "BLEU"),
    "WMT21 en-de": ("02_wmt21_mqm_ende/en-de", "ref.A.de", "hyp/*.de", "chrF2"),
    "WMT13 fr-en": ("07_rankings_wmt13_fren", "ref.en", "hyp/*.en", "BLEU"),
}


def close_pairs(spec: str, folder: str, reference: str, pattern: str, count: int) -> list[tuple[Path, Path]]:
    """The pairs of systems that are closest to each other, where p says most."""
    home = SHARED / "data" / folder
    aggregate = metric_of(spec).aggregate
    scores = {
        path: float(aggregate(rows_of(spec, path, (home / reference,)).sum(0)))
        for path in sorted(home.glob(pattern))
    }
    pairs = sorted(combinations(scores, 2), key=lambda pair: abs(scores[pair[0]] - scores[pair[1]]))
    return pairs[1 : 2 * count : 2]


def live_sacrebleu(
    pairs: int = 3, samples: int = 2000, seeds: Sequence[int] = (1, 2), sets: Sequence[str] = tuple(WMT)
) -> Iterator[Sampled]:
    """Systems nobody has golden values of, sacreBLEU running beside us with other seeds."""
    from sacrebleu.metrics import BLEU, CHRF
    from sacrebleu.significance import PairedTest

    for data in sets:
        folder, reference, pattern, name = WMT[data]
        references = (SHARED / "data" / folder / reference,)
        for a, b in close_pairs(SPECS[name], folder, reference, pattern, pairs):
            systems = [(path.name, list(lines(path))) for path in (a, b)]
            for test, seed in zip(("ar", "bs"), seeds, strict=True):
                os.environ["SACREBLEU_SEED"] = str(seed)
                _, results = PairedTest(
                    systems,
                    {name: BLEU() if name == "BLEU" else CHRF()},
                    [list(lines(references[0]))],
                    test_type=test,
                    n_samples=samples,
                )()
                del os.environ["SACREBLEU_SEED"]
                theirs = next(value for key, value in results.items() if key != "System")[1].p_value
                (ours,) = p_values(SPECS[name], test, a, [b], references, seed)
                yield Sampled(
                    f"{TESTS[test]}, live",
                    name,
                    f"{data}: {short(a)}, {short(b)}",
                    theirs,
                    samples,
                    ours,
                    TRIALS,
                )


def live_moses(pairs: int = 3, samples: int = 1000, sets: Sequence[str] = tuple(WMT)) -> Iterator[Sampled]:
    """What Moses' script does, written anew from its definition, on words between spaces."""
    sys.path.insert(0, str(HERE.parent / "tests"))
    from oracles.resampling import moses_bootstrap

    spec = "bleu(tokenize=none,smooth=none)"
    for seed, data in enumerate(sets):
        folder, reference, pattern, _ = WMT[data]
        references = (SHARED / "data" / folder / reference,)
        for a, b in close_pairs(spec, folder, reference, pattern, pairs):
            rows = [rows_of(spec, path, references) for path in (a, b)]
            rng = np.random.default_rng(seed)
            theirs = moses_bootstrap(*rows, metric_of(spec).aggregate, samples, rng)
            yield Sampled(
                "Moses’ bootstrap",
                "BLEU",
                f"{data}: {short(a)}, {short(b)}",
                theirs,
                samples,
                p_values(spec, "bs", a, [b], references)[0],
                TRIALS,
                counts_itself=False,
            )


# MultEval -----------------------------------------------------------------------------------------------------

MULTEVAL = ("baseline", "system 1", "system 2")


def length_rows(hypotheses: Sequence[str], references: Sequence[str]) -> Rows:
    """MultEval's Length: words of the output and of the reference."""
    return np.array(
        [[len(h.split()), len(r.split())] for h, r in zip(hypotheses, references, strict=True)],
        dtype=np.float64,
    )


def length_ratio(sums: Rows) -> Rows:
    return 100 * sums[..., 0] / sums[..., 1]


@cache
def multeval_rows(name: str) -> tuple[dict[str, list[Rows]], Callable[[Rows], Rows]]:
    """Rows of every run of MultEval's example, by the metric it prints."""
    home = SHARED / "golden" / "multeval"
    references = lines(home / "refs.test2010.lc.tok.en.0")
    files = {
        system: [home / f"hyps.lc.tok.en.{system.replace('system ', 'sys')}.opt{run}" for run in range(3)]
        for system in MULTEVAL
    }
    if name == "Length":
        return {
            s: [length_rows(lines(f), references) for f in found] for s, found in files.items()
        }, length_ratio
    spec = {"BLEU": "bleu(tokenize=none)", "TER": "ter(implementation=tercom)", "METEOR": "meteor"}[name]
    reference = (home / "refs.test2010.lc.tok.en.0",)
    return {s: [rows_of(spec, f, reference) for f in found] for s, found in files.items()}, metric_of(
        spec
    ).aggregate


def multeval_printed() -> dict[str, dict[str, tuple[str, str, str, str]]]:
    """What MultEval printed, by metric and system: score, s_sel, s_opt and p."""
    head, *rest = lines(SHARED / "golden" / "multeval" / "multeval.out.txt")
    names = re.findall(r"(\w+) \(s_sel/s_opt/p\)", head)
    cell = re.compile(r"([\d.]+) \(([\d.]+)/([\d.]+)/([\d.]+|-)\)")
    found: dict[str, dict[str, tuple[str, str, str, str]]] = {name: {} for name in names}
    for line in rest:
        for name, values in zip(names, cell.findall(line), strict=True):
            found[name][re.split(r"\s{2,}", line)[0]] = values
    return found


def multeval_spread(name: str, system: str, resamples: int = 10_000) -> RunSpread:
    rows, aggregate = multeval_rows(name)
    resampled = resampling.resampled_scores(rows[system], aggregate, resamples=resamples, seed=SEED)
    return spread([float(aggregate(run.sum(0))) for run in rows[system]], resampled)


def multeval(definition: str = "multeval") -> Iterator[Sampled]:
    """MultEval's p of its own example; that of identical systems is 1 by our rule and not compared."""
    printed = multeval_printed()
    for name in ("BLEU", "TER", "Length"):
        rows, aggregate = multeval_rows(name)
        ours = stratified_randomisation(
            rows["baseline"], rows["system 1"], aggregate, trials=TRIALS, seed=SEED, definition=definition
        )
        theirs = float(printed[name]["system 1"][3])
        yield Sampled("MultEval", name, "baseline, system 1", theirs, 10_000, ours, TRIALS, rounding=0.005)


def table(found: Sequence[Sampled]) -> list[str]:
    """A line an oracle and metric, then each pair whose p is not at the floor on both sides."""
    head = ["| oracle | metric | pairs | largest difference, in standard errors |", "|---|---|--:|--:|"]
    groups: dict[tuple[str, str], list[Sampled]] = {}
    for one in found:
        groups.setdefault((one.oracle, one.metric), []).append(one)
    summary = [
        f"| {oracle} | {name} | {len(group)} | {max(one.apart for one in group):.1f} |"
        for (oracle, name), group in groups.items()
    ]
    detail = ["| oracle | metric | pair | its p | ours | standard errors |", "|---|---|---|--:|--:|--:|"] + [
        f"| {one.oracle} | {one.metric} | {one.pair} | {one.theirs:.4f} | {one.ours:.4f} | {one.apart:.1f} |"
        for one in found
        if not one.at_the_floor
    ]
    return [*head, *summary, "", *detail]


def everything() -> list[Sampled]:
    return [*golden_sacrebleu(), *live_sacrebleu(), *live_moses(), *multeval()]


if __name__ == "__main__":
    print("\n".join(table(everything())))
