"""Group judgements by what they are about, by annotator, and by the order in which they were given."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from adjudge.data.judgements import KINDS, NONE, ORDINARY, REPEAT, TUTORIAL, Judgements, NameColumn
from adjudge.data.label_names import meant, with_synonyms
from adjudge.errors import DataError, UsageError
from adjudge.stats.agreement import renumber
from adjudge.wording import pluralise

Floats: TypeAlias = NDArray[np.float64]
Codes: TypeAlias = NDArray[np.int64]
Mask: TypeAlias = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class UsableRows:
    """Judgements that can be compared with others, and how many cannot, by reason."""

    rows: NDArray[np.intp]
    control: int
    """Bad references, references and tutorial items."""
    nameless: int
    """Without an annotator, a system or an item."""
    duplicates: int
    """Answers that were recorded twice: person, question, answer and moment are equal."""

    @property
    def left_out(self) -> int:
        """How many are not used."""
        return self.control + self.nameless + self.duplicates


def usable_rows(judgements: Judgements) -> UsableRows:
    """The ordinary judgements and repeats whose annotator, system and item are known."""
    refuse_holes(judgements)
    wanted = (judgements.kind == ORDINARY) | (judgements.kind == REPEAT)
    known = (judgements.annotator.codes != NONE) & (judgements.system.codes != NONE)
    known &= judgements.item.codes != NONE
    if judgements.other is not None:
        known &= judgements.other.codes != NONE
    rows = np.flatnonzero(wanted & known)
    repeated = _recorded_twice(judgements, rows)
    return UsableRows(
        rows[~repeated], int((~wanted).sum()), int((wanted & ~known).sum()), int(repeated.sum())
    )


@dataclass(frozen=True, eq=False)
class RatingsOnce:
    """One rating per annotator and translation: the mean where there are several."""

    value: Floats
    translation: Codes
    """Numbered from 0."""
    who: Codes
    row: NDArray[np.intp]
    """Where it was said (the first time)."""

    def others(self) -> Floats:
        """For each rating, the mean of the others' ratings of that translation; NaN without any."""
        count = np.bincount(self.translation)[self.translation] - 1
        off = self.value - self.value.mean() if len(self.value) else self.value
        total = np.bincount(self.translation, off)[self.translation] - off
        with np.errstate(invalid="ignore", divide="ignore"):
            means: Floats = total / count + (self.value - off)
        return np.where(count > 0, means, math.nan)


def ratings_once(
    judgements: Judgements, values: Floats | None = None, used: UsableRows | None = None
) -> RatingsOnce:
    """The ordinary ratings, one an annotator and translation; `values` that are NaN are left out."""
    values = judgements.score if values is None else values
    if len(values) != len(judgements):
        raise UsageError(f"{pluralise(len(judgements), 'judgement')}, but {pluralise(len(values), 'value')}")
    rows = (used or usable_rows(judgements)).rows
    rows = rows[(judgements.kind[rows] == ORDINARY) & np.isfinite(values[rows])]
    who, translation = (
        judgements.annotator.codes[rows],
        combined_codes(judgements.item.codes[rows], judgements.system.codes[rows]),
    )
    _, first, at, count = np.unique(
        combined_codes(translation, who), return_index=True, return_inverse=True, return_counts=True
    )
    mean = np.bincount(at, values[rows], len(first)) / count
    return RatingsOnce(mean, translation[first], who[first].astype(np.int64), rows[first])


def kind_counts(judgements: Judgements) -> dict[str, int]:
    """How many ordinary items, repeats, bad references, references and tutorials there are, where there are any."""
    counts = np.bincount(judgements.kind, minlength=len(KINDS)).tolist()
    return {kind: number for kind, number in zip(KINDS, counts, strict=True) if number}


def scope_of(by: Mapping[str, str]) -> str:
    """For which judgements the result of a group holds."""
    labels = ", ".join(f"{name} {value}" for name, value in by.items())
    return f"the judgements of {labels}" if by else "these judgements"


def without_tutorials(judgements: Judgements) -> Judgements:
    """Drop the judgements of tutorials, which people give while they learn."""
    tried = judgements.kind == TUTORIAL
    return judgements[~tried] if tried.any() else judgements


def refuse_holes(judgements: Judgements) -> None:
    """Raise an error that names the first judgement whose score is not a number."""
    wrong = np.flatnonzero(~np.isfinite(judgements.score))
    if len(wrong):
        row = int(wrong[0])
        raise DataError(
            f"{judgements.place(row)}: the score is {judgements.score[row]}; leave out what was not judged"
        )


def in_canonical_order(judgements: Judgements) -> Judgements:
    """Number systems, items and rankings by their content instead of their order in a file.

    Random draws use these numbers, and results must not depend on the order of rows.
    """
    changed: dict[str, Any] = {
        name: column.in_order()
        for name in ("system", "other", "item")
        if (column := getattr(judgements, name)) is not None
    }
    judgements = replace(judgements, **changed)
    if judgements.ranking is None or judgements.other is None or not len(judgements):
        return judgements
    first, second = sides(judgements)
    answer = np.sign(np.nan_to_num(judgements.score)).astype(np.int64) * np.where(first > second, -1, 1)
    width = max(int(first.max()), int(second.max())) + 2  # a system without a name is −1
    row = ((np.minimum(first, second) + 1) * width + np.maximum(first, second) + 1) * 3 + answer + 1
    order = np.argsort(judgements.ranking, kind="stable")
    begins = np.flatnonzero(np.diff(judgements.ranking[order], prepend=judgements.ranking[order[0]] - 1))
    fingerprint = np.add.reduceat(_hashes(row)[order], begins)  # the same whatever the order of its rows
    first_row, who = order[begins], judgements.annotator.in_order().codes
    places = np.empty(len(first_row), dtype=np.int64)
    places[np.lexsort((fingerprint, who[first_row], judgements.item.codes[first_row]))] = np.arange(
        len(first_row)
    )
    ranking = np.empty(len(order), dtype=np.int64)
    ranking[order] = np.repeat(places, np.diff(begins, append=len(order)))
    return replace(judgements, ranking=ranking)


def _hashes(numbers: Codes) -> NDArray[np.uint64]:
    """Hashes of 64 bits, whose sum identifies a set of numbers."""
    scattered = (numbers.astype(np.uint64) + np.uint64(1)) * np.uint64(0x9E3779B97F4A7C15)
    scattered = (scattered ^ (scattered >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    return np.asarray(scattered ^ (scattered >> np.uint64(27)))


def without_unused_columns(judgements: Judgements) -> Judgements:
    """Drop the columns that agreement does not need, so that picking rows is quick."""
    slimmed = replace(judgements, spans=None, labels={}, measures={}, file=None, line=None)
    return without_tutorials(slimmed)


def pairs_within(unit: Codes, who: Codes, most: int) -> tuple[Codes, Codes] | None:
    """Places of every two judgements of the same unit, that of the annotator with the lower code first.

    None where there are more than `most`.
    """
    size = np.bincount(unit)
    if int((size * (size - 1) // 2).sum()) > most:
        return None
    order = np.lexsort((who, unit))
    ordered = unit[order]
    left, lefts, rights, step = np.arange(len(order)), [order[:0]], [order[:0]], 1
    while len(left := left[left + step < len(order)]) and len(
        left := left[ordered[left] == ordered[left + step]]
    ):
        lefts.append(order[left])
        rights.append(order[left + step])
        step += 1
    return np.concatenate(lefts), np.concatenate(rights)


def first_and_later(codes: Codes) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Places of the first answer beside each later one by the same annotator to the same question."""
    _, first, at = np.unique(codes, return_index=True, return_inverse=True)
    later = np.ones(len(codes), dtype=bool)
    later[first] = False
    return first[at][later], np.flatnonzero(later)


def combined_codes(*columns: NDArray[Any]) -> Codes:
    """A number from 0 for each combination of codes, equal where all columns are."""
    key = np.zeros(len(columns[0]), dtype=np.int64)
    for column in columns:
        if key.max(initial=0) > 1 << 31:  # so that no product can overflow
            key = renumber(key)
        low = int(column.min(initial=0))
        key = key * (int(column.max(initial=0)) - low + 1) + (column - low)
    return renumber(key)


def sides(judgements: Judgements) -> tuple[Codes, Codes]:
    """The two systems of each pair, in one numbering."""
    assert judgements.other is not None
    both = NameColumn.joined([judgements.system, judgements.other]).codes.astype(np.int64)
    return both[: len(judgements)], both[len(judgements) :]


@dataclass(frozen=True, eq=False)
class JudgementGroups:
    """Judgements by the values of labels."""

    groups: tuple[tuple[dict[str, str], Mask], ...]
    """All of them first (no label), then those of every value of a label, of several labels crossed."""
    warnings: tuple[str, ...] = ()
    """What is in no group but the first."""


def judgement_groups(
    judgements: Judgements, by: Sequence[str], which: Mask, warnings: Sequence[str] = ()
) -> JudgementGroups:
    """Split the judgements that count by labels; values without any such judgement make no group.

    `warnings` are put before those about judgements that belong to no group.
    """
    everything: tuple[dict[str, str], Mask] = ({}, which)
    if not by:
        return JudgementGroups((everything,), tuple(warnings))
    columns = []
    by = [meant(name, judgements.labels) for name in by]
    for name in by:
        column = judgements.annotator if name == "annotator" else judgements.labels.get(name)
        if column is None:
            labels = with_synonyms(["annotator", *judgements.labels])
            raise UsageError(
                f"no label {name!r} to group by; there are: {labels} (--labels FILE.tsv joins more)"
            )
        columns.append(column)
    codes = np.stack([column.codes for column in columns], axis=1)
    known = which & (codes != NONE).all(1)
    values, first = np.unique(codes[known], axis=0, return_index=True)
    groups = [everything]
    for value in values[np.argsort(first)]:
        label = {name: column.names[code] for name, column, code in zip(by, columns, value, strict=True)}
        groups.append((label, known & (codes == value).all(1)))
    return JudgementGroups(tuple(groups), (*warnings, *_ungrouped_warnings(by, columns, which, known, codes)))


def _ungrouped_warnings(
    by: Sequence[str], columns: Sequence[NameColumn], which: Mask, known: Mask, codes: NDArray[np.int32]
) -> Iterator[str]:
    named = " and ".join(by)
    without = int((which & ~known).sum())
    if without:
        noun = "judgement has" if without == 1 else "judgements have"
        yield f"{without:,} {noun} no {named} and count only where all are taken together"
    for name, column, place in zip(by, columns, codes.T, strict=True):
        missing = np.setdiff1d(np.arange(len(column.names)), place[known])
        if len(missing):
            some = ", ".join(column.names[code] for code in missing[:3]) + (", …" if len(missing) > 3 else "")
            yield f"no judgement that counts is of {name} {some}: only control items, repeats or other rows are"


QUESTIONS = ("condition", "criterion", "question")
"""Labels that say what was asked."""


def several_questions(judgements: Judgements) -> Iterator[str]:
    """Warn where answers to several questions are analysed together."""
    for name in QUESTIONS:
        column = judgements.labels.get(name)
        if column is not None and len(column.names) > 1:
            some = ", ".join(column.names[:3]) + (", …" if len(column.names) > 3 else "")
            yield (
                f"answers about {len(column.names)} things ({name}: {some}) are taken together, agreement included; "
                f"--only {name}={column.names[0]} takes one of them"
            )


def judgement_order(judgements: Judgements) -> Codes:
    """Each judgement's place, from 0, among those of its annotator: by the clock where it is known, else as they stand.

    All pairs of one ranking were judged at once and share a place. Anonymous judgements have none: −1.
    """
    who = judgements.annotator.codes.astype(np.int64)
    count = len(who)
    numbers = np.full(count, NONE, dtype=np.int64)
    if not count:
        return numbers
    clock = np.zeros(count)
    if judgements.start is not None and not np.isnan(judgements.start).any():
        clock = judgements.start
    event = np.arange(count) if judgements.ranking is None else judgements.ranking.astype(np.int64)
    order = np.lexsort((np.arange(count), clock, who))
    order = order[who[order] != NONE]
    if not len(order):
        return numbers
    # The first row of an event in this order is when it happened.
    events = combined_codes(who[order], event[order])
    _, first = np.unique(events, return_index=True)
    new = np.zeros(len(order), dtype=np.int64)
    new[first] = 1
    number = np.cumsum(new) - 1  # of the events, over all annotators
    place = number[first][events]
    begins = np.full(len(judgements.annotator.names), len(order), dtype=np.int64)
    np.minimum.at(begins, who[order], place)
    numbers[order] = place - begins[who[order]]
    return numbers


def _recorded_twice(judgements: Judgements, rows: NDArray[np.intp]) -> Mask:
    """Rows that repeat an earlier one at the same moment; without times there are none."""
    repeated = np.zeros(len(rows), dtype=bool)
    if judgements.start is None or not len(rows):
        return repeated
    moments = np.sort(judgements.start[rows])
    shared = np.unique(moments[1:][moments[1:] == moments[:-1]])
    timed = np.isin(judgements.start[rows], shared)
    at = rows[timed]
    columns: list[NDArray[Any]] = [judgements.annotator.codes, judgements.item.codes, judgements.kind]
    columns.extend([judgements.system.codes] if judgements.other is None else sides(judgements))
    moment, answer = (np.unique(c[at], return_inverse=True)[1] for c in (judgements.start, judgements.score))
    key = combined_codes(*(column[at] for column in columns), moment, answer)
    first = np.zeros(len(at), dtype=bool)
    first[np.unique(key, return_index=True)[1]] = True
    repeated[timed] = ~first
    return repeated


def judgements_of_systems(judgements: Judgements, systems: Sequence[str]) -> Judgements:
    """The judgements of these systems alone, and those that are of none."""
    wanted = set(systems)

    def known(column: NameColumn) -> NDArray[np.bool_]:
        return np.array([*(name in wanted for name in column.names), True])[column.codes]

    rows = known(judgements.system)
    if judgements.other is not None:
        rows &= known(judgements.other)
    ours = judgements[rows]
    return ours if (ours.system.codes != NONE).any() else judgements[np.zeros(len(judgements), bool)]
