"""The claim that a system translates as well as people do: what it takes, and why it is refused."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeVar

from adjudge.checklist.points import PASS, Point
from adjudge.errors import unknown_name
from adjudge.evaluate.comparison import Pair
from adjudge.people.ranking_results import RankedPair
from adjudge.stats.equivalence import Equivalence
from adjudge.wording import digits, listed, p_text, signed

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
            f"{listed(people, MOST_NAMES)} could each be the person's translation"
            if people
            else "No system is known to be a person's translation"
        )
        return Claim(HUMAN_PARITY, False, left, (f"{why} (--human NAME)",))
    (person,) = people
    others = list(against(person))
    shown = [one for one in others if one.margin is not None and one.margin.not_worse and not one.worse]
    because = []
    if not others:
        because.append(f"{person} is the only system")
    elif all(one.p is None for one in others):
        because.append("nothing could be tested")
    elif not shown:
        because = [_open(one, person) for one in others]
    if because or left:
        return Claim(HUMAN_PARITY, False, left, tuple(because))
    return Claim(HUMAN_PARITY, True, (), tuple(_shown(one, person) for one in shown))


def _shown(one: VersusPerson, person: str) -> str:
    assert one.margin is not None
    return (
        f"{one.system}: shown not to be worse than {person} by {one.margin.margin:g} or more "
        f"({p_text(one.margin.p_not_worse, one.margin.alpha)}; {_interval(one.margin)})"
    )


def _open(one: VersusPerson, person: str) -> str:
    """Why a system is not shown to be as good as the person."""
    if one.p is None or one.worse:
        return _worse(one, person)
    if one.margin is None:
        return (
            f"{one.system} is not shown to be worse than {person}, which does not show that it is as good: parity "
            "needs a margin, the difference that would not matter (--margin X)"
        )
    return (
        f"{one.system} is not shown to be within {one.margin.margin:g} of {person} "
        f"({p_text(one.margin.p_not_worse, one.margin.alpha)}; {_interval(one.margin)})"
    )


def _interval(found: Equivalence) -> str:
    low, high = (signed(value, digits([value], 3)) for value in (found.low, found.high))
    return f"its lead is {low} to {high}"


def _worse(one: VersusPerson, person: str) -> str:
    if one.p is None:
        return f"{one.system} was not compared with {person}"
    return f"{one.system} is worse than {person} ({p_text(one.p)})"


def _people(systems: Sequence[str], human: str | None) -> list[str]:
    if human is None:
        return [name for name in systems if re.split(r"[^a-z0-9]", name.lower())[0] in PEOPLE]
    if human not in systems:
        raise unknown_name("system", human, systems)
    return [human]
