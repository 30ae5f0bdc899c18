"""Analyses of judgements shown, of one language pair or several: results, and every part that was asked for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from adjudge.analysis import origin_display
from adjudge.charts import Matrix
from adjudge.comparison.verdict import decide, verdict_document, verdict_sentence
from adjudge.data.judgements import LANGUAGES
from adjudge.display import Data, Displayable, Frame, Section, claims_beside_systems
from adjudge.dossiers.analysis import Analysis
from adjudge.dossiers.checklist import display as checklist_display
from adjudge.dossiers.language_pairs import LanguagePairAnalyses
from adjudge.dossiers.people_verdict import people_evidence
from adjudge.human import (
    curve_display,
    model_display,
    postediting_display,
    ranking_display,
    rating_display,
)
from adjudge.human.results import RatingAnalysis
from adjudge.wording import pluralise

EACH = "Each language pair is analysed by itself."


@dataclass(frozen=True)
class AnalysisDisplay(Displayable):
    """An analysis, or those of several language pairs one after another: nothing is ranked over pairs."""

    analysed: Analysis | LanguagePairAnalyses
    warnings: tuple[str, ...] = ()
    """Of the files as well."""
    with_checklist: bool = False
    decimals: int | None = None
    table: str = "systems"
    """What TSV has."""

    @property
    def pairs(self) -> Mapping[str, Analysis]:
        """By language pair; '' where pairs are not apart."""
        return {"": self.analysed} if isinstance(self.analysed, Analysis) else self.analysed

    @property
    def title(self) -> str:
        """Who said something, and of how many systems."""
        if not isinstance(self.analysed, Analysis):
            return f"What people said in {pluralise(len(self.analysed), 'language pair')}"
        facts = self.analysed.facts
        who = pluralise(facts.annotators, "annotator") if facts.annotators else "people"
        return f"What {who} said of {pluralise(facts.systems, 'system')}"

    @property
    def about(self) -> str:
        """What was judged."""
        if not isinstance(self.analysed, Analysis):
            return EACH
        return next((section.title for section in self.sections() if section.key == "what"), "")

    @property
    def page_warnings(self) -> Sequence[str]:
        """As they are given."""
        return self.warnings

    def sections(self) -> list[Section]:
        """All of it; the checklist where it was wanted, or a claim was."""
        return self._of_pairs(on_page=False)

    def page_sections(self) -> list[Section]:
        """With charts, and claims next to the systems."""
        shown = self._of_pairs(on_page=True)
        if not isinstance(self.analysed, Analysis):
            return shown
        return claims_beside_systems([section for section in shown if section.key != "what"])

    def notebook_sections(self) -> list[Section]:
        """With charts."""
        return self._of_pairs(on_page=True)

    def _of_pairs(self, *, on_page: bool) -> list[Section]:
        """The sections of every pair, each with the pair before its title."""
        if isinstance(self.analysed, Analysis):
            shown = analysis_sections(
                self.analysed, on_page=on_page, with_checklist=self.with_checklist, decimals=self.decimals
            )
            return [_without_table_note(section) for section in shown]
        shown = []
        for pair, analysis in self.analysed.items():
            own = replace(self, analysed=analysis)
            for section in claims_beside_systems(own._of_pairs(on_page=on_page)):
                title = f"{pair}: {section.title}" if section.title else ""
                shown.append(replace(section, title=title))
        return shown

    def document(self) -> Mapping[str, Any]:
        """All that is known; of several pairs a document each, and all groups, each with its pair in `by`."""
        if isinstance(self.analysed, Analysis):
            return analysis_document(self.analysed, self.warnings)
        documents = {pair: analysis_document(own, own.warnings) for pair, own in self.analysed.items()}
        groups = [
            group | {"by": {LANGUAGES: pair} | group["by"]}
            for pair, document in documents.items()
            for group in document["groups"]
        ]
        return {"groups": groups, "language_pairs": documents, "warnings": list(self.warnings)}

    def data(self) -> Data:
        """A row a system, a pair, an annotator; of ratings also a translation or a kind of error."""
        tables = {pair: _data(analysis, self.table) for pair, analysis in self.pairs.items()}
        if isinstance(self.analysed, Analysis):
            return tables[""]
        heads = [table.head for table in tables.values()]
        rows = [[pair, *row] for pair, table in tables.items() for row in table.rows]
        return Data([LANGUAGES, *heads[0]] if heads else [], rows)

    def frames(self) -> Mapping[str, Frame]:
        """Systems of every group."""
        return {"systems": lambda: [system for group in self.analysed.groups for system in group.systems]}


def analysis_sections(
    analysis: Analysis,
    *,
    on_page: bool = False,
    with_checklist: bool = False,
    decimals: int | None = None,
) -> list[Section]:
    """One analysis, part by part; on a page with charts."""
    results = analysis.results
    if isinstance(results, RatingAnalysis):
        parts = rating_display.sections(results, decimals=decimals, on_page=on_page)
    else:
        parts = ranking_display.sections(results, decimals=decimals, on_page=on_page)
    parts = [_with_verdict(section, analysis) if section.key == "claims" else section for section in parts]
    if analysis.translationese is not None:
        parts += origin_display.sections(analysis.translationese)
    if analysis.post_edits is not None:
        parts += postediting_display.sections(analysis.post_edits, decimals=decimals)
    if analysis.model is not None:
        parts += model_display.sections(analysis.model)
    if analysis.curves is not None:
        parts += curve_display.sections(analysis.curves.without_first, analysis.curves.without_least)
    if with_checklist or analysis.checklist.claim is not None:
        parts += checklist_display.sections(analysis.checklist)
    return parts


def _without_table_note(section: Section) -> Section:
    """Where a matrix is drawn in place of its table, without the note on that table."""
    if not section.drawn_instead:
        return section
    of_tables = [chart.note for chart in section.charts if isinstance(chart, Matrix)]
    return replace(section, notes=tuple(note for note in section.notes if note not in of_tables))


def _with_verdict(section: Section, analysis: Analysis) -> Section:
    """The claims, headed by what they come down to."""
    evidence = people_evidence(analysis)
    if evidence is None:
        return section
    return replace(section, lead=verdict_sentence(decide(evidence)), style="heading")


def analysis_document(analysis: Analysis, warnings: Sequence[str]) -> dict[str, Any]:
    """All that is known of one analysis, unrounded; what was not asked for is left out."""
    results = analysis.results
    document = (
        rating_display.document(results)
        if isinstance(results, RatingAnalysis)
        else ranking_display.document(results)
    )
    if analysis.translationese is not None:
        document["translationese"] = origin_display.document(analysis.translationese)
    if analysis.post_edits is not None:
        document |= postediting_display.document(analysis.post_edits)
    if analysis.model is not None:
        document["model"] = model_display.document(analysis.model)
    if analysis.curves is not None:
        document |= curve_display.document(analysis.curves.without_first, analysis.curves.without_least)
    evidence = people_evidence(analysis)
    if evidence is not None:
        document["verdict"] = verdict_document(decide(evidence))
    checklist = checklist_display.document(analysis.checklist)
    return document | {"checklist": checklist, "warnings": list(warnings)}


def _data(analysis: Analysis, table: str) -> Data:
    results = analysis.results
    if isinstance(results, RatingAnalysis):
        return rating_display.data(results, table)
    return ranking_display.data(results, table)
