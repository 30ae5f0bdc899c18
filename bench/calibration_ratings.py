"""Simulates campaigns of ratings to see what the tests of `human analyse` find: the table of docs/statistics.md.

Each test on both sides, of systems that were judged on the same segments or on segments of their own, whose documents
hang together or do not: how often it finds a difference that is not there, and one that it is said to show with 80 %
power. make calibration writes it, as all tables of that page.
"""

from __future__ import annotations

import math
import sys
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtri

from adjudge.stats import ranktests, resampling
from adjudge.stats.power import detectable_difference, detectable_share

ALPHA = 0.05
SEGMENTS = 200
EACH = 5
"""Segments of a document, where there are documents."""
WITHIN = 0.3
"""How much segments of a document correlate there, in what is a system's own."""
BETWEEN = 0.4
"""How much both systems' scores of one segment correlate, where they were judged on the same ones."""
TRIALS = 499
SIMULATIONS = 4000

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Case:
    """A test, and what it is made on."""

    test: str
    sides: int
    paired: bool = True
    documents: bool = False
    """Whether segments of a document hang together."""
    unit: str = "segment"

    @property
    def name(self) -> str:
        drawn = f" of {self.unit}s" if self.documents else ""
        return f"{self.test}{drawn}"

    @property
    def data(self) -> str:
        hang = ", in documents" if self.documents else ""
        return ("the same segments" if self.paired else "segments of their own") + hang


CASES = [
    Case(test, sides, paired)
    for paired, tests in (
        (True, ("randomisation", "bootstrap", "signed-rank", "rank-sum")),
        (False, ("rank-sum", "better-score rank-sum")),
    )
    for test in tests
    for sides in ((2, 1) if "better" not in test else (1,))
] + [
    Case(test, sides, documents=True, unit=unit)
    for test, unit in (
        ("randomisation", "document"),
        ("bootstrap", "document"),
        ("randomisation", "segment"),
        ("signed-rank", "segment"),
    )
    for sides in (2, 1)
]


def campaign(case: Case, rng: np.random.Generator, shift: float) -> tuple[Floats, Floats]:
    """Scores of two systems, of which the first is better by so many standard deviations."""
    hard = rng.normal(0, math.sqrt(BETWEEN), SEGMENTS)
    found = []
    for better in (shift, 0.0):
        own = rng.normal(0, 1, SEGMENTS)
        if case.documents:
            of_document = np.repeat(rng.normal(0, 1, SEGMENTS // EACH), EACH)
            own = math.sqrt(WITHIN) * of_document + math.sqrt(1 - WITHIN) * own
        ours = hard if case.paired else rng.normal(0, math.sqrt(BETWEEN), SEGMENTS)
        found.append(better + ours + math.sqrt(1 - BETWEEN) * own)
    return found[0], found[1]


def p_value(case: Case, a: Floats, b: Floats, seed: int) -> float:
    """As `human analyse` has it."""
    one_sided = case.sides == 1
    alternative = "greater" if one_sided else "two-sided"
    if case.test == "better-score rank-sum":
        a, b = (a, b) if a.mean() >= b.mean() else (b, a)
        return ranktests.rank_sum(a, b, alternative=alternative).p_value
    if case.test == "rank-sum":
        return ranktests.rank_sum(a, b, alternative=alternative).p_value
    if case.test == "signed-rank":
        return ranktests.signed_rank(a, b, alternative=alternative).p_value
    rng = np.random.default_rng([seed, 7])
    # What the kernels do, in numpy for a mean: sums of units, swapped by coins or drawn anew.
    sums = (a - b).reshape(-1, EACH).sum(1) if case.unit == "document" else a - b
    delta = sums.sum()
    if case.test == "randomisation":
        drawn = (2.0 * rng.integers(2, size=(TRIALS, len(sums)), dtype=np.int8) - 1) @ sums
        return resampling.sampled_p(resampling.count_as_far(delta, drawn, 1e-9, one_sided=one_sided), TRIALS)
    drawn = sums[rng.integers(len(sums), size=(TRIALS, len(sums)), dtype=np.int32)].sum(1)
    return resampling.bootstrap_p(delta, drawn, slack=1e-9, units=len(sums), one_sided=one_sided)


def shown(case: Case) -> float:
    """The shift that the test is said to find with 80 % power, from what it is computed from in an analysis."""
    n, sides = SEGMENTS, case.sides
    spread = math.sqrt(2 * (1 - BETWEEN) / n)  # of a mean difference
    if case.unit == "document":
        spread *= math.sqrt(1 + (EACH - 1) * WITHIN)
    if case.test in ("randomisation", "bootstrap"):
        return detectable_difference(spread, ALPHA, sides=sides)
    if case.test == "signed-rank":
        share = detectable_share("signed-rank", (n, n), ALPHA, sides=sides)
        return float(ndtri(share)) / math.sqrt(2) * math.sqrt(2 * (1 - BETWEEN))
    return math.sqrt(2) * float(ndtri(detectable_share("rank-sum", (n, n), ALPHA, sides=sides)))


def found(case: Case, shift: float, simulations: int, seed: int = 1) -> float:
    """In which share of campaigns the test finds a difference."""
    times = 0
    for number in range(simulations):
        rng = np.random.default_rng([seed, number])
        times += p_value(case, *campaign(case, rng, shift), number) < ALPHA
    return times / simulations


def honest(case: Case) -> bool:
    """Whether the test is right for the data: neither unpaired on paired ones, nor of segments that hang together."""
    together = case.documents and case.unit == "segment"
    return not together and "better" not in case.test and (case.paired == (case.test != "rank-sum"))


def table(simulations: int) -> list[str]:
    """Lines of the page."""
    lines = [
        "| judged on | test | sides | finds what is not there | finds what it is said to show |",
        "|---|---|--:|--:|--:|",
    ]
    for case in CASES:
        wrong = found(case, 0.0, simulations)
        right = f"{100 * found(case, shown(case), simulations, 2):.1f} %" if honest(case) else "–"
        lines.append(f"| {case.data} | {case.name} | {case.sides} | {100 * wrong:.1f} % | {right} |")
        print(lines[-1], flush=True)
    return lines


if __name__ == "__main__":
    from calibration import write

    write({"ratings": table(int(sys.argv[1]) if len(sys.argv) > 1 else SIMULATIONS)})
