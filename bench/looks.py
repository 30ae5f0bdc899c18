"""Simulates builds that look again and again at one test set: how often equal versions ever raise an alarm.

looks.py [HISTORIES] [--write]     some minutes; the table of docs/gate.md, from real rows (ADJUDGE_SHARED)

Versions are variants of two real outputs: each takes every segment from one or the other by a coin. Equal versions have
fair coins; a version that dropped takes more segments from the worse output. All versions are scored on the same test
set and held against the same baseline (a gate), or each against the one before it (a history).
"""

from __future__ import annotations

import math
import os
import sys
import time
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from adjudge.data import TestSet
from adjudge.evaluate.metric_tests import cannot_be_significant
from adjudge.evaluate.plan import Plan
from adjudge.metrics import metric as metric_of
from adjudge.stats.looks import Look
from adjudge.stats.pairwise import pairwise_tests

HERE = Path(__file__).resolve().parent
SHARED = Path(os.environ.get("ADJUDGE_SHARED", HERE.parents[1] / "shared"))
SET = SHARED / "data/03_wmt23_mqm_esa/en-de"
SYSTEMS = ("ONLINE-A", "NLLB_Greedy")
"""The better one first."""
SEGMENTS = 300
LOOKS = 100
ALPHA = 0.05
HISTORIES = 400
POWER_HISTORIES = 200
DROP_AT = (1, 10, 30, 100)
"""Looks of which the power is shown."""
STAKES = (2.0, 3.0, 4.0, 5.0)
"""Of the e-values, in standard deviations that a difference would lie away from 0."""

Rows = NDArray[np.float64]
Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Material:
    """Rows of two outputs by one metric."""

    name: str
    better: Rows
    worse: Rows

    def version(self, rng: np.random.Generator, chosen: NDArray[np.intp], share: float = 0.5) -> Rows:
        """A variant that takes a share of its segments from the worse output."""
        return np.where(rng.random(len(chosen))[:, None] < share, self.worse[chosen], self.better[chosen])


def material(name: str) -> Material:
    """Real outputs by a metric."""
    lines = {path: tuple((SET / path).read_text(encoding="utf-8").splitlines()) for path in
             ("ref.refA.de", *(f"hyp/{system}.de" for system in SYSTEMS))}
    scorer = metric_of(name)
    prepared = scorer.prepare(TestSet(references=(lines["ref.refA.de"],)))
    rows = [scorer.stats(prepared, lines[f"hyp/{system}.de"], threads=1) for system in SYSTEMS]
    return Material(name, *rows)


def p_values(name: str, versions: list[Rows], pairs: list[tuple[int, int]], last: int) -> Floats:
    """The program's own p of every pair, known well enough for the share of the last look."""
    plan = Plan(alpha=ALPHA, correction="none")
    tests = pairwise_tests(
        [[own] for own in versions],
        metric_of(name).aggregate,
        pairs,
        trials=Look(last).trials(ALPHA, 1),
        seed=12345,
        decided=partial(cannot_be_significant, plan),
        threads=1,
    )
    return np.array(tests.p_values)


def e_value(name: str, new: Rows, old: Rows) -> float:
    """A sign-flip e-value for a drop: what betting on the signs of the differences, one a segment, would have won.

    The differences are what each segment adds to the difference of the scores, by the slope of the metric; given their
    sizes each sign is fair under no difference, so Π exp(λd) / cosh(λd) has a mean of 1.
    """
    aggregate, both = metric_of(name).aggregate, (new.sum(0) + old.sum(0)) / 2
    step = 1e-4 * np.maximum(both, 1.0)
    slope = np.array([
        (float(aggregate(both + own)) - float(aggregate(both - own))) / (2 * own.max()) for own in np.diag(step)
    ])
    drop = (old - new) @ slope
    scale = math.sqrt(float(drop @ drop)) or 1.0
    won = [np.sum(s * drop / scale - np.logaddexp(s * drop / scale, -s * drop / scale) + math.log(2)) for s in STAKES]
    return float(np.mean(np.exp(won)))


def alarms(name: str, versions: list[Rows], pairs: list[tuple[int, int]], shares: dict[str, Floats]) -> dict[str, int]:
    """The first look that each rule raises an alarm at, for a drop; 0 where none does."""
    p = p_values(name, versions, pairs, len(pairs))
    score = [float(metric_of(name).aggregate(own.sum(0))) for own in versions]
    dropped = np.array([score[new] < score[old] for new, old in pairs])
    return {rule: first(dropped & (p < ALPHA * share)) for rule, share in shares.items()}


def first(alarm: NDArray[np.bool_]) -> int:
    return int(alarm.argmax()) + 1 if alarm.any() else 0


def shares(looks: int) -> dict[str, Floats]:
    """The share of alpha that each rule gives to each look."""
    numbers = range(1, looks + 1)
    return {
        "every look at alpha": np.ones(looks),
        "looks counted": np.array([Look(k).share for k in numbers]),
        "100 looks planned": np.full(looks, Look(planned=100).share),
    }


def false_alarms(own: Material, histories: int, against: str) -> dict[str, Floats]:
    """The first alarms over 100 looks of equal versions, a rule each."""
    rng = np.random.default_rng(1)
    pairs = [(k, 0 if against == "baseline" else k - 1) for k in range(1, LOOKS + 1)]
    found: dict[str, list[int]] = {}
    for _ in range(histories):
        chosen = rng.choice(len(own.better), SEGMENTS)
        versions = [own.version(rng, chosen) for _ in range(LOOKS + 1)]
        for rule, look in alarms(own.name, versions, pairs, shares(LOOKS)).items():
            found.setdefault(rule, []).append(look)
        if against == "baseline":
            e = np.array([e_value(own.name, versions[k], versions[0]) for k in range(1, LOOKS + 1)])
            won = np.cumsum(e * shares(LOOKS)["looks counted"]) >= 1 / ALPHA
            found.setdefault("e-values, averaged", []).append(first(won))
    return {rule: np.array(looks) for rule, looks in found.items()}


def power(own: Material, histories: int, share: float) -> tuple[float, dict[str, list[float]]]:
    """How often a version that dropped is caught at its own look, and by how much it dropped on average."""
    rng = np.random.default_rng(2)
    caught: dict[str, list[list[bool]]] = {}
    drops = []
    aggregate = metric_of(own.name).aggregate
    for _ in range(histories):
        chosen = rng.choice(len(own.better), SEGMENTS)
        baseline, version = own.version(rng, chosen), own.version(rng, chosen, share)
        drops.append(float(aggregate(baseline.sum(0))) - float(aggregate(version.sum(0))))
        (p,) = p_values(own.name, [version, baseline], [(0, 1)], LOOKS)
        e = e_value(own.name, version, baseline)
        for rule, of_look in shares(LOOKS).items():
            caught.setdefault(rule, []).append([drops[-1] > 0 and p < ALPHA * of_look[k - 1] for k in DROP_AT])
        counted = shares(LOOKS)["looks counted"]
        caught.setdefault("e-values, averaged", []).append([e * counted[k - 1] >= 1 / ALPHA for k in DROP_AT])
    return float(np.mean(drops)), {rule: np.mean(looks, axis=0).tolist() for rule, looks in caught.items()}


def ever(looks: Floats, until: int) -> str:
    """How many histories have had an alarm by then, in per cent."""
    share = float(np.mean((looks > 0) & (looks <= until)))
    return f"{100 * share:.1f}"


def main() -> None:
    numbers = [int(text) for text in sys.argv[1:] if text.isdigit()]
    histories = numbers[0] if numbers else HISTORIES
    lines = ["| | metric | held against | 1 look | 20 looks | 100 looks |", "|---|---|---|---|---|---|"]
    for name in ("bleu", "chrf"):
        own = material(name)
        for against in ("baseline", "previous"):
            start = time.process_time()
            for rule, looks in false_alarms(own, histories, against).items():
                cells = " | ".join(ever(looks, until) for until in (1, 20, 100))
                lines.append(f"| {rule} | {metric_of(name).label} | {against} | {cells} |")
            print(f"{name} {against}: {time.process_time() - start:.0f} s", file=sys.stderr)
    lines += ["", "| drop | metric | rule | " + " | ".join(f"look {k}" for k in DROP_AT) + " |"]
    lines.append("|---|---|---|" + "---|" * len(DROP_AT))
    for name in ("bleu", "chrf"):
        own = material(name)
        for share in (0.6, 0.7, 0.8):
            drop, caught = power(own, POWER_HISTORIES, share)
            for rule, of_look in caught.items():
                cells = " | ".join(f"{100 * value:.0f}" for value in of_look)
                lines.append(f"| {drop:.1f} | {metric_of(name).label} | {rule} | {cells} |")
    print("\n".join(lines))


if __name__ == "__main__":
    main()
