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
from adjudge.io.files import path_text, read_bytes
from adjudge.io.input_files import InputFiles
from adjudge.io.mtme import is_score_line, segment_numbers
from adjudge.io.sheet import ABSENT, Sheet, is_number, read, read_file, short, split, text_rows
from adjudge.io.table import Input
from adjudge.wording import pluralise

LABELS = {
    "document": column_names.DOCUMENT,
    "domain": column_names.DOMAIN,
    "origin": column_names.ORIGIN,
}
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
                        f"{path_text(where.path)}: {what} {short(unknown[0])} is not in "
                        f"{path_text(elsewhere.path)}; several files of scores have the same systems and segments"
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
    measure = re.sub(
        r"(\.seg)?\.(score|scores|tsv|csv|txt|jsonl|json)(\.gz|\.xz)?$", "", re.split(r"[\\/]", path)[-1]
    )
    rows = text_rows(path, data)
    if is_score_line(rows[0]) and rows[0].count("\t") == 1:
        system, score = "system", "score"
        used: tuple[str, ...] = (system, score)
        sheet = split(path, rows, "\t", used)
        segments: Sequence[str] = segment_numbers(sheet, sheet.names(system)).values()
    else:
        sheet = read(path, data)
        needed = "scores need the columns system, segment and score ({} is missing)"
        system = sheet.require(column_names.SYSTEM, needed.format("system"))
        segment = sheet.require(column_names.ITEM, needed.format("segment"))
        score = sheet.require(SCORE, needed.format("score"))
        used, segments = (system, segment, score), sheet.columns[segment]
    return _matrix(
        _ScoreGrid.of(sheet, sheet.columns[system], segments, "score", used), measure, item, score, common
    )


@dataclass(frozen=True, eq=False)
class _ScoreGrid:
    """A sheet with one row per system and segment, and the place of each row in a table of both."""

    sheet: Sheet
    system: Sequence[str]
    segment: Sequence[str]
    systems: tuple[str, ...]
    segments: tuple[str, ...]
    places: NDArray[np.intp]
    used: tuple[str, ...]
    """Columns that are no labels."""

    @classmethod
    def of(
        cls,
        sheet: Sheet,
        system: Sequence[str],
        segment: Sequence[str],
        what: str,
        used: tuple[str, ...] = (),
    ) -> _ScoreGrid:
        """The grid of a sheet; every row must name both, and no two rows the same. `what` a row has is for messages."""
        system, segment = ([cell.strip() for cell in cells] for cells in (system, segment))
        for row, names in enumerate(zip(system, segment, strict=True)):
            if not all(names):
                raise DataError(
                    f"{sheet.place(row)}: {'no system' if not names[0] else 'no segment'} is named"
                )
        systems, segments = tuple(dict.fromkeys(system)), tuple(dict.fromkeys(segment))
        at_system, at_segment = ({name: i for i, name in enumerate(names)} for names in (systems, segments))
        pairs = zip(system, segment, strict=True)
        places = np.array([at_system[name] * len(segments) + at_segment[number] for name, number in pairs])
        order = np.argsort(places, kind="stable")
        repeated = np.flatnonzero(np.diff(places[order]) == 0)
        if len(repeated):
            first, second = order[repeated[0]], order[repeated[0] + 1]
            expected = "; one score a system and segment was expected" if what == "score" else ""
            raise DataError(
                f"{sheet.place(int(second))}: {system[first]} has a {what} for segment {segment[first]} already, in "
                f"line {sheet.lines[first]}{expected}"
            )
        return cls(sheet, system, segment, systems, segments, places, used)

    def scores(self, column: str) -> Array:
        """The numbers of a column as a table of systems and segments; NaN where one is missing."""
        cells = [cell.strip() for cell in self.sheet.columns[column]]
        values = replace(self.sheet, columns={column: cells}).numbers(column, absent=ABSENT)
        table = np.full(len(self.systems) * len(self.segments), np.nan)
        table[self.places] = values
        return table.reshape(len(self.systems), len(self.segments))

    def labels(self) -> dict[str, tuple[str, ...]]:
        """Columns with one value per segment; a column that varies within a segment is no label."""
        labels = {}
        for name, cells in self.sheet.columns.items():
            if name in self.used:
                continue
            label = _label(name)
            values: dict[str, str] = {}
            rows = enumerate(zip(self.segment, cells, strict=True))
            differing = next(
                (
                    row
                    for row, (number, cell) in rows
                    if values.setdefault(number, cell.strip()) != cell.strip()
                ),
                None,
            )
            if differing is None:
                labels[label] = tuple(values[number] for number in self.segments)
            elif label in LABELS:
                number = self.segment[differing]
                raise DataError(
                    f"{self.sheet.place(differing)}: segment {number} is of {label} {short(cells[differing].strip())} "
                    f"here, and of {short(values[number])} elsewhere"
                )
        return labels

    def texts(self) -> MetaTexts:
        """The texts; outputs of systems that lack some segments are kept apart."""
        source, reference, output = (
            self.sheet.find(words)
            for words in (column_names.SOURCE, column_names.REFERENCE_TEXT, column_names.TRANSLATION)
        )
        outputs: dict[str, tuple[str, ...]] = {}
        partial: dict[str, tuple[str | None, ...]] = {}
        if output is not None:
            pairs = zip(self.system, self.segment, strict=True)
            texts = dict(zip(pairs, self.sheet.columns[output], strict=True))
            for name in self.systems:
                column = tuple(texts.get((name, number)) for number in self.segments)
                if None in column:
                    partial[name] = column
                else:
                    outputs[name] = tuple(text for text in column if text is not None)
        references = {} if reference is None else {"reference": self._by_segment(reference)}
        return MetaTexts(None if source is None else self._by_segment(source), references, outputs, partial)

    def _by_segment(self, column: str) -> tuple[str, ...]:
        texts = dict(zip(self.segment, self.sheet.columns[column], strict=True))
        return tuple(texts[number] for number in self.segments)


def _label(name: str) -> str:
    """The standard name of a label."""
    return next((label for label, words in LABELS.items() if column_names.plain(name) in words), name)


def _matrix(grid: _ScoreGrid, measure: str, item: Input, column: str, common: bool) -> ScoreFile:
    scores, labels = grid.scores(column), grid.labels()
    complete, notes = _complete_segments(grid, scores, common)
    return ScoreFile(
        measure,
        ScoreMatrix(grid.systems, np.ascontiguousarray(scores[:, complete])),
        tuple(grid.segments[i] for i in complete),
        {name: tuple(values[i] for i in complete) for name, values in labels.items()},
        (item,),
        notes,
    )


def _complete_segments(
    grid: _ScoreGrid, scores: Array, common: bool
) -> tuple[NDArray[np.intp], tuple[str, ...]]:
    """Segments with a score of every system, and notes; others are left out if nobody scored them, or on request."""
    path, systems, segments = grid.sheet.path, grid.systems, grid.segments
    missing = np.isnan(scores)
    unscored = missing.all(0)
    holes = missing & ~unscored
    notes = []
    if without := int(unscored.sum()):
        notes.append(
            f"{path_text(path)}: {without:,} of {pluralise(len(segments), 'segment')} "
            f"{'has no score and is' if without == 1 else 'have no score and are'} left out"
        )
    if lost := int(holes.any(0).sum()):
        s, i = (int(axis[0]) for axis in np.nonzero(holes))
        if not common:
            raise DataError(
                f"{path_text(path)}: {systems[s]} has no score for segment {segments[i]}, but another system has "
                f"({pluralise(lost, 'such segment')}); --common compares on the segments that all of them have"
            )
        notes.append(
            f"{path_text(path)}: {lost:,} of {pluralise(len(segments), 'segment')} "
            f"{'lacks a score of a system and is' if lost == 1 else 'lack a score of a system and are'} left out"
        )
    complete = np.flatnonzero(~missing.any(0))
    if not complete.size:
        raise DataError(f"{path_text(path)}: no segment has a score of every system")
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
                f"{path_text(path)}: {len(column):,} lines of labels, but {len(scores.segments):,} segments "
                "with scores in "
                f"{path_text(scores.path)}"
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
    """The measures of a table in any format that `sheet` reads."""
    sheet, item = read_file(path, "scores")
    needed = "scores in columns need a system and a segment in every row"
    system, segment = (sheet.require(words, needed) for words in (column_names.SYSTEM, column_names.ITEM))
    numeric = _numeric(sheet)
    if not numeric:
        raise DataError(f"{path_text(path)}: no column of numbers beside system and segment")
    grid = _ScoreGrid.of(sheet, sheet.columns[system], sheet.columns[segment], "row")
    order = sorted(range(len(grid.systems)), key=grid.systems.__getitem__)
    measures = {name: ScoreTable.of_segments(name, grid.scores(name)[order]) for name in numeric}
    labels = {name: values for name, values in grid.labels().items() if name in ("document", "domain")}
    systems = tuple(sorted(grid.systems))
    meta_set = MetaSet(os.path.basename(path), "", systems, {}, measures, labels)
    return ScoreColumns(meta_set, grid.texts(), grid.segments, item)


def with_score_columns(meta_set: MetaSet, columns: ScoreColumns) -> MetaSet:
    """The set of a folder with the measures of a table added; segments are named by their line, from 1."""
    place = {name: row for row, name in enumerate(meta_set.systems)}
    lines = []
    for name in columns.segments:
        if not name.isdecimal() or not 1 <= int(name) <= meta_set.segments:
            raise DataError(
                f"{path_text(columns.input.path)}: segment {name!r} is no line of the folder's {meta_set.segments}; "
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
