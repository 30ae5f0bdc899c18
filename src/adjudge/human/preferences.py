"""Two systems side by side: how often each was preferred, and whether chance would do as much."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from adjudge.data.judgements import NONE, Judgements
from adjudge.errors import UsageError
from adjudge.human.grouping import combined_codes
from adjudge.human.pairs import Comparisons, comparisons, units_of
from adjudge.stats.crossed import Crossed
from adjudge.stats.design import ANNOTATOR, DOCUMENT
from adjudge.stats.equivalence import clustered_error
from adjudge.stats.moments import sums
from adjudge.stats.tests.preferences.base import Answers, PreferenceTest, preference_test

Floats: TypeAlias = NDArray[np.float64]

ITEM = "item"
NATURAL = (ITEM, DOCUMENT)
BOTH = tuple(f"{kind},{ANNOTATOR}" for kind in NATURAL)
"""Units of two kinds at once."""


@dataclass(frozen=True)
class Preference:
    """What people said of two systems when they saw both."""

    system: str
    other: str
    wins: int
    ties: int
    losses: int
    mean: float
    """How far the first is preferred, −1 to 1: on each item the share of wins less that of losses, then the mean.

    Of units that take every comparison for an item, the share of all wins less that of all losses.
    """
    error: float
    """Standard error of that mean, units being independent; NaN of a single one."""
    p: float
    """Of the two-sided sign-flip test of that mean; 1 where nothing was preferred."""
    units: int
    """How many units were turned by coins; of two kinds, how many of the rarer one there are."""
    equal_units: float
    """So many units of one size tell as much of the error."""
    smallest_p: float
    """The smallest p that so many units allow."""
    independent: float
    """So many items by themselves would say as much: their number over what clusters add to the variance."""
    items: int
    """n: distinct items on which the two were compared."""
    judgements: int
    """N: how often they were."""

    @property
    def comparisons(self) -> int:
        """How many there are."""
        return self.wins + self.ties + self.losses

    @property
    def shares(self) -> tuple[float, float, float]:
        """Percentages of wins, ties and losses."""
        won, tied, lost = (100 * n / self.comparisons for n in (self.wins, self.ties, self.losses))
        return won, tied, lost


@dataclass(frozen=True, eq=False)
class PairAnswers:
    """What was said of two systems, a number a unit; they add up to the mean times the weight."""

    system: str
    other: str
    answers: NDArray[np.int64]
    """1, 0 or −1 for the first, neither or the second: a row a comparison."""
    values: Floats
    """By unit: the sum of what its comparisons add."""
    item_values: Floats
    """By item."""
    weights: Floats
    """By unit: how many items it holds, those of which others hold a part in parts."""
    parts: int
    """By this number all of them become whole."""


def preferences(judgements: Judgements, *, unit: str = "item") -> tuple[Preference, ...]:
    """Every two systems that were compared, in the order of their first appearance.

    What was said of an item is averaged first, so that an item counts once, however many people judged it; then whole
    units (items, documents) turn by a coin. By `item,annotator` or `document,annotator` what both have in common is
    allowed for: p is the larger one of that test and of a t-test clustered both ways. By `annotator` people turn by a
    coin as well, and the largest p counts. By `pair` every comparison is an item of its own, as published sign tests
    have it: p is too small where several people made the same. Where there are many pairs of systems, their p-values
    are to be adjusted (`stats.multiple`).
    """
    test = preference_test(unit)
    if unit == ANNOTATOR:
        return _by_both(judgements, (natural_unit(judgements), ANNOTATOR), test)
    if "," in unit:
        return _by_both(judgements, _two_kinds(unit), test)
    return tuple(preference for preference, _ in _by_units(judgements, unit))


def _by_units(judgements: Judgements, unit: str) -> list[tuple[Preference, PairAnswers]]:
    """By units of one kind, with what each of them says."""
    test, by_pair = preference_test(unit), []
    for pair in pair_answers(judgements, unit):
        answers = Answers(pair.values, pair.parts)
        weight, squares = float(pair.weights.sum()), float((pair.values**2).sum())
        single = float((pair.item_values**2).sum())
        wins, ties, losses = (int((pair.answers == outcome).sum()) for outcome in (1, 0, -1))
        preference = Preference(
            pair.system,
            pair.other,
            wins,
            ties,
            losses,
            float(pair.values.sum()) / weight,
            clustered_error(pair.values, pair.weights),
            test.p(answers),
            len(pair.values),
            len(pair.values),
            test.smallest_p(answers),
            weight * min(1.0, single / squares) if squares else weight,
            len(pair.item_values),
            len(pair.answers),
        )
        by_pair.append((preference, pair))
    return by_pair


def _by_both(judgements: Judgements, kinds: Sequence[str], test: PreferenceTest) -> tuple[Preference, ...]:
    """As if other units of both kinds had been asked, other people and other items: clustered both ways.

    The error is never smaller than what one comparison weighs, so that unanimous answers have one, too.
    """
    by_pair = []
    for pair, (alone, units), people in zip(
        pair_comparisons(judgements, *kinds),
        _by_units(judgements, kinds[0]),
        pair_answers(judgements, kinds[1]),
        strict=True,
    ):
        mean = Crossed.coded(*(pair.units[kind] for kind in kinds)).mean(pair.weighed)
        error = math.nan if math.isnan(mean.error) else max(mean.error, pair.heaviest)
        answers = Answers(
            units.values, units.parts, Answers(people.values, people.parts), replace(mean, error=error)
        )
        wider = min(1.0, (alone.error / error) ** 2) if error > 0 else 1.0
        by_pair.append(
            replace(
                alone,
                error=error,
                p=test.p(answers),
                units=min(alone.units, len(people.values)),
                equal_units=mean.units,
                smallest_p=test.smallest_p(answers),
                independent=alone.independent * wider,
            )
        )
    return tuple(by_pair)


@dataclass(frozen=True, eq=False)
class PairComparisons:
    """The comparisons of two systems: a row each."""

    system: str
    other: str
    answers: NDArray[np.int64]
    """1, 0 or −1 for the first, neither or the second."""
    units: Mapping[str, NDArray[np.int64]]
    """The item, the document and the annotator of each."""
    often: NDArray[np.int64]
    """How often its item was judged."""

    @property
    def weighed(self) -> Floats:
        """Rows of (weight × answer, weight), so that an item counts once."""
        rows: Floats = np.column_stack([self.answers / self.often, 1.0 / self.often])
        return rows

    @property
    def heaviest(self) -> float:
        """The largest share of the mean that is one comparison's."""
        weights = 1.0 / self.often
        return float(weights.max() / weights.sum())


def pair_comparisons(judgements: Judgements, *kinds: str) -> Iterator[PairComparisons]:
    """Every two systems that were compared, in the order of their first appearance, with units of some kinds."""
    made = comparisons(judgements)
    k = len(made.systems)
    pair, answer = _answers(made)
    item = units_of(judgements, made, ITEM)
    units = {kind: units_of(judgements, made, kind) for kind in kinds}
    order = np.argsort(pair, kind="stable")
    begins = np.flatnonzero(np.diff(pair[order], prepend=-1))
    for rows in np.split(order, begins[1:]):
        items = combined_codes(item[rows])
        a, b = divmod(int(pair[rows[0]]), k)
        pair_units = {kind: codes[rows] for kind, codes in units.items()}
        yield PairComparisons(
            made.systems[a],
            made.systems[b],
            answer[rows],
            pair_units | {ITEM: items},
            np.bincount(items)[items],
        )


def pair_answers(judgements: Judgements, unit: str) -> list[PairAnswers]:
    """What the units say of every two systems that were compared; of two kinds, what is of one of each."""
    by_pair, each = [], preference_test(unit).every_comparison
    for pair in pair_comparisons(judgements, unit):
        items, units = pair.units[ITEM], combined_codes(pair.units[unit])
        share: Floats = np.ones(len(items)) if each else 1.0 / pair.often
        number, distinct = len(np.unique(units)), len(np.unique(items))
        by_pair.append(
            PairAnswers(
                pair.system,
                pair.other,
                pair.answers,
                sums(share * pair.answers, units, number),
                sums(share * pair.answers, items, distinct),
                sums(share, units, number),
                1 if each else math.lcm(*map(int, np.unique(pair.often))),
            )
        )
    return by_pair


def _two_kinds(unit: str) -> list[str]:
    kinds = unit.split(",")
    if len(kinds) != 2 or kinds[0] not in NATURAL or kinds[1] != ANNOTATOR:
        raise UsageError(f"--unit {unit}: of rankings, two kinds are {' or '.join(BOTH)}")
    return kinds


def natural_unit(judgements: Judgements) -> str:
    """What to take for one without looking at a score: the document where items are of documents, else the item."""
    column = judgements.labels.get(DOCUMENT)
    if column is None or (column.codes == NONE).all():
        return ITEM
    return DOCUMENT if len(column.names) < len(judgements.item.names) else ITEM


def _answers(made: Comparisons) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Of every comparison the two systems, a·k + b with a < b, and 1, 0 or −1 for a, neither or b."""
    k = len(made.systems)
    first, second = np.divmod(made.cells % (k * k), k)
    answer = np.where(made.cells >= k * k, 0, np.where(first < second, 1, -1))
    return np.minimum(first, second) * k + np.maximum(first, second), answer
