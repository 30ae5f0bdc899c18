"""Cross-validated fitting: parameters from all folds but one, judged on that one."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from os import cpu_count
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from adjudge.data import Judgement, Outputs, TestSet
from adjudge.errors import DataError, UsageError, unknown_name
from adjudge.evaluate.scoring import Progress, rows_by
from adjudge.evaluate.tuning.items import LEVELS, MEASURES, Gathered, Items, gather
from adjudge.evaluate.tuning.search import Found, fold_of_units, search
from adjudge.evaluate.tuning.space import Space, scores
from adjudge.evaluate.wording import counted
from adjudge.metrics.base import Metric
from adjudge.metrics.meteor_parameters import Parameters
from adjudge.stats.correlation import CORRELATIONS, pearson, williams
from adjudge.stats.resampling import bootstrap_p, estimate, tolerance

if TYPE_CHECKING:
    from adjudge.engine.cache import RowCache

Array = NDArray[np.float64]
Indices = NDArray[np.intp]

FEWEST_ITEMS = 4
"""Fewer have no correlation worth the name, nor Williams' test."""


@dataclass(frozen=True)
class HeldOut:
    """How parameters correlate with judgements they were not fitted to, beside the defaults on the same ones."""

    measure: str
    tuned: float
    default: float
    delta: float
    """tuned − default."""
    low: float = math.nan
    high: float = math.nan
    """95 % interval of delta over resamples of units."""
    p_value: float = math.nan
    """Two-sided, paired bootstrap over units; only of the measure that was fitted."""
    p_williams: float = math.nan
    """Two-sided, by Williams' test, which takes items for independent; Pearson's only."""


@dataclass(frozen=True)
class Tuning:
    """Fitted parameters, and what is to be thought of them."""

    parameters: Parameters
    default: Parameters
    free: tuple[str, ...]
    """Parameters that were fitted; the others had nothing to be fitted to."""
    measure: str
    level: str
    unit: str
    protocol: str
    fitted: float
    """Correlation with the judgements they were fitted to, all of them."""
    fitted_default: float
    held_out: tuple[HeldOut, ...]
    """By the measure that was fitted, first, and by the others for comparison."""
    fold_parameters: tuple[Parameters, ...]
    """What was fitted without each fold."""
    fold_items: tuple[int, ...]
    judgements: int
    items: int
    pairs: int
    units: int
    systems: int
    segments: int
    left_out: int
    grid: int
    """Points of the coarse grid."""
    folds: int
    seed: int
    resamples: int
    warnings: tuple[str, ...] = ()


def rows_of(
    metric: Metric,
    test_set: TestSet,
    outputs: Sequence[Outputs],
    *,
    threads: int = 0,
    cache: RowCache | None = None,
    progress: Progress | None = None,
) -> dict[str, Array]:
    """The rows of each system's output, from the cache where it has them."""
    compute = rows_by(metric, test_set, threads, cache)
    found: dict[str, Array] = {}
    for number, output in enumerate(outputs):
        if output.system in found:
            raise UsageError(
                f"{output.system} has several runs; people judge one output: name each apart, NAME=FILE"
            )
        if progress:
            progress(f"{metric.label} of {output.title}", number, len(outputs))
        found[output.system] = compute(output)
    return found


def tune(
    judgements: Sequence[Judgement],
    rows: Mapping[str, Array],
    test_set: TestSet,
    default: Parameters,
    *,
    level: str = "segment",
    measure: str | None = None,
    unit: str | None = None,
    folds: int = 5,
    seed: int = 12345,
    resamples: int = 1000,
    first_segment: int = 1,
    known_only: bool = False,
    threads: int = 0,
    progress: Progress | None = None,
) -> Tuning:
    """Fit METEOR's parameters to judgements, given the rows of each system (a row a segment).

    `measure` is a correlation of `MEASURES` (default: Pearson's, or WMT's tau where segments were ranked); `unit` says
    what a fold is made of: segments (default), documents, or systems, the only choice at their own level.
    """
    if level not in LEVELS:
        raise unknown_name("level", level, LEVELS)
    if not judgements:
        raise DataError("no judgements to fit to")
    protocol = judgements[0].protocol
    pairwise = protocol == "rank" and level == "segment"
    measure = measure or ("tau" if pairwise else "pearson")
    if measure not in MEASURES:
        raise unknown_name("correlation", measure, MEASURES)
    if pairwise != (measure == "tau"):
        raise UsageError(
            "ranks of segments can be fitted by tau only, for they order translations of one segment and no others"
            if pairwise
            else "tau is for ranks of segments; kendall is the tau of scores"
        )
    if level == "system" and unit not in (None, "system"):
        raise UsageError("at the level of systems, systems are held out: --unit system")
    unit = unit or ("system" if level == "system" else "segment")
    gathered = gather(
        judgements, rows, test_set, level=level, unit=unit, first=first_segment, known_only=known_only
    )
    return tune_items(
        gathered,
        default,
        measure=measure,
        level=level,
        unit=unit,
        protocol=protocol,
        folds=folds,
        seed=seed,
        resamples=resamples,
        threads=threads,
        progress=progress,
    )


def tune_items(
    gathered: Gathered,
    default: Parameters,
    *,
    measure: str,
    level: str,
    unit: str,
    protocol: str,
    folds: int = 5,
    seed: int = 12345,
    resamples: int = 1000,
    threads: int = 0,
    progress: Progress | None = None,
) -> Tuning:
    """The same for items that lie ready."""
    items = gathered.items
    fold = fold_of_units(items.units, _checked_folds(items, folds, unit), seed)[items.unit]
    _check_target(items, fold, folds, measure)
    space = Space.of(items.rows, default)
    fitted_default = float(items.correlation(scores(items.rows, [default]), measure)[0])
    if math.isnan(fitted_default):
        raise DataError(
            "METEOR gives all of them the same score: no correlation; are these the right outputs?"
        )

    def report(done: int, steps: int) -> None:
        if progress:
            progress(f"fitting, {space.size:,} points", done, steps)

    found = search(items, fold, folds, space, measure, seed=seed, threads=threads, report=report)
    parameters = found[-1].point
    if progress:
        progress("testing", 0, 1)
    return Tuning(
        parameters=parameters,
        default=default,
        free=space.free,
        measure=measure,
        level=level,
        unit=unit,
        protocol=protocol,
        fitted=float(items.correlation(scores(items.rows, [parameters]), measure)[0]),
        fitted_default=fitted_default,
        held_out=_held_out(items, fold, found[:-1], default, measure, seed, resamples, threads),
        fold_parameters=tuple(one.point for one in found[:-1]),
        fold_items=tuple(map(int, np.bincount(fold, minlength=folds))),
        judgements=gathered.judgements,
        items=len(items),
        pairs=0 if items.pairs is None else len(items.pairs),
        units=items.units,
        systems=gathered.systems,
        segments=gathered.segments,
        left_out=gathered.left_out,
        grid=space.size,
        folds=folds,
        seed=seed,
        resamples=resamples,
        warnings=tuple(_warnings(gathered, parameters, level)),
    )


def held_out_scores(items: Items, fold: Indices, points: Sequence[Parameters]) -> Array:
    """The score of each item by the parameters that were fitted without its fold.

    Scores by different parameters have different scales, so each set is standardised over all items: that needs
    outputs and references, but no judgement.
    """
    found = np.empty(len(items))
    for number, point in enumerate(points):
        mine = scores(items.rows, [point])[0]
        spread = mine.std()
        # In this order, equal scores stay equal.
        standard = (mine - mine.mean()) / (spread if spread > 0 else 1.0)
        found[fold == number] = standard[fold == number]
    return found


def _held_out(
    items: Items,
    fold: Indices,
    found: Sequence[Found],
    default: Parameters,
    measure: str,
    seed: int,
    resamples: int,
    threads: int,
) -> tuple[HeldOut, ...]:
    tuned = held_out_scores(items, fold, [one.point for one in found])
    both = np.stack([tuned, scores(items.rows, [default])[0]])
    first = _tested(items, both, measure, seed, resamples, threads)
    if measure == "tau":
        return (first,)
    others = []
    for other in CORRELATIONS:
        if other != measure:
            a, b = map(float, items.correlation(both, other, threads=threads))
            others.append(HeldOut(other, a, b, a - b))
    return (first, *others)


def _tested(items: Items, both: Array, measure: str, seed: int, resamples: int, threads: int) -> HeldOut:
    tuned, default = map(float, items.correlation(both, measure, threads=threads))

    def drawn(number: int) -> float:
        draw = np.random.default_rng([seed, 2, number]).integers(0, items.units, items.units)
        times = np.bincount(draw, minlength=items.units)
        if items.pairs is not None:
            again = np.repeat(np.arange(len(items.pairs)), times[items.unit[items.pairs[:, 0]]])
            resample = Items(items.rows, items.human, items.unit, items.pairs[again])
            values = resample.correlation(both, measure)
        else:
            again = np.repeat(np.arange(len(items)), times[items.unit])
            resample = Items(items.rows[:0], items.human[again], items.unit[:0])
            values = resample.correlation(both[:, again], measure)
        return float(values[0] - values[1])

    with ThreadPoolExecutor(threads or cpu_count() or 1) as pool:
        differences = np.array(list(pool.map(drawn, range(resamples))))
    delta = tuned - default
    p = bootstrap_p(delta, differences, slack=tolerance(tuned, default), units=items.units)
    interval = estimate(delta, differences)
    p_williams = math.nan
    if measure == "pearson":
        between = float(pearson(both[:1], both[1])[0])
        one_sided = williams(tuned, default, between, len(items))
        p_williams = 2 * min(one_sided, 1 - one_sided)
    return HeldOut(measure, tuned, default, delta, interval.low, interval.high, p, p_williams)


def _checked_folds(items: Items, folds: int, unit: str) -> int:
    if folds < 2:
        raise UsageError(f"{folds} folds: at least 2 are needed, one to fit to and one to look at")
    if items.units < max(folds, FEWEST_ITEMS):
        remedy = f"; --folds {items.units}" if items.units >= FEWEST_ITEMS else ""
        raise DataError(
            f"too few judgements: {counted(items.units, unit)} for {folds} folds, and {FEWEST_ITEMS} are the fewest "
            f"that can be cross-validated{remedy}"
        )
    return folds


def _check_target(items: Items, fold: Indices, folds: int, measure: str) -> None:
    """Refuse judgements that correlate with nothing, in all or without one of the folds."""
    if measure == "tau":
        assert items.pairs is not None
        there = np.bincount(fold[items.pairs[:, 0]], minlength=folds)
        if (there == len(items.pairs)).any():
            raise DataError("too few ranked pairs: all lie in one fold; take fewer folds")
        return
    if np.ptp(items.human) == 0:
        raise DataError(
            f"all {counted(len(items), 'judgement')} are the same ({abs(items.human[0]):g}): no correlation"
        )
    for number in range(folds):
        if np.ptp(items.human[fold != number]) == 0:
            raise DataError(
                "the judgements are all the same without one of the folds: no correlation to fit to; take fewer folds"
            )


def _warnings(gathered: Gathered, parameters: Parameters, level: str) -> list[str]:
    found = []
    if gathered.left_out:
        found.append(f"left out {counted(gathered.left_out, 'judgement')} of systems without outputs")
    if level == "system" and len(gathered.items) < 10:
        found.append(
            f"{len(gathered.items)} systems are very few to fit parameters to; expect nothing from the result"
        )
    return found
