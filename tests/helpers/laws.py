"""What every statistical test must keep, by what it says of itself: each law names what is wrong, or says nothing."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from adjudge.stats.crossed import Crossed
from adjudge.stats.resampling import quotient, resampled_scores
from adjudge.stats.tests.systems.base import Outcome, SystemRows, SystemTest, TestOptions
from adjudge.stats.units import Units

Floats = NDArray[np.float64]
ALPHA = 0.05
TRIALS = 999
SETS = 200
"""Simulated test sets behind a rate."""
UNITS = 24
SIDE = 8
"""Units of either kind, where two are drawn at once."""


@dataclass(frozen=True, eq=False)
class Scores:
    """Two systems' scores of segments, with the weight of each."""

    a: Floats
    b: Floats
    weights: Floats | None = None

    def rows(self, test: SystemTest, *, higher_is_better: bool = True) -> SystemRows:
        """As a test takes them."""
        weights = np.ones(len(self.a)) if self.weights is None else self.weights
        rows = [np.stack([own * weights, weights], axis=1) for own in (self.a, self.b)]
        units, estimates = Units.of(len(self.a)), ()
        if test.kinds > 1:
            side = math.isqrt(len(self.a))
            first, second = np.divmod(np.arange(len(self.a)), side)
            crossed = Crossed.coded(first, second)
            units, estimates = crossed.cells, (crossed.difference(*rows),)
        return SystemRows(
            [(own,) for own in rows],
            quotient,
            [(0, 1)],
            units,
            higher_is_better=higher_is_better,
            segment_scores=quotient if self.weights is None else None,
            estimates=estimates,
        )

    @property
    def turned(self) -> Scores:
        """The other one first."""
        return Scores(self.b, self.a, self.weights)

    @property
    def delta(self) -> float:
        """The difference that is printed."""
        weights = np.ones(len(self.a)) if self.weights is None else self.weights
        return float(np.average(self.a, weights=weights) - np.average(self.b, weights=weights))


def run(test: SystemTest, scores: Scores, *, sides: int = 2, seed: int = 1, up: bool = True) -> Outcome:
    """A test of two systems."""
    options = TestOptions(TRIALS, seed, sides=sides, threads=1)
    return test.run(scores.rows(test, higher_is_better=up), options)


def p_of(test: SystemTest, scores: Scores, *, sides: int = 2, seed: int = 1, up: bool = True) -> float:
    """Its p."""
    (p,) = run(test, scores, sides=sides, seed=seed, up=up).p_values
    return p


def drawn(test: SystemTest, rng: np.random.Generator, shift: float = 0.0) -> Scores:
    """Systems that differ by a shift, on segments of unequal difficulty; units of two kinds each have their share."""
    if test.kinds > 1:
        kinds = [rng.normal(0, 0.5, (2, SIDE)) for _ in range(2)]
        both = kinds[0][:, :, None] + kinds[1][:, None, :] + rng.normal(0, 1, (2, SIDE, SIDE))
        a, b = both.reshape(2, -1)
        return Scores(a + shift, b)
    hard = rng.normal(0, 1, UNITS) if test.paired else 0.0
    a, b = hard + rng.normal(0, 1, (2, UNITS))
    return Scores(a + shift, b)


def broken_laws(test: SystemTest) -> list[str]:
    """What is wrong with a test of systems, in words; empty where nothing is found."""
    return [what for law in LAWS for what in LAWS[law](test)]


def has_words(test: SystemTest) -> Iterator[str]:
    """It has a name and a title, and sentences that are short."""
    if type(test).__module__.rpartition(".")[2] != test.name.replace("-", "_"):
        yield f"its file is not named after {test.name}"
    for words in (
        test.title,
        test.describe("document,annotator"),
        *((test.share.note,) if test.share else ()),
    ):
        if not words.strip():
            yield "it has no words for itself"
    if len(test.describe("document,annotator").split()) > 25:
        yield "its description has more than 25 words"


def refuses(test: SystemTest) -> Iterator[str]:
    """It refuses scores and units that it is not made for."""
    mean = test.refusal_of_scores("X", mean=True, several_runs=False, unit="a,b")
    corpus = test.refusal_of_scores("X", mean=False, several_runs=False, unit="a,b")
    if mean:
        yield "it refuses means of segment scores"
    if test.needs_means and not corpus:
        yield "it is for means only, and takes a score that is none"
    for kinds in (1, 2):
        refused = bool(test.refusal_of_units(kinds, unit="a,b" if kinds > 1 else "a", strata=False))
        if refused != (kinds != test.kinds):
            yield f"it is for {test.kinds} kinds of units, and takes or refuses {kinds}"


def finds_nothing_where_nothing_is(test: SystemTest) -> Iterator[str]:
    """Equal systems differ in 5 of 100 test sets at most, on two sides and on one."""
    most = ALPHA * SETS + 3.3 * math.sqrt(SETS * ALPHA * (1 - ALPHA))
    for sides in (2, 1):
        rng = np.random.default_rng(sides)
        p = [p_of(test, drawn(test, rng), sides=sides, seed=seed) for seed in range(SETS)]
        if min(p) <= 0 or max(p) > 1:
            yield f"p from {min(p):g} to {max(p):g}"
        found = sum(value <= ALPHA for value in p)
        if found > most:
            yield f"equal systems differ in {found} of {SETS} test sets (sides {sides})"


def finds_what_is_there(test: SystemTest) -> Iterator[str]:
    """Large differences are found nearly always."""
    rng = np.random.default_rng(3)
    found = sum(p_of(test, drawn(test, rng, 2.5), seed=seed) <= ALPHA for seed in range(50))
    if found < 40:
        yield f"a difference of 2.5 standard deviations is found in {found} of 50 test sets"


def has_sides_and_a_direction(test: SystemTest) -> Iterator[str]:
    """One-sided p is for the first system: half of that on two sides where it is ahead; it turns with the direction."""
    rng = np.random.default_rng(4)
    for seed in range(12):
        scores = drawn(test, rng, 0.4)
        both, near = p_of(test, scores, seed=seed), 0.03
        ours, theirs = (p_of(test, own, sides=1, seed=seed) for own in (scores, scores.turned))
        if abs(both - p_of(test, scores.turned, seed=seed)) > near:
            yield f"p is another one the other way round ({both:.3f})"
        if abs(ours + theirs - 1) > near + 0.12 * (test.share is not None):
            yield f"one-sided p of {ours:.3f} one way and of {theirs:.3f} the other"
        if abs(2 * min(ours, theirs) - both) > 2 * near:
            yield f"p is {both:.3f} on two sides, and {min(ours, theirs):.3f} on one"
        if abs(p_of(test, scores, sides=1, seed=seed, up=False) - theirs) > near:
            yield "one-sided p does not turn where lower is better"
        outcome = run(test, scores, seed=seed)
        if outcome.ahead((0, 1), scores.delta) > 0 and ours > 0.5 + near:
            yield "one-sided p speaks against the system that is called ahead"


def tests_what_is_printed(test: SystemTest) -> Iterator[str]:
    """P is of the difference that is printed beside it, or of a share that has a name."""
    side = SIDE**2
    most = np.where(np.arange(side) % 8 == 0, 7.0, -1.0) + np.tile([1e-3, -1e-3], side // 2)
    skewed = Scores(most - most.mean() + 50, np.full(side, 50.0))
    if test.share is None and (p := p_of(test, skewed)) < 0.5:
        yield f"means are the same, and p is {p:.3f}: it tests something else, which must have a name (`share`)"
    if test.needs_means:
        return
    # Long segments are a little better, short ones much worse: all in all the same.
    weights = np.where(np.arange(side) % 2 == 0, 90.0, 10.0)
    uneven = Scores(np.where(weights > 50, 51.0, 41.0), np.full(side, 50.0), weights)
    if (p := p_of(test, uneven)) < 0.5:
        yield f"scores of the corpus are the same, and p is {p:.3f}: it is for means only (`needs_means`)"


def has_intervals_that_say_what_p_says(test: SystemTest) -> Iterator[str]:
    """An interval holds what was seen, leaves out 0 where p is significant, and holds the truth as often as it says."""
    if not test.has_interval:
        return
    rng = np.random.default_rng(5)
    shift, apart, held = 0.7, 0, 0
    for seed in range(SETS // 2):
        scores = drawn(test, rng, shift)
        rows, outcome = scores.rows(test), run(test, scores, seed=seed)
        limits = test.interval(rows, outcome, 0, scores.delta, ALPHA)
        if limits is None or not limits.low <= scores.delta <= limits.high:
            yield "an interval does not hold the difference that was seen"
            return
        (p,) = outcome.p_values
        apart += ((limits.low > 0 or limits.high < 0) != (p <= ALPHA)) and not 0.03 < p < 0.08
        held += limits.low <= shift <= limits.high
    if apart:
        yield f"intervals contradict p in {apart} of {SETS // 2} test sets"
    least = SETS // 2 * (1 - ALPHA) - 4 * math.sqrt(SETS // 2 * ALPHA * (1 - ALPHA))
    if held < least:
        yield f"the truth lies in {held} of {SETS // 2} intervals of 95 %"


def has_a_smallest_p(test: SystemTest) -> Iterator[str]:
    """No p is smaller than what it says of so few units, and where it says so, that one can be had."""
    if test.kinds > 1:
        return
    for units in (3, 5, 6):
        steps = np.arange(1.0, units + 1)
        p, least = p_of(test, Scores(50 + steps, 50 - steps)), test.smallest_p(units)
        if p < 0.8 * least:
            yield f"{units} units allow no p below {least:.3f}, and {p:.3f} is one"
        if least > 2.5 / TRIALS and p > 1.3 * least + 0.01:
            yield f"{units} units are said to allow a p of {least:.3f}, and the smallest one is {p:.3f}"


def finds_what_it_calls_detectable(test: SystemTest) -> Iterator[str]:
    """What would show at 80 % power is found in about 80 of 100 test sets."""
    if test.share is not None:
        return
    rng, found, known = np.random.default_rng(6), 0, 0
    for seed in range(SETS // 2):
        deviation, units = _deviation(test, drawn(test, rng), seed)
        what = test.detectable(
            deviation, ALPHA, sides=2, units=units, kurtosis=0.0, mean=True, unit="segment"
        )
        if math.isfinite(what):
            known += 1
            found += p_of(test, drawn(test, rng, what), seed=seed) <= ALPHA
    if not known:
        yield "nothing is ever detectable"
    elif not 0.66 < found / known < 0.94:
        yield f"what is called detectable at 80 % power is found in {found} of {known} test sets"


def _deviation(test: SystemTest, scores: Scores, seed: int) -> tuple[float, float]:
    rows = scores.rows(test)
    if rows.estimates:
        return rows.estimates[0].deviation, rows.estimates[0].units
    both = [runs[0] for runs in rows.systems]
    resampled = resampled_scores(both, quotient, resamples=200, seed=seed, threads=1)
    return float(np.std(resampled[:, 0] - resampled[:, 1], ddof=1)), len(scores.a)


LAWS = {
    "has words": has_words,
    "refuses": refuses,
    "finds nothing where nothing is": finds_nothing_where_nothing_is,
    "finds what is there": finds_what_is_there,
    "has sides and a direction": has_sides_and_a_direction,
    "tests what is printed": tests_what_is_printed,
    "has intervals that say what p says": has_intervals_that_say_what_p_says,
    "has a smallest p": has_a_smallest_p,
    "finds what it calls detectable": finds_what_it_calls_detectable,
}
