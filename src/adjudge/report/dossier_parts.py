"""The parts of a report between its summary and its segments."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from adjudge.analysis.changes import Changes
from adjudge.analysis.faults import REFERENCE
from adjudge.checks import Finding
from adjudge.evaluate.verdicts import Verdicts
from adjudge.findings.dossier import Dossier
from adjudge.findings.dossier_segments import PEOPLE
from adjudge.findings.joined_sets import SET
from adjudge.report import analysis as analysis_report
from adjudge.report import (
    buckets,
    changes,
    checklist,
    comparison_words,
    diversity,
    error_classes,
    faults,
    ngrams,
)
from adjudge.report import study as study_report
from adjudge.report import word_accuracy as words
from adjudge.report.comparison_tables import View, is_many, pair_tables, system_table
from adjudge.report.dossier_charts import (
    bucket_chart,
    error_chart,
    fault_chart,
    interval_chart,
)
from adjudge.report.dossier_links import (
    Links,
    finding_link,
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
)
from adjudge.report.dossier_spreads import grid_chart, histogram_chart
from adjudge.report.exhibits import Chart, chart_figure, table_block
from adjudge.report.html import NO_DRAWING, Drawing, html_list
from adjudge.report.lint import nothing_found, summed_up
from adjudge.report.markup import NEW_LINE, NOTHING, Html, html, prose
from adjudge.report.notes import facts, signatures
from adjudge.report.sections import Section, Signature, note_text
from adjudge.report.table import Table, linked

GAINS = 5
"""Segments shown that gain most, and that lose most."""


def systems_part(dossier: Dossier, view: View, links: Links, *, charts: bool) -> Html:
    """Scores with intervals and clusters, what may be claimed, every pair."""
    table = linked_systems(system_table(view), view, links)
    drawn = _charts([interval_chart(view, metric, links) for metric in view.verdicts.metrics], charts)
    parts = _beside(drawn, "beside small")
    parts.append(table_block(table, "systems", "Systems"))
    parts.append(_heading(comparison_words.CLAIMS))
    parts.append(claims_list(dossier, links))
    pairs = []
    metrics = [metric for metric in view.verdicts.metrics if view.tested(metric)]
    for metric, own in zip(metrics, pair_tables(view), strict=True):
        shown = linked_pairs(own, view, metric, links, triangle=is_many(view))
        pairs.append(table_block(shown, f"pairs-{metric}", f"Pairs by {view.verdicts.label(metric)}"))
    baseline = dossier.comparison.test.baseline
    if pairs:
        parts.append(_folded("Every pair" if baseline is None else f"Against {baseline}", pairs))
    return _joined(parts)


def claims_list(dossier: Dossier, links: Links) -> Html:
    """What may be claimed, each sentence with the segments of the two systems that it names."""
    verdicts = Verdicts.of(dossier.comparison, dossier.comparison.test)
    lead = next(iter(verdicts.directed), "")
    items = []
    for claim in dossier.comparison.claims:
        named = [name for name in verdicts.order if f"{name} " in claim or f" {name}" in claim]
        link = links.by_difference(named[0], named[1], lead) if len(named) == 2 and lead else ""
        show = html(' <a class="show" href="{}">segments</a>', link) if link else ""
        items.append(html("<li>{}{}</li>", prose(claim), show))
    return html('<ul class="said">{}</ul>', NOTHING.join(items))


def people_part(dossier: Dossier, links: Links) -> Html:
    """The judgements of people as their own page has them, without the checklist."""
    if dossier.people is None:
        return NOTHING
    return _sections(
        "people",
        analysis_report.sections(dossier.people),
        analysis_report.drawings(dossier.people),
        lambda table: _of_people(table, dossier, links),
    )


def sets_part(dossier: Dossier, links: Links) -> Html:
    """The test sets of a study one by one, and means in which each of them counts alike."""
    if dossier.study is None:
        return NOTHING
    lead = html("<p>{}</p>", "Here each test set counts alike; in all else on this page, each segment does.")
    return lead + _sections(
        "sets",
        study_report.sections(dossier.study),
        study_report.drawings(dossier.study),
        lambda table: _of_sets(table, dossier, links),
    )


def _of_sets(table: Table, dossier: Dossier, links: Links) -> Table:
    """Rows that begin with a test set lead to its segments, those that begin with a system to what it made of all."""
    names = [row.cells[0].text for row in table.rows]
    known = set(dossier.segments.labels.get(SET, ()))
    lead = next((scores.key for scores in dossier.segments.scores), "")

    def of_row(row: int, _: int) -> str:
        if names[row] in known:
            return links.of_label(SET, names[row])
        return links.by_score(names[row], lead) if names[row] in dossier.systems else ""

    return linked(table, of_row)


def _sections(
    kind: str,
    sections: Sequence[Section],
    drawn: Mapping[str, Drawing],
    with_links: Callable[[Table], Table],
) -> Html:
    """Sections of another page, with their drawings, and tables that can be taken along."""
    parts = []
    for section in sections:
        drawing = drawn.get(section.key, NO_DRAWING)
        title = drawing.title or section.title
        parts.append(_heading(title) if title else NOTHING)
        parts.append(drawing.html)
        tables = () if drawing.for_tables else section.tables
        parts += [table_block(with_links(table), f"{kind}-{title}", title) for table in tables]
        if section.sentences and not drawing.for_sentences:
            parts.append(html_list(section.sentences))
        parts += [drawing.below, _notes(section)]
    return _joined(parts)


def _of_people(table: Table, dossier: Dossier, links: Links) -> Table:
    """Rows that begin with a system lead to what people said of its segments."""
    names = [row.cells[0].text for row in table.rows]
    return linked(
        table, lambda row, _: links.by_score(names[row], PEOPLE) if names[row] in dossier.systems else ""
    )


def believe_part(dossier: Dossier, links: Links) -> Html:
    """The points of a comparison by metrics, those of an evaluation by people, and what is wrong with the files."""
    parts = []
    lists = [("Of this comparison", dossier.soundness)]
    lists += [("Of the judgements", dossier.people.checklist)] if dossier.people is not None else []
    for title, own in lists:
        first, *rest = checklist.sections(own)
        assert first.printed is not None  # a checklist is a table in print
        parts.append(_heading(f"{title}: {first.title.removeprefix('Checklist: ')}"))
        parts.append(table_block(first.printed, f"checklist-{title}", first.title))
        for section in rest:
            parts += [_heading(section.title), html_list(section.sentences)]
    parts.append(html('<h3 id="lint">{}</h3>', "The files"))
    report = dossier.lint
    if not report.findings:
        parts.append(html("<p>{}</p>", prose(f"{nothing_found(report).capitalize()}.")))
        return _joined(parts)
    parts.append(html('<p class="soft">{}</p>', prose(summed_up(report))))
    items = [_finding(place, finding, links) for place, finding in enumerate(report.findings, 1)]
    parts.append(html('<ul class="findings">{}</ul>', NOTHING.join(items)))
    return _joined(parts)


def _finding(place: int, finding: Finding, links: Links) -> Html:
    link = finding_link(place, finding.check, finding.system, links)
    show = html(' <a class="show" href="{}">segments</a>', link) if link else ""
    below = [text for text in (finding.example, finding.advice and f"→ {finding.advice}") if text]
    return html(
        '<li><span class="severity {}">{}</span> {}{}{}</li>',
        finding.severity,
        finding.severity,
        prose(finding.message),
        show,
        NOTHING.join(html('<span class="soft">{}</span>', prose(text)) for text in below),
    )


def where_part(dossier: Dossier, links: Links, *, charts: bool) -> Html:
    """Scores by buckets, how scores are spread, segments that gain and lose."""
    parts: list[Html] = []
    labels = {s.metric: s.label for s in dossier.comparison.results}
    for result in dossier.buckets:
        shown = buckets.sections(result)
        for table, section in zip(result.tables, shown, strict=False):
            label = labels.get(table.metric, table.metric)
            parts.append(_heading(f"{label} by {result.by}"))
            parts += _charts([bucket_chart(result, table, label, links)], charts)
            own = linked_buckets(section.tables[0], result, table, links)
            parts.append(table_block(own, f"buckets-{result.by}", section.title))
            parts.append(html_list(section.sentences) if section.sentences else NOTHING)
        parts.append(_notes(shown[-1], signatures_too=False))
    if dossier.histograms and charts:
        parts.append(_heading("How scores are spread"))
        drawn = [histogram_chart(own, links) for own in dossier.histograms]
        drawn += [grid_chart(own, links) for own in dossier.grids]
        parts += _beside(_charts(drawn, charts), "beside small")
    if dossier.changes is not None:
        parts += _changes(dossier.changes, links)
    return _joined(parts)


def _changes(result: Changes, links: Links) -> list[Html]:
    first, *others = changes.sections(result, GAINS)
    parts = [_heading(first.title)]
    parts.append(table_block(linked_verdicts(first.tables[0], result, links), "changes", first.title))
    parts.append(html_list(first.sentences))
    sides = [
        [change for change in result.changes if change.size > 0][:GAINS],
        [change for change in reversed(result.changes) if change.size < 0][:GAINS],
    ]
    for section, chosen in zip(others, [side for side in sides if side], strict=True):
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
        for section, chosen in zip(ngrams.sections(ngram), (ngram.more, ngram.less), strict=False):
            tables = [linked_ngrams(table, ngram, chosen, links) for table in section.tables]
            own = [table_block(table, section.title, section.title) for table in tables]
            sentences = [html_list(section.sentences)] if section.sentences else []
            sides.append(html("<div>{}</div>", _joined([_heading(section.title), *own, *sentences])))
        parts += _beside(sides)
    parts += [_notes(ngrams.sections(dossier.ngrams[-1])[-1])] if dossier.ngrams else []
    if dossier.words is not None:
        [section] = words.sections(dossier.words)
        parts.append(_heading(section.title))
        parts.append(
            table_block(linked_words(section.tables[0], dossier.words, links), "words", section.title)
        )
        parts.append(_notes(section))
    if dossier.diversity is not None:
        [section] = diversity.sections(dossier.diversity)
        texts = [text.text for text in dossier.diversity.texts]
        parts.append(_heading(section.title))
        parts.append(table_block(linked_texts(section.tables[0], texts, links), "diversity", section.title))
        parts.append(_notes(section))
    return _joined(parts)


def _errors(dossier: Dossier, links: Links, *, charts: bool) -> list[Html]:
    result = dossier.errors
    assert result is not None
    linking = {
        "rates": linked_error_rates,
        "differences": linked_error_differences,
        "words": linked_error_words,
    }
    parts = []
    for section in error_classes.sections(result):
        parts.append(_heading(section.title) if section.title else NOTHING)
        if section.key == "rates":
            parts += _charts([error_chart(result, links)], charts)
        for table in section.tables:
            own = linking[section.key](table, result, links)
            parts.append(table_block(own, f"errors-{section.key}", section.title))
        parts.append(html_list(section.sentences) if section.sentences else NOTHING)
        parts.append(_notes(section))
    return parts


def _faults(dossier: Dossier, links: Links, *, charts: bool) -> list[Html]:
    result = dossier.faults
    assert result is not None
    rates, places, notes = faults.sections(result)
    chart = fault_chart(result, links)
    parts = [_heading(rates.title)]
    parts += _charts([chart] if chart else [], charts)
    parts.append(table_block(linked_faults(rates.tables[0], result, links), "faults", rates.title))
    parts.append(html_list(rates.sentences) if rates.sentences else NOTHING)
    if places.tables:
        shown = [
            (own.system, example.segment)
            for kind in result.kinds
            for own in kind.systems
            if own.system != REFERENCE
            for example in own.examples[: faults.EXAMPLES]
        ]
        own = linked_places(places.tables[0], shown, links)
        parts.append(_folded(places.title, [table_block(own, "fault-places", places.title)]))
    parts.append(_notes(notes))
    return parts


def how_part(dossier: Dossier, view: View) -> Html:
    """How it was tested and scored, and from which files."""
    comparison = dossier.comparison
    notes: list[str | Signature] = [
        *comparison_words.how(comparison, view),
        *signatures(comparison.results),
        facts(comparison.test_set),
    ]
    notes += dossier.notes
    files = NOTHING.join(html("<li>{} <code>{}</code></li>", i.path, i.sha256[:12]) for i in dossier.inputs)
    return _notes(Section(notes=tuple(notes))) + (html('<ul class="files">{}</ul>', files) if files else "")


def _charts(charts: Sequence[Chart], wanted: bool) -> list[Html]:
    return [chart_figure(chart) for chart in charts] if wanted else []


def _beside(parts: Sequence[Html], kind: str = "beside") -> list[Html]:
    """Parts that stand beside each other where there is room."""
    return [html('<div class="{}">{}</div>', kind, _joined(parts))] if parts else []


def _folded(title: str, parts: Sequence[Html]) -> Html:
    """What is opened by whoever wants it."""
    return html('<details class="fold"><summary>{}</summary>{}</details>', prose(title), _joined(parts))


def _heading(title: str) -> Html:
    return html("<h3>{}</h3>", prose(title))


def _notes(section: Section, *, signatures_too: bool = True) -> Html:
    notes = [note for note in section.notes if signatures_too or isinstance(note, str)]
    if not notes:
        return NOTHING
    inner = NOTHING.join(html("<p>{}</p>", prose(note_text(note))) for note in notes)
    return html('<div class="notes">{}</div>', inner)


def _joined(parts: Sequence[Html]) -> Html:
    return NEW_LINE.join(part for part in parts if part)
