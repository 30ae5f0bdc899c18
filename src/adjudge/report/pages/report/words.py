"""The summary of a report in words: who wins, may I believe it, where and why, and where to look."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from adjudge.analysis.buckets import BucketScores, BucketTable
from adjudge.checks import severity_counts
from adjudge.comparison import Pair
from adjudge.comparison.pairwise_view import PairwiseView, swap_pair
from adjudge.comparison.verdict import Verdict, matter_sentence, verdict_sentence
from adjudge.dossiers.checklist import FAIL, PASS, UNKNOWN
from adjudge.dossiers.evaluation_dossier import Dossier
from adjudge.dossiers.marks import bucket_mark, change_mark
from adjudge.report.pages.report.browser import View
from adjudge.report.pages.report.links import Links
from adjudge.wording import digits, join_names, number, p_text, percent, pluralise, with_sign

NAMES = 6


@dataclass(frozen=True)
class Sentence:
    """A sentence, and the segments (or the part of the page) that show it."""

    text: str
    link: str = ""
    shows: str = "segments"
    """What the link says."""


@dataclass(frozen=True)
class Answer:
    """A question of whoever opens the page, and what is to be said."""

    question: str
    sentences: tuple[Sentence, ...]


def summary(dossier: Dossier, links: Links) -> list[Answer]:
    """Four answers, of which the first two are the shortest way to a decision."""
    answers = [
        Answer("Who wins?", tuple(_who(dossier, links))),
        Answer("May I believe it?", tuple(_believe(dossier, links))),
        Answer("Where and why?", tuple(_where(dossier, links))),
        Answer("Show me", tuple(_show(dossier, links))),
    ]
    return [answer for answer in answers if answer.sentences]


def lead_pair(dossier: Dossier, chosen: str = "", rival: str = "") -> Pair | None:
    """Two systems (those of the verdict) by its metric, or else the first with a direction, seen from the first."""
    pairwise = PairwiseView.of(dossier.comparison, dossier.comparison.test)
    preferred = dossier.verdict.difference.metric if dossier.verdict.difference else ""
    chosen, rival = chosen or dossier.verdict.system, rival or dossier.verdict.rival
    for (a, b), by_metric in pairwise.by_pair.items():
        if {a, b} == {chosen, rival}:
            pair = next((by_metric[m] for m in (preferred, *pairwise.directed) if m in by_metric), None)
            return None if pair is None else pair if pair.a == chosen else swap_pair(pair)
    return None


def _who(dossier: Dossier, links: Links) -> list[Sentence]:
    verdict = dossier.verdict
    sentences = [Sentence(verdict_sentence(verdict)), *_difference(dossier, links)]
    sentences += [Sentence(text)] if (text := matter_sentence(verdict)) else []
    if dossier.people is None:
        return sentences
    return [*sentences, *_people(dossier, links)]


def _difference(dossier: Dossier, links: Links) -> list[Sentence]:
    """By how much the two systems of the verdict differ, by what decides and by the first metric."""
    verdict, test = dossier.verdict, dossier.comparison.test
    lead = lead_pair(dossier)
    sentences = []
    if verdict.by_people and verdict.difference is not None:
        sentences.append(Sentence(difference_sentence(verdict), links.of_part("people"), "what they said"))
    if lead is not None and not math.isnan(lead.delta):
        standing = next(
            s for s in dossier.comparison.results if (s.system, s.metric) == (lead.a, lead.metric)
        )
        places = digits([lead.delta, lead.low, lead.high], standing.decimals)
        text = f"{standing.label} {number(standing.score, places)}, against {lead.b} {with_sign(lead.delta, places)}"
        if math.isfinite(lead.low):  # two segments have no interval
            ends = f"{with_sign(lead.low, places)} to {with_sign(lead.high, places)}"
            text += f" ({percent(test.confidence)} interval {ends})"
        sentences.append(Sentence(f"{text}.", links.by_difference(lead.a, lead.b, lead.metric)))
    return sentences


def difference_sentence(verdict: Verdict) -> str:
    """By how much two systems differ in what people said; '' where it is not known."""
    own = verdict.difference
    if own is None or math.isnan(own.delta):
        return ""
    places = digits([own.delta, own.low, own.high], own.decimals)
    between = (
        f" ({with_sign(own.low, places)} to {with_sign(own.high, places)})" if math.isfinite(own.low) else ""
    )
    lower = "" if own.higher_is_better else ", lower is better"
    return (
        f"By people: {own.a} {with_sign(own.delta, places)} against {own.b}{between} "
        f"on {pluralise(own.units, 'item')}, {p_text(own.p, verdict.alpha)}{lower}."
    )


def _people(dossier: Dossier, links: Links) -> list[Sentence]:
    """Whether people decide, and what metrics say beside them."""
    assert dossier.people is not None
    verdict, count = dossier.verdict, pluralise(dossier.people.facts.judgements, "judgement")
    link = links.of_part("people")
    if verdict.metrics is None:
        text = f"People’s judgements ({count}) tell no two of these systems apart by a test: metrics decide."
        return [Sentence(text, link, "what they said")]
    alone = verdict_sentence(verdict.metrics)
    return [
        Sentence(f"People decide ({count}).", link, "what they said"),
        Sentence(f"Metrics do not overrule them; by themselves they say: {alone}"),
    ]


def _believe(dossier: Dossier, links: Links) -> list[Sentence]:
    points = dossier.soundness.points
    passed = sum(point.verdict == PASS for point in points)
    failed = [point.name for point in points if point.verdict == FAIL]
    unknown = [point.name for point in points if point.verdict == UNKNOWN]
    parts = [f"{passed} of {len(points)} points pass"]
    parts += [f"not: {join_names(failed)}"] if failed else []
    parts += [f"not known: {join_names(unknown)}"] if unknown else []
    sentences = [
        Sentence(_chance(dossier)),
        *map(Sentence, dossier.verdict.reservations),
        Sentence("; ".join(parts) + ".", links.of_part("believe"), "the points"),
    ]
    serious = [finding for finding in dossier.lint.findings if finding.severity != "note"]
    if serious:
        text = f"The files: {severity_counts(dossier.lint)}; the worst: {serious[0].message}."
        sentences.append(Sentence(text, links.of_part("lint"), "all findings"))
    return [sentence for sentence in sentences if sentence.text]


def _chance(dossier: Dossier) -> str:
    test = dossier.comparison.test
    return chance_sentence(
        dossier.verdict, test.correction, test.comparisons, test.alpha, "a test set like this"
    )


def chance_sentence(verdict: Verdict, correction: str, comparisons: int, alpha: float, what: str) -> str:
    """How often chance would say the same; '' where nothing was tested."""
    if not verdict.evidence.relations or not verdict.systems or verdict.certainty == "identical":
        return ""
    if correction == "none" and comparisons > 1:
        return (
            f"Each difference was tested by itself, at {percent(alpha)}; {pluralise(comparisons, 'test')} are "
            "not corrected for, so that some are likely to be chance."
        )
    if correction == "bh" and comparisons > 1:
        return f"Of the differences that are called significant, {percent(alpha)} are expected to be chance."
    if verdict.certainty == "short":
        return "So few segments say little about other texts, whatever p is."
    if verdict.certainty == "opinion":
        return f"Whether other people would agree is not known: this is so {verdict.evidence.opinion}."
    if verdict.winner or verdict.certainty in ("split", "several"):
        rate = verdict.evidence.error_rate
        if math.isnan(rate):
            return f"How often {what} would tell equal systems apart is not known."
        often = (
            f"about {_of_hundred(round(rate, 2))}"
            if verdict.evidence.is_estimated
            else f"at most {_of_hundred(round(rate, 4))}"
        )
        return f"If systems were equally good, {what} would tell two of them apart by one metric {often}."
    return f"What cannot be told apart may be equal, or differ by less than {_this(what)} can show."


def _this(what: str) -> str:
    return "this test set" if what.startswith("a ") else what


def _of_hundred(alpha: float) -> str:
    return f"{alpha * 100:.3g} times in 100"


def _where(dossier: Dossier, links: Links) -> list[Sentence]:
    sentences = []
    for result in dossier.buckets:
        for table in result.tables:
            sentences += _bucket_sentence(dossier, result, table, links)
    sentences += _error_sentence(dossier, links)
    sentences += _fault_sentence(dossier, links)
    return sentences


def _bucket_sentence(
    dossier: Dossier, result: BucketScores, table: BucketTable, links: Links
) -> list[Sentence]:
    """Where the lead over the rival is largest, and where it is turned round."""
    chosen, rival = dossier.verdict.pair
    if rival not in result.systems or chosen not in result.systems or len(table.buckets) < 2:
        return []
    sign = -1.0 if table.higher_is_better is False else 1.0
    turn = sign if result.systems[0] == rival else -sign
    if result.systems[0] not in (chosen, rival):
        return []
    place = result.systems.index(chosen if result.systems[0] == rival else rival)
    scores = [(bucket, bucket.scores[place]) for bucket in table.buckets]
    ahead = [(turn * score.delta, bucket, score) for bucket, score in scores if score.significant]
    if not ahead:
        return [
            Sentence(
                f"By {result.by}, no single group of segments tells {chosen} and {rival} apart.",
                links.of_part("where"),
                "all groups",
            )
        ]
    best = max(ahead, key=lambda entry: entry[0])
    worst = min(ahead, key=lambda entry: entry[0])
    text = ""
    if best[0] > 0:
        delta = _difference_text(dossier, table, sign * best[0])
        text = f"By {result.by}, {chosen} is furthest ahead of {rival} in “{best[1].name}” ({delta})"
    if worst[0] < 0:
        behind = f"behind it in “{worst[1].name}” ({_difference_text(dossier, table, sign * worst[0])})"
        text = (
            f"{text} and {behind}"
            if text
            else f"By {result.by}, {chosen} is {behind.replace('it', rival, 1)}"
        )
    mark = bucket_mark(result.by, (best if best[0] > 0 else worst)[1].name)
    view = View(system=chosen, baseline=rival, sort=f"Δ{table.metric}")
    return [Sentence(f"{text}.", links.of_mark(mark, view))]


def _difference_text(dossier: Dossier, table: BucketTable, delta: float) -> str:
    """A difference with the name of the metric, which need not be what decides."""
    label = next(
        (result.label for result in dossier.comparison.results if result.metric == table.metric), table.metric
    )
    return f"{label} {with_sign(delta, digits([delta], table.decimals))}"


def _error_sentence(dossier: Dossier, links: Links) -> list[Sentence]:
    result = dossier.errors
    if result is None:
        return []
    chosen, rival = dossier.verdict.pair
    own = [d for d in result.differences if {d.system, d.baseline} == {chosen, rival} and d.significant]
    turn = {d.errors: d.delta if d.system == chosen else -d.delta for d in own if d.errors != "all"}
    sentences = []
    for word, kinds in (
        ("fewer", sorted((k for k in turn if turn[k] < 0), key=lambda k: turn[k])),
        ("more", sorted((k for k in turn if turn[k] > 0), key=lambda k: -turn[k])),
    ):
        if kinds:
            names = join_names(
                [f"{kind} ({with_sign(turn[kind], digits([turn[kind]], 1))})" for kind in kinds]
            )
            text = f"{chosen} has {word} errors in 100 words than {rival}: {names}."
            sentences.append(Sentence(text, links.of_count(kinds[0], chosen, rival)))
    return sentences


def _fault_sentence(dossier: Dossier, links: Links) -> list[Sentence]:
    result = dossier.faults
    if result is None:
        return []
    chosen, rival = dossier.verdict.pair
    if result.systems[0] not in (chosen, rival):
        return []
    other = rival if result.systems[0] == chosen else chosen
    sentences = []
    for kind in result.kinds:
        for system in kind.systems:
            if system.system == other and system.significant:
                delta = system.delta if other == chosen else -system.delta
                word = "fewer" if delta < 0 else "more"
                size = with_sign(delta, digits([delta], 1))
                text = f"{chosen} has {word} faults than {rival}: {kind.name} ({size} in 100 {kind.of})."
                sentences.append(Sentence(text, links.of_count(kind.name, chosen if delta > 0 else rival)))
    return sentences


def _show(dossier: Dossier, links: Links) -> list[Sentence]:
    result = dossier.changes
    if result is None:
        return []
    sentences = []
    for verdict in ("better", "worse", "mixed"):
        count = result.counts.get(verdict, 0)
        if count:
            how = "better by one metric and worse by another" if verdict == "mixed" else verdict
            mark = change_mark(result.old, result.new, verdict)
            view = View(system=result.new, baseline=result.old, sort=f"Δ{result.metrics[0]}")
            text = f"By metrics, {result.new} is {how} than {result.old} on {pluralise(count, 'segment')}."
            sentences.append(Sentence(text, links.of_mark(mark, view)))
    return sentences


def plain_sentences(answers: Sequence[Answer]) -> list[str]:
    """The summary without links, for a screen."""
    return [sentence.text for answer in answers for sentence in answer.sentences]
