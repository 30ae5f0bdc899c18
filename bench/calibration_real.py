"""Draws test sets from real judgements and texts (WMT23 en-de): two tables of docs/statistics.md.

Do intervals hold the truth, and does a test find what `compare` says that it would show?

Each population is what people or a metric said of every segment; test sets of so many segments, or of whole documents,
are drawn from it, so that the truth is known. make calibration writes the tables.

python bench/calibration_real.py [SIMULATIONS] [--write]     some minutes; needs the shared data (ADJUDGE_SHARED)
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from adjudge.data import ScoreMatrix, TestSet
from adjudge.evaluate import Plan, TestSetFacts, compare_measured, compare_scores
from adjudge.evaluate.comparison import Measured, Pair
from adjudge.metrics import metric as metric_of
from adjudge.metrics.base import Metric
from adjudge.stats.crossed import difference_of, mean_of
from adjudge.stats.intervals import Interval, between

HERE = Path(__file__).resolve().parent
SHARED = Path(os.environ.get("ADJUDGE_SHARED", HERE.parents[1] / "shared"))

SIMULATIONS = 6000
RESAMPLES = 500
SIZES = (30, 50, 100, 200)
BATCH = 50
"""Test sets that share their resamples."""
JUDGEMENTS = {
    "DA": "human/da-sqm.seg.score",
    "ESA": "esa_campaign/en-de.ESA-1.seg.score",
    "MQM": "human/mqm.seg.score",
}

Floats = NDArray[np.float64]


def folder() -> Path:
    """WMT23 en-de."""
    return SHARED / "data" / "03_wmt23_mqm_esa" / "en-de"


@dataclass(frozen=True, eq=False)
class Judged:
    """Two systems' sums of (weight × score, weight) over every unit there is."""

    a: Floats
    b: Floats

    @property
    def truth(self) -> dict[str, float]:
        """The mean and the difference over all units."""
        means = [float(sums[:, 0].sum() / sums[:, 1].sum()) for sums in (self.a, self.b)]
        return {"score": means[0], "difference": means[0] - means[1]}


def populations(protocol: str, unit: str) -> list[Judged]:
    """Each system beside the one after it, on the segments that both were judged on."""
    scores: dict[str, list[float]] = {}
    for line in (folder() / JUDGEMENTS[protocol]).read_text().splitlines():
        system, score = line.split()
        scores.setdefault(system, []).append(np.nan if score == "None" else float(score))
    scores.pop("refA")
    names = np.array((folder() / "docs.domain_docid.tsv").read_text().splitlines())
    found = []
    for a, b in pairwise([*scores.values(), next(iter(scores.values()))]):
        both = np.stack([a, b])
        judged = ~np.isnan(both).any(0)
        units = np.unique(names[judged], return_inverse=True)[1]
        units = units if unit == "document" else np.arange(judged.sum())
        sums = [np.column_stack([np.bincount(units, own), np.bincount(units)]) for own in both[:, judged]]
        found.append(Judged(*sums))
    return found


def intervals(a: Floats, b: Floats, weights: Floats, coins: Floats) -> Iterator[tuple[str, str, Interval]]:
    """Intervals of a system's score and of a difference, as they were before and as they are now."""
    yield "score", "now", mean_of(a).limits(0.05)
    yield "difference", "now", difference_of(a, b).limits(0.05)
    resampled, halves = weights @ a, (coins @ a, coins @ b)
    yield "score", "before", between(_mean(a.sum(0)), _mean(resampled), 0.05)
    here = _mean(a.sum(0)) - _mean(b.sum(0))
    yield "difference", "before", between(float(here), _mean(halves[0]) - _mean(halves[1]), 0.05)


def _mean(sums: Floats) -> Floats:
    with np.errstate(invalid="ignore"):
        return np.asarray(sums[..., 0] / sums[..., 1])


def covered(protocol: str, unit: str, segments: int, simulations: int) -> dict[tuple[str, str], float]:
    """How often each interval holds the truth, in per cent."""
    rng = np.random.default_rng([segments, len(unit)])
    held: dict[tuple[str, str], list[bool]] = {}
    judged = populations(protocol, unit)
    for number in range(0, simulations, BATCH):
        population = judged[number // BATCH % len(judged)]
        count = round(segments * len(population.a) / population.a[:, 1].sum())
        weights = rng.multinomial(count, np.full(count, 1 / count), size=RESAMPLES).astype(np.float64)
        coins = rng.integers(2, size=(RESAMPLES, count)).astype(np.float64)
        for drawn in rng.integers(len(population.a), size=(min(BATCH, simulations - number), count)):
            for what, how, interval in intervals(population.a[drawn], population.b[drawn], weights, coins):
                truth = population.truth[what]
                held.setdefault((what, how), []).append(interval.low <= truth <= interval.high)
    return {key: 100 * float(np.mean(found)) for key, found in held.items()}


def judgement_table(simulations: int) -> list[str]:
    """Lines of the page: coverage by protocol, unit and size, before and now."""
    lines = [
        "| judgements | drawn by | interval of | " + " | ".join(f"{n} segments" for n in SIZES) + " |",
        "|---|---|---|" + "--:|" * len(SIZES),
    ]
    for unit in ("segment", "document"):
        for protocol in JUDGEMENTS:
            found = [covered(protocol, unit, segments, simulations) for segments in SIZES]
            for what in ("score", "difference"):
                cells = [f"{one[what, 'before']:.1f} → {one[what, 'now']:.1f} %" for one in found]
                lines.append(_line(protocol, unit, what, *cells))
                print(lines[-1], flush=True)
    return lines


FAST = {"trials": 500, "resamples": 300}
FEW = (6, 7, 8, 10, 20)
TEXT_SIZES = ((30, 60), (60, 150), (150, 557))
"""Test sets of real text, by their segments."""


def found_of_normal(units: int, simulations: int) -> float:
    """How often two systems that differ by what one test set would show are told apart on another one."""
    rng = np.random.default_rng(units)

    def pair(shift: float) -> Pair:
        scores = rng.normal(size=(2, units)) + np.array([[shift], [0.0]])
        return compare_scores(ScoreMatrix(("a", "b"), scores), threads=1, resamples=300).pairs[0]

    tested = (pair(pair(0.0).detectable) for _ in range(simulations))
    return 100 * float(np.mean([one.significant and one.delta > 0 for one in tested]))


@dataclass(frozen=True, eq=False)
class Texts:
    """Two systems' rows by one metric on all segments."""

    metric: Metric
    a: Floats
    b: Floats

    @property
    def difference(self) -> float:
        """Over all segments."""
        return float(self.metric.aggregate(self.a.sum(0)) - self.metric.aggregate(self.b.sum(0)))

    def pair(self, segments: float, rng: np.random.Generator) -> Pair:
        """What `compare` says of so many of the segments, drawn with replacement."""
        drawn = rng.integers(len(self.a), size=max(6, round(segments)))
        rows = {"a": (self.a[drawn],), "b": (self.b[drawn],)}
        measured = Measured.by(self.metric, "", rows, {"a": ("",), "b": ("",)})
        facts = TestSetFacts("", len(drawn), 1, "")
        return compare_measured([measured], facts, plan=Plan(**FAST), threads=1).pairs[0]

    def size(self, rng: np.random.Generator) -> float:
        """How many segments would show just this difference, on average."""
        segments = 100.0
        for _ in range(3):
            shown = np.mean([self.pair(segments, rng).detectable for _ in range(10)])
            segments = float(np.clip(segments * (shown / self.difference) ** 2, 10, 10_000))
        return segments


def texts(spec: str) -> Iterator[Texts]:
    """All pairs of systems that differ."""

    def lines(path: Path) -> tuple[str, ...]:
        return tuple(path.read_bytes().decode("utf-8").removesuffix("\n").split("\n"))

    metric = metric_of(spec)
    prepared = metric.prepare(TestSet(references=(lines(folder() / "ref.refA.de"),)))
    outputs = sorted((folder() / "hyp").glob("*.de"))
    rows = [metric.stats(prepared, lines(path)) for path in outputs if "ref" not in path.stem]
    pairs = (Texts(metric, a, b) for a, b in combinations(rows, 2))
    return (pair for pair in pairs if pair.difference)


def found_of_texts(spec: str, each: int) -> dict[tuple[int, int], list[tuple[bool, bool]]]:
    """Whether pairs of real systems are told apart on as many segments as would show their difference.

    First on as many as would show it on average. Then, where one such test set would show X and the systems differ by
    D, on (X / D)² times as many.
    """
    rng, found = np.random.default_rng(7), {size: list[tuple[bool, bool]]() for size in TEXT_SIZES}
    for pair in texts(spec):
        size = pair.size(rng)
        for low, high in TEXT_SIZES:
            for _ in range(each if low <= size < high else 0):
                shown = pair.pair(size, rng).detectable
                tested = (pair.pair(n, rng) for n in (size, size * (shown / pair.difference) ** 2))
                usual, scaled = (one.significant and one.delta * pair.difference > 0 for one in tested)
                found[low, high].append((usual, scaled))
    return found


def power_table(simulations: int) -> list[str]:
    """Lines of the page: how often what would show with 80 % power is found."""
    lines = [
        "| scores | units | what test sets would show on average | what one test set would show |",
        "|---|--:|--:|--:|",
    ]
    for units in FEW:
        share = f"{found_of_normal(units, simulations):.1f} %"
        lines.append(_line("mean of normal scores", str(units), "–", share))
        print(lines[-1], flush=True)
    for spec in ("bleu", "chrf", "ter"):
        for (low, high), found in found_of_texts(spec, max(2, simulations // 50)).items():
            shares = [f"{100 * share:.1f} %" for share in np.mean(found, axis=0)] if found else ["–", "–"]
            lines.append(_line(f"{metric_of(spec).label}, WMT23 en-de", f"{low} to {high}", *shares))
            print(lines[-1], len(found), flush=True)
    return lines


def _line(*cells: str) -> str:
    return "| " + " | ".join(cells) + " |"


def main(arguments: Sequence[str] | None = None) -> None:
    from pages import order, publish  # which lies beside this file

    asked = order(SIMULATIONS, arguments)
    tables = {"judgements": judgement_table(asked.simulations), "shown": power_table(asked.simulations // 3)}
    publish(tables, asked, "statistics.md")


if __name__ == "__main__":
    main()
