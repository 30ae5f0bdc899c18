"""Every pair of systems tested on the same segments, by every metric."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from adjudge.evaluate.claims import claims
from adjudge.evaluate.comparison import Group, Measured, Pair, Standing, TestFacts
from adjudge.evaluate.groups import label_column
from adjudge.evaluate.margin_claims import margin_claims
from adjudge.evaluate.metric_tests import MetricTests, nobody, oriented, tests_by
from adjudge.evaluate.plan import Plan
from adjudge.evaluate.scoring import Progress
from adjudge.stats import multiple, resampling
from adjudge.stats.clusters import Placement, placements, rank_intervals
from adjudge.stats.crossed import Crossed
from adjudge.stats.equivalence import Equivalence, within_margin
from adjudge.stats.intervals import NOTHING, Interval, about, agreeing, between
from adjudge.stats.ranktests import PairTests
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
        tick = partial(progress, f"testing {seen.label}{what}") if progress else nobody
        tested.append(tests_by(seen, plan, pairs, units, crossed, segments, threads, tick))
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
        better = oriented(one.scores, one.measured)
        beats = np.zeros((len(systems), len(systems)), dtype=bool)
        for (a, b), found in zip(pairs, significant, strict=True):
            ahead = better[a] - better[b] if one.ranks is None else one.ranks.share[a, b] - 0.5
            beats[a, b], beats[b, a] = found and ahead > 0, found and ahead < 0
        placed: Sequence[Placement | None] = [None] * len(systems)
        intervals: Sequence[tuple[int, int] | None] = [None] * len(systems)
        if one.measured.higher_is_better is not None:
            intervals = rank_intervals(oriented(one.resampled, one.measured), plan.level)
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
    one: MetricTests,
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


def _would_show(
    tested: MetricTests, plan: Plan, pair: tuple[int, int], alpha: float, number: int
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
