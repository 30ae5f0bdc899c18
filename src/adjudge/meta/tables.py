"""The tables of a task: people's and metrics' scores of its systems, at its level."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from adjudge.data.score_tables import MetaSet, ScoreTable, means
from adjudge.errors import DataError, UsageError, unknown_name
from adjudge.meta.task import Task
from adjudge.stats.correlation import quotient

Array = NDArray[np.float64]
OUTLYING = 2.5
DEVIATIONS = 1.483
"""What makes a standard deviation of a median distance, for scores that are spread normally."""


@dataclass(frozen=True, eq=False)
class TaskTables:
    """What a task is computed from."""

    systems: tuple[str, ...]
    gold: Array
    """systems × items (segments or documents), or systems × 1; NaN where no one judged."""
    metrics: dict[str, Array]
    """Scores in the shape of `gold` by every metric that has all that is asked of it."""
    missing: dict[str, str]
    """Metrics that have not, and why."""
    outliers: tuple[str, ...] = ()
    """Systems that were left out because they lie far from the others."""
    remarks: dict[str, str] = field(default_factory=dict)
    """What a reader should know of a metric that is judged."""


def tables_of(meta_set: MetaSet, task: Task) -> TaskTables:
    """The scores that a task speaks of: systems with gold, without references and those left out."""
    if task.gold not in meta_set.gold:
        # In a table any column may be gold.
        raise unknown_name("scores of people", task.gold, meta_set.gold or meta_set.metrics)
    for name in task.excluded:
        if name not in meta_set.systems:
            raise unknown_name("system to leave out", name, meta_set.systems)
    gold = meta_set.gold[task.gold]
    rated = _rated_mask(gold, task)
    chosen = [
        name
        for name, has_gold in zip(meta_set.systems, rated, strict=True)
        if has_gold and name not in task.excluded and (task.humans or name not in meta_set.references)
    ]
    outliers = () if task.outliers else outlier_systems(gold, meta_set.systems, chosen)
    chosen = [name for name in chosen if name not in outliers]
    if len(chosen) < 2:
        raise DataError(
            f"{task.name}: fewer than two systems have scores of people ({', '.join(chosen) or 'none'})"
        )
    part = meta_set.with_systems(chosen)
    if task.level == "document":
        part = _documents(part, task)
    level = _flatten if task.level == "system" and task.correlation != "spa" else _parts
    people = level(part.gold[task.gold])
    if task.correlation == "spa":
        people = people[:, ~np.isnan(people).all(0)]
    shaped = _centre_by_item if task.correlation == "pdp" else _identity
    metrics, missing, remarks = {}, {}, {}
    for name, table in part.metrics.items():
        scores = level(table)
        if task.correlation == "spa":
            scores = _select_rated(scores, part.gold[task.gold])
        reason = _lacks(scores, people, part.systems, table, task)
        if reason:
            missing[name] = reason
        else:
            metrics[name] = shaped(scores, people)
            if level is _flatten and (lacking := _count_uneven(table)):
                have = "has" if lacking == 1 else "have"
                remarks[name] = f"systems' means are of different segments, for {lacking:,} {have} no score"
    return TaskTables(part.systems, shaped(people, people), metrics, missing, outliers, remarks)


def outlier_systems(gold: ScoreTable, systems: Sequence[str], among: Sequence[str]) -> tuple[str, ...]:
    """Systems whose score by people lies more than 2.5 deviations from the median (Mathur et al. 2020).

    A deviation is 1.483 times the median distance from the median; where that is 0 there are no outliers.
    """
    scores = gold.systems[[systems.index(name) for name in among]]
    distances = np.abs(scores - np.nanmedian(scores)) if len(scores) else scores
    deviation = DEVIATIONS * float(np.nanmedian(distances)) if len(scores) else 0.0
    if not deviation > 0:
        return ()
    return tuple(name for name, far in zip(among, distances > OUTLYING * deviation, strict=True) if far)


def _rated_mask(gold: ScoreTable, task: Task) -> NDArray[np.bool_]:
    if task.level == "system" and task.correlation != "spa":
        return np.asarray(~np.isnan(gold.systems))
    return np.asarray(~np.isnan(gold.segments).all(1))


def _flatten(table: ScoreTable) -> Array:
    return table.systems[:, None]


def _parts(table: ScoreTable) -> Array:
    return table.segments


def _select_rated(scores: Array, gold: ScoreTable) -> Array:
    """The items that somebody judged."""
    return scores[:, ~np.isnan(gold.segments).all(0)]


def _identity(scores: Array, people: Array) -> Array:
    return scores


def _centre_by_item(scores: Array, people: Array) -> Array:
    """Scores about the mean of their item's judged systems, times the root of how many these are.

    Pearson's r of these is that of all differences between two systems of one item, for the sum of products of such
    differences is n times that of products about the means.
    """
    judged = ~np.isnan(people)
    count = judged.sum(0)
    mean = quotient(np.where(judged, scores, 0.0).sum(0), count.astype(np.float64))
    # What rounding leaves of an item whose scores are all the same is no difference.
    differ = np.where(judged, scores, np.inf).min(0) < np.where(judged, scores, -np.inf).max(0)
    centred = np.where(differ, scores - mean, 0.0) * np.sqrt(count)
    return np.asarray(np.where(judged, centred, np.nan))


def _lacks(scores: Array, people: Array, systems: tuple[str, ...], table: ScoreTable, task: Task) -> str:
    """Why a metric cannot be judged, or nothing."""
    given = [name for name in table.references if name in systems]
    if given:
        return f"it was given {', '.join(given)}, which counts as a system here"
    judged = ~np.isnan(people)
    without = [
        name for name, row, mask in zip(systems, scores, judged, strict=True) if np.isnan(row[mask]).all()
    ]
    if without:
        return f"no scores of {', '.join(without)}"
    holes = int(np.isnan(scores[judged]).sum())
    have = "has" if holes == 1 else "have"
    return f"{holes:,} of {int(judged.sum()):,} judged {task.level}s {have} no score" if holes else ""


def _count_uneven(table: ScoreTable) -> int:
    """Segments that some systems have no score of and others have, where systems score the means of theirs."""
    known = ~np.isnan(table.segments)
    lacking = int((known.any(0) & ~known).sum())
    return lacking if np.allclose(table.systems, means(table.segments), rtol=1e-12, atol=0) else 0


def _documents(part: MetaSet, task: Task) -> MetaSet:
    """A set with documents for segments: means of their judged segments, for people and metrics alike."""
    if "document" not in part.labels:
        raise UsageError(f"{task.name}: nothing says which segments make a document; label them (-L)")
    names, place = np.unique(np.array(part.labels["document"], object), return_inverse=True)
    judged = ~np.isnan(part.gold[task.gold].segments)

    def mean(table: ScoreTable) -> ScoreTable:
        scores = table.segments
        sums = np.zeros((len(scores), len(names)))
        counts = np.zeros_like(sums)
        for row, (values, mask) in enumerate(zip(scores, judged, strict=True)):
            np.add.at(sums[row], place[mask], values[mask])
            np.add.at(counts[row], place[mask], 1.0)
        return replace(table, segments=quotient(sums, counts))

    return replace(
        part,
        gold={name: mean(table) for name, table in part.gold.items()},
        metrics={name: mean(table) for name, table in part.metrics.items()},
    )
