"""A verdict in sentences, for people who evaluate translation systems."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from adjudge.comparison.pairwise_view import FEWEST
from adjudge.comparison.relevance import NOTICE, Relevance, in_hundred
from adjudge.comparison.verdict import Difference, Verdict, comparison_verdict
from adjudge.stats.design import TEXT
from adjudge.wording import are, counted, digits, listed, plural

if TYPE_CHECKING:
    from adjudge.comparison.results import Comparison

NAMES = 12
PEOPLE = "people’s judgements"


def verdict_sentence(verdict: Verdict) -> str:
    """Which system is better, as strongly as the tests allow; where none is, which ones may be."""
    names, by = listed(verdict.systems, NAMES), measures_of(verdict)
    kinds = {
        "clear": lambda: f"{names} wins: {_better(verdict)}.",
        "partly": lambda: f"{names} is ahead: {_better_in_part(verdict)}.",
        "open": lambda: f"No single winner: {names} cannot be told apart by {by}{_rest(verdict)}.",
        "split": lambda: f"No single winner: {leads(verdict)}{_rest(verdict)}.",
        "identical": lambda: (
            f"No difference: {names} score the same on every segment by {by}{_rest(verdict)}."
        ),
        "short": lambda: f"No winner is named: {_too_short(verdict)}.",
        "several": lambda: (
            f"No single winner: {names} are better than the baseline {verdict.evidence.baseline} by "
            f"{by}, and were not tested against each other."
        ),
        "untested": lambda: (
            f"No winner: {verdict.evidence.refusal}."
            if verdict.evidence.refusal
            else f"No winner: none of {names} was tested against another."
        ),
        "opinion": lambda: f"No winner for other people: {opinion(verdict)}.",
        "incomplete": lambda: (
            f"No winner: {who_has('system', verdict)} outputs for all test sets, and so a mean over them."
        ),
        "alone": lambda: f"{names} is the only system: there is nothing to compare it with.",
    }
    return kinds[verdict.certainty]()


def opinion(verdict: Verdict) -> str:
    """Which systems one or two annotators find better than which."""
    beaten = [verdict.evidence.baseline] if verdict.evidence.baseline in verdict.others else verdict.others
    verb = are(len(verdict.systems))
    whose = verdict.evidence.opinion
    return f"{listed(verdict.systems, NAMES)} {verb} better than {listed(list(map(str, beaten)), NAMES)} {whose} only"


def comparison_sentence(comparison: Comparison, verdict: Verdict) -> str:
    """The verdict; of a study, over how many sets it is, and whom the system met on fewer of them."""
    answer = verdict_sentence(verdict)
    if not comparison.tables or verdict.certainty in ("incomplete", "alone"):
        return answer
    tables = [table for table in comparison.tables if table.label in verdict.measures]
    sets = len(tables[0].sets if tables else comparison.sets)
    fewer = compared_on_fewer(comparison, verdict)
    rest = f"; against {listed(fewer, NAMES)} over the sets that both have" if fewer else ""
    return f"{answer.removesuffix('.')}, in the mean over {counted(sets, 'test set')}{rest}."


def comparison_verdict_document(comparison: Comparison) -> dict[str, Any]:
    """The verdict of a comparison for other programs, with its sentence."""
    verdict = comparison_verdict(comparison)
    return verdict_document(verdict) | {"sentence": comparison_sentence(comparison, verdict)}


def compared_on_fewer(comparison: Comparison, verdict: Verdict) -> tuple[str, ...]:
    """Those that the first system named was tested against on fewer sets than all, for lack of outputs."""
    pairs = [
        (table, name, table.pair(verdict.system, name))
        for table in comparison.tables
        if table.label in verdict.measures
        for name in verdict.order
    ]
    fewer = {name for table, name, pair in pairs if pair is not None and pair.sets < len(table.sets)}
    return tuple(name for name in verdict.order if name in fewer)


def verdict_document(verdict: Verdict) -> dict[str, Any]:
    """The verdict for other programs, with its sentence."""
    return {"sentence": verdict_sentence(verdict), **verdict.as_document()}


def matter_sentence(verdict: Verdict) -> str:
    """Whether the difference exceeds a margin: the one that was given, or what people usually notice; '' if unknown."""
    own, known = verdict.difference, verdict.relevance
    if own is None or verdict.exceeds_margin is None or verdict.certainty in ("identical", "short"):
        return ""
    what = f"{abs(own.delta):.{digits([own.delta], own.decimals)}f} {own.label}"
    if own.margin is not None:
        verb = "exceeds" if verdict.exceeds_margin else "does not exceed"
        return f"A difference of {what} {verb} the margin of {own.margin:g} that was given."
    assert known is not None
    agree = (
        f"by a curve fitted to {known.data} they agree with about {in_hundred(known.agreement)} % of such differences "
        f"({in_hundred(known.low)}–{in_hundred(known.high)} % on a new test set; chance is 50 %)"
    )
    rest = "" if known.noticeable else _noticed_from(known, own)
    return f"People {NOTICE[known.visibility]} a difference of {what}: {agree}{rest}."


def _noticed_from(known: Relevance, own: Difference) -> str:
    """The difference with which people agree in three of four pairs, where the curve reaches it."""
    if not math.isfinite(known.margin):
        return ""
    return f"; from {known.margin:.{own.decimals}f} on they agree with three in four"


def measures_of(verdict: Verdict) -> str:
    """What decides, by name."""
    return PEOPLE if verdict.by_people else listed(verdict.measures)


def repeats(verdict: Verdict) -> bool:
    """Whether segments repeat each other, so that distinct ones are counted."""
    return verdict.evidence.design is not None and verdict.evidence.design.unit == TEXT


def who_has(what: str, verdict: Verdict) -> str:
    """Of a verdict that is incomplete: no system has, or none but the baseline."""
    baseline = verdict.evidence.baseline
    return f"no {what} but {baseline} has" if baseline in verdict.order[:1] else f"no {what} has"


def _better(verdict: Verdict) -> str:
    """Whom the winner beats, by what: people's judgements first, metrics where people were not asked."""
    winner = verdict.winner
    known = [(name, verdict.relation(winner, name)) for name in verdict.order]
    parts = []
    for by_people, by in ((True, PEOPLE), (False, listed(_metrics(verdict)))):
        names = [name for name, own in known if own and own.by_people == by_people]
        if names:
            unasked = ", which people did not judge" if verdict.by_people and not by_people else ""
            parts.append(f"by {by} it is better than {_all_of(names, verdict)}{unasked}")
    return "; ".join(parts)


def _better_in_part(verdict: Verdict) -> str:
    """Whom the winner beats by every measure, and whom by some: which ones, where it is one system."""
    clear = [name for name in verdict.tested if name not in verdict.partly]
    rivals = listed(verdict.partly, NAMES)
    if verdict.by_people:  # metrics decide where people did not judge
        return f"{_better(verdict)}, but not every measure shows it of {rivals}"
    if clear:
        return f"it is better than {_all_of(clear, verdict)} by every measure, and than {rivals} by some"
    if len(verdict.partly) > 1:
        return f"it is better than {rivals}, each by some of {listed(_metrics(verdict))}"
    relation = verdict.relation(verdict.winner, rivals)
    assert relation is not None
    showing = [own.label for own in relation.differences if own.winner]
    silent = [own.label for own in relation.differences if not own.winner]
    verb = "does" if len(silent) == 1 else "do"
    return f"by {listed(showing)} it is better than {rivals}, which {listed(silent)} {verb} not show"


def _too_short(verdict: Verdict) -> str:
    """How short the test is, and that this outweighs a difference that it shows."""
    size = counted(verdict.segments, "distinct segment" if repeats(verdict) else "segment")
    names, verb = listed(verdict.systems, NAMES), are(verdict.segments)
    if any(own.winners for own in verdict.inner):
        return f"{size} {verb} too few to rely on the difference that they show of {names} (the minimum is {FEWEST})"
    return f"{size} {verb} too short a test to tell {names} apart (the minimum is {FEWEST})"


def _metrics(verdict: Verdict) -> Sequence[str]:
    return verdict.metrics.measures if verdict.metrics else verdict.measures


def _all_of(names: Sequence[str], verdict: Verdict) -> str:
    """Systems by name, or all that there are besides."""
    if len(names) > 2 and len(names) == len(verdict.order) - 1:
        return f"each of the {len(names)} other systems"
    return listed(names, NAMES)


def leads(verdict: Verdict) -> str:
    """Which system leads by which measures, and which others cannot be ruled out."""
    by_system: dict[str, list[str]] = {}
    for label, system in verdict.leaders.items():
        if system:
            by_system.setdefault(system, []).append(label)
    if not by_system:
        return f"of {listed(verdict.systems, NAMES)}, none is shown to be better than each of the others"
    if len(by_system) == 1:
        [leader] = by_system
        return f"{leader} scores best by {measures_of(verdict)}, but is {not_shown(verdict, leader)}"
    words = [f"{name} leads by {listed(labels)}" for name, labels in by_system.items()]
    words[1:] = [word.replace(" leads by ", " by ", 1) for word in words[1:]]
    left = [name for name in verdict.systems if name not in by_system]
    more = f"; {listed(left, NAMES)} cannot be ruled out either" if left else ""
    return f"{listed(words) if len(words) > 2 else ', '.join(words)}{more}"


def not_shown(verdict: Verdict, leader: str) -> str:
    """Of a system that leads: than which of the others it is not shown to be better, and than which it is."""
    others = [name for name in verdict.systems if name != leader]
    known = {name: verdict.relation(leader, name) for name in others}
    better = [name for name, own in known.items() if own and own.prefers(leader)]
    rest = [name for name in others if name not in better]
    over = f" (it is better than {listed(better, NAMES)})" if better else ""
    return f"not shown to be better than {listed(rest, NAMES)}{over}"


def _rest(verdict: Verdict) -> str:
    """What is known of the systems that are not named."""
    count = len(verdict.others)
    if not count or verdict.evidence.baseline is not None:
        return ""
    who = f"the other {count} {plural(count, 'system')}" if count > 2 else listed(verdict.others)
    return f"; {who} {are(count)} worse than at least one of them"
