"""Segments in groups: by a label, by several of them crossed, or by length."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from adjudge.data import TestSet
from adjudge.data.label_names import meant, with_synonyms
from adjudge.errors import DataError, UsageError

LENGTHS = (10, 20, 30, 40, 60)
"""Upper ends of the length groups, in words."""


def labels_of(test_set: TestSet, wanted: Sequence[str] = ()) -> dict[str, Sequence[str]]:
    """The labels of a test set, and where it is wanted the length group of each segment under `length`."""
    labels: dict[str, Sequence[str]] = dict(test_set.labels)
    if "length" in wanted and "length" not in labels:
        labels["length"] = length_groups(test_set)
    return labels


def length_groups(test_set: TestSet) -> tuple[str, ...]:
    """How long each segment is: words of the source, or else of the (first) reference.

    Texts written without spaces are counted in characters, four for a word.
    """
    if test_set.sources is not None:
        texts: Sequence[str] = test_set.sources
    else:
        columns = zip(*test_set.references, strict=True)
        texts = [next(text for text in column if text is not None) for column in columns]
    words = np.array([len(text.split()) for text in texts])
    characters = np.array([len(text) for text in texts])
    if words.sum() * 20 < characters.sum():  # no language with spaces has words that long
        words = -(-characters // 4)
    edges = [0, *LENGTHS]
    names = [f"{low + 1}-{high}" for low, high in zip(edges, LENGTHS, strict=False)] + [f">{LENGTHS[-1]}"]
    return tuple(names[i] for i in np.searchsorted(LENGTHS, words))


def label_column(labels: Mapping[str, Sequence[str]], name: str, purpose: str) -> Sequence[str]:
    """The labels of that name, or an error that says which there are."""
    name = meant(name, labels)
    if name not in labels:
        known = with_synonyms(other for other in labels if other != "length")
        raise UsageError(
            f"no label {name!r} to {purpose}; "
            + (f"there are: {known}" if known else "the test set has none (-L labels.tsv)")
        )
    return labels[name]


def groups_by(
    labels: Mapping[str, Sequence[str]], by: Sequence[str]
) -> list[tuple[dict[str, str], NDArray[np.intp]]]:
    """The groups that occur, in the order of their first segment (lengths: from short to long)."""
    by = [meant(name, labels) for name in by]
    columns = [label_column(labels, name, "group by") for name in by]
    members: dict[tuple[str, ...], list[int]] = {}
    for index, values in enumerate(zip(*columns, strict=True)):
        members.setdefault(values, []).append(index)
    if "length" in by and not members:
        raise DataError("no segments to group")
    place = by.index("length") if "length" in by else None
    order = sorted(members, key=lambda values: _length_order(values[place])) if place is not None else members
    return [(dict(zip(by, values, strict=True)), np.array(members[values])) for values in order]


def _length_order(name: str) -> tuple[int, str]:
    number = name.removeprefix(">").partition("-")[0]
    return (int(number) if number.isdigit() else 0) + (1 if name.startswith(">") else 0), name
