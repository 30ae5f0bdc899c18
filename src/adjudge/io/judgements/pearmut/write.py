"""pearmut: its log of annotations, a page a judgement, and how far everyone has come.

Errors are counted as pearmut does since 1.1.5: in UTF-16's units with the last one in, `[missing]` behind the text.
What pearmut has no name for (protocol, direction, kinds, labels, measures) stands under keys of ours, which it keeps
and does not look at.
"""

from __future__ import annotations

import json
import math
import secrets
import urllib.parse
from collections import Counter
from collections.abc import Iterator
from typing import Any

from adjudge.data.judgements import BAD_REFERENCE, KINDS, ORDINARY, REPEAT, TUTORIAL, Judgements, Span
from adjudge.data.utf16 import Utf16Text, to_units
from adjudge.errors import DataError
from adjudge.io.judgements.output import JudgementFile, Losses, WriteRequest, encode_text, json_lines_of
from adjudge.wording import pluralise

_PREFIXES = {TUTORIAL: "welcome_", BAD_REFERENCE: "random_", REPEAT: "random_"}
"""Prefixes of pages that do not count in pearmut's results."""
CAMPAIGN = "adjudge"
"""The name of a campaign that judgements do not name."""


def log(request: WriteRequest) -> JudgementFile:
    """One JSON object per judgement, as a page with one translation."""
    losses = Losses("pearmut")
    spans = [span for row in request.judgements.spans or () for span in row]
    losses.add(
        f"{pluralise(sum(span.side == 'source' for span in spans), 'error')} in the source",
        any(span.side == "source" for span in spans),
    )
    empty = sum(is_empty(span) for span in spans if span.side == "target")
    losses.add(f"{pluralise(empty, 'error')} that {'marks' if empty == 1 else 'mark'} nothing", empty > 0)
    return json_lines_of(_entries(request)).warned(losses.warning())


def is_empty(span: Span) -> bool:
    """Whether an error lies between two characters, which pearmut cannot mark."""
    return span.start is not None and span.start == span.end


def _entries(request: WriteRequest) -> Iterator[dict[str, Any]]:
    judgements, texts = request.judgements, request.texts
    if judgements.is_ranking:
        raise DataError("these are rankings; pearmut's log holds scores and errors (write jsonl or rankings)")
    if texts.target is None and any(judgements.spans or ()):
        raise DataError(
            "pearmut's errors lie in texts, or behind their end: they cannot be written without these"
        )
    columns = {
        "user": judgements.annotator.values(),
        "item": judgements.item.values(),
        "system": judgements.system.values(),
    }
    labels = {name: column.values() for name, column in judgements.labels.items()}
    turns: Counter[tuple[str, str]] = Counter()
    for row in range(len(judgements)):
        user, system = columns["user"][row], columns["system"][row]
        kind = int(judgements.kind[row])
        prefix = _PREFIXES.get(kind, "")
        turn = turns[user, prefix]
        turns[user, prefix] += 1
        target = (texts.target[row] if texts.target is not None else None) or ""
        item: dict[str, Any] = {"item_id": columns["item"][row]}
        for key, column in (("src", texts.source), ("ref", texts.reference)):
            if column is not None and column[row] is not None:
                item[key] = column[row]
        item["tgt"] = {system: target}
        if kind != ORDINARY:
            item["kind"] = KINDS[kind]
        labels_of_row = {name: values[row] for name, values in labels.items() if values[row]}
        if labels_of_row:
            item["labels"] = labels_of_row
        entry: dict[str, Any] = {
            "annotation": [{system: _answer(request, row, target)}],
            "actions": _actions(judgements, row),
            "item": [item],
            "user_id": user,
            "item_i": f"{prefix}{turn}" if prefix else turn,
            "protocol": judgements.protocol,
        }
        if not judgements.higher_is_better:
            entry["higher_is_better"] = False
        if judgements.seconds is not None and not math.isnan(judgements.seconds[row]):
            entry["time"] = float(judgements.seconds[row])
        yield entry


def _answer(request: WriteRequest, row: int, target: str) -> dict[str, Any]:
    judgements = request.judgements
    score = judgements.score[row]
    answer: dict[str, Any] = {
        "score": None if math.isnan(score) else _plain(score),
        "error_spans": [
            error(span, target)
            for span in (judgements.spans[row] if judgements.spans is not None else ())
            if span.side == "target" and not is_empty(span)
        ],
        "textfield": request.texts.edited[row] if request.texts.edited is not None else None,
    }
    measures = {
        name: _plain(column[row])
        for name, column in judgements.measures.items()
        if not math.isnan(column[row])
    }
    return {**answer, "measures": measures} if measures else answer


def _plain(value: float) -> int | float:
    """A whole number as int, except −0.0."""
    return int(value) if value == int(value) and str(float(value)) != "-0.0" else float(value)


def error(span: Span, text: str) -> dict[str, Any]:
    """An error as pearmut stores it."""
    units = Utf16Text(text)
    placed = to_units(span, units)
    missing = units.units(len(text))
    entry: dict[str, Any] = {
        "start_i": missing if placed.start is None else placed.start,
        "end_i": missing if placed.end is None else placed.end - 1,
        "category": span.category or None,
        "severity": span.severity,
    }
    if span.weight is not None:
        entry["weight"] = span.weight
    if span.comment:
        entry["comment"] = span.comment
    return entry


def _actions(judgements: Judgements, row: int) -> list[dict[str, Any]]:
    if judgements.start is None or math.isnan(judgements.start[row]):
        return []
    start = float(judgements.start[row])
    seconds = 0.0 if judgements.seconds is None else float(judgements.seconds[row])
    actions = [{"time": start, "action": "load"}]
    return actions if math.isnan(seconds) else [*actions, {"time": start + seconds, "action": "submit"}]


def progress(request: WriteRequest) -> JudgementFile:
    """The progress of everyone, as pearmut stores it: all judged pages are completed."""
    judgements = request.judgements
    column = judgements.labels.get("campaign")
    name = column.names[0] if column is not None and len(column.names) == 1 else CAMPAIGN
    people: dict[str, dict[str, Any]] = {}
    for entry in _entries(request):
        user, times = entry["user_id"], [action["time"] for action in entry["actions"]]
        person = people.setdefault(user, _no_progress(name, user))
        number = str(entry["item_i"])
        if not number.startswith("random_"):  # pearmut keeps no progress of those
            person["progress_welcome" if number.startswith("welcome_") else "progress"].append("completed")
        person["time"] += entry.get("time", 0.0)
        if times:
            person["time_start"] = (
                min(times) if person["time_start"] is None else min(person["time_start"], *times)
            )
            person["time_end"] = max(times) if person["time_end"] is None else max(person["time_end"], *times)
    return encode_text(json.dumps({name: people}, ensure_ascii=False, indent=2) + "\n")


def _no_progress(campaign: str, user: str) -> dict[str, Any]:
    quoted = urllib.parse.quote_plus(campaign, errors="replace")
    return {
        "progress": [],
        "progress_welcome": [],
        "time_start": None,
        "time_end": None,
        "time": 0.0,
        "url": f"annotate?campaign_id={quoted}&user_id={user}",
        "token_correct": secrets.token_hex(5),
        "token_incorrect": secrets.token_hex(5),
    }
