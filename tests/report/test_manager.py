"""The page for whoever decides: words as strong as the tests, none that the researcher's page contradicts."""

import re
from dataclasses import replace

import pytest

from adjudge.comparison.verdict import Relation, decide, verdict_sentence
from adjudge.dossiers.checklist import UNKNOWN
from adjudge.dossiers.evaluation_dossier import Dossier
from adjudge.report.pages.manager.costs import MOST_COSTS, shown_costs
from adjudge.report.pages.manager.examples import example_block, three_examples
from adjudge.report.pages.manager.page import (
    certainty_facts,
    headline,
    manager_page,
    reservations,
    sentences_of,
)
from adjudge.report.pages.manager.words import OPEN_POINTS
from adjudge.report.pages.report.links import Links
from adjudge.report.pages.report.words import chance_sentence, difference_sentence, plain_sentences, summary
from adjudge.stats.design import Balance, Design, Grouping
from helpers.dossiers import example_dossier
from helpers.verdicts import against, by_measures, evidence

SAME = decide(replace(evidence("ab"), relations={frozenset("ab"): Relation((), same=True)}))
CASES = {
    "clear": by_measures(("a", True)),
    "partly": by_measures(("a", True), ("a", False)),
    "open": by_measures(("a", False)),
    "split": by_measures(("a", True), ("b", False)),
    "contradicted": by_measures(("a", True), ("b", True)),
    "short": by_measures(("a", True), units=29),
    "identical": SAME,
    "baseline wins": by_measures(("b", True), baseline="b"),
    "several": decide(against("c", evidence("abc", [("a", "c"), ("b", "c")]))),
    "untested": decide(replace(evidence("ab"), relations={})),
    "incomplete": decide(replace(evidence("ab"), complete=False)),
    "alone": decide(evidence("a")),
}
PARTLY = re.compile(r"\bnot every\b|\bnot show\b|\bby some\b")


@pytest.mark.parametrize("name", CASES)
def test_both_pages_name_the_same_systems(name) -> None:
    own = replace(example_dossier(), verdict=CASES[name])
    ours, theirs = headline(own), verdict_sentence(own.verdict)
    wins = [bool(re.search(r"\bbetter than\b", text)) and not PARTLY.search(text) for text in (ours, theirs)]
    assert wins == [name in ("clear", "baseline wins", "several")] * 2, (ours, theirs)
    title = re.search("<title>Which engine\\? ?(.*)</title>", manager_page(own, "1"))
    assert title is not None
    assert title[1] == own.verdict.winner
    assert bool(own.verdict.winner) == (name in ("clear", "partly", "baseline wins"))


@pytest.mark.parametrize("name", CASES)
def test_no_p_and_no_terms_of_statistics(name) -> None:
    own = replace(example_dossier(), verdict=CASES[name])
    text = " ".join(sentences_of(own))
    assert not re.search(r"\bp [<=>≤]|signific|interval|cluster|Holm|null", text)


def test_what_is_said_of_chance_is_about_what_was_found() -> None:
    told = {
        name: chance_sentence(own, "holm", 3, 0.05, "a test set like this") for name, own in CASES.items()
    }
    assert {name for name, text in told.items() if text.startswith("If systems were equally good")} == {
        *("clear", "partly", "contradicted", "split", "baseline wins", "several")
    }
    assert [name for name, text in told.items() if text.startswith("What cannot be told apart")] == ["open"]
    assert told["short"] == "So few segments say little about other texts, whatever p is."


def test_a_baseline_that_is_better_is_said_to_be() -> None:
    own = replace(example_dossier(), verdict=CASES["baseline wins"])
    assert verdict_sentence(own.verdict) == "b wins: by m0 it is better than a."
    assert headline(own) == "b. By every measure it translates texts like these better than a."
    assert "<title>Which engine? b</title>" in manager_page(own, "1")


def test_sizes_are_facts_of_their_own() -> None:
    """Two sentences and +21.8 BLEU are no small difference, but too short a test."""
    own = replace(example_dossier(), verdict=by_measures(("a", False), units=2))
    assert headline(own).startswith(
        "Too short a test to tell: 2 sentences cannot show which of a and b is better."
    )
    assert dict(certainty_facts(own))["Does it matter?"].startswith("It is not known: so short a test")
    facts = dict(certainty_facts(replace(example_dossier(), verdict=CASES["clear"])))
    assert list(facts) == ["Size of the test", "Size of the difference", "Does it matter?", "How sure?"]
    assert facts["Size of the difference"].startswith("a against b: +1.00 in m0")


@pytest.mark.parametrize(("name", "said"), [("short", False), ("identical", False), ("open", True)])
def test_a_small_difference_is_no_excuse_for_a_short_test_or_the_same_output(name, said) -> None:
    plain = example_dossier()
    size = next(point for point in plain.soundness.points if point.name == "size")
    soundness = replace(plain.soundness, points=(replace(size, verdict=UNKNOWN),))
    own = replace(plain, verdict=CASES[name], soundness=soundness)
    assert (OPEN_POINTS["size", UNKNOWN] in reservations(own)) == said


def test_measures_that_disagree_are_told_by_the_one_that_shows_the_difference() -> None:
    """BLEU shows nothing, chrF does: the size, the interval and whether it matters are chrF's."""
    own = replace(example_dossier(), verdict=by_measures(("a", False), ("a", True)))
    assert verdict_sentence(own.verdict) == "a is ahead: by m1 it is better than b, which m0 does not show."
    facts = dict(certainty_facts(own))
    assert " in m1" in facts["Size of the difference"]
    assert "not shown to be real" not in facts["Does it matter?"]
    assert own.verdict.as_document()["difference"]["measure"] == "m1"


@pytest.mark.parametrize("name", ["split", "contradicted"])
def test_measures_that_contradict_each_other_do_not_say_what_people_prefer(name) -> None:
    """BLEU for one and chrF for the other: what people said of such differences of BLEU names no winner here."""
    facts = dict(certainty_facts(replace(example_dossier(), verdict=CASES[name])))
    assert facts["Does it matter?"].startswith("That cannot be told: measures disagree on who is ahead")
    assert "neither a nor b is shown to be better than the other" in facts["How sure?"]


def test_documents_count_in_the_size_of_the_test() -> None:
    own = example_dossier()
    assert own.comparison.design.unit == "document"
    size = dict(certainty_facts(own))["Size of the test"]
    assert size == f"173 sentences from {own.comparison.design.units} documents."


def test_the_judgement_of_one_person_is_said_to_be_that() -> None:
    design = Design("item", 100, balance=Balance(1, 0.0, False))
    own = replace(example_dossier(), verdict=by_measures(("a", True), design=design))
    assert "One person judged everything: others may judge differently." in reservations(own)
    many = Design("item,annotator", 100, balance=Balance(8, 0.0, False))
    own = replace(example_dossier(), verdict=by_measures(("a", True), design=many))
    assert not any("judged everything" in sentence for sentence in reservations(own))


def test_a_short_test_promises_nothing_of_other_texts() -> None:
    """Of so few sentences no share of 100 and no likely range is told, and no difference is called small."""
    short = replace(by_measures(("a", True), units=20))
    sized = replace(short.difference, better_on=0.95, worse_on=0.05)
    relations = {frozenset("ab"): replace(short.relation("a", "b"), differences=(sized,))}
    own = replace(example_dossier(), verdict=decide(replace(short.evidence, relations=relations)))
    size = dict(certainty_facts(own))["Size of the difference"]
    assert "Of the 20 sentences, a is better on 19 and worse on 1." in size
    assert "likely" not in size
    assert "Of 100" not in size
    assert OPEN_POINTS["size", UNKNOWN] not in reservations(own)


def test_engines_with_the_same_score_are_not_said_to_give_the_same_text() -> None:
    relation = replace(by_measures(("a", False)).relation("a", "b"), same=True)
    same = decide(replace(evidence("ab"), relations={frozenset("ab"): relation}))
    own = replace(example_dossier(), verdict=same)
    outputs = own.segments.outputs
    one, other = list(outputs)[:2]

    def told(**texts) -> str:
        return headline(replace(own, segments=replace(own.segments, outputs={**outputs, **texts})))

    assert "score the same on every sentence" in told(a=outputs[one], b=outputs[other])
    assert "give the same translation of every sentence" in told(a=outputs[one], b=outputs[one])


def test_the_third_engine_belongs_in_the_answer_of_two_that_are_the_same() -> None:
    """It said that A and B do not differ, of three engines, and nothing of the one that is worse than both."""
    known = evidence("abc", [("a", "c"), ("b", "c")])
    same = replace(known.relations[frozenset("ab")], same=True)
    own = decide(replace(known, relations={**known.relations, frozenset("ab"): same}))
    assert own.certainty == "identical"
    dossier = replace(example_dossier(), verdict=own)
    assert headline(dossier).endswith(" By every measure both translate texts like these better than c.")
    facts = dict(certainty_facts(dossier))
    assert "Both are better than c. If two engines were equally good" in facts["How sure?"]
    assert facts["Size of the difference"].startswith("a against c: ")
    assert "Does it matter?" in facts
    assert verdict_sentence(own).endswith("; c is worse than both.")


def test_a_test_that_promises_too_much_says_how_often_it_would_be_wrong() -> None:
    """Documents that were torn apart: 5 of 100 are 17 where standard errors are 1.4 times as large, by 47 of them."""
    design = Design("segment", 500, groupings=(Grouping("document", 47, 1.4),))
    torn = by_measures(("a", True), design=design)
    assert torn.evidence.error_rate == pytest.approx(0.168, abs=0.0005)
    own = replace(example_dossier(), verdict=torn)
    assert "in about 17 of 100 cases" in dict(certainty_facts(own))["How sure?"]
    assert any("same documents and were counted one by one" in sentence for sentence in reservations(own))
    assert verdict_sentence(torn).endswith(
        "better than b; such tests tell about 17 % of equal systems apart."
    )
    assert "about 17 times in 100" in chance_sentence(torn, "holm", 3, 0.05, "a test set like this")
    assert torn.as_document()["reservations"] == list(design.reservations())
    assert any(
        design.reservations()[0] == text for text in plain_sentences(summary(own, Links(own.segments)))
    )
    sound = by_measures(("a", True), design=Design("document", 47))
    assert sound.evidence.error_rate == pytest.approx(0.05)
    assert verdict_sentence(sound) == "a wins: by m0 it is better than b."


def test_a_small_difference_is_real_but_hardly_visible() -> None:
    """+0.11 BLEU on 1,000 segments is shown; people elsewhere agreed with such ones little more than by chance."""
    verdict = by_measures(("a", True), units=1000)
    [relation] = verdict.evidence.relations.values()

    def told(delta: float, **more) -> Dossier:
        known = replace(relation.differences[0], metric="bleu", label="BLEU", delta=delta, **more)
        relations = {frozenset("ab"): replace(relation, differences=(known,))}
        return replace(example_dossier(), verdict=decide(replace(verdict.evidence, relations=relations)))

    small = told(0.11)
    assert headline(small).endswith("better than b. The difference is real but hardly visible.")
    assert re.search(r"^Hardly.*in about 5\d of 100", dict(certainty_facts(small))["Does it matter?"])
    assert "People hardly notice a difference of 0.11 BLEU" in " ".join(
        plain_sentences(summary(small, Links(small.segments)))
    )
    assert "visible" not in headline(told(8.0))
    assert headline(told(8.0, margin=9.0)).endswith("real but smaller than what was given as mattering.")


def test_ends_of_an_interval_are_not_rounded_to_nothing() -> None:
    """An interval of -0.002 to +0.017 that holds 0 stood on both pages as "0.00 to +0.02"."""
    verdict = by_measures(("a", False))
    [relation] = verdict.evidence.relations.values()
    near = replace(relation, differences=(replace(verdict.difference, delta=0.007, low=-0.002, high=0.017),))
    own = decide(replace(verdict.evidence, relations={frozenset("ab"): near}))
    assert (
        "−0.002 to +0.017"
        in dict(certainty_facts(replace(example_dossier(), verdict=own)))["Size of the difference"]
    )
    assert "−0.002 to +0.017" in difference_sentence(own)


def test_the_share_of_sentences_carries_its_interval() -> None:
    """Of 200 sentences 80 in 100: by Wilson 74 to 85; of 20 documents they say less."""
    verdict = by_measures(("a", True), units=200)
    [relation] = verdict.evidence.relations.values()
    known = replace(relation.differences[0], better_on=0.8, worse_on=0.2)
    relations = {frozenset("ab"): replace(relation, differences=(known,))}

    def size(**more) -> str:
        own = decide(replace(verdict.evidence, relations=relations, **more))
        return dict(certainty_facts(replace(example_dossier(), verdict=own)))["Size of the difference"]

    assert "better on about 80 (74 to 85) and worse on about 20 (15 to 26)" in size()
    assert "better on about 80 (58 to 92)" in size(design=Design("document", 20))


def test_the_point_about_metrics_names_the_baseline_where_they_put_it_first() -> None:
    own = example_dossier(baseline="neural-fixed")
    assert own.verdict.system == "neural"
    evidence = next(point.evidence for point in own.soundness.points if point.name == "metrics")
    assert "put neural first" not in evidence


def test_people_go_before_metrics() -> None:
    own = example_dossier(people=True)
    assert any(sentence.startswith("People decide (") for sentence in sentences_of(own))
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


def test_examples_follow_people_where_they_judged() -> None:
    """One measure may punish a paraphrase that people prefer."""
    result = example_dossier().changes
    gains = [change for change in result.changes if change.size > 0 and 25 <= len(change.reference) <= 200]
    liked, disliked = gains[-1], gains[0]
    shown = three_examples(result, {liked.segment: 3.0, disliked.segment: -2.0})
    assert shown[:2] == [
        (f"Where {result.new} is most ahead", liked),
        (f"Where {result.new} is most behind", disliked),
    ]


def test_costs_of_the_engines_that_the_page_compares_are_always_shown() -> None:
    """Eight cheap engines would push the two that everything above is about out of the table."""
    own = example_dossier()
    dear = [replace(cost, system=name) for cost, name in zip(own.costs, own.verdict.pair, strict=False)]
    cheap = [replace(own.costs[0], system=f"cheap-{n}", edits=n / 10) for n in range(8)]
    assert [c.system for c in shown_costs([*cheap, *dear], own.verdict)] == [
        *(f"cheap-{n}" for n in range(MOST_COSTS - 2)),
        *own.verdict.pair,
    ]
    page = manager_page(replace(own, costs=(*cheap, *dear)), "1")
    table = page[page.index("words to change, of 100") :]
    assert all(re.search(rf"<t[hd][^>]*>{name}</t[hd]>", table) for name in own.verdict.pair)
    assert "4 more engines are left out" in table


@pytest.mark.parametrize("engines", range(2, 12))
def test_costs_of_contenders_come_before_cheaper_ones(engines: int) -> None:
    names = [f"e{n}" for n in range(engines)]
    verdict = decide(evidence(names))  # none is told apart: all of them are contenders
    costs = [replace(example_dossier().costs[0], system=f"x{n}") for n in range(9)]
    shown = shown_costs([*costs, *(replace(costs[0], system=name) for name in names)], verdict)
    assert sum(cost.system in names for cost in shown) == min(engines, MOST_COSTS)
    assert len(shown) == MOST_COSTS
    assert {*verdict.pair} <= {cost.system for cost in shown}


def test_costs_have_a_currency() -> None:
    assert "editing 1,000 words (EUR)" in manager_page(replace(example_dossier(), currency="EUR"), "1")
    assert "in the currency of the prices that were given" in manager_page(example_dossier(), "1")


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
    assert text[0].startswith("neural-fixed")
    assert any("points pass" in sentence for sentence in text)
