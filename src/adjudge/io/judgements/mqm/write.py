"""Google's MQM: a row an error, marked with `<v>` in the text; and the file of mean scores beside it."""

from __future__ import annotations

import numpy as np

from adjudge.data.crossing import numbered
from adjudge.data.judgements import ORDINARY, Judgements, Span
from adjudge.errors import DataError
from adjudge.io.judgements.output import JudgementFile, Losses, WriteRequest, encoded, tab_separated
from adjudge.io.judgements.score_grid import grid
from adjudge.wording import counted

HEADER = ("system", "doc", "doc_id", "seg_id", "rater", "source", "target", "category", "severity", "comment")
NO_ERROR = "No-error"
_OPEN, _CLOSE = "<v>", "</v>"


def errors(request: WriteRequest) -> JudgementFile:
    """Every error in a row of its own; what has none says No-error."""
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
    numbers = judgements.labels.get("doc_id")
    columns = {
        "system": judgements.system.values(),
        "doc": documents.values() if documents is not None else [""] * len(judgements),
        "seg_id": judgements.item.values(),
        "rater": judgements.annotator.values(),
        "source": texts.of("source", len(judgements)),
        "target": texts.of("target", len(judgements)),
    }
    turn = {name: str(place) for place, name in enumerate((*documents.names,) if documents else (), 1)}
    columns["doc_id"] = (
        numbers.values() if numbers is not None else [turn.get(name, "") for name in columns["doc"]]
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
            told = {**cells, **_marked(judgements, row, cells, span)}
            table.append([told[name] for name in HEADER])
    return tab_separated(table, guard=request.for_spreadsheet, bom=request.for_spreadsheet).warned(
        *warnings, losses.warning()
    )


def _last_of_each(judgements: Judgements) -> tuple[list[int], list[str]]:
    """Rows to write: what one rater said of one translation is one judgement there, and there are no controls."""
    warnings = []
    ordinary = np.flatnonzero(judgements.kind == ORDINARY)
    if len(ordinary) < len(judgements):
        left = counted(len(judgements) - len(ordinary), "control item")
        warnings.append(f"Google's MQM knows no control items: {left} left out here")
    document = judgements.labels.get("document", judgements.item)
    key = numbered(judgements.system, document, judgements.item, judgements.annotator)[ordinary]
    last = {int(number): int(row) for number, row in zip(key, ordinary, strict=True)}
    if len(last) < len(ordinary):
        again = counted(len(ordinary) - len(last), "judgement")
        warnings.append(f"{again} left out that the same rater gave again: the last one counts")
    return sorted(last.values()), warnings


def _marked(judgements: Judgements, row: int, cells: dict[str, str], span: Span | None) -> dict[str, str]:
    if span is None:
        return {"category": NO_ERROR, "severity": NO_ERROR, "comment": ""}
    told = {"category": span.category, "severity": span.severity.capitalize(), "comment": span.comment}
    if span.start is None or span.end is None:
        return told
    text = cells[span.side]
    if span.end > len(text):
        raise DataError(
            f"{_place(judgements, row)}: an error from {span.start} to {span.end}, but the {span.side} has "
            f"{counted(len(text), 'character')}"
        )
    marked = text[: span.start] + _OPEN + text[span.start : span.end] + _CLOSE + text[span.end :]
    return {**told, span.side: marked}


def _place(judgements: Judgements, row: int) -> str:
    system, item = judgements.system.values()[row], judgements.item.values()[row]
    return f"{system} on {item} ({judgements.place(row)})"


def scores(request: WriteRequest) -> JudgementFile:
    """A line for every system and segment with the mean of what raters said, or None."""
    table = grid(request)
    lines = ["system mqm_avg_score seg_id\n"]
    for system, row in table.scores.items():
        for item, score in zip(table.items, row, strict=True):
            lines.append(f"{system}\t{'None' if np.isnan(score) else f'{score:.6f}'} {item}\n")
    return encoded("".join(lines)).warned(*table.warnings)
