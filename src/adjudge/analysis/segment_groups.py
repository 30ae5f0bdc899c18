"""Segments that are alike: by a label, by a number, by the words that they have."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from adjudge import _native
from adjudge.analysis.base import Cutting, Members
from adjudge.analysis.parts_of_speech import tagged_segments
from adjudge.comparison.groups import groups_by, label_column, labels_of
from adjudge.data import TestSet
from adjudge.errors import DataError, UsageError, unknown_name
from adjudge.wording import join_names

Floats = NDArray[np.float64]
Values = Sequence[str] | Floats
Groups = list[tuple[str, Members]]
"""Names and segments, from low to high."""
PART_OF_SPEECH = "pos"
NUMBERS = ("length", "rarity", "difficulty")
"""What segments can be sorted by without a label: words of the reference, how rare these are, mean score of systems."""
LENGTHS = (10, 20, 30, 40, 50, 60)
PARTS = 4
"""Groups of equal size where there are no usual bounds."""
UNKNOWN = "unknown"
"""The group of segments that have no number."""


def grouped_segments(
    test_set: TestSet,
    by: str,
    *,
    cuts: Sequence[float] | None = None,
    values: Values | None = None,
    cutting: Cutting | None = None,
    difficulty: Callable[[], Floats] | None = None,
) -> Groups:
    """The groups of segments by a label, a number (see NUMBERS) or the parts of speech in the reference.

    `values` are a label or a number for every segment that the test set itself does not know. By `pos`, a segment is in
    a group for every part of speech that it has; by `pos:NOUN` it has the share of its words that are nouns.
    """
    if values is not None:
        return _by_values(values, by, cuts)
    if by in NUMBERS and by not in test_set.labels:
        usual = LENGTHS if by == "length" else None
        if by == "difficulty":
            if difficulty is None:
                raise UsageError("segments are as difficult as scores say, and there are none")
            return by_number(difficulty(), cuts, whole=False)
        return by_number(_numbers(test_set, by, cutting or Cutting()), cuts or usual, whole=by == "length")
    if by.partition(":")[0] == PART_OF_SPEECH and by not in test_set.labels:
        return _by_part_of_speech(test_set, by.partition(":")[2], cuts)
    labels = labels_of(test_set)
    if cuts is None:
        return [(", ".join(group.values()), members) for group, members in groups_by(labels, [by])]
    return _by_values(label_column(labels, by, "group by"), by, cuts)


def _by_values(values: Values, by: str, cuts: Sequence[float] | None) -> Groups:
    """Numbers in buckets; words as they are, unless bounds say that they are numbers."""
    if isinstance(values, np.ndarray):
        return by_number(np.asarray(values, np.float64), cuts, whole=False)
    if cuts is None:
        return [(group[by], members) for group, members in groups_by({by: values}, [by])]
    try:
        numbers = np.array([float(value) for value in values])
    except ValueError:
        raise UsageError(f"--cuts makes buckets of numbers, and label {by} has others") from None
    return by_number(numbers, cuts, whole=False)


def _numbers(test_set: TestSet, by: str, cutting: Cutting) -> Floats:
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


def _by_part_of_speech(test_set: TestSet, tag: str, cuts: Sequence[float] | None) -> Groups:
    if not test_set.references:
        raise UsageError("parts of speech are those of the reference, and there is none: -r FILE")
    tagged = tagged_segments(test_set, test_set.references[0], "reference")
    counts = [Counter(name for _, name in words) for words in tagged]
    total: Counter[str] = Counter()
    for count in counts:
        total.update(count)
    if tag:
        if tag not in total:
            raise unknown_name("part of speech", tag, total)
        shares = [100 * count[tag] / max(1, count.total()) for count in counts]
        return by_number(np.array(shares), cuts, whole=False)
    if cuts is not None:
        raise UsageError("parts of speech have no bounds; the share of one of them has: --bucket-by pos:NOUN")
    return [
        (name, np.array([place for place, count in enumerate(counts) if count[name]], np.intp))
        for name, _ in total.most_common()
    ]


def by_number(numbers: Floats, cuts: Sequence[float] | None, *, whole: bool) -> Groups:
    """Buckets between bounds, or as many of equal size; what has no number comes last."""
    known = np.isfinite(numbers)
    if not known.any():
        raise DataError("no segment has a number to sort by")
    if cuts is not None:
        if any(b <= a for a, b in pairwise(cuts)):
            raise UsageError(
                f"bounds of buckets {join_names([f'{c:g}' for c in cuts])}: each must be above the one before"
            )
        bounds = [float(cut) for cut in cuts]
    else:
        bounds = sorted({float(q) for q in np.quantile(numbers[known], np.arange(1, PARTS) / PARTS)})
    place = np.where(known, np.searchsorted(bounds, numbers, side="right"), len(bounds) + 1)
    names = [f"<{bounds[0]:.3g}"]
    for low, high in pairwise(bounds):
        names.append(f"{low:g}–{high - 1:g}" if whole else f"{low:.3g}–{high:.3g}")
    names += [f"≥{bounds[-1]:.3g}", UNKNOWN]
    groups = [(name, np.flatnonzero(place == i)) for i, name in enumerate(names)]
    return [(name, members) for name, members in groups if len(members)]
