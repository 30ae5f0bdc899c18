"""The claim that a system translates as well as people do: what it takes, and why it is refused."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeVar

from adjudge.comparison.results import Pair
from adjudge.dossiers.checklist.points import PASS, Point
from adjudge.errors import unknown_name
from adjudge.human.ranking_results import RankedPair
from adjudge.stats.equivalence import Equivalence
from adjudge.wording import digits, join_names, p_text, with_sign

HUMAN_PARITY = "human-parity"
PEOPLE = frozenset({"human", "ref", "reference", "refa", "refb", "refc", "refd", "ht"})
"""First words of names by which files call what a person translated."""
MOST_NAMES = 6
AnyPair = TypeVar("AnyPair", Pair, RankedPair)


@dataclass(frozen=True)
class Claim:
    """Whether something may be said of the whole."""

    claim: str
    granted: bool
    open_points: tuple[str, ...]
    """Those that do not pass."""
    because: tuple[str, ...]
    """What else stands for it or against it."""


@dataclass(frozen=True)
class VersusPerson:
    """A system beside the person."""

    system: str
    p: float | None = None
    """None: the two were not compared."""
    worse: bool = False
    """Whether it is shown to be."""
    margin: Equivalence | None = None
    """Its lead over the person beside the margin, where one was given and tested."""


def versus_person(
    person: str, systems: Iterable[str], pairs: Iterable[AnyPair], better: Callable[[AnyPair], str]
) -> Iterator[VersusPerson]:
    """How every other system did beside the person; `better` names the better one of a pair."""
    known = {frozenset((pair.a, pair.b)): pair for pair in pairs}
    for system in systems:
        pair = known.get(frozenset((system, person)))
        if system != person and pair is None:
            yield VersusPerson(system)
        elif system != person and pair is not None:
            lead = pair.margin.turned if pair.margin is not None and pair.a == person else pair.margin
            yield VersusPerson(system, pair.p_adjusted, pair.significant and better(pair) == person, lead)


def human_parity(
    points: Sequence[Point],
    systems: Sequence[str],
    human: str | None,
    against: Callable[[str], Iterable[VersusPerson]],
) -> Claim:
    """All points must pass, and some system must be shown not to be worse than the person by a margin.

    That no difference was found is not enough. `against` tells how the other systems did beside the one that is a
    person's.
    """
    left = tuple(point.name for point in points if point.verdict != PASS)
    people = _people(systems, human)
    if len(people) != 1:
        why = (
            f"{join_names(people, MOST_NAMES)} could each be the person's translation"
            if people
            else "No system is known to be a person's translation"
        )
        return Claim(HUMAN_PARITY, False, left, (f"{why} (--human NAME)",))
    (person,) = people
    others = list(against(person))
    shown = [
        versus
        for versus in others
        if versus.margin is not None and versus.margin.not_worse and not versus.worse
    ]
    because = []
    if not others:
        because.append(f"{person} is the only system")
    elif all(versus.p is None for versus in others):
        because.append("nothing could be tested")
    elif not shown:
        because = [_open(versus, person) for versus in others]
    if because or left:
        return Claim(HUMAN_PARITY, False, left, tuple(because))
    return Claim(HUMAN_PARITY, True, (), tuple(_evidence_line(versus, person) for versus in shown))


def _evidence_line(versus: VersusPerson, person: str) -> str:
    assert versus.margin is not None
    return (
        f"{versus.system}: shown not to be worse than {person} by {versus.margin.margin:g} or more "
        f"({p_text(versus.margin.p_not_worse, versus.margin.alpha)}; {_interval(versus.margin)})"
    )


def _open(versus: VersusPerson, person: str) -> str:
    """Why a system is not shown to be as good as the person."""
    if versus.p is None or versus.worse:
        return _worse(versus, person)
    if versus.margin is None:
        return (
            f"{versus.system} is not shown to be worse than {person}, which does not show that it is as good: parity "
            "needs a margin, the difference that would not matter (--margin X)"
        )
    return (
        f"{versus.system} is not shown to be within {versus.margin.margin:g} of {person} "
        f"({p_text(versus.margin.p_not_worse, versus.margin.alpha)}; {_interval(versus.margin)})"
    )


def _interval(equivalence: Equivalence) -> str:
    low, high = (with_sign(value, digits([value], 3)) for value in (equivalence.low, equivalence.high))
    return f"its lead is {low} to {high}"


def _worse(versus: VersusPerson, person: str) -> str:
    if versus.p is None:
        return f"{versus.system} was not compared with {person}"
    return f"{versus.system} is worse than {person} ({p_text(versus.p)})"


def _people(systems: Sequence[str], human: str | None) -> list[str]:
    if human is None:
        return [name for name in systems if re.split(r"[^a-z0-9]", name.lower())[0] in PEOPLE]
    if human not in systems:
        raise unknown_name("system", human, systems)
    return [human]
