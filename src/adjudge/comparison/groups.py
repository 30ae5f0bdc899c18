"""Segments in groups: by a label, by several of them crossed, or by length; and the units that a test draws."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from adjudge.data import TestSet
from adjudge.data.label_names import meant, with_synonyms
from adjudge.data.texts import Counts, text_lengths
from adjudge.errors import DataError, UsageError
from adjudge.stats.design import AUTO, DOCUMENT, REPEATED_SHARE, SEGMENT, TEXT, Design, Grouping, choose_unit
from adjudge.stats.resampling import least_randomised_p
from adjudge.stats.units import CodedLabels, Units, number_labels

LENGTH = "length"
"""A label that every segment has."""
MOST_TEXTS = 2_000_000
"""In larger test sets repeated segments are not looked for: so large a test is rarely the problem."""
LENGTHS = (10, 20, 30, 40, 60)
"""Upper ends of the length groups, in words."""


def labels_of(test_set: TestSet, wanted: Sequence[str] = ()) -> dict[str, Sequence[str]]:
    """The labels of a test set, with the distinct text of each segment (`text`) where many segments repeat another.

    Where wanted also the length group of each segment (`length`).
    """
    labels: dict[str, Sequence[str]] = dict(test_set.labels)
    if LENGTH in wanted and LENGTH not in labels:
        labels[LENGTH] = length_groups(test_set)
    columns = [*filter(None, [test_set.sources]), *test_set.references[:1]]
    if TEXT not in labels and (repeated := repeated_texts(zip(*columns, strict=True))) is not None:
        labels[TEXT] = repeated
    return labels


def repeated_texts(texts: Iterable[tuple[str | None, ...]]) -> CodedLabels | None:
    """Which distinct text each segment is, by source and first reference.

    None where few segments repeat another, or where there are too many to look.
    """
    hashes = np.fromiter(islice(map(hash, texts), MOST_TEXTS + 1), dtype=np.int64)
    known, first, codes = np.unique(hashes, return_index=True, return_inverse=True)
    if not REPEATED_SHARE * len(hashes) <= len(hashes) - len(known) or len(hashes) > MOST_TEXTS:
        return None
    place = np.empty(len(known), dtype=np.intp)
    place[np.argsort(first)] = np.arange(len(known))
    return CodedLabels([str(number + 1) for number in range(len(known))], place[codes])


def units_to_draw(test_set: TestSet, unit: str = AUTO) -> tuple[Units, Design]:
    """The units that tests and intervals of a test set draw, and the design that they make.

    Without a unit the labels choose it: whole documents, or each distinct text where many segments repeat another.
    """
    labels, segments, reason = labels_of(test_set), len(test_set), ""
    if unit == AUTO:
        unit, reason = choose_unit(labels, segments)
    units = Units.of(segments, None if unit == SEGMENT else label_column(labels, unit, "draw by"))
    documents = number_labels(labels[DOCUMENT])[1] if DOCUMENT in labels and unit in (SEGMENT, TEXT) else 0
    others = (Grouping(DOCUMENT, documents),) if 1 < documents < segments else ()
    return units, Design(unit, units.count, reason, others, smallest_p=least_randomised_p(units.count))


def length_groups(test_set: TestSet) -> tuple[str, ...]:
    """How long each segment is: words of the source, or else of the (first) reference.

    Texts written without spaces are counted in characters, four for a word.
    """
    words, characters = text_lengths(test_set)
    return length_names(words, characters, spaced=has_spaces(int(words.sum()), int(characters.sum())))


def has_spaces(words: int, characters: int) -> bool:
    """Whether so many words of so many characters are words: no language with spaces has longer ones."""
    return words * 20 >= characters


def length_names(words: Counts, characters: Counts, *, spaced: bool) -> tuple[str, ...]:
    """The group of each segment, by its words, or by its characters in a text without spaces."""
    edges = [0, *LENGTHS]
    names = [f"{low + 1}-{high}" for low, high in zip(edges, LENGTHS, strict=False)] + [f">{LENGTHS[-1]}"]
    return tuple(names[i] for i in np.searchsorted(LENGTHS, words if spaced else -(-characters // 4)))


def label_column(labels: Mapping[str, Sequence[str]], name: str, purpose: str) -> Sequence[str]:
    """The labels of that name, or an error that says which there are."""
    name = meant(name, labels)
    if name not in labels:
        known = with_synonyms(other for other in labels if other not in (LENGTH, TEXT))
        raise UsageError(
            f"no label {name!r} to {purpose}; "
            + (f"there are: {known}" if known else "the test set has none (-L labels.tsv)")
        )
    return labels[name]


def groups_by(
    labels: Mapping[str, Sequence[str]], by: Sequence[str]
) -> Iterator[tuple[dict[str, str], NDArray[np.intp]]]:
    """The groups that occur, in the order of their first segment (lengths: from short to long), one at a time."""
    by = [meant(name, labels) for name in by]
    columns = [label_column(labels, name, "group by") for name in by]
    numbers = [number_labels(column) for column in columns]
    codes = numbers[0][0]
    for more, count in numbers[1:]:
        codes = codes.astype(np.int64) * count + more
    if LENGTH in by and not len(codes):
        raise DataError("no segments to group")
    known, first = np.unique(codes, return_index=True)
    groups = [
        (code, tuple(column[i] for column in columns)) for i, code in sorted(zip(first, known, strict=True))
    ]
    if LENGTH in by:
        place = by.index(LENGTH)
        groups.sort(key=lambda group: _length_order(group[1][place]))
    for code, values in groups:
        yield dict(zip(by, values, strict=True)), np.flatnonzero(codes == code)


def _length_order(name: str) -> tuple[int, str]:
    number = name.removeprefix(">").partition("-")[0]
    return (int(number) if number.isdigit() else 0) + (1 if name.startswith(">") else 0), name
