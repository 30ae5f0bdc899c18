"""What is known of a judge, a metric, a model or a person: does it repeat itself, whom does it favour, is it right?"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from adjudge.analysis.judge_answers import Lengths, PairChoice, Ratings, Translation
from adjudge.analysis.judge_result import (
    Figure,
    JudgeCard,
    LengthBias,
    MissingAnswers,
    PeopleAgreement,
    PositionBias,
    Repeatability,
)
from adjudge.errors import DataError, UsageError
from adjudge.stats.distributions import chi_square_tail, t_cdf, t_quantile
from adjudge.stats.equivalence import clustered_error
from adjudge.stats.intraclass import intraclass_one_way
from adjudge.stats.resampling import Aggregate, Rows, resampled_scores
from adjudge.stats.units import Units

Floats = NDArray[np.float64]
ITEM, DOCUMENT = "item", "document"
RESAMPLES = 1000
LONGER = math.log(1.1)
"""Of the logarithm of lengths: ten percent."""


@dataclass(frozen=True)
class CardOptions:
    """How a card is made."""

    unit: str = ITEM
    resamples: int = RESAMPLES
    seed: int = 12345

    def __post_init__(self) -> None:
        if self.unit not in (ITEM, DOCUMENT):
            raise UsageError(f"unit {self.unit!r}: {ITEM} or {DOCUMENT}")


def judge_card(
    judge: str,
    ratings: Ratings,
    choices: Sequence[PairChoice] = (),
    people: Mapping[Translation, float] | None = None,
    lengths: Lengths | None = None,
    *,
    people_themselves: float | None = None,
    options: CardOptions | None = None,
) -> JudgeCard:
    """All that answers of a judge, and people's scores beside them, tell of the judge.

    Where it is held against people, its first run counts, as that is what a user has. Whole items, or documents, are
    drawn for intervals.
    """
    made = _Card(ratings, dict(people or {}), dict(lengths or {}), options or CardOptions())
    if not ratings.runs and not choices:
        raise DataError("there is nothing that the judge said")
    return JudgeCard(
        judge=judge,
        runs=len(ratings.runs),
        translations=len(ratings.translations),
        unit=made.options.unit,
        missing=made.missing() if ratings.runs else None,
        repeatability=made.repeatability(),
        position=made.position(choices),
        length=made.length(),
        people=made.agreement(),
        people_themselves=people_themselves,
        notes=tuple(made.notes(choices)),
    )


@dataclass(frozen=True)
class _Card:
    """The parts of a card, each from the same answers."""

    ratings: Ratings
    people: dict[Translation, float]
    lengths: dict[Translation, int]
    options: CardOptions

    def unit_of(self, item: str) -> str:
        """What an item is drawn with."""
        if self.options.unit == ITEM:
            return item
        if item not in self.ratings.documents:
            raise UsageError(f"item {item!r} has no document, so that documents cannot be drawn: --unit item")
        return self.ratings.documents[item]

    def missing(self) -> MissingAnswers:
        """Translations that one run has a score of, or people have, and another run has not."""
        translations = set(self.ratings.translations)
        systems, items = {system for system, _ in translations}, {item for _, item in translations}
        by_people = {key for key in self.people if key[0] in systems and key[1] in items}
        expected = sorted(translations | by_people)
        lacking = {
            key: sum(math.isnan(run.get(key, math.nan)) for run in self.ratings.runs) for key in expected
        }
        runs = len(self.ratings.runs)
        by_system = {
            system: (
                sum(count for (other, _), count in lacking.items() if other == system),
                runs * sum(other == system for other, _ in expected),
            )
            for system in sorted(systems)
        }
        share = self._share(
            [item for _, item in expected],
            [float(n) for n in lacking.values()],
            [float(runs)] * len(expected),
        )
        lost, asked = (np.array([counts[i] for counts in by_system.values()], np.float64) for i in (0, 1))
        return MissingAnswers(
            sum(lacking.values()), runs * len(expected), share, by_system, _uneven_p(lost, asked)
        )

    def repeatability(self) -> Repeatability | None:
        """How far answers to the same translation agree; None where nothing was judged twice."""
        values, units, items = self.ratings.repeated()
        if not len(items):
            return None
        equal, apart, pairs = np.zeros(len(items)), np.zeros(len(items)), np.zeros(len(items))
        for unit in range(len(items)):
            unit_values = values[units == unit]
            distance = np.abs(unit_values[:, None] - unit_values[None, :])[
                np.triu_indices(len(unit_values), 1)
            ]
            equal[unit], apart[unit], pairs[unit] = (distance == 0).sum(), distance.sum(), len(distance)
        icc = intraclass_one_way(
            values,
            units,
            limits=True,
            together=[self.unit_of(items[unit]) for unit in units],
        )
        same = self._share(items, equal.tolist(), pairs.tolist())
        distance_of = self._mean(items, apart.tolist(), pairs.tolist())
        return Repeatability(len(items), len(values), icc, same, distance_of)

    def position(self, choices: Sequence[PairChoice]) -> PositionBias | None:
        """Questions that were asked in both orders; None where there are none."""
        asked: dict[tuple[str, str, str, str], float] = {}
        for choice in choices:
            if not math.isnan(choice.score):
                asked.setdefault((choice.asked, choice.item, choice.first, choice.second), choice.score)
        items, favour, steady = [], [], []
        for (who, item, first, second), score in asked.items():
            swapped = asked.get((who, item, second, first))
            if swapped is not None and first < second:
                items.append(item)
                favour.append((score + swapped) / 2)
                steady.append(float(score == -swapped))
        if not items:
            return None
        ones = [1.0] * len(items)
        return PositionBias(len(items), self._mean(items, favour, ones), self._share(items, steady, ones))

    def length(self) -> LengthBias | None:
        """What length does to scores among translations of one item; None where texts or other systems are lacking."""
        first = self._first_run()
        given = any(key in self.people for key in first)
        keys = [key for key in first if key in self.lengths and (not given or key in self.people)]
        items = [item for _, item in keys]
        score, x = (
            _centre_by_item(np.array([source(key) for key in keys], np.float64), items)
            for source in (first.__getitem__, lambda key: math.log(self.lengths[key]))
        )
        if len(set(items)) < 2 or not (x**2).sum() > 1e-12:
            return None
        if given:
            human = _centre_by_item(np.array([self.people[key] for key in keys]), items)
            below = float((human**2).sum())
            if below > 0:  # what people's scores explain is taken out of both (Frisch, Waugh and Lovell)
                score, x = (column - human * (float((column * human).sum()) / below) for column in (score, x))
            if not (x**2).sum() > 1e-12:
                return None
        slope = self._mean(items, (score * x).tolist(), (x**2).tolist(), scale=LONGER)
        return LengthBias(len(keys), slope, given)

    def agreement(self) -> PeopleAgreement | None:
        """The judge's first run beside people; None where they have nothing in common."""
        first = self._first_run()
        keys = [key for key in first if key in self.people]
        if len(keys) < 3:
            return None
        judged, human = (np.array([source[key] for key in keys]) for source in (first, self.people))
        items = [item for _, item in keys]
        off = judged - judged.mean(), human - human.mean()  # so that sums of squares lose no digits
        moments = np.column_stack([np.ones(len(keys)), *off, off[0] ** 2, off[1] ** 2, off[0] * off[1]])
        order = np.array([_count_ordered(judged, human, rows) for rows in _places(items).values()])
        whole = self._estimate(moments, items, _pearson, fisher=True)
        accuracy = _within_bounds(self._estimate(order, list(_places(items)), _share))
        names = sorted({system for system, _ in keys})
        means = [
            [column[[key[0] == name for key in keys]].mean() for name in names] for column in (judged, human)
        ]
        systems = float(np.corrcoef(means)[0, 1]) if len(names) > 2 and all(map(np.ptp, means)) else math.nan
        return PeopleAgreement(len(keys), whole, accuracy, int(order[:, 1].sum()), systems, len(names))

    def notes(self, choices: Sequence[PairChoice]) -> list[str]:
        """What the files do not tell, and how to have it told."""
        notes = []
        if self.ratings.runs and not len(self.ratings.repeated()[2]):
            notes.append(
                "nothing was judged twice: a second run of the same judge shows whether it repeats itself"
            )
        if choices and self.position(choices) is None:
            notes.append(
                "no two translations were shown in both orders: position cannot be told from quality"
            )
        if self.ratings.runs and self.length() is None:
            notes.append(
                "what length does to scores is not known: it takes texts (a column target, or --system-output "
                "NAME=FILE) of two systems at least"
            )
        if self.ratings.runs and not self.people:
            notes.append("whether the judge is right is not known: give people's judgements (--people FILE)")
        return notes

    def _first_run(self) -> dict[Translation, float]:
        run = self.ratings.runs[0] if self.ratings.runs else {}
        return {key: score for key, score in run.items() if not math.isnan(score)}

    def _mean(
        self, items: Sequence[str], values: Sequence[float], weights: Sequence[float], scale: float = 1.0
    ) -> Figure:
        """The sum of values over that of weights, with an interval and a t-test by units."""
        places = _places([self.unit_of(item) for item in items])
        above = np.array([math.fsum(values[i] for i in rows) for rows in places.values()])
        below = np.array([math.fsum(weights[i] for i in rows) for rows in places.values()])
        value, units = scale * float(above.sum() / below.sum()), len(above)
        error = scale * clustered_error(above, below)
        if not error > 0:  # a single unit, or all alike
            alike = 1.0 if value == 0 else min(1.0, 2.0 ** (1 - units))
            return Figure(value, *((value, value) if units > 1 else (math.nan, math.nan)), units, alike)
        reach = float(t_quantile(units - 1, 0.975)) * error
        return Figure(
            value, value - reach, value + reach, units, float(2 * t_cdf(units - 1, -abs(value) / error))
        )

    def _share(self, items: Sequence[str], values: Sequence[float], weights: Sequence[float]) -> Figure:
        """A share between 0 and 1 with its interval; all or nothing in n units may still be less or more."""
        figure = self._mean(items, values, weights)
        low, high, beyond = figure.low, figure.high, 0.025 ** (1 / figure.units)  # Clopper and Pearson 1934
        if figure.value == 0:
            low, high = 0.0, 1 - beyond
        elif figure.value == 1:
            low, high = beyond, 1.0
        return Figure(figure.value, max(0.0, low), min(1.0, high), figure.units)

    def _estimate(
        self, rows: Rows, items: Sequence[str], aggregate: Aggregate, *, fisher: bool = False
    ) -> Figure:
        """A function of sums with its interval: resamples of whole units say how far it spreads, t how far that is.

        A correlation spreads evenly on Fisher's scale.
        """
        names = [self.unit_of(item) for item in items]
        units, count = Units.of(len(rows), names), len(set(names))
        scores = resampled_scores(
            [rows], aggregate, resamples=self.options.resamples, seed=self.options.seed, units=units
        )[:, 0]
        value = float(aggregate(rows.sum(0)))
        to, back = (np.arctanh, np.tanh) if fisher else (np.asarray, np.asarray)
        with np.errstate(all="ignore"):
            spread = to(scores[~np.isnan(scores)])
            error = float(np.std(spread, ddof=1)) * math.sqrt(count / (count - 1)) if count > 1 else math.nan
        if math.isnan(value) or not math.isfinite(error):
            return Figure(value, math.nan, math.nan, count)
        reach = float(t_quantile(count - 1, 0.975)) * error
        low, high = (float(back(to(value) + side * reach)) for side in (-1, 1))
        return Figure(value, low, high, count)


def _uneven_p(lost: Floats, asked: Floats) -> float:
    """How often chance alone spreads so many missing answers so unevenly."""
    share = lost.sum() / asked.sum()
    if not 0 < share < 1 or len(lost) < 2:
        return 1.0
    far = ((lost - share * asked) ** 2 / (asked * share * (1 - share))).sum()
    return chi_square_tail(len(lost) - 1, float(far))


def _within_bounds(share: Figure) -> Figure:
    return Figure(share.value, max(0.0, share.low), min(1.0, share.high), share.units)


def _places(names: Sequence[str]) -> dict[str, list[int]]:
    """Where each name stands."""
    places: dict[str, list[int]] = {}
    for place, name in enumerate(names):
        places.setdefault(name, []).append(place)
    return places


def _centre_by_item(values: Floats, items: Sequence[str]) -> Floats:
    """Values less the mean of their item."""
    centred = values.copy()
    for rows in _places(items).values():
        centred[rows] -= values[rows].mean()
    return centred


def _count_ordered(judged: Floats, human: Floats, rows: Sequence[int]) -> tuple[float, float]:
    """Pairs of an item that both order alike, and pairs that people order at all."""
    ours, theirs = judged[rows], human[rows]
    a, b = np.triu_indices(len(rows), 1)
    theirs_sign, ours_sign = np.sign(theirs[a] - theirs[b]), np.sign(ours[a] - ours[b])
    decided = theirs_sign != 0
    alike = ((ours_sign == theirs_sign) + (ours_sign == 0) / 2)[decided].sum()
    return float(alike), float(decided.sum())


def _pearson(sums: Rows) -> Rows:
    n, x, y, xx, yy, xy = np.moveaxis(sums, -1, 0)
    with np.errstate(invalid="ignore", divide="ignore"):
        value: Rows = (n * xy - x * y) / np.sqrt((n * xx - x**2) * (n * yy - y**2))
    return value


def _share(sums: Rows) -> Rows:
    with np.errstate(invalid="ignore", divide="ignore"):
        value: Rows = sums[..., 0] / sums[..., 1]
    return value
