"""Simulates builds that look again and again at one test set: how often equal versions ever raise an alarm.

looks.py [HISTORIES]     some minutes; the table of docs/gate.md, from real rows (ADJUDGE_SHARED)

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
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr

from adjudge.data import TestSet
from adjudge.metrics import metric as metric_of
from adjudge.stats.looks import Look
from adjudge.stats.tests.systems.base import SystemRows, TestOptions
from adjudge.stats.tests.systems.randomisation import Randomisation

HERE = Path(__file__).resolve().parent
SHARED = Path(os.environ.get("ADJUDGE_SHARED", HERE.parents[1] / "shared"))
SET = SHARED / "data/03_wmt23_mqm_esa/en-de"
SYSTEMS = ("ONLINE-A", "NLLB_Greedy")
"""The better one first."""
SEGMENTS = 300
LOOKS = 100
ALPHA = 0.05
HISTORIES = 1000
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
    lines = {
        path: tuple((SET / path).read_text(encoding="utf-8").splitlines())
        for path in ("ref.refA.de", *(f"hyp/{system}.de" for system in SYSTEMS))
    }
    scorer = metric_of(name)
    prepared = scorer.prepare(TestSet(references=(lines["ref.refA.de"],)))
    rows = [scorer.stats(prepared, lines[f"hyp/{system}.de"], threads=1) for system in SYSTEMS]
    return Material(name, *rows)


def contributions(name: str, new: Rows, old: Rows) -> Floats:
    """What every segment adds to the difference of two scores, by the slope of the metric halfway between them."""
    aggregate, both = metric_of(name).aggregate, (new.sum(0) + old.sum(0)) / 2
    steps = np.diag(1e-4 * np.maximum(both, 1.0))
    slope = (aggregate(both + steps) - aggregate(both - steps)) / (2 * steps.diagonal())
    return np.asarray((new - old) @ slope, dtype=np.float64)


def p_values(differences: Floats) -> Floats:
    """The two-sided p of sign flips, one a row of differences, by a saddlepoint (Lugannani and Rice 1980).

    K(t) = Σ log cosh(t d) is known, so the tail of the sum is known to about a hundredth of itself: `check` holds it
    against the program's own trials.
    """
    sizes = np.abs(differences) / np.linalg.norm(differences, axis=1, keepdims=True)
    reached = np.abs(differences.sum(1)) / np.linalg.norm(differences, axis=1)
    low, high = np.zeros(len(sizes)), np.full(len(sizes), 50.0)
    for _ in range(50):
        middle = (low + high) / 2
        below = (sizes * np.tanh(middle[:, None] * sizes)).sum(1) < reached
        low, high = np.where(below, middle, low), np.where(below, high, middle)
    t = np.maximum(low, 1e-9)
    bent = t[:, None] * sizes
    generated = (np.logaddexp(bent, -bent) - math.log(2)).sum(1)
    w = np.sqrt(np.maximum(2 * (t * reached - generated), 1e-18))
    u = t * np.sqrt((sizes**2 / np.cosh(bent) ** 2).sum(1))
    tail = ndtr(-w) + np.exp(-(w**2) / 2) / math.sqrt(2 * math.pi) * (1 / u - 1 / w)
    return np.clip(np.where(w < 0.05, 1.0, 2 * tail), 0.0, 1.0)


def check(own: Material, pairs: int = 20) -> float:
    """The largest quotient of the saddlepoint's p and the program's, over pairs whose p trials can know."""
    rng = np.random.default_rng(3)
    worst = 1.0
    for place in range(pairs):
        chosen = rng.choice(len(own.better), SEGMENTS)
        new, old = own.version(rng, chosen, 0.5 + 0.015 * place), own.version(rng, chosen)
        aggregate = metric_of(own.name).aggregate
        rows = SystemRows([[new], [old]], aggregate, [(0, 1)])
        (p,) = Randomisation().run(rows, TestOptions(20_000, seed=1, threads=1)).p_values
        if 0.005 < p < 0.5:
            near = float(p_values(contributions(own.name, new, old)[None])[0])
            worst = max(worst, near / p, p / near)
    return worst


def e_values(differences: Floats) -> Floats:
    """A sign-flip e-value for a drop a row: what betting on the signs of the differences would have won.

    Given their sizes each sign is fair under no difference, so Π exp(λd) / cosh(λd) has a mean of 1.
    """
    drops = -differences / np.linalg.norm(differences, axis=1, keepdims=True)
    won = [(s * drops - np.logaddexp(s * drops, -s * drops) + math.log(2)).sum(1) for s in STAKES]
    return np.asarray(np.exp(won).mean(0), dtype=np.float64)


def alarms(differences: Floats) -> dict[str, NDArray[np.bool_]]:
    """Whether each rule raises an alarm at each look, for a drop; a row of differences a look."""
    p, dropped = p_values(differences), differences.sum(1) < 0
    found = {rule: dropped & (p < ALPHA * share) for rule, share in shares(len(p)).items()}
    won = np.cumsum(e_values(differences) * shares(len(p))["looks counted"])
    return found | {"e-values, averaged": won >= 1 / ALPHA}


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
    found: dict[str, list[int]] = {}
    for _ in range(histories):
        chosen = rng.choice(len(own.better), SEGMENTS)
        versions = [own.version(rng, chosen) for _ in range(LOOKS + 1)]
        pairs = ((versions[k], versions[0 if against == "baseline" else k - 1]) for k in range(1, LOOKS + 1))
        differences = np.array([contributions(own.name, new, old) for new, old in pairs])
        for rule, raised in alarms(differences).items():
            found.setdefault(rule, []).append(first(raised))
    return {rule: np.array(looks) for rule, looks in found.items()}


def power(own: Material, histories: int, share: float) -> tuple[float, dict[str, list[float]]]:
    """How often a version that dropped is caught at its own look, and by how much such versions drop on average."""
    rng = np.random.default_rng(2)
    chosen = [rng.choice(len(own.better), SEGMENTS) for _ in range(histories)]
    pairs = [(own.version(rng, some, share), own.version(rng, some)) for some in chosen]
    differences = np.array([contributions(own.name, new, old) for new, old in pairs])
    p, e, dropped = p_values(differences), e_values(differences), differences.sum(1) < 0
    caught = {
        rule: [float(np.mean(dropped & (p < ALPHA * of_look[k - 1]))) for k in DROP_AT]
        for rule, of_look in shares(LOOKS).items()
    }
    counted = shares(LOOKS)["looks counted"]
    caught["e-values, averaged"] = [float(np.mean(e * counted[k - 1] >= 1 / ALPHA)) for k in DROP_AT]
    return -float(differences.sum(1).mean()), caught


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
        print(f"{name}: p is that of the program within a factor of {check(own):.2f}", file=sys.stderr)
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
            drop, caught = power(own, histories, share)
            for rule, of_look in caught.items():
                cells = " | ".join(f"{100 * value:.0f}" for value in of_look)
                lines.append(f"| {drop:.1f} | {metric_of(name).label} | {rule} | {cells} |")
    print("\n".join(lines))


if __name__ == "__main__":
    main()
