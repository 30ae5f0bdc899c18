"""A verdict in words that need no statistics: which engine, does it matter, how sure, and what is open."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace

from adjudge.comparison.pairwise_view import FEWEST
from adjudge.comparison.relevance import NOTICE, Visibility, in_hundred
from adjudge.comparison.verdict import Difference, Verdict, decide, leads, opinion, repeats, who_has
from adjudge.dossiers.checklist import FAIL, UNKNOWN
from adjudge.stats.design import FEWEST as FEWEST_ANNOTATORS
from adjudge.stats.design import RUN, SAFE_ANNOTATORS
from adjudge.stats.intervals import wilson
from adjudge.wording import digits, join_names, pluralise, with_sign

TITLE = "Which engine?"
NAMES = 12
FEW = 4
"""Engines up to which each is named where all are meant."""
OPEN_POINTS = {
    ("tests", FAIL): "Differences were tested one by one: of so many, some look larger than they are.",
    ("metrics", FAIL): "The automatic measures do not agree, or there is one only.",
    ("metrics", UNKNOWN): "The automatic measures do not all put the same engine first.",
    ("people", FAIL): "People judged other engines than the one that leads.",
    (
        "people",
        UNKNOWN,
    ): "No people judged these translations, and automatic measures can be wrong.",
    ("settings", FAIL): "Scores were made with different settings.",
    ("files", FAIL): "Something is wrong with the files of this test; somebody should look first.",
    ("training", FAIL): "Part of the test stands in what an engine was trained on: its scores are too good.",
    ("training", UNKNOWN): "It was not checked whether an engine was trained on this very test.",
    (
        "creation direction",
        FAIL,
    ): "Part of the test was itself translated into the source language: it is easier than your texts.",
    (
        "creation direction",
        UNKNOWN,
    ): "It is not known whether the test was first written in the source language, as your texts are.",
    ("size", UNKNOWN): "The test is too short to show a difference this small.",
}
"""What is open, for people who do not evaluate translations for a living: by point and verdict."""


ANSWERS: Mapping[Visibility, str] = {
    "clear": "Yes",
    "likely": "Probably",
    "doubtful": "Perhaps not",
    "slight": "Hardly",
}
"""To whether people notice the difference."""
SCOPE = "All of this holds for texts like those of this test; for others, test again."
PARTS_SEEN = "Parts of the test stand in what an engine was trained on: its scores may be too good."


def page_title(verdict: Verdict) -> str:
    """The question, and the engine that the page speaks for, where it speaks for one."""
    return f"{TITLE} {verdict.winner}".strip()


def verdict_headline(
    verdict: Verdict, tests: str = "texts like these", sentences: int = 0, *, same_text: bool = False
) -> str:
    """Which engine, in words that need no statistics; `same_text` if the engines named give the same translations."""
    names = join_names(verdict.systems, NAMES)
    if verdict.winner:
        return _winner_headline(verdict, tests)
    sentences = verdict.segments or sentences
    noun = "different sentence" if repeats(verdict) else "sentence"
    return {
        "open": f"No clear winner: this test shows no difference between {names}. That does not make them equally "
        "good. Test more text, or let price, speed or terms decide for now.",
        "split": f"No single winner: {leads(verdict)}. {_advice(verdict)}",
        "identical": f"No difference: {names} {'give the same translation of' if same_text else 'score the same on'} "
        f"every sentence of this test.{_better_than_the_rest(verdict, tests)}",
        "short": f"Too short a test to tell: {pluralise(sentences, noun)} cannot show which of {names} is better. "
        f"Test at least {FEWEST}, better several hundred.",
        "several": f"No single winner: {names} each translate {tests} better than {verdict.evidence.baseline}, but "
        "were not tested against each other.",
        "untested": f"Undecided: {verdict.evidence.refusal}."
        if verdict.evidence.refusal
        else f"Undecided: none of {names} was tested against another.",
        "opinion": f"Undecided: {opinion(verdict)}. Ask at least {SAFE_ANNOTATORS} people before you decide.",
        "incomplete": f"Undecided: {who_has('engine', verdict)} been tested on all tests, so that none can be chosen "
        "over all of them. Test by test, below, engines are compared.",
        "alone": f"{names} is the only engine tested: there is nothing to choose.",
    }[verdict.certainty]


def _winner_headline(verdict: Verdict, tests: str) -> str:
    """The engine that wins, with what is to be said in the same breath."""
    name, others = verdict.winner, _rivals(verdict)
    if verdict.metrics is not None and verdict.metrics.winner not in ("", name):
        return f"{name}: people prefer it, though automatic measures prefer {verdict.metrics.winner}."
    if verdict.certainty == "partly":
        return (
            f"{name} leads, with a reservation: not every measure shows that it is better than "
            f"{join_names(verdict.partly, NAMES)}."
        )
    by = "People judge that it" if verdict.by_people else "By every measure it"
    return f"{name}. {by} translates {tests} better than {others}{_hardly(verdict)}."


def _hardly(verdict: Verdict) -> str:
    """Of a difference that does not matter: that it is so, to go on with."""
    return f". The difference is real but {_doubt(verdict)}" if verdict.exceeds_margin is False else ""


def _one_of_the_same(verdict: Verdict) -> Verdict | None:
    """One of several engines that score the same, against the others; None unless it is shown to be better."""
    if verdict.certainty != "identical":
        return None
    same, evidence = verdict.systems, verdict.evidence
    first = evidence.baseline if evidence.baseline in same else same[0]
    order = tuple(name for name in verdict.order if name == first or name not in same)
    relations = {pair: own for pair, own in evidence.relations.items() if pair <= set(order)}
    alone = decide(replace(evidence, order=order, relations=relations))
    return alone if alone.winner else None


def _better_than_the_rest(verdict: Verdict, tests: str) -> str:
    """Than which engines those that score the same are better, as a sentence to go on with; '' where there are none."""
    shown = _one_of_the_same(verdict)
    if shown is None:
        return ""
    who = "both" if len(verdict.systems) == 2 else "all of them"
    if shown.certainty == "partly":
        rivals = join_names(shown.partly, NAMES)
        return f" {who.capitalize()} lead, but not every measure shows that they are better than {rivals}."
    by = "People judge that" if shown.by_people else "By every measure"
    return f" {by} {who} translate {tests} better than {_rivals(shown)}{_hardly(shown)}."


def _advice(verdict: Verdict) -> str:
    if verdict.by_people:
        return "Let people judge more text before you decide."
    return "Let people judge before you decide."


def verdict_facts(verdict: Verdict, judgements: int = 0) -> list[tuple[str, str]]:
    """The size of the difference, whether it matters, and how sure it is."""
    facts = []
    shown = _one_of_the_same(verdict) if verdict.certainty == "identical" else verdict
    if shown is not None and (size := _difference(shown)):
        facts.append(("Size of the difference", size))
        facts.append(("Does it matter?", matters(shown)))
    return [*facts, *sure_facts(verdict, judgements)]


def _difference(verdict: Verdict) -> str:
    """How far two engines lie apart, in scores and in sentences, with what is likely for other texts."""
    own = verdict.difference
    if own is None or math.isnan(own.delta):
        return ""
    places = digits([own.delta, own.low, own.high], own.decimals)
    likely = ""
    if verdict.certainty == "short":
        likely = f" on {'this sentence' if own.units == 1 else 'these sentences'}"
    elif math.isfinite(own.low) and math.isfinite(own.high) and not verdict.evidence.refusal:
        ends = sorted((own.low, own.high))
        likely = (
            f"; other texts like these would likely give {with_sign(ends[0], places)} to "
            f"{with_sign(ends[1], places)}"
        )
    what = "in people’s judgements" if verdict.by_people else f"in {own.label}"
    better = "" if own.higher_is_better else " (lower is better)"
    text = f"{own.a} against {own.b}: {with_sign(own.delta, places)} {what}{better}{likely}."
    if verdict.certainty == "short":
        return f"{text} {_counts(own)}".strip()
    design = verdict.evidence.design
    drawn = design.units if design is not None else own.units
    return f"{text} {_shares(own, min(own.units, drawn))}".strip()


def _counts(difference: Difference) -> str:
    """On how many of a few sentences one is better: so few say nothing about other texts."""
    if math.isnan(difference.better_on) or not difference.units:
        return ""
    better, worse = (round(share * difference.units) for share in (difference.better_on, difference.worse_on))
    if difference.units == 1:
        return (
            f"{difference.a} is {'better' if better else 'worse' if worse else 'as good'} on it. Other texts "
            "may differ."
        )
    return (
        f"Of the {pluralise(difference.units, 'sentence')}, {difference.a} is better on {better} and worse "
        f"on {worse}. Other texts "
        "may differ from these."
    )


def _shares(difference: Difference, items: int) -> str:
    """On how many sentences one is better than the other, each share with what is likely for other texts.

    `items` are what stands for itself: documents, where sentences of one document are alike.
    """
    if math.isnan(difference.better_on) or not items:
        return ""
    words = []
    for share in (difference.better_on, difference.worse_on):
        low, high = wilson(share, items)
        words.append(f"{100 * share:.0f} ({100 * low:.0f} to {100 * high:.0f})")
    rest = " On the rest they score the same." if difference.better_on + difference.worse_on < 0.995 else ""
    return (
        f"Of 100 sentences, {difference.a} is better on about {words[0]} and worse on about {words[1]}.{rest}"
    )


def matters(verdict: Verdict) -> str:
    """Whether the difference is one that people notice, or that exceeds the margin that was given."""
    own, known = verdict.difference, verdict.relevance
    if verdict.certainty == "short":
        return "It is not known: so short a test does not tell how large the difference is."
    relation = verdict.relation(*verdict.pair)
    ahead = (
        {difference.ahead for difference in relation.differences} - {""} if relation is not None else set()
    )
    if verdict.certainty == "split" and len(ahead) > 1:
        return "That cannot be told: measures disagree on who is ahead, and people may side with either."
    if own is not None and own.margin is not None:
        verb = "Yes: it exceeds" if verdict.exceeds_margin else "Hardly: it does not exceed"
        return f"{verb} the {own.margin:g} that was given as the smallest difference that matters."
    if verdict.certainty == "opinion":
        return "It is not known: too few people judged the translations to say what others see."
    if verdict.evidence.refusal:
        return "It is not known: nothing can be said of how far they differ."
    if verdict.by_people:
        seen = "and see the difference" if own and own.significant else "and do not tell the two apart"
        return f"People judged the translations themselves, {seen}."
    if known is None:
        return "It is not known how far people notice a difference of this size."
    share = (
        f"about {in_hundred(known.agreement)} of 100 ({in_hundred(known.low)} to {in_hundred(known.high)})"
    )
    start = ANSWERS[known.visibility]
    if own is not None and not own.significant:
        start = f"The difference is not shown to be real. If it is, people {NOTICE[known.visibility]} it"
    return (
        f"{start}: of pairs of engines that differ this much, people elsewhere preferred the same one in {share}; by "
        f"chance it would be 50. (An estimate from {known.data} evaluations.)"
    )


def sure_facts(verdict: Verdict, judgements: int = 0) -> list[tuple[str, str]]:
    """How sure it is by what decides, and what measures say beside people."""
    if verdict.metrics is None:
        by = f"By automatic measures ({join_names(verdict.measures)}): " if verdict.measures else ""
        return [("How sure?", f"{by}{sure_sentence(verdict)}")]
    count = f" ({pluralise(judgements, 'judgement')})" if judgements else ""
    metrics = verdict.metrics
    return [
        ("How sure?", f"People decide{count}: {sure_sentence(verdict)}"),
        (
            "Automatic measures",
            f"They do not overrule people. By {join_names(metrics.measures)}, {sure_sentence(metrics)}",
        ),
    ]


def _doubt(verdict: Verdict) -> str:
    """What is to be said of a difference that does not reach what matters."""
    if verdict.relevance is None or (verdict.difference and verdict.difference.margin is not None):
        return "smaller than what was given as mattering"
    return "hardly visible" if verdict.relevance.visibility == "slight" else "may not be visible"


def _rivals(verdict: Verdict) -> str:
    """Those that the winner is better than, by name where they are few."""
    count = len(verdict.tested)
    return f"each of the {count} other engines" if count > FEW else join_names(verdict.tested)


def _false_alarms(verdict: Verdict, who: str = "they") -> str:
    """Of 100 tests of equal engines, how many call one better: as promised, or estimated where that does not hold."""
    rate = 100 * verdict.evidence.error_rate
    if math.isnan(rate):
        return "How often a test like this would call one of two equally good engines better is not known."
    often = f"about {rate:.0f}" if verdict.evidence.is_estimated else f"up to {rate:.3g}"
    return (
        f"If {who} were equally good, a test like this would still call one of them better in "
        f"{often} of 100 cases."
    )


def sure_sentence(verdict: Verdict) -> str:
    """How sure a verdict is, in words that need no statistics."""
    names = join_names(verdict.systems, NAMES)
    none = (
        f"neither {join_names(verdict.systems, last='nor')} is shown to be better than the other."
        if len(verdict.systems) == 2
        else f"none of {names} is shown to be better than each of the others."
    )
    wrong = _false_alarms(verdict)
    return {
        "clear": f"{names} is better than {_rivals(verdict)}. {wrong}",
        "partly": f"only some of the measures show that {names} is better than {join_names(verdict.partly, NAMES)}. "
        f"{wrong}",
        "open": f"no difference between {names} is shown. They may be equally good, or differ by less than this test "
        "can show.",
        "split": none,
        "identical": f"{names} do not differ at all on this test.{_beaten(verdict)}",
        "short": f"nothing can be said of {names}: the test is too short.",
        "several": f"{names} are better than {verdict.evidence.baseline}. {wrong}",
        "untested": "nothing can be said."
        if verdict.evidence.refusal
        else "engines were not tested against each other.",
        "opinion": f"{opinion(verdict)}. Whether other people would agree is not known.",
        "incomplete": "there is no mean over all tests to compare engines by.",
        "alone": "there is nothing to compare with.",
    }[verdict.certainty]


def _beaten(verdict: Verdict) -> str:
    """How sure it is that engines that score the same are better than others, to go on with; '' if they are not."""
    shown = _one_of_the_same(verdict)
    if shown is None:
        return ""
    who = "Both" if len(verdict.systems) == 2 else "All of them"
    if shown.certainty == "partly":
        told = f"Only some of the measures show that they are better than {join_names(shown.partly, NAMES)}."
    else:
        told = f"{who} are better than {_rivals(shown)}."
    return f" {told} {_false_alarms(shown, 'two engines')}"


def dependence_sentences(verdict: Verdict) -> list[str]:
    """What belongs together in the test and was counted one by one, in plain words."""
    own = verdict.evidence.design
    if own is None or not verdict.evidence.relations:
        return []
    ignored = [grouping.name for grouping in own.ignored]
    names = [f"{name}s" for name in ignored if name != RUN]
    sentences = []
    if RUN in ignored:
        sentences.append(
            "Engines that are trained again score differently, which the test does not allow for."
        )
    if names:
        sentences.append(
            f"Sentences come from the same {join_names(names)} and were counted one by one: the answer is less sure "
            "than their number suggests."
        )
    if own.balance is not None and own.balance.annotators < FEWEST_ANNOTATORS:
        who = "One person" if own.balance.annotators == 1 else "Two people"
        sentences.append(f"{who} judged everything: others may judge differently.")
    if own.missing:
        verb = "lacks" if len(own.missing) == 1 else "lack"
        few = f"{join_names(list(own.missing), 4)} {verb} some of the translations"
        sentences.append(f"{few} that other engines have.")
    return sentences
