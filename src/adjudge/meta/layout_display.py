"""Metrics held against people in the tables that papers print: MetricsMATR's, and the kernels' paper's."""

from __future__ import annotations

import math

from adjudge.data.score_tables import MetaSet
from adjudge.display import Cell, Column, Row, Section, Table, rank_range
from adjudge.meta.layouts import MatrTable, matr_tables
from adjudge.meta.results import SENTINELS, MetricValue
from adjudge.meta.shared_task import SharedTaskResult
from adjudge.wording import join_names, number

MATR_DECIMALS = 4
"""As NIST printed them."""


def sections(layout: str, result: SharedTaskResult, meta_set: MetaSet) -> list[Section]:
    """The tables of a layout."""
    return _matr(result, meta_set) if layout == "matr" else _tskm(result)


def _matr(result: SharedTaskResult, meta_set: MetaSet) -> list[Section]:
    tables = matr_tables(result.results, meta_set)
    parts = [_matr_section(table, len(result.results[0].systems)) for table in tables]
    reasons = {
        value.metric: value.reason
        for task_result in result.results
        for value in task_result.values
        if value.reason and math.isnan(value.value)
    }
    missing = tuple(f"{name}: {reason}." for name, reason in reasons.items())
    interval = {"fisher": "tanh(atanh r ± 1.96/√(n − 3))", "bootstrap": "by bootstrap"}.get(
        result.settings.interval, "by Fisher's z with errors of their own for ρ and τ"
    )
    notes = [
        f"Rank: the places by the size of ρ that the intervals of ρ leave open. 95 % intervals {interval}."
    ]
    if any(row.rank is None for table in tables for row in table.rows):
        notes.append(SENTINELS)
    return [*parts, Section(sentences=missing, notes=tuple(notes))]


def _matr_section(table: MatrTable, systems: int) -> Section:
    columns = [Column("Rank", True), Column("n", True)]
    for symbol in ("ρ", "τ", "r"):
        columns += [Column(symbol, True), Column(f"{symbol} low", True), Column(f"{symbol} high", True)]
    rows = [
        Row(
            (
                Cell(row.metric if row.rank else f"{row.metric} †"),
                Cell("" if row.rank is None else rank_range(row.rank)),
                Cell(f"{row.values[0].n:,}"),
                *(cell for value in row.values for cell in _cells(value)),
            )
        )
        for row in table.rows
    ]
    title = f"{table.level} level, {table.references}"
    return Section(title, (Table((Column("Metric"), *columns), tuple(rows)),), key=title)


def _cells(value: MetricValue) -> tuple[Cell, Cell, Cell]:
    low, middle, high = (
        Cell("–" if math.isnan(v) else number(v, MATR_DECIMALS)) for v in (value.low, value.value, value.high)
    )
    return middle, low, high


def _tskm(result: SharedTaskResult) -> list[Section]:
    """Pearson's r of every variant: a row for pairs of texts and kernels, a column for words and lemmas."""
    parts = []
    for task_result in result.results:
        values: dict[tuple[str, str], dict[str, MetricValue]] = {}
        rivals: list[MetricValue] = []
        for value in task_result.values:
            if value.metric in task_result.sentinels:
                continue
            if " " not in value.metric:
                rivals.append(value)
                continue
            pairs, kernels, words = value.metric.split(" ")
            values.setdefault((pairs, kernels), {})[words] = value
        known = [value.value for value in task_result.values if not math.isnan(value.value)]
        best = max(known, default=math.nan)
        rows = [
            Row(
                (
                    Cell(pairs),
                    Cell(kernels),
                    *(_r(own.get(words), best) for words in ("exact", "lemma")),
                )
            )
            for (pairs, kernels), own in sorted(values.items(), key=lambda item: _place(*item[0]))
        ]
        rows += [Row((Cell("rc"), Cell(value.metric), _r(value, best), Cell(""))) for value in rivals]
        own_sentinels = [value for value in task_result.values if value.metric in task_result.sentinels]
        rows += [
            Row((Cell(f"{value.metric} †"), Cell(""), _r(value, math.nan), Cell("")))
            for value in own_sentinels
        ]
        columns = (Column("Pairs of texts"), Column("Kernels"), Column("words", True), Column("lemmas", True))
        note = (
            f"Pearson's r of {len(task_result.systems)} systems' scores with people's. rc: reference and candidate, "
            "cs: candidate and pseudo-reference, sc: source and back-translation, as far as the folder has them."
        )
        beside = (
            f"Beside them {join_names([value.metric for value in rivals])}, with the reference; their sign is turned "
            "where low scores are good."
        )
        notes = (note, *([beside] if rivals else []), *([SENTINELS] if own_sentinels else []))
        parts.append(Section(task_result.task.name, (Table(columns, tuple(rows)),), notes=notes))
    return parts


def _place(pairs: str, kernels: str) -> tuple[int, str, int, str]:
    return pairs.count("+"), pairs, kernels.count("+"), kernels


def _r(value: MetricValue | None, best: float) -> Cell:
    if value is None or math.isnan(value.value):
        return Cell("–")
    return Cell(number(value.value, 3), best=value.value == best)
