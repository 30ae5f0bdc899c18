"""An analysis of judgements, shown: its results, and below them every part that was asked for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from adjudge.comparison.verdict import decide, verdict_document, verdict_sentence
from adjudge.display import Section
from adjudge.dossiers import Analysis
from adjudge.dossiers.people_verdict import people_evidence
from adjudge.human.results import RatingAnalysis
from adjudge.report.pages import translationese
from adjudge.report.pages.addresses import NOWHERE, Addresses
from adjudge.report.pages.human import checklist, curves, modelling, postediting, rankings, ratings
from adjudge.report.pages.human import page as human_page
from adjudge.report.render.formats import Renderer
from adjudge.report.render.html import Drawing
from adjudge.report.render.markup import Html

if TYPE_CHECKING:
    from adjudge.io import Input


def renderer(
    analysis: Analysis,
    *,
    version: str,
    inputs: Sequence[Input] = (),
    warnings: Sequence[str] = (),
    with_checklist: bool = False,
    decimals: int | None = None,
    table: str = "systems",
) -> Renderer:
    """An analysis in every format; `table` is what TSV holds."""
    return Renderer(
        lambda: sections(analysis, with_checklist=with_checklist, decimals=decimals),
        lambda: document(analysis, version=version, inputs=inputs, warnings=warnings),
        tsv=lambda: as_tsv(analysis, table=table),
        html=lambda: page(
            analysis,
            version=version,
            inputs=inputs,
            warnings=warnings,
            with_checklist=with_checklist,
            decimals=decimals,
        ),
    )


def sections(
    analysis: Analysis, *, with_checklist: bool = False, decimals: int | None = None
) -> list[Section]:
    """All of it for people to read; the checklist where it was wanted, or a claim was."""
    results = analysis.results
    parts = (
        ratings.sections(results, decimals=decimals)
        if isinstance(results, RatingAnalysis)
        else rankings.sections(results, decimals=decimals)
    )
    parts = [_with_verdict(section, analysis) if section.key == "claims" else section for section in parts]
    if analysis.translationese is not None:
        parts += translationese.sections(analysis.translationese)
    if analysis.post_edits is not None:
        parts += postediting.sections(analysis.post_edits, decimals=decimals)
    if analysis.model is not None:
        parts += modelling.sections(analysis.model)
    if analysis.curves is not None:
        parts += curves.sections(analysis.curves.without_first, analysis.curves.without_least)
    if with_checklist or analysis.checklist.claim is not None:
        parts += checklist.sections(analysis.checklist)
    return parts


def _with_verdict(section: Section, analysis: Analysis) -> Section:
    """The claims, headed by what they come down to."""
    evidence = people_evidence(analysis)
    if evidence is None:
        return section
    return replace(section, lead=verdict_sentence(decide(evidence)), style="heading")


def drawings(
    analysis: Analysis, *, decimals: int | None = None, addresses: Addresses = NOWHERE
) -> dict[str, Drawing]:
    """What a page shows of it, by the keys of the sections; numbers lead where `addresses` say."""
    results = analysis.results
    drawn = (
        ratings.drawings(results, decimals=decimals, addresses=addresses)
        if isinstance(results, RatingAnalysis)
        else rankings.drawings(results, decimals=decimals, addresses=addresses)
    )
    if analysis.translationese is not None:
        drawn |= translationese.drawings(analysis.translationese)
    if analysis.post_edits is not None:
        drawn |= postediting.drawings(analysis.post_edits, addresses)
    if analysis.model is not None:
        drawn |= modelling.drawings(analysis.model)
    if analysis.curves is not None:
        drawn |= curves.drawings(analysis.curves.without_first, analysis.curves.without_least)
    return drawn


def page(
    analysis: Analysis,
    *,
    version: str,
    inputs: Sequence[Input],
    warnings: Sequence[str],
    with_checklist: bool = False,
    decimals: int | None = None,
) -> Html:
    """All of it for a browser."""
    return human_page.analysis_page(
        sections(analysis, with_checklist=with_checklist, decimals=decimals),
        drawings(analysis, decimals=decimals),
        systems=analysis.facts.systems,
        annotators=analysis.facts.annotators,
        version=version,
        inputs=inputs,
        warnings=warnings,
    )


def document(
    analysis: Analysis, *, version: str, inputs: Sequence[Input], warnings: Sequence[str]
) -> dict[str, Any]:
    """All that is known, unrounded; what was not asked for is left out."""
    further: dict[str, Any] = {}
    if analysis.translationese is not None:
        further["translationese"] = translationese.document(analysis.translationese)
    if analysis.post_edits is not None:
        further |= postediting.document(analysis.post_edits)
    if analysis.model is not None:
        further["model"] = modelling.document(analysis.model)
    if analysis.curves is not None:
        further |= curves.document(analysis.curves.without_first, analysis.curves.without_least)
    evidence = people_evidence(analysis)
    if evidence is not None:
        further["verdict"] = verdict_document(decide(evidence))
    further |= {"checklist": checklist.document(analysis.checklist), "warnings": list(warnings)}
    results = analysis.results
    if isinstance(results, RatingAnalysis):
        return ratings.document(results, version=version, inputs=inputs, further=further)
    return rankings.document(results, version=version, inputs=inputs, further=further)


def as_tsv(analysis: Analysis, *, table: str = "systems") -> str:
    """A line a system, a pair, an annotator; of ratings also a translation or a kind of error."""
    results = analysis.results
    if isinstance(results, RatingAnalysis):
        return ratings.as_tsv(results, table=table)
    return rankings.as_tsv(results, table=table)
