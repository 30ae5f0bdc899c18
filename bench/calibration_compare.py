"""Simulates what the tests of `compare` promise, through `compare` itself: a table of docs/statistics.md.

calibration_compare.py [SIMULATIONS] [--write]     some minutes
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from adjudge.comparison import Plan, TestSetFacts, compare_measured, compare_scores
from adjudge.comparison.results import Comparison, Measured, Pair
from adjudge.data import ScoreMatrix
from adjudge.metrics import metric as metric_of

SIMULATIONS = 2000
SYSTEMS = 3
"""Three pairs, corrected by Holm: a false alarm is one of any pair."""
FAST = {"trials": 600, "resamples": 300}

Rows = NDArray[np.float64]


@dataclass(frozen=True)
class Case:
    """One test that is offered, on one kind of data."""

    test: str
    sides: str
    unit: str
    score: str

    @property
    def options(self) -> dict[str, Any]:
        one = {"alternative": "one-sided", "baseline": "c"} if self.sides == "one-sided" else {}
        return {"test": self.test, "unit": self.unit, **one, **FAST}


CASES = (
    Case("randomisation", "two-sided", "segment", "mean"),
    Case("randomisation", "two-sided", "document", "mean"),
    Case("randomisation", "two-sided", "segment", "BLEU"),
    Case("randomisation", "one-sided", "segment", "mean"),
    Case("bootstrap", "two-sided", "segment", "mean"),
    Case("bootstrap", "two-sided", "document", "mean"),
    Case("bootstrap", "two-sided", "segment", "BLEU"),
    Case("signed-rank", "two-sided", "segment", "mean"),
    Case("signed-rank", "one-sided", "segment", "mean"),
    Case("rank-sum", "two-sided", "segment", "mean"),
    Case("rank-sum", "one-sided", "segment", "mean"),
)


def drawn(case: Case, shift: float, seed: int) -> Comparison:
    """Three systems on 200 segments in 40 documents; the first two are better than the last by a shift."""
    rng = np.random.default_rng([seed, 3])
    documents = np.repeat(np.arange(40), 5)
    hard = rng.normal(size=200)
    labels = {"document": [str(d) for d in documents]}
    if case.score == "BLEU":
        plan, facts = Plan(**case.options), TestSetFacts("", 200, 1, "")
        return compare_measured([_bleu(rng, hard, shift)], facts, labels, plan, threads=1)
    if case.test == "rank-sum":
        hard = np.zeros(200)  # of translations that were judged apart
    shared = 0.5 * rng.normal(size=(SYSTEMS, 40))[:, documents] if case.unit == "document" else 0.0
    scores = hard + shared + rng.normal(size=(SYSTEMS, 200)) + shift * np.array([[1.0], [1.0], [0.0]])
    return compare_scores(ScoreMatrix(("a", "b", "c"), scores), labels=labels, threads=1, **case.options)


def _bleu(rng: np.random.Generator, hard: Rows, shift: float) -> Measured:
    reference = rng.integers(8, 40, len(hard))
    rows = {name: (bleu_rows(rng, reference, hard, shift * (name != "c")),) for name in ("a", "b", "c")}
    return Measured.by(metric_of("bleu"), "", rows, dict.fromkeys(rows, ("",)))


def bleu_rows(rng: np.random.Generator, reference: NDArray[np.int64], hard: Rows, up: float) -> Rows:
    """Rows of one system for references of these lengths, which gets `up` more right than the texts are `hard`."""
    totals = np.maximum(reference[:, None] - np.arange(4), 0)
    chance = 1 / (1 + np.exp(-(0.5 + 0.5 * hard + 0.5 * rng.normal(size=len(hard)) + up)))
    matches = rng.binomial(totals, chance[:, None] ** [0.6, 1.2, 1.8, 2.4])
    return np.column_stack([reference, reference, matches, totals]).astype(np.float64)


def simulated(case: Case, simulations: int) -> Mapping[str, float]:
    """Shares, in per cent: any false alarm, a true difference found, all intervals right, interval against star."""
    alarms = hold = against = pairs = 0
    shows = []
    for seed in range(simulations):
        found = drawn(case, 0.0, seed).pairs
        alarms += any(pair.significant for pair in found)
        hold += all(pair.low <= 0 <= pair.high for pair in found)
        against += sum(_contradicts(pair) for pair in found)
        pairs += len(found)
        if case.test in ("signed-rank", "rank-sum"):  # which say it in other units
            found = drawn(replace(case, test="randomisation"), 0.0, seed).pairs
        shows += [pair.detectable for pair in found if math.isfinite(pair.detectable)]
    power = math.nan
    if shows and case.score == "mean":  # a shift of the scores is the difference
        # What would show at the strictest of Holm's levels is found four times out of five at the least.
        wins = 0
        for seed in range(simulations):
            found = drawn(case, float(np.median(shows)), simulations + seed).pairs
            wins += next(pair.significant for pair in found if (pair.a, pair.b) == ("a", "c"))
        power = 100 * wins / simulations
    return {
        "alarm": 100 * alarms / simulations,
        "power": power,
        "hold": 100 * hold / simulations,
        "against": 100 * against / pairs,
    }


def _contradicts(pair: Pair) -> bool:
    """Whether an interval holds 0 in it beside a star, or leaves it out without one."""
    return pair.low < 0 < pair.high if pair.significant else not pair.low <= 0 <= pair.high


def table(simulations: int) -> list[str]:
    lines = [
        "| test | sides | drawn by | score | any false alarm | found, where it would show | all intervals hold | "
        "interval against star |",
        "|---|---|---|---|--:|--:|--:|--:|",
    ]
    for case in CASES:
        found = simulated(case, simulations)
        power = "–" if math.isnan(found["power"]) else f"{found['power']:.1f} %"
        numbers = (f"{found['alarm']:.1f} %", power, f"{found['hold']:.1f} %", f"{found['against']:.1f} %")
        lines.append("| " + " | ".join((case.test, case.sides, case.unit, case.score, *numbers)) + " |")
        print(lines[-1], flush=True)
    return lines


if __name__ == "__main__":
    from pages import order, publish  # which lies beside this file

    asked = order(SIMULATIONS)
    publish({"offered": table(asked.simulations)}, asked, "statistics.md")
