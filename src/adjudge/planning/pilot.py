"""Pilots: two systems whose segments can be resampled, of outputs that a metric scored or of people's scores.

A pilot of judgements has one score per translation of two systems.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from adjudge.comparison.groups import label_column
from adjudge.comparison.results import Measured
from adjudge.comparison.testing import ignored_documents
from adjudge.data import ScoreMatrix
from adjudge.data.judgements import Judgements, of_language
from adjudge.errors import DataError, UsageError, unknown_name
from adjudge.human import assessment
from adjudge.human.grouping import in_canonical_order
from adjudge.human.mqm import weigh_errors
from adjudge.human.pairs import comparisons
from adjudge.human.preferences import pair_answers
from adjudge.human.rating_scores import score_ratings
from adjudge.human.results import SCORES
from adjudge.human.units import TRANSLATION, annotator_balance, group_count, other_groupings
from adjudge.human.whole_systems import is_of_whole_systems
from adjudge.stats import resampling, simulated
from adjudge.stats.design import (
    ANNOTATOR,
    AUTO,
    DOCUMENT,
    MATERIAL_EFFECT,
    SEGMENT,
    Design,
    Grouping,
    choose_unit,
    unit_noun,
)
from adjudge.stats.distributions import normal_quantile
from adjudge.stats.equivalence import clustered_error
from adjudge.stats.intraclass import intraclass_one_way
from adjudge.stats.resampling import quotient
from adjudge.stats.tests.planned import planned_tests
from adjudge.stats.tests.systems.base import system_test
from adjudge.stats.units import Units
from adjudge.wording import are, join_names, pluralise

Floats = NDArray[np.float64]

ROW_TESTS = ("randomisation", "bootstrap")
"""Tests of which power is drawn from a pilot's rows; the default first."""
SCORE_TESTS = ("rank-sum", "signed-rank", "sign", *ROW_TESTS)
PREFERENCE = "preference"
"""What a pilot of rankings is scored by: 1 where the first system was preferred, -1 where the second was."""
ENOUGH_COMMON = 0.5
"""The share of segments that both systems must have for a paired test."""

Simulate = Callable[..., simulated.Simulated]


@dataclass(frozen=True)
class PilotFacts:
    """What a pilot showed of two systems."""

    metric: str
    label: str
    a: str
    b: str
    unit: str
    units: int
    """Segments, or what else was drawn, that both systems have."""
    difference: float
    """a − b."""
    low: float
    high: float
    """The difference's interval at 95 %."""
    effect: float
    """P(a < b): the chance that of two translations, one of each system, b's is better; ties count half."""
    correlation: float
    """Of the two systems' scores of the same segment."""
    decimals: int
    judgements: int = 0
    """Of both systems, where people judged."""
    icc: float = math.nan
    """The share of the variance of judgements that lies between translations, where some were judged twice."""


@dataclass(frozen=True, eq=False)
class Pilot:
    """Two systems whose segments can be drawn again."""

    facts: PilotFacts
    design: Design
    """What is drawn from it, and what that allows for."""
    tests: tuple[str, ...]
    """Those that can be made with it, the default first."""
    simulate: Mapping[str, Simulate] = field(repr=False)
    """By test: of n, a scale of the difference and a level."""
    difference_at: Callable[[float], float] = field(repr=False)
    """The difference at a scale: that of the pilot, times the scale or nearly so."""
    deviation: float = math.nan
    """Of the difference over resamples of the pilot."""
    variance: float = 1.0
    """Of the difference, over that of units which have nothing in common: Kish's design effect (1965)."""

    def allowing_for(self, groupings: Sequence[Grouping]) -> Pilot:
        """The pilot, with each unit worth less for what these groups of it have in common."""
        known = replace(self.design, groupings=tuple(groupings))
        kinds = [grouping for grouping in known.ignored if grouping.effect >= MATERIAL_EFFECT]
        if not kinds:
            return replace(self, design=known)
        variance = replace(known, groupings=tuple(kinds)).widened(1.0, math.inf)[0] ** 2
        rarer = min(kinds, key=lambda row: row.groups)
        groups = join_names([pluralise(kind.groups, kind.name) for kind in kinds])
        design = replace(
            self.design,
            unit=",".join([self.design.unit, *(kind.name for kind in kinds)]),
            units=min(self.design.units, rarer.groups),
            rarer=rarer.name if rarer.groups < self.design.units else self.design.unit,
            reason=f"n allows for what the pilot's {groups} have in common: each {unit_noun(self.facts.unit)} is worth "
            f"{1 / variance:.2f} of one by itself.",
        )
        wider, middle = math.sqrt(variance), self.facts.difference
        low, high = (middle + wider * (end - middle) for end in (self.facts.low, self.facts.high))
        return replace(self, facts=replace(self.facts, low=low, high=high), design=design, variance=variance)

    def effective(self, n: int) -> int:
        """How many units that have nothing in common show as much as n of these, shared out as in the pilot."""
        return max(2, math.floor(n / self.variance + 1e-9))


def pilot_of_rows(
    measured: Measured,
    pair: Sequence[str] = (),
    *,
    labels: Mapping[str, Sequence[str]] | None = None,
    unit: str = AUTO,
    trials: int | None = None,
    seed: int,
    threads: int = 0,
) -> Pilot:
    """A pilot of outputs that a metric scored, or of a stored run."""
    a, b = pair_of(list(measured.rows), pair)
    for system in (a, b):
        if len(measured.rows[system]) > 1:
            raise UsageError(
                f"{system} has {pluralise(len(measured.rows[system]), 'training run')}: a pilot takes one of each"
            )
    on_segments = [measured.segment_scores(measured.rows[system][0]) for system in (a, b)]
    reason = ""
    if unit == AUTO:
        unit, reason = choose_unit(labels or {}, len(measured.rows[a][0]))
    groups = None if unit == SEGMENT else label_column(labels or {}, unit, "draw by")
    units = Units.of(len(measured.rows[a][0]), groups)
    rows = [units.sums(measured.rows[system][0]) for system in (a, b)]
    facts, deviation = _facts(measured, (a, b), rows, on_segments, unit, seed, threads)
    pilot = Pilot(
        facts=facts,
        design=Design(unit, units.count, reason),
        tests=ROW_TESTS,
        simulate=_by_rows(rows, measured.aggregate, trials, threads),
        difference_at=_differences(rows, measured.aggregate),
        deviation=deviation,
    )
    return pilot.allowing_for(ignored_documents(unit, labels or {}, [measured], [(a, b)]))


def pilot_of_scores(
    matrix: ScoreMatrix,
    pair: Sequence[str] = (),
    *,
    name: str = "score",
    higher_is_better: bool = True,
    decimals: int = 3,
    seed: int,
) -> Pilot:
    """A pilot of judgements, already one score a translation: systems × segments, NaN where none was judged.

    Where the systems share at least half of their segments, those are taken, and can be tested in pairs.
    """
    a, b = pair_of(matrix.systems, pair)
    scores = [matrix.scores[matrix.systems.index(system)] for system in (a, b)]
    known = [score[~np.isnan(score)] for score in scores]
    for system, entry in zip((a, b), known, strict=True):
        if len(entry) < 2:
            raise DataError(f"{system} has {pluralise(len(entry), 'scored translation')}; a pilot needs more")
    common = ~np.isnan(scores[0]) & ~np.isnan(scores[1])
    paired = common.sum() >= max(2, ENOUGH_COMMON * min(map(len, known)))
    if paired:
        known = [score[common] for score in scores]
    rows = [np.stack([judged, np.ones(len(judged))], axis=1) for judged in known]
    measured = Measured(
        name, name, name, higher_is_better, decimals, quotient, quotient, {a: (rows[0],), b: (rows[1],)}
    )
    simulate: dict[str, Simulate] = {
        name: partial(test.pilot, known[0], known[1])
        for name, test in planned_tests().items()
        if paired or not test.paired
    }
    if paired:
        simulate |= _by_rows(rows, quotient, None, 0)
        facts, deviation = _facts(measured, (a, b), rows, known, "segment", seed, 1)
    else:
        facts, deviation = _unpaired_facts(measured, (a, b), known)
    difference = facts.difference
    return Pilot(
        facts=facts,
        design=Design(facts.unit, facts.units),
        tests=tuple(test for test in SCORE_TESTS if test in simulate),
        simulate=simulate,
        difference_at=lambda scale: scale * difference,
        deviation=deviation,
    )


def pair_of(systems: Sequence[str], pair: Sequence[str]) -> tuple[str, str]:
    """The two systems of a pilot: those that were named, or all there are."""
    for name in pair:
        if name not in systems:
            raise unknown_name("system", name, systems)
    if len(pair) == 2 and pair[0] != pair[1]:
        return pair[0], pair[1]
    if pair:
        raise UsageError(f"--pair {' '.join(pair)}: must be two systems")
    if len(systems) != 2:
        raise UsageError(
            f"a pilot is of two systems, there {are(len(systems))} {len(systems)}: "
            + ("give another one" if len(systems) < 2 else f"--pair {systems[0]} {systems[1]}, for example")
        )
    return systems[0], systems[1]


def _by_rows(
    rows: Sequence[Floats], aggregate: Callable[[Floats], Floats], trials: int | None, threads: int
) -> dict[str, Simulate]:
    def simulate(test: str) -> Simulate:
        def run(n: int, *, sides: int, **how: Any) -> simulated.Simulated:
            return simulated.pilot_rows(
                rows[0],
                rows[1],
                aggregate,
                n,
                swapped=system_test(test).swaps,
                trials=trials,
                threads=threads,
                **how,
            )

        return run

    return {test: simulate(test) for test in (ROW_TESTS if trials is None else ROW_TESTS[:1])}


def _differences(rows: Sequence[Floats], aggregate: Callable[[Floats], Floats]) -> Callable[[float], float]:
    def at(scale: float) -> float:
        a, b, chances = simulated.scale_difference(rows[0], rows[1], scale)
        return float(aggregate(len(rows[0]) * (chances @ a)) - aggregate(len(rows[0]) * (chances @ b)))

    return at


def _facts(
    measured: Measured,
    pair: tuple[str, str],
    rows: Sequence[Floats],
    on_segments: Sequence[Floats],
    unit: str,
    seed: int,
    threads: int,
) -> tuple[PilotFacts, float]:
    scores = [float(measured.aggregate(row.sum(0))) for row in rows]
    drawn = resampling.resampled_scores(rows, measured.aggregate, resamples=1000, seed=seed, threads=threads)
    differences = drawn[:, 0] - drawn[:, 1]
    interval = resampling.estimate(scores[0] - scores[1], differences)
    first, second = on_segments
    common = ~np.isnan(first) & ~np.isnan(second)
    facts = PilotFacts(
        metric=measured.metric,
        label=measured.label,
        a=pair[0],
        b=pair[1],
        unit=unit,
        units=len(rows[0]),
        difference=scores[0] - scores[1],
        low=interval.low,
        high=interval.high,
        effect=_effect(first[common], second[common], measured.higher_is_better is not False),
        correlation=_correlation(first[common], second[common]),
        decimals=measured.decimals,
    )
    return facts, interval.deviation


def _unpaired_facts(
    measured: Measured, pair: tuple[str, str], scores: Sequence[Floats]
) -> tuple[PilotFacts, float]:
    a, b = scores
    difference = float(a.mean() - b.mean())
    deviation = math.sqrt(a.var(ddof=1) / len(a) + b.var(ddof=1) / len(b))
    reach = -float(normal_quantile(0.025)) * deviation
    facts = PilotFacts(
        metric=measured.metric,
        label=measured.label,
        a=pair[0],
        b=pair[1],
        unit="translation",
        units=min(len(a), len(b)),
        difference=difference,
        low=difference - reach,
        high=difference + reach,
        effect=_effect(a, b, measured.higher_is_better is not False),
        correlation=math.nan,
        decimals=measured.decimals,
    )
    return facts, deviation


def _effect(a: Floats, b: Floats, higher_is_better: bool) -> float:
    """P(a < b) of all pairs of segments, in the better direction; ties count half."""
    if not len(a) or not len(b):
        return math.nan
    ordered = np.sort(a)
    less, not_more = (np.searchsorted(ordered, b, side) for side in ("left", "right"))
    below = float((less + not_more).mean() / (2 * len(a)))
    return below if higher_is_better else 1 - below


def _correlation(a: Floats, b: Floats) -> float:
    if len(a) < 2 or a.std() == 0 or b.std() == 0:
        return math.nan
    return float(np.corrcoef(a, b)[0, 1])


def pilot_of_judgements(
    judgements: Judgements,
    pair: Sequence[str] = (),
    *,
    score: str | None = None,
    language: str = "",
    seed: int,
) -> Pilot:
    """A pilot of ratings (standardised by annotator unless numbers mean the same to all), or of preferences.

    Of judgements of several language pairs it takes those of `language`, and without one refuses. The unit is the
    translation: what several people said of one is averaged first. n allows for what translations of one annotator or
    document have in common.
    """
    if score is not None and score not in SCORES:
        raise unknown_name("score", score, SCORES)
    judgements = in_canonical_order(of_language(judgements, language))
    if judgements.is_ranking:
        return _of_preferences(judgements, pair, seed)
    judgements = weigh_errors(judgements).judgements
    if is_of_whole_systems(judgements):
        raise DataError("a pilot needs judgements of segments; these are scores of whole systems")
    scores = score_ratings(judgements, score=score)
    judgements, values = scores.judgements, scores.tested
    pair = pair_of(judgements.system.names, pair)
    used = scores.which & ~np.isnan(values) & np.isin(judgements.system.codes, _codes(judgements, pair))
    translations = assessment.translations(judgements, values, which=used)
    pilot = pilot_of_scores(
        translations.matrix,
        pair,
        name="z-score" if scores.score == "z" else judgements.protocol or "score",
        higher_is_better=judgements.higher_is_better,
        seed=seed,
    )
    cells = (
        judgements.system.codes[used].astype(np.int64) * len(translations.items) + judgements.item.codes[used]
    )
    icc = intraclass_one_way(values[used], cells).value
    facts = replace(pilot.facts, judgements=int(used.sum()), icc=math.nan if icc is None else icc)
    design = replace(pilot.design, balance=annotator_balance(judgements, used))
    return replace(pilot, facts=facts, design=design).allowing_for(
        other_groupings(judgements, values, used, TRANSLATION)
    )


def _of_preferences(judgements: Judgements, pair: Sequence[str], seed: int) -> Pilot:
    """On each segment, how much more often one system was preferred; without scores, only signs are tested."""
    made = comparisons(judgements)
    a, b = pair_of(made.systems, pair)
    first, second, k = made.systems.index(a), made.systems.index(b), len(made.systems)
    won, lost = made.cells == first * k + second, made.cells == second * k + first
    compared = won | lost | (made.cells == k * k + min(first, second) * k + max(first, second))
    if not compared.any():
        raise DataError(f"{a} and {b} were never compared with each other in these judgements")
    item, codes = np.unique(judgements.item.codes[made.rows[compared]], return_inverse=True)
    preferred = np.bincount(codes, won[compared].astype(np.float64) - lost[compared]) / np.bincount(codes)
    matrix = ScoreMatrix((a, b), np.stack([preferred, np.zeros(len(item))]))
    pilot = pilot_of_scores(matrix, (a, b), name=PREFERENCE, seed=seed)
    shares = [float((preferred < 0).mean()), float((preferred == 0).mean())]
    facts = replace(
        pilot.facts, effect=shares[0] + shares[1] / 2, correlation=math.nan, judgements=int(compared.sum())
    )
    tests = ("sign", *ROW_TESTS)
    pilot = replace(pilot, facts=facts, tests=tests, simulate={test: pilot.simulate[test] for test in tests})
    return pilot.allowing_for(_preference_groupings(judgements, {a, b}))


def _preference_groupings(judgements: Judgements, pair: set[str]) -> list[Grouping]:
    """The annotators and documents of two systems' comparisons, with how much larger errors are by them."""
    errors, everything = {}, np.ones(len(judgements), bool)
    for unit in ("item", ANNOTATOR, DOCUMENT):
        if unit == "item" or group_count(judgements, unit, everything):
            for answer in pair_answers(judgements, unit):
                if {answer.system, answer.other} == pair:
                    errors[unit] = clustered_error(answer.values, answer.weights), len(answer.values)
    used = errors.pop("item")[0]
    return [Grouping(name, groups, error / used) for name, (error, groups) in errors.items() if used > 0]


def _codes(judgements: Judgements, pair: tuple[str, str]) -> NDArray[np.intp]:
    return np.array([judgements.system.names.index(name) for name in pair], dtype=np.intp)
