"""The parts of a report between its summary and its segments."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from adjudge.analysis.base import REFERENCE
from adjudge.analysis.changes import Changes
from adjudge.analysis.faults import EXAMPLES_SHOWN
from adjudge.comparison import comparison_words
from adjudge.comparison.comparison_tables import ComparisonView, is_many, pair_tables, system_table
from adjudge.comparison.pairwise_view import PairwiseView
from adjudge.comparison.score_display import facts_line, signatures
from adjudge.display import Section, Signature
from adjudge.dossiers.evaluation_dossier import Dossier
from adjudge.report.pages.exhibits import DossierChart, chart_figure, leading_list, notes_block, table_block
from adjudge.report.pages.report.charts import bucket_chart, error_chart, fault_chart, interval_chart
from adjudge.report.pages.report.links import (
    Links,
    linked_buckets,
    linked_changes,
    linked_error_differences,
    linked_error_rates,
    linked_error_words,
    linked_faults,
    linked_ngrams,
    linked_pairs,
    linked_places,
    linked_systems,
    linked_texts,
    linked_verdicts,
    linked_words,
    systems_in,
)
from adjudge.report.pages.report.spreads import grid_chart, histogram_chart
from adjudge.report.render.html import html_list
from adjudge.report.render.markup import NEW_LINE, NOTHING, Html, html, prose

if TYPE_CHECKING:
    from adjudge.io import Input

GAINS = 5
"""Segments shown that gain most, and that lose most."""


def systems_part(dossier: Dossier, view: ComparisonView, links: Links, *, charts: bool) -> Html:
    """Scores with intervals and clusters, what may be claimed, every pair."""
    table = linked_systems(system_table(view), view, links)
    drawn = _charts([interval_chart(view, metric, links) for metric in view.pairwise.metrics], charts)
    parts = _side_by_side(drawn, "beside small")
    parts.append(table_block(table, "systems", "Systems"))
    parts.append(_heading(comparison_words.CLAIMS))
    parts.append(claims_list(dossier, links))
    if dossier.comparison.warnings:
        parts.append(html_list(dossier.comparison.warnings, "warnings"))
    pairs = []
    metrics = [metric for metric in view.pairwise.metrics if view.tested(metric)]
    for metric, pair_table in zip(metrics, pair_tables(view), strict=True):
        shown = linked_pairs(pair_table, view, metric, links, triangle=is_many(view))
        pairs.append(table_block(shown, f"pairs-{metric}", f"Pairs by {view.pairwise.metrics[metric].label}"))
    baseline = dossier.comparison.test.baseline
    if pairs:
        parts.append(_fold("Every pair" if baseline is None else f"Against {baseline}", pairs))
    return _join(parts)


def claims_list(dossier: Dossier, links: Links) -> Html:
    """What may be claimed, each sentence with the segments of the two systems that it names."""
    pairwise = PairwiseView.of(dossier.comparison, dossier.comparison.test)
    lead = next(iter(pairwise.directed), "")
    sentences = []
    for claim in dossier.comparison.claims:
        named = systems_in(claim, pairwise.order)
        link = links.by_difference(named[0], named[1], lead) if len(named) == 2 and lead else ""
        sentences.append((claim, link))
    return leading_list(sentences)


def where_part(dossier: Dossier, links: Links, *, charts: bool) -> Html:
    """Scores by buckets, how scores are spread, segments that gain and lose."""
    parts: list[Html] = []
    labels = {s.metric: s.label for s in dossier.comparison.results}
    for result in dossier.buckets:
        shown = result.sections()
        for table, section in zip(result.tables, shown, strict=False):
            label = labels.get(table.metric, table.metric)
            parts.append(_heading(f"{label} by {result.by}"))
            parts += _charts([bucket_chart(result, table, label, links)], charts)
            own = linked_buckets(section.tables[0], result, table, links)
            parts.append(table_block(own, f"buckets-{result.by}", section.title))
            parts.append(html_list(section.sentences) if section.sentences else NOTHING)
        parts.append(notes_block(shown[-1], signatures_too=False))
    if dossier.histograms and charts:
        parts.append(_heading("How scores are spread"))
        drawn = [histogram_chart(histogram, links) for histogram in dossier.histograms]
        drawn += [grid_chart(grid, links) for grid in dossier.grids]
        parts += _side_by_side(_charts(drawn, charts), "beside small")
    if dossier.changes is not None:
        parts += _changes(dossier.changes, links)
    return _join(parts)


def _changes(result: Changes, links: Links) -> list[Html]:
    result = replace(result, top=GAINS)
    first, *others = result.sections()
    parts = [_heading(first.title)]
    parts.append(table_block(linked_verdicts(first.tables[0], result, links), "changes", first.title))
    parts += [html_list(first.sentences), notes_block(first)]
    sides = [side for side in (result.gains, result.losses) if side]
    for section, chosen in zip(others, sides, strict=True):
        table = section.tables[0]
        heads = [place for place, row in enumerate(table.rows) if not row.detail]
        rows = dict(zip(heads, chosen, strict=True))
        parts.append(_heading(section.title))
        parts.append(table_block(linked_changes(table, result, rows, links), section.title, section.title))
    return parts


def why_part(dossier: Dossier, links: Links, *, charts: bool) -> Html:
    """Classes of errors, faults, words, n-grams, how rich the words are."""
    parts: list[Html] = []
    if dossier.errors is not None:
        parts += _errors(dossier, links, charts=charts)
    if dossier.faults is not None:
        parts += _faults(dossier, links, charts=charts)
    for ngram in dossier.ngrams:
        sides = []
        for section, chosen in zip(ngram.sections(), (ngram.more, ngram.less), strict=False):
            tables = [linked_ngrams(table, ngram, chosen, links) for table in section.tables]
            own = [table_block(table, section.title, section.title) for table in tables]
            sentences = [html_list(section.sentences)] if section.sentences else []
            sides.append(html("<div>{}</div>", _join([_heading(section.title), *own, *sentences])))
        parts += _side_by_side(sides)
    parts += [notes_block(dossier.ngrams[-1].sections()[-1])] if dossier.ngrams else []
    if dossier.words is not None:
        [section] = dossier.words.sections()
        parts.append(_heading(section.title))
        parts.append(
            table_block(linked_words(section.tables[0], dossier.words, links), "words", section.title)
        )
        parts.append(notes_block(section))
    if dossier.diversity is not None:
        [section] = dossier.diversity.sections()
        texts = [text.text for text in dossier.diversity.texts]
        parts.append(_heading(section.title))
        parts.append(table_block(linked_texts(section.tables[0], texts, links), "diversity", section.title))
        parts.append(notes_block(section))
    return _join(parts)


def _errors(dossier: Dossier, links: Links, *, charts: bool) -> list[Html]:
    result = dossier.errors
    assert result is not None
    linking = {
        "rates": linked_error_rates,
        "differences": linked_error_differences,
        "words": linked_error_words,
    }
    parts = []
    for section in result.sections():
        parts.append(_heading(section.title) if section.title else NOTHING)
        if section.key == "rates":
            parts += _charts([error_chart(result, links)], charts)
        for table in section.tables:
            own = linking[section.key](table, result, links)
            parts.append(table_block(own, f"errors-{section.key}", section.title))
        parts.append(html_list(section.sentences) if section.sentences else NOTHING)
        parts.append(notes_block(section))
    return parts


def _faults(dossier: Dossier, links: Links, *, charts: bool) -> list[Html]:
    result = dossier.faults
    assert result is not None
    rates, places, notes = result.sections()
    chart = fault_chart(result, links)
    parts = [_heading(rates.title)]
    parts += _charts([chart] if chart else [], charts)
    parts.append(table_block(linked_faults(rates.tables[0], result, links), "faults", rates.title))
    parts.append(html_list(rates.sentences) if rates.sentences else NOTHING)
    if places.tables:
        shown = [
            (system.system, example.segment)
            for kind in result.kinds
            for system in kind.systems
            if system.system != REFERENCE
            for example in system.examples[:EXAMPLES_SHOWN]
        ]
        own = linked_places(places.tables[0], shown, links)
        parts.append(_fold(places.title, [table_block(own, "fault-places", places.title)]))
    parts.append(notes_block(notes))
    return parts


def how_part(dossier: Dossier, view: ComparisonView) -> Html:
    """How it was tested and scored, and from which files."""
    comparison = dossier.comparison
    notes: list[str | Signature] = [
        *comparison_words.how(comparison, view),
        *signatures(comparison.results),
        facts_line(comparison.test_set),
    ]
    notes += dossier.notes
    return notes_block(Section(notes=tuple(notes))) + files_list(dossier.inputs)


def how_of_study(inputs: Sequence[Input], notes: Sequence[str]) -> Html:
    """From which files a study was made; every set says by itself how it was tested."""
    return notes_block(Section(notes=tuple(notes))) + files_list(inputs)


def files_list(inputs: Sequence[Input]) -> Html:
    """Files, with the beginning of what tells one content from another."""
    files = NOTHING.join(html("<li>{} <code>{}</code></li>", i.path, i.sha256[:12]) for i in inputs)
    return html('<ul class="files">{}</ul>', files) if files else NOTHING


def _charts(charts: Sequence[DossierChart], wanted: bool) -> list[Html]:
    return [chart_figure(chart) for chart in charts] if wanted else []


def _side_by_side(parts: Sequence[Html], kind: str = "beside") -> list[Html]:
    """Parts that stand beside each other where there is room."""
    return [html('<div class="{}">{}</div>', kind, _join(parts))] if parts else []


def _fold(title: str, parts: Sequence[Html]) -> Html:
    """What is opened by whoever wants it."""
    return html('<details class="fold"><summary>{}</summary>{}</details>', prose(title), _join(parts))


def _heading(title: str) -> Html:
    return html("<h3>{}</h3>", prose(title))


def _join(parts: Sequence[Html]) -> Html:
    return NEW_LINE.join(part for part in parts if part)
