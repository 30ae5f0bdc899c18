"""Scores by buckets of segments: by length, rarity of words, difficulty, part of speech, any label or number."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from adjudge.analysis.cutting import Cutting
from adjudge.analysis.members import Members, no_members
from adjudge.analysis.segment_groups import Groups, Values, grouped_segments
from adjudge.comparison.groups import units_to_draw
from adjudge.comparison.measuring import measure
from adjudge.comparison.results import Measured
from adjudge.data import Outputs, TestSet
from adjudge.display import Displayable
from adjudge.metrics.base import Metric
from adjudge.stats import multiple
from adjudge.stats.design import AUTO, Design
from adjudge.stats.resampling import (
    Estimate,
    PairedTest,
    estimate,
    least_randomised_p,
    randomisations,
    resampled_scores,
)
from adjudge.stats.significance import significant
from adjudge.stats.units import Units

if TYPE_CHECKING:
    from adjudge.engine.cache import RowCache

Floats = NDArray[np.float64]
Progress = Callable[[str, int, int], None]
FEWEST = 10
"""Segments below which a bucket's differences are not tested."""


@dataclass(frozen=True)
class BucketScore:
    """One system's score on the segments of one bucket."""

    system: str
    score: float
    low: float
    high: float
    delta: float
    """Against the first system; NaN of that itself."""
    p: float
    p_adjusted: float
    significant: bool


@dataclass(frozen=True)
class Bucket:
    """Segments that are alike, and the scores there by one metric."""

    name: str
    segments: int
    scores: tuple[BucketScore, ...]
    members: Members = field(default_factory=no_members, repr=False, compare=False)


@dataclass(frozen=True)
class BucketTable:
    """One metric by buckets."""

    metric: str
    signature: str
    higher_is_better: bool | None
    decimals: int
    buckets: tuple[Bucket, ...]


@dataclass(frozen=True)
class BucketScores(Displayable):
    """Several metrics by buckets."""

    by: str
    systems: tuple[str, ...]
    tables: tuple[BucketTable, ...]
    alpha: float
    design: Design
    """What intervals and tests draw."""
    family: int = field(default=0, repr=False)
    """How many tests p was corrected over, with those of other analyses; 0: its own alone."""


@dataclass(frozen=True)
class Resampling:
    """How intervals and tests are drawn."""

    resamples: int = 1000
    trials: int = 10_000
    seed: int = 12345
    alpha: float = 0.05
    threads: int = 0
    unit: str = AUTO
    """What is drawn: a label, `segment`, or `auto`: the coarsest unit that the labels name."""


def bucket_scores(
    test_set: TestSet,
    outputs: Iterable[Outputs],
    metrics: Iterable[Metric | str] | Metric | str = ("bleu", "chrf"),
    *,
    by: str = "length",
    cuts: Sequence[float] | None = None,
    values: Values | None = None,
    cutting: Cutting | None = None,
    resampling: Resampling | None = None,
    cache: RowCache | None = None,
    progress: Progress | None = None,
    measured: Sequence[Measured] | None = None,
) -> BucketScores:
    """Every system's scores bucket by bucket, with intervals, and tests against the first system.

    Segments are sorted `by` a label, by length, rarity or difficulty, or by the parts of speech that they have (see
    `grouped_segments`); `cuts` says where the next bucket begins, and also makes buckets of a label whose values are
    numbers. `values` are a label or a number for every segment from elsewhere, as what people thought of it. `measured`
    are rows by these metrics that are there already.
    """
    outputs = tuple(outputs)
    drawn = resampling or Resampling()
    if measured is None:
        measured = measure(test_set, outputs, metrics, threads=drawn.threads, cache=cache, progress=progress)
    groups = segment_groups(test_set, by, cuts, measured[0], cutting or Cutting(), values)
    units, design = units_to_draw(test_set, drawn.unit)
    tables = tuple(_table(own, groups, units, drawn) for own in measured)
    systems = tuple(score.system for score in tables[0].buckets[0].scores)
    return BucketScores(by, systems, tables, drawn.alpha, design)


def _table(measured: Measured, groups: Groups, units: Units, drawn: Resampling) -> BucketTable:
    rows = {
        f"{name} (run {run})" if run else name: own
        for name, runs in measured.rows.items()
        for run, own in zip(measured.runs[name], runs, strict=True)
    }
    tests: dict[tuple[str, str], PairedTest] = {}
    for name, members in groups:
        within = units.among(members)
        if len(members) >= FEWEST and significant(least_randomised_p(within.count), drawn.alpha):
            own = _tests([whole[members] for whole in rows.values()], measured, within, drawn)
            tests |= {(name, system): test for system, test in zip([*rows][1:], own, strict=True)}
    adjusted = dict(zip(tests, multiple.adjusted([test.p for test in tests.values()]), strict=True))
    buckets = []
    for name, members in groups:
        scores: list[BucketScore] = []
        within = units.among(members)
        intervals = _intervals([whole[members] for whole in rows.values()], measured, within, drawn)
        for system, interval in zip(rows, intervals, strict=True):
            test = tests.get((name, system))
            p = float(adjusted.get((name, system), math.nan))
            scores.append(
                BucketScore(
                    system=system,
                    score=interval.score,
                    low=interval.low,
                    high=interval.high,
                    delta=interval.score - intervals[0].score if scores else math.nan,
                    p=test.p if test else math.nan,
                    p_adjusted=p,
                    significant=significant(p, drawn.alpha),
                )
            )
        buckets.append(Bucket(name, len(members), tuple(scores), members))
    return BucketTable(
        measured.metric, measured.signature, measured.higher_is_better, measured.decimals, tuple(buckets)
    )


def _tests(
    systems: Sequence[Floats], measured: Measured, units: Units, drawn: Resampling
) -> list[PairedTest]:
    """Every system but the first against that."""
    pairs = [(place, 0) for place in range(1, len(systems))]
    if not pairs:
        return []
    return randomisations(
        systems,
        pairs,
        measured.aggregate,
        trials=drawn.trials,
        seed=drawn.seed,
        units=units,
        threads=drawn.threads,
    )


def _intervals(
    systems: Sequence[Floats], measured: Measured, units: Units, drawn: Resampling
) -> list[Estimate]:
    """Every system's score with its interval; one unit has none."""
    if not units.vary:
        whole = [float(measured.aggregate(rows.sum(0))) for rows in systems]
        return [Estimate(score, math.nan, math.nan, math.nan) for score in whole]
    scores = resampled_scores(
        systems,
        measured.aggregate,
        resamples=drawn.resamples,
        seed=drawn.seed,
        units=units,
        threads=drawn.threads,
    )
    return [
        estimate(float(measured.aggregate(rows.sum(0))), own, confidence=1 - drawn.alpha)
        for rows, own in zip(systems, scores.T, strict=True)
    ]


def segment_groups(
    test_set: TestSet,
    by: str,
    cuts: Sequence[float] | None,
    measured: Measured,
    cutting: Cutting,
    values: Values | None = None,
) -> Groups:
    """Names and segments of the buckets, from low to high; how difficult a segment is, is told by what was measured."""

    def difficulty() -> Floats:
        segments = [measured.segment_scores(rows) for runs in measured.rows.values() for rows in runs]
        return np.nanmean(segments, axis=0)  # type: ignore[no-any-return]

    return grouped_segments(test_set, by, cuts=cuts, values=values, cutting=cutting, difficulty=difficulty)
