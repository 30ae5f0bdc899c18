"""Systems against each other: from rows to intervals, paired tests, clusters and claims."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from adjudge.data import Outputs, ScoreMatrix, TestSet
from adjudge.errors import UsageError, unknown_name
from adjudge.evaluate.claims import claims
from adjudge.evaluate.comparison import Comparison, Group, Measured, Pair, Rows, Standing, TestFacts
from adjudge.evaluate.groups import groups_by, label_column, labels_of
from adjudge.evaluate.plan import SEED, Plan, plan_of
from adjudge.evaluate.scoring import DEFAULT_METRICS, Progress, TestSetFacts, check, chosen_metrics, facts_of
from adjudge.metrics.base import Metric
from adjudge.stats import multiple, resampling
from adjudge.stats.clusters import Placement, placements, rank_intervals
from adjudge.stats.power import detectable_difference
from adjudge.stats.runs import ENOUGH_RUNS, spread, stratified_randomisation
from adjudge.stats.units import Units

if TYPE_CHECKING:
    from adjudge.engine.cache import RowCache

FEW_UNITS = 2
"""Below this many units nothing varies, and nothing can be said."""


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
    interval: str = "percentile",
    level: float = 0.95,
    seed: int = SEED,
    unit: str = "segment",
    strata: str | None = None,
    correction: str = "holm",
    alpha: float = 0.05,
    by: Sequence[str] = (),
    threads: int = 0,
    cache: RowCache | None = None,
    progress: Progress | None = None,
) -> Comparison:
    """Score every output by every metric and test all pairs of systems, or all against a baseline.

    `unit` and `strata` are labels of the test set (`unit="document"` draws whole documents), `by` labels to compare
    by as well, or `length`. Outputs of the same system in several runs count as one system.
    """
    options = {name: value for name, value in locals().items() if name in Plan.__dataclass_fields__}
    plan = plan_of(options)
    outputs = tuple(outputs)
    _check_systems([output.system for output in outputs], plan.baseline)
    measured = measure(test_set, outputs, metrics, threads=threads, cache=cache, progress=progress)
    labels = labels_of(test_set)
    return compare_measured(
        measured, facts_of(test_set), labels, threads=threads, progress=progress, **options
    )


def measure(
    test_set: TestSet,
    outputs: Iterable[Outputs],
    metrics: Iterable[Metric | str] | Metric | str = DEFAULT_METRICS,
    *,
    threads: int = 0,
    cache: RowCache | None = None,
    progress: Progress | None = None,
) -> tuple[Measured, ...]:
    """The rows of every output by every metric, from the cache where it has them."""
    outputs, chosen = tuple(outputs), chosen_metrics(metrics)
    check(test_set, outputs, chosen)
    steps, found = len(chosen) * len(outputs), []
    for m, metric in enumerate(chosen):
        prepared = None
        rows: dict[str, tuple[Rows, ...]] = {}
        runs: dict[str, tuple[str, ...]] = {}
        for o, output in enumerate(outputs):
            if progress:
                progress(f"{metric.label} of {output.title}", m * len(outputs) + o, steps)
            known = cache.get(metric, test_set, output.segments) if cache else None
            if known is None:
                prepared = metric.prepare(test_set) if prepared is None else prepared
                known = metric.stats(prepared, output.segments, threads=threads)
                if cache:
                    cache.put(metric, test_set, output.segments, known)
            rows[output.system] = (*rows.get(output.system, ()), known)
            runs[output.system] = (*runs.get(output.system, ()), output.run)
        found.append(
            Measured(
                metric=metric.spec,
                label=metric.label,
                signature=metric.signature(test_set),
                higher_is_better=None if metric.neutral else metric.higher_is_better,
                decimals=metric.decimals,
                aggregate=metric.aggregate,
                segment_scores=metric.for_segments().aggregate,
                rows=rows,
                runs=runs,
            )
        )
    return tuple(found)


def compare_measured(
    measured: Sequence[Measured],
    test_set: TestSetFacts,
    labels: Mapping[str, Sequence[str]] | None = None,
    *,
    threads: int = 0,
    progress: Progress | None = None,
    **options: Any,
) -> Comparison:
    """The same from rows that are there already (of a stored run, of people); options as in `compare`."""
    plan, labels = plan_of(options), labels or {}
    if not measured:
        raise UsageError("no metric to compare by (adjudge score --list)")
    systems = list(measured[0].rows)
    _check_systems(systems, plan.baseline)
    pairs = _pairs(systems, plan.baseline)
    plan = plan.with_numbers(len(pairs) * len(measured))
    parts: list[tuple[dict[str, str], NDArray[np.intp] | None]] = [({}, None)]
    if plan.by:
        parts += groups_by(labels, plan.by)
    facts = _facts(plan, len(pairs) * len(measured))
    groups = []
    for number, (by, segments) in enumerate(parts):
        if progress:
            what = ", ".join(f"{name} {value}" for name, value in by.items())
            progress(f"testing {what}".rstrip(), number, len(parts))
        groups.append(_group(measured, labels, plan, facts, pairs, by, segments, threads))
    if progress:
        progress("done", len(parts), len(parts))
    everything = groups[0]
    return Comparison(
        test_set=test_set,
        results=everything.results,
        pairs=everything.pairs,
        test=facts,
        claims=everything.claims,
        groups=tuple(groups) if plan.by else (),
        warnings=tuple(_warnings(measured, labels, plan, facts, groups)),
    )


def compare_scores(
    matrix: ScoreMatrix,
    *,
    name: str = "score",
    higher_is_better: bool = True,
    decimals: int = 2,
    labels: Mapping[str, Sequence[str]] | None = None,
    **options: Any,
) -> Comparison:
    """The same for scores of segments, by people or anything else; NaN is a score that is missing.

    A system's score is the mean of those that are there.
    """
    there = ~np.isnan(matrix.scores)
    rows = {
        system: (np.stack([np.where(seen, scores, 0.0), seen.astype(np.float64)], axis=1),)
        for system, scores, seen in zip(matrix.systems, matrix.scores, there, strict=True)
    }
    if len(rows) != len(matrix.systems):
        raise UsageError("two systems have the same name; name them apart")
    measured = Measured(name, name, name, higher_is_better, decimals, _mean, _mean, rows)
    facts = TestSetFacts("", matrix.scores.shape[1], 0, "")
    return compare_measured([measured], facts, labels, **options)


@dataclass(frozen=True)
class _Tested:
    """One metric's differences before correction, which is over all metrics."""

    measured: Measured
    scores: NDArray[np.float64]
    resampled: NDArray[np.float64]
    standings: list[dict[str, Any]]
    p_values: list[float]
    deviations: list[float]
    pairs: list[dict[str, Any]]


def _group(
    measured: Sequence[Measured],
    labels: Mapping[str, Sequence[str]],
    plan: Plan,
    facts: TestFacts,
    pairs: Sequence[tuple[int, int]],
    by: Mapping[str, str],
    segments: NDArray[np.intp] | None,
    threads: int,
) -> Group:
    columns = {
        name: label_column(labels, name, "draw by")
        for name in (plan.unit, plan.strata)
        if name is not None and name != "segment"
    }
    if segments is not None:
        columns = {name: [column[i] for i in segments] for name, column in columns.items()}
    systems = list(measured[0].rows)
    length = len(segments) if segments is not None else len(measured[0].rows[systems[0]][0])
    units = Units.of(length, columns.get(plan.unit), columns.get(plan.strata or ""))
    tested = [_test(one, plan, pairs, units, segments, threads) for one in measured]
    p_values = [p for one in tested for p in one.p_values]
    adjusted = multiple.adjusted(p_values, plan.correction)
    threshold = multiple.threshold(p_values, plan.alpha, plan.correction)
    results: dict[tuple[int, int], Standing] = {}
    tests: list[Pair] = []
    for m, one in enumerate(tested):
        own = adjusted[m * len(pairs) : (m + 1) * len(pairs)]
        significant = own < plan.alpha
        better = _oriented(one.scores, one.measured)
        beats = np.zeros((len(systems), len(systems)), dtype=bool)
        for (a, b), found in zip(pairs, significant, strict=True):
            beats[a, b] = found and better[a] > better[b]
            beats[b, a] = found and better[b] > better[a]
        placed: Sequence[Placement | None] = [None] * len(systems)
        intervals: Sequence[tuple[int, int] | None] = [None] * len(systems)
        if one.measured.higher_is_better is not None:
            intervals = rank_intervals(_oriented(one.resampled, one.measured), plan.level)
            if plan.baseline is None:
                placed = placements(better, beats)
        for s, (standing, place, interval) in enumerate(zip(one.standings, placed, intervals, strict=True)):
            results[s, m] = Standing(
                **standing,
                cluster=place.cluster if place else None,
                rank=place.rank if place else None,
                rank_interval=interval,
            )
        for i, pair in enumerate(one.pairs):
            tests.append(
                Pair(
                    **pair,
                    p_adjusted=float(own[i]),
                    significant=bool(significant[i]),
                    detectable=detectable_difference(one.deviations[i], threshold),
                )
            )
    ordered = tuple(results[key] for key in sorted(results))
    said = claims(
        ordered,
        tests,
        facts,
        units=units.count,
        documents=len(set(labels["document"])) if "document" in labels and not by else None,
        identical=[
            (systems[a], systems[b]) for a, b in pairs if _same_rows(measured, systems[a], systems[b])
        ],
        scope="this test set" if not by else "segments with " + ", ".join(f"{k} {v}" for k, v in by.items()),
        caveats=not by,
    )
    return Group(by=by, segments=length, results=ordered, pairs=tuple(tests), claims=said)


def _test(
    measured: Measured,
    plan: Plan,
    pairs: Sequence[tuple[int, int]],
    units: Units,
    segments: NDArray[np.intp] | None,
    threads: int,
) -> _Tested:
    rows = [
        tuple(run if segments is None else run[segments] for run in runs) for runs in measured.rows.values()
    ]
    flat = [run for runs in rows for run in runs]
    owner = np.repeat(np.arange(len(rows)), [len(runs) for runs in rows])
    run_scores = np.array([float(measured.aggregate(run.sum(0))) for run in flat])
    assert plan.resamples is not None
    by_run = resampling.resampled_scores(
        flat,
        measured.aggregate,
        resamples=plan.resamples,
        seed=plan.seed,
        units=units,
        sampling=plan.sampling,
        threads=threads,
    )
    scores = np.array([run_scores[owner == s].mean() for s in range(len(rows))])
    resampled = np.stack([by_run[:, owner == s].mean(1) for s in range(len(rows))], axis=1)
    standings = [
        _standing(measured, system, run_scores[owner == s], by_run[:, owner == s], resampled[:, s], plan)
        for s, system in enumerate(measured.rows)
    ]
    p_values = _p_values(measured, plan, rows, scores, resampled, pairs, units, threads)
    names, direction = list(measured.rows), -1.0 if measured.higher_is_better is False else 1.0
    on_segments = [np.mean([measured.segment_scores(run) for run in runs], axis=0) for runs in rows]
    found, deviations = [], []
    for (a, b), p in zip(pairs, p_values, strict=True):
        delta, differences = float(scores[a] - scores[b]), resampled[:, a] - resampled[:, b]
        slack = resampling.tolerance(scores[a], scores[b])
        estimate = resampling.estimate(
            delta,
            differences,
            interval=plan.interval,
            level=plan.level,
        )
        deviation = (
            estimate.deviation if units.count >= FEW_UNITS and estimate.deviation > slack else math.nan
        )
        wins, ties, losses = resampling.outcomes(
            differences, higher_is_better=measured.higher_is_better is not False, slack=slack
        )
        ahead = direction * (on_segments[a] - on_segments[b])
        found.append(
            {
                "metric": measured.metric,
                "a": names[a],
                "b": names[b],
                "delta": delta,
                "low": estimate.low,
                "high": estimate.high,
                "p": p,
                "wins": wins,
                "ties": ties,
                "losses": losses,
                "effect": direction * delta / (deviation * math.sqrt(units.count)),
                "better_on": float((ahead > slack).mean()),
                "worse_on": float((ahead < -slack).mean()),
            }
        )
        deviations.append(deviation)
    return _Tested(measured, scores, resampled, standings, p_values, deviations, found)


def _standing(
    measured: Measured,
    system: str,
    run_scores: NDArray[np.float64],
    by_run: NDArray[np.float64],
    resampled: NDArray[np.float64],
    plan: Plan,
) -> dict[str, Any]:
    runs = spread(run_scores, by_run)
    estimate = resampling.estimate(
        runs.mean,
        resampled,
        interval=plan.interval,
        level=plan.level,
    )
    return {
        "system": system,
        "metric": measured.metric,
        "label": measured.label,
        "score": runs.mean,
        "low": estimate.low,
        "high": estimate.high,
        "deviation": runs.selection,
        "signature": measured.signature,
        "higher_is_better": measured.higher_is_better,
        "decimals": measured.decimals,
        "runs": len(run_scores),
        "run_deviation": runs.optimiser,
        "run_scores": tuple(map(float, run_scores)) if len(run_scores) > 1 else (),
    }


def _p_values(
    measured: Measured,
    plan: Plan,
    rows: Sequence[tuple[Rows, ...]],
    scores: NDArray[np.float64],
    resampled: NDArray[np.float64],
    pairs: Sequence[tuple[int, int]],
    units: Units,
    threads: int,
) -> list[float]:
    slacks = [resampling.tolerance(scores[a], scores[b]) for a, b in pairs]
    if plan.method == "bootstrap":
        return [
            resampling.bootstrap_p(scores[a] - scores[b], resampled[:, a] - resampled[:, b], slack=slack)
            for (a, b), slack in zip(pairs, slacks, strict=True)
        ]
    assert plan.trials is not None
    shared: dict[str, Any] = {"trials": plan.trials, "seed": plan.seed, "units": units, "threads": threads}
    if all(len(runs) == 1 for runs in rows):
        as_far = np.zeros(len(pairs), dtype=np.int64)
        for block in resampling.randomised_differences(
            [runs[0] for runs in rows], measured.aggregate, pairs, **shared
        ):
            for i, ((a, b), slack) in enumerate(zip(pairs, slacks, strict=True)):
                as_far[i] += resampling.count_as_far(scores[a] - scores[b], block[:, i], slack)
        return [resampling.sampled_p(int(count), plan.trials) for count in as_far]
    return [stratified_randomisation(rows[a], rows[b], measured.aggregate, **shared) for a, b in pairs]


def _same_rows(measured: Sequence[Measured], a: str, b: str) -> bool:
    return all(
        len(one.rows[a]) == len(one.rows[b]) and all(map(np.array_equal, one.rows[a], one.rows[b]))
        for one in measured
    )


def _pairs(systems: Sequence[str], baseline: str | None) -> list[tuple[int, int]]:
    if baseline is None:
        return list(combinations(range(len(systems)), 2))
    base = systems.index(baseline)
    return [(s, base) for s in range(len(systems)) if s != base]


def _check_systems(names: Iterable[str], baseline: str | None) -> None:
    systems = list(dict.fromkeys(names))
    if baseline is not None and baseline not in systems:
        raise unknown_name("baseline", baseline, systems)
    if len(systems) < 2:
        only = f"there is only {systems[0]!r}" if systems else "there is none"
        raise UsageError(f"two systems are needed for a comparison, {only} (adjudge score scores one)")


def _facts(plan: Plan, comparisons: int) -> TestFacts:
    assert plan.trials is not None
    assert plan.resamples is not None
    return TestFacts(
        method=plan.method,
        trials=plan.trials,
        resamples=plan.resamples,
        sampling=plan.sampling,
        interval=plan.interval,
        level=plan.level,
        seed=plan.seed,
        unit=plan.unit,
        strata=plan.strata,
        correction=plan.correction,
        comparisons=comparisons,
        alpha=plan.alpha,
        baseline=plan.baseline,
    )


def _warnings(
    measured: Sequence[Measured],
    labels: Mapping[str, Sequence[str]],
    plan: Plan,
    facts: TestFacts,
    groups: Sequence[Group],
) -> list[str]:
    warnings = []
    least = 1 / (facts.trials + 1)
    tests = 1 if plan.correction == "none" else facts.comparisons
    if least * tests >= plan.alpha:
        wanted = multiple.enough_trials(facts.comparisons, plan.alpha, plan.correction)
        warnings.append(
            f"{facts.trials} trials give no p below {least:.2g}; with {facts.comparisons} tests and the correction "
            f"{plan.correction!r} nothing can be significant: --trials {wanted}"
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


def _oriented(scores: NDArray[np.float64], measured: Measured) -> NDArray[np.float64]:
    return -scores if measured.higher_is_better is False else scores


def _mean(sums: Rows) -> Rows:
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray(sums[..., 0] / sums[..., 1], dtype=np.float64)
