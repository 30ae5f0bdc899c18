"""The points of lines: the scores of a system by a metric in each record, with their rows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from adjudge.comparison.results import Measured, measured_means
from adjudge.errors import AdjudgeError, DataError, unknown_name
from adjudge.history.evaluations import unpack_rows
from adjudge.history.records import History, Record, RecordedScore, check_one_system, nan_if_missing
from adjudge.history.stored import same
from adjudge.metrics import metric as metric_of
from adjudge.metrics.base import Rows

VERSIONS = 30
"""Number of versions of a line, by default."""


@dataclass(frozen=True)
class LineQuery:
    """Which lines to show, and how many versions; empty means all."""

    systems: Sequence[str] = ()
    metrics: Sequence[str] = ()
    test_sets: Sequence[str] = ()
    last: int = VERSIONS
    """Number of versions of each line."""
    renamed: Mapping[str, str] = field(default_factory=dict)
    """Former names of systems, and their current names."""
    since: str | None = None
    """The record that lines and the count of looks begin with: its number, label or revision."""


@dataclass(frozen=True)
class LinePoint:
    """The scores of a system by a metric in one record: one, or one per run."""

    record: Record
    scores: tuple[RecordedScore, ...]

    @property
    def kind(self) -> tuple[object, ...]:
        """What must be the same for two versions to be compared."""
        score = self.scores[0]
        return (
            score.fingerprint,
            score.segments,
            score.level,
            score.unversioned,
            score.by_metric,
            score.higher_is_better,
        )


Key = tuple[str, str, str]


def points_by_line(records: Sequence[Record], wanted: LineQuery) -> dict[Key, list[LinePoint]]:
    """The points of every line that was asked for, the newest last."""
    points: dict[Key, list[LinePoint]] = {}
    names: dict[str, dict[str, None]] = {"system": {}, "metric": {}, "test set": {}}
    for record in records:
        by_key: dict[Key, list[RecordedScore]] = {}
        for score in record.scores:
            system = wanted.renamed.get(score.system, score.system)
            key = (score.test_set, system, score.metric)
            for kind, name in zip(("test set", "system", "metric"), key, strict=True):
                names[kind][name] = None
            if score.score is not None and all(
                not chosen or name in chosen
                for name, chosen in zip(key, (wanted.test_sets, wanted.systems, wanted.metrics), strict=True)
            ):
                by_key.setdefault(key, []).append(score)
        for key, scores in by_key.items():
            points.setdefault(key, []).append(LinePoint(record, tuple(scores)))
    for kind, asked in (
        ("system", wanted.systems),
        ("metric", wanted.metrics),
        ("test set", wanted.test_sets),
    ):
        for name in asked:
            if name not in names[kind]:
                raise unknown_name(f"{kind} of the history", name, names[kind])
    return points


def check_names(points: Sequence[LinePoint]) -> None:
    """Refuse points that belong to two systems."""
    for point in points:
        check_one_system(point.record, (score.system for score in point.scores))


def rows_of(history: History, point: LinePoint) -> tuple[Rows, ...]:
    """The rows of all runs of a point."""
    score = point.scores[0]
    sets = history.rows(point.record, score.test_set, score.system, score.metric)
    wanted = {score.run for score in point.scores}
    rows = tuple(
        unpack_rows(row_set, point.record) for row_set in sets if None in wanted or row_set.run in wanted
    )
    if not rows:
        raise DataError(
            f"record {point.record.id} of {history.name} has no rows of {score.system} by {score.metric}"
        )
    return rows


def measured_of(points: Sequence[LinePoint], metric: str, rows: Sequence[tuple[Rows, ...]]) -> Measured:
    """The rows of one metric, each version as a system; they must give the recorded scores."""
    newest = points[-1].scores[0]
    by_version = {str(place): runs for place, runs in enumerate(rows)}
    if not newest.by_metric:
        measured = measured_means(metric, by_version, higher_is_better=newest.higher_is_better is not False)
    else:
        try:
            scorer = metric_of(metric)
        except AdjudgeError as error:
            raise DataError(
                f"this adjudge cannot compute {metric!r}, which record {points[-1].record.id} was scored by: {error}; "
                "choose other metrics: -m"
            ) from None
        measured = Measured.by(
            scorer,
            newest.signature,
            by_version,
            {name: ("",) * len(runs) for name, runs in by_version.items()},
        )
    for point, runs in zip(points, rows, strict=True):
        if len({run.shape for run in (*runs, *rows[0])}) > 1:
            raise DataError(
                f"rows of {newest.system} by {metric} in record {point.record.id} have another shape"
            )
        made = float(np.mean([measured.aggregate(run.sum(0)) for run in runs]))
        recorded = float(np.mean([nan_if_missing(score.score) for score in point.scores]))
        if not same(made, recorded):
            raise DataError(
                f"record {point.record.id}: the rows of {newest.system} by {metric} give {made:.6g}, but its score is "
                f"{recorded:.6g}; the history was changed"
            )
    return measured
