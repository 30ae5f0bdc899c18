"""Verdicts for tests: of systems that were told apart or not, as a test says."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations

from adjudge.comparison.verdict import Difference, Evidence, Relation, Verdict, decide


def difference(
    a: str, b: str, ahead: str, significant: bool, *, label: str = "x", units: int = 100
) -> Difference:
    """Two systems by one measure, one of them one point ahead."""
    sign = 1.0 if ahead == a else -1.0
    return Difference(
        label,
        label,
        a,
        b,
        sign,
        sign / 2,
        2 * sign,
        0.001 if significant else 0.5,
        ahead,
        significant,
        True,
        2,
        units=units,
    )


def evidence(
    order: Sequence[str], wins: Sequence[tuple[str, str]] = (), *, by_people: bool = False, units: int = 100
) -> Evidence:
    """Systems by one measure: those of `wins` were told apart, the first as the better one; all others were not."""
    relations = {}
    for pair in combinations(order, 2):
        better = pair[1] if pair[::-1] in wins else pair[0]
        apart = pair in wins or pair[::-1] in wins
        relations[frozenset(pair)] = Relation((difference(*pair, better, apart, units=units),), by_people)
    return Evidence(tuple(order), relations, ("x",), 0.05, by_people)


def by_measures(*ways: tuple[str, bool], units: int = 100, **options: object) -> Verdict:
    """Two systems a and b by several measures: who is ahead by each, and whether that is shown."""
    labels = [f"m{place}" for place in range(len(ways))]
    known = [
        difference("a", "b", *way, label=label, units=units) for label, way in zip(labels, ways, strict=True)
    ]
    relations = {frozenset("ab"): Relation(tuple(known))}
    return decide(Evidence(("a", "b"), relations, tuple(labels), 0.05, **options))  # type: ignore[arg-type]


def against(baseline: str, own: Evidence) -> Evidence:
    """Evidence of every system against a baseline alone."""
    relations = {pair: relation for pair, relation in own.relations.items() if baseline in pair}
    return replace(own, relations=relations, baseline=baseline)
