"""The page for decision-makers, of one test or several: which engine, how sure, what it costs, three examples."""

from __future__ import annotations

from collections.abc import Sequence

from adjudge.comparison.pairwise_view import FEWEST
from adjudge.comparison.verdict import (
    compared_on_fewer,
)
from adjudge.display import Cell, Column, Row, Table, visible
from adjudge.dossiers.checklist import UNKNOWN
from adjudge.dossiers.evaluation_dossier import Dossier
from adjudge.dossiers.study_dossier import StudyDossier
from adjudge.report.pages.exhibits import table_block
from adjudge.report.pages.manager.costs import bills_part, estimates_part
from adjudge.report.pages.manager.examples import examples_part
from adjudge.report.pages.manager.words import (
    OPEN_POINTS,
    PARTS_SEEN,
    SCOPE,
    TITLE,
    dependence_sentences,
    page_title,
    verdict_facts,
    verdict_headline,
)
from adjudge.report.pages.report.study_words import people_sentence, sets_tested
from adjudge.report.render.html import html_list
from adjudge.report.render.markup import NOTHING, Html, html, prose
from adjudge.report.render.page import page
from adjudge.stats.design import DOCUMENT, TEXT
from adjudge.wording import are, join_names, pluralise

STYLES = ("analysis.css", "report.css")
MOST = 8
"""Tests that a page has room for, one by one."""
FEW = 3
ALIKE = "All tests count alike in it."


def manager_page(dossier: Dossier | StudyDossier, version: str) -> Html:
    """The page: no number without a sentence that says what it means."""
    study = dossier if isinstance(dossier, StudyDossier) else None
    sets = dossiers_of(dossier)
    parts = [
        ("How sure is that?", facts_list(certainty_facts(dossier))),
        *([("Test by test", _tests(study))] if study is not None else []),
        *_costs(dossier, sets),
        ("Three examples", examples_part(sets)),
        ("Before you decide", html_list(reservations(dossier))),
    ]
    body = [
        html('<header class="manager"><h1>{}</h1>', TITLE),
        html('<p class="soft">{}</p></header>', prose(_about(dossier))),
        html('<main class="manager">'),
        html('<p class="verdict">{}</p>', prose(headline(dossier))),
        *(html("<section><h2>{}</h2>\n{}\n</section>", name, inner) for name, inner in parts if inner),
        html("</main>"),
        html('<footer class="manager"><p>adjudge {}</p></footer>', version),
    ]
    return page(page_title(dossier.verdict), body, styles=STYLES, modules=("exports.js",), images=True)


def dossiers_of(dossier: Dossier | StudyDossier) -> list[tuple[str, Dossier]]:
    """Every test by its title, which a test alone needs not."""
    if isinstance(dossier, StudyDossier):
        return [(set_dossier.title, set_dossier.dossier) for set_dossier in dossier.sets]
    return [("", dossier)]


def _about(dossier: Dossier | StudyDossier) -> str:
    if isinstance(dossier, StudyDossier):
        engines = pluralise(len(dossier.study.systems), "engine")
        return f"{engines}, tested on {pluralise(len(dossier.sets), 'kind')} of text ({dossier.name})."
    segments = pluralise(dossier.comparison.test_set.segments, "sentence")
    engines = pluralise(len(dossier.systems), "engine")
    name = dossier.segments.name
    return f"{engines}, tested on {segments}{f' ({name})' if name else ''}."


def facts_list(facts: Sequence[tuple[str, str]]) -> Html:
    """Facts, each behind what it is about."""
    rows = (html("<dt>{}</dt><dd>{}</dd>", name, prose(text)) for name, text in facts)
    return html('<dl class="facts">{}</dl>', NOTHING.join(rows))


def headline(dossier: Dossier | StudyDossier) -> str:
    """Which engine, in one sentence as strong as what is known."""
    if isinstance(dossier, StudyDossier):
        return _study_headline(dossier)
    outputs = [dossier.segments.outputs.get(name) for name in dossier.verdict.systems]
    return verdict_headline(
        dossier.verdict,
        sentences=dossier.comparison.test_set.segments,
        same_text=all(output is not None and output == outputs[0] for output in outputs),
    )


def _study_headline(dossier: StudyDossier) -> str:
    """Which engine over all tests, in words as strong as what is known."""
    verdict = dossier.verdict
    text = verdict_headline(verdict, "these tests, taken together,", len(dossier.segments))
    fewer = compared_on_fewer(dossier.study, verdict)
    if fewer and verdict.systems:
        text += f" With {join_names(fewer, FEW)}, {verdict.system} is compared on the tests that both took."
    if dossier.put_first and not verdict.by_people:
        text += f" {people_sentence(dossier, 'test')}"
    return text


def certainty_facts(dossier: Dossier | StudyDossier) -> list[tuple[str, str]]:
    """The size of the test, the size of the difference, whether it matters, and how sure it is: each by itself."""
    if not isinstance(dossier, StudyDossier):
        judgements = dossier.people.facts.judgements if dossier.people else 0
        return [("Size of the test", _size(dossier)), *verdict_facts(dossier.verdict, judgements)]
    size = (
        f"{pluralise(len(dossier.segments), 'sentence')} in {pluralise(len(dossier.sets), 'test')}. {ALIKE}"
    )
    facts = [("Size of the tests", size), *verdict_facts(dossier.verdict)]
    if dossier.put_first:
        facts.append(("Test by test", people_sentence(dossier, "test")))
    return facts


def _size(dossier: Dossier) -> str:
    count = dossier.comparison.test_set.segments
    judged = dossier.verdict.segments if dossier.verdict.by_people else 0
    design = dossier.comparison.design
    text = pluralise(count, "sentence")
    if design is not None and design.unit == DOCUMENT:
        text += f" from {pluralise(design.units, DOCUMENT)}"
    if design is not None and design.unit == TEXT:
        text += f", of which {design.units:,} are different"
    if judged:
        text += f"; people judged {judged:,} of them for the two engines that are compared below"
    if (dossier.verdict.segments or count) < FEWEST:
        return f"{text}. That is too short to tell engines apart."
    return f"{text}."


def _tests(dossier: StudyDossier) -> Html:
    head = (Column("Test"), Column("Sentences", True), Column("Which engine", wide=0.7))
    rows = tuple(
        Row(
            (
                Cell(visible(set_dossier.title)),
                Cell(f"{len(set_dossier.dossier.segments):,}"),
                Cell(visible(headline(set_dossier.dossier))),
            )
        )
        for set_dossier in dossier.sets[:MOST]
    )
    left = len(dossier.sets) - MOST
    notes = [f"And {pluralise(left, 'further test')}."] if left > 0 else []
    if sets_tested(dossier) > 1:
        often = f"about one test in {round(1 / dossier.study.plan.alpha)}"
        notes.append(
            f"Each test is judged by itself: were engines equally good, {often} would still prefer one of them."
        )
    return table_block(Table(head, rows), "tests", "Test by test") + (html_list(notes) if notes else NOTHING)


def _costs(dossier: Dossier | StudyDossier, sets: Sequence[tuple[str, Dossier]]) -> list[tuple[str, Html]]:
    """Bills where people's time was measured, else words to change, and what that is."""
    bills = [(f"What does it cost? {name}".rstrip(), bills_part(set_dossier)) for name, set_dossier in sets]
    measured = [(title, bill) for title, bill in bills if bill][:FEW]
    more = ALIKE if isinstance(dossier, StudyDossier) and dossier.costs else ""
    estimated = estimates_part(dossier.costs, dossier.verdict, dossier.currency, more)
    return measured or [("What does it cost?", estimated)]


def reservations(dossier: Dossier | StudyDossier) -> list[str]:
    """What is open in any test, once, with the tests that it is open in."""
    sets = dossiers_of(dossier)
    tests: dict[str, list[str]] = {}
    for name, set_dossier in sets:
        for sentence in _open_points(set_dossier):
            tests.setdefault(sentence, []).append(name)
    untested = _untested(dossier) if isinstance(dossier, StudyDossier) else []
    return untested + [
        sentence if len(names) == len(sets) else f"{join_names(names, 4)}: {sentence}"
        for sentence, names in sorted(tests.items(), key=lambda entry: entry[0] == SCOPE)
    ]


def _open_points(dossier: Dossier) -> list[str]:
    """What is not known and could change the answer."""
    verdicts = [(point.name, point.verdict) for point in dossier.soundness.points]
    if dossier.verdict.certainty in ("short", "identical"):  # how short it is, or how small, is said above
        verdicts = [verdict for verdict in verdicts if verdict[0] != "size"]
    if dossier.comparison.test.correction != "none":  # what else is wrong with tests is said by itself
        verdicts = [verdict for verdict in verdicts if verdict[0] != "tests"]
    sentences = [OPEN_POINTS[verdict] for verdict in verdicts if verdict in OPEN_POINTS]
    if dossier.lint.training:  # somebody did look
        sentences = [
            PARTS_SEEN if sentence == OPEN_POINTS["training", UNKNOWN] else sentence for sentence in sentences
        ]
    return [*dependence_sentences(dossier.verdict), *sentences, SCOPE]


def _untested(dossier: StudyDossier) -> list[str]:
    """Engines that some test has no translations of."""
    return [
        f"{join_names(systems, 4)} {'was' if len(systems) == 1 else 'were'} not tested on {join_names(sets, 4)}, and "
        f"{are(len(systems))} compared on the other tests."
        for sets, systems in dossier.lacking.items()
    ]


def sentences_of(dossier: Dossier) -> Sequence[str]:
    """All that the page says of who is better, and how sure."""
    return (headline(dossier), *(text for _, text in certainty_facts(dossier)))
