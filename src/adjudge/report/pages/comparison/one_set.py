"""A comparison shown: systems with clusters, pairs, how it was tested, and what may be claimed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from adjudge.comparison import Comparison, SegmentGroup
from adjudge.comparison.documents import comparison_document
from adjudge.comparison.verdict import comparison_verdict, verdict_document, verdict_sentence
from adjudge.display import Bar, Section, Signature, arrow, group_name
from adjudge.report.pages.comparison.notes import facts, signatures
from adjudge.report.pages.comparison.tables import ComparisonView, pair_tables, system_table
from adjudge.report.pages.comparison.words import (
    CLAIMS,
    comparison_method,
    group_title,
    how,
    legend,
)
from adjudge.report.render.formats import Renderer
from adjudge.report.render.tsv import tsv_line
from adjudge.wording import number, percent, pluralise

if TYPE_CHECKING:
    from adjudge.comparison.documents import Arguments
    from adjudge.io import Input
    from adjudge.report.render.html import Drawing
    from adjudge.report.render.markup import Html


@dataclass(frozen=True)
class ExtraSections:
    """What else was found of the same systems: it stands before how all was tested."""

    sections: Sequence[Section] = ()
    drawings: Mapping[str, Drawing] = field(default_factory=dict)
    document: Mapping[str, Any] = field(default_factory=dict)


NO_EXTRA_SECTIONS = ExtraSections()


def renderer(
    comparison: Comparison,
    *,
    version: str,
    decimals: int | None = None,
    table: str = "results",
    inputs: Sequence[Input] = (),
    arguments: Arguments | None = None,
    further: ExtraSections = NO_EXTRA_SECTIONS,
) -> Renderer:
    """A comparison in every format; `table` is what TSV holds."""
    return Renderer(
        lambda: sections(comparison, decimals, further.sections),
        lambda: {
            **comparison_document(comparison, version=version, inputs=inputs, arguments=arguments),
            "verdict": verdict_document(comparison_verdict(comparison)),
            **further.document,
        },
        tsv=lambda: as_tsv(comparison, decimals=decimals, table=table),
        latex=lambda: marked_sections(comparison, decimals, further.sections),
        html=lambda: page(comparison, version=version, decimals=decimals, inputs=inputs, further=further),
    )


def sections(
    comparison: Comparison, decimals: int | None = None, further: Sequence[Section] = ()
) -> list[Section]:
    """Systems, pairs, what may be claimed, groups, how it was tested."""
    view = ComparisonView.of(comparison, comparison.test, decimals)
    parts = [Section(tables=(system_table(view),), key="systems")]
    parts += [Section(tables=tuple(tables), key="pairs")] if (tables := pair_tables(view)) else []
    if comparison.claims:
        answer = verdict_sentence(comparison_verdict(comparison))
        parts.append(Section(CLAIMS, lead=answer, style="heading", sentences=comparison.claims, key="claims"))
    for place, group in enumerate(comparison.groups[1:], 1):
        table = system_table(ComparisonView.of(group, comparison.test, decimals))
        parts.append(Section(group_title(group), (table,), group.claims, key=f"group {place}"))
    notes = (*how(comparison, view), *_made(comparison))
    return [*parts, *further, Section(notes=notes, key="how")]


def marked_sections(
    comparison: Comparison, decimals: int | None = None, further: Sequence[Section] = ()
) -> list[Section]:
    """For a paper: a table with significance marks, a legend that explains them; the rest in comments."""
    parts: Iterable[Comparison | SegmentGroup] = comparison.groups or (comparison,)
    tables = [
        Section(
            group_title(part) if isinstance(part, SegmentGroup) else "",
            (system_table(ComparisonView.of(part, comparison.test, decimals), marks=True),),
        )
        for part in parts
    ]
    told = " ".join([legend(comparison.test), *comparison_method(comparison, star="")])
    notes = (verdict_sentence(comparison_verdict(comparison)), *comparison.claims, *_made(comparison))
    return [*tables, *further, Section(legend=told, notes=notes)]


def _made(comparison: Comparison) -> list[str | Signature]:
    return [*signatures(comparison.results), facts(comparison.test_set)]


def page(
    comparison: Comparison,
    *,
    version: str,
    decimals: int | None = None,
    inputs: Sequence[Input] = (),
    further: ExtraSections = NO_EXTRA_SECTIONS,
) -> Html:
    """Intervals drawn, what may be claimed, every pair, how it was tested."""
    from adjudge.report.render.section_page import claims_beside_systems, section_page

    shown = sections(comparison, decimals, further.sections)
    about = facts(comparison.test_set)
    view = ComparisonView.of(comparison, comparison.test, decimals)
    metrics = [standing.label for standing in view.pairwise.metrics.values()]
    return section_page(
        f"{pluralise(len(view.systems), 'system')} by {', '.join(metrics)}",
        about,
        claims_beside_systems(shown),
        {**drawings(comparison, decimals), **further.drawings},
        version=version,
        inputs=inputs,
        # Claims say what a comparison warns of.
        warnings=() if comparison.claims else comparison.warnings,
    )


def drawings(comparison: Comparison, decimals: int | None = None) -> dict[str, Drawing]:
    """Intervals of all systems and of each group, and what the other parts are called on a page."""
    from adjudge.report.render.html import Drawing
    from adjudge.report.render.markup import NOTHING

    baseline = comparison.test.baseline
    parts = {
        "systems": Drawing(_figures(ComparisonView.of(comparison, comparison.test, decimals)), "Systems"),
        "pairs": Drawing(NOTHING, "Every pair" if baseline is None else f"Against {baseline}"),
        "how": Drawing(NOTHING, "How it was tested", for_note=facts(comparison.test_set)),
    }
    for place, group in enumerate(comparison.groups[1:], 1):
        parts[f"group {place}"] = Drawing(_figures(ComparisonView.of(group, comparison.test, decimals)))
    return parts


def as_tsv(comparison: Comparison, *, decimals: int | None = None, table: str = "results") -> str:
    """A line a system and metric, or with `table="pairs"` a line a pair and metric; unrounded unless asked."""

    def spelled(value: object) -> str:
        if isinstance(value, bool):
            return str(value).lower()
        if isinstance(value, float) and decimals is not None:
            return number(value, decimals)
        return "" if value is None else str(value)

    parts: Iterable[Comparison | SegmentGroup] = comparison.groups or (comparison,)
    beside = MARGIN_COLUMNS if any(pair.margin for part in parts for pair in part.pairs) else {}
    heads = [*PAIR_COLUMNS, *beside] if table == "pairs" else RESULT_COLUMNS
    lines = [tsv_line(["group", *heads])]
    for part in parts:
        name = group_name(part.by) if isinstance(part, SegmentGroup) else ""
        if table == "pairs":
            for pair in part.pairs:
                rounded = [spelled(getattr(pair, column)) for column in PAIR_COLUMNS]
                # Rounding is for scores; a p of 0.0 would be wrong.
                exact = {"p", "p_adjusted", "probability", "better_on", "worse_on", "effect"}
                values = [
                    repr(getattr(pair, column)) if column in exact else text
                    for column, text in zip(PAIR_COLUMNS, rounded, strict=True)
                ]
                exactly = [repr if column.endswith("_p") else spelled for column in beside]
                values += [
                    spell(getattr(pair.margin, field)) if pair.margin else ""
                    for spell, field in zip(exactly, beside.values(), strict=True)
                ]
                lines.append(tsv_line([name, *values]))
            continue
        for s in part.results:
            rank, ranks = s.rank or (None, None), s.rank_interval or (None, None)
            values = [s.system, s.metric, *map(spelled, (s.score, s.low, s.high)), spelled(s.cluster)]
            values += [*map(spelled, (*rank, *ranks)), str(s.runs), spelled(s.run_deviation), s.signature]
            lines.append(tsv_line([name, *values]))
    return "".join(lines)


RESULT_COLUMNS = (
    *("system", "metric", "score", "low", "high", "cluster", "rank_low", "rank_high"),
    *("rank_interval_low", "rank_interval_high", "runs", "run_deviation", "signature"),
)
PAIR_COLUMNS = (
    *("metric", "a", "b", "delta", "low", "high", "p", "p_adjusted", "significant", "wins", "ties", "losses"),
    *("probability", "effect", "better_on", "worse_on", "detectable"),
)
MARGIN_COLUMNS = {
    "margin": "margin",
    "margin_low": "low",
    "margin_high": "high",
    "margin_confidence": "confidence",
    "margin_p": "p",
    "equivalent": "equivalent",
    "not_worse_p": "p_not_worse",
    "not_better_p": "p_not_better",
}
"""Of pairs beside a margin; positive where the first system is better, also where a lower score is."""


def _figures(view: ComparisonView) -> Html:
    """One figure per metric: every system's score with its interval, shaded by clusters."""
    from adjudge.report.charts.intervals import intervals
    from adjudge.report.render.markup import NOTHING

    level = percent(view.test.confidence)
    figures = []
    for metric, first in view.pairwise.metrics.items():
        standings = [view.standings[s, metric] for s in view.systems if (s, metric) in view.standings]
        bars = [
            Bar(s.system, s.score, s.low, s.high, s.cluster, number(s.score, view.places(metric)))
            for s in standings
        ]
        better = arrow(first.higher_is_better)
        figures.append(intervals(bars, label=first.label, better=better, interval=f"{level} intervals"))
    return NOTHING.join(figures)
