"""Post-edits shown: how much work each system leaves, and what it costs."""

from __future__ import annotations

import math
from dataclasses import asdict
from typing import Any

from adjudge.charts import Bar, IntervalChart
from adjudge.comparison.comparison_tables import ComparisonView, pair_tables, system_table
from adjudge.comparison.comparison_words import CLAIMS, columns, method
from adjudge.comparison.documents import plain
from adjudge.comparison.results import Comparison
from adjudge.display import Cell, Column, Row, Section, Table, around, arrow, visible
from adjudge.human.postediting_results import PostEdits
from adjudge.wording import number, of_currency, percent

EDITS = (
    "edits a word: all edits over all words; HTER of ratings is the mean over translations, long or short."
)
SAME_CURRENCY = "Amounts are in the currency of the prices that were given."


def sections(edits: PostEdits, *, decimals: int | None = None) -> list[Section]:
    """Effort with tests of all pairs, then the bill."""
    comparison = edits.comparison
    view = ComparisonView.of(comparison, comparison.test, decimals)
    if comparison.pairs:
        tables = (system_table(view), *pair_tables(view))
        parts = [
            Section(
                "Post-editing",
                tables,
                notes=(*_notes(comparison), *method(comparison.test), *columns(view)),
                charts=_charts(edits),
            ),
            Section(CLAIMS, sentences=comparison.claims),
        ]
    else:
        parts = [
            Section(
                "Post-editing",
                (_efforts(comparison),),
                notes=tuple(method(comparison.test)),
                charts=_charts(edits),
            )
        ]
    return [*parts, _bill(edits)] if edits.bills else parts


def _notes(comparison: Comparison) -> list[str]:
    """What efforts mean that have a relative elsewhere."""
    return [EDITS] if any(s.metric == "HTER" for s in comparison.results) else []


def _efforts(comparison: Comparison) -> Table:
    """One system, which stands nowhere."""
    rows = tuple(
        Row((Cell(visible(s.system)), Cell(s.label), Cell(around(s.score, s.low, s.high, s.decimals))))
        for s in comparison.results
    )
    return Table((Column("System"), Column("effort"), Column("↓", True)), rows)


def _charts(edits: PostEdits) -> tuple[IntervalChart, ...]:
    """Intervals of every measure of effort."""
    charts = []
    level = f"{percent(edits.comparison.test.confidence)} intervals"
    for metric in dict.fromkeys(s.metric for s in edits.comparison.results):
        standings = [s for s in edits.comparison.results if s.metric == metric]
        first = standings[0]
        standings.sort(key=lambda s: -s.score if first.higher_is_better else s.score)
        bars = [
            Bar(s.system, s.score, s.low, s.high, s.cluster, number(s.score, s.decimals)) for s in standings
        ]
        charts.append(IntervalChart(bars, first.label, arrow(first.higher_is_better), level))
    return tuple(charts)


def _bill(edits: PostEdits) -> Section:
    head = (
        Column("System"),
        Column("words an hour", True, "↑"),
        Column(of_currency("cost of 1,000 words", edits.currency), True, "↓"),
        Column(of_currency("saved", edits.currency), True, "↑"),
        Column("return", True, "↑"),
    )
    rows = tuple(
        Row(
            (
                Cell(visible(bill.system)),
                Cell(_between(f"{bill.words_an_hour:,.0f}", bill.words_low, bill.words_high, ",.0f")),
                Cell(_between(number(bill.cost, 2), bill.cost_low, bill.cost_high, ".2f")),
                Cell(_between(number(bill.saved, 2), bill.saved_low, bill.saved_high, ".2f")),
                Cell(_between(f"{bill.gain:.0%}", bill.gain_low, bill.gain_high, ".0%")),
            )
        )
        for bill in sorted(edits.bills, key=lambda bill: bill.cost)
    )
    scratch = f"{edits.bills[0].scratch:.2f} {edits.currency}".strip()
    note = f"A thousand words from scratch cost {scratch}. Saved: what is left of that; return: saved over spent."
    sure = unsure_costs(edits) or "Intervals are those of the time, as if rates were certain."
    same = () if edits.currency else (SAME_CURRENCY,)
    return Section("What it costs", (Table(head, rows),), notes=(f"{note} {sure}", *same))


def unsure_costs(edits: PostEdits) -> str:
    """Why costs have no intervals, in a sentence; empty where they have some."""
    reason = edits.inseparable
    return f"{reason[0].upper()}{reason[1:]}: costs may differ because translators do." if reason else ""


def _between(text: str, low: float, high: float, form: str) -> str:
    """An amount with its interval, where it has one."""
    return text if math.isnan(low) else f"{text} ({low:{form}} to {high:{form}})"


def document(edits: PostEdits) -> dict[str, Any]:
    """For JSON: effort and bills, unrounded."""
    comparison = edits.comparison
    return {
        "effort": [plain(asdict(s)) for s in comparison.results],
        "effort_pairs": [plain(asdict(p)) for p in comparison.pairs],
        "bills": [plain(asdict(bill)) for bill in edits.bills],
        "effort_claims": list(comparison.claims),
    }
