"""The page for whoever decides: words as strong as the tests, none that the researcher's page contradicts."""

import re
from dataclasses import replace

import pytest

from adjudge.findings.choice import Choice
from adjudge.report.dossier_links import Links
from adjudge.report.dossier_words import chance_sentence, plain_sentences, summary, winner_sentence
from adjudge.report.manager import (
    OPEN_POINTS,
    example_block,
    headline,
    manager_page,
    reservations,
    sentences_of,
    three_examples,
)
from helpers.dossiers import example_dossier

BASE = Choice("a", "clear", ("b",), (), (), (), (), (), (), ("BLEU",), 0.05, "b")
CASES = {
    "clear": BASE,
    "partly": replace(BASE, certainty="partly", beaten=(), partly=("b",)),
    "open": replace(BASE, certainty="open", beaten=(), unclear=("b",)),
    "contradicted": replace(BASE, certainty="contradicted", beaten=(), contradicted=("b",)),
    "behind": replace(BASE, certainty="behind", beaten=(), better=("b",)),
    "behind by some": replace(BASE, certainty="behind", beaten=(), ahead=("b",)),
    "untested": replace(BASE, certainty="untested", beaten=(), untested=("b",)),
    "incomplete": replace(BASE, system="", certainty="incomplete", beaten=(), untested=("a", "b"), rival=""),
    "alone": replace(BASE, certainty="alone", beaten=(), rival=""),
}


@pytest.mark.parametrize("name", CASES)
def test_both_pages_say_the_same_of_every_certainty(name) -> None:
    own = replace(example_dossier(), choice=CASES[name])
    ours, theirs = headline(own), winner_sentence(own.choice)
    wins = [bool(re.search(r"\bbetter than\b", text)) and "not every" not in text for text in (ours, theirs)]
    assert wins == [name == "clear"] * 2, (ours, theirs)
    assert ("cannot be told apart" in ours) == ("cannot be told apart" in theirs) == (name == "open")


@pytest.mark.parametrize("name", CASES)
def test_no_p_and_no_terms_of_statistics(name) -> None:
    own = replace(example_dossier(), choice=CASES[name])
    text = " ".join(sentences_of(own))
    assert not re.search(r"\bp [<=>≤]|signific|interval|cluster|Holm|null", text)


def test_only_what_is_clear_is_promised_to_be_more_than_chance() -> None:
    promised = {
        name: "more than chance" in headline(replace(example_dossier(), choice=own))
        for name, own in CASES.items()
    }
    assert promised == {name: name in ("clear", "behind") for name in CASES}


def test_what_is_said_of_chance_is_about_what_was_found() -> None:
    told = {
        name: chance_sentence(own, "holm", 3, 0.05, "a test set like this") for name, own in CASES.items()
    }
    assert {name for name, text in told.items() if text.startswith("Were systems equal")} == {
        *("clear", "partly", "contradicted", "behind", "behind by some")
    }
    assert [name for name, text in told.items() if text.startswith("What cannot be told apart")] == ["open"]


def test_a_baseline_that_is_better_is_said_to_be() -> None:
    own = replace(example_dossier(), choice=CASES["behind"])
    assert winner_sentence(own.choice) == "a does not win: by BLEU b is better."
    assert headline(own) == "Not a: b translates this test better, by more than chance explains."
    assert "<title>Which engine? b</title>" in manager_page(own, "1")
    some = replace(own, choice=CASES["behind by some"])
    assert winner_sentence(some.choice) == "a does not win: by some of BLEU b is better, and by none worse."
    assert headline(some) == "Not a: b translates this test better, though not every measure shows it."


def test_the_point_about_metrics_names_the_baseline_where_they_put_it_first() -> None:
    own = example_dossier(baseline="neural-fixed")
    assert own.choice.system == "neural"
    evidence = next(point.evidence for point in own.soundness.points if point.name == "metrics")
    assert "put neural first" not in evidence


def test_people_go_before_metrics() -> None:
    own = example_dossier(people=True)
    assert any(sentence.startswith("People (") for sentence in sentences_of(own))
    text = manager_page(own, "1")
    assert "Which engine?" in text


def test_costs_are_called_an_estimate() -> None:
    text = manager_page(example_dossier(), "1")
    assert "An estimate, not a bill" in text
    assert "editing 1,000 words" in text
    without = manager_page(replace(example_dossier(), costs=()), "1")
    assert "Not known" in without


def test_what_is_open_is_told_in_plain_words() -> None:
    told = reservations(example_dossier())
    assert OPEN_POINTS["people", "unknown"] in told
    assert told[-1].startswith("All of this holds for texts like those")
    assert not any("adjudge" in sentence or "--" in sentence for sentence in told)


def test_examples_are_sentences_that_measures_see_alike() -> None:
    result = example_dossier().changes
    first = result.changes[0]
    short = replace(first, size=99.0, reference="Yes.", new="Yes.", old="No.")
    mixed = replace(first, size=98.0, verdict="mixed")
    shown = three_examples(replace(result, changes=(short, mixed, *result.changes)))
    assert shown[0][1].segment == first.segment
    assert shown[0][1].reference == first.reference
    assert shown[0][1].verdict == "better"
    assert three_examples(replace(result, changes=(short,)))[0][1] == short


def test_an_engine_that_gave_nothing_is_shown_and_every_script_runs_its_own_way() -> None:
    result = example_dossier().changes
    block = example_block("x", replace(result.changes[0], old="", new="שלום."), result)
    assert f"<dt>{result.old}</dt><dd>(nothing)</dd>" in block
    assert '<dd dir="auto">שלום.</dd>' in block


def test_three_examples_are_three_segments_where_there_are_as_many() -> None:
    changes = example_dossier().changes
    shown = three_examples(changes)
    assert len({change.segment for _, change in shown}) == 3
    assert len(three_examples(replace(changes, changes=changes.changes[:1]))) == 1
    assert three_examples(replace(changes, changes=())) == []


def test_the_summary_of_the_examples() -> None:
    own = example_dossier()
    text = plain_sentences(summary(own, Links(own.segments)))
    assert text[0].startswith("neural-fixed is ahead, by some metrics") or "cannot be told apart" in text[0]
    assert any("points pass" in sentence for sentence in text)
