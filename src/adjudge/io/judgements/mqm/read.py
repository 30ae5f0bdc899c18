"""MQM as Google publishes it: a row an error, marked with `<v>` in the text; a row without one says No-error.

All rows of one rater on one translation are one judgement. What errors weigh is a question of analysis: the score is
NaN.
"""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from adjudge.data.crossing import numbered
from adjudge.data.judgements import Judgements, NameColumn, Span
from adjudge.data.texts import Texts
from adjudge.io import column_names
from adjudge.io.judgements.columns import Columns
from adjudge.io.judgements.content import FileContent
from adjudge.io.judgements.input_file import InputFile
from adjudge.io.judgements.mqm.marks import MARK, from_marks
from adjudge.io.judgements.table_texts import texts_of

_SOURCE = ("source", "sourcetext")
_CATEGORY = ("category", "errortype")
_SEVERITY = ("severity",)
_COMMENT = ("comment", "comments")
_NO_ERROR = ("noerror", "")


def is_mqm(file: InputFile) -> bool:
    """Whether rows are errors."""
    plain = {column_names.plain(name) for name in file.sheet.columns}
    return file.column is None and {"category", "severity"} <= plain and not plain & {"score"}


def texts(judgements: Judgements, file: InputFile) -> Texts:
    """The texts, of which the marks of errors are no part."""
    return texts_of(judgements, file.sheet, without=MARK)


def read(file: InputFile) -> FileContent:
    """One judgement for each rater and translation, with its errors."""
    sheet = file.sheet
    columns = Columns(sheet)
    cells = {}
    for role, wanted in {
        "target": column_names.TRANSLATION,
        "source": _SOURCE,
        "category": _CATEGORY,
        "severity": _SEVERITY,
        "comment": _COMMENT,
    }.items():
        name = columns.name(wanted)
        cells[role] = [""] * len(sheet) if name is None else sheet.columns[name]
    for wanted, question in (
        (column_names.SYSTEM, "whose output was judged?"),
        (column_names.ITEM, "which was judged?"),
        (_SEVERITY, "how bad is each error?"),
    ):
        if columns.name(wanted) is None:
            raise sheet.lacks(wanted, question)
    system = columns.names(column_names.SYSTEM, needed="system")
    item = columns.names(column_names.ITEM, needed="segment")
    annotator = columns.names(column_names.ANNOTATOR)
    labels = columns.labels()
    document = labels.get("document", NameColumn.same("", len(sheet)))
    group = numbered(system, document, item, annotator)
    _, first = np.unique(group, return_index=True)
    spans: list[list[Span]] = [[] for _ in first]
    for row, at in enumerate(group):
        severity = cells["severity"][row].strip()
        if column_names.plain(severity) not in _NO_ERROR:
            marked = from_marks(
                cells["target"][row], cells["source"][row], cells["category"][row].strip(), severity
            )
            spans[at].append(replace(marked, comment=cells["comment"][row]))
    judgements = Judgements(
        protocol="mqm",
        system=system[first],
        item=item[first],
        annotator=annotator[first],
        score=np.full(len(first), math.nan),
        spans=tuple(map(tuple, spans)),
        labels={name: column[first] for name, column in labels.items()},
        file=NameColumn.same(sheet.path, len(first)),
        line=sheet.lines[first],
    )
    return FileContent(judgements)
