"""Ratings in named columns, one row per judgement."""

from __future__ import annotations

import math
import os
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from adjudge.data.judgements import Judgements, NameColumn, Span
from adjudge.errors import DataError, unknown_name
from adjudge.io import column_names
from adjudge.io.files import path_text
from adjudge.io.judgements import spans as errors
from adjudge.io.judgements.columns import (
    ONLY_SYSTEM,
    JudgementColumns,
    check_edits,
    higher_is_better,
    protocol_in,
    rated_rows,
)
from adjudge.io.judgements.input_file import FileContent
from adjudge.io.sheet import Floats, Sheet


def ratings(
    sheet: Sheet, *, protocol: str | None = None, column: str | Sequence[str] | None = None
) -> FileContent:
    """The judgements of a table; where the score is None, nothing was judged and the row is left out."""
    marks = sheet.find(column_names.SPANS)
    chosen = _score_column(sheet, protocol, column, optional=marks is not None)
    sheet, warnings = _of_a_system(sheet)
    columns = JudgementColumns(sheet, {sheet.find(column_names.SYSTEM) or "", marks or ""})
    if chosen is not None:
        sheet, left_out = rated_rows(sheet, chosen)
        columns, warnings = JudgementColumns(sheet, columns.used), [*warnings, *left_out]
    columns.used |= {chosen or ""}
    spans, weights = None, np.empty(0)
    if marks is not None:
        spans, sums = errors.from_json(sheet.columns[marks], sheet.place)
        weights = np.array(sums, np.float64)
    score = sheet.numbers(chosen) if chosen is not None else 0.0 - weights
    named = protocol or _protocol(columns, chosen, spans, score)
    check_edits(named, score, sheet.place)
    if named == "mqm" and spans is not None and not score.any():
        # Appraise stores 0 where only errors were asked for; what those weigh is a question of analysis.
        score = 0.0 - weights if np.isfinite(weights).all() else np.full(len(sheet), math.nan)
    start, seconds, time_warnings = columns.times()
    annotator = columns.annotators()
    kind = columns.kinds()
    item = columns.names(column_names.ITEM, needed="segment")
    measures, labels = columns.measures(), columns.labels()
    item, labels = _whole_documents(columns, item, labels)
    of_hits = start is None and "hit" in labels  # times may be those of HITs
    if of_hits and seconds is not None and _same_within(labels["hit"], annotator, seconds):
        measures, seconds = {**measures, "hit_seconds": seconds}, None
    judgements = Judgements(
        protocol=named,
        system=columns.names(column_names.SYSTEM, needed="system"),
        item=item,
        annotator=annotator,
        score=score,
        kind=kind,
        start=start,
        seconds=seconds,
        spans=spans,
        labels=labels,
        measures=measures,
        file=NameColumn.same(sheet.path, len(sheet)),
        line=sheet.lines,
        higher_is_better=higher_is_better(named, score),
    )
    return FileContent(judgements, (*warnings, *time_warnings))


def _of_a_system(sheet: Sheet) -> tuple[Sheet, list[str]]:
    """A table in which every row has a system; without such a column, all rows are of one system."""
    if sheet.find(column_names.SYSTEM) is not None:
        return sheet, []
    is_table = sheet.find(column_names.TRANSLATION) is not None or sheet.find(column_names.ITEM) is not None
    if not is_table or sheet.nearly(column_names.SYSTEM):
        raise sheet.lacks(column_names.SYSTEM, "whose output was judged?")
    added = {"system": [ONLY_SYSTEM] * len(sheet)}
    if sheet.find(column_names.ITEM) is None:
        added["line"] = [str(number) for number in range(1, len(sheet) + 1)]
    return (
        replace(sheet, columns={**sheet.columns, **added}),
        [
            f"{path_text(sheet.path)}: no column names a system, so all are taken to be of one, {ONLY_SYSTEM!r}"
        ],
    )


def _score_column(
    sheet: Sheet, protocol: str | None, column: str | Sequence[str] | None, *, optional: bool
) -> str | None:
    if isinstance(column, str):
        if column not in sheet.columns:
            raise DataError(f"{path_text(sheet.path)}: {unknown_name('column', column, sheet.columns)}")
        return column
    wanted = column or column_names.SCORES.get(protocol or "", (*column_names.RATINGS, "hter"))
    chosen = sheet.find(wanted)
    if chosen is None and not optional:
        ranked = sheet.find((*column_names.RANK, "system1rank")) is not None
        raise sheet.lacks(
            wanted, "name the one that has the scores" + ("; or are these ranks?" if ranked else "")
        )
    return chosen


def _protocol(
    columns: JudgementColumns, column: str | None, spans: tuple[tuple[Span, ...], ...] | None, score: Floats
) -> str:
    """The protocol: from a column, the name of the score column, the errors, or the file's name."""
    protocol_column = columns.sheet.find(("protocol",))
    if protocol_column is not None:
        names = columns.sheet.names(protocol_column).names
        if len(names) > 1:
            several = ", ".join(names)
            raise DataError(
                f"{path_text(columns.sheet.path)} holds judgements of several protocols ({several}); take them apart"
            )
        columns.used.add(protocol_column)
        if names:
            return names[0].lower()
    protocol = None if column is None else protocol_in(column)
    if protocol is None and spans is not None:
        only_errors = not score.any() and any(span.category for row in spans for span in row)
        return "mqm" if column is None or only_errors else "esa"
    return protocol or protocol_in(os.path.basename(columns.sheet.path)) or "da"


def _whole_documents(
    columns: JudgementColumns, item: NameColumn, labels: dict[str, NameColumn]
) -> tuple[NameColumn, dict[str, NameColumn]]:
    """Judgements of whole documents, which Appraise marks: the item is the document."""
    flag = columns.sheet.find(column_names.WHOLE_DOCUMENT)
    if flag is None:
        return item, labels
    labels.pop(flag, None)
    if "document" not in labels:
        return item, labels
    whole = np.fromiter((cell.strip().lower() in ("true", "1") for cell in columns.sheet.columns[flag]), bool)
    if not whole.any():
        return item, labels
    document = labels["document"]
    codes = np.where(whole, document.codes + len(item.names), item.codes).astype(np.int32)
    both = NameColumn((*item.names, *document.names), codes).renamed({})
    level = NameColumn(("segment", "document"), whole.astype(np.int32))
    return both[:], {**labels, "level": level}


def _same_within(hit: NameColumn, annotator: NameColumn, seconds: Floats) -> bool:
    """Whether all judgements of a HIT have the same time, which is then that of the HIT, as in WMT's files."""
    key = hit.codes.astype(np.int64) * (len(annotator.names) + 1) + annotator.codes
    order = np.argsort(key, kind="stable")
    same = np.diff(key[order]) == 0
    return bool(same.any() and not (np.diff(seconds[order])[same] != 0).any())
