"""Scores without a header: mt-metrics-eval's files, one number a line, and lists of what several people said."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Sequence

import numpy as np

from adjudge.data.judgements import Judgements, Names
from adjudge.errors import DataError
from adjudge.io.files import lines, shown
from adjudge.io.judgements import spans as errors
from adjudge.io.judgements import words
from adjudge.io.judgements.part import Part
from adjudge.io.judgements.sheet import Sheet, coded, numbers, split
from adjudge.io.judgements.tables import (
    ONLY_SYSTEM,
    Columns,
    check_edits,
    higher_is_better,
    judged,
    protocol_in,
    ratings,
)

_RESULT = re.compile(r"(?:-?[0-9]+\.[0-9]+ ){2}(?:[0-9]+ ){2}\S+ \S+ *")
_RATED = re.compile(r"\s*(?:[{\[].*|None|[-+]?[0-9.].*)", re.DOTALL)


def is_scores(first: str) -> bool:
    """Whether a line is a name and a number (or None, or errors as JSON), with nothing that names them."""
    cells = first.split("\t")
    return (
        len(cells) in (2, 3) and _RATED.fullmatch(cells[-1]) is not None and not _RATED.fullmatch(cells[-2])
    )


def is_result(first: str) -> bool:
    """Whether a line is one of WMT's results of systems, `raw z n N id name`, with nothing that names them."""
    return _RESULT.fullmatch(first) is not None


def read(path: str, rows: list[str], *, protocol: str | None = None) -> Part:
    """`system score` of every segment, one system after the other; of systems; or of domains and systems."""
    if is_result(rows[0]):
        sheet = split(path, rows, " ", ("raw", "z", "n", "judgements", "id", "system"))
        return ratings(sheet.without("id"), protocol=protocol)
    width = rows[0].count("\t") + 1
    sheet = split(path, rows, "\t", ("system", "score") if width == 2 else ("domain", "system", "score"))
    names = Columns(sheet).names(("system",), needed="system")
    items = Names.same("", len(sheet))
    if width == 2 and len(names.names) < len(sheet):
        items = _line_numbers(sheet, names)
    kept, warnings = judged(sheet, "score")
    rows_kept = np.searchsorted(sheet.lines, kept.lines)
    spans, weights = None, np.empty(0)
    if any(cell.lstrip()[:1] in "{[" for cell in kept.columns["score"][:1]):
        spans, sums = errors.from_json(kept.columns["score"], kept.place)
        weights = np.array(sums)
    score = kept.numbers("score") if spans is None else 0.0 - weights
    named = protocol or protocol_in(re.split(r"[\\/]", path)[-1]) or ("mqm" if spans is not None else "da")
    judgements = Judgements(
        protocol=named,
        system=kept.names("system"),
        item=items[rows_kept],
        annotator=Names.same("", len(kept)),
        score=score,
        spans=spans,
        labels={"domain": kept.names("domain")} if width == 3 else {},
        file=Names.same(path, len(kept)),
        line=kept.lines,
        higher_is_better=higher_is_better(named, score),
    )
    return Part(judgements, tuple(warnings))


def _line_numbers(sheet: Sheet, names: Names) -> Names:
    """The lines of a system are the segments in their order; all systems have as many."""
    counts = np.bincount(names.codes, minlength=len(names.names))
    if (counts != counts[0]).any():
        other = int(np.argmax(counts != counts[0]))
        raise DataError(
            f"{shown(sheet.path)}: {names.names[0]} has {counts[0]:,} lines, but {names.names[other]} "
            f"{counts[other]:,}; there should be one for every segment (None where it was not judged)"
        )
    order = np.argsort(names.codes, kind="stable")
    codes = np.empty(len(names), np.int32)
    codes[order] = np.tile(np.arange(counts[0], dtype=np.int32), len(counts))
    return Names(tuple(map(str, range(1, int(counts[0]) + 1))), codes)


def one_a_line(path: str, data: bytes, *, protocol: str | None = None) -> Part:
    """A number for every segment of the only system: edits a word (HTER), unless the file's name says otherwise."""
    rows = lines(path, data)
    score = numbers(rows, (), lambda row: f"{shown(path)}, line {row + 1}")
    named = protocol or protocol_in(re.split(r"[\\/]", path)[-1]) or "hter"
    check_edits(named, score, lambda row: f"{shown(path)}, line {row + 1}")
    count = len(rows)
    judgements = Judgements(
        protocol=named,
        system=Names.same(ONLY_SYSTEM, count),
        item=Names(tuple(map(str, range(1, count + 1))), np.arange(count, dtype=np.int32)),
        annotator=Names.same("", count),
        score=score,
        file=Names.same(path, count),
        line=np.arange(1, count + 1),
        higher_is_better=higher_is_better(named, score),
    )
    return Part(judgements)


def is_lists(names: Sequence[str]) -> bool:
    """Whether a row has a list of scores, as MLQE's files do."""
    return {"scores", "zscores"} <= {words.plain(name) for name in names}


def lists(sheet: Sheet, *, protocol: str | None = None) -> Part:
    """A row a segment, with a list of what people said of it: every one is a judgement, of nobody in particular."""
    scores = _lists(sheet, "scores")
    z = _lists(sheet, "zscores")
    for row, (raw, standard) in enumerate(zip(scores, z, strict=True)):
        if len(raw) != len(standard):
            raise DataError(f"{sheet.place(row)}: {len(raw)} scores, but {len(standard)} z-scores")
    rows = np.repeat(np.arange(len(sheet)), [len(one) for one in scores])
    if not len(rows):
        raise DataError(f"{shown(sheet.path)}: no segment has a score")
    index = sheet.find(words.ITEM)
    items = coded(sheet.columns[index]) if index else coded([str(line) for line in range(1, len(sheet) + 1)])
    system = sheet.find(words.SYSTEM)
    judgements = Judgements(
        protocol=protocol or "da",
        system=sheet.names(system)[rows] if system else Names.same(ONLY_SYSTEM, len(rows)),
        item=items[rows],
        annotator=Names.same("", len(rows)),
        score=np.array([value for one in scores for value in one], np.float64),
        measures={"z": np.array([value for one in z for value in one], np.float64)},
        file=Names.same(sheet.path, len(rows)),
        line=sheet.lines[rows],
    )
    return Part(judgements)


def _lists(sheet: Sheet, word: str) -> list[list[float]]:
    column = sheet.find((word,))
    if column is None:
        raise sheet.lacks((word,), "where are the lists?")
    found = []
    for row, cell in enumerate(sheet.columns[column]):
        try:
            values = json.loads(cell)
        except ValueError:
            values = None
        if not isinstance(values, list) or not all(
            isinstance(value, (int, float)) and math.isfinite(value) for value in values
        ):
            raise DataError(f"{sheet.place(row)}, column {column!r}: a list of numbers was expected")
        found.append([float(value) for value in values])
    return found
