"""Systems against each other: from rows to intervals, paired tests, clusters and claims."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from adjudge.data import Outputs, ScoreMatrix, TestSet
from adjudge.errors import UsageError, unknown_name
from adjudge.evaluate.comparison import Comparison, Measured, TestFacts, measured_means
from adjudge.evaluate.groups import groups_by, label_column, labels_of
from adjudge.evaluate.measuring import measure
from adjudge.evaluate.plan import SEED, Plan, plan_of
from adjudge.evaluate.scoring import (
    DEFAULT_METRICS,
    Progress,
    TestSetFacts,
    facts_of,
    language_warnings,
    resolved,
)
from adjudge.evaluate.testing import tested_group
from adjudge.metrics.base import Metric
from adjudge.stats import multiple
from adjudge.stats.pairwise import MANY
from adjudge.stats.runs import ENOUGH_RUNS
from adjudge.stats.stopping import RISK

if TYPE_CHECKING:
    from adjudge.engine.cache import RowCache


def compare(
    test_set: TestSet,
    outputs: Iterable[Outputs],
    metrics: Iterable[Metric | str] | Metric | str = DEFAULT_METRICS,
    *,
    baseline: str | None = None,
    method: str = "randomisation",
    trials: int | None = None,
    resamples: int | None = None,
    sampling: str = "bootstrap",
    interval: str = "test",
    level: float = 0.95,
    seed: int = SEED,
    unit: str = "segment",
    strata: str | None = None,
    correction: str = "holm",
    family: str = "metric",
    alpha: float = 0.05,
    by: Sequence[str] = (),
    margin: float | Mapping[str, float] | None = None,
    threads: int = 0,
    cache: RowCache | None = None,
    progress: Progress | None = None,
) -> Comparison:
    """Score every output by every metric and test all pairs of systems, or all against a baseline.

    `unit` and `strata` are labels of the test set (`unit="document"` draws whole documents), `by` labels to compare
    by as well, or `length`. Outputs of the same system in several runs count as one system. The correction is over
    the pairs of each metric, or with `family="all"` over those of all metrics. With a `margin`, pairs are also tested
    for being the same within it (`{"bleu": 1.0, "chrf": 0.5}` for several metrics).
    """
    options = {name: value for name, value in locals().items() if name in Plan.__dataclass_fields__}
    plan = plan_of(options)
    outputs = tuple(outputs)
    labels = labels_of(test_set, plan.by)
    check_question(plan, [output.system for output in outputs], labels)
    chosen, test_set = resolved(metrics, test_set)
    measured = measure(test_set, outputs, chosen, threads=threads, cache=cache, progress=progress)
    comparison = compare_measured(
        measured, facts_of(test_set, chosen), labels, threads=threads, progress=progress, **options
    )
    return replace(comparison, warnings=(*language_warnings(chosen, test_set), *comparison.warnings))


def compare_measured(
    measured: Sequence[Measured],
    test_set: TestSetFacts,
    labels: Mapping[str, Sequence[str]] | None = None,
    *,
    threads: int = 0,
    progress: Progress | None = None,
    scope: str = "this test set",
    by_people: bool = False,
    caveats: bool = True,
    alone: bool = False,
    **options: Any,
) -> Comparison:
    """The same from rows that are there already (of a stored run, of people); options as in `compare`.

    Where it may be `alone`, a single system has its interval and nothing is tested.
    """
    plan, labels = plan_of(options), labels or {}
    if not measured:
        raise UsageError("no metric to compare by (adjudge score --list)")
    for one in measured:
        if plan.ranks and not one.is_mean:
            raise UsageError(
                f"a {plan.method} test is for means of segment scores, which {one.label} is not: --test randomisation"
            )
        if plan.crossed and (not one.is_mean or any(len(runs) > 1 for runs in one.rows.values())):
            raise UsageError(
                f"units of two kinds are for means of segment scores of one run each, which {one.label} is not: --unit "
                + plan.unit.partition(",")[0]
            )
    systems = list(measured[0].rows)
    if not alone or len(systems) != 1:
        check_question(plan, systems, labels)
    pairs = _pairs(systems, plan)
    together = plan.tests_together(len(pairs), len(measured))
    plan = plan.with_numbers(together)
    parts: list[tuple[dict[str, str], NDArray[np.intp] | None]] = [({}, None)]
    if plan.by:
        parts += groups_by(labels, plan.by)
    facts = _facts(plan, len(pairs), together, by_people)
    groups = []
    for by, segments in parts:
        groups.append(
            tested_group(
                measured, labels, plan, facts, pairs, by, segments, threads, progress, scope, caveats=caveats
            )
        )
    if progress:
        progress("done", 1, 1)
    everything = groups[0]
    return Comparison(
        test_set=test_set,
        results=everything.results,
        pairs=everything.pairs,
        test=facts,
        claims=everything.claims,
        groups=tuple(groups) if plan.by else (),
        warnings=tuple(_warnings(measured, plan, facts)),
    )


def compare_scores(
    matrix: ScoreMatrix,
    *,
    name: str = "score",
    higher_is_better: bool = True,
    decimals: int = 2,
    labels: Mapping[str, Sequence[str]] | None = None,
    weights: NDArray[np.float64] | None = None,
    **options: Any,
) -> Comparison:
    """The same for scores of segments, by people or anything else; NaN is a score that is missing.

    A system's score is the mean of those that are there, each with its weight (1).
    """
    measured = measured_scores(
        matrix, name, higher_is_better=higher_is_better, decimals=decimals, weights=weights
    )
    facts = TestSetFacts("", matrix.scores.shape[1], 0, "")
    return compare_measured([measured], facts, labels, **options)


def measured_scores(
    matrix: ScoreMatrix,
    name: str,
    *,
    higher_is_better: bool = True,
    decimals: int | None = 2,
    weights: NDArray[np.float64] | None = None,
) -> Measured:
    """Scores of segments as a metric's rows: each score times its weight, and the weight, 0 where it is missing."""
    there = (~np.isnan(matrix.scores)).astype(np.float64)
    weights = there if weights is None else there * weights
    rows = {
        system: (np.stack([np.where(weight > 0, scores, 0.0) * weight, weight], axis=1),)
        for system, scores, weight in zip(matrix.systems, matrix.scores, weights, strict=True)
    }
    if len(rows) != len(matrix.systems):
        raise UsageError("two systems have the same name; name them apart")
    return measured_means(name, rows, higher_is_better=higher_is_better, decimals=decimals)


def _pairs(systems: Sequence[str], plan: Plan) -> list[tuple[int, int]]:
    """Who is tested against whom; a one-sided test asks whether the first is better."""
    if plan.baseline is None:
        return list(combinations([systems.index(name) for name in plan.expected or systems], 2))
    base = systems.index(plan.baseline)
    return [(s, base) for s in range(len(systems)) if s != base]


def check_question(plan: Plan, names: Iterable[str], labels: Mapping[str, Sequence[str]]) -> None:
    """Refuse what cannot be answered before anything is scored: too few systems, unknown names and labels."""
    systems = list(dict.fromkeys(names))
    if plan.baseline is not None and plan.baseline not in systems:
        raise unknown_name("baseline", plan.baseline, systems)
    for expected in plan.expected:
        if expected not in systems:
            raise unknown_name("system", expected, systems)
    if plan.expected and sorted(plan.expected) != sorted(systems):
        left = [name for name in systems if name not in plan.expected]
        why = f"{', '.join(left)} is not in it" if left else "a system stands there twice"
        raise UsageError(f"an expected order has every system once: {why}")
    for name in (*plan.unit.split(","), plan.strata):
        if name not in (None, "segment"):
            label_column(labels, str(name), "draw by")
    for name in plan.by:
        label_column(labels, name, "group by")
    if len(systems) < 2:
        only = f"there is only {systems[0]!r}" if systems else "there is none"
        raise UsageError(f"two systems are needed for a comparison, {only} (adjudge score scores one)")


def _facts(plan: Plan, pairs: int, comparisons: int, by_people: bool) -> TestFacts:
    assert plan.resamples is not None
    return TestFacts(
        method=plan.method,
        trials=plan.trials or 0,
        resamples=plan.resamples,
        sampling=plan.sampling,
        interval=plan.interval,
        level=plan.level,
        seed=plan.seed,
        unit=plan.unit,
        strata=plan.strata,
        correction=plan.correction,
        comparisons=comparisons,
        family=plan.family,
        risk=RISK if pairs > MANY and plan.method == "randomisation" else 0.0,
        alpha=plan.alpha,
        baseline=plan.baseline,
        alternative=plan.alternative,
        expected=plan.expected,
        by_people=by_people,
    )


def _warnings(measured: Sequence[Measured], plan: Plan, facts: TestFacts) -> list[str]:
    warnings = []
    least = facts.smallest_p
    if least >= plan.alpha:
        wanted = multiple.enough_trials(facts.comparisons, plan.alpha, plan.correction)
        warnings.append(
            f"{facts.trials} trials give no p below {least:.2g} after the correction {plan.correction!r} for "
            f"{facts.comparisons} tests: nothing can be significant: --trials {wanted}"
        )
    counts = {system: len(runs) for system, runs in measured[0].rows.items()}
    few = [f"{system} has {count}" for system, count in counts.items() if count < ENOUGH_RUNS]
    if max(counts.values()) > 1 and few:
        warnings.append(
            f"below {ENOUGH_RUNS} training runs luck in training cannot be told from a better system: "
            + ", ".join(few[:3])
            + (" …" if len(few) > 3 else "")
        )
    return warnings
