"""MQM as Google publishes it: a row an error, marked with `<v>` in the text; a row without one says No-error.

All rows of one rater on one translation are one judgement. What errors weigh is a question of analysis: the score is
NaN.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from adjudge.data.judgements import Judgements, Names, Span
from adjudge.io.judgements import spans, words
from adjudge.io.judgements.part import Part
from adjudge.io.judgements.rankings import numbered
from adjudge.io.judgements.sheet import Sheet
from adjudge.io.judgements.tables import Columns

_SOURCE = ("source", "sourcetext")
_CATEGORY = ("category", "errortype")
_SEVERITY = ("severity",)
_COMMENT = ("comment", "comments")
_NO_ERROR = ("noerror", "")


def is_mqm(names: Sequence[str]) -> bool:
    """Whether rows are errors."""
    plain = {words.plain(name) for name in names}
    return {"category", "severity"} <= plain and not plain & {"score"}


def read(sheet: Sheet) -> Part:
    """One judgement for each rater and translation, with its errors."""
    columns = Columns(sheet)
    texts = {}
    for role, wanted in {
        "target": words.TRANSLATION,
        "source": _SOURCE,
        "category": _CATEGORY,
        "severity": _SEVERITY,
        "comment": _COMMENT,
    }.items():
        name = columns.name(wanted)
        texts[role] = [""] * len(sheet) if name is None else sheet.columns[name]
    for wanted, question in (
        (words.SYSTEM, "whose output was judged?"),
        (words.ITEM, "which was judged?"),
        (_SEVERITY, "how bad is each error?"),
    ):
        if columns.name(wanted) is None:
            raise sheet.lacks(wanted, question)
    system = columns.names(words.SYSTEM, needed="system")
    item = columns.names(words.ITEM, needed="segment")
    annotator = columns.names(words.ANNOTATOR)
    labels = columns.labels()
    document = labels.get("document", Names.same("", len(sheet)))
    group = numbered(system, document, item, annotator)
    _, first = np.unique(group, return_index=True)
    found: list[list[Span]] = [[] for _ in first]
    for row, at in enumerate(group):
        severity = texts["severity"][row].strip()
        if words.plain(severity) not in _NO_ERROR:
            marked = spans.from_marks(
                texts["target"][row], texts["source"][row], texts["category"][row].strip(), severity
            )
            found[at].append(replace(marked, comment=texts["comment"][row]))
    judgements = Judgements(
        protocol="mqm",
        system=system[first],
        item=item[first],
        annotator=annotator[first],
        score=np.full(len(first), math.nan),
        spans=tuple(map(tuple, found)),
        labels={name: column[first] for name, column in labels.items()},
        file=Names.same(sheet.path, len(first)),
        line=sheet.lines[first],
    )
    return Part(judgements)
