"""A judge card: a table of figures, and in words what may be said of the judge and what not."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from adjudge.display import Cell, Column, Displayable, Row, Section, Table, visible
from adjudge.stats.agreement import Coefficient
from adjudge.stats.significance import significant
from adjudge.wording import are, join_names, number, p_number, p_text, percent_of, pluralise, with_sign

if TYPE_CHECKING:
    pass

ALPHA = 0.05
FEW = 20
"""Units below which intervals are rough."""


@dataclass(frozen=True)
class Figure:
    """A number, from where to where it may lie (95 %), and what it rests on."""

    value: float
    low: float
    high: float
    units: int
    """Items or documents that were drawn."""
    p: float | None = None
    """That it is 0, two-sided."""


@dataclass(frozen=True)
class MissingAnswers:
    """Translations without an answer."""

    missing: int
    asked: int
    share: Figure
    systems: Mapping[str, tuple[int, int]]
    """Missing and asked of each system: where they differ, means are of different texts."""
    uneven_p: float = 1.0
    """Of a chi-square test that no system lacks more than another."""


@dataclass(frozen=True)
class Repeatability:
    """How a judge answers when translations are judged again."""

    translations: int
    answers: int
    icc: Coefficient
    """ICC(1,1): how much of what scores differ by lies in the translations."""
    same: Figure
    """Share of two answers to one translation that are the same."""
    apart: Figure
    """Mean distance of two answers, in points."""


@dataclass(frozen=True)
class PositionBias:
    """How a judge answers when two translations are shown in both orders."""

    questions: int
    favour: Figure
    """How far what is shown first is preferred, −1 to 1; 0 for a judge who does not mind."""
    steady: Figure
    """Share of questions whose answer does not depend on the order."""


@dataclass(frozen=True)
class LengthBias:
    """Translations of the same item, the longer against the shorter."""

    translations: int
    slope: Figure
    """Points that a translation gains by being 10 % longer than the others of its item; `given_people`: at equal scores
    of people."""
    given_people: bool


@dataclass(frozen=True)
class PeopleAgreement:
    """The judge beside people, on the same translations."""

    translations: int
    pearson: Figure
    accuracy: Figure
    """Of two translations of an item that people score differently, how often the judge orders them alike; its ties
    count half."""
    pairs: int
    systems: float
    """Pearson's correlation of the systems' means; NaN of fewer than three."""
    number_of_systems: int


@dataclass(frozen=True)
class JudgeCard(Displayable):
    """One page to put beside a claim; None where the files do not tell."""

    judge: str
    runs: int
    translations: int
    unit: str
    missing: MissingAnswers | None
    repeatability: Repeatability | None
    position: PositionBias | None
    length: LengthBias | None
    people: PeopleAgreement | None
    people_themselves: float | None
    """Pearson's correlation of a person with the mean of the others."""
    notes: tuple[str, ...] = ()

    @property
    def title(self) -> str:
        """Of its page."""
        return f"Judge card: {visible(self.judge)}"

    def sections(self) -> list[Section]:
        """Who it is, the figures, what they say, how they were made."""
        return [Section(self.title, lead=self.about), *self.page_sections()]

    def page_sections(self) -> list[Section]:
        """The figures, what they say, how they were made."""
        return [
            Section(tables=(self._figures(),)),
            Section("What may be said of the judge", sentences=tuple(self.sentences())),
            Section(notes=tuple(self._how())),
        ]

    def document(self) -> dict[str, Any]:
        """All fields, and what they say."""
        return {**asdict(self), "sentences": self.sentences()}

    @property
    def about(self) -> str:
        """What the card rests on."""
        parts = (
            [f"{pluralise(self.translations, 'translation')} in {pluralise(self.runs, 'run')}"]
            if self.runs
            else []
        )
        parts += [f"{pluralise(self.position.questions, 'question')} in both orders"] if self.position else []
        parts += (
            [f"{pluralise(self.people.translations, 'translation')} beside people"] if self.people else []
        )
        return f"{join_names(parts)}."

    def _figures(self) -> Table:
        """A row a figure; what is not known has none."""
        rows: list[tuple[str, str, str, str]] = []

        def add(name: str, figure: Figure, decimals: int, scale: float = 1, *, sign: bool = False) -> None:
            write = with_sign if sign else number
            value, low, high = (write(scale * x, decimals) for x in (figure.value, figure.low, figure.high))
            rows.append(
                (name, value, f"{low} to {high}", "" if figure.p is None else p_number(figure.p, ALPHA))
            )

        if self.missing is not None:
            add("missing answers, %", self.missing.share, 1, 100)
        if self.repeatability is not None:
            again, icc = self.repeatability, self.repeatability.icc
            if icc.value is not None:
                low, high = (math.nan if x is None else x for x in (icc.low, icc.high))
                add("repeats itself: ICC(1,1)", Figure(icc.value, low, high, icc.units), 2)
            add("repeats itself: the very same score, %", again.same, 0, 100)
            add("repeats itself: points apart", _without_p(again.apart), 1)
        if self.position is not None:
            add("position: prefers the first, −1 to 1", self.position.favour, 2, sign=True)
            add("position: same answer in both orders, %", self.position.steady, 0, 100)
        if self.length is not None:
            given = ", at equal scores of people" if self.length.given_people else ""
            add(f"length: points for 10 % more{given}", self.length.slope, 2, sign=True)
        if self.people is not None:
            add("agrees with people: Pearson's r", self.people.pearson, 2)
            if self.people.pairs:
                add("agrees with people: pairs in the same order, %", self.people.accuracy, 0, 100)
        columns = (
            Column("Figure"),
            Column("Value", True),
            Column("95 % interval", True),
            Column("p (of 0)", True),
        )
        return Table(columns, tuple(Row(tuple(map(Cell, row))) for row in rows))

    def sentences(self) -> list[str]:
        """What may be said, point by point, and what is not known."""
        return [
            *self._missing(),
            *self._repeatability(),
            *self._position(),
            *self._length(),
            *self._people(),
            *self._few(),
            *(f"{note[:1].upper()}{note[1:]}." for note in self.notes),
        ]

    def _missing(self) -> list[str]:
        missing = self.missing
        if missing is None:
            return []
        if not missing.missing:
            return [f"It answered every one of {pluralise(missing.asked, 'question')}."]
        shares = {system: lost / asked for system, (lost, asked) in missing.systems.items() if asked}
        worst, best = max(shares.values()), min(shares.values())
        uneven = (
            f"; unevenly, {percent_of(worst)} of one system and {percent_of(best)} of another, so that their means are "
            "of different texts"
            if significant(missing.uneven_p, ALPHA)
            else ""
        )
        share = percent_of(missing.missing / missing.asked)
        return [
            f"{missing.missing:,} of {pluralise(missing.asked, 'answer')} {are(missing.asked)} missing "
            f"({share}){uneven}."
        ]

    def _repeatability(self) -> list[str]:
        again = self.repeatability
        if again is None:
            return []
        same, apart = percent_of(again.same.value), number(again.apart.value, 1)
        if again.icc.value is None:
            return [f"Asked again, it gives the very same score in {same} of cases; {again.icc.reason}."]
        return [
            f"Asked again, its scores agree with an ICC of {number(again.icc.value, 2)} ({again.icc.words}); {same} "
            f"are the very same, and two lie {apart} points apart on average."
        ]

    def _position(self) -> list[str]:
        position = self.position
        if position is None:
            return []
        favour, steady = position.favour, percent_of(position.steady.value)
        if _has_value(favour):
            which = "first" if favour.value > 0 else "second"
            return [
                f"It favours what is shown {which} ({_figure(favour, 2)}): ask in both orders, and count only answers "
                f"that agree ({steady} do)."
            ]
        return [
            f"No preference for a position is shown ({_figure(favour, 2)}); {steady} of answers are the same either "
            "way."
        ]

    def _length(self) -> list[str]:
        length = self.length
        if length is None:
            return []
        gains = "gains" if length.slope.value > 0 else "loses"
        amount = number(abs(length.slope.value), 2)
        if not length.given_people:
            return [
                f"A translation that is 10 % longer {gains} {amount} points ({p_text(length.slope.p or 1.0, ALPHA)}); "
                "whether that is a bias or deserved, only people can tell (--people)."
            ]
        if _has_value(length.slope):
            return [
                f"It favours {'long' if length.slope.value > 0 else 'short'} translations: of those that people score "
                f"alike, one that is 10 % longer {gains} {amount} points ({_figure(length.slope, 2)})."
            ]
        return [
            f"No bias by length is shown at equal scores of people (10 % more: {_figure(length.slope, 2)})."
        ]

    def _people(self) -> list[str]:
        people = self.people
        if people is None:
            return []
        pairs = (
            f" and orders {percent_of(people.accuracy.value)} of {pluralise(people.pairs, 'pair')} of translations of "
            "one item as they do"
            if people.pairs
            else ""
        )
        points = [f"Beside people it has a correlation of {number(people.pearson.value, 2)}{pairs}."]
        if people.pairs and people.accuracy.low <= 0.5:
            points.append("That is not shown to be better than tossing a coin for pairs.")
        if not math.isnan(people.systems):
            points.append(
                f"Over {pluralise(people.number_of_systems, 'system')} means correlate by {number(people.systems, 2)}."
            )
        if self.people_themselves is not None:
            points.append(
                f"People among themselves: {number(self.people_themselves, 2)} (one with the mean of the others)."
            )
        return points

    def _few(self) -> list[str]:
        figures_shown = [
            self.missing.share if self.missing else None,
            self.position.favour if self.position else None,
            self.people.pearson if self.people else None,
        ]
        units = min((figure.units for figure in figures_shown if figure is not None), default=FEW)
        return (
            [f"{pluralise(units, self.unit)} {are(units)} few: intervals are rough."] if units < FEW else []
        )

    def _how(self) -> list[str]:
        """What the figures are."""
        return [
            f"Whole {self.unit}s are drawn: intervals of correlations and shares of pairs come from resamples, that of "
            "the ICC from what it is without each, the others from a t-distribution over their means. p: two-sided, "
            "each by itself; a bias is said at p ≤ 0.05.",
            "Held against people, the first run counts.",
        ]


def _has_value(figure: Figure) -> bool:
    return figure.p is not None and significant(figure.p, ALPHA)


def _figure(figure: Figure, decimals: int) -> str:
    value, low, high = (with_sign(x, decimals) for x in (figure.value, figure.low, figure.high))
    return f"{value}, {low} to {high}, {p_text(figure.p or 0.0, ALPHA)}"


def _without_p(figure: Figure) -> Figure:
    return Figure(figure.value, max(0.0, figure.low), figure.high, figure.units)
