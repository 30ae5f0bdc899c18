"""What a point is, and those that are judged alike for ratings and rankings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from adjudge.data.languages import pair as language_pair
from adjudge.data.origins import FORWARD, REVERSE, directions
from adjudge.dossiers.checklist.provenance import CONTEXTS, Provenance
from adjudge.errors import UsageError
from adjudge.planning.campaign_plan import CampaignPlan
from adjudge.stats.agreement import Coefficient
from adjudge.stats.design import Design
from adjudge.wording import join_names, percent, pluralise

PASS, FAIL, UNKNOWN = "pass", "fail", "unknown"
POWER = 0.8
SLIGHT = 0.2
"""Agreement beyond chance up to here is slight (Landis and Koch 1977): it does not show that judges are reliable."""
MOST_NAMES = 6


@dataclass(frozen=True)
class Point:
    """One question an evaluation should be able to answer."""

    name: str
    question: str
    verdict: str
    """pass, fail or unknown."""
    evidence: str


class OwnPoints(NamedTuple):
    """The points that ratings and rankings answer each in a way of their own."""

    reliability: Point
    size: Point
    numbers: Point
    statistic: Point
    clusters: Point


def direction(provenance: Provenance, language: str, declared: str) -> Point:
    """Whether sources are originals."""
    name, question = "creation direction", "Were all segments first written in the source language?"
    pair = language_pair(language)
    way = _declared_way(declared, pair) if declared else ""
    origins = provenance.origins
    if not any(origins):
        if way:
            return Point(name, question, PASS if way == FORWARD else FAIL, f"declared: {declared}")
        return Point(name, question, UNKNOWN, "no label says in which language segments were first written")
    try:
        known = directions(origins, pair)
    except UsageError as error:
        return Point(name, question, UNKNOWN, str(error))
    ways = [known[origin] if origin else "" for origin in origins]
    forward, reverse, untold = (ways.count(kind) for kind in (FORWARD, REVERSE, ""))
    elsewhere = len(ways) - forward - reverse - untold
    parts = [f"{pluralise(forward, 'segment')} forward"]
    parts += [f"{reverse:,} reverse"] if reverse else []
    parts += [f"{elsewhere:,} from a third language"] if elsewhere else []
    parts += [f"{untold:,} of unknown origin"] if untold else []
    evidence = ", ".join(parts)
    if reverse or elsewhere:
        doubt = f", although {declared} was declared" if way == FORWARD else ""
        return Point(name, question, FAIL, evidence + doubt)
    if way:
        return Point(name, question, PASS if way == FORWARD else FAIL, f"{evidence}; declared: {declared}")
    return Point(name, question, UNKNOWN if untold else PASS, evidence)


def _declared_way(declared: str, pair: tuple[str, str]) -> str:
    if declared.lower() in ("both", "mixed"):
        return REVERSE
    try:
        way = directions([declared], pair)[declared]
    except UsageError:
        way = ""
    if way not in (FORWARD, REVERSE):
        given = "-".join(filter(None, pair)) or "SOURCE-TARGET"
        raise UsageError(
            f"origin {declared!r}: known are forward, reverse, both, and the languages of the pair (--language {given})"
        )
    return way


def context(provenance: Provenance, declared: str) -> Point:
    """Whether people could see what a sentence stands beside."""
    name, question = "level and context", "Were translations judged as documents, or in the context of one?"
    if declared and declared not in CONTEXTS:
        raise UsageError(f"context {declared!r}: known are segment and document")
    declared_context = CONTEXTS.get(declared, "")
    contexts = provenance.contexts
    without = contexts.get("segment", 0)
    if without:
        total = sum(contexts.values())
        count = f"{without:,} of {total:,}" if without < total else f"all {total:,}"
        doubt = ", although document was declared" if declared_context == "document" else ""
        return Point(name, question, FAIL, f"{count} judgements are of segments by themselves{doubt}")
    if declared_context:
        return Point(
            name, question, PASS if declared_context == "document" else FAIL, f"declared: {declared_context}"
        )
    if set(contexts) == {"document"}:
        return Point(name, question, PASS, "the files say document")
    words = [word for word in contexts if word]
    if words and set(words) != {"document"}:
        return Point(
            name, question, UNKNOWN, f"the files say {join_names(words, MOST_NAMES)}, which may mean anything"
        )
    if words:
        return Point(
            name, question, UNKNOWN, f"the files do not say it of {pluralise(contexts[''], 'judgement')}"
        )
    return Point(name, question, UNKNOWN, "the files do not say what judges saw around a segment")


def languages(provenance: Provenance, language: str, declared: str) -> Point:
    """Whether a result is one language pair's, and which."""
    name, question = "language pairs", "Is it said for which language pairs the result holds?"
    pairs = provenance.languages
    if len(pairs) > 1:
        return Point(
            name,
            question,
            FAIL,
            f"{len(pairs)} pairs are taken together in one score: {join_names(pairs, MOST_NAMES)}",
        )
    pair = declared or (language if all(language_pair(language)) else "") or "".join(pairs)
    if not pair:
        return Point(name, question, UNKNOWN, "the pair is not known (--language SOURCE-TARGET)")
    return Point(name, question, PASS, f"{pair}; nothing follows for others")


def domain(provenance: Provenance, declared: str) -> Point:
    """Whether it is known what the texts are."""
    name, question = "domain", "Is it said for which kinds of text the result holds?"
    domains = list(dict.fromkeys(domain for domain in provenance.domains if domain))
    names = join_names(domains, MOST_NAMES)
    untold = provenance.domains.count("") if domains else 0
    if declared and domains and not untold and declared.lower() not in names.lower():
        return Point(name, question, FAIL, f"{declared} was declared, but the labels say {names}")
    if declared:
        return Point(name, question, PASS, f"declared: {declared}; nothing follows for others")
    if not domains:
        return Point(name, question, UNKNOWN, "no label says what the texts are")
    if untold:
        return Point(
            name, question, UNKNOWN, f"{untold:,} of {len(provenance.domains):,} segments have no domain"
        )
    return Point(name, question, PASS, f"{names}; nothing follows for others")


def reliability(verdict: str, evidence: str) -> Point:
    """What is known of the judges."""
    return Point("judge reliability", "Is it shown that the judges are reliable?", verdict, evidence)


def judge_agreement(name: str, coefficient: Coefficient) -> tuple[str, str]:
    """What agreement between annotators shows of them, where nothing else does: the verdict and the evidence."""
    if coefficient.value is None:
        return UNKNOWN, f"agreement is unknown: {coefficient.reason}"
    between = (
        f", {coefficient.low:.3f} to {coefficient.high:.3f}"
        if coefficient.low is not None and coefficient.high is not None
        else ""
    )
    evidence = f"{name} between annotators is {coefficient.value:.3f} ({coefficient.words}{between})"
    if coefficient.value <= 0 or (coefficient.low is not None and coefficient.low <= 0):
        return FAIL, f"{evidence}: no better than chance"
    if coefficient.value <= SLIGHT:
        return UNKNOWN, f"{evidence}: better than chance, but not by much"
    return PASS, evidence


def sample_size(
    design: CampaignPlan | None, n: int, of_whom: str, *, effect: float, planned: str, test: str = ""
) -> Point:
    """Whether the smallest n has the power that a campaign should be planned with; no design: nothing was tested."""
    if design is None:
        return unknown_size("there is one system only", effect=effect, planned=planned)
    try:
        design.check_effect(effect)
        reached = design.power(n, effect) if n > 1 else 0.0
        needed = design.n(POWER, effect)
    except UsageError as error:
        return unknown_size(str(error), effect=effect, planned=planned)
    how = f"{test or design.test} test, {level(design)}"
    return reached_size(reached, needed, n, of_whom, how, effect=effect, planned=planned)


def level(design: CampaignPlan) -> str:
    """The sides of the test, and the level that the hardest pair must reach."""
    sides = "one-sided" if design.one_sided else "two-sided"
    if design.correction == "none":
        return f"{sides}, each pair at {design.alpha:g}"
    return sides + (
        f", the hardest of {pluralise(design.tests, 'pair')} at {design.alpha_each:.2g}"
        if design.tests > 1
        else ""
    )


def reached_size(
    reached: float,
    needed: int,
    n: int,
    of_whom: str,
    how: str,
    more: str = "",
    *,
    effect: float,
    planned: str,
) -> Point:
    """What so many translations can find by the test that was made; `more` is how many it takes of such as these."""
    takes = f"{percent(POWER)} takes n = {needed:,}{more}"
    evidence = f"n = {n:,} {of_whom} gives a power of {reached:.2f} ({how}); {takes}"
    return _size(PASS if reached >= POWER else FAIL, evidence, effect, planned)


def unknown_size(why: str, *, effect: float, planned: str) -> Point:
    """Where it cannot be told whether n is enough."""
    return _size(UNKNOWN, why, effect, planned)


def _size(verdict: str, evidence: str, effect: float, planned: str) -> Point:
    question = (
        f"Is n enough to find a small difference, P(A<B) = {effect:g}, with a power of {percent(POWER)}?"
    )
    told = f"; planned: {planned}" if planned else ""
    return Point("sample size", question, verdict, evidence + told)


def numbers(verdict: str, evidence: str) -> Point:
    """What was counted."""
    question = "Are distinct translations (n) and judgements (N) both counted, and n the unit?"
    return Point("n and N", question, verdict, evidence)


def statistic(verdict: str, evidence: str) -> Point:
    """What a score means."""
    question = "Do scores mean something beyond this set of systems and judges?"
    return Point("statistic", question, verdict, evidence)


def clusters(verdict: str, evidence: str) -> Point:
    """What is said of systems that are too close to call."""
    question = "Are systems that cannot be told apart said to tie, by a standard test?"
    return Point("clusters", question, verdict, evidence)


def tested_clusters(design: Design, level: float, evidence: str) -> Point:
    """What is said of systems that are too close to call, by tests that rest on a design."""
    if ignored := [grouping.name for grouping in design.ignored]:
        return clusters(
            FAIL, f"{evidence}, which take judgements of one {join_names(ignored, last='or')} as independent"
        )
    if design.refusal:
        return clusters(FAIL, f"{evidence}, but {design.refusal}")
    if design.opinion:
        return clusters(UNKNOWN, f"{evidence}, {design.opinion}: what others would say is not known")
    if design.anonymous:
        return clusters(
            UNKNOWN,
            f"{evidence}; annotators are not named, so it is not known how often equal systems are told apart",
        )
    rate = design.error_rate(level)
    if rate > level:
        return clusters(
            UNKNOWN, f"{evidence}; so few annotators may tell equal systems apart in {percent(rate)}"
        )
    return clusters(PASS, evidence)


def span(values: Sequence[int]) -> str:
    """From the least to the largest."""
    low, high = min(values), max(values)
    return f"{low:,} to {high:,}" if low != high else f"{low:,}"
