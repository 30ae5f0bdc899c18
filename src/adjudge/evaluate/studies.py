"""Several test sets at once: scores set by set, their mean over sets, and whether two systems differ in it.

The mean over test sets (macro average) counts each set alike, however long it is. Intervals and tests draw within each
set, so that they hold for other texts of the same kinds, not for other kinds of texts.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from adjudge.data import Outputs, TestSet
from adjudge.errors import UsageError, unknown_name
from adjudge.evaluate.comparison import Measured, Rows
from adjudge.evaluate.measuring import measure
from adjudge.evaluate.scoring import Progress
from adjudge.stats import multiple
from adjudge.stats.resampling import estimate, randomisation, resampled_scores

if TYPE_CHECKING:
    from adjudge.engine.cache import RowCache

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class StudyMaterial:
    """One test set of a study, and the outputs there are for it."""

    name: str
    test_set: TestSet
    outputs: tuple[Outputs, ...]
    language: str = ""
    domain: str = ""


@dataclass(frozen=True)
class SetScore:
    """One system on one test set; NaN where it has no output there."""

    test_set: str
    system: str
    score: float
    low: float
    high: float


@dataclass(frozen=True)
class MacroScore:
    """One system over all test sets of a group; NaN where it lacks one of them."""

    system: str
    score: float
    low: float
    high: float
    sets: int
    missing: tuple[str, ...]
    """Test sets that it has no output for."""


@dataclass(frozen=True)
class MacroPair:
    """Two systems over all test sets that both have."""

    a: str
    b: str
    delta: float
    p_value: float
    p_adjusted: float
    significant: bool
    sets: int
    better_on: int
    """Sets on which a is ahead."""


@dataclass(frozen=True)
class StudyGroup:
    """The mean over some of the test sets: all of them, those of a language pair, those of a domain."""

    by: str
    """all, language or domain."""
    name: str
    sets: tuple[str, ...]
    scores: tuple[MacroScore, ...]


@dataclass(frozen=True)
class StudyTable:
    """One metric over all test sets."""

    metric: str
    label: str
    signatures: Mapping[str, str]
    """By test set."""
    higher_is_better: bool | None
    decimals: int
    scores: tuple[SetScore, ...]
    groups: tuple[StudyGroup, ...]
    """All sets first."""
    pairs: tuple[MacroPair, ...]


@dataclass(frozen=True)
class StudyResult:
    """Several metrics over all test sets."""

    sets: tuple[str, ...]
    segments: Mapping[str, int]
    systems: tuple[str, ...]
    tables: tuple[StudyTable, ...]
    alpha: float
    resamples: int
    trials: int
    seed: int


@dataclass(frozen=True)
class StudyPlan:
    """How intervals and tests are drawn."""

    resamples: int = 1000
    trials: int = 10_000
    seed: int = 12345
    alpha: float = 0.05
    baseline: str = ""
    threads: int = 0


def run_study(
    material: Sequence[StudyMaterial],
    metrics: Sequence[str],
    plan: StudyPlan | None = None,
    *,
    cache: RowCache | None = None,
    progress: Progress | None = None,
) -> StudyResult:
    """Every system by every metric on every test set, with means over sets and tests of these."""
    plan = plan or StudyPlan()
    systems = tuple(dict.fromkeys(output.system for own in material for output in own.outputs))
    if not systems:
        raise UsageError("no test set has a system output: systems = [...]")
    if plan.baseline and plan.baseline not in systems:
        raise unknown_name("baseline", plan.baseline, systems)
    measured: dict[str, tuple[Measured, ...]] = {}
    for place, own in enumerate(material):
        if progress:
            progress(f"test set {own.name}", place, len(material))
        if own.outputs:
            measured[own.name] = measure(
                own.test_set, own.outputs, metrics, threads=plan.threads, cache=cache
            )
    tables = tuple(
        _table({name: own[i] for name, own in measured.items()}, material, systems, plan)
        for i in range(len(next(iter(measured.values()))))
    )
    return StudyResult(
        sets=tuple(own.name for own in material),
        segments={own.name: len(own.test_set) for own in material},
        systems=systems,
        tables=tables,
        alpha=plan.alpha,
        resamples=plan.resamples,
        trials=plan.trials,
        seed=plan.seed,
    )


def _table(
    measured: Mapping[str, Measured],
    material: Sequence[StudyMaterial],
    systems: Sequence[str],
    plan: StudyPlan,
) -> StudyTable:
    first = next(iter(measured.values()))
    rows = {(name, system): _mean_rows(own, system) for name, own in measured.items() for system in own.rows}
    drawn = {
        (name, system): resampled_scores(
            [rows[name, system]],
            own.aggregate,
            resamples=plan.resamples,
            seed=_seed(plan.seed, name),
            threads=plan.threads,
        )[:, 0]
        for name, own in measured.items()
        for system in own.rows
    }
    score = {key: float(measured[key[0]].aggregate(own.sum(0))) for key, own in rows.items()}
    level = 1 - plan.alpha
    scores = []
    for own in material:
        for system in systems:
            key = (own.name, system)
            if key in drawn:
                about = estimate(score[key], drawn[key], interval="percentile", level=level)
                scores.append(SetScore(own.name, system, about.score, about.low, about.high))
            else:
                scores.append(SetScore(own.name, system, math.nan, math.nan, math.nan))
    groups = [_group(by, name, sets, systems, score, drawn, level) for by, name, sets in _groups(material)]
    return StudyTable(
        metric=first.metric,
        label=first.label,
        signatures={name: own.signature for name, own in measured.items()},
        higher_is_better=first.higher_is_better,
        decimals=first.decimals,
        scores=tuple(scores),
        groups=tuple(groups),
        pairs=_pairs(measured, rows, score, systems, plan),
    )


def _mean_rows(measured: Measured, system: str) -> Rows:
    """The rows of a system; of several training runs their mean, which has the mean of their sums."""
    return np.mean(measured.rows[system], axis=0)  # type: ignore[no-any-return]


def _seed(seed: int, name: str) -> int:
    """Another seed for each test set: what is drawn in one says nothing of the others."""
    return (seed + sum((i + 1) * ord(c) for i, c in enumerate(name)) * 7919) % 2**31


def _groups(material: Sequence[StudyMaterial]) -> list[tuple[str, str, tuple[str, ...]]]:
    """All sets, and those of each language pair and domain where there are several."""
    groups = [("all", "all", tuple(own.name for own in material))]
    for by in ("language", "domain"):
        values = list(dict.fromkeys(getattr(own, by) for own in material if getattr(own, by)))
        if len(values) > 1:
            groups += [(by, v, tuple(own.name for own in material if getattr(own, by) == v)) for v in values]
    return groups


def _group(
    by: str,
    name: str,
    sets: tuple[str, ...],
    systems: Sequence[str],
    score: Mapping[tuple[str, str], float],
    drawn: Mapping[tuple[str, str], Floats],
    level: float,
) -> StudyGroup:
    scores = []
    for system in systems:
        missing = tuple(own for own in sets if (own, system) not in score)
        if missing:
            scores.append(MacroScore(system, math.nan, math.nan, math.nan, len(sets) - len(missing), missing))
            continue
        mean = float(np.mean([score[own, system] for own in sets]))
        resamples = np.mean([drawn[own, system] for own in sets], axis=0)
        about = estimate(mean, resamples, interval="percentile", level=level)
        scores.append(MacroScore(system, mean, about.low, about.high, len(sets), ()))
    return StudyGroup(by, name, sets, tuple(scores))


def _pairs(
    measured: Mapping[str, Measured],
    rows: Mapping[tuple[str, str], Rows],
    score: Mapping[tuple[str, str], float],
    systems: Sequence[str],
    plan: StudyPlan,
) -> tuple[MacroPair, ...]:
    """Every two systems, or every one against the baseline, on the sets that both have."""
    chosen = [pair for pair in combinations(systems, 2) if not plan.baseline or plan.baseline in pair]
    pairs = []
    for first, second in chosen:
        a, b = (second, first) if first == plan.baseline else (first, second)
        both = [name for name in measured if (name, a) in rows and (name, b) in rows]
        if not both:
            pairs.append((a, b, math.nan, math.nan, 0, 0))
            continue
        tests = [
            randomisation(
                rows[name, a],
                rows[name, b],
                measured[name].aggregate,
                trials=plan.trials,
                seed=_seed(plan.seed, name),
                threads=plan.threads,
            )
            for name in both
        ]
        delta = float(np.mean([test.delta for test in tests]))
        chance = np.mean([test.differences for test in tests], axis=0)
        as_far = int(np.count_nonzero(np.abs(chance) >= abs(delta) - 1e-9))
        sign = -1.0 if measured[both[0]].higher_is_better is False else 1.0
        ahead = sum(sign * (score[name, a] - score[name, b]) > 0 for name in both)
        pairs.append((a, b, delta, (as_far + 1) / (plan.trials + 1), len(both), ahead))
    known = [i for i, pair in enumerate(pairs) if math.isfinite(pair[3])]
    adjusted = dict(zip(known, multiple.adjusted([pairs[i][3] for i in known]), strict=True))
    return tuple(
        MacroPair(a, b, delta, p, q := float(adjusted.get(i, math.nan)), q < plan.alpha, sets, ahead)
        for i, (a, b, delta, p, sets, ahead) in enumerate(pairs)
    )
