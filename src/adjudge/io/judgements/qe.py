"""WMT's quality estimation task: one number per line (HTER), and MLQE's lists of several annotators' scores."""

from __future__ import annotations

import json
import math
import re

import numpy as np

from adjudge.data.judgements import Judgements, NameColumn
from adjudge.errors import DataError
from adjudge.io import column_names
from adjudge.io.files import lines, path_text
from adjudge.io.judgements.columns import ONLY_SYSTEM, check_edits, higher_is_better, protocol_in
from adjudge.io.judgements.input_file import FileContent, InputFile
from adjudge.io.judgements.tool import Reader, Tool
from adjudge.io.sheet import Sheet, code_names, numbers
from adjudge.wording import pluralise


def is_numbers(file: InputFile) -> bool:
    """Whether the first line has a single cell."""
    return not file.is_json and not file.separator


def read_numbers(file: InputFile) -> FileContent:
    """One number per segment of the only system: HTER, unless the file's name says otherwise."""
    path, protocol = file.path, file.protocol
    rows = lines(path, file.data)
    score = numbers(rows, (), lambda row: f"{path_text(path)}, line {row + 1}")
    named = protocol or protocol_in(re.split(r"[\\/]", path)[-1]) or "hter"
    check_edits(named, score, lambda row: f"{path_text(path)}, line {row + 1}")
    count = len(rows)
    judgements = Judgements(
        protocol=named,
        system=NameColumn.same(ONLY_SYSTEM, count),
        item=NameColumn(tuple(map(str, range(1, count + 1))), np.arange(count, dtype=np.int32)),
        annotator=NameColumn.same("", count),
        score=score,
        file=NameColumn.same(path, count),
        line=np.arange(1, count + 1),
        higher_is_better=higher_is_better(named, score),
    )
    return FileContent(judgements)


def is_lists(file: InputFile) -> bool:
    """Whether a row has a list of scores, as MLQE's files do."""
    plain = {column_names.plain(name) for name in file.sheet.columns}
    return file.column is None and {"scores", "zscores"} <= plain


def read_lists(file: InputFile) -> FileContent:
    """One row per segment with a list of scores; each score is an anonymous judgement."""
    sheet = file.sheet
    scores = _lists(sheet, "scores")
    z = _lists(sheet, "zscores")
    for row, (raw, standard) in enumerate(zip(scores, z, strict=True)):
        if len(raw) != len(standard):
            raise DataError(
                f"{sheet.place(row)}: {pluralise(len(raw), 'score')}, but {len(standard)} z-scores"
            )
    rows = np.repeat(np.arange(len(sheet)), [len(ratings) for ratings in scores])
    if not len(rows):
        raise DataError(f"{path_text(sheet.path)}: no segment has a score")
    index = sheet.find(column_names.ITEM)
    items = (
        code_names(sheet.columns[index])
        if index
        else code_names([str(line) for line in range(1, len(sheet) + 1)])
    )
    system = sheet.find(column_names.SYSTEM)
    judgements = Judgements(
        protocol=file.protocol or "da",
        system=sheet.names(system)[rows] if system else NameColumn.same(ONLY_SYSTEM, len(rows)),
        item=items[rows],
        annotator=NameColumn.same("", len(rows)),
        score=np.array([value for ratings in scores for value in ratings], np.float64),
        measures={"z": np.array([value for ratings in z for value in ratings], np.float64)},
        file=NameColumn.same(sheet.path, len(rows)),
        line=sheet.lines[rows],
    )
    return FileContent(judgements)


def _lists(sheet: Sheet, word: str) -> list[list[float]]:
    column = sheet.find((word,))
    if column is None:
        raise sheet.lacks((word,), "where are the lists?")
    lists = []
    for row, cell in enumerate(sheet.columns[column]):
        try:
            values = json.loads(cell)
        except ValueError:
            values = None
        if not isinstance(values, list) or not all(
            isinstance(value, (int, float)) and math.isfinite(value) for value in values
        ):
            raise DataError(f"{sheet.place(row)}, column {column!r}: a list of numbers was expected")
        lists.append([float(value) for value in values])
    return lists


TOOL = Tool(
    readers={
        "numbers": Reader("one number a line (HTER)", read_numbers, is_file=is_numbers),
        "lists": Reader("MLQE: a list of scores a segment", read_lists, is_table=is_lists),
    },
)
