"""Scores by buckets of segments: by length, by how rare their words are, by how hard they are, by any label."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from adjudge import _native
from adjudge.analysis.cutting import Cutting
from adjudge.data import Outputs, TestSet
from adjudge.errors import UsageError
from adjudge.evaluate.comparison import Measured
from adjudge.evaluate.groups import groups_by, labels_of
from adjudge.evaluate.measuring import measure
from adjudge.metrics.base import Metric
from adjudge.stats import multiple
from adjudge.stats.resampling import PairedTest, bootstrap, randomisation
from adjudge.wording import listed

if TYPE_CHECKING:
    from adjudge.engine.cache import RowCache

Floats = NDArray[np.float64]
Progress = Callable[[str, int, int], None]
NUMBERS = ("length", "rarity", "difficulty")
"""What segments can be sorted by without a label: words of the reference, how rare these are, mean score of systems."""
LENGTHS = (10, 20, 30, 40, 50, 60)
PARTS = 4
"""Buckets of equal size where there are no usual bounds."""
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
    p_value: float
    p_adjusted: float
    significant: bool


@dataclass(frozen=True)
class Bucket:
    """Segments that are alike, and the scores there by one metric."""

    name: str
    segments: int
    scores: tuple[BucketScore, ...]


@dataclass(frozen=True)
class BucketTable:
    """One metric by buckets."""

    metric: str
    signature: str
    higher_is_better: bool | None
    decimals: int
    buckets: tuple[Bucket, ...]


@dataclass(frozen=True)
class BucketScores:
    """Several metrics by buckets."""

    by: str
    systems: tuple[str, ...]
    tables: tuple[BucketTable, ...]
    alpha: float


@dataclass(frozen=True)
class Resampling:
    """How intervals and tests are drawn."""

    resamples: int = 1000
    trials: int = 10_000
    seed: int = 12345
    alpha: float = 0.05
    threads: int = 0


def bucket_scores(
    test_set: TestSet,
    outputs: Iterable[Outputs],
    metrics: Iterable[Metric | str] | Metric | str = ("bleu", "chrf"),
    *,
    by: str = "length",
    cuts: Sequence[float] | None = None,
    cutting: Cutting | None = None,
    resampling: Resampling | None = None,
    cache: RowCache | None = None,
    progress: Progress | None = None,
    measured: Sequence[Measured] | None = None,
) -> BucketScores:
    """Every system's scores bucket by bucket, with intervals, and tests against the first system.

    Segments are sorted `by` a label, or by length, rarity or difficulty (see NUMBERS); `cuts` says where the next
    bucket begins, and also makes buckets of a label whose values are numbers. `measured` are rows by these metrics that
    are there already.
    """
    outputs = tuple(outputs)
    drawn = resampling or Resampling()
    if measured is None:
        measured = measure(test_set, outputs, metrics, threads=drawn.threads, cache=cache, progress=progress)
    groups = segment_groups(test_set, by, cuts, measured[0], cutting or Cutting())
    tables = tuple(_table(own, groups, drawn) for own in measured)
    systems = tuple(score.system for score in tables[0].buckets[0].scores)
    return BucketScores(by, systems, tables, drawn.alpha)


def _table(
    measured: Measured, groups: Sequence[tuple[str, NDArray[np.intp]]], drawn: Resampling
) -> BucketTable:
    rows = {
        f"{name} (run {run})" if run else name: own
        for name, runs in measured.rows.items()
        for run, own in zip(measured.runs[name], runs, strict=True)
    }
    first = next(iter(rows))
    tests: dict[tuple[str, str], PairedTest] = {}
    for name, members in groups:
        for system in rows:
            if system != first and len(members) >= FEWEST:
                tests[name, system] = randomisation(
                    rows[system][members],
                    rows[first][members],
                    measured.aggregate,
                    trials=drawn.trials,
                    seed=drawn.seed,
                    threads=drawn.threads,
                )
    adjusted = dict(zip(tests, multiple.adjusted([test.p_value for test in tests.values()]), strict=True))
    buckets = []
    for name, members in groups:
        scores = []
        for system, own in rows.items():
            estimate = bootstrap(
                own[members],
                measured.aggregate,
                resamples=drawn.resamples,
                seed=drawn.seed,
                level=1 - drawn.alpha,
            )
            base = float(measured.aggregate(rows[first][members].sum(0)))
            test = tests.get((name, system))
            p = float(adjusted.get((name, system), math.nan))
            scores.append(
                BucketScore(
                    system=system,
                    score=estimate.score,
                    low=estimate.low,
                    high=estimate.high,
                    delta=math.nan if system == first else estimate.score - base,
                    p_value=test.p_value if test else math.nan,
                    p_adjusted=p,
                    significant=p < drawn.alpha,
                )
            )
        buckets.append(Bucket(name, len(members), tuple(scores)))
    return BucketTable(
        measured.metric, measured.signature, measured.higher_is_better, measured.decimals, tuple(buckets)
    )


def segment_groups(
    test_set: TestSet, by: str, cuts: Sequence[float] | None, measured: Measured, cutting: Cutting
) -> list[tuple[str, NDArray[np.intp]]]:
    """Names and segments of the buckets, from low to high."""
    if by in NUMBERS and by not in test_set.labels:
        usual = LENGTHS if by == "length" else None
        return _by_number(_numbers(test_set, by, measured, cutting), cuts or usual, whole=by == "length")
    labels = labels_of(test_set)
    if cuts is None:
        return [(", ".join(values.values()), members) for values, members in groups_by(labels, [by])]
    [column] = [labels[name] for name in labels if name == by] or [()]
    if not column:
        groups_by(labels, [by])  # says which labels there are
    try:
        numbers = np.array([float(value) for value in column])
    except ValueError:
        raise UsageError(f"--cuts makes buckets of numbers, and label {by} has others") from None
    return _by_number(numbers, cuts, whole=False)


def _numbers(test_set: TestSet, by: str, measured: Measured, cutting: Cutting) -> Floats:
    if by == "difficulty":
        segments = [measured.segment_scores(rows) for runs in measured.rows.values() for rows in runs]
        return np.nanmean(segments, axis=0)  # type: ignore[no-any-return]
    tokenizer = cutting.tokenizer(test_set)
    first = [
        next(text for text in column if text is not None) for column in zip(*test_set.references, strict=True)
    ]
    _, [(ids, begins)] = _native.numbered_words(
        [tokenizer.cross(first, lowercase=cutting.lowercase)], tokenizer.core_name
    )
    lengths = np.diff(begins).astype(float)
    if by == "length":
        return lengths
    rare = -np.log(np.bincount(ids)[ids] / max(1, len(ids)))
    sums = np.add.reduceat(np.append(rare, 0.0), np.minimum(begins[:-1], len(rare)))
    return np.where(lengths > 0, sums / np.maximum(lengths, 1), 0.0)


def _by_number(
    numbers: Floats, cuts: Sequence[float] | None, *, whole: bool
) -> list[tuple[str, NDArray[np.intp]]]:
    if cuts is not None:
        if any(b <= a for a, b in pairwise(cuts)):
            raise UsageError(
                f"bounds of buckets {listed([f'{c:g}' for c in cuts])}: each must be above the one before"
            )
        bounds = [float(cut) for cut in cuts]
    else:
        bounds = sorted({float(q) for q in np.quantile(numbers, np.arange(1, PARTS) / PARTS)})
    place = np.searchsorted(bounds, numbers, side="right")
    names = [f"<{bounds[0]:.3g}"]
    for low, high in pairwise(bounds):
        names.append(f"{low:g}–{high - 1:g}" if whole else f"{low:.3g}–{high:.3g}")
    names.append(f"≥{bounds[-1]:.3g}")
    groups = [(name, np.flatnonzero(place == i)) for i, name in enumerate(names)]
    return [(name, members) for name, members in groups if len(members)]
