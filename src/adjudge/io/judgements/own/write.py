"""adjudge's own formats, JSON lines and CSV: everything that judgements hold comes back from them.

A line of JSON is a judgement:

    {"protocol": "da", "system": "A", "item": "7", "annotator": "ann", "kind": "ordinary", "score": 71,
     "start": 1700000000.5, "seconds": 12.3, "labels": {"document": "d1"}, "measures": {"keystrokes": 40}}

CSV has the same in columns, labels and measures as `label:document` and `measure:keystrokes`, errors as JSON. Its
cells are safe in spreadsheets: what begins as a formula has an apostrophe in front, which reading takes off again;
numbers are left alone.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

from adjudge.data.judgements import KINDS, Judgements, Span
from adjudge.data.texts import Texts
from adjudge.errors import DataError
from adjudge.io.judgements.output import JudgementFile, WriteRequest, comma_separated, json_lines_of, number

COLUMNS = ("protocol", "system", "item", "annotator", "kind", "score")
"""What every judgement has, in this order: this is how the format is told."""
LABEL, MEASURE = "label:", "measure:"


def json_lines(request: WriteRequest) -> JudgementFile:
    """A JSON object a judgement."""
    return json_lines_of(_rows(request.judgements, request.texts))


def csv(request: WriteRequest) -> JudgementFile:
    """The same in columns."""
    judgements, texts = request.judgements, request.texts
    names = [*COLUMNS]
    for name in ("other", "ranking", "start", "seconds", "spans"):
        if getattr(judgements, name) is not None:
            names.append(name)
    if not judgements.higher_is_better:
        names.append("higher_is_better")
    labels = [name for name, column in sorted(judgements.labels.items()) if column.names]
    header = [
        *names,
        *(f"{LABEL}{name}" for name in labels),
        *(f"{MEASURE}{name}" for name in judgements.measures),
        *texts.columns(),
    ]

    def cells(row: dict[str, Any]) -> list[str]:
        return [
            *(_cell(row[name]) for name in names),
            *(_cell(row["labels"].get(name)) for name in labels),
            *(_cell(row["measures"].get(name)) for name in judgements.measures),
            *(_cell(row[name]) for name in texts.columns()),
        ]

    rows = ({**row, "measures": row.get("measures", {})} for row in _rows(judgements, texts))
    return comma_separated(
        [header, *map(cells, rows)], guard=True, bom=request.for_spreadsheet, end="\r\n"
    )  # lines end as RFC 4180 has them


def _rows(judgements: Judgements, texts: Texts) -> Iterator[dict[str, Any]]:
    columns = {
        name: column.values()
        for name, column in (
            ("system", judgements.system),
            ("item", judgements.item),
            ("annotator", judgements.annotator),
        )
    }
    other = judgements.other.values() if judgements.other is not None else None
    labels = {name: column.values() for name, column in sorted(judgements.labels.items()) if column.names}
    for row in range(len(judgements)):
        entry: dict[str, Any] = {
            "protocol": judgements.protocol,
            **{name: values[row] or None for name, values in columns.items()},
            "kind": KINDS[judgements.kind[row]],
            "score": _number(judgements, row, "score", judgements.score[row]),
        }
        if other is not None:
            entry["other"] = other[row] or None
        if judgements.ranking is not None:
            entry["ranking"] = int(judgements.ranking[row])
        for name in ("start", "seconds"):
            column = getattr(judgements, name)
            if column is not None:
                entry[name] = _number(judgements, row, name, column[row])
        if judgements.spans is not None:
            entry["spans"] = [_span(span) for span in judgements.spans[row]]
        if not judgements.higher_is_better:
            entry["higher_is_better"] = False
        entry["labels"] = {name: values[row] for name, values in labels.items() if values[row]}
        if judgements.measures:
            entry["measures"] = {
                name: _number(judgements, row, name, column[row])
                for name, column in judgements.measures.items()
            }
        yield {**entry, **{name: column[row] for name, column in texts.columns().items()}}


def _span(span: Span) -> dict[str, Any]:
    """Start, end and severity, and what else it has."""
    return {
        name: value
        for name, value in asdict(span).items()
        if name in ("start", "end", "severity") or value != getattr(_PLAIN, name)
    }


_PLAIN = Span(None, None, "")


def _number(judgements: Judgements, row: int, name: str, value: float) -> int | float | None:
    if math.isnan(value):
        return None
    if math.isinf(value):
        raise DataError(f"{judgements.place(row)}: {name} is {value}, which is no finite number")
    whole = int(value)
    return whole if whole == value and abs(value) < 2**53 and not _is_minus_zero(value) else float(value)


def _is_minus_zero(value: float) -> bool:
    return value == 0 and math.copysign(1.0, value) < 0


def _cell(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, str):
        return value
    if isinstance(value, (bool, list)):
        return json.dumps(value, ensure_ascii=False)
    return number(value) if isinstance(value, float) else str(value)
