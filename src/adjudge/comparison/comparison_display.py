"""A comparison shown: systems with clusters, pairs, how it was tested, and what may be claimed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from adjudge.comparison.comparison_tables import ComparisonView, pair_tables, system_table
from adjudge.comparison.comparison_words import (
    CLAIMS,
    comparison_method,
    group_title,
    how,
    legend,
)
from adjudge.comparison.documents import comparison_content
from adjudge.comparison.results import Comparison, Pair, SegmentGroup, Standing
from adjudge.comparison.score_display import facts_line, signatures
from adjudge.comparison.verdict import comparison_verdict, verdict_document, verdict_sentence
from adjudge.display import (
    Data,
    Displayable,
    Frame,
    Section,
    Signature,
    arrow,
    claims_beside_systems,
    group_name,
)
from adjudge.wording import number, percent, pluralise

if TYPE_CHECKING:
    from adjudge.charts import IntervalChart


@dataclass(frozen=True)
class ExtraSections:
    """What else was found of the same systems: it stands before how all was tested."""

    sections: Sequence[Section] = ()
    document: Mapping[str, Any] = field(default_factory=dict)

    def __add__(self, other: ExtraSections) -> ExtraSections:
        return ExtraSections([*self.sections, *other.sections], {**self.document, **other.document})


NO_EXTRA_SECTIONS = ExtraSections()


@dataclass(frozen=True)
class ComparisonDisplay(Displayable):
    """A comparison with the decimals, the table of TSV and all else that is asked for."""

    comparison: Comparison
    decimals: int | None = None
    table: str = "results"
    """What TSV has: `results` or `pairs`."""
    extra: ExtraSections = NO_EXTRA_SECTIONS

    @property
    def title(self) -> str:
        """How many systems, and by which metrics."""
        metrics = [standing.label for standing in self._view().pairwise.metrics.values()]
        return f"{pluralise(len(self._view().systems), 'system')} by {', '.join(metrics)}"

    @property
    def about(self) -> str:
        """The test set."""
        return facts_line(self.comparison.test_set)

    @property
    def page_warnings(self) -> Sequence[str]:
        """Claims say what a comparison warns of."""
        return () if self.comparison.claims else self.comparison.warnings

    def _view(self, part: Comparison | SegmentGroup | None = None) -> ComparisonView:
        return ComparisonView.of(part or self.comparison, self.comparison.test, self.decimals)

    def sections(self) -> list[Section]:
        """Systems, pairs, what may be claimed, groups, how it was tested."""
        comparison, view = self.comparison, self._view()
        parts = [Section(tables=(system_table(view),), key="systems")]
        parts += [Section(tables=tuple(tables), key="pairs")] if (tables := pair_tables(view)) else []
        if comparison.claims:
            answer = verdict_sentence(comparison_verdict(comparison))
            parts.append(
                Section(CLAIMS, lead=answer, style="heading", sentences=comparison.claims, key="claims")
            )
        for place, group in enumerate(comparison.groups[1:], 1):
            table = system_table(self._view(group))
            parts.append(Section(group_title(group), (table,), group.claims, key=f"group {place}"))
        notes = (*how(comparison, view), *self._made())
        return [*parts, *self.extra.sections, Section(notes=notes, key="how")]

    def paper(self) -> list[Section]:
        """A table with significance marks, a legend that explains them; the rest in comments."""
        comparison = self.comparison
        tables = [
            Section(
                group_title(part) if isinstance(part, SegmentGroup) else "",
                (system_table(self._view(part), marks=True),),
            )
            for part in self._parts()
        ]
        test = comparison.test
        told = " ".join([legend(test), *comparison_method(comparison, star="")])
        notes = (verdict_sentence(comparison_verdict(comparison)), *comparison.claims, *self._made())
        return [*tables, *self.extra.sections, Section(legend=told, notes=notes)]

    def page_sections(self) -> list[Section]:
        """Intervals drawn, what may be claimed, every pair, how it was tested."""
        baseline = self.comparison.test.baseline
        titles = {"pairs": "Every pair" if baseline is None else f"Against {baseline}"}
        titles |= {"systems": "Systems", "how": "How it was tested"}
        groups = {f"group {place}": group for place, group in enumerate(self.comparison.groups)}
        shown = []
        for section in claims_beside_systems(self.sections()):
            own = replace(section, title=titles.get(section.key, section.title))
            if section.key == "systems" or section.key in groups:
                own = replace(own, charts=self._charts(self._view(groups.get(section.key))))
            if section.key == "how":
                own = replace(own, notes=tuple(note for note in own.notes if note != self.about))
            shown.append(own)
        return shown

    def notebook_sections(self) -> list[Section]:
        """As on its page."""
        return self.page_sections()

    def _made(self) -> list[str | Signature]:
        return [*signatures(self.comparison.results), self.about]

    def _parts(self) -> Iterable[Comparison | SegmentGroup]:
        return self.comparison.groups or (self.comparison,)

    def _charts(self, view: ComparisonView) -> tuple[IntervalChart, ...]:
        """One figure per metric: every system's score with its interval, shaded by clusters."""
        from adjudge.charts import Bar, IntervalChart  # late: screens draw none

        interval = f"{percent(view.test.confidence)} intervals"
        charts = []
        for metric, first in view.pairwise.metrics.items():
            standings = [view.standings[s, metric] for s in view.systems if (s, metric) in view.standings]
            bars = [
                Bar(s.system, s.score, s.low, s.high, s.cluster, number(s.score, view.places(metric)))
                for s in standings
            ]
            charts.append(IntervalChart(bars, first.label, arrow(first.higher_is_better), interval))
        return tuple(charts)

    def document(self) -> Mapping[str, Any]:
        """All that is known, unrounded, with the verdict."""
        verdict = verdict_document(comparison_verdict(self.comparison))
        return {**comparison_content(self.comparison), "verdict": verdict, **self.extra.document}

    def frames(self) -> Mapping[str, Frame]:
        """Systems by every metric, or pairs."""
        return {"results": lambda: self.comparison.results, "pairs": lambda: self.comparison.pairs}

    def data(self) -> Data:
        """A row a system and metric, or a row a pair and metric; unrounded unless decimals are asked for."""
        parts = [
            (group_name(part.by) if isinstance(part, SegmentGroup) else "", part) for part in self._parts()
        ]
        if self.table != "pairs":
            rows = [[name, *self._result_row(result)] for name, part in parts for result in part.results]
            return Data(["group", *RESULT_COLUMNS], rows)
        margins = MARGIN_COLUMNS if any(pair.margin for _, part in parts for pair in part.pairs) else {}
        rows = [[name, *self._pair_row(pair, margins)] for name, part in parts for pair in part.pairs]
        return Data(["group", *PAIR_COLUMNS, *margins], rows)

    def _result_row(self, standing: Standing) -> list[Any]:
        ranks = (*(standing.rank or (None, None)), *(standing.rank_interval or (None, None)))
        scores = map(self._rounded, (standing.score, standing.low, standing.high))
        deviation = self._rounded(standing.run_deviation)
        return [
            standing.system,
            standing.metric,
            *scores,
            standing.cluster,
            *ranks,
            standing.runs,
            deviation,
            standing.signature,
        ]

    def _pair_row(self, pair: Pair, margins: Mapping[str, str]) -> list[Any]:
        """Rounding is for scores; a p of 0.0 would be wrong."""
        row = [
            repr(getattr(pair, column)) if column in EXACT else self._rounded(getattr(pair, column))
            for column in PAIR_COLUMNS
        ]
        for column, name in margins.items():
            value = getattr(pair.margin, name) if pair.margin else None
            row.append(
                repr(value) if column.endswith("_p") and pair.margin is not None else self._rounded(value)
            )
        return row

    def _rounded(self, value: object) -> object:
        """A number that has none is written as such."""
        if not isinstance(value, float):
            return value
        return repr(value) if self.decimals is None else number(value, self.decimals)


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
EXACT = {"p", "p_adjusted", "probability", "better_on", "worse_on", "effect"}
"""Columns that are never rounded."""
