"""A judge card shown: a table of figures, and in words what may be said of the judge and what not."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from adjudge.analysis.judge_card import FEW, Figure, JudgeCard
from adjudge.display import Cell, Column, Row, Section, Table, visible
from adjudge.report.render.formats import Forms
from adjudge.report.render.section_page import section_page
from adjudge.stats.significance import significant
from adjudge.wording import are, join_names, number, p_number, p_text, percent_of, pluralise, signed

if TYPE_CHECKING:
    from adjudge.io import Input

ALPHA = 0.05


def forms(card: JudgeCard, *, version: str, inputs: Sequence[Input] = ()) -> Forms:
    """A card in every format."""
    return Forms(
        lambda: sections(card),
        lambda: document(card, version, inputs),
        html=lambda: section_page(
            f"Judge card: {visible(card.judge)}",
            about(card),
            [section for section in sections(card) if section.key != "what"],
            {},
            version=version,
            inputs=inputs,
        ),
    )


def sections(card: JudgeCard) -> list[Section]:
    """Who it is, the figures, what they say, how they were made."""
    return [
        Section(f"Judge card: {visible(card.judge)}", lead=about(card), key="what"),
        Section(tables=(figures(card),)),
        Section("What may be said of the judge", sentences=tuple(sentences(card))),
        Section(notes=tuple(how(card))),
    ]


def document(card: JudgeCard, version: str, inputs: Sequence[Input] = ()) -> dict[str, Any]:
    """All that is known, unrounded."""
    return {
        "version": version,
        "inputs": [asdict(item) for item in inputs],
        **asdict(card),
        "sentences": sentences(card),
    }


def about(card: JudgeCard) -> str:
    """What the card rests on."""
    parts = (
        [f"{pluralise(card.translations, 'translation')} in {pluralise(card.runs, 'run')}"]
        if card.runs
        else []
    )
    parts += [f"{pluralise(card.position.questions, 'question')} in both orders"] if card.position else []
    parts += [f"{pluralise(card.people.translations, 'translation')} beside people"] if card.people else []
    return f"{join_names(parts)}."


def figures(card: JudgeCard) -> Table:
    """A row a figure; what is not known has none."""
    rows: list[tuple[str, str, str, str]] = []

    def add(name: str, figure: Figure, decimals: int, scale: float = 1, *, sign: bool = False) -> None:
        write = signed if sign else number
        value, low, high = (write(scale * x, decimals) for x in (figure.value, figure.low, figure.high))
        rows.append((name, value, f"{low} to {high}", "" if figure.p is None else p_number(figure.p, ALPHA)))

    if card.missing is not None:
        add("missing answers, %", card.missing.share, 1, 100)
    if card.repeatability is not None:
        again, icc = card.repeatability, card.repeatability.icc
        if icc.value is not None:
            low, high = (math.nan if x is None else x for x in (icc.low, icc.high))
            add("repeats itself: ICC(1,1)", Figure(icc.value, low, high, icc.units), 2)
        add("repeats itself: the very same score, %", again.same, 0, 100)
        add("repeats itself: points apart", _without_p(again.apart), 1)
    if card.position is not None:
        add("position: prefers the first, −1 to 1", card.position.favour, 2, sign=True)
        add("position: same answer in both orders, %", card.position.steady, 0, 100)
    if card.length is not None:
        given = ", at equal scores of people" if card.length.given_people else ""
        add(f"length: points for 10 % more{given}", card.length.slope, 2, sign=True)
    if card.people is not None:
        add("agrees with people: Pearson's r", card.people.pearson, 2)
        if card.people.pairs:
            add("agrees with people: pairs in the same order, %", card.people.accuracy, 0, 100)
    columns = (
        Column("Figure"),
        Column("Value", True),
        Column("95 % interval", True),
        Column("p (of 0)", True),
    )
    return Table(columns, tuple(Row(tuple(map(Cell, row))) for row in rows))


def sentences(card: JudgeCard) -> list[str]:
    """What may be said, point by point, and what is not known."""
    return [
        *_missing(card),
        *_repeatability(card),
        *_position(card),
        *_length(card),
        *_people(card),
        *_few(card),
        *(f"{note[:1].upper()}{note[1:]}." for note in card.notes),
    ]


def _missing(card: JudgeCard) -> list[str]:
    missing = card.missing
    if missing is None:
        return []
    if not missing.missing:
        return [f"It answered every one of {pluralise(missing.asked, 'question')}."]
    shares = {system: lost / asked for system, (lost, asked) in missing.systems.items() if asked}
    worst, best = max(shares.values()), min(shares.values())
    uneven = (
        f"; unevenly, {percent_of(worst)} of one system and {percent_of(best)} of another, so that their means are of "
        "different texts"
        if significant(missing.uneven_p, ALPHA)
        else ""
    )
    share = percent_of(missing.missing / missing.asked)
    return [
        f"{missing.missing:,} of {pluralise(missing.asked, 'answer')} {are(missing.asked)} missing ({share}){uneven}."
    ]


def _repeatability(card: JudgeCard) -> list[str]:
    again = card.repeatability
    if again is None:
        return []
    same, apart = percent_of(again.same.value), number(again.apart.value, 1)
    if again.icc.value is None:
        return [f"Asked again, it gives the very same score in {same} of cases; {again.icc.reason}."]
    return [
        f"Asked again, its scores agree with an ICC of {number(again.icc.value, 2)} ({again.icc.words}); {same} are "
        f"the very same, and two lie {apart} points apart on average."
    ]


def _position(card: JudgeCard) -> list[str]:
    position = card.position
    if position is None:
        return []
    favour, steady = position.favour, percent_of(position.steady.value)
    if _is_shown(favour):
        which = "first" if favour.value > 0 else "second"
        return [
            f"It favours what is shown {which} ({_figure(favour, 2)}): ask in both orders, and count only answers that "
            f"agree ({steady} do)."
        ]
    return [
        f"No preference for a position is shown ({_figure(favour, 2)}); {steady} of answers are the same either way."
    ]


def _length(card: JudgeCard) -> list[str]:
    length = card.length
    if length is None:
        return []
    gains = "gains" if length.slope.value > 0 else "loses"
    amount = number(abs(length.slope.value), 2)
    if not length.given_people:
        return [
            f"A translation that is 10 % longer {gains} {amount} points ({p_text(length.slope.p or 1.0, ALPHA)}); "
            "whether that is a bias or deserved, only people can tell (--people)."
        ]
    if _is_shown(length.slope):
        return [
            f"It favours {'long' if length.slope.value > 0 else 'short'} translations: of those that people score "
            f"alike, one that is 10 % longer {gains} {amount} points ({_figure(length.slope, 2)})."
        ]
    return [f"No bias by length is shown at equal scores of people (10 % more: {_figure(length.slope, 2)})."]


def _people(card: JudgeCard) -> list[str]:
    people = card.people
    if people is None:
        return []
    pairs = (
        f" and orders {percent_of(people.accuracy.value)} of {pluralise(people.pairs, 'pair')} of translations of one "
        "item as they do"
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
    if card.people_themselves is not None:
        points.append(
            f"People among themselves: {number(card.people_themselves, 2)} (one with the mean of the others)."
        )
    return points


def _few(card: JudgeCard) -> list[str]:
    figures_shown = [
        card.missing.share if card.missing else None,
        card.position.favour if card.position else None,
        card.people.pearson if card.people else None,
    ]
    units = min((figure.units for figure in figures_shown if figure is not None), default=FEW)
    return [f"{pluralise(units, card.unit)} {are(units)} few: intervals are rough."] if units < FEW else []


def how(card: JudgeCard) -> list[str]:
    """What the figures are."""
    return [
        f"Whole {card.unit}s are drawn: intervals of correlations and shares of pairs come from resamples, that of the "
        "ICC from what it is without each, the others from a t-distribution over their means. p: two-sided, each by "
        "itself; a bias is said at p ≤ 0.05.",
        "Held against people, the first run counts.",
    ]


def _is_shown(figure: Figure) -> bool:
    return figure.p is not None and significant(figure.p, ALPHA)


def _figure(figure: Figure, decimals: int) -> str:
    value, low, high = (signed(x, decimals) for x in (figure.value, figure.low, figure.high))
    return f"{value}, {low} to {high}, {p_text(figure.p or 0.0, ALPHA)}"


def _without_p(figure: Figure) -> Figure:
    return Figure(figure.value, max(0.0, figure.low), figure.high, figure.units)
