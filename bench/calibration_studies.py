"""Simulates what a study says of the mean over its test sets, through the study itself: a table of docs/studies.md.

calibration_studies.py [SIMULATIONS] [--write]     some minutes
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache

import numpy as np
from calibration_compare import bleu_rows  # which lies beside this file
from numpy.typing import NDArray

from adjudge.comparison import Measured, Plan
from adjudge.comparison.comparing import compare_measured_sets
from adjudge.comparison.results import Comparison, measured_means
from adjudge.comparison.study_material import StudyMaterial
from adjudge.comparison.verdict import comparison_verdict
from adjudge.data import Outputs, TestSet
from adjudge.metrics import metric as metric_of

SIMULATIONS = 1000
TWO = ("a", "b")
PLAN = Plan(trials=500, resamples=400)
LARGE = 200_000
"""Segments that the true BLEU is taken from."""

Rows = NDArray[np.float64]


@dataclass(frozen=True)
class Case:
    """Test sets of some sizes, and what systems are measured by on them."""

    sizes: tuple[int, ...]
    metrics: tuple[str, ...] = ("mean",)
    turns: bool = False
    """Whether every system is better on some sets and worse on others, by as much."""
    lacks: bool = False
    """Whether the last system has no outputs for the first set."""
    systems: tuple[str, ...] = ("a", "b", "c")

    def on(self, place: int) -> tuple[str, ...]:
        """The systems that a set has outputs of."""
        return self.systems[:-1] if self.lacks and not place else self.systems

    @property
    def title(self) -> str:
        """The sizes of the sets, and what else is unlike the first line."""
        least, most = min(self.sizes), max(self.sizes)
        of = f"{least}" if least == most else f"{least} to {most}"
        more = ", differences that cancel" * self.turns + ", c lacks a set" * self.lacks
        return f"{len(self.sizes)} × {of}{more}"


def _unequal(sets: int) -> tuple[int, ...]:
    return tuple(int(size) for size in np.geomspace(30, 600, sets))


CASES = (
    Case((100,) * 3, systems=TWO),
    Case((100,) * 20, systems=TWO),
    Case(_unequal(3), systems=TWO),
    Case(_unequal(20), systems=TWO),
    Case(_unequal(3), ("mean", "BLEU"), systems=TWO),
    Case(_unequal(20), ("mean", "BLEU"), systems=TWO),
    Case(_unequal(3)),
    Case(_unequal(20)),
    Case(_unequal(20), turns=True),
    Case(_unequal(3), lacks=True),
    Case(_unequal(3), ("BLEU",)),
    Case(_unequal(20), ("BLEU",)),
)


def drawn(case: Case, shift: float, seed: int) -> Comparison:
    """Test sets of different difficulty, on all of which the first system is better by a shift."""
    rng = np.random.default_rng([seed, len(case.sizes)])
    measured = {}
    for place, size in enumerate(case.sizes):
        ease, turn = _set_effects(case, place)
        up = {name: shift * (name == "a") + turn[k] for k, name in enumerate(case.on(place))}
        hard = rng.normal(size=size) + ease
        measured[f"set{place}"] = tuple(_measured(name, rng, hard, up) for name in case.metrics)
    plan = replace(PLAN, seed=seed)  # else all studies had the same coins
    return compare_measured_sets(_material(case), measured, case.systems, plan, threads=1)


def _set_effects(case: Case, place: int) -> tuple[float, Rows]:
    """How easy a set is, and what systems gain on it, which adds up to nothing over all sets."""
    ease = np.linspace(-0.5, 0.5, len(case.sizes))[place]
    turn = 0.4 * np.cos(2 * np.pi * (place / len(case.sizes) + np.arange(3) / 3)) * case.turns
    return float(ease), turn


def _measured(metric: str, rng: np.random.Generator, hard: Rows, up: Mapping[str, float]) -> Measured:
    if metric == "BLEU":
        reference = rng.integers(8, 40, len(hard))
        rows = {name: (bleu_rows(rng, reference, hard, own),) for name, own in up.items()}
        return Measured.by(metric_of("bleu"), "", rows, dict.fromkeys(rows, ("",)))
    scores = {name: hard + rng.normal(size=len(hard)) + own for name, own in up.items()}
    return measured_means("mean", {n: (np.column_stack([s, np.ones(len(s))]),) for n, s in scores.items()})


@cache
def _material(case: Case) -> tuple[StudyMaterial, ...]:
    """Sets without texts worth the name: their rows are given."""
    return tuple(
        StudyMaterial(
            f"set{place}",
            TestSet(references=[[f"x{n}" for n in range(size)]]),  # repeated ones would be drawn as one
            tuple(Outputs(name, ["x"] * size) for name in case.on(place)),
        )
        for place, size in enumerate(case.sizes)
    )


@cache
def true_mean(case: Case, metric: str) -> float:
    """What system b would have in the mean over sets of no end."""
    scores = []
    for place in range(len(case.sizes)):
        ease, turn = _set_effects(case, place)
        if metric == "mean":
            scores.append(ease + turn[1])
            continue
        rng = np.random.default_rng([place, 7])
        rows = bleu_rows(rng, rng.integers(8, 40, LARGE), rng.normal(size=LARGE) + ease, float(turn[1]))
        scores.append(float(metric_of("bleu").aggregate(rows.sum(0))))
    return float(np.mean(scores))


SHARES = {
    "wins": "equal: one “wins”",
    "ahead": "equal: one “is ahead”",
    "apart": "equal: any two told apart",
    "mean": "mean’s interval holds",
    "differences": "all intervals of differences hold",
    "found": "better one “wins”",
    "wrong": "another “wins”",
}


def simulated(case: Case, simulations: int) -> Mapping[str, float]:
    """Shares, in per cent; pairs and intervals are those of the first measure."""
    counts = dict.fromkeys(SHARES, 0)
    shift = 3 * np.sqrt(
        2 * np.mean(1 / np.array(case.sizes)) / len(case.sizes)
    )  # three standard errors of means
    for seed in range(simulations):
        equal = drawn(case, 0.0, seed)
        first = equal.tables[0]
        certainty = comparison_verdict(equal).certainty
        counts["wins"] += certainty == "clear"
        counts["ahead"] += certainty == "partly"
        counts["apart"] += any(pair.significant for pair in first.pairs)
        own = first.results[1]
        counts["mean"] += own.low <= true_mean(case, case.metrics[0]) <= own.high
        counts["differences"] += all(pair.low <= 0 <= pair.high for pair in first.pairs)
        better = comparison_verdict(drawn(case, float(shift), simulations + seed))
        counts["found"] += (better.certainty, better.winner) == ("clear", "a")
        counts["wrong"] += better.certainty == "clear" and better.winner != "a"
    return {name: 100 * count / simulations for name, count in counts.items()}


def table(simulations: int, cases: Sequence[Case] = CASES) -> list[str]:
    """Lines of the page."""
    head = ("sets × segments", "systems", "measured by", *SHARES.values())
    lines = [f"| {' | '.join(head)} |", f"|---|--:|---|{'--:|' * len(SHARES)}"]
    for case in cases:
        shares = [f"{share:.1f} %" for share in simulated(case, simulations).values()]
        if len(case.metrics) == 1:
            shares[1] = "–"
        cells = (case.title, str(len(case.systems)), " and ".join(case.metrics), *shares)
        lines.append(f"| {' | '.join(cells)} |")
        print(lines[-1], flush=True)
    return lines


if __name__ == "__main__":
    from pages import order, publish  # which lies beside this file

    asked = order(SIMULATIONS)
    publish({"means": table(asked.simulations)}, asked, "studies.md")
