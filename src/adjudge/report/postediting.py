"""Post-edits shown: how much work each system leaves, and what it costs."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from adjudge.evaluate.comparison import Comparison
from adjudge.evaluate.documents import plain
from adjudge.people.postediting import PostEdits
from adjudge.report.addresses import NOWHERE, Addresses
from adjudge.report.charts import Bar, intervals
from adjudge.report.comparison_tables import View, pair_tables, system_table
from adjudge.report.comparison_words import CLAIMS, columns, method
from adjudge.report.html import Drawing
from adjudge.report.markup import NOTHING
from adjudge.report.sections import Section
from adjudge.report.table import Cell, Column, Row, Table, around, arrow, visible
from adjudge.wording import number, of_currency, percent

EDITS = (
    "edits a word: all edits over all words; HTER of ratings is the mean over translations, long or short."
)


def sections(edits: PostEdits, *, decimals: int | None = None) -> list[Section]:
    """Effort with tests of all pairs, then the bill."""
    comparison = edits.comparison
    view = View.of(comparison, comparison.test, decimals)
    if comparison.pairs:
        tables = (system_table(view), *pair_tables(view))
        parts = [
            Section(
                "Post-editing",
                tables,
                notes=(*_notes(comparison), *method(comparison.test), *columns(view)),
                key="effort",
            ),
            Section(CLAIMS, sentences=comparison.claims),
        ]
    else:
        parts = [
            Section(
                "Post-editing", (_efforts(comparison),), notes=tuple(method(comparison.test)), key="effort"
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


def drawings(edits: PostEdits, addresses: Addresses = NOWHERE) -> dict[str, Drawing]:
    """For a page: intervals of every measure of effort."""
    figures = []
    for metric in dict.fromkeys(s.metric for s in edits.comparison.results):
        standings = [s for s in edits.comparison.results if s.metric == metric]
        first = standings[0]
        standings.sort(key=lambda s: -s.score if first.higher_is_better else s.score)
        bars = [
            Bar(
                s.system,
                s.score,
                s.low,
                s.high,
                s.cluster,
                number(s.score, s.decimals),
                addresses.system(s.system),
            )
            for s in standings
        ]
        level = f"{percent(edits.comparison.test.level)} intervals"
        figures.append(
            intervals(bars, label=first.label, better=arrow(first.higher_is_better), interval=level)
        )
    return {"effort": Drawing(NOTHING.join(figures))}


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
                Cell(f"{bill.words_an_hour:,.0f} ({bill.words_low:,.0f} to {bill.words_high:,.0f})"),
                Cell(f"{number(bill.cost, 2)} ({number(bill.cost_low, 2)} to {number(bill.cost_high, 2)})"),
                Cell(
                    f"{number(bill.saved, 2)} ({number(bill.saved_low, 2)} to {number(bill.saved_high, 2)})"
                ),
                Cell(f"{bill.gain:.0%} ({bill.gain_low:.0%} to {bill.gain_high:.0%})"),
            )
        )
        for bill in sorted(edits.bills, key=lambda bill: bill.cost)
    )
    note = (
        f"A thousand words from scratch cost {edits.bills[0].scratch:.2f}. Saved: what is left of that; return: saved "
        "over spent. Intervals are those of the time, as if rates were certain."
    )
    return Section("What it costs", (Table(head, rows),), notes=(note,))


def document(edits: PostEdits) -> dict[str, Any]:
    """For JSON: effort and bills, unrounded."""
    comparison = edits.comparison
    return {
        "effort": [plain(asdict(s)) for s in comparison.results],
        "effort_pairs": [plain(asdict(p)) for p in comparison.pairs],
        "bills": [plain(asdict(bill)) for bill in edits.bills],
        "effort_claims": list(comparison.claims),
    }
