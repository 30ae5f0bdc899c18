"""Post-edits shown: how much work each system leaves, and what it costs."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from adjudge.evaluate.comparison import Comparison
from adjudge.evaluate.documents import plain
from adjudge.people.postediting import PostEdits
from adjudge.report.charts import Bar, intervals
from adjudge.report.comparison_tables import View, pair_tables, system_table
from adjudge.report.comparison_words import CLAIMS, columns, method
from adjudge.report.html import Drawing
from adjudge.report.markup import NOTHING
from adjudge.report.sections import Section
from adjudge.report.table import Cell, Column, Row, Table, around, arrow, visible
from adjudge.wording import number, percent


def sections(found: PostEdits, *, decimals: int | None = None) -> list[Section]:
    """Effort with tests of all pairs, then the bill."""
    comparison = found.comparison
    view = View.of(comparison, comparison.test, decimals)
    if comparison.pairs:
        tables = (system_table(view), *pair_tables(view))
        parts = [
            Section("Post-editing", tables, notes=(*method(comparison.test), *columns(view)), key="effort"),
            Section(CLAIMS, sentences=comparison.claims),
        ]
    else:
        parts = [
            Section(
                "Post-editing", (_efforts(comparison),), notes=tuple(method(comparison.test)), key="effort"
            )
        ]
    return [*parts, _bill(found)] if found.bills else parts


def _efforts(comparison: Comparison) -> Table:
    """One system, which stands nowhere."""
    rows = tuple(
        Row((Cell(visible(s.system)), Cell(s.label), Cell(around(s.score, s.low, s.high, s.decimals))))
        for s in comparison.results
    )
    return Table((Column("System"), Column("effort"), Column("↓", True)), rows)


def drawings(found: PostEdits) -> dict[str, Drawing]:
    """For a page: intervals of every measure of effort."""
    figures = []
    for metric in dict.fromkeys(s.metric for s in found.comparison.results):
        standings = [s for s in found.comparison.results if s.metric == metric]
        one = standings[0]
        standings.sort(key=lambda s: -s.score if one.higher_is_better else s.score)
        bars = [
            Bar(s.system, s.score, s.low, s.high, s.cluster, number(s.score, s.decimals)) for s in standings
        ]
        level = f"{percent(found.comparison.test.level)} intervals"
        figures.append(intervals(bars, label=one.label, better=arrow(one.higher_is_better), interval=level))
    return {"effort": Drawing(NOTHING.join(figures))}


def _bill(found: PostEdits) -> Section:
    head = (
        Column("System"),
        Column("words an hour", True, "↑"),
        Column("cost of 1,000 words", True, "↓"),
        Column("saved", True, "↑"),
        Column("return", True, "↑"),
    )
    rows = tuple(
        Row(
            (
                Cell(visible(one.system)),
                Cell(f"{one.words_an_hour:,.0f} ({one.words_low:,.0f} to {one.words_high:,.0f})"),
                Cell(f"{number(one.cost, 2)} ({number(one.cost_low, 2)} to {number(one.cost_high, 2)})"),
                Cell(f"{number(one.saved, 2)} ({number(one.saved_low, 2)} to {number(one.saved_high, 2)})"),
                Cell(f"{one.gain:.0%} ({one.gain_low:.0%} to {one.gain_high:.0%})"),
            )
        )
        for one in sorted(found.bills, key=lambda one: one.cost)
    )
    note = (
        f"A thousand words from scratch cost {found.bills[0].scratch:.2f}. Saved: what is left of that; return: saved "
        "over spent. Intervals are those of the time, as if rates were certain."
    )
    return Section("What it costs", (Table(head, rows),), notes=(note,))


def document(found: PostEdits) -> dict[str, Any]:
    """For JSON: effort and bills, unrounded."""
    comparison = found.comparison
    return {
        "effort": [plain(asdict(s)) for s in comparison.results],
        "effort_pairs": [plain(asdict(p)) for p in comparison.pairs],
        "bills": [plain(asdict(one)) for one in found.bills],
        "effort_claims": list(comparison.claims),
    }
