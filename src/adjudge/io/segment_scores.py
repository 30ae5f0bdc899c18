"""Scores of segments from anywhere: a table of system, segment and score, or mt-metrics-eval's `*.seg.score`."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from adjudge.data import ScoreMatrix
from adjudge.errors import DataError, UsageError
from adjudge.io import column_names
from adjudge.io.files import read_bytes, shown
from adjudge.io.mtme import is_score_line
from adjudge.io.sheet import Sheet, read, short, split, text_rows
from adjudge.io.shelf import Shelf
from adjudge.io.table import Input
from adjudge.wording import counted

ABSENT = ("", "None", "none", "NA", "N/A", "nan", "NaN", "null", "-")
"""Words that stand for no score."""
SCORE = ("score", "segmentscore", "segscore", "value")


@dataclass(frozen=True, eq=False)
class ReadScores:
    """Every system's score of every segment by one measure, all of them there."""

    name: str
    matrix: ScoreMatrix
    segments: tuple[str, ...]
    labels: Mapping[str, tuple[str, ...]]
    """Further columns, one value a segment."""
    inputs: tuple[Input, ...]
    """The file of the scores, and that of labels."""
    notes: tuple[str, ...] = ()

    @property
    def path(self) -> str:
        """The file of the scores."""
        return self.inputs[0].path


def load_scores(
    paths: Sequence[str], *, common: bool = False, labels: str | None = None
) -> tuple[ReadScores, ...]:
    """The scores of several measures for the same systems and segments.

    With `common`, segments that some system has no score for are left out, else they are an error.
    """
    if "-" in paths[1:] or paths.count("-") > 1:
        raise UsageError("standard input can be read once only")
    files = [_read(path, common) for path in paths]
    first = files[0]
    for other in files[1:]:
        for what, ours, theirs in (
            ("system", first.matrix.systems, other.matrix.systems),
            ("segment", first.segments, other.segments),
        ):
            for names, own, where, elsewhere in (
                (theirs, ours, other, first),
                (ours, theirs, first, other),
            ):
                unknown = [name for name in names if name not in set(own)]
                if unknown:
                    raise DataError(
                        f"{shown(where.path)}: {what} {short(unknown[0])} is not in "
                        f"{shown(elsewhere.path)}; several files of scores have the same systems and segments"
                    )
    files = [first, *(_in_order(other, first) for other in files[1:])]
    if labels is not None:
        shelf = Shelf(None, None, None)
        columns = {
            name: tuple(value or "" for value in column) for name, column in shelf.labels(labels).items()
        }
        files = [_labelled(file, columns, labels, tuple(shelf.inputs)) for file in files]
    return tuple(files)


def _read(path: str, common: bool) -> ReadScores:
    data, name = read_bytes(path)
    del name
    item = Input("scores", path, hashlib.sha256(data).hexdigest())
    rows = text_rows(path, data)
    measure = re.sub(
        r"(\.seg)?\.(score|scores|tsv|csv|txt|jsonl|json)(\.gz|\.xz)?$", "", re.split(r"[\\/]", path)[-1]
    )
    if is_score_line(rows[0]) and rows[0].count("\t") == 1:
        sheet = split(path, rows, "\t", ("system", "score"))
        return _matrix(sheet, measure, item, _numbered(sheet), "system", "score", {}, common)
    sheet = read(path, data)
    columns = {}
    for what, known in (("system", column_names.SYSTEM), ("segment", column_names.ITEM), ("score", SCORE)):
        column = sheet.find(known)
        if column is None:
            raise sheet.lacks(known, f"scores need the columns system, segment and score ({what} is missing)")
        columns[what] = column
    further = {
        _label(name): [cell.strip() for cell in cells]
        for name, cells in sheet.columns.items()
        if name not in columns.values()
    }
    segment = [cell.strip() for cell in sheet.columns[columns["segment"]]]
    return _matrix(sheet, measure, item, segment, columns["system"], columns["score"], further, common)


def _label(name: str) -> str:
    """Labels are called as elsewhere, whatever a file calls them."""
    for known, label in (
        (column_names.DOCUMENT, "document"),
        (column_names.DOMAIN, "domain"),
        (column_names.ORIGIN, "origin"),
    ):
        if column_names.plain(name) in known:
            return label
    return name


def _numbered(sheet: Sheet) -> list[str]:
    """The lines of a system are the segments in their order."""
    seen: dict[str, int] = {}
    numbers = []
    for cell in sheet.columns["system"]:
        seen[cell.strip()] = seen.get(cell.strip(), 0) + 1
        numbers.append(str(seen[cell.strip()]))
    (first, count), *others = seen.items()
    for system, number in others:
        if number != count:
            raise DataError(
                f"{shown(sheet.path)}: {first} has {count:,} lines, but {system} {number:,}; there should be one for "
                "every segment (None where there is no score)"
            )
    return numbers


def _matrix(
    sheet: Sheet,
    measure: str,
    item: Input,
    segment: Sequence[str],
    system_column: str,
    score_column: str,
    further: Mapping[str, Sequence[str]],
    common: bool,
) -> ReadScores:
    system = [cell.strip() for cell in sheet.columns[system_column]]
    for row, (name, number) in enumerate(zip(system, segment, strict=True)):
        if not name or not number:
            raise DataError(f"{sheet.place(row)}: {'no system' if not name else 'no segment'} is named")
    cells = [cell.strip() for cell in sheet.columns[score_column]]
    values = Sheet(sheet.path, {score_column: cells}, sheet.lines).numbers(score_column, absent=ABSENT)
    systems, segments = tuple(dict.fromkeys(system)), tuple(dict.fromkeys(segment))
    place = {name: i for i, name in enumerate(systems)}, {name: i for i, name in enumerate(segments)}
    where = np.array([[place[0][s], place[1][n]] for s, n in zip(system, segment, strict=True)])
    flat = where[:, 0] * len(segments) + where[:, 1]
    _, first, counts = np.unique(flat, return_index=True, return_counts=True)
    if (counts > 1).any():
        again = int(first[np.argmax(counts > 1)])
        other = int(np.flatnonzero(flat == flat[again])[1])
        raise DataError(
            f"{sheet.place(other)}: {system[again]} has a score for segment {segment[again]} already, in line "
            f"{sheet.lines[again]}; one score a system and segment was expected"
        )
    scores = np.full((len(systems), len(segments)), np.nan)
    scores[where[:, 0], where[:, 1]] = values
    labels = _labels_of(sheet, segment, place[1], further)
    kept, notes = _kept(sheet.path, systems, segments, scores, common)
    return ReadScores(
        measure,
        ScoreMatrix(systems, np.ascontiguousarray(scores[:, kept])),
        tuple(segments[i] for i in kept),
        {name: tuple(column[i] for i in kept) for name, column in labels.items()},
        (item,),
        notes,
    )


def _labels_of(
    sheet: Sheet, segment: Sequence[str], place: Mapping[str, int], further: Mapping[str, Sequence[str]]
) -> dict[str, list[str]]:
    """Columns that have one value a segment; what varies within one is no label of it."""
    labels = {}
    for name, cells in further.items():
        column: list[str | None] = [None] * len(place)
        for number, cell in zip(segment, cells, strict=True):
            known = column[place[number]]
            if known is not None and known != cell:
                break
            column[place[number]] = cell
        else:
            labels[name] = [cell or "" for cell in column]
            continue
        if name in ("document", "domain", "origin"):
            row = next(
                row
                for row, (number, cell) in enumerate(zip(segment, cells, strict=True))
                if column[place[number]] != cell
            )
            raise DataError(
                f"{sheet.place(row)}: segment {segment[row]} is of {name} {short(cells[row])} here, and of "
                f"{short(column[place[segment[row]]] or '')} elsewhere"
            )
    return labels


def _kept(
    path: str,
    systems: Sequence[str],
    segments: Sequence[str],
    scores: NDArray[np.float64],
    common: bool,
) -> tuple[NDArray[np.intp], tuple[str, ...]]:
    """The segments with a score of every system; those without any are left out and told, others on request."""
    missing = np.isnan(scores)
    nothing = missing.all(0)
    holes = missing & ~nothing
    notes = []
    if without := int(nothing.sum()):
        notes.append(
            f"{shown(path)}: {without:,} of {counted(len(segments), 'segment')} "
            f"{'has no score and is' if without == 1 else 'have no score and are'} left out"
        )
    if lost := int(holes.any(0).sum()):
        s, i = (int(axis[0]) for axis in np.nonzero(holes))
        if not common:
            raise DataError(
                f"{shown(path)}: {systems[s]} has no score for segment {segments[i]}, but another system has "
                f"({counted(lost, 'such segment')}); --common compares on the segments that all of them have"
            )
        notes.append(
            f"{shown(path)}: {lost:,} of {counted(len(segments), 'segment')} "
            f"{'lacks a score of a system and is' if lost == 1 else 'lack a score of a system and are'} left out"
        )
    kept = np.flatnonzero(~missing.any(0))
    if not kept.size:
        raise DataError(f"{shown(path)}: no segment has a score of every system")
    return kept, tuple(notes)


def _in_order(other: ReadScores, first: ReadScores) -> ReadScores:
    """The same scores with systems and segments in the order of the first file."""
    rows = [other.matrix.systems.index(name) for name in first.matrix.systems]
    place = {name: i for i, name in enumerate(other.segments)}
    columns = [place[name] for name in first.segments]
    matrix = ScoreMatrix(first.matrix.systems, other.matrix.scores[rows][:, columns])
    labels = {name: tuple(column[i] for i in columns) for name, column in other.labels.items()}
    return ReadScores(other.name, matrix, first.segments, labels, other.inputs, other.notes)


def _labelled(
    scores: ReadScores, columns: Mapping[str, tuple[str, ...]], path: str, inputs: tuple[Input, ...]
) -> ReadScores:
    """Labels from a file of their own: its lines are the segments, numbered from 1 where some were left out."""
    labels = {}
    for name, column in columns.items():
        if len(column) == len(scores.segments):
            labels[name] = column
        elif all(number.isdigit() and 1 <= int(number) <= len(column) for number in scores.segments):
            labels[name] = tuple(column[int(number) - 1] for number in scores.segments)
        else:
            raise DataError(
                f"{shown(path)}: {len(column):,} lines of labels, but {len(scores.segments):,} segments with scores in "
                f"{shown(scores.path)}"
            )
    return replace(scores, labels={**scores.labels, **labels}, inputs=(*scores.inputs, *inputs))
