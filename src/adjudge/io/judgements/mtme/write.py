"""mt-metrics-eval: scores of segments, systems and domains, and errors as JSON; a line each, no header."""

from __future__ import annotations

import json
import math
from typing import Any

from adjudge.data.judgements import NONE, Span
from adjudge.errors import DataError
from adjudge.io.judgements.output import JudgementFile, Losses, WriteRequest, encoded
from adjudge.io.judgements.score_grid import grid, mean, without_controls


def segments(request: WriteRequest) -> JudgementFile:
    """`system score` for every segment, one system after the other; None where nothing was judged."""
    table = grid(request)
    lines = [
        f"{system}\t{'None' if math.isnan(score) else repr(score)}\n"
        for system, row in table.scores.items()
        for score in row
    ]
    return encoded("".join(lines)).warned(*table.warnings, _losses(request).warning())


def systems(request: WriteRequest) -> JudgementFile:
    """`system score`: as it was given, or the mean over segments."""
    return _of_groups(request, "")


def domains(request: WriteRequest) -> JudgementFile:
    """`domain system score`."""
    if "domain" not in request.judgements.labels:
        raise DataError("no judgement has a domain; labels can be joined (--labels)")
    return _of_groups(request, "domain")


def _of_groups(request: WriteRequest, label: str) -> JudgementFile:
    judgements, warnings = without_controls(request.judgements)
    groups = judgements.labels[label].values() if label else [""] * len(judgements)
    cells: dict[tuple[str, str], dict[str, list[float]]] = {}
    rows = zip(
        groups, judgements.system.values(), judgements.item.values(), judgements.score.tolist(), strict=True
    )
    for row, (group, system, item, score) in enumerate(rows):
        if math.isnan(score):
            raise DataError(f"{judgements.place(row)}: there is no score; errors have to be weighed first")
        cells.setdefault((group, system), {}).setdefault(item, []).append(score)
    lines = [
        "\t".join(
            [*((group,) if label else ()), system, repr(mean([mean(scores) for scores in by_item.values()]))]
        )
        + "\n"
        for (group, system), by_item in cells.items()
    ]
    return encoded("".join(lines)).warned(*warnings, _losses(request, label).warning())


def ratings(request: WriteRequest) -> JudgementFile:
    """`system JSON` for every segment, with the errors that one rater marked; None where nothing was judged."""
    judgements, warnings = without_controls(request.judgements)
    if judgements.spans is None:
        raise DataError("no errors are marked in these judgements")
    items = request.items or tuple(judgements.item.names)
    by_system: dict[str, dict[str, str]] = {name: {} for name in judgements.system.names}
    for row, (system, item) in enumerate(
        zip(judgements.system.values(), judgements.item.values(), strict=True)
    ):
        if item not in items:
            raise DataError(f"{judgements.place(row)}: {item!r} is not among the items")
        if item in by_system[system]:
            raise DataError(
                f"{judgements.place(row)}: a second judgement of {system} on {item}; write a file for each rater"
            )
        by_system[system][item] = json.dumps(
            {"errors": [_error(span) for span in judgements.spans[row]]}, ensure_ascii=False
        )
    lines = [
        f"{system}\t{by_item.get(item, 'None')}\n" for system, by_item in by_system.items() for item in items
    ]
    return encoded("".join(lines)).warned(*warnings, _losses(request).warning())


def _error(span: Span) -> dict[str, Any]:
    weight = span.weight
    return {
        "start": -1 if span.start is None else span.start,
        "end": -1 if span.end is None else span.end,
        "category": span.category,
        "severity": span.severity,
        "score": int(weight) if weight is not None and weight == int(weight) else weight,
        "is_source_error": span.side == "source",
    }


def _losses(request: WriteRequest, *labels: str) -> Losses:
    judgements = request.judgements
    losses = Losses("mt-metrics-eval")
    losses.add("annotators", bool((judgements.annotator.codes != NONE).any()))
    losses.add("times", judgements.start is not None or judgements.seconds is not None)
    losses.labels(judgements, labels)
    losses.measures(judgements)
    losses.add("comments", any(span.comment for row in judgements.spans or () for span in row))
    return losses
