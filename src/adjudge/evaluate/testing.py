"""Every pair of systems tested on the same segments, by every metric."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from adjudge.evaluate.claims import claims
from adjudge.evaluate.comparison import Group, Measured, Pair, Rows, Standing, TestFacts
from adjudge.evaluate.groups import label_column
from adjudge.evaluate.margin_claims import margin_claims
from adjudge.evaluate.plan import Plan
from adjudge.evaluate.scoring import Progress
from adjudge.stats import multiple, resampling
from adjudge.stats.clusters import Placement, placements, rank_intervals
from adjudge.stats.crossed import Clustered, Crossed
from adjudge.stats.equivalence import Equivalence, error_over_runs, resampled_error, within_margin
from adjudge.stats.intervals import NOTHING, Interval, about, agreeing, between
from adjudge.stats.pairwise import Resampled, pairwise_tests, resample
from adjudge.stats.ranktests import PairTests, all_pairs
from adjudge.stats.runs import spread
from adjudge.stats.units import Units


def tested_group(
    measured: Sequence[Measured],
    labels: Mapping[str, Sequence[str]],
    plan: Plan,
    facts: TestFacts,
    pairs: Sequence[tuple[int, int]],
    by: Mapping[str, str],
    segments: NDArray[np.intp] | None,
    threads: int,
    progress: Progress | None,
    scope: str,
    *,
    caveats: bool,
) -> Group:
    """Standings, pairs and claims on some of the segments (None: all), corrected among themselves."""
    columns = {
        name: label_column(labels, name, "draw by")
        for name in (*plan.unit.split(","), plan.strata)
        if name is not None and name != "segment"
    }
    if segments is not None:
        columns = {name: [column[i] for i in segments] for name, column in columns.items()}
    systems = list(measured[0].rows)
    margins = plan.margins([one.metric for one in measured])
    length = len(segments) if segments is not None else len(measured[0].rows[systems[0]][0])
    crossed = None
    units = Units.of(length, columns.get(plan.unit), columns.get(plan.strata or ""))
    if plan.crossed:
        crossed = Crossed.of(*(columns[name] for name in plan.unit.split(",")))
        units = crossed.cells
    least = [_least_p(plan, units, crossed, measured[0], systems[a], systems[b]) for a, b in pairs]
    tested = []
    what = "".join(f", {name} {value}" for name, value in by.items())
    for seen in measured:
        tick = partial(progress, f"testing {seen.label}{what}") if progress else _nobody
        tested.append(_test(seen, plan, pairs, units, crossed, segments, threads, tick))
    corrected = multiple.corrected(
        [one.p_values for one in tested],
        alpha=plan.alpha,
        error=1 - plan.level,
        correction=plan.correction,
        family=plan.family,
    )
    results: dict[tuple[int, int], Standing] = {}
    tests: list[Pair] = []
    for m, (one, own) in enumerate(zip(tested, corrected, strict=True)):
        significant = own.adjusted < plan.alpha
        better = _oriented(one.scores, one.measured)
        beats = np.zeros((len(systems), len(systems)), dtype=bool)
        for (a, b), found in zip(pairs, significant, strict=True):
            ahead = better[a] - better[b] if one.ranks is None else one.ranks.share[a, b] - 0.5
            beats[a, b], beats[b, a] = found and ahead > 0, found and ahead < 0
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
            limit = float(own.thresholds[i])
            found = bool(significant[i])
            limits = NOTHING
            if least[i] < own.errors[i]:
                shown = found if facts.intervals_agree else None
                limits = _interval(one, plan, units, pairs[i], float(own.errors[i]), shown, i)
            tests.append(
                Pair(
                    **pair,
                    low=limits.low,
                    high=limits.high,
                    p_adjusted=float(own.adjusted[i]),
                    significant=found,
                    margin=_within(margins[m], pair["delta"], one.errors[i], plan, facts, one.measured),
                    **_would_show(one, plan, pairs[i], limit if least[i] < limit else 0.0, i),
                )
            )
    ordered = tuple(results[key] for key in sorted(results))
    beside = [
        (
            [(p.a, p.b, p.margin) for p in tests if p.margin and p.metric == one.metric],
            one.label,
            one.decimals,
        )
        for one in measured
    ]
    said = margin_claims(*beside) + claims(
        ordered,
        tests,
        facts,
        units=units.count if crossed is None else crossed.fewest,
        least_p=min(least, default=0.0),
        documents=len(set(labels["document"])) if "document" in labels and not by else None,
        identical=[
            (systems[a], systems[b]) for a, b in pairs if _same_rows(measured, systems[a], systems[b])
        ],
        scope=scope if not by else "the segments of " + ", ".join(f"{k} {v}" for k, v in by.items()),
        caveats=caveats and not by,
    )
    return Group(by=by, segments=length, results=ordered, pairs=tuple(tests), claims=said)


def _within(
    margin: float | None,
    delta: float,
    error: tuple[float, float],
    plan: Plan,
    facts: TestFacts,
    measured: Measured,
) -> Equivalence | None:
    """A pair beside the margin that was given; a metric's own direction is turned so that positive is better."""
    if margin is None:
        return None
    direction = -1.0 if measured.higher_is_better is False else 1.0
    tests = 1 if plan.correction == "none" else facts.comparisons
    return within_margin(direction * delta, *error, margin, alpha=plan.alpha, tests=tests)


def _interval(
    one: _Tested,
    plan: Plan,
    units: Units,
    pair: tuple[int, int],
    error: float,
    significant: bool | None,
    number: int,
) -> Interval:
    """The interval of a difference at its corrected level; where it is to say what the test says, `significant`."""
    if not units.vary:  # all resamples are the same, which shows nothing
        return NOTHING
    a, b = pair
    delta = float(one.scores[a] - one.scores[b])
    if one.clustered:
        reach = one.clustered[number].reach(error)
        interval = Interval(delta - reach, delta + reach)
        return interval if significant is None else agreeing(interval, delta, significant=significant)
    if plan.interval != "test" or plan.ranks:
        drawn = one.resampled[:, a] - one.resampled[:, b]
        return between(delta, drawn, error, basic=plan.interval == "basic")
    drawn = one.drawn[:, a] - one.drawn[:, b]
    if plan.method == "bootstrap":
        interval = about(delta, drawn, error, units.count)
    else:
        interval = between(delta, drawn, error)
    return interval if significant is None else agreeing(interval, delta, significant=significant)


TIED = 0.001
"""By how much ties must make the variance of ranks smaller to be thought of."""
Tick = Callable[[int, int], None]
"""Called with how much of a test is done, and of how much."""


def _nobody(done: int, steps: int) -> None:
    """Nobody wants to know."""


@dataclass(frozen=True)
class _Tested:
    """One metric's differences before correction."""

    measured: Measured
    scores: NDArray[np.float64]
    resampled: NDArray[np.float64]
    drawn: NDArray[np.float64]
    """Scores that the intervals of the test are made of: on halves of the units, or on resamples."""
    standings: list[dict[str, Any]]
    p_values: list[float]
    deviations: list[float]
    units: list[float]
    """How many units stand behind each deviation."""
    errors: list[tuple[float, float]]
    """The standard error of every difference, other runs of training included, and how many units it is worth."""
    pairs: list[dict[str, Any]]
    ranks: PairTests | None
    """What a test of ranks found."""
    on_segments: NDArray[np.float64]
    """Scores of every system on every segment."""
    clustered: Sequence[Clustered] = ()
    """Differences of pairs, where units are of two kinds."""


def _would_show(
    tested: _Tested, plan: Plan, pair: tuple[int, int], alpha: float, number: int
) -> dict[str, Any]:
    """What a pair would have shown with 80 % power, in the units of what was tested; nothing at an alpha of 0."""
    # Late: commands that test nothing start faster without scipy.
    from adjudge.stats.power import detectable_difference, detectable_share

    ranks, sides = tested.ranks, plan.sides
    if ranks is None:
        deviation = tested.deviations[number] if alpha else math.nan
        return {
            "detectable": detectable_difference(deviation, alpha, sides=sides, units=tested.units[number])
        }
    counts = float(ranks.counts[pair]), float(ranks.counts[pair[::-1]])
    found = math.nan
    # A rank-sum test of systems that share their segments finds more or less, by how much these have in common.
    if alpha and (plan.method != "rank-sum" or _apart(ranks, pair)):
        levels = None
        if ranks.ties[pair] > TIED:
            there = tested.on_segments[list(pair)]
            levels = np.unique(there[~np.isnan(there)], return_counts=True)[1].astype(np.float64)
            levels = levels if tested.measured.higher_is_better is not False else levels[::-1]
        found = detectable_share(plan.method, counts, alpha, sides=sides, levels=levels)
    return {"detectable": math.nan, "share": float(ranks.share[pair]), "detectable_share": found}


def _apart(ranks: PairTests, pair: tuple[int, int]) -> bool:
    """Whether two systems were scored on segments of their own, but for some."""
    from adjudge.stats.power import MOST_SHARED  # late, as above

    fewer = min(ranks.counts[pair], ranks.counts[pair[::-1]])
    return bool(ranks.segments[pair] <= MOST_SHARED * fewer)


def _test(
    measured: Measured,
    plan: Plan,
    pairs: Sequence[tuple[int, int]],
    units: Units,
    crossed: Crossed | None,
    segments: NDArray[np.intp] | None,
    threads: int,
    tick: Tick,
) -> _Tested:
    rows = [
        tuple(run if segments is None else run[segments] for run in runs) for runs in measured.rows.values()
    ]
    assert plan.resamples is not None
    shared: dict[str, Any] = {"seed": plan.seed, "units": units, "threads": threads}
    flat = [run for runs in rows for run in runs]
    if crossed is not None:
        again = Resampled.of(rows, measured.aggregate, crossed.drawn(flat, plan.resamples, plan.seed))
    else:
        again = resample(rows, measured.aggregate, resamples=plan.resamples, sampling=plan.sampling, **shared)
    scores, resampled = again.scores, again.resampled
    standings = [_standing(measured, system, again, s, plan, units) for s, system in enumerate(measured.rows)]
    ranks = _rank_tests(measured, plan, rows, threads) if plan.ranks else None
    clustered: list[Clustered] = []
    if crossed is not None:
        standings = [
            {**one, **_limits(crossed.mean(run), plan)} for one, run in zip(standings, flat, strict=True)
        ]
        clustered = [crossed.difference(flat[a], flat[b]) for a, b in pairs]
        p_values, drawn = _clustered_p_values(measured, plan, clustered), resampled
    elif ranks is not None:
        p_values, drawn = _rank_p_values(measured, plan, ranks, scores, pairs), resampled
    else:
        assert plan.trials is not None
        tests = pairwise_tests(
            rows,
            measured.aggregate,
            pairs,
            method=plan.method,
            trials=plan.trials,
            higher_is_better=measured.higher_is_better is not False,
            one_sided=plan.alternative == "one-sided",
            decided=partial(_cannot_be_significant, plan),
            resampled=again,
            tick=tick,
            **shared,
        )
        p_values, drawn = tests.p_values, tests.drawn
    names, direction = list(measured.rows), -1.0 if measured.higher_is_better is False else 1.0
    on_segments = [np.mean([measured.segment_scores(run) for run in runs], axis=0) for runs in rows]
    near = _slack(np.array(on_segments))
    found, deviations, counts, errors = [], [], [], []
    for number, ((a, b), p) in enumerate(zip(pairs, p_values, strict=True)):
        delta, differences = float(scores[a] - scores[b]), resampled[:, a] - resampled[:, b]
        slack = resampling.tolerance(scores[a], scores[b])
        count: float = units.count
        deviation = _estimate(delta, differences, plan, units).deviation
        if clustered:
            count, deviation = clustered[number].units, clustered[number].deviation
        deviation = deviation if deviation > slack else math.nan
        wins, ties, losses = resampling.outcomes(
            differences, higher_is_better=measured.higher_is_better is not False, slack=slack
        )
        ahead = direction * (on_segments[a] - on_segments[b])
        common = ~np.isnan(ahead)
        found.append(
            {
                "metric": measured.metric,
                "a": names[a],
                "b": names[b],
                "delta": delta,
                "p": p,
                "wins": wins,
                "ties": ties,
                "losses": losses,
                "effect": direction * delta / (deviation * math.sqrt(count)),
                "better_on": _share(ahead > near, common),
                "worse_on": _share(ahead < -near, common),
                "common": int(common.sum()),
            }
        )
        runs = [
            (float(np.std(again.run_scores[s], ddof=1)), len(rows[s])) for s in (a, b) if len(rows[s]) > 1
        ]
        runs += [(math.nan, 1) for s in (a, b) if runs and len(rows[s]) == 1]
        errors.append(error_over_runs(resampled_error(deviation, count), count, runs))
        # Runs that are exchanged vary as no resample of the segments does: what would show is not known.
        deviations.append(deviation if len(rows[a]) == len(rows[b]) == 1 else math.nan)
        counts.append(count)
    return _Tested(
        measured,
        scores,
        resampled,
        drawn,
        standings,
        p_values,
        deviations,
        counts,
        errors,
        found,
        ranks,
        np.array(on_segments),
        clustered,
    )


def _standing(
    measured: Measured, system: str, again: Resampled, number: int, plan: Plan, units: Units
) -> dict[str, Any]:
    run_scores = again.run_scores[number]
    runs = spread(run_scores, again.by_run[number])
    estimate = _estimate(runs.mean, again.resampled[:, number], plan, units)
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


def _estimate(score: float, scores: NDArray[np.float64], plan: Plan, units: Units) -> resampling.Estimate:
    if not units.vary:  # all resamples are the same, which shows nothing
        return resampling.Estimate(score, math.nan, math.nan, math.nan)
    kind = "percentile" if plan.interval == "test" else plan.interval
    return resampling.estimate(score, scores, interval=kind, level=plan.level)


def _cannot_be_significant(plan: Plan, lower: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Which pairs cannot be significant, their p being no smaller.

    With the pairs of other metrics Holm's correction only grows, but Benjamini and Hochberg's may become smaller.
    """
    correction = "none" if plan.correction == "bh" and plan.family == "all" else plan.correction
    return multiple.adjusted(lower, correction) >= plan.alpha


def _rank_tests(measured: Measured, plan: Plan, rows: Sequence[tuple[Rows, ...]], threads: int) -> PairTests:
    """Tests of the ranks of segment scores, where higher is better.

    A rank-sum test takes all that each system was judged on, which need not be the same segments.
    """
    on_segments = np.array([measured.segment_scores(runs[0]) for runs in rows])
    return all_pairs(
        _oriented(on_segments, measured),
        plan.method,
        alternative="two-sided" if plan.sides == 2 else "greater",
        common=False,
        rounding=_slack(on_segments),
        threads=threads,
    )


def _rank_p_values(
    measured: Measured,
    plan: Plan,
    ranks: PairTests,
    scores: NDArray[np.float64],
    pairs: Sequence[tuple[int, int]],
) -> list[float]:
    """P of every pair; systems that were never judged, or never on the same segments, show nothing."""
    better = _oriented(scores, measured)
    turn = plan.alternative == "better-score"
    p = [ranks.p[b, a] if turn and better[b] > better[a] else ranks.p[a, b] for a, b in pairs]
    return [1.0 if math.isnan(value) else float(value) for value in p]


def _limits(clustered: Clustered, plan: Plan) -> dict[str, float]:
    """How sure a score is, where units are of two kinds."""
    reach = clustered.reach(1 - plan.level)
    return {
        "low": clustered.value - reach,
        "high": clustered.value + reach,
        "deviation": clustered.deviation,
    }


def _clustered_p_values(measured: Measured, plan: Plan, clustered: Sequence[Clustered]) -> list[float]:
    direction = -1.0 if measured.higher_is_better is False else 1.0
    turned = [replace(one, value=direction * one.value) for one in clustered]
    return [one.p_value(one_sided=plan.sides == 1) for one in turned]


def _least_p(plan: Plan, units: Units, crossed: Crossed | None, measured: Measured, a: str, b: str) -> float:
    """The smallest p that so few units allow, however large a difference is; 0 where it is not theirs to limit."""
    if crossed is not None:
        return 0.0 if crossed.enough else 1.0
    if plan.ranks:
        return 0.0
    if plan.method == "bootstrap":
        return 0.0 if units.vary else 1.0
    several = len(measured.rows[a]) > 1 or len(measured.rows[b]) > 1  # runs can change places as well
    return 0.0 if several else resampling.least_randomised_p(units.count, plan.sides)


def _same_rows(measured: Sequence[Measured], a: str, b: str) -> bool:
    return all(
        len(one.rows[a]) == len(one.rows[b]) and all(map(np.array_equal, one.rows[a], one.rows[b]))
        for one in measured
    )


def _slack(on_segments: NDArray[np.float64]) -> float:
    """How far segment scores may lie apart and still be the same, added up in another order."""
    there = on_segments[np.isfinite(on_segments)]
    return resampling.tolerance(float(np.abs(there).max(initial=0.0)))


def _share(found: NDArray[np.bool_], among: NDArray[np.bool_]) -> float:
    return float(found.sum() / among.sum()) if among.any() else math.nan


def _oriented(scores: NDArray[np.float64], measured: Measured) -> NDArray[np.float64]:
    return -scores if measured.higher_is_better is False else scores
