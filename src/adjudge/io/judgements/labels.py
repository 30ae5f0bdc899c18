"""Labels of what was judged (document, domain, origin, …), from a file with a line an item."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from adjudge.data.judgements import NONE, TUTORIAL, Judgements, Names
from adjudge.errors import DataError
from adjudge.io.files import read_bytes, shown
from adjudge.io.judgements import sheet, words
from adjudge.io.judgements.part import listed
from adjudge.io.judgements.sheet import Sheet, coded
from adjudge.io.table import Input

_IN_DOCUMENT = ("segment", "seg", "segindoc", "segid", "segmentid", "sentence")
_SIGNS = ("_", ":")
_NUMBER = re.compile(r"[0-9]+")


@dataclass(frozen=True, eq=False)
class Labels:
    """A file of labels."""

    sheet: Sheet
    input: Input


def read_labels(path: str) -> Labels:
    """A table with a header, or mt-metrics-eval's lines of domain and document."""
    data, sha256 = read_bytes(path)
    read = _without_header(path, data) or sheet.read(path, data)
    return Labels(read, Input("labels", path, sha256))


def _without_header(path: str, data: bytes) -> Sheet | None:
    """Domain and document, where the first line says the same kind of thing as those below it."""
    if sheet.looks_like_json(data):
        return None
    rows = sheet.text_rows(path, data)
    if path.endswith(".docs"):
        return sheet.split(path, rows, " ", ("domain", "document"))
    first = rows[0].split("\t")
    if len(first) == 2 and any(row.split("\t")[0] == first[0] for row in rows[1:]):
        return sheet.split(path, rows, "\t", ("domain", "document"))
    return None


def join_labels(judgements: Judgements, labels: str | Labels) -> Judgements:
    """The judgements with the labels that a file has for their items.

    A line is found by a column `line`, `segment` or `id`, by document and number in it, or by its own number if there
    is no such column; where judgements name documents only, by the document. Every item that was judged must have one.
    """
    found = read_labels(labels) if isinstance(labels, str) else labels
    keys = list(_keys(judgements, found.sheet))
    if not keys:
        raise DataError(
            f"{shown(found.sheet.path)}: no column line, segment, id or document tells which item a line is about"
        )
    best = max(keys, key=lambda key: len(key.places) - len(key.missing))
    chosen = next((key for key in keys if not key.missing), best)
    if chosen.missing:
        raise _unmatched(found.sheet, chosen)
    outputs = {*judgements.system.names, *(judgements.other.names if judgements.other is not None else ())}
    for name, column in _columns(found.sheet, chosen).items():
        if name not in outputs:  # columns called like systems hold what these wrote
            judgements = judgements.labelled(name, column)
    return judgements


@dataclass(frozen=True)
class _Key:
    """A way to find the line of an item."""

    said: str
    """What lines are found by."""
    names: Names
    """Of the judgements: what is looked for."""
    lines: Mapping[str, int]
    places: tuple[int, ...]
    """The row of each name, −1 where there is none."""
    missing: tuple[str, ...]
    used: tuple[str, ...]
    groups: bool = False
    """Whether several lines may have one key; labels that differ among them cannot be joined."""


def _keys(judgements: Judgements, table: Sheet) -> Iterator[_Key]:
    """All ways there are, the plainest first."""
    plain = {words.plain(name): name for name in reversed(list(table.columns))}
    items = judgements.item
    for word in words.ITEM:
        if word in plain:
            cells = [cell.strip() for cell in table.columns[plain[word]]]
            yield from _unique(judgements, items, plain[word], cells, (plain[word],))
    documents = [plain[word] for word in words.DOCUMENT if word in plain]
    for document in documents:
        for word in _IN_DOCUMENT:
            if word in plain and plain[word] != document:
                for sign in _SIGNS:
                    pairs = zip(table.columns[document], table.columns[plain[word]], strict=True)
                    cells = [f"{one.strip()}{sign}{two.strip()}" for one, two in pairs]
                    said = f"{document}{sign}{plain[word]}"
                    yield from _unique(judgements, items, said, cells, (plain[word],))
    if not any(word in plain for word in words.ITEM) and all(map(_NUMBER.fullmatch, items.names)):
        first = 0 if "0" in items.names else 1
        cells = [str(number) for number in range(first, first + len(table))]
        yield from _unique(judgements, items, "line", cells, ())
    own = judgements.labels.get("document")
    if own is not None:
        for document in documents:
            lines: dict[str, int] = {}
            for row, cell in enumerate(table.columns[document]):
                lines.setdefault(cell.strip(), row)
            yield _key(judgements, own, document, lines, (document,), groups=True)


def _unique(
    judgements: Judgements, names: Names, said: str, cells: Sequence[str], used: tuple[str, ...]
) -> Iterator[_Key]:
    lines = {cell: row for row, cell in enumerate(cells)}
    if len(lines) == len(cells):
        yield _key(judgements, names, said, lines, used)


def _key(
    judgements: Judgements,
    names: Names,
    said: str,
    lines: Mapping[str, int],
    used: tuple[str, ...],
    *,
    groups: bool = False,
) -> _Key:
    places = tuple(lines.get(name, NONE) for name in names.names)
    needed = np.unique(names.codes[(judgements.kind != TUTORIAL) & (names.codes >= 0)])
    missing = tuple(names.names[code] for code in needed if places[code] == NONE)
    return _Key(said, names, lines, places, missing, used, groups)


def _columns(table: Sheet, key: _Key) -> dict[str, Names]:
    """The label of every judgement, for every column that is neither the key nor a text."""
    found: dict[str, Names] = {}
    canonical = {table.find(wanted): name for name, wanted in words.LABELS.items()}
    places = np.array([*key.places, NONE], np.int64)[key.names.codes]
    for name, cells in table.columns.items():
        if name in key.used and not (key.groups and name in canonical):
            continue
        if words.plain(name) in words.TEXTS:
            continue
        column = coded(cells)
        if key.groups and not _constant(table, key, column):
            continue
        codes = np.append(column.codes, NONE)[places]
        found[canonical.get(name, name)] = Names(column.names, codes.astype(np.int32))[np.arange(len(codes))]
    return found


def _constant(table: Sheet, key: _Key, column: Names) -> bool:
    """Whether all lines of a document say the same."""
    document = coded(table.columns[key.said])
    first = np.full(len(document.names) + 1, NONE, np.int64)
    rows = np.arange(len(table))[::-1]
    first[document.codes[rows]] = rows
    return bool((column.codes == column.codes[first[document.codes]]).all())


def _unmatched(table: Sheet, key: _Key) -> DataError:
    count = len([place for place in key.places if place != NONE]) + len(key.missing)
    some = listed(list(key.missing))
    if len(key.missing) == count:
        theirs = listed(list(key.lines))
        return DataError(
            f"{shown(table.path)} has no line for any of the {count:,} items that were judged ({some}); by "
            f"{key.said!r} it has {theirs}"
        )
    return DataError(
        f"{shown(table.path)} has no line for {len(key.missing):,} of the {count:,} items that were judged ({some}), "
        f"looked for by {key.said!r}; every item needs one, its labels may be empty"
    )
