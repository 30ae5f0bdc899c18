"""May I believe a comparison by metrics? Points that reviews of published claims found missing, each with evidence.

The first four are those of Marie, Fujita and Rubino (2021); the others those of Graham, Haddow and Koehn (2020) that a
comparison without people can answer.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import PurePath

from adjudge.checks import LintReport, severity_counts
from adjudge.comparison import Comparison
from adjudge.comparison.pairwise_view import FEWEST, PairwiseView
from adjudge.comparison.verdict import Verdict, repeats
from adjudge.dossiers.analysis import Analysis
from adjudge.dossiers.checklist import FAIL, PASS, UNKNOWN, Checklist, Point, Provenance
from adjudge.dossiers.checklist.points import direction
from adjudge.stats.design import units_of
from adjudge.wording import CORRECTIONS, digits, join_names, number, percent, pluralise


def soundness(
    comparison: Comparison,
    verdict: Verdict,
    lint: LintReport,
    people: Analysis | None,
    *,
    origins: Sequence[str] = (),
    language: str = "",
) -> Checklist:
    """What a comparison can answer for, point by point."""
    pairwise = PairwiseView.of(comparison, comparison.test)
    return Checklist(
        (
            _test_point(comparison),
            _metrics(pairwise, verdict),
            _people(people, verdict),
            _same_settings(comparison),
            _files(lint),
            _training(lint),
            direction(Provenance(origins=tuple(origins)), language, ""),
            _size(comparison, pairwise, verdict),
        )
    )


def _test_point(comparison: Comparison) -> Point:
    name = "tests"
    question = "Were differences tested on what was drawn, and p corrected for the number of tests?"
    test = comparison.test
    if not comparison.pairs:
        return Point(name, question, UNKNOWN, "there is one system only")
    correction = CORRECTIONS.get(test.correction, test.correction)
    evidence = f"{test.method}, {pluralise(test.comparisons, 'test')} for each metric, {correction}"
    wanting = test.correction == "none" and test.comparisons > 1
    if not comparison.design.sound:
        return Point(name, question, FAIL, f"{evidence}. {join_names(comparison.design.reservations()[:1])}")
    return Point(
        name, question, FAIL if wanting else PASS, f"{evidence}, {units_of(comparison.design.unit)} drawn"
    )


def _metrics(pairwise: PairwiseView, verdict: Verdict) -> Point:
    name, question = "metrics", "Do metrics of several kinds say the same?"
    own = verdict.metrics or verdict
    if len(own.measures) < 2:
        return Point(
            name, question, FAIL, f"one metric only: {join_names(own.measures) or 'none with a direction'}"
        )
    evidence = join_names(own.measures)
    if own.contradicted:
        return Point(name, question, FAIL, f"{evidence} contradict each other")
    first = {system for metric in pairwise.directed for system in pairwise.ranked(metric)[:1]}
    if len(first) > 1:
        return Point(name, question, UNKNOWN, f"{evidence} do not all put the same system first")
    return Point(
        name, question, PASS, f"{evidence} all put {join_names(list(first))} first"
    )  # maybe the baseline


def _people(people: Analysis | None, verdict: Verdict) -> Point:
    name, question = "people", "Did people judge the same systems?"
    if people is None:
        return Point(name, question, UNKNOWN, "no judgements were given (-j FILE)")
    judged = judged_systems(people)
    missing = [system for system in verdict.pair if system and system not in judged]
    evidence = pluralise(people.facts.judgements, "judgement")
    if missing:
        return Point(name, question, FAIL, f"{evidence}, but none of {join_names(missing)}")
    return Point(name, question, PASS, evidence)


def judged_systems(people: Analysis) -> tuple[str, ...]:
    """The systems that people judged, the best first."""
    return tuple(system.system for system in people.groups[0].systems)


def _same_settings(comparison: Comparison) -> Point:
    name, question = "settings", "Were all scores computed by the same program with the same settings?"
    signatures: dict[str, set[str]] = {}
    for standing in comparison.results:
        signatures.setdefault(standing.label, set()).add(standing.signature)
    differing = [label for label, signature in signatures.items() if len(signature) > 1]
    if differing:
        return Point(name, question, FAIL, f"{join_names(differing)} with different signatures")
    return Point(name, question, PASS, "computed here, one signature for each metric")


def _files(lint: LintReport) -> Point:
    name, question = "files", "Are the files sound?"
    counts = severity_counts(lint) or "nothing wrong"
    return Point(name, question, FAIL if lint.count("error") else PASS, f"{counts} in {lint.looked_at}")


def _training(lint: LintReport) -> Point:
    name, question = "training", "Was the test set kept out of the training data?"
    overlaps = [finding for finding in lint.findings if finding.check == "contamination"]
    if overlaps:
        worst = overlaps[0]
        return Point(name, question, UNKNOWN if worst.severity == "note" else FAIL, worst.message)
    if lint.training:
        files = join_names([PurePath(path).name for path in lint.training], 4)
        return Point(name, question, PASS, f"nothing of it stands in {files}")
    return Point(name, question, UNKNOWN, "nobody looked (--training FILE)")


def _size(comparison: Comparison, pairwise: PairwiseView, verdict: Verdict) -> Point:
    name, question = "size", "Is the test set large enough to show the difference?"
    own, names = verdict.difference, verdict.pair
    if verdict.certainty == "short":
        few = pluralise(verdict.segments, "distinct segment" if repeats(verdict) else "segment")
        return Point(name, question, FAIL, f"{few}: below {FEWEST} no winner is named, whatever p is")
    if verdict.by_people and own is not None:
        places = digits([own.delta], own.decimals)
        apart = f"{own.a} and {own.b} differ by {number(abs(own.delta), places)} {own.label}"
        told = "people tell them apart" if own.significant else "people do not tell them apart"
        whose = f" {verdict.evidence.opinion}" if own.significant and verdict.evidence.opinion else ""
        known = PASS if own.significant and not whose else UNKNOWN
        judged = f"people judged {pluralise(own.units, 'segment')}"
        return Point(name, question, known, f"{judged}; {apart}; {told}{whose}")
    pairs = pairwise.by_pair.get(names) or pairwise.by_pair.get(names[::-1]) or {}
    preferred = own.metric if own else ""
    pair = next((pairs[metric] for metric in (preferred, *pairwise.directed) if metric in pairs), None)
    if pair is None:
        return Point(name, question, UNKNOWN, "there is no difference to show")
    segments = pluralise(comparison.test_set.segments, "segment")
    label = pairwise.metrics[pair.metric].label
    places = digits([pair.detectable, pair.delta], pairwise.metrics[pair.metric].decimals)
    would = (
        ""
        if math.isnan(pair.detectable) or (pair.exceeds_detectable and not pair.significant)
        else f"; this test shows {number(pair.detectable, places)} {label} with {percent(0.8)} power"
    )
    apart = f"{pair.a} and {pair.b} differ by {number(abs(pair.delta), places)} {label}"
    return Point(name, question, PASS if pair.significant else UNKNOWN, f"{segments}; {apart}{would}")
