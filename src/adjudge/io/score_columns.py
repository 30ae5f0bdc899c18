"""Scores in the columns of a table, a row a system and segment: any number can be a metric or what metrics are held
against.

    system  segment  document  source  reference  output  right  bleu  my_metric

Every column of numbers is a measure; `document` and `domain` are labels, and texts may stand beside them.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from adjudge.data.score_tables import Array, MetaSet, MetaTexts, ScoreTable
from adjudge.errors import DataError
from adjudge.io import column_names
from adjudge.io.files import read_bytes, shown
from adjudge.io.segment_scores import ABSENT
from adjudge.io.sheet import Sheet, is_number, read
from adjudge.io.table import Input

Places = NDArray[np.intp]
SOURCE = ("source", "src", "sourcetext")
REFERENCE = ("reference", "ref", "referencetext")
MOSTLY = 0.9
"""A column with so many numbers among its cells is meant to hold nothing else."""
OUTPUT = ("output", "hypothesis", "hyp", "translation", "target", "mt")


@dataclass(frozen=True, eq=False)
class ScoreColumns:
    """What a table holds."""

    meta_set: MetaSet
    """All measures are metrics as yet; `MetaSet.with_gold` says which one is not."""
    texts: MetaTexts
    segments: tuple[str, ...]
    """What segments are called."""
    input: Input


def read_score_columns(path: str) -> ScoreColumns:
    """The measures of a TSV, CSV or JSONL file."""
    data, digest = read_bytes(path)
    sheet = read(path, data)
    names = {}
    for what, known in (("system", column_names.SYSTEM), ("segment", column_names.ITEM)):
        column = sheet.find(known)
        if column is None:
            raise sheet.lacks(known, "scores in columns need a system and a segment in every row")
        names[what] = [cell.strip() for cell in sheet.columns[column]]
        if "" in names[what]:
            raise DataError(f"{sheet.place(names[what].index(''))}: no {what} is named")
    systems, segments = tuple(sorted(set(names["system"]))), tuple(dict.fromkeys(names["segment"]))
    rows = _places(sheet, names["system"], names["segment"], systems, segments)
    measures = {
        name: _table(name, sheet.numbers(name, absent=ABSENT), rows, (len(systems), len(segments)))
        for name in _numeric(sheet)
    }
    if not measures:
        raise DataError(f"{shown(path)}: no column of numbers beside system and segment")
    labels = _labels(sheet, names["segment"], segments)
    meta_set = MetaSet(os.path.basename(path), "", systems, {}, measures, labels)
    texts = _texts(sheet, names["system"], names["segment"], systems, segments)
    return ScoreColumns(meta_set, texts, segments, Input("scores", path, digest))


def with_score_columns(meta_set: MetaSet, columns: ScoreColumns) -> MetaSet:
    """A folder's set with the measures of a table beside its own; segments are called by their line, from 1."""
    place = {name: row for row, name in enumerate(meta_set.systems)}
    lines = []
    for name in columns.segments:
        if not name.isdecimal() or not 1 <= int(name) <= meta_set.segments:
            raise DataError(
                f"{shown(columns.input.path)}: segment {name!r} is no line of the folder's {meta_set.segments}; "
                "segments are called by their line, from 1"
            )
        lines.append(int(name) - 1)
    tables = {}
    for name, table in columns.meta_set.metrics.items():
        cells = np.full((len(place), meta_set.segments), np.nan)
        for row, system in enumerate(columns.meta_set.systems):
            if system in place:
                cells[place[system], lines] = table.segments[row]
        tables[name] = ScoreTable.of_segments(name, cells)
    return replace(meta_set, metrics={**meta_set.metrics, **tables})


def _numeric(sheet: Sheet) -> list[str]:
    """Columns that hold nothing but numbers, and are no names of anything."""
    known = {
        *column_names.SYSTEM,
        *column_names.ITEM,
        *column_names.DOCUMENT,
        *column_names.DOMAIN,
        *column_names.ANNOTATOR,
    }
    return [
        name
        for name, cells in sheet.columns.items()
        if column_names.plain(name) not in known and _holds_numbers(sheet, name, cells)
    ]


def _holds_numbers(sheet: Sheet, name: str, cells: Sequence[str]) -> bool:
    """Whether a column is a measure; one that is but for a few words is refused, for it was meant to be one."""
    numbers = sum(is_number(cell) for cell in cells)
    words = [row for row, cell in enumerate(cells) if not is_number(cell) and cell.strip() not in ABSENT]
    if words and numbers >= MOSTLY * (numbers + len(words)):
        raise DataError(
            f"{sheet.place(words[0])}: {name} is {cells[words[0]]!r}, but a number in {numbers:,} other rows; mend it, "
            "or leave it empty where nothing was measured"
        )
    return numbers > 0 and not words


def _places(
    sheet: Sheet,
    system: Sequence[str],
    segment: Sequence[str],
    systems: Sequence[str],
    segments: Sequence[str],
) -> Places:
    """Where in a table each row belongs; two rows of one place are refused."""
    row = {name: i for i, name in enumerate(systems)}
    column = {name: i for i, name in enumerate(segments)}
    flat = np.array([row[s] * len(segments) + column[n] for s, n in zip(system, segment, strict=True)])
    order = np.argsort(flat, kind="stable")
    again = np.flatnonzero(np.diff(flat[order]) == 0)
    if len(again):
        first, second = order[again[0]], order[again[0] + 1]
        raise DataError(
            f"{sheet.place(int(second))}: {system[first]} has a row for segment {segment[first]} already, in line "
            f"{sheet.lines[first]}"
        )
    return flat


def _table(name: str, values: Array, rows: Places, shape: tuple[int, int]) -> ScoreTable:
    cells = np.full(shape[0] * shape[1], np.nan)
    cells[rows] = values
    return ScoreTable.of_segments(name, cells.reshape(shape))


def _labels(sheet: Sheet, segment: Sequence[str], segments: Sequence[str]) -> dict[str, tuple[str, ...]]:
    labels = {}
    for label, known in (("document", column_names.DOCUMENT), ("domain", column_names.DOMAIN)):
        column = sheet.find(known)
        if column is not None:
            of = dict(zip(segment, (cell.strip() for cell in sheet.columns[column]), strict=True))
            labels[label] = tuple(of[name] for name in segments)
    return labels


def _texts(
    sheet: Sheet,
    system: Sequence[str],
    segment: Sequence[str],
    systems: Sequence[str],
    segments: Sequence[str],
) -> MetaTexts:
    """Texts, and of systems that lack some segments those that are there."""
    columns: Mapping[str, str | None] = {
        "source": sheet.find(SOURCE),
        "reference": sheet.find(REFERENCE),
        "output": sheet.find(OUTPUT),
    }

    def by_segment(name: str | None) -> tuple[str, ...] | None:
        if name is None:
            return None
        of = dict(zip(segment, sheet.columns[name], strict=True))
        return tuple(of[number] for number in segments)

    outputs: dict[str, tuple[str, ...]] = {}
    partial: dict[str, tuple[str | None, ...]] = {}
    if columns["output"] is not None:
        of = dict(zip(zip(system, segment, strict=True), sheet.columns[columns["output"]], strict=True))
        for name in systems:
            if all((name, number) in of for number in segments):
                outputs[name] = tuple(of[name, number] for number in segments)
            else:
                partial[name] = tuple(of.get((name, number)) for number in segments)
    reference = by_segment(columns["reference"])
    references = {} if reference is None else {"reference": reference}
    return MetaTexts(by_segment(columns["source"]), references, outputs, partial)
