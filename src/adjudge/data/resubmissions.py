"""Judgements that were submitted or recorded more than once."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from adjudge.data.judgements import KINDS, Judgements, NameColumn
from adjudge.wording import pluralise

Ints = NDArray[np.int64]
_LARGEST = 2**55  # keys stay whole numbers with room for the kind


def without_resubmissions(
    judgements: Judgements, *, changeable: bool = False, keep_all: bool = False
) -> tuple[Judgements, str]:
    """Judgements without resubmissions, of which the last one counts; and a warning, or ''.

    With `keep_all` all of them count, and only what is said of them comes back.

    One event is one annotator's judgement of the same translation, begun at the same time; where nothing
    is said of times, a row that equals another in all. Where annotators could go back and change what they had said
    (`changeable`), it is every judgement of the same translation, and the one that ended last counts.

    Rankings stay: an annotator who gives the same answer to the same question a second time was asked again, which is
    how WMT measured agreement with oneself. So do judgements of nobody in particular.
    """
    if judgements.is_ranking or not len(judgements):
        return judgements, ""
    columns = [judgements.system, judgements.item, *judgements.labels.values()]
    keys = _combine(judgements.annotator.codes.astype(np.int64), columns)
    keys = keys * len(KINDS) + judgements.kind
    named = judgements.annotator.codes >= 0
    if not _any_twice(keys[named]):
        return judgements, ""
    start = judgements.start if judgements.start is not None else np.full(len(judgements), math.nan)
    if not (changeable and judgements.start is not None):
        timed = ~np.isnan(start)
        exact = [judgements.score, *judgements.measures.values()]
        if judgements.seconds is not None:
            exact.append(judgements.seconds)
        keys = _refine(keys, np.where(timed, start, math.nan))
        for column in exact:
            keys = _refine(keys, np.where(timed, 0.0, column))
    ends = start + (np.nan_to_num(judgements.seconds) if judgements.seconds is not None else 0.0)
    keep = ~named
    keep[_last(keys, ends, named)] = True
    if keep.all():
        return judgements, ""
    dropped = np.flatnonzero(~keep)
    count = pluralise(len(dropped), "judgement")
    if keep_all:
        were = "was" if len(dropped) == 1 else "were"
        return judgements, f"{count} {were} given again: all of them count"
    return (
        judgements[keep],
        f"{count} left out that {'was' if len(dropped) == 1 else 'were'} given again: the last one counts "
        f"(first: {judgements.place(int(dropped[0]))})",
    )


def _any_twice(keys: Ints) -> bool:
    return bool((np.diff(np.sort(keys)) == 0).any())


def _combine(keys: Ints, columns: list[NameColumn]) -> Ints:
    """A number for each combination of names."""
    size = int(keys.max(initial=0)) + 2
    for column in columns:
        # A column tells rows apart by its names, and by some rows having none.
        if len(column.codes) and column.codes.min() != column.codes.max():
            size *= len(column.names) + 1
            if size > _LARGEST:
                keys = np.unique(keys, return_inverse=True)[1].astype(np.int64)
                size = (len(keys) + 1) * (len(column.names) + 1)
            keys = keys * (len(column.names) + 1) + column.codes + 1
    return keys


def _refine(keys: Ints, values: NDArray[np.float64]) -> Ints:
    """Keys that also differ where values do; NaN equals NaN."""
    distinct, places = np.unique(values, return_inverse=True)
    refined: Ints = np.unique(keys * (len(distinct) + 1) + places, return_inverse=True)[1].astype(np.int64)
    return refined


def _last(keys: Ints, ends: NDArray[np.float64], named: NDArray[np.bool_]) -> NDArray[np.intp]:
    """For each key the row that ended last; among equals, the last in the file."""
    rows = np.flatnonzero(named)
    order: NDArray[np.intp] = rows[np.lexsort((rows, np.nan_to_num(ends[rows]), keys[rows]))]
    ends_of_keys = np.append(np.flatnonzero(np.diff(keys[order])), len(order) - 1)
    last: NDArray[np.intp] = order[ends_of_keys]
    return last
