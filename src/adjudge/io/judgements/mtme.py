"""mt-metrics-eval: scores of segments, systems and domains, and errors as JSON; one per line, without a header.

WMT's results of systems, which have no header either, are read here as well.
"""

from __future__ import annotations

import json
import math
import re
from typing import Any

import numpy as np

from adjudge.data.judgements import NONE, Judgements, NameColumn, Span
from adjudge.errors import DataError
from adjudge.io.judgements import spans as errors
from adjudge.io.judgements.columns import JudgementColumns, higher_is_better, protocol_in, rated_rows
from adjudge.io.judgements.input_file import FileContent, InputFile
from adjudge.io.judgements.output import (
    JudgementFile,
    Losses,
    WriteRequest,
    encode_text,
    grid,
    mean,
    without_controls,
)
from adjudge.io.judgements.ratings import ratings
from adjudge.io.judgements.tool import Reader, Tool, Writer
from adjudge.io.mtme import is_score_line, segment_numbers
from adjudge.io.sheet import split


def write_segments(request: WriteRequest) -> JudgementFile:
    """`system score` for every segment, one system after the other; None where nothing was judged."""
    table = grid(request)
    lines = [
        f"{system}\t{'None' if math.isnan(score) else repr(score)}\n"
        for system, row in table.scores.items()
        for score in row
    ]
    return encode_text("".join(lines)).warned(*table.warnings, _losses(request).warning())


def write_systems(request: WriteRequest) -> JudgementFile:
    """`system score`: the given score, or the mean over segments."""
    return _of_groups(request, "")


def write_domains(request: WriteRequest) -> JudgementFile:
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
    return encode_text("".join(lines)).warned(*warnings, _losses(request, label).warning())


def write_ratings(request: WriteRequest) -> JudgementFile:
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
    return encode_text("".join(lines)).warned(*warnings, _losses(request).warning())


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


_RESULT = re.compile(r"(?:-?[0-9]+\.[0-9]+ ){2}(?:[0-9]+ ){2}\S+ \S+ *")


def is_scores(file: InputFile) -> bool:
    """Whether the first line has scores, without a header."""
    if file.separator in ("", ","):
        return False
    return (file.separator == "\t" and is_score_line(file.first_line)) or _is_result(file.first_line)


def _is_result(first: str) -> bool:
    """Whether a line is one of WMT's system results, `raw z n N id name`, without a header."""
    return _RESULT.fullmatch(first) is not None


def read(file: InputFile) -> FileContent:
    """`system score` of every segment, one system after the other; of systems; or of domains and systems."""
    path, rows, protocol = file.path, file.lines, file.protocol
    if _is_result(rows[0]):
        sheet = split(path, rows, " ", ("raw", "z", "n", "judgements", "id", "system"))
        return ratings(sheet.without("id"), protocol=protocol)
    width = rows[0].count("\t") + 1
    sheet = split(path, rows, "\t", ("system", "score") if width == 2 else ("domain", "system", "score"))
    names = JudgementColumns(sheet).names(("system",), needed="system")
    items = NameColumn.same("", len(sheet))
    if width == 2 and len(names.names) < len(sheet):
        items = segment_numbers(sheet, names)
    rated, warnings = rated_rows(sheet, "score")
    rows_kept = np.searchsorted(sheet.lines, rated.lines)
    spans, weights = None, np.empty(0)
    if any(cell.lstrip()[:1] in "{[" for cell in rated.columns["score"][:1]):
        spans, sums = errors.from_json(rated.columns["score"], rated.place)
        weights = np.array(sums)
    score = rated.numbers("score") if spans is None else 0.0 - weights
    named = protocol or protocol_in(re.split(r"[\\/]", path)[-1]) or ("mqm" if spans is not None else "da")
    judgements = Judgements(
        protocol=named,
        system=rated.names("system"),
        item=items[rows_kept],
        annotator=NameColumn.same("", len(rated)),
        score=score,
        spans=spans,
        labels={"domain": rated.names("domain")} if width == 3 else {},
        file=NameColumn.same(path, len(rated)),
        line=rated.lines,
        higher_is_better=higher_is_better(named, score),
    )
    return FileContent(judgements, tuple(warnings))


TOOL = Tool(
    readers={
        "scores": Reader("mt-metrics-eval: system and score without a header", read, is_file=is_scores),
    },
    writers={
        "mtme-seg": Writer(
            "mt-metrics-eval, scores of segments (*.seg.score)",
            write_segments,
            only_scores=True,
            says_direction=False,
        ),
        "mtme-sys": Writer(
            "mt-metrics-eval, scores of systems (*.sys.score)",
            write_systems,
            only_scores=True,
            says_direction=False,
        ),
        "mtme-domain": Writer(
            "mt-metrics-eval, scores of domains (*.domain.score)",
            write_domains,
            only_scores=True,
            says_direction=False,
        ),
        "mtme-rating": Writer(
            "mt-metrics-eval, the errors that one rater marked (*.seg.rating)", write_ratings
        ),
    },
)
