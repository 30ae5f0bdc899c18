"""Scores as a page for a browser."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from adjudge.evaluate import Score, Scores
from adjudge.report.charts import Bar, intervals
from adjudge.report.html import Drawing
from adjudge.report.notes import facts, latex_notes
from adjudge.report.score import has_segments, segment_table, system_table
from adjudge.report.section_page import section_page
from adjudge.report.sections import Section
from adjudge.report.table import arrow, number
from adjudge.wording import counted

if TYPE_CHECKING:
    from adjudge.io import Input


def score_page(
    scores: Scores, *, version: str, decimals: int | None = None, inputs: Sequence[Input] = ()
) -> str:
    """Systems drawn and in a table, segments where they were asked for, and how the scores were made."""
    sections = [Section("Systems", (system_table(scores, decimals),), key="systems")]
    if has_segments(scores):
        sections.append(Section("Segments", (segment_table(scores, decimals),)))
    notes = latex_notes(scores.results, scores.test_set)[:-1]
    untested = "Scores alone do not say whether a difference is more than chance: adjudge compare."
    sections.append(Section("How they were made", notes=(*notes, untested)))
    metrics = dict.fromkeys(found.label for found in scores.results)
    systems = len({found.system for found in scores.results})
    return section_page(
        f"{counted(systems, 'system')} by {', '.join(metrics)}",
        facts(scores.test_set),
        sections,
        {"systems": Drawing(_figures(scores, decimals))},
        version=version,
        inputs=inputs,
        warnings=scores.warnings,
    )


def _figures(scores: Scores, decimals: int | None) -> str:
    """A figure a metric: every system's score, or every run's."""
    by_metric: dict[str, list[Bar]] = {}
    first: dict[str, Score] = {}
    for found in scores.results:
        places = found.decimals if decimals is None else decimals
        shown = number(found.score, places)
        bar = Bar(found.title, found.score, math.nan, math.nan, None, shown)
        by_metric.setdefault(found.metric, []).append(bar)
        first.setdefault(found.metric, found)
    return "".join(
        intervals(bars, label=first[metric].label, better=arrow(first[metric].higher_is_better), interval="")
        for metric, bars in by_metric.items()
    )
