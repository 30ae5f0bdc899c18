"""Scores of segments: a table of system, segment and score, mt-metrics-eval's `*.seg.score`, or a column per measure.

    system  segment  document  source  reference  output  right  bleu  my_metric

In a table with one column per measure, every column of numbers is a measure, which may be a metric or what metrics are
compared with; `document` and `domain` are labels, and texts may stand beside them.
"""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from adjudge.data import ScoreMatrix
from adjudge.data.score_tables import Array, MetaSet, MetaTexts, ScoreTable
from adjudge.errors import DataError, UsageError
from adjudge.io import column_names
from adjudge.io.files import read_bytes, shown
from adjudge.io.input_files import InputFiles
from adjudge.io.mtme import is_score_line, segment_numbers
from adjudge.io.sheet import ABSENT, Sheet, is_number, read, read_file, short, split, text_rows
from adjudge.io.table import Input
from adjudge.wording import pluralise

Places = NDArray[np.intp]
MOSTLY = 0.9
"""A column with at least this share of numbers is meant to hold nothing else."""
SCORE = ("score", "segmentscore", "segscore", "value")


@dataclass(frozen=True, eq=False)
class ScoreFile:
    """The score of every system on every segment by one measure, without gaps."""

    name: str
    matrix: ScoreMatrix
    segments: tuple[str, ...]
    labels: Mapping[str, tuple[str, ...]]
    """Other columns, one value per segment."""
    inputs: tuple[Input, ...]
    """The files of the scores and of the labels."""
    notes: tuple[str, ...] = ()

    @property
    def path(self) -> str:
        """The file of the scores."""
        return self.inputs[0].path


def load_scores(
    paths: Sequence[str], *, common: bool = False, labels: str | None = None
) -> tuple[ScoreFile, ...]:
    """The scores of several measures for the same systems and segments.

    With `common`, segments that some system has no score for are left out, else they are an error.
    """
    if "-" in paths[1:] or paths.count("-") > 1:
        raise UsageError("standard input can be read once only")
    files = [_read(path, common) for path in paths]
    first = files[0]
    for other in files[1:]:
        for what, of_first, of_other in (
            ("system", first.matrix.systems, other.matrix.systems),
            ("segment", first.segments, other.segments),
        ):
            for names, known, where, elsewhere in (
                (of_other, of_first, other, first),
                (of_first, of_other, first, other),
            ):
                unknown = [name for name in names if name not in set(known)]
                if unknown:
                    raise DataError(
                        f"{shown(where.path)}: {what} {short(unknown[0])} is not in "
                        f"{shown(elsewhere.path)}; several files of scores have the same systems and segments"
                    )
    files = [first, *(_in_order(other, first) for other in files[1:])]
    if labels is not None:
        label_files = InputFiles(None, None, None)
        columns = {
            name: tuple(value or "" for value in column)
            for name, column in label_files.labels(labels).items()
        }
        files = [_with_labels(file, columns, labels, tuple(label_files.inputs)) for file in files]
    return tuple(files)


def _read(path: str, common: bool) -> ScoreFile:
    data, _ = read_bytes(path)
    item = Input("scores", path, hashlib.sha256(data).hexdigest())
    rows = text_rows(path, data)
    measure = re.sub(
        r"(\.seg)?\.(score|scores|tsv|csv|txt|jsonl|json)(\.gz|\.xz)?$", "", re.split(r"[\\/]", path)[-1]
    )
    if is_score_line(rows[0]) and rows[0].count("\t") == 1:
        sheet = split(path, rows, "\t", ("system", "score"))
        numbers = segment_numbers(sheet, sheet.names("system")).values()
        return _matrix(sheet, measure, item, numbers, "system", "score", {}, common)
    sheet = read(path, data)
    columns = {
        what: sheet.require(words, f"scores need the columns system, segment and score ({what} is missing)")
        for what, words in (
            ("system", column_names.SYSTEM),
            ("segment", column_names.ITEM),
            ("score", SCORE),
        )
    }
    further = {
        _label(name): [cell.strip() for cell in cells]
        for name, cells in sheet.columns.items()
        if name not in columns.values()
    }
    segment = [cell.strip() for cell in sheet.columns[columns["segment"]]]
    return _matrix(sheet, measure, item, segment, columns["system"], columns["score"], further, common)


def _label(name: str) -> str:
    """The standard name of a label."""
    for known, label in (
        (column_names.DOCUMENT, "document"),
        (column_names.DOMAIN, "domain"),
        (column_names.ORIGIN, "origin"),
    ):
        if column_names.plain(name) in known:
            return label
    return name


def _matrix(
    sheet: Sheet,
    measure: str,
    item: Input,
    segment: Sequence[str],
    system_column: str,
    score_column: str,
    further: Mapping[str, Sequence[str]],
    common: bool,
) -> ScoreFile:
    system = [cell.strip() for cell in sheet.columns[system_column]]
    for row, (name, number) in enumerate(zip(system, segment, strict=True)):
        if not name or not number:
            raise DataError(f"{sheet.place(row)}: {'no system' if not name else 'no segment'} is named")
    cells = [cell.strip() for cell in sheet.columns[score_column]]
    values = Sheet(sheet.path, {score_column: cells}, sheet.lines).numbers(score_column, absent=ABSENT)
    systems, segments = tuple(dict.fromkeys(system)), tuple(dict.fromkeys(segment))
    places = _places(sheet, system, segment, systems, segments, "score")
    scores = _cells(values, places, (len(systems), len(segments)))
    labels = _labels_of(sheet, segment, {name: i for i, name in enumerate(segments)}, further)
    complete, notes = _complete_segments(sheet.path, systems, segments, scores, common)
    return ScoreFile(
        measure,
        ScoreMatrix(systems, np.ascontiguousarray(scores[:, complete])),
        tuple(segments[i] for i in complete),
        {name: tuple(column[i] for i in complete) for name, column in labels.items()},
        (item,),
        notes,
    )


def _labels_of(
    sheet: Sheet, segment: Sequence[str], place: Mapping[str, int], further: Mapping[str, Sequence[str]]
) -> dict[str, list[str]]:
    """Columns with one value per segment; a column that varies within a segment is no label."""
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


def _complete_segments(
    path: str,
    systems: Sequence[str],
    segments: Sequence[str],
    scores: NDArray[np.float64],
    common: bool,
) -> tuple[NDArray[np.intp], tuple[str, ...]]:
    """Segments with a score of every system, and notes; others are left out if nobody scored them, or on request."""
    missing = np.isnan(scores)
    unscored = missing.all(0)
    holes = missing & ~unscored
    notes = []
    if without := int(unscored.sum()):
        notes.append(
            f"{shown(path)}: {without:,} of {pluralise(len(segments), 'segment')} "
            f"{'has no score and is' if without == 1 else 'have no score and are'} left out"
        )
    if lost := int(holes.any(0).sum()):
        s, i = (int(axis[0]) for axis in np.nonzero(holes))
        if not common:
            raise DataError(
                f"{shown(path)}: {systems[s]} has no score for segment {segments[i]}, but another system has "
                f"({pluralise(lost, 'such segment')}); --common compares on the segments that all of them have"
            )
        notes.append(
            f"{shown(path)}: {lost:,} of {pluralise(len(segments), 'segment')} "
            f"{'lacks a score of a system and is' if lost == 1 else 'lack a score of a system and are'} left out"
        )
    complete = np.flatnonzero(~missing.any(0))
    if not complete.size:
        raise DataError(f"{shown(path)}: no segment has a score of every system")
    return complete, tuple(notes)


def _in_order(other: ScoreFile, first: ScoreFile) -> ScoreFile:
    """Scores with systems and segments in the order of the first file."""
    rows = [other.matrix.systems.index(name) for name in first.matrix.systems]
    place = {name: i for i, name in enumerate(other.segments)}
    columns = [place[name] for name in first.segments]
    matrix = ScoreMatrix(first.matrix.systems, other.matrix.scores[rows][:, columns])
    labels = {name: tuple(column[i] for i in columns) for name, column in other.labels.items()}
    return ScoreFile(other.name, matrix, first.segments, labels, other.inputs, other.notes)


def _with_labels(
    scores: ScoreFile, columns: Mapping[str, tuple[str, ...]], path: str, inputs: tuple[Input, ...]
) -> ScoreFile:
    """Scores with labels from a separate file: its lines are the segments, numbered from 1 where some are missing."""
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


@dataclass(frozen=True, eq=False)
class ScoreColumns:
    """The measures, labels and texts of a table."""

    meta_set: MetaSet
    """All measures count as metrics; `MetaSet.with_gold` makes one of them the gold standard."""
    texts: MetaTexts
    segments: tuple[str, ...]
    """The names of the segments."""
    input: Input


def read_score_columns(path: str) -> ScoreColumns:
    """The measures of a TSV, CSV, JSONL or Excel file."""
    sheet, item = read_file(path, "scores")
    names = {}
    for what, words in (("system", column_names.SYSTEM), ("segment", column_names.ITEM)):
        column = sheet.require(words, "scores in columns need a system and a segment in every row")
        names[what] = [cell.strip() for cell in sheet.columns[column]]
        if "" in names[what]:
            raise DataError(f"{sheet.place(names[what].index(''))}: no {what} is named")
    systems, segments = tuple(sorted(set(names["system"]))), tuple(dict.fromkeys(names["segment"]))
    rows = _places(sheet, names["system"], names["segment"], systems, segments)
    measures = {
        name: ScoreTable.of_segments(
            name, _cells(sheet.numbers(name, absent=ABSENT), rows, (len(systems), len(segments)))
        )
        for name in _numeric(sheet)
    }
    if not measures:
        raise DataError(f"{shown(path)}: no column of numbers beside system and segment")
    labels = _column_labels(sheet, names["segment"], segments)
    meta_set = MetaSet(os.path.basename(path), "", systems, {}, measures, labels)
    texts = _texts(sheet, names["system"], names["segment"], systems, segments)
    return ScoreColumns(meta_set, texts, segments, item)


def with_score_columns(meta_set: MetaSet, columns: ScoreColumns) -> MetaSet:
    """The set of a folder with the measures of a table added; segments are named by their line, from 1."""
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
    """Columns of numbers that are not names of systems, segments or labels."""
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
    """Whether a column holds numbers; one with a few words among many numbers is refused."""
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
    what: str = "row",
) -> Places:
    """The place of each row in a table of systems and segments; two rows for one place are refused."""
    row = {name: i for i, name in enumerate(systems)}
    column = {name: i for i, name in enumerate(segments)}
    flat = np.array([row[s] * len(segments) + column[n] for s, n in zip(system, segment, strict=True)])
    order = np.argsort(flat, kind="stable")
    repeated = np.flatnonzero(np.diff(flat[order]) == 0)
    if len(repeated):
        first, second = order[repeated[0]], order[repeated[0] + 1]
        expected = "; one score a system and segment was expected" if what == "score" else ""
        raise DataError(
            f"{sheet.place(int(second))}: {system[first]} has a {what} for segment {segment[first]} already, in line "
            f"{sheet.lines[first]}{expected}"
        )
    return flat


def _cells(values: Array, places: Places, shape: tuple[int, int]) -> Array:
    """A table with these values at their places, and NaN elsewhere."""
    cells = np.full(shape[0] * shape[1], np.nan)
    cells[places] = values
    return cells.reshape(shape)


def _column_labels(
    sheet: Sheet, segment: Sequence[str], segments: Sequence[str]
) -> dict[str, tuple[str, ...]]:
    labels = {}
    for label, known in (("document", column_names.DOCUMENT), ("domain", column_names.DOMAIN)):
        column = sheet.find(known)
        if column is not None:
            by_segment = dict(zip(segment, (cell.strip() for cell in sheet.columns[column]), strict=True))
            labels[label] = tuple(by_segment[name] for name in segments)
    return labels


def _texts(
    sheet: Sheet,
    system: Sequence[str],
    segment: Sequence[str],
    systems: Sequence[str],
    segments: Sequence[str],
) -> MetaTexts:
    """The texts; outputs of systems that lack some segments are kept apart."""
    columns: Mapping[str, str | None] = {
        "source": sheet.find(column_names.SOURCE),
        "reference": sheet.find(column_names.REFERENCE_TEXT),
        "output": sheet.find(column_names.TRANSLATION),
    }

    def by_segment(name: str | None) -> tuple[str, ...] | None:
        if name is None:
            return None
        texts = dict(zip(segment, sheet.columns[name], strict=True))
        return tuple(texts[number] for number in segments)

    outputs: dict[str, tuple[str, ...]] = {}
    partial: dict[str, tuple[str | None, ...]] = {}
    if columns["output"] is not None:
        texts = dict(zip(zip(system, segment, strict=True), sheet.columns[columns["output"]], strict=True))
        for name in systems:
            if all((name, number) in texts for number in segments):
                outputs[name] = tuple(texts[name, number] for number in segments)
            else:
                partial[name] = tuple(texts.get((name, number)) for number in segments)
    reference = by_segment(columns["reference"])
    references = {} if reference is None else {"reference": reference}
    return MetaTexts(by_segment(columns["source"]), references, outputs, partial)
