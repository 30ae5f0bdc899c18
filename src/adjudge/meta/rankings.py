"""Metrics held against rankings: WMT's tau on pairs of translations that people put in an order."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from adjudge.comparison.scoring import Scores
from adjudge.data.joint_systems import expand_joint_systems
from adjudge.data.judgements import ORDINARY, REPEAT, Judgements
from adjudge.errors import DataError, UsageError
from adjudge.meta.results import MetricValue, TaskResult
from adjudge.meta.shared_task import SharedTaskResult, averages
from adjudge.meta.significance import draws_of, with_pairs
from adjudge.meta.task import TIES, RunSettings, Task
from adjudge.stats.correlation import quotient
from adjudge.stats.draws import multinomial_counts
from adjudge.stats.item_pairs import order_verdicts
from adjudge.stats.metric_swaps import ratio_permutations
from adjudge.stats.tests.metrics import NO_TEST
from adjudge.wording import are, pluralise

Array = NDArray[np.float64]
Places = NDArray[np.intp]


@dataclass(frozen=True, eq=False)
class RankedPairs:
    """Pairs of translations of one segment, each time that somebody put them in an order."""

    systems: tuple[str, ...]
    better: Places
    worse: Places
    segment: Places
    ties: int
    """Pairs that people found equally good, which count for nothing."""
    left_out: int
    """Pairs with a system whose scores are not there."""


def ranked_pairs(
    judgements: Judgements, systems: Sequence[str], segments: int, *, first_segment: int = 1
) -> RankedPairs:
    """The pairs of rankings whose two systems have scores; segments are numbers from `first_segment` on.

    WMT's names (newstest2013.fr-en.NAME, newstest2016.NAME.ro-en) stand for the system that they hold; what several
    systems share (`a+b`) counts for each of them.
    """
    if judgements.other is None:
        raise UsageError(
            "rankings or pairwise judgements were expected; scores of people go into a folder or table"
        )
    counted = np.isin(judgements.kind, (ORDINARY, REPEAT))
    judgements = expand_joint_systems(judgements[counted])
    other = judgements.other
    assert other is not None
    codes = [
        np.array([*(_system(name, systems) for name in column.names), -1])[column.codes]
        for column in (judgements.system, other)
    ]
    known = (codes[0] >= 0) & (codes[1] >= 0) & (codes[0] != codes[1])
    if not known.any():
        raise DataError(
            f"no ranking of any of the systems that have scores ({', '.join(systems)}); ranked were "
            f"{', '.join(judgements.system.names[:5])}, …"
        )
    numbers = np.array([*(_segment(name, segments, first_segment) for name in judgements.item.names), -1])
    segment = numbers[judgements.item.codes]
    lost = known & (segment < 0)
    if lost.any():
        row = int(np.argmax(lost))
        name = judgements.item.names[judgements.item.codes[row]]
        raise DataError(
            f"{judgements.place(row)}: segment {name!r} is none of {first_segment} to {first_segment + segments - 1}; "
            "do they count from another number? --first-segment"
        )
    ordered = known & (judgements.score != 0)
    won = judgements.score[ordered] > 0
    a, b = codes[0][ordered], codes[1][ordered]
    return RankedPairs(
        tuple(systems),
        np.where(won, a, b),
        np.where(won, b, a),
        segment[ordered],
        int((known & (judgements.score == 0)).sum()),
        int((~known).sum()),
    )


def oriented_scores(scores: Scores) -> dict[str, Array]:
    """Every metric's scores, systems × segments; those of which low ones are good with their sign turned."""
    specs = {result.metric: result.higher_is_better for result in scores.results}
    return {
        spec: scores.segment_matrix(spec).scores * (-1.0 if higher is False else 1.0)
        for spec, higher in specs.items()
    }


def run_rankings(
    pairs: RankedPairs,
    metrics: Mapping[str, Array],
    settings: RunSettings,
    *,
    ties: Sequence[str] = TIES,
    sentinels: Sequence[str] = (),
    name: str = "rankings",
) -> SharedTaskResult:
    """WMT's tau of every metric (systems × segments) by each rule for ties, with intervals over segments and tests.

    Permutations swap the verdicts of two metrics on all pairs of a segment together.
    """
    if not len(pairs.better):
        raise DataError("people put no two of these translations in an order")
    results = [_task(pairs, metrics, settings, rule, sentinels) for rule in ties]
    notes = (
        *([f"{pairs.ties:,} ties of people count for nothing"] if pairs.ties else []),
        *(
            [
                f"{pluralise(pairs.left_out, 'pair')} with systems that have no scores {are(pairs.left_out)} left out"
            ]
            if pairs.left_out
            else []
        ),
    )
    return SharedTaskResult(name, "", tuple(results), averages(results), settings, notes)


def _task(
    pairs: RankedPairs,
    metrics: Mapping[str, Array],
    settings: RunSettings,
    rule: str,
    sentinels: Sequence[str],
) -> TaskResult:
    task = Task("rankings", "segment", "darr", "item", ties=rule, threshold=0.0)  # type: ignore[arg-type]
    verdicts = {name: _verdicts(pairs, table, task) for name, table in metrics.items()}
    values = [_value(name, *verdicts[name], pairs.segment, settings) for name in metrics]
    values.sort(key=lambda value: (math.isnan(value.value), -value.value, value.metric))
    ranked = [pairs.systems[code] for code in np.unique(np.concatenate([pairs.better, pairs.worse]))]
    result = TaskResult(task, tuple(values), systems=tuple(ranked), sentinels=tuple(sentinels))
    known = [value for value in values if not math.isnan(value.value)]
    if settings.test == NO_TEST or len(known) < 2:
        return result
    if not settings.metric_test.on_rankings or settings.swap not in (None, "items"):
        raise UsageError(
            "on rankings, verdicts are swapped segment by segment: --test permutation, --swap items"
        )
    above, below = (np.stack([verdicts[value.metric][part] for value in known]) for part in (0, 1))
    draws = draws_of(len(known), task, settings)
    permuted = ratio_permutations(above, below, pairs.segment, draws=draws, seed=settings.seed)
    return replace(with_pairs(result, known, permuted.p_values(), settings), least_p=permuted.least_p)


def _verdicts(pairs: RankedPairs, table: Array, task: Task) -> tuple[Array, Array]:
    difference = table[pairs.better, pairs.segment] - table[pairs.worse, pairs.segment]
    above, below = order_verdicts(np.ones(len(difference)), difference, task.ties)
    missing = np.isnan(difference)
    return np.where(missing, np.nan, above), below


def _value(name: str, above: Array, below: Array, segment: Places, settings: RunSettings) -> MetricValue:
    if np.isnan(above).any():
        missing = int(np.isnan(above).sum())
        reason = f"{missing} of {len(above)} pairs have a translation without a score"
        return MetricValue(name, math.nan, math.nan, math.nan, 0, reason)
    if not below.sum():
        return MetricValue(name, math.nan, math.nan, math.nan, 0, "the metric ties every pair")
    tau = float(above.sum() / below.sum())
    low = high = math.nan
    if settings.interval == "bootstrap":
        _, unit = np.unique(segment, return_inverse=True)
        sums = np.stack([np.bincount(unit, part) for part in (above, below)], axis=1)
        counts = multinomial_counts(len(sums), settings.draws, settings.seed)
        samples = quotient(*(counts @ sums).T)
        samples = samples[~np.isnan(samples)]
        low, high = map(float, np.quantile(samples, [settings.alpha / 2, 1 - settings.alpha / 2]))
    return MetricValue(name, tau, low, high, int(below.sum()))


def _system(name: str, systems: Sequence[str]) -> int:
    """The place of the system that a name of WMT's holds, −1 where it is none of them."""
    if name in systems:
        return systems.index(name)
    within = [known for known in systems if f".{known}." in f".{name}."]
    return systems.index(max(within, key=len)) if within else -1


def _segment(name: str, segments: int, first: int) -> int:
    try:
        at = int(name) - first
    except ValueError:
        return -1
    return at if 0 <= at < segments else -1
