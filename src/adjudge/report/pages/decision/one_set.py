"""A dossier for whoever decides, on one page: which engine, how sure, what it costs, three examples."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TypeVar

from adjudge.analysis.changes import Change, Changes
from adjudge.comparison.pairwise_view import FEWEST
from adjudge.comparison.relevance import NOTICE, Visibility, in_hundred
from adjudge.comparison.verdict import Difference, Verdict, leads, opinion, repeats, who_has
from adjudge.display import Cell, Column, Row, Table, visible
from adjudge.dossiers.checklist import FAIL, UNKNOWN
from adjudge.dossiers.costs import EditingCost
from adjudge.dossiers.dossier_segments import PEOPLE
from adjudge.dossiers.evaluation_dossier import Dossier
from adjudge.human.postediting import Bill
from adjudge.human.postediting_display import SAME_CURRENCY, unsure_costs
from adjudge.report.pages.exhibits import table_block
from adjudge.report.render.html import html_list
from adjudge.report.render.markup import NOTHING, Html, html, prose
from adjudge.report.render.page import page
from adjudge.stats.design import DOCUMENT, RUN, SAFE_ANNOTATORS, TEXT
from adjudge.stats.design import FEWEST as FEWEST_ANNOTATORS
from adjudge.stats.intervals import wilson
from adjudge.wording import are, digits, join_names, number, of_currency, pluralise, signed

Cost = TypeVar("Cost", EditingCost, Bill)
TITLE = "Which engine?"
NAMES = 12
FEW = 4
"""Engines up to which each is named where all are meant."""
MOST_COSTS = 6
"""Engines whose costs a page has room for."""
EXAMPLES = 3
LETTERS, MOST_LETTERS = 40, 200
"""Of an example that says something and leaves room for others, where there is one."""
NO_LEADS: Mapping[int, float] = {}
STYLES = ("analysis.css", "report.css")
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
EMPTY = "(nothing)"
"""What an engine gave that gave nothing."""
SCOPE = "All of this holds for texts like those of this test; for others, test again."
PARTS_SEEN = "Parts of the test stand in what an engine was trained on: its scores may be too good."


def manager_page(dossier: Dossier, version: str) -> Html:
    """The page: no number without a sentence that says what it means."""
    parts = [
        ("How sure is that?", facts_list(certainty_facts(dossier))),
        ("What does it cost?", costs_part(dossier)),
        ("Three examples", _examples(dossier)),
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


def facts_list(facts: Sequence[tuple[str, str]]) -> Html:
    """Facts, each behind what it is about."""
    rows = (html("<dt>{}</dt><dd>{}</dd>", name, prose(text)) for name, text in facts)
    return html('<dl class="facts">{}</dl>', NOTHING.join(rows))


def page_title(verdict: Verdict) -> str:
    """The question, and the engine that the page speaks for, where it speaks for one."""
    return f"{TITLE} {verdict.winner}".strip()


def headline(dossier: Dossier) -> str:
    """Which engine, in one sentence as strong as what is known."""
    outputs = [dossier.segments.outputs.get(name) for name in dossier.verdict.systems]
    return verdict_headline(
        dossier.verdict,
        sentences=dossier.comparison.test_set.segments,
        same_text=all(own is not None and own == outputs[0] for own in outputs),
    )


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
        "identical": f"No difference: {names} give the same translation of every sentence of this test."
        if same_text
        else f"No difference: {names} score the same on every sentence of this test.",
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
    hardly = f". The difference is real but {_doubt(verdict)}" if verdict.exceeds_margin is False else ""
    by = "People judge that it" if verdict.by_people else "By every measure it"
    return f"{name}. {by} translates {tests} better than {others}{hardly}."


def _advice(verdict: Verdict) -> str:
    if verdict.by_people:
        return "Let people judge more text before you decide."
    return "Let people judge before you decide."


def certainty_facts(dossier: Dossier) -> list[tuple[str, str]]:
    """The size of the test, the size of the difference, whether it matters, and how sure it is: each by itself."""
    judgements = dossier.people.facts.judgements if dossier.people else 0
    return [("Size of the test", _size(dossier)), *verdict_facts(dossier.verdict, judgements)]


def verdict_facts(verdict: Verdict, judgements: int = 0) -> list[tuple[str, str]]:
    """The size of the difference, whether it matters, and how sure it is."""
    facts = []
    if (size := _difference(verdict)) and verdict.certainty != "identical":
        facts.append(("Size of the difference", size))
        facts.append(("Does it matter?", matters(verdict)))
    return [*facts, *sure_facts(verdict, judgements)]


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


def _difference(verdict: Verdict) -> str:
    """How far two engines lie apart, in scores and in sentences, with what is likely for other texts."""
    own = verdict.difference
    if own is None or math.isnan(own.delta):
        return ""
    places = digits([own.delta], own.decimals)
    likely = ""
    if verdict.certainty == "short":
        likely = " on these sentences"
    elif math.isfinite(own.low) and math.isfinite(own.high) and not verdict.evidence.refusal:
        ends = sorted((own.low, own.high))
        likely = f"; other texts like these would likely give {signed(ends[0], places)} to {signed(ends[1], places)}"
    what = "in people’s judgements" if verdict.by_people else f"in {own.label}"
    better = "" if own.higher_is_better else " (lower is better)"
    text = f"{own.a} against {own.b}: {signed(own.delta, places)} {what}{better}{likely}."
    if verdict.certainty == "short":
        return f"{text} {_counts(own)}".strip()
    design = verdict.evidence.design
    drawn = design.units if design is not None else own.units
    return f"{text} {_shares(own, min(own.units, drawn))}".strip()


def _counts(own: Difference) -> str:
    """On how many of a few sentences one is better: so few say nothing about other texts."""
    if math.isnan(own.better_on) or not own.units:
        return ""
    better, worse = (round(share * own.units) for share in (own.better_on, own.worse_on))
    return (
        f"Of the {pluralise(own.units, 'sentence')}, {own.a} is better on {better} and worse on {worse}. Other texts "
        "may differ from these."
    )


def _shares(own: Difference, items: int) -> str:
    """On how many sentences one is better than the other, each share with what is likely for other texts.

    `items` are what stands for itself: documents, where sentences of one document are alike.
    """
    if math.isnan(own.better_on) or not items:
        return ""
    words = []
    for share in (own.better_on, own.worse_on):
        low, high = wilson(share, items)
        words.append(f"{100 * share:.0f} ({100 * low:.0f} to {100 * high:.0f})")
    rest = " On the rest they score the same." if own.better_on + own.worse_on < 0.995 else ""
    return f"Of 100 sentences, {own.a} is better on about {words[0]} and worse on about {words[1]}.{rest}"


def matters(verdict: Verdict) -> str:
    """Whether the difference is one that people notice, or that exceeds the margin that was given."""
    own, known = verdict.difference, verdict.relevance
    if verdict.certainty == "short":
        return "It is not known: so short a test does not tell how large the difference is."
    relation = verdict.relation(*verdict.pair)
    ahead = {own.ahead for own in relation.differences} - {""} if relation is not None else set()
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


def _false_alarms(verdict: Verdict) -> str:
    """Of 100 tests of equal engines, how many call one better: as promised, or estimated where that does not hold."""
    rate = 100 * verdict.evidence.error_rate
    if math.isnan(rate):
        return "How often a test like this would call one of two equally good engines better is not known."
    often = f"about {rate:.0f}" if verdict.evidence.is_estimated else f"up to {rate:.3g}"
    return (
        "If they were equally good, a test like this would still call one of them better in "
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
        "identical": f"{names} do not differ at all on this test.",
        "short": f"nothing can be said of {names}: the test is too short.",
        "several": f"{names} are better than {verdict.evidence.baseline}. {wrong}",
        "untested": "nothing can be said."
        if verdict.evidence.refusal
        else "engines were not tested against each other.",
        "opinion": f"{opinion(verdict)}. Whether other people would agree is not known.",
        "incomplete": "there is no mean over all tests to compare engines by.",
        "alone": "there is nothing to compare with.",
    }[verdict.certainty]


def costs_part(dossier: Dossier) -> Html:
    """Bills where people's time was measured, else words to change, and what that is."""
    return bills_part(dossier) or estimates_part(dossier.costs, dossier.verdict, dossier.currency)


def bills_part(dossier: Dossier) -> Html:
    """What people's measured time comes to; nothing where none was measured."""
    edits = dossier.people.post_edits if dossier.people else None
    if edits is not None and edits.bills:
        bills = edits.bills
        head = (
            Column("Engine"),
            Column("words an hour", True),
            Column(of_currency("cost of 1,000 words", dossier.currency), True),
            Column(of_currency("saved", dossier.currency), True),
        )
        rows = tuple(
            Row(
                (
                    Cell(visible(bill.system)),
                    Cell(number(bill.words_an_hour, 0)),
                    Cell(_range(bill.cost, bill.cost_low, bill.cost_high)),
                    Cell(_range(bill.saved, bill.saved_low, bill.saved_high)),
                )
            )
            for bill in shown_costs(sorted(bills, key=lambda bill: bill.cost), dossier.verdict)
        )
        words = (
            "From the time that people took to correct these translations, engine included, with the likely range in "
            "brackets. Saved: against translating from scratch."
        )
        told = [
            words,
            *filter(None, [unsure_costs(edits)]),
            *_left(len(bills) - MOST_COSTS),
            *([] if dossier.currency else [SAME_CURRENCY]),
        ]
        return table_block(Table(head, rows), "costs", "Costs") + html_list(told)
    return NOTHING


def shown_costs(costs: Sequence[Cost], verdict: Verdict) -> list[Cost]:
    """The costs that a page has room for, in their order: of the engines that it compares, then of the cheapest."""
    first = [*verdict.pair, *verdict.systems, *(cost.system for cost in costs)]
    by_name = {cost.system: cost for cost in costs}
    shown: list[str] = [name for name in dict.fromkeys(first) if name in by_name][:MOST_COSTS]
    return [cost for cost in costs if cost.system in shown]


def estimates_part(
    costs: Sequence[EditingCost], verdict: Verdict, currency: str = "", more: str = ""
) -> Html:
    """Words to change, and what that is; `more` says what the numbers are of."""
    if not costs:
        words = "Not known: no corrections were measured, and no words to change were counted (-m ter counts them)."
        return html_list([words])
    priced = not math.isnan(costs[0].price)
    columns = [Column("Engine"), Column("words to change, of 100", True)]
    columns += [Column(of_currency("editing 1,000 words", currency), True)] if priced else []
    rows = tuple(
        Row(
            (
                Cell(visible(cost.system)),
                Cell(_range(cost.edits, cost.edits_low, cost.edits_high, 0)),
                *((Cell(_range(cost.price, cost.price_low, cost.price_high)),) if priced else ()),
            )
        )
        for cost in shown_costs(costs, verdict)
    )
    told = [
        *_left(len(costs) - MOST_COSTS),
        *_cost_words(costs, priced),
        *([SAME_CURRENCY] if priced and not currency else []),
    ]
    told += [more] if more else []
    return table_block(Table(tuple(columns), rows), "costs", "Costs") + html_list(told)


def _left(count: int) -> list[str]:
    """How many engines are not shown, for want of room."""
    left = f"{pluralise(count, 'more engine')} {are(count)} left out"
    return (
        [f"The table shows the engines compared above and the cheapest of the others; {left}."]
        if count > 0
        else []
    )


def _cost_words(costs: Sequence[EditingCost], priced: bool) -> list[str]:
    reference = costs[0].measure == "ter"
    words = ["An estimate, not a bill: words to change, with the likely range in brackets."]
    if reference:
        words.append(
            "The count is against a translation made independently of the engine. People who correct accept other "
            "right wordings and change less: trust the order of engines more than the numbers."
        )
    if priced:
        words.append(
            "Each changed word costs the price that was given; reading what is right is not counted."
        )
    return words


def _range(value: float, low: float, high: float, decimals: int = 2) -> str:
    text = number(value, decimals)
    if not (math.isfinite(low) and math.isfinite(high)):
        return text
    return f"{text} ({number(low, decimals)} to {number(high, decimals)})"


def _examples(dossier: Dossier) -> Html:
    """A gain, an ordinary one and a loss, each told as such."""
    result = dossier.changes
    if result is None:
        return NOTHING
    shown = three_examples(result, people_leads(dossier))
    return NOTHING.join(example_block(title, change, result) for title, change in shown)


def people_leads(dossier: Dossier) -> dict[int, float]:
    """By segment (from 1), how far people put the new system of the changes above the old one; empty without people."""
    scores = next((own for own in dossier.segments.scores if own.key == PEOPLE), None)
    result = dossier.changes
    if scores is None or result is None or not {result.new, result.old} <= {*scores.values}:
        return {}
    leads = scores.values[result.new] - scores.values[result.old]
    sign = -1.0 if scores.higher_better is False else 1.0
    return {place + 1: sign * float(lead) for place, lead in enumerate(leads) if math.isfinite(lead)}


def three_examples(result: Changes, people: Mapping[int, float] = NO_LEADS) -> list[tuple[str, Change]]:
    """The largest gain and the largest loss of the first system, and as many ordinary differences as make three.

    People say which they are where they judged both; else all measures must agree, lest one punishes a paraphrase.
    """
    leads = {change.segment: _lead(change, result, people) for change in result.changes}
    known = _readable([change for change in result.changes if leads[change.segment]]) or result.changes
    order = sorted(known, key=lambda change: leads[change.segment] or change.size)
    shown: list[tuple[str, Change]] = []
    if order and (leads[order[-1].segment] or order[-1].size) > 0:
        shown.append((f"Where {result.new} is most ahead", order[-1]))
    if order and (leads[order[0].segment] or order[0].size) < 0:
        shown.append((f"Where {result.new} is most behind", order[0]))
    used = {change.segment for _, change in shown}
    left = [change for change in order if change.segment not in used]
    left = left or [change for change in result.changes if change.segment not in used]
    left.sort(key=lambda change: abs(leads[change.segment] or change.size))
    wanted = min(EXAMPLES - len(shown), len(left))
    for place in range(wanted):
        change = left[(place + 1) * len(left) // (wanted + 1)]
        lead = leads[change.segment] or change.size
        ahead = "ahead" if lead > 0 else "behind" if lead < 0 else "neither ahead nor behind"
        shown.append((f"An ordinary difference: {result.new} is {ahead}", change))
    return shown


def _lead(change: Change, result: Changes, people: Mapping[int, float]) -> float:
    """How far the new system is ahead on a segment: by people, or by several measures that agree; 0 where none says."""
    if people:
        return people.get(change.segment, 0.0)
    return change.size if change.verdict in ("better", "worse") and len(result.metrics) > 1 else 0.0


def _readable(changes: Sequence[Change]) -> Sequence[Change]:
    """Those of a sentence's length, if there are any: "Yes." tells a buyer nothing, and a page has little room."""
    lengths = [(change, max(len(change.reference or change.new), len(change.new))) for change in changes]
    short = [change for change, length in lengths if LETTERS <= length <= MOST_LETTERS]
    return short or [change for change, length in lengths if length >= LETTERS] or changes


def example_block(title: str, change: Change, result: Changes) -> Html:
    """One sentence with what both engines made of it."""
    known = [("Source", change.source), ("Reference", change.reference)]
    texts = [
        *((name, text) for name, text in known if text),
        (result.new, change.new),
        (result.old, change.old),
    ]
    rows = NOTHING.join(
        html('<dt>{}</dt><dd dir="auto">{}</dd>', name, text)
        if text
        else html("<dt>{}</dt><dd>{}</dd>", name, EMPTY)
        for name, text in texts
    )
    return html('<div class="example"><h3>{}</h3><dl>{}</dl></div>', prose(title), rows)


def reservations(dossier: Dossier) -> list[str]:
    """What is not known and could change the answer."""
    verdicts = [(point.name, point.verdict) for point in dossier.soundness.points]
    if dossier.verdict.certainty in ("short", "identical"):  # how short it is, or how small, is said above
        verdicts = [verdict for verdict in verdicts if verdict[0] != "size"]
    if dossier.comparison.test.correction != "none":  # what else is wrong with tests is said by itself
        verdicts = [verdict for verdict in verdicts if verdict[0] != "tests"]
    sentences = [OPEN_POINTS[verdict] for verdict in verdicts if verdict in OPEN_POINTS]
    if dossier.lint.training:  # somebody did look
        sentences = [PARTS_SEEN if own == OPEN_POINTS["training", UNKNOWN] else own for own in sentences]
    return [*_dependence(dossier.verdict), *sentences, SCOPE]


def _dependence(verdict: Verdict) -> list[str]:
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


def _about(dossier: Dossier) -> str:
    segments = pluralise(dossier.comparison.test_set.segments, "sentence")
    engines = pluralise(len(dossier.systems), "engine")
    name = dossier.segments.name
    return f"{engines}, tested on {segments}{f' ({name})' if name else ''}."


def sentences_of(dossier: Dossier) -> Sequence[str]:
    """All that the page says of who is better, and how sure."""
    return (headline(dossier), *(text for _, text in certainty_facts(dossier)))
