"""Draws small test sets from real judgements and texts (WMT23 en-de) to check intervals: tables of docs/statistics.md.

Each population is what people or a metric said of every segment; test sets of so many segments, or of whole documents,
are drawn from it, so that the truth is known. make calibration writes the tables.

python bench/calibration_real.py [SIMULATIONS] [--write]     some minutes; needs the shared data (ADJUDGE_SHARED)
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

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


def _line(*cells: str) -> str:
    return "| " + " | ".join(cells) + " |"


def main(arguments: Sequence[str] | None = None) -> None:
    from pages import order, publish  # which lies beside this file

    asked = order(SIMULATIONS, arguments)
    publish({"judgements": judgement_table(asked.simulations)}, asked, "statistics.md")


if __name__ == "__main__":
    main()
