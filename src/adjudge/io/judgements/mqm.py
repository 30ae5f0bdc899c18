"""MQM as Google publishes it: one row per error, marked with `<v>` in the text; a row without an error says No-error.

All rows of one rater on one translation are one judgement. How much errors weigh is a question of analysis, so the
score is NaN. Beside the rows there is a file of mean scores, which is written too.
"""

from __future__ import annotations

import math
import re
from dataclasses import replace

import numpy as np

from adjudge.data.crossing import number_combinations
from adjudge.data.judgements import ORDINARY, Judgements, NameColumn, Span
from adjudge.data.texts import Texts
from adjudge.errors import DataError
from adjudge.io import column_names
from adjudge.io.judgements.columns import JudgementColumns, texts_of
from adjudge.io.judgements.input_file import FileContent, InputFile
from adjudge.io.judgements.output import JudgementFile, Losses, WriteRequest, encode_text, grid, tab_separated
from adjudge.io.judgements.tool import Reader, Tool, Writer
from adjudge.wording import pluralise

HEADER = ("system", "doc", "doc_id", "seg_id", "rater", "source", "target", "category", "severity", "comment")
NO_ERROR = "No-error"
_OPEN, _CLOSE = "<v>", "</v>"


def errors(request: WriteRequest) -> JudgementFile:
    """One row per error; a judgement without errors has a row No-error."""
    judgements, texts = request.judgements, request.texts
    if texts.target is None:
        raise DataError(
            "Google's MQM marks errors in the text itself: it cannot be written without the texts"
        )
    rows, warnings = _last_of_each(judgements)
    losses = Losses("Google's MQM")
    losses.add("scores", bool(np.isfinite(judgements.score).any()))
    losses.add("times", judgements.seconds is not None or judgements.start is not None)
    losses.labels(judgements, ("document", "doc_id"))
    losses.measures(judgements)
    losses.add("weights of errors", any(s.weight is not None for row in judgements.spans or () for s in row))
    documents = judgements.labels.get("document")
    columns = {
        "system": judgements.system.values(),
        "doc": judgements.label_values("document"),
        "seg_id": judgements.item.values(),
        "rater": judgements.annotator.values(),
        "source": texts.of("source", len(judgements)),
        "target": texts.of("target", len(judgements)),
    }
    turn = {name: str(place) for place, name in enumerate((*documents.names,) if documents else (), 1)}
    columns["doc_id"] = (
        judgements.label_values("doc_id")
        if "doc_id" in judgements.labels
        else [turn.get(name, "") for name in columns["doc"]]
    )
    table = [list(HEADER)]
    for row in rows:
        cells = {name: column[row] for name, column in columns.items()}
        for text in ("source", "target"):
            if _OPEN in cells[text] or _CLOSE in cells[text]:
                raise DataError(
                    f"{_place(judgements, row)}: there is {_OPEN} or {_CLOSE} in the {text} itself, which Google's MQM "
                    "takes for the mark of an error; another format can hold it (jsonl)"
                )
        spans = judgements.spans[row] if judgements.spans is not None else ()
        for span in spans or (None,):
            of_error = {**cells, **_mark_cells(judgements, row, cells, span)}
            table.append([of_error[name] for name in HEADER])
    return tab_separated(table, guard=request.for_spreadsheet, bom=request.for_spreadsheet).warned(
        *warnings, losses.warning()
    )


def _last_of_each(judgements: Judgements) -> tuple[list[int], list[str]]:
    """The rows to write: one judgement per rater and translation, without control items."""
    warnings = []
    ordinary = np.flatnonzero(judgements.kind == ORDINARY)
    if len(ordinary) < len(judgements):
        left = pluralise(len(judgements) - len(ordinary), "control item")
        warnings.append(f"Google's MQM knows no control items: {left} left out here")
    document = judgements.labels.get("document", judgements.item)
    key = number_combinations(judgements.system, document, judgements.item, judgements.annotator)[ordinary]
    last = {int(number): int(row) for number, row in zip(key, ordinary, strict=True)}
    if len(last) < len(ordinary):
        dropped = pluralise(len(ordinary) - len(last), "judgement")
        warnings.append(f"{dropped} left out that the same rater gave again: the last one counts")
    return sorted(last.values()), warnings


def _mark_cells(judgements: Judgements, row: int, cells: dict[str, str], span: Span | None) -> dict[str, str]:
    if span is None:
        return {"category": NO_ERROR, "severity": NO_ERROR, "comment": ""}
    marks = {"category": span.category, "severity": span.severity.capitalize(), "comment": span.comment}
    if span.start is None or span.end is None:
        return marks
    text = cells[span.side]
    if span.end > len(text):
        raise DataError(
            f"{_place(judgements, row)}: an error from {span.start} to {span.end}, but the {span.side} has "
            f"{pluralise(len(text), 'character')}"
        )
    marked = text[: span.start] + _OPEN + text[span.start : span.end] + _CLOSE + text[span.end :]
    return {**marks, span.side: marked}


def _place(judgements: Judgements, row: int) -> str:
    system, item = judgements.system.values()[row], judgements.item.values()[row]
    return f"{system} on {item} ({judgements.place(row)})"


def scores(request: WriteRequest) -> JudgementFile:
    """One line per system and segment with the mean over raters, or None."""
    table = grid(request)
    lines = ["system mqm_avg_score seg_id\n"]
    for system, row in table.scores.items():
        for item, score in zip(table.items, row, strict=True):
            lines.append(f"{system}\t{'None' if np.isnan(score) else f'{score:.6f}'} {item}\n")
    return encode_text("".join(lines)).warned(*table.warnings)


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
    """The texts without the marks of errors."""
    return texts_of(judgements, file.sheet, without=MARK)


def read(file: InputFile) -> FileContent:
    """One judgement for each rater and translation, with its errors."""
    sheet = file.sheet
    columns = JudgementColumns(sheet)
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
    annotator = columns.annotators()
    labels = columns.labels()
    document = labels.get("document", NameColumn.same("", len(sheet)))
    group = number_combinations(system, document, item, annotator)
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


MARK = re.compile(r"</?v>")


def from_marks(target: str, source: str, category: str, severity: str) -> Span:
    """The error that `<v>` marks in the target or the source; without a mark, something is missing."""
    side = "source" if "<v>" in source and "<v>" not in target else "target"
    text = source if side == "source" else target
    start: int | None = text.find("<v>")
    if start == -1:
        return Span(None, None, severity.lower(), category, side)
    end = text.rfind("</v>")
    marked = text[start:] if end == -1 else text[start:end]
    length = len(marked.replace("<v>", "").replace("</v>", ""))
    return Span(start, (start or 0) + length, severity.lower(), category, side)


TOOL = Tool(
    readers={
        "mqm": Reader("MQM as Google publishes it: a row an error", read, is_table=is_mqm, texts=texts),
    },
    writers={
        "mqm": Writer("Google's MQM, a row an error, marked in the text (TSV)", errors),
        "mqm-scores": Writer(
            "the mean scores that Google has beside it", scores, only_scores=True, says_direction=False
        ),
    },
)
