"""What people think of every segment of a test set, from judgements."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from adjudge.comparison.judged_places import JudgedPlaces
from adjudge.data import Outputs, TestSet
from adjudge.data.judgements import ORDINARY, REPEAT, Judgements
from adjudge.errors import DataError, UsageError
from adjudge.human.mqm import as_scores


def human_scores(
    judgements: Judgements, test_set: TestSet, outputs: Sequence[Outputs]
) -> NDArray[np.float64]:
    """The mean score that people gave each segment; the higher the better, NaN without judgements.

    Judgements of one output count by their mean, and outputs alike. Those of systems that are not among `outputs` are
    left aside, unless none is; segments are numbers from 1 on, or ids that a label of the test set has.
    """
    if judgements.is_ranking:
        raise UsageError("rankings have no scores to sort segments by: judgements with scores are needed")
    judgements = as_scores(judgements)
    places = JudgedPlaces([output.system for output in outputs], test_set)
    segments = judged_segments(judgements, places)
    known = np.array([*(places.systems(name) is not None for name in judgements.system.names), False])
    usable = np.isin(judgements.kind, (ORDINARY, REPEAT)) & np.isfinite(judgements.score)
    rows = usable & known[judgements.system.codes]
    chosen = np.flatnonzero(rows if rows.any() else usable)
    if not len(chosen):
        raise DataError("the judgements hold no scores of outputs")
    sign = 1.0 if judgements.higher_is_better else -1.0
    width = len(judgements.system.names) + 1
    cells = segments[chosen] * width + judgements.system.codes[chosen] + 1
    counts = np.bincount(cells, minlength=len(test_set) * width)
    sums = np.bincount(cells, weights=sign * judgements.score[chosen], minlength=len(test_set) * width)
    judged = counts.reshape(len(test_set), width) > 0
    means = np.where(judged, sums.reshape(judged.shape) / np.maximum(counts.reshape(judged.shape), 1), 0.0)
    return np.where(judged.any(1), means.sum(1) / np.maximum(judged.sum(1), 1), np.nan)


def judged_segments(judgements: Judgements, places: JudgedPlaces) -> NDArray[np.intp]:
    """The place of each judgement's segment, from 0; the first that the test set has not is told."""
    by_name = [places.segment(name) for name in judgements.item.names]
    codes = judgements.item.codes
    lost = np.array([*(isinstance(place, str) for place in by_name), True])[codes]
    if lost.any():
        row = int(np.argmax(lost))
        says = by_name[codes[row]] if codes[row] >= 0 else "it names no segment"
        raise DataError(f"{judgements.place(row)}: {says}")
    return np.array([*by_name, -1], dtype=np.intp)[codes]
