"""Does it measure quality? Metrics on trees and on meaning beside others, held against people's scores.

    .venv/bin/python bench/structure.py [--segments 300] [--shared ../shared] [--model FOLDER --python PYTHON]
        [--metric SPEC]... [--pair zh-en]...

WMT17's direct assessment into English (German, Chinese) and WMT23's MQM from English into German. Segments: Pearson's r
with people's scores of the same outputs (560 outputs a pair of WMT17; all systems of WMT23), and for WMT23 also among
outputs for the same segment. Systems: r of system scores on all segments, or a sample of them, with people's scores of
systems. Metrics whose low scores are good count with their sign turned. Intervals are percentiles of resamples of
segments; people's scores of systems, and the systems, stay as they are. Rows are kept in the cache as soon as they are
there, so a run that was ended goes on where it was. Prints a table for docs/metrics.md; a dash is a metric that the
language has no data for.
"""

import argparse
import hashlib
import html
import os
import random
import re
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from adjudge import workspace
from adjudge.data import TestSet
from adjudge.errors import AdjudgeError
from adjudge.io.content_store import LARGE, ContentStore
from adjudge.metrics import metric
from adjudge.metrics.base import Direction, Metric

METRICS = (
    "bleu(tokenize={tokenize})",
    "chrf",
    "ter",
    "meteor(matchers={matchers})",
    "terp",
    "sk(tokenize={tokenize})",
    "sk(tokenize={tokenize},words=lemma)",
    "ptk(parser={parser})",
    "ptk(parser={parser},words=lemma)",
    "sstk(parser={parser})",
    "sptk(parser={parser},words=lemma,vectors={vectors})",
    "csptk(parser={parser},words=lemma,vectors={vectors})",
    "tskm(parser={parser})",
    "tskm(parser={parser},words=lemma)",
    "meant(tokenize={tokenize})",
    "meant(tokenize={tokenize},frames=trees,parser={parser})",
)
NEURAL = (
    "bertscore(model={model},python={python})",
    "meant(model={model},python={python})",
    "meant(model={model},python={python},frames=trees,parser={parser})",
)
OPTIONS = {
    "en_ewt": {"tokenize": "none", "matchers": "exact+stem+synonym+paraphrase"},  # these texts are tokenized
    "de_pud_gsd": {
        "tokenize": "13a",
        "matchers": "exact+stem",
    },  # there is no German table of paraphrases here
}
SEED = 12345
RESAMPLES = 500


@dataclass(frozen=True, eq=False)
class Pair:
    """Outputs that people scored one by one, and systems that they scored on the whole."""

    name: str
    parser: Path
    judged: TestSet
    outputs: list[str]
    human: np.ndarray
    groups: np.ndarray
    """The segment of each judged output."""
    test_set: TestSet
    systems: list[list[str]]
    overall: np.ndarray

    @property
    def crossed(self) -> bool:
        """Whether every segment was scored for every system."""
        return len(self.human) == len(self.systems) * len(self.test_set)


class PairStore:
    """What was parsed, on the disk; vectors of tokens, which are larger than they are dear, as long as it lives."""

    def __init__(self, disk: ContentStore) -> None:
        self.disk, self.memory = disk, workspace.MemoryStore()

    def get(self, kind: str, keys: Sequence[bytes]) -> dict[bytes, bytes]:
        return (self.memory if kind == LARGE else self.disk).get(kind, keys)

    def put(self, kind: str, values: Mapping[bytes, bytes]) -> None:
        (self.memory if kind == LARGE else self.disk).put(kind, values)


@dataclass(frozen=True, eq=False)
class MetricRows:
    """The rows of a metric for judged outputs and for systems (systems, segments, k)."""

    judged: np.ndarray
    systems: np.ndarray


def lines(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").removesuffix("\n").split("\n")


def sampled(places: Iterable[int], sample: int) -> list[int]:
    known = list(places)
    return sorted(random.Random(SEED).sample(known, min(sample, len(known)))) if sample else known


def wmt17(shared: Path, name: str, sample: int) -> Pair:
    """The scored outputs of a pair, and its systems on a sample of segments."""
    folder = shared / "data/04_wmt17_da_seg_toen" / name
    reference = [html.unescape(line) for line in lines(folder / "ref.en")]
    texts = {file.name: [html.unescape(line) for line in lines(file)] for file in (folder / "hyp").iterdir()}

    def of_system(system: str) -> list[str]:
        return next(texts[file] for file in sorted(texts) if system in file)

    human = [line.split() for line in lines(folder / "human/DA-seglevel.csv")[1:]]
    places = [int(row[3]) - 1 for row in human]
    kept = sampled(range(len(reference)), sample)
    ranked = [line.split() for line in lines(folder / "human/DA-syslevel.csv")[1:]]
    return Pair(
        name=name,
        parser=shared / "models/en_ewt",
        judged=TestSet(references=[[reference[at] for at in places]], language=name),
        outputs=[of_system(row[2].split("+")[0])[at] for row, at in zip(human, places, strict=True)],
        human=np.array([float(row[4]) for row in human]),
        groups=np.array(places),
        test_set=TestSet(references=[[reference[at] for at in kept]], language=name),
        systems=[[of_system(system)[at] for at in kept] for _, _, system in ranked],
        overall=np.array([float(score) for _, score, _ in ranked]),
    )


def wmt23(shared: Path, sample: int) -> Pair:
    """Systems on the segments that people scored, or a sample of those."""
    folder = shared / "data/03_wmt23_mqm_esa/en-de"
    reference = lines(folder / "ref.refA.de")
    scores: dict[str, list[str]] = {}
    for row in lines(folder / "human/mqm.seg.score"):
        scores.setdefault(row.split("\t")[0], []).append(row.split("\t")[1])
    overall = dict(row.split("\t") for row in lines(folder / "human/mqm.sys.score"))
    names = [name for name in scores if name not in ("refA", "synthetic_ref") and overall[name] != "None"]
    judged = [at for at in range(len(reference)) if all(scores[name][at] != "None" for name in names)]
    kept = sampled(judged, sample)
    texts = {name: lines(folder / f"hyp/{name}.de") for name in names}
    return Pair(
        name="en-de",
        parser=shared / "models/de_pud_gsd",
        judged=TestSet(references=[[reference[at] for _ in names for at in kept]], language="en-de"),
        outputs=[texts[name][at] for name in names for at in kept],
        human=np.array([float(scores[name][at]) for name in names for at in kept]),
        groups=np.array([at for _ in names for at in kept]),
        test_set=TestSet(references=[[reference[at] for at in kept]], language="en-de"),
        systems=[[texts[name][at] for at in kept] for name in names],
        overall=np.array([float(overall[name]) for name in names]),
    )


def rows_of(scorer: Metric, pair: Pair, cache: Path) -> MetricRows:
    """The rows of a metric, from an earlier run where there are any."""
    label = re.sub(r"\W+", "-", scorer.spec)[:40] + hashlib.sha256(scorer.spec.encode()).hexdigest()[:8]
    path = cache / f"{pair.name}.{len(pair.test_set)}.{label}.npz"
    if path.exists():
        stored = np.load(path)
        return MetricRows(stored["judged"], stored["systems"])
    began = time.process_time()
    prepared = scorer.prepare(pair.test_set)
    systems = np.stack([scorer.stats(prepared, outputs) for outputs in pair.systems])
    if pair.crossed:
        judged = systems.reshape(-1, systems.shape[-1])
    else:
        judged = scorer.stats(scorer.prepare(pair.judged), pair.outputs)
    np.savez(path, judged=judged, systems=systems)
    print(f"<!-- {pair.name} {scorer.name}: {time.process_time() - began:.0f} s -->", flush=True)
    return MetricRows(judged, systems)


def correlation(scores: np.ndarray, human: np.ndarray, counts: np.ndarray) -> np.ndarray:
    """Pearson's r, weighted by how often each was drawn (resamples, n)."""
    weights = counts / counts.sum(-1, keepdims=True)
    ours = scores - (weights * scores).sum(-1, keepdims=True)
    theirs = human - (weights * human).sum(-1, keepdims=True)
    both, own, other = (
        (weights * a * b).sum(-1) for a, b in ((ours, theirs), (ours, ours), (theirs, theirs))
    )
    return both / np.sqrt(own * other)


def draws(number: int) -> np.ndarray:
    """How often each of so many is drawn: once in the first row, by chance in all others."""
    random_numbers = np.random.default_rng(SEED)
    drawn = random_numbers.multinomial(number, np.full(number, 1 / number), RESAMPLES)
    return np.concatenate([np.ones((1, number), drawn.dtype), drawn]).astype(np.float64)


def within(values: np.ndarray, groups: np.ndarray) -> np.ndarray:
    """What is left of values without the mean of their group."""
    _, places = np.unique(groups, return_inverse=True)
    return values - (np.bincount(places, values) / np.bincount(places))[places]


def agreement(scorer: Metric, pair: Pair, rows: MetricRows) -> list[np.ndarray]:
    """r of segments, of those against the same segment where there are several, and of systems, each with resamples."""
    sign = -1 if scorer.direction is Direction.LOWER else 1
    scores = scorer.for_segments().aggregate(rows.judged)
    members, places = np.unique(pair.groups, return_inverse=True)
    counts = draws(len(members))[:, places]
    values = [correlation(scores, pair.human, counts)]
    if pair.crossed:
        values.append(correlation(within(scores, pair.groups), within(pair.human, pair.groups), counts))
    counts = draws(len(pair.test_set))
    by_system = np.stack([scorer.aggregate(counts @ own) for own in rows.systems], axis=-1)
    values.append(correlation(by_system, pair.overall, np.ones_like(by_system)))
    return [sign * value for value in values]


def cell(values: np.ndarray) -> str:
    """r and its interval, as docs/metrics.md shows them."""
    low, high = np.percentile(values[1:], [2.5, 97.5])

    def shown(value: float, digits: int) -> str:
        return f"{value:.{digits}f}".replace("0.", ".", 1).replace("-", "−")

    return f"{shown(values[0], 3)} ({shown(low, 2)} to {shown(high, 2)})"


def lengths(scorer: Metric, pair: Pair, rows: MetricRows) -> str:
    """How far a metric and people follow the length of texts."""
    scores = scorer.for_segments().aggregate(rows.judged)
    words = np.log([1 + len(output.split()) for output in pair.outputs])
    ours, theirs = (np.corrcoef(values, words)[0, 1] for values in (scores, pair.human))
    return f"{scorer.name}, {pair.name}: r with log words: metric {ours:.2f}, people {theirs:.2f}"


def word_vectors(pipeline: Path, texts: Iterable[str], cache: Path) -> Path:
    """A spaCy pipeline's vectors of the words of texts, and of all it has names for, in a file of GloVe's form."""
    path = cache / f"{pipeline.name}.vec"
    if not path.exists():
        import spacy

        known = spacy.load(pipeline).vocab
        words = {word for text in texts for word in text.split()} | {
            word for word in known.strings if word.strip()
        }
        with path.open("w", encoding="utf-8") as file:
            for word in sorted(words):
                if len(word.split()) == 1 and known.has_vector(word):
                    file.write(f"{word} {' '.join(map(str, known.get_vector(word)))}\n")
    return path


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--segments", type=int, default=300, help="a sample of so many; 0 for all")
    parser.add_argument("--shared", type=Path, default=Path("../shared"))
    parser.add_argument("--cache", type=Path, default=Path(os.environ.get("ADJUDGE_CACHE", ".bench-cache")))
    parser.add_argument("--model", help="an encoder's folder, for BERTScore and MEANT")
    parser.add_argument("--python", default="", help="where torch and transformers are")
    parser.add_argument("--metric", action="append", help="instead of those on trees and their rivals")
    parser.add_argument("--pair", action="append", help="instead of de-en, zh-en and en-de")
    return parser.parse_args()


def cells(spec: str, pair: Pair, options: dict[str, str], cache: Path) -> list[str]:
    """A metric's cells for a pair."""
    blank = ["–"] * (3 if pair.crossed else 2)
    if "{vectors}" in spec and pair.parser.name != "en_ewt":
        return blank
    try:
        written = spec.format(**OPTIONS[pair.parser.name], parser=pair.parser, **options)
        scorer = metric(written).for_test_set(pair.test_set)
        return [cell(values) for values in agreement(scorer, pair, rows_of(scorer, pair, cache))]
    except AdjudgeError as error:
        print(f"<!-- {spec}: {error} -->")
        return blank


def shown(spec: str) -> str:
    """A metric without what only this script needs."""
    short = re.sub(r"(tokenize|matchers|python|parser|vectors)=\{\w+\},?", "", spec).replace("{model}", "…")
    return short.replace(",)", ")").replace("()", "")


def show_table(specs: Sequence[str], pairs: Sequence[Pair], options: dict[str, str], cache: Path) -> None:
    """Score pair by pair, so that texts are encoded once for all metrics; then print a line a metric."""
    rows: dict[str, list[str]] = {spec: [] for spec in specs}
    columns = []
    for pair in pairs:
        columns += [
            f"{pair.name} segment",
            *[f"{pair.name} same segment"] * pair.crossed,
            f"{pair.name} system",
        ]
        with workspace.use(workspace.Workspace(store=PairStore(ContentStore(cache)))):
            for spec in specs:
                rows[spec] += cells(spec, pair, options, cache)
                print(f"<!-- {pair.name} `{shown(spec)}`: {rows[spec]} -->", flush=True)
    print(f"\n| metric | {' | '.join(columns)} |\n|---|" + "---|" * len(columns))
    for spec, row in rows.items():
        print(f"| `{shown(spec)}` | {' | '.join(row)} |")


def main() -> None:
    given = arguments()
    given.cache.mkdir(parents=True, exist_ok=True)
    english = [wmt17(given.shared, name, given.segments) for name in ("de-en", "zh-en")]
    known = [*english, wmt23(given.shared, given.segments)]
    pairs = [pair for pair in known if not given.pair or pair.name in given.pair]
    for pair in pairs:
        print(
            f"{pair.name}: {len(pair.outputs)} outputs; {len(pair.systems)} systems, {len(pair.test_set)} segments"
        )
    specs = given.metric or METRICS + (NEURAL if given.model else ())
    texts = [text for pair in english for system in pair.systems for text in system]
    texts += [text for pair in english for text in (*pair.judged.references[0], *pair.outputs)]
    vectors = (
        word_vectors(english[0].parser, texts, given.cache)
        if any("{vectors}" in spec for spec in specs)
        else ""
    )
    options = {"model": given.model, "python": given.python, "vectors": str(vectors)}
    show_table(specs, pairs, options, given.cache)
    if not given.metric and not given.pair:
        scorer = metric(f"ptk(parser={pairs[-1].parser})").for_test_set(pairs[-1].test_set)
        print("\n" + lengths(scorer, pairs[-1], rows_of(scorer, pairs[-1], given.cache)))


if __name__ == "__main__":
    main()
