"""What an evaluation by people may claim: nine points, each with a verdict and the evidence.

The points are those that reviews of claims of human parity found missing (Läubli et al. 2018, Toral et al. 2018,
Graham, Haddow and Koehn 2020).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from adjudge.analysis.translationese import REVERSE, directions
from adjudge.errors import UsageError, unknown_name
from adjudge.evaluate.judged import Analysis, JudgedSystem
from adjudge.evaluate.translationese import language_pair
from adjudge.evaluate.wording import counted, listed, p_text
from adjudge.stats import power

PASS, FAIL, UNKNOWN = "pass", "fail", "unknown"
CLAIMS = ("human-parity",)
EFFECT = 0.45
"""The effect that a test should find: P(A < B) of a small but real difference."""
POWER = 0.8
FACTS = ("origin", "reliability", "context", "languages", "domain", "planned")
"""What a user may declare where the files do not tell."""
CONTEXTS = ("segment", "document")
WHOLE_SYSTEMS = "the files have scores of whole systems, and not what these were made from"


@dataclass(frozen=True)
class Point:
    """One question an evaluation should be able to answer."""

    name: str
    question: str
    verdict: str
    """pass, fail or unknown."""
    evidence: str


@dataclass(frozen=True)
class Claim:
    """Whether something may be said of the whole."""

    claim: str
    granted: bool
    because: tuple[str, ...]


@dataclass(frozen=True)
class Checklist:
    """The nine points, and the claim that was asked for."""

    points: tuple[Point, ...]
    claim: Claim | None = None


def checklist(
    analysis: Analysis,
    *,
    origins: Sequence[str] = (),
    domains: Sequence[str] = (),
    language: str = "",
    declared: Mapping[str, str] | None = None,
    effect: float = EFFECT,
    claim: str | None = None,
    human: str | None = None,
) -> Checklist:
    """Fill in what is known: from the judgements, their labels, and what the user declares.

    `human` names the system that is a person's translation, for the claim of human parity.
    """
    declared = declared or {}
    for name in declared:
        if name not in FACTS:
            raise unknown_name("fact", name, FACTS)
    if claim is not None and claim not in CLAIMS:
        raise unknown_name("claim", claim, CLAIMS)
    points = (
        _direction(origins, language, declared.get("origin", "")),
        _reliability(analysis, declared.get("reliability", "")),
        _context(analysis, declared.get("context", "")),
        _languages(language, declared.get("languages", "")),
        _domain(domains, declared.get("domain", "")),
        _planned(analysis, effect, declared.get("planned", "")),
        _numbers(analysis),
        _statistic(analysis),
        _clusters(analysis),
    )
    return Checklist(points, None if claim is None else _human_parity(analysis, points, human))


def _direction(origins: Sequence[str], language: str, declared: str) -> Point:
    name, question = "creation direction", "Were all segments first written in the source language?"
    if declared:
        verdict = {"forward": PASS, "source": PASS}.get(declared, FAIL)
        return Point(name, question, verdict, f"declared: {declared}")
    if not any(origins):
        return Point(name, question, UNKNOWN, "no label says in which language segments were first written")
    try:
        known = directions(origins, language_pair(language))
    except UsageError as error:
        return Point(name, question, UNKNOWN, str(error))
    count = sum(known.get(origin) == "forward" for origin in origins)
    reverse = sum(known.get(origin) == REVERSE for origin in origins)
    rest = len(origins) - count - reverse
    parts = [f"{counted(count, 'segment')} forward"]
    parts += [f"{reverse:,} reverse"] if reverse else []
    parts += [f"{rest:,} from elsewhere or unknown"] if rest else []
    return Point(name, question, PASS if count == len(origins) else FAIL, ", ".join(parts))


def _reliability(analysis: Analysis, declared: str) -> Point:
    name, question = "judge reliability", "Is it shown that the judges are reliable?"
    if declared:
        return Point(name, question, PASS, f"declared: {declared}")
    tested = [one for one in analysis.quality if one.passed is not None]
    failed = [
        one.annotator for one in tested if not one.passed and one.annotator not in analysis.facts.dropped
    ]
    if not tested:
        return Point(name, question, UNKNOWN, "no control items were judged")
    kept = len(analysis.quality) - len(analysis.facts.dropped)
    if failed:
        return Point(
            name,
            question,
            FAIL,
            f"{len(failed)} of {counted(kept, 'annotator')} fail the control items and still count",
        )
    untested = kept - sum(one.annotator not in analysis.facts.dropped for one in tested)
    dropped = f", {len(analysis.facts.dropped)} who failed were left out" if analysis.facts.dropped else ""
    more = f", {untested} had too few control items to tell" if untested else ""
    return Point(
        name,
        question,
        PASS if not untested else UNKNOWN,
        f"all {counted(kept, 'annotator')} pass{dropped}{more}",
    )


def _context(analysis: Analysis, declared: str) -> Point:
    name, question = "level and context", "Were translations judged as documents, or in the context of one?"
    said = declared or analysis.facts.context
    if not said:
        return Point(name, question, UNKNOWN, "the files do not say what judges saw around a segment")
    if said not in CONTEXTS:
        raise UsageError(f"context {said!r}: known are {' and '.join(CONTEXTS)}")
    source = "declared" if declared else "from the files"
    return Point(name, question, PASS if said == "document" else FAIL, f"{said} ({source})")


def _languages(language: str, declared: str) -> Point:
    name, question = "language pairs", "Is it said for which language pairs the result holds?"
    said = declared or (language if all(language_pair(language)) else "")
    if not said:
        return Point(name, question, UNKNOWN, "the pair is not known (--language de-en)")
    return Point(name, question, PASS, f"{said}; nothing follows for others")


def _domain(domains: Sequence[str], declared: str) -> Point:
    name, question = "domain", "Is it said for which kinds of text the result holds?"
    found = list(dict.fromkeys(domain for domain in domains if domain))
    if not declared and not found:
        return Point(name, question, UNKNOWN, "no label says what the texts are")
    return Point(name, question, PASS, f"{declared or listed(found, 6)}; nothing follows for others")


def _planned(analysis: Analysis, effect: float, declared: str) -> Point:
    name, question = "sample size", f"Is n enough to find P(A<B) = {effect:g} with a power of {POWER:.0%}?"
    planned = f"; planned: {declared}" if declared else ""
    known = [(s.n_translations, s.system) for s in analysis.groups[0].systems if s.n_translations is not None]
    if len(known) < len(analysis.groups[0].systems):
        return Point(name, question, UNKNOWN, f"the files do not say how many were judged{planned}")
    n, system = min(known, key=lambda one: one[0])
    reached = power.rank_sum(n, effect).power(0.05) if n > 1 else 0.0
    needed = power.smallest_n(lambda n: power.rank_sum(n, effect).power(0.05), POWER)
    evidence = (
        f"n = {n:,} translations of {system} give a power of {reached:.2f}; "
        f"{POWER:.0%} asks for {needed:,}{planned}"
    )
    return Point(name, question, PASS if reached >= POWER else FAIL, evidence)


def _numbers(analysis: Analysis) -> Point:
    name, question = (
        "n and N",
        "Are distinct translations (n) and judgements (N) both counted, and n the unit?",
    )
    systems = analysis.groups[0].systems
    distinct = [s.n_translations for s in systems if s.n_translations is not None]
    judged = [s.n_judgements for s in systems if s.n_judgements is not None]
    if len(distinct) < len(systems) or len(judged) < len(systems):
        return Point(name, question, UNKNOWN, WHOLE_SYSTEMS)
    evidence = f"n is {_span(distinct)}, N {_span(judged)} a system"
    if analysis.facts.whole_systems:
        return Point(name, question, UNKNOWN, f"{evidence}, as the files say")
    if analysis.facts.unit != "translation":
        return Point(name, question, FAIL, f"{evidence}, but judgements were taken for translations")
    return Point(name, question, PASS, evidence)


def _statistic(analysis: Analysis) -> Point:
    name, question = "statistic", "Do scores mean something beyond this set of systems and judges?"
    if analysis.facts.whole_systems:
        return Point(name, question, UNKNOWN, WHOLE_SYSTEMS)
    if analysis.facts.score == "z":
        return Point(
            name, question, PASS, "mean over translations of ratings on each annotator's own scale (z)"
        )
    if analysis.facts.annotators < 2 or analysis.facts.protocol in ("mqm", "hter", "post-edit"):
        return Point(name, question, PASS, f"mean over translations of {analysis.facts.protocol}")
    return Point(
        name, question, UNKNOWN, "raw means: strict and lenient judges weigh as they happened to be assigned"
    )


def _clusters(analysis: Analysis) -> Point:
    name, question = "clusters", "Are systems that cannot be told apart said to tie, by a standard test?"
    comparison = analysis.groups[0].comparison
    if comparison is None:
        alone = "there is one system only" if not analysis.facts.whole_systems else WHOLE_SYSTEMS
        return Point(name, question, UNKNOWN, alone)
    test = comparison.test
    count = len({s.cluster for s in analysis.groups[0].systems})
    evidence = (
        f"{counted(count, 'cluster')} by {test.method} tests ({test.alternative}, p < {test.alpha:g}, "
        f"{'uncorrected' if test.correction == 'none' else test.correction})"
    )
    return Point(name, question, PASS if test.baseline is None else FAIL, evidence)


def _human_parity(analysis: Analysis, points: Sequence[Point], human: str | None) -> Claim:
    open_points = [point for point in points if point.verdict != PASS]
    because = [f"{point.name}: {point.verdict} ({point.evidence})" for point in open_points]
    systems = analysis.groups[0].systems
    person = _person(systems, human)
    if person is None:
        return Claim(
            "human-parity",
            False,
            (*because, "no system is known to be a person's translation (--human NAME)"),
        )
    if analysis.groups[0].comparison is None:
        return Claim("human-parity", False, (*because, "nothing could be tested"))
    others = [s for s in systems if s.system != person.system]
    better = {
        s.system: next(p for p in analysis.groups[0].pairs if {p.a, p.b} == {s.system, person.system})
        for s in others
    }
    worse = [
        f"{name} is worse than {person.system} ({p_text(pair.p_adjusted)})"
        for name, pair in better.items()
        if pair.significant and _loser(pair.a, pair.b, pair.delta, analysis.facts.higher_is_better) == name
    ]
    if len(worse) == len(others):
        because.append(f"every system is worse than {person.system}")
    equal = [name for name in better if not any(said.startswith(f"{name} ") for said in worse)]
    if because:
        return Claim("human-parity", False, tuple(because))
    return Claim(
        "human-parity",
        True,
        (
            f"{listed(equal, 6)}: not shown to be worse than {person.system} by an evaluation that would have "
            "shown it",
        ),
    )


def _person(systems: Sequence[JudgedSystem], human: str | None) -> JudgedSystem | None:
    if human is not None:
        found = next((s for s in systems if s.system == human), None)
        if found is None:
            raise unknown_name("system", human, [s.system for s in systems])
        return found
    guesses = [
        s
        for s in systems
        if s.system.lower().split(".")[0].split("-")[0] in ("human", "ref", "refa", "refb", "ht")
    ]
    return guesses[0] if len(guesses) == 1 else None


def _loser(a: str, b: str, delta: float, higher_is_better: bool) -> str:
    return b if (delta > 0) == higher_is_better else a


def _span(values: Sequence[int]) -> str:
    low, high = min(values), max(values)
    return f"{low:,} to {high:,}" if low != high else f"{low:,}"
