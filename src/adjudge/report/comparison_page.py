"""A comparison as a page for a browser: intervals drawn, what may be claimed, every pair, how it was tested."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from adjudge.evaluate import Comparison
from adjudge.report.charts import Bar, intervals
from adjudge.report.comparison import CLAIMS, group_title, how
from adjudge.report.comparison_tables import View, pair_tables, system_table
from adjudge.report.html import Drawing
from adjudge.report.notes import facts, latex_notes
from adjudge.report.section_page import section_page
from adjudge.report.sections import Section
from adjudge.report.table import arrow, number
from adjudge.wording import counted, percent

if TYPE_CHECKING:
    from adjudge.io import Input


def comparison_page(
    comparison: Comparison,
    *,
    version: str,
    decimals: int | None = None,
    inputs: Sequence[Input] = (),
    further: Sequence[Section] = (),
    drawn: Mapping[str, Drawing] | None = None,
) -> str:
    """The whole page; `further` sections, with what is `drawn` of them, come before how it was tested."""
    view = View.of(comparison, comparison.test, decimals)
    sections = [Section("Systems", (system_table(view),), key="systems")]
    sections += [Section(CLAIMS, sentences=comparison.claims)] if comparison.claims else []
    if tables := pair_tables(view):
        title = "Every pair" if comparison.test.baseline is None else f"Against {comparison.test.baseline}"
        sections.append(Section(title, tuple(tables)))
    drawings = {"systems": Drawing(_figures(view)), **(drawn or {})}
    for place, group in enumerate(comparison.groups[1:], 1):
        part = View.of(group, comparison.test, decimals)
        key = f"group {place}"
        sections.append(Section(group_title(group), (system_table(part),), group.claims, key=key))
        drawings[key] = Drawing(_figures(part))
    sections += further
    notes = (*how(comparison, view), *latex_notes(comparison.results, comparison.test_set)[:-1])
    sections.append(Section("How it was tested", notes=notes))
    metrics = [found.label for found in view.verdicts.metrics.values()]
    title = f"{counted(len(view.systems), 'system')} by {', '.join(metrics)}"
    about = facts(comparison.test_set)
    # Claims say what a comparison warns of.
    warnings = () if comparison.claims else comparison.warnings
    return section_page(title, about, sections, drawings, version=version, inputs=inputs, warnings=warnings)


def _figures(view: View) -> str:
    """A figure a metric: every system's score with its interval, shaded by clusters."""
    level = percent(view.test.level)
    found = []
    for metric, first in view.verdicts.metrics.items():
        there = [view.standings[s, metric] for s in view.systems if (s, metric) in view.standings]
        bars = [
            Bar(s.system, s.score, s.low, s.high, s.cluster, number(s.score, view.places(metric)))
            for s in there
        ]
        better = arrow(first.higher_is_better)
        found.append(intervals(bars, label=first.label, better=better, interval=f"{level} intervals"))
    return "".join(found)
