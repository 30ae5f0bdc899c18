"""Scores without a header: mt-metrics-eval's files, and WMT's results of systems."""

from __future__ import annotations

import re

import numpy as np

from adjudge.data.judgements import Judgements, NameColumn
from adjudge.errors import DataError
from adjudge.io.files import shown
from adjudge.io.judgements import spans as errors
from adjudge.io.judgements.columns import Columns, higher_is_better, protocol_in, rated_rows
from adjudge.io.judgements.content import FileContent
from adjudge.io.judgements.input_file import InputFile
from adjudge.io.judgements.ratings import ratings
from adjudge.io.mtme import is_score_line
from adjudge.io.sheet import Sheet, split

_RESULT = re.compile(r"(?:-?[0-9]+\.[0-9]+ ){2}(?:[0-9]+ ){2}\S+ \S+ *")


def is_scores(file: InputFile) -> bool:
    """Whether the first line is one of scores, with nothing that names them."""
    if file.separator in ("", ","):
        return False
    return (file.separator == "\t" and is_score_line(file.first_line)) or _is_result(file.first_line)


def _is_result(first: str) -> bool:
    """Whether a line is one of WMT's results of systems, `raw z n N id name`, with nothing that names them."""
    return _RESULT.fullmatch(first) is not None


def read(file: InputFile) -> FileContent:
    """`system score` of every segment, one system after the other; of systems; or of domains and systems."""
    path, rows, protocol = file.path, file.lines, file.protocol
    if _is_result(rows[0]):
        sheet = split(path, rows, " ", ("raw", "z", "n", "judgements", "id", "system"))
        return ratings(sheet.without("id"), protocol=protocol)
    width = rows[0].count("\t") + 1
    sheet = split(path, rows, "\t", ("system", "score") if width == 2 else ("domain", "system", "score"))
    names = Columns(sheet).names(("system",), needed="system")
    items = NameColumn.same("", len(sheet))
    if width == 2 and len(names.names) < len(sheet):
        items = _line_numbers(sheet, names)
    kept, warnings = rated_rows(sheet, "score")
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
        annotator=NameColumn.same("", len(kept)),
        score=score,
        spans=spans,
        labels={"domain": kept.names("domain")} if width == 3 else {},
        file=NameColumn.same(path, len(kept)),
        line=kept.lines,
        higher_is_better=higher_is_better(named, score),
    )
    return FileContent(judgements, tuple(warnings))


def _line_numbers(sheet: Sheet, names: NameColumn) -> NameColumn:
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
    return NameColumn(tuple(map(str, range(1, int(counts[0]) + 1))), codes)
