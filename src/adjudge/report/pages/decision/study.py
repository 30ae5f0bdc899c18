"""A study of several test sets for whoever decides, on one page: which engine over all of them, and test by test."""

from __future__ import annotations

from adjudge.comparison.verdict import compared_on_fewer
from adjudge.display import Cell, Column, Row, Table, visible
from adjudge.dossiers.study_dossier import StudyDossier
from adjudge.report.pages.decision.one_set import (
    STYLES,
    TITLE,
    bills_part,
    estimates_part,
    example_block,
    facts_list,
    headline,
    page_title,
    people_leads,
    reservations,
    three_examples,
    verdict_facts,
    verdict_headline,
)
from adjudge.report.pages.exhibits import table_block
from adjudge.report.pages.report.study_words import people_sentence, sets_tested
from adjudge.report.render.html import html_list
from adjudge.report.render.markup import NOTHING, Html, html, prose
from adjudge.report.render.page import page
from adjudge.wording import are, join_names, pluralise

MOST = 8
"""Tests that a page has room for, one by one."""
FEW = 3
ALIKE = "All tests count alike in it."


def manager_study_page(dossier: StudyDossier, version: str) -> Html:
    """The page: no number without a sentence that says what it means."""
    bills = [(own.title, bills_part(own.dossier)) for own in dossier.sets]
    measured = [(f"What does it cost? {name}", bill) for name, bill in bills if bill][:FEW]
    estimated = estimates_part(
        dossier.costs, dossier.verdict, dossier.currency, ALIKE if dossier.costs else ""
    )
    parts = [
        ("How sure is that?", facts_list(_sure(dossier))),
        ("Test by test", _tests(dossier)),
        *(measured or [("What does it cost?", estimated)]),
        ("Three examples", _examples(dossier)),
        ("Before you decide", html_list(_reservations(dossier))),
    ]
    engines = pluralise(len(dossier.study.systems), "engine")
    count = f"{engines}, tested on {pluralise(len(dossier.sets), 'kind')} of text"
    body = [
        html('<header class="manager"><h1>{}</h1>', TITLE),
        html('<p class="soft">{}</p></header>', prose(f"{count} ({dossier.name}).")),
        html('<main class="manager">'),
        html('<p class="verdict">{}</p>', prose(study_headline(dossier))),
        *(html("<section><h2>{}</h2>\n{}\n</section>", name, inner) for name, inner in parts if inner),
        html("</main>"),
        html('<footer class="manager"><p>adjudge {}</p></footer>', version),
    ]
    return page(page_title(dossier.verdict), body, styles=STYLES, modules=("exports.js",), images=True)


def study_headline(dossier: StudyDossier) -> str:
    """Which engine over all tests, in words as strong as what is known."""
    verdict = dossier.verdict
    text = verdict_headline(verdict, "these tests, taken together,", len(dossier.segments))
    fewer = compared_on_fewer(dossier.study, verdict)
    if fewer and verdict.systems:
        text += f" With {join_names(fewer, FEW)}, {verdict.system} is compared on the tests that both took."
    if dossier.put_first and not verdict.by_people:
        text += f" {people_sentence(dossier, 'test')}"
    return text


def _sure(dossier: StudyDossier) -> list[tuple[str, str]]:
    size = (
        f"{pluralise(len(dossier.segments), 'sentence')} in {pluralise(len(dossier.sets), 'test')}. {ALIKE}"
    )
    facts = [("Size of the tests", size), *verdict_facts(dossier.verdict)]
    if dossier.put_first:
        facts.append(("Test by test", people_sentence(dossier, "test")))
    return facts


def _tests(dossier: StudyDossier) -> Html:
    head = (Column("Test"), Column("Sentences", True), Column("Which engine", wide=0.7))
    rows = tuple(
        Row(
            (
                Cell(visible(own.title)),
                Cell(f"{len(own.dossier.segments):,}"),
                Cell(visible(headline(own.dossier))),
            )
        )
        for own in dossier.sets[:MOST]
    )
    left = len(dossier.sets) - MOST
    notes = [f"And {pluralise(left, 'further test')}."] if left > 0 else []
    if sets_tested(dossier) > 1:
        often = f"about one test in {round(1 / dossier.study.plan.alpha)}"
        notes.append(
            f"Each test is judged by itself: were engines equally good, {often} would still prefer one of them."
        )
    return table_block(Table(head, rows), "tests", "Test by test") + (html_list(notes) if notes else NOTHING)


def _examples(dossier: StudyDossier) -> Html:
    """A gain, a loss and an ordinary difference, each of another test where there are as many."""
    shown = [
        (own.title, own.dossier.changes, three_examples(own.dossier.changes, people_leads(own.dossier)))
        for own in dossier.sets[:FEW]
        if own.dossier.changes is not None
    ]
    blocks = []
    for place in range(FEW if shown else 0):
        name, result, examples = shown[place % len(shown)]
        for title, change in examples[place : place + 1]:
            blocks.append(example_block(f"{name}: {title}", change, result))
    return NOTHING.join(blocks)


def _reservations(dossier: StudyDossier) -> list[str]:
    """What is open in any test, once, with the tests that it is open in."""
    tests: dict[str, list[str]] = {}
    for own in dossier.sets:
        for sentence in reservations(own.dossier):
            tests.setdefault(sentence, []).append(own.title)
    every = len(dossier.sets)
    return _untested(dossier) + [
        sentence if len(names) == every else f"{join_names(names, 4)}: {sentence}"
        for sentence, names in sorted(tests.items(), key=lambda entry: entry[0].startswith("All of this"))
    ]


def _untested(dossier: StudyDossier) -> list[str]:
    """Engines that some test has no translations of."""
    return [
        f"{join_names(systems, 4)} {'was' if len(systems) == 1 else 'were'} not tested on {join_names(sets, 4)}, and "
        f"{are(len(systems))} compared on the other tests."
        for sets, systems in dossier.lacking.items()
    ]
