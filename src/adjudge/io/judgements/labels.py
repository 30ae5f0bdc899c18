"""Labels of judged items (document, domain, origin, …), from a file with one line per item."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from adjudge.data.judgements import NONE, TUTORIAL, Judgements, NameColumn, with_labelled_controls
from adjudge.errors import DataError
from adjudge.io import column_names, sheet
from adjudge.io.cells import BOOKS
from adjudge.io.files import path_text, read_bytes
from adjudge.io.names import suffix
from adjudge.io.sheet import Sheet, code_names
from adjudge.io.table import Input
from adjudge.wording import some_of

_IN_DOCUMENT = ("segment", "seg", "segindoc", "segid", "segmentid", "sentence")
_SIGNS = ("_", ":")
_NUMBER = re.compile(r"[0-9]+")


@dataclass(frozen=True, eq=False)
class JudgementLabels:
    """A file of labels."""

    sheet: Sheet
    input: Input


def read_labels(path: str | os.PathLike[str]) -> JudgementLabels:
    """A table with a header, or mt-metrics-eval's lines of domain and document."""
    path = os.fspath(path)
    data, sha256 = read_bytes(path)
    read = _without_header(path, data) or sheet.read(path, data)
    return JudgementLabels(read, Input("labels", path, sha256))


def _without_header(path: str, data: bytes) -> Sheet | None:
    """Domain and document, if the first line is data and no header."""
    if suffix(path) in BOOKS or sheet.looks_like_json(data):
        return None
    rows = sheet.text_rows(path, data)
    if path.endswith(".docs"):
        return sheet.split(path, rows, " ", ("domain", "document"))
    first = rows[0].split("\t")
    if len(first) == 2 and any(row.split("\t")[0] == first[0] for row in rows[1:]):
        return sheet.split(path, rows, "\t", ("domain", "document"))
    return None


File = str | os.PathLike[str] | JudgementLabels


def join_labels(judgements: Judgements, labels: File | Sequence[File]) -> Judgements:
    """The judgements with the labels that files have for their items.

    A line is found by a column `line`, `segment` or `id`, by document and number in it, or by its own number if there
    is no such column; where judgements name documents only, by the document. Every item that was judged must have one,
    in one of the files if there are several; where several have it, the first one's labels are taken.

    In comparisons of two systems, a label `spam` that names one of the two makes a control item: that one was damaged.
    """
    files = [labels] if isinstance(labels, str | os.PathLike | JudgementLabels) else list(labels)
    if not judgements.item.names and "document" not in judgements.labels:
        raise DataError("labels are those of segments, and these judgements name none: nothing can be joined")
    tables = [file if isinstance(file, JudgementLabels) else read_labels(file) for file in files]
    chosen = [(table.sheet, _choose_key(judgements, table.sheet)) for table in tables]
    _check_found(judgements, chosen)
    outputs = {*judgements.system.names, *(judgements.other.names if judgements.other is not None else ())}
    joined: dict[str, NameColumn] = {}
    for table, key in chosen:
        for name, column in _columns(table, key).items():
            if name not in outputs:  # columns called like systems hold what these wrote
                joined[name] = _fill(joined[name], column) if name in joined else column
    for name, column in joined.items():
        judgements = judgements.labelled(name, column)
    return with_labelled_controls(judgements)


def _choose_key(judgements: Judgements, table: Sheet) -> _Key:
    """The first key that finds a line for every item, or else the one that finds the most."""
    keys = list(_keys(judgements, table))
    if not keys:
        raise _no_key(judgements, table)
    best = max(keys, key=lambda key: len(key.places) - len(key.missing))
    return next((key for key in keys if not key.missing), best)


def _no_key(judgements: Judgements, table: Sheet) -> DataError:
    """The error where no key works: no column identifies items, or it has duplicates."""
    column = table.find(column_names.ITEM)
    if column is not None:
        first: dict[str, int] = {}
        for row, cell in enumerate(table.columns[column]):
            name = cell.strip()
            if name in first:
                return DataError(
                    f"{table.place(row)}: {column} {name!r} is there a second time (before in line "
                    f"{table.lines[first[name]]}); a line an item is needed, whatever systems there are"
                )
            first[name] = row
    return DataError(
        f"{path_text(table.path)}: no column line, segment, id or document tells which item a line is about"
    )


def _check_found(judgements: Judgements, chosen: Sequence[tuple[Sheet, _Key]]) -> None:
    """Refuse items without a line in any of the files."""
    if len(chosen) == 1:
        table, key = chosen[0]
        if key.missing:
            raise _unmatched_error(table, key)
        return
    without = judgements.kind != TUTORIAL
    for _, key in chosen:
        without &= np.array([*key.places, NONE], np.int64)[key.names.codes] == NONE
    if without.any():
        names = judgements[without].item.names
        places = ", ".join(path_text(table.path) for table, _ in chosen)
        raise DataError(
            f"none of {places} has a line for {len(names):,} of the {len(judgements.item.names):,} items that were "
            f"judged ({some_of(names)}); every item needs one, its labels may be empty"
        )


def _fill(column: NameColumn, more: NameColumn) -> NameColumn:
    """A column whose missing values are filled from another one."""
    both = NameColumn.joined([column, more])
    codes, fallback = both.codes[: len(column)], both.codes[len(column) :]
    filled = NameColumn(both.names, np.where(codes == NONE, fallback, codes))
    return filled[:]


@dataclass(frozen=True)
class _Key:
    """A key by which the line of an item is found."""

    column: str
    """The column of the key."""
    names: NameColumn
    """The names to look up, for each judgement."""
    lines: Mapping[str, int]
    places: tuple[int, ...]
    """The row of each name, −1 where there is none."""
    missing: tuple[str, ...]
    used: tuple[str, ...]
    groups: bool = False
    """Whether several lines may have one key; labels that differ among them cannot be joined."""


def _keys(judgements: Judgements, table: Sheet) -> Iterator[_Key]:
    """All possible keys, the simplest first."""
    plain = {column_names.plain(name): name for name in reversed(list(table.columns))}
    items = judgements.item
    for word in column_names.ITEM:
        if word in plain:
            cells = [cell.strip() for cell in table.columns[plain[word]]]
            yield from _unique(judgements, items, plain[word], cells, (plain[word],))
    documents = [plain[word] for word in column_names.DOCUMENT if word in plain]
    for document in documents:
        for word in _IN_DOCUMENT:
            if word in plain and plain[word] != document:
                for sign in _SIGNS:
                    pairs = zip(table.columns[document], table.columns[plain[word]], strict=True)
                    cells = [f"{left.strip()}{sign}{right.strip()}" for left, right in pairs]
                    joint_name = f"{document}{sign}{plain[word]}"
                    yield from _unique(judgements, items, joint_name, cells, (plain[word],))
    if not any(word in plain for word in column_names.ITEM) and all(map(_NUMBER.fullmatch, items.names)):
        first = 0 if "0" in items.names else 1
        cells = [str(number) for number in range(first, first + len(table))]
        yield from _unique(judgements, items, "line", cells, ())
    judged_documents = judgements.labels.get("document")
    if judged_documents is not None:
        for document in documents:
            lines: dict[str, int] = {}
            for row, cell in enumerate(table.columns[document]):
                lines.setdefault(cell.strip(), row)
            yield _key(judgements, judged_documents, document, lines, (document,), groups=True)


def _unique(
    judgements: Judgements, names: NameColumn, key_name: str, cells: Sequence[str], used: tuple[str, ...]
) -> Iterator[_Key]:
    lines = {cell: row for row, cell in enumerate(cells)}
    if len(lines) == len(cells):
        yield _key(judgements, names, key_name, lines, used)


def _key(
    judgements: Judgements,
    names: NameColumn,
    key_name: str,
    lines: Mapping[str, int],
    used: tuple[str, ...],
    *,
    groups: bool = False,
) -> _Key:
    places = tuple(lines.get(name, NONE) for name in names.names)
    needed = np.unique(names.codes[(judgements.kind != TUTORIAL) & (names.codes >= 0)])
    missing = tuple(names.names[code] for code in needed if places[code] == NONE)
    return _Key(key_name, names, lines, places, missing, used, groups)


def _columns(table: Sheet, key: _Key) -> dict[str, NameColumn]:
    """The label of every judgement, for every column that is neither the key nor a text."""
    columns: dict[str, NameColumn] = {}
    canonical = {table.find(wanted): name for name, wanted in column_names.LABELS.items()}
    places = np.array([*key.places, NONE], np.int64)[key.names.codes]
    for name, cells in table.columns.items():
        if name in key.used and not (key.groups and name in canonical):
            continue
        if column_names.plain(name) in column_names.TEXTS:
            continue
        column = code_names(cells)
        if key.groups and not _constant(table, key, column):
            continue
        codes = np.append(column.codes, NONE)[places]
        columns[canonical.get(name, name)] = NameColumn(column.names, codes.astype(np.int32))[
            np.arange(len(codes))
        ]
    return columns


def _constant(table: Sheet, key: _Key, column: NameColumn) -> bool:
    """Whether a column is constant within documents."""
    document = code_names(table.columns[key.column])
    first = np.full(len(document.names) + 1, NONE, np.int64)
    rows = np.arange(len(table))[::-1]
    first[document.codes[rows]] = rows
    return bool((column.codes == column.codes[first[document.codes]]).all())


def _unmatched_error(table: Sheet, key: _Key) -> DataError:
    count = len([place for place in key.places if place != NONE]) + len(key.missing)
    some = some_of(list(key.missing))
    if len(key.missing) == count:
        present = some_of(list(key.lines))
        return DataError(
            f"{path_text(table.path)} has no line for any of the {count:,} items that were judged ({some}); by "
            f"{key.column!r} it has {present}"
        )
    return DataError(
        f"{path_text(table.path)} has no line for {len(key.missing):,} of the {count:,} items that were "
        f"judged ({some}), "
        f"looked for by {key.column!r}; every item needs one, its labels may be empty"
    )
