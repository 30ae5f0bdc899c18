"""A dossier for whoever decides, on one page: which engine, how sure, what it costs, three examples."""

from __future__ import annotations

import math
from collections.abc import Sequence

from adjudge.analysis.changes import Change, Changes
from adjudge.checklist import FAIL, UNKNOWN
from adjudge.evaluate.verdicts import Verdicts, turned
from adjudge.findings.choice import Choice
from adjudge.findings.costs import EditingCost
from adjudge.findings.dossier import Dossier
from adjudge.findings.people_choice import RANKINGS, people_choice
from adjudge.report.dossier_words import nobody_has
from adjudge.report.exhibits import table_block
from adjudge.report.html import html_list
from adjudge.report.markup import NOTHING, Html, html, prose
from adjudge.report.page import page
from adjudge.report.table import Cell, Column, Row, Table, visible
from adjudge.wording import counted, listed, number

TITLE = "Which engine?"
NAMES = 5
EXAMPLES = 3
LETTERS = 25
"""Of an example that says something, where there is one."""
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
    ("training", UNKNOWN): "Nobody checked whether an engine was trained on this very test.",
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


EMPTY = "(nothing)"
"""What an engine gave that gave nothing."""
PARTS_SEEN = "Parts of the test stand in what an engine was trained on: its scores may be too good."


def manager_page(dossier: Dossier, version: str) -> Html:
    """The page: no number without a sentence that says what it means."""
    parts = [
        ("How sure is that?", html_list(certainty_sentences(dossier))),
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
    title = page_title(deciding(dossier.choice, people_choice_of(dossier)))
    return page(title, body, styles=STYLES, modules=("exports.js",), images=True)


def headline(dossier: Dossier) -> str:
    """Which engine, in one sentence as strong as what is known."""
    return headline_of(dossier.choice, people_choice_of(dossier))


def headline_of(own: Choice, people: Choice | None, tests: str = "this test") -> str:
    """The same of what metrics and people come down to."""
    first = deciding(own, people)
    if first is people and first.winner and own.winner not in ("", first.winner):
        return f"{first.winner}: people prefer it, though automatic measures prefer {own.winner}."
    return choice_headline(first, tests)


def deciding(own: Choice, people: Choice | None) -> Choice:
    """Whose choice counts: people's before that of metrics, where theirs was tested."""
    if people is not None and people.certainty in ("clear", "partly", "open", "behind"):
        return people
    return own


def page_title(first: Choice) -> str:
    """The question, and the engine that the page speaks for, where it speaks for one."""
    return f"{TITLE} {first.winner}".strip()


def choice_headline(own: Choice, tests: str = "this test") -> str:
    """The same of one choice."""
    others, over = listed(own.tested, NAMES), listed(own.over, NAMES)
    return {
        "clear": f"{own.system}. It translates {tests} better than {others}, by more than chance explains.",
        "partly": f"{own.system} leads, with a reservation: not every measure shows that it is better than "
        f"{listed(own.partly, NAMES)}.",
        "open": f"No clear winner: {listed((own.system, *own.unclear), NAMES)} cannot be told apart. Let price, "
        "speed or terms decide, or test more text.",
        "contradicted": f"Undecided: some measures speak for {own.system}, others for "
        f"{listed(own.contradicted, NAMES)}. Let people judge before you decide.",
        "behind": f"Not {own.system}: {over} {_verb(own.over, 'translates', 'translate')} {tests} better"
        + (", though not every measure shows it." if own.ahead else ", by more than chance explains."),
        "untested": f"Undecided: {own.system} was not tested against {listed(own.untested, NAMES)}.",
        "incomplete": f"Undecided: {nobody_has('engine', own)} been tested on all tests, so that none can be chosen "
        "over all of them. Test by test, below, engines are compared.",
        "alone": f"{own.system} is the only engine tested: there is nothing to choose.",
    }[own.certainty]


def _verb(names: Sequence[str], singular: str, plural: str) -> str:
    return singular if len(names) == 1 else plural


def people_choice_of(dossier: Dossier) -> Choice | None:
    """What people's judgements come down to, where they were tested."""
    return None if dossier.people is None else people_choice(dossier.people)


def certainty_sentences(dossier: Dossier) -> list[str]:
    """How sure it is, in words; a share of tests that would be wrong is the one number."""
    own = dossier.choice
    sentences = []
    people = people_choice_of(dossier)
    if people is not None and dossier.people is not None:
        count = counted(dossier.people.facts.judgements, "judgement")
        sentences.append(f"People ({count}): {sure_sentence(people, what_people_gave(people))}")
        sentences.append(
            f"Automatic measures ({listed(own.metrics)}): {sure_sentence(own, 'every one of these measures')}"
        )
    else:
        sentences.append(
            f"By automatic measures ({listed(own.metrics)}): {sure_sentence(own, 'every one of these measures')}"
        )
    sentences += _shares(dossier)
    return sentences


def what_people_gave(people: Choice) -> str:
    """What a choice of people's is made by."""
    return RANKINGS if RANKINGS in people.metrics else "people’s scores"


def sure_sentence(own: Choice, by: str) -> str:
    """How sure a choice is, in words that need no statistics."""
    wrong = (
        f"Were they equally good, a test like this would call one of them better at most {own.alpha * 100:.3g} times "
        "in 100."
    )
    over = f"{listed(own.over, NAMES)} {_verb(own.over, 'is', 'are')} better than {own.system}"
    return {
        "clear": f"by {by}, {own.system} is better than {listed(own.tested, NAMES)}. {wrong}",
        "behind": f"{over}, but only some of the measures show it."
        if own.ahead
        else f"by {by}, {over}. {wrong}",
        "partly": f"{own.system} is better than {listed((*own.beaten, *own.partly), NAMES)}, but of "
        f"{listed(own.partly, NAMES)} only some of the measures show it.",
        "open": f"between {own.system} and {listed(own.unclear, NAMES)} the difference is so small that chance may "
        "have made it. That does not mean that they are equally good.",
        "contradicted": f"they contradict each other about {own.system} and {listed(own.contradicted, NAMES)}.",
        "untested": f"{own.system} was not tested against {listed(own.untested, NAMES)}.",
        "incomplete": "there is no mean over all tests to compare engines by.",
        "alone": "there is nothing to compare with.",
    }[own.certainty]


def _shares(dossier: Dossier) -> list[str]:
    """On how many sentences one is better than the other, which needs no statistics to read."""
    chosen, rival = dossier.choice.system, dossier.choice.rival
    verdicts = Verdicts.of(dossier.comparison, dossier.comparison.test)
    for (a, b), by_metric in verdicts.by_pair.items():
        if {a, b} == {chosen, rival}:
            metric = next((m for m in verdicts.directed if m in by_metric), None)
            if metric is None:
                return []
            pair = by_metric[metric] if a == chosen else turned(by_metric[metric])
            better, worse = round(100 * pair.better_on), round(100 * pair.worse_on)
            rest = ", and scores the same on the rest" if better + worse < 100 else ""
            return [
                f"Of 100 sentences, {chosen} is better than {rival} on about {better} and worse on about {worse}{rest} "
                f"(by {verdicts.label(metric)})."
            ]
    return []


def costs_part(dossier: Dossier) -> Html:
    """Bills where people's time was measured, else words to change, and what that is."""
    return bills_part(dossier) or estimates_part(dossier.costs)


def bills_part(dossier: Dossier) -> Html:
    """What people's measured time comes to; nothing where none was measured."""
    bills = dossier.people.post_edits.bills if dossier.people and dossier.people.post_edits else ()
    if bills:
        head = (
            Column("Engine"),
            Column("words an hour", True),
            Column("cost of 1,000 words", True),
            Column("saved", True),
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
            for bill in bills
        )
        words = (
            "From the time that people took to correct these translations, engine included; in brackets what is "
            "likely. Saved: against translating from scratch."
        )
        return table_block(Table(head, rows), "costs", "Costs") + html_list([words])
    return NOTHING


def estimates_part(costs: Sequence[EditingCost], more: str = "") -> Html:
    """Words to change, and what that is; `more` says what the numbers are of."""
    if not costs:
        words = "Not known: no corrections were measured, and no words to change were counted (-m ter counts them)."
        return html_list([words])
    priced = not math.isnan(costs[0].price)
    columns = [Column("Engine"), Column("words to change, of 100", True)]
    columns += [Column("editing 1,000 words", True)] if priced else []
    rows = tuple(
        Row(
            (
                Cell(visible(cost.system)),
                Cell(_range(cost.edits, cost.edits_low, cost.edits_high, 0)),
                *((Cell(_range(cost.price, cost.price_low, cost.price_high)),) if priced else ()),
            )
        )
        for cost in costs
    )
    told = [*_cost_words(costs, priced), *([more] if more else [])]
    return table_block(Table(tuple(columns), rows), "costs", "Costs") + html_list(told)


def _cost_words(costs: Sequence[EditingCost], priced: bool) -> list[str]:
    reference = costs[0].measure == "ter"
    words = ["An estimate, not a bill: words to change, in brackets what is likely."]
    if reference:
        words.append(
            "Counted against a translation that somebody made without seeing the engine’s: people who correct keep "
            "what is right though worded otherwise, and change less. The order of engines tells more than the numbers."
        )
    if priced:
        words.append(
            "In money: every changed word at the price that was given; reading what is right is not in it."
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
    return NOTHING.join(example_block(title, change, result) for title, change in three_examples(result))


def three_examples(result: Changes) -> list[tuple[str, Change]]:
    """The largest gain and the largest loss of the system chosen, and as many ordinary differences as make three."""
    gains = _telling([c for c in result.changes if c.size > 0])
    losses = _telling([c for c in result.changes if c.size < 0])
    shown: list[tuple[str, Change]] = []
    if gains:
        shown.append((f"Where {result.new} is most ahead", gains[0]))
    if losses:
        shown.append((f"Where {result.new} is most behind", losses[-1]))
    used = {change.segment for _, change in shown}
    left = sorted((c for c in result.changes if c.segment not in used), key=lambda c: abs(c.size))
    wanted = min(EXAMPLES - len(shown), len(left))
    for place in range(wanted):
        change = left[(place + 1) * len(left) // (wanted + 1)]
        ahead = "ahead" if change.size > 0 else "behind" if change.size < 0 else "neither ahead nor behind"
        shown.append((f"An ordinary difference: {result.new} is {ahead}", change))
    return shown


def _telling(changes: Sequence[Change]) -> Sequence[Change]:
    """Those of a sentence's length that all measures see alike, if there are any: "Yes." tells a buyer nothing."""
    long = [c for c in changes if len(c.reference or c.new) >= LETTERS and c.verdict != "mixed"]
    return long or changes


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
    sentences = [OPEN_POINTS[verdict] for verdict in verdicts if verdict in OPEN_POINTS]
    if dossier.lint.training:  # somebody did look
        sentences = [PARTS_SEEN if own == OPEN_POINTS["training", UNKNOWN] else own for own in sentences]
    return [*sentences, "All of this holds for texts like those of this test; for others, test again."]


def _about(dossier: Dossier) -> str:
    segments = counted(dossier.comparison.test_set.segments, "sentence")
    engines = counted(len(dossier.systems), "engine")
    name = dossier.segments.name
    return f"{engines}, tested on {segments}{f' ({name})' if name else ''}."


def sentences_of(dossier: Dossier) -> Sequence[str]:
    """All that the page says of who is better, and how sure."""
    return (headline(dossier), *certainty_sentences(dossier))
