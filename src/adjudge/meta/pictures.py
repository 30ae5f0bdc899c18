"""What is drawn of metrics and people: their scores beside each other, and references scored by other references."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from adjudge.comparison.scoring import score
from adjudge.data import Outputs, TestSet
from adjudge.data.score_tables import MetaSet, MetaTexts
from adjudge.meta.shared_task import SharedTaskResult
from adjudge.meta.tables import tables_of
from adjudge.metrics import metric as metric_of

Array = NDArray[np.float64]
MOST = 12
"""Metrics that are drawn; the first ones of a table say enough."""


@dataclass(frozen=True, eq=False)
class ScorePicture:
    """A metric's scores beside people's, of systems or of segments."""

    metric: str
    gold: str
    level: str
    people: Array
    scores: Array
    names: tuple[str, ...] = ()
    """Of systems."""


@dataclass(frozen=True, eq=False)
class ReferencePicture:
    """A reference's segments scored against another reference, beside those of all systems against the same."""

    metric: str
    scored: str
    against: str
    references: Array
    systems: Array


@dataclass(frozen=True)
class Pictures:
    """All that is drawn beside the tables."""

    scores: tuple[ScorePicture, ...] = ()
    references: tuple[ReferencePicture, ...] = ()
    left_out: tuple[str, ...] = ()
    """Metrics that are not drawn because there are many."""


def score_pictures(
    result: SharedTaskResult, sets: Mapping[tuple[str, str], MetaSet]
) -> tuple[tuple[ScorePicture, ...], tuple[str, ...]]:
    """A scatter for each metric, level and test set, of the first task of its kind; and metrics that are left out."""
    drawn: list[ScorePicture] = []
    left_out: dict[str, None] = {}
    seen = set()
    for task_result in result.results:
        task = task_result.task
        if (task.data, task.level) in seen or task.correlation in ("spa", "pdp"):
            continue
        seen.add((task.data, task.level))
        tables = tables_of(sets[task.data], task)
        judged = ~np.isnan(tables.gold)
        names = [value.metric for value in task_result.values if value.metric in tables.metrics]
        left_out |= dict.fromkeys(names[MOST:])
        whole = tables.systems if task.level == "system" else ()
        gold = f"{task.gold} {task.language}".strip()
        drawn += [
            ScorePicture(name, gold, task.level, tables.gold[judged], tables.metrics[name][judged], whole)
            for name in names[:MOST]
        ]
    return tuple(drawn), tuple(left_out)


def reference_pictures(
    meta_set: MetaSet, texts: MetaTexts, specs: Sequence[str]
) -> tuple[ReferencePicture, ...]:
    """For every metric and ordered pair of references: the one scored against the other, and systems against it."""
    drawn = []
    systems = [name for name in meta_set.systems if name in texts.outputs and name not in texts.references]
    for spec in specs:
        metric = metric_of(spec)
        if "references" not in metric.uses or not systems:
            continue
        for against, reference in texts.references.items():
            others = {name: text for name, text in texts.references.items() if name != against}
            if not others:
                continue
            test_set = TestSet(references=(reference,), sources=texts.sources, language=meta_set.language)
            outputs = [Outputs(name, texts.outputs[name]) for name in systems]
            outputs += [Outputs(name, text) for name, text in others.items()]
            segments = [r.segments for r in score(test_set, outputs, metric, segments=True).results]
            pooled = np.concatenate([np.array(segment) for segment in segments[: len(systems)]])
            for name, metric_scores in zip(others, segments[len(systems) :], strict=True):
                drawn.append(ReferencePicture(metric.spec, name, against, np.array(metric_scores), pooled))
    return tuple(drawn)
