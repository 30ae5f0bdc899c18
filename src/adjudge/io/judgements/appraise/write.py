"""Appraise: the rows of its export without a header, the short ones with one, and its JSON lines.

    user,system,item,type,source,target,score[,document,whole[,errors]][,start,end[,batch,item in the database]]

Errors are counted as a browser counts, in UTF-16's units from the text's first character that is no blank, with the
last one in; where the texts are not known, in code points. Tutorials are told by the name of their document or system.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import numpy as np

from adjudge.data.judgements import (
    KINDS,
    TUTORIAL,
    Judgements,
    Span,
)
from adjudge.data.texts import Texts
from adjudge.data.utf16 import Utf16Text, to_units, trim_start
from adjudge.errors import DataError
from adjudge.io.judgements.output import (
    JudgementFile,
    Losses,
    WriteRequest,
    comma_separated,
    json_lines_of,
    number,
)

SHORT = ("UserID", "SystemID", "SegmentID", "Type", "Score", "StartTime", "EndTime")
ITEM_TYPES = {
    "ordinary": "TGT",
    "repeat": "CHK",
    "bad reference": "BAD",
    "reference": "REF",
    "tutorial": "TGT",
}
"""What Appraise calls each kind of item."""
_TUTORIAL = "tutorial"
_MISSING = "missing"
_HELD = ("document", "mark", "hit", "languages", "level")


def rows(request: WriteRequest) -> JudgementFile:
    """The export of ExportSystemScoresToCSV, with the columns that have values."""
    judgements = request.judgements
    losses = _losses(request, _HELD)
    documents = (
        judgements.spans is not None
        or "document" in judgements.labels
        or bool((judgements.kind == TUTORIAL).any())
    )
    timed = judgements.start is not None
    batches = timed and "hit" in judgements.labels
    losses.add("HITs where times are not known", "hit" in judgements.labels and not batches)
    table = []
    for row in _rows(request):
        cells = [row[name] for name in ("user", "system", "item", "type", "source", "target", "score")]
        cells += [row["document"], str(row["whole"])] if documents else []
        cells += [row["errors"]] if judgements.spans is not None else []
        cells += [row["start"], row["end"]] if timed else []
        cells += [row["batch"], row["number"]] if batches else []
        table.append(cells)
    return comma_separated(table, guard=request.for_spreadsheet, bom=request.for_spreadsheet).warned(
        losses.warning()
    )


def short(request: WriteRequest) -> JudgementFile:
    """Seven columns with a header."""
    judgements = request.judgements
    losses = _losses(request, ())
    losses.add("errors", judgements.spans is not None)
    names = ("user", "system", "item", "type", "score", "start", "end")
    width = len(names) if judgements.start is not None else 5
    table = [list(SHORT[:width]), *([row[name] for name in names[:width]] for row in _rows(request))]
    return comma_separated(table, guard=request.for_spreadsheet, bom=request.for_spreadsheet).warned(
        losses.warning()
    )


def json_lines(request: WriteRequest) -> JudgementFile:
    """The export of ExportSystemScoresToJSONL, with the texts."""
    judgements, texts = request.judgements, request.texts
    losses = _losses(request, _HELD)
    lines: list[dict[str, Any]] = []
    for row, cells in enumerate(_rows(request)):
        start = None if judgements.start is None else _known(judgements.start[row])
        seconds = None if judgements.seconds is None else _known(judgements.seconds[row])
        line: dict[str, Any] = {
            "annotator": cells["user"],
            "source_text": texts.source[row] if texts.source else None,
            "target_id": cells["system"],
            "target_text": texts.target[row] if texts.target else None,
            "score": json.loads(cells["score"]),
            "mqm_annotations": cells["errors"] if judgements.spans is not None else None,
            "item_id": cells["item"],
            "item_type": cells["type"],
            "source_language": cells["source"],
            "target_language": cells["target"],
            "document_id": cells["document"],
            "is_complete_document": cells["whole"],
            "start_time": start,
            "end_time": None if start is None or seconds is None else start + seconds,
            "duration": seconds,
            "batch_number": cells["batch"],
        }
        lines.append({name: value for name, value in line.items() if value is not None})
    return json_lines_of(lines).warned(losses.warning())


def _losses(request: WriteRequest, written_labels: tuple[str, ...]) -> Losses:
    judgements = request.judgements
    if judgements.is_ranking:
        raise DataError("these are rankings; Appraise's export holds scores (write jsonl or rankings)")
    spans = [span for row in judgements.spans or () for span in row]
    losses = Losses("Appraise's export")
    losses.labels(judgements, written_labels)
    losses.measures(judgements)
    losses.add(
        "seconds where the beginning is not known",
        judgements.seconds is not None and judgements.start is None,
    )
    losses.add("weights of errors", any(span.weight is not None for span in spans))
    losses.add("comments", any(span.comment for span in spans))
    return losses


def _rows(request: WriteRequest) -> Iterator[dict[str, Any]]:
    judgements = request.judgements
    count = len(judgements)
    label = judgements.label_values
    items, levels, marks = judgements.item.values(), label("level"), label("mark")
    documents, hits, pairs = label("document"), label("hit"), label("languages")
    users, systems = judgements.annotator.values(), judgements.system.values()
    for row in range(count):
        source, _, target = pairs[row].partition("-") if pairs[row] else ("", "", "")
        score = judgements.score[row]
        if np.isnan(score) and judgements.spans is None:
            raise DataError(f"{judgements.place(row)}: there is no score")
        yield {
            "user": users[row],
            "system": systems[row],
            "item": items[row],
            "type": ITEM_TYPES[KINDS[judgements.kind[row]]],
            "source": source or request.languages[0],
            "target": target or request.languages[1],
            # where only errors were asked for, Appraise stores 0
            "score": "0" if np.isnan(score) else number(score),
            "document": _document(documents[row], marks[row], systems[row], int(judgements.kind[row])),
            "whole": levels[row] == "document",
            "errors": _errors(judgements, request.texts, row),
            "start": "" if judgements.start is None else _time(judgements.start[row]),
            "end": _end(judgements, row),
            "batch": hits[row] or None,
            "number": str(row + 1),
        }


def _document(document: str, mark: str, system: str, kind: int) -> str:
    if kind == TUTORIAL and _TUTORIAL not in document and _TUTORIAL not in system:
        document = f"{_TUTORIAL}#{document}" if document else _TUTORIAL
    return f"{document}#{mark}" if mark else document


def _end(judgements: Judgements, row: int) -> str:
    if judgements.start is None or judgements.seconds is None:
        return ""
    return _time(judgements.start[row] + judgements.seconds[row])


def _time(value: float) -> str:
    return "" if np.isnan(value) else repr(float(value))


def _known(value: float) -> float | None:
    return None if np.isnan(value) else float(value)


def _errors(judgements: Judgements, texts: Texts, row: int) -> str:
    if judgements.spans is None:
        return ""
    units: dict[str, Utf16Text | None] = {}
    for side in {span.side for span in judgements.spans[row]}:
        column = texts.source if side == "source" else texts.target
        text = None if column is None else column[row]
        units[side] = None if text is None else trim_start(text)
    errors = []
    for span in judgements.spans[row]:
        of = units[span.side]
        errors.append(error(span if of is None else to_units(span, of)))
    return json.dumps(errors, ensure_ascii=False, separators=(",", ":"))


def error(span: Span) -> dict[str, Any]:
    """An error as Appraise stores it, with an inclusive end."""
    types = span.category.split("/") if span.category else None
    entry: dict[str, Any] = {"start_i": span.start, "end_i": span.end, "severity": span.severity}
    if span.start is None or span.end is None:
        entry |= {"start_i": _MISSING, "end_i": _MISSING, "error_type": types}
    elif span.end > span.start:
        entry |= {"end_i": span.end - 1, "error_type": types}
    elif (
        span.category
    ):  # nothing between: only an end that is not counted in can say so, and that has no error_type
        entry["category"] = span.category
    if span.side == "source":
        entry["side"] = "source"
    return entry
