"""Simulates campaigns of ratings to see what the tests of `human analyse` find: the tables of docs/statistics.md.

Each test on both sides, of normal scores and of errors as MQM counts them, of systems that were judged on the same
segments, on some of the same, or on segments of their own, whose documents or annotators hang together or do not: how
often it finds a difference that is not there, and one that it is said to show with 80 % power. And what the rank-sum
test loses by what systems share. make calibration writes them, as all tables of that page.

python bench/calibration_ratings.py [CAMPAIGNS] [--write]     some minutes
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr, stdtrit

from adjudge.stats import ranktests, resampling
from adjudge.stats.power import detectable_difference, detectable_share
from adjudge.stats.tests.planned import planned_test

ALPHA = 0.05
SEGMENTS = 200
EACH = {"document": 5, "annotator": 10}
"""Segments of a document, or of an annotator, where they hang together."""
WITHIN = 0.3
"""How much these correlate, in what is a system's own."""
BETWEEN = 0.4
"""How much both systems' scores of one segment correlate, where they were judged on the same ones."""
MINOR, MAJOR = 0.5, 0.15
"""Errors a segment, which weigh 1 and 5; six segments of ten have none."""
LEAN = 1.5
"""How far the rates of errors differ between a system's documents: the shape of their gamma distribution."""
TRIALS = 999
SHARED = 40
"""Campaigns that share their coins, or what is drawn."""
POPULATION = 300_000
"""Segments from which it is known what a strength comes to."""
SIMULATIONS = 4000

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Case:
    """A test, and what it is made on."""

    test: str
    sides: int
    shared: float = 1.0
    """Of each system's segments, the share on which the other one was judged too."""
    scores: str = "normal"
    together: str = ""
    """What hangs together: segments of a document, or what one annotator said."""
    unit: str = "segment"

    @property
    def name(self) -> str:
        return f"{self.test}{f' of {self.unit}s' if self.together else ''}"

    @property
    def data(self) -> str:
        same = {1.0: "the same segments", 0.0: "segments of their own"}
        hang = (
            f", in {self.together}s"
            if self.together == "document"
            else ", by annotators" * bool(self.together)
        )
        return same.get(self.shared, f"{100 * self.shared:.0f} % the same segments") + hang

    @property
    def each(self) -> int:
        return EACH.get(self.unit, 1)


def _cases() -> Iterator[Case]:
    for scores in ("normal", "MQM"):
        for shared, tests in (
            (1.0, ("randomisation", "bootstrap", "signed-rank", "rank-sum")),
            (0.5, ("randomisation", "bootstrap", "signed-rank", "rank-sum")),
            (0.0, ("rank-sum", "better-score rank-sum")),
        ):
            for test in tests:
                for sides in (2, 1) if "better" not in test else (1,):
                    yield Case(test, sides, shared, scores)
        for together in ("document", "annotator") if scores == "normal" else ("document",):
            for test, unit in (
                ("randomisation", together),
                ("bootstrap", together),
                ("randomisation", "segment"),
                ("signed-rank", "segment"),
            ):
                for sides in (2, 1):
                    yield Case(test, sides, 1.0, scores, together, unit)


CASES = list(_cases())


def drawn(
    case: Case, rng: np.random.Generator, strength: float, count: int, segments: int
) -> tuple[Floats, Floats]:
    """Scores of two systems (campaigns × segments), of which the first is better by `strength`; both have them all."""
    shape = count, segments
    groups = (count, segments // EACH[case.together]) if case.together else shape
    hard = rng.normal(0, math.sqrt(BETWEEN), shape) if case.scores == "normal" else rng.gamma(1.0, 1.0, shape)
    found = []
    for better in (strength, 0.0):
        if case.scores == "normal":
            own = rng.normal(0, 1, shape)
            if case.together:
                of_group = np.repeat(rng.normal(0, 1, groups), EACH[case.together], axis=1)
                own = math.sqrt(WITHIN) * of_group + math.sqrt(1 - WITHIN) * own
            found.append(better + hard + math.sqrt(1 - BETWEEN) * own)
        else:
            rate = hard * math.exp(-better)
            if case.together:
                rate = rate * np.repeat(rng.gamma(LEAN, 1 / LEAN, groups), EACH[case.together], axis=1)
            found.append(-(rng.poisson(MINOR * rate) + 5.0 * rng.poisson(MAJOR * rate)))
    return found[0], found[1]


def campaigns(case: Case, rng: np.random.Generator, strength: float, count: int) -> Floats:
    """Scores as they were judged, systems × campaigns × segments; NaN where a system was not."""
    apart = SEGMENTS - round(case.shared * SEGMENTS)
    a, b = drawn(case, rng, strength, count, SEGMENTS + apart)
    if apart:
        a[:, SEGMENTS:], b[:, :apart] = math.nan, math.nan
    return np.stack([a, b])


def p_values(case: Case, scores: Floats, rng: np.random.Generator) -> Floats:
    """As `human analyse` has them, of so many campaigns."""
    one_sided = case.sides == 1
    if "rank" in case.test:
        alternative = "greater" if one_sided else "two-sided"
        test = case.test.removeprefix("better-score ")
        made = (
            ranktests.all_pairs(one, test, alternative=alternative, common=False, threads=1)
            for one in scores.swapaxes(0, 1)
        )
        better = np.nanmean(scores[0], 1) >= np.nanmean(scores[1], 1)
        turn = ~better if "better" in case.test else np.zeros(len(better), bool)
        return np.array(
            [one.p[1, 0] if turned else one.p[0, 1] for one, turned in zip(made, turn, strict=True)]
        )
    # What the kernels do, in numpy for a mean: sums of units, swapped by coins or drawn anew.
    there = ~np.isnan(scores)
    sums = (
        np.stack([np.where(there, scores, 0.0), there]).reshape(2, 2, scores.shape[1], -1, case.each).sum(-1)
    )
    units = sums.shape[-1]

    def difference(of_a: Floats, of_b: Floats) -> Floats:
        return of_a[0] / of_a[1] - of_b[0] / of_b[1]

    a, b = sums[:, 0], sums[:, 1]  # (sum, number) × campaigns × units
    delta = difference(a.sum(-1), b.sum(-1))
    if case.test == "randomisation":
        coins = rng.integers(2, size=(units, TRIALS)).astype(np.float64)
        moved = (b - a) @ coins
        trials = difference(a.sum(-1)[..., None] + moved, b.sum(-1)[..., None] - moved)
        return np.array(
            [
                resampling.sampled_p(
                    resampling.count_as_extreme(d, t, 1e-9, up=1.0 if one_sided else None), TRIALS
                )
                for d, t in zip(delta, trials, strict=True)
            ]
        )
    times = rng.multinomial(units, np.full(units, 1 / units), size=TRIALS).T.astype(np.float64)
    again = difference(a @ times, b @ times)
    return np.array(
        [
            resampling.bootstrap_p(d, t, rounding=1e-9, units=units, one_sided=one_sided)
            for d, t in zip(delta, again, strict=True)
        ]
    )


def said(case: Case, a: Floats, b: Floats) -> tuple[float, float]:
    """What there is between two systems of these many segments, and what a campaign is said to show, as it has it."""
    n, sides = SEGMENTS, case.sides
    if "rank" not in case.test:
        groups = (x.reshape(-1, case.each).mean(1) for x in (a, b))
        (of_a, covariance), (_, of_b) = np.cov(*groups)
        error = math.sqrt((of_a + of_b - 2 * case.shared * covariance) / (n / case.each))
        units = round(n * (2 - case.shared)) // case.each
        deviation = error * math.sqrt((units - 1) / units)  # as resamples have it
        return float(a.mean() - b.mean()), detectable_difference(deviation, ALPHA, sides=sides, units=units)
    found = ranktests.all_pairs(np.stack([a, b]), case.test, common=False, threads=1)
    levels, counts = None, (n, n)
    if case.test == "signed-rank":
        differ = round(n * case.shared * found.counts[0, 1] / len(a))
        counts = differ, differ
    elif found.ties[0, 1] > 0.001:
        levels = np.unique(np.concatenate([a, b]), return_counts=True)[1] * (n / len(a))
    return float(found.share[0, 1]), detectable_share(
        planned_test(case.test), counts, ALPHA, sides=sides, levels=levels
    )


def would_show(case: Case, segments: int = POPULATION) -> float:
    """The strength at which what is said to show with 80 % power is there."""
    low, high = 0.0, 3.0
    while high - low > 0.003:
        middle = (low + high) / 2
        there, wanted = said(
            case, *(x[0] for x in drawn(case, np.random.default_rng(5), middle, 1, POPULATION))
        )
        low, high = (low, middle) if there >= wanted else (middle, high)
    return high


def with_skewness(case: Case, strength: float) -> float:
    """The power of a paired test of means for a difference that normal scores would show in 80 % of campaigns.

    Where large differences favour the better system, mean and deviation rise and fall together: whoever is unlucky with
    the one is lucky with the other, and more is found. With skewness g and n units, T exceeds t where a normal Z
    exceeds (t − d) / (1 − t g / 2 √n), d being the difference in standard errors (Edgeworth's first term).
    """
    a, b = (x[0] for x in drawn(case, np.random.default_rng(5), strength, 1, POPULATION))
    differ = (a - b).reshape(-1, case.each).mean(1)
    n = SEGMENTS // case.each
    off = (differ - differ.mean()) / differ.std()
    limit = float(stdtrit(n - 1, 1 - ALPHA / case.sides))
    distance = float(differ.mean() / differ.std()) * math.sqrt(n)
    return float(ndtr((distance - limit) / (1 - limit * float((off**3).mean()) / 2 / math.sqrt(n))))


def found(case: Case, strength: float, simulations: int, seed: int = 1) -> float:
    """In which share of campaigns the test finds a difference."""
    rng = np.random.default_rng(seed)
    times = 0
    for start in range(0, simulations, SHARED):
        count = min(SHARED, simulations - start)
        times += int((p_values(case, campaigns(case, rng, strength, count), rng) < ALPHA).sum())
    return times / simulations


def honest(case: Case) -> bool:
    """Whether the test is right for the data: neither unpaired on paired ones, nor of segments that hang together."""
    torn = bool(case.together) and case.unit == "segment"
    return not torn and "better" not in case.test and not (case.test == "rank-sum" and case.shared > 0.5)


def table(simulations: int) -> list[str]:
    """Lines of the page."""
    lines = [
        "| scores | judged on | test | sides | finds what is not there | finds what it is said to show |",
        "|---|---|---|--:|--:|--:|",
    ]
    for case in CASES:
        wrong = found(case, 0.0, simulations)
        right = f"{100 * found(case, would_show(case), simulations, 2):.1f} %" if honest(case) else "–"
        lines.append(
            f"| {case.scores} | {case.data} | {case.name} | {case.sides} | {100 * wrong:.1f} % | {right} |"
        )
        print(lines[-1], flush=True)
    return lines


OVERLAPS = (0.0, 0.25, 0.5, 0.75, 1.0)


def overlaps(simulations: int) -> list[str]:
    """What pairing is worth: both tests, by the share of segments that both systems were judged on."""
    lines = [
        "| scores | test | | " + " | ".join(f"{100 * shared:.0f} %" for shared in OVERLAPS) + " |",
        "|---|---|---|" + "--:|" * len(OVERLAPS),
    ]
    for scores in ("normal", "MQM"):
        paired = [Case("randomisation", 2, shared, scores) for shared in OVERLAPS]
        strengths = [would_show(case) for case in paired]
        for test in ("randomisation", "rank-sum"):
            for what, seed in (
                ("finds what is not there", 3),
                ("finds what randomisation is said to show", 4),
            ):
                shares = [
                    found(replace(case, test=test), strength if seed == 4 else 0.0, simulations, seed)
                    for case, strength in zip(paired, strengths, strict=True)
                ]
                lines.append(
                    f"| {scores} | {test} | {what} | " + " | ".join(f"{100 * s:.1f} %" for s in shares) + " |"
                )
                print(lines[-1], flush=True)
    return lines


if __name__ == "__main__":
    from pages import order, publish  # which lies beside this file

    asked = order(SIMULATIONS)
    made = {"ratings": table(asked.simulations), "overlaps": overlaps(asked.simulations)}
    publish(made, asked, "statistics.md")
