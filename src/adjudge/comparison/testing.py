"""Every pair of systems tested on the same segments, by every metric."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from adjudge.comparison.claims import claims, margin_claims
from adjudge.comparison.groups import label_column
from adjudge.comparison.metric_tests import MetricTests, PairStatistics, nobody, oriented, tests_by
from adjudge.comparison.pairwise_view import PairwiseView
from adjudge.comparison.plan import Plan
from adjudge.comparison.results import Measured, Pair, Rows, SegmentGroup, Standing, TestFacts
from adjudge.comparison.scoring import Progress
from adjudge.stats import multiple
from adjudge.stats.clusters import placements, rank_intervals
from adjudge.stats.crossed import Crossed
from adjudge.stats.design import (
    DOCUMENT,
    RUN,
    SEGMENT,
    TEXT,
    Design,
    Grouping,
    design_effect,
    influences,
)
from adjudge.stats.equivalence import Equivalence, within_margin
from adjudge.stats.intervals import NOTHING, Interval, agreeing, between
from adjudge.stats.significance import significant
from adjudge.stats.units import BLOCK, Units, labels_at, numbered


@dataclass(frozen=True)
class Question:
    """What is asked of all segments and of every group of them alike."""

    measured: Sequence[Measured]
    labels: Mapping[str, Sequence[str]]
    plan: Plan
    facts: TestFacts
    pairs: Sequence[tuple[int, int]]
    """Who is tested against whom, by their places among the systems."""
    design: Design
    """What is known of the data before anything is tested."""
    scope: str = "this test set"
    caveats: bool = True
    threads: int = 0
    progress: Progress | None = None
    language: str = ""
    """The language pair or target language, where it is known."""
    others: Sequence[Sequence[float]] = ()
    """P-values of measures that are tested elsewhere and corrected together with these."""

    @property
    def systems(self) -> list[str]:
        """In the order of the rows."""
        return list(self.measured[0].rows)

    @property
    def names(self) -> list[tuple[str, str]]:
        """Who is tested against whom, by name."""
        return [(self.systems[a], self.systems[b]) for a, b in self.pairs]


def tested_group(asked: Question, by: Mapping[str, str], segments: NDArray[np.intp] | None) -> SegmentGroup:
    """Standings, pairs and claims on some of the segments (None: all), corrected among themselves."""
    plan, systems = asked.plan, asked.systems
    length = len(segments) if segments is not None else len(asked.measured[0].rows[systems[0]][0])
    units, crossed = _units(asked, segments, length)
    least = [least_p(plan, units, crossed, asked.measured[0], systems[a], systems[b]) for a, b in asked.pairs]
    margins = plan.margins([measurement.metric for measurement in asked.measured])
    what = "".join(f", {name} {value}" for name, value in by.items())
    tested = []
    for seen in asked.measured:
        tick = partial(asked.progress, f"testing {seen.label}{what}") if asked.progress else nobody
        of_metric = tests_by(
            seen, plan, asked.pairs, units, crossed, segments, asked.threads, tick, standings=True
        )
        tested.append(of_metric)
    corrected = multiple.corrected(
        [*(metric_tests.p_values for metric_tests in tested), *asked.others],
        alpha=plan.alpha,
        error=1 - plan.confidence,
        correction=plan.correction,
        family=plan.family,
    )
    design = _tested_design(asked, by, tested, units, crossed, least)
    standings: list[list[Standing]] = []
    pairs: list[Pair] = []
    for metric_tests, own, margin in zip(tested, corrected, margins, strict=False):
        standings.append(_placed(metric_tests, significant(own.adjusted, plan.alpha), asked))
        pairs += _pairs(metric_tests, own, replace(asked, design=design), units, least, margin)
    distinct = design.units if design.unit == TEXT else _items(asked.measured[0], length)
    pairwise = PairwiseView(
        tuple(standing for of_system in zip(*standings, strict=True) for standing in of_system),
        tuple(pairs),
        asked.facts,
        asked.scope if not by else "the segments of " + ", ".join(f"{k} {v}" for k, v in by.items()),
        frozenset(frozenset(names) for names in asked.names if _same_rows(asked.measured, *names)),
        asked.language,
        design.opinion,
        min((min(pair.common or distinct, distinct) for pair in pairs), default=distinct),
    )
    margins_claimed: tuple[str, ...] = ()
    if plan.margin is not None and not design.refusal:
        margins_claimed = _margin_claims(design, asked.measured, pairs)
    sentences = margins_claimed + claims(pairwise, design, caveats=asked.caveats and not by)
    return SegmentGroup(by, length, pairwise.results, pairwise.pairs, sentences, design, pairwise)


def _items(measured: Measured, length: int) -> int:
    """How many segments or items some system has a score on; rows may be parts of items."""
    if not measured.item_scores:
        return length
    return int((~np.isnan(list(measured.item_scores.values()))).any(0).sum())


def _tested_design(
    asked: Question,
    by: Mapping[str, str],
    tested: Sequence[MetricTests],
    units: Units,
    crossed: Crossed | None,
    least: Sequence[float],
) -> Design:
    """What is known of the data, with what was drawn and what else belongs together in it."""
    plan, known = asked.plan, asked.design.groupings
    if not known and not by and DOCUMENT in asked.labels:
        known = ignored_documents(plan.unit, asked.labels, asked.measured, asked.names)
    several_runs = any(len(runs) > 1 for runs in asked.measured[0].rows.values())
    return replace(
        asked.design,
        units=units.count if crossed is None else crossed.fewest,
        rarer=plan.unit if crossed is None else plan.unit.split(",")[crossed.rarer],
        smallest_p=min(least, default=0.0),
        groupings=known + (training_runs(asked.measured[0], tested) if several_runs else ()),
    )


MOST_PAIRS = 60
"""Of more pairs, a design effect is the median over these."""


def ignored_documents(
    unit: str,
    labels: Mapping[str, Sequence[str]],
    measured: Sequence[Measured],
    pairs: Sequence[tuple[str, str]],
) -> tuple[Grouping, ...]:
    """Documents, where they are labelled and segments were drawn one by one."""
    if unit not in (SEGMENT, TEXT) or DOCUMENT not in labels or not pairs:
        return ()
    documents, count = numbered(labels[DOCUMENT])
    if not 1 < count < len(documents):
        return ()
    drawn = None if unit == SEGMENT else numbered(labels[TEXT])[0]
    differences = []
    for seen in measured:
        added = {s: influences(seen.rows[s][0], seen.aggregate) for p in pairs[:MOST_PAIRS] for s in p}
        differences += [added[a] - added[b] for a, b in pairs[:MOST_PAIRS]]
    return (Grouping(DOCUMENT, count, design_effect(differences, drawn, documents)),)


def training_runs(measured: Measured, tested: Sequence[MetricTests]) -> tuple[Grouping, ...]:
    """The training runs of systems that have several, which no test draws; a single run shows nothing of others."""
    runs = sum(len(own) for own in measured.rows.values())
    effects = [difference.over_runs for own in tested for difference in own.differences]
    effect = float(np.median(effects)) if effects else math.nan
    return (Grouping(RUN, runs, effect, fixed=math.isnan(effect)),)


def _units(asked: Question, segments: NDArray[np.intp] | None, length: int) -> tuple[Units, Crossed | None]:
    """What is drawn; where it is of two kinds at once, their cells and how they lie across each other."""
    plan = asked.plan
    columns = {
        name: label_column(asked.labels, name, "draw by")
        for name in (*plan.unit.split(","), plan.strata)
        if name is not None and name != "segment"
    }
    if segments is not None:
        columns = {name: labels_at(column, segments) for name, column in columns.items()}
    if plan.crossed:
        crossed = Crossed.of(*(columns[name] for name in plan.unit.split(",")))
        return crossed.cells, crossed
    return Units.of(length, columns.get(plan.unit), columns.get(plan.strata or "")), None


def _placed(tested: MetricTests, significant: NDArray[np.bool_], asked: Question) -> list[Standing]:
    """The standings by one metric with their clusters and ranks, where a direction is better."""
    if tested.measured.higher_is_better is None:
        return list(tested.standings)
    better, number = oriented(tested.scores, tested.measured), len(tested.standings)
    direction = -1.0 if tested.measured.higher_is_better is False else 1.0
    ahead = [
        tested.outcome.ahead(pair, direction * difference.delta)
        for pair, difference in zip(asked.pairs, tested.differences, strict=True)
    ]
    beats = beaten(number, asked.pairs, ahead, significant)
    intervals = rank_intervals(oriented(tested.resampled, tested.measured), asked.plan.confidence)
    standings = [
        replace(standing, rank_interval=interval)
        for standing, interval in zip(tested.standings, intervals, strict=True)
    ]
    if asked.plan.baseline is not None:
        return standings
    return [
        replace(standing, cluster=place.cluster, rank=place.rank)
        for standing, place in zip(standings, placements(better, beats), strict=True)
    ]


def beaten(
    systems: int,
    pairs: Sequence[tuple[int, int]],
    ahead: Sequence[float],
    significant: Sequence[bool] | NDArray[np.bool_],
) -> NDArray[np.bool_]:
    """Systems × systems: which one is significantly better than which other one."""
    beats = np.zeros((systems, systems), dtype=bool)
    for (a, b), lead, apart in zip(pairs, ahead, significant, strict=True):
        beats[a, b], beats[b, a] = apart and lead > 0, apart and lead < 0
    return beats


def _pairs(
    tested: MetricTests,
    own: multiple.Corrected,
    asked: Question,
    units: Units,
    least: Sequence[float],
    margin: float | None,
) -> list[Pair]:
    """The pairs by one metric, corrected; `least` is the smallest p that the units allow each of them."""
    plan, systems, pairs = asked.plan, asked.systems, []
    for i, (pair, difference) in enumerate(zip(asked.pairs, tested.differences, strict=True)):
        limit, error = float(own.thresholds[i]), float(own.errors[i])
        is_significant = significant(float(own.adjusted[i]), plan.alpha)
        limits = NOTHING
        if significant(least[i], error):
            shown = is_significant if asked.facts.intervals_agree else None
            limits = _interval(tested, plan, units, pair, error, shown, i)
        pairs.append(
            Pair(
                metric=tested.measured.metric,
                a=systems[pair[0]],
                b=systems[pair[1]],
                delta=difference.delta,
                low=limits.low,
                high=limits.high,
                p=difference.p,
                p_adjusted=float(own.adjusted[i]),
                wins=difference.wins,
                ties=difference.ties,
                losses=difference.losses,
                significant=is_significant,
                effect=difference.effect,
                better_on=difference.better_on,
                worse_on=difference.worse_on,
                common=difference.common,
                margin=None if margin is None else _within(margin, difference, asked, tested.measured),
                **_would_show(tested, asked, pair, limit if significant(least[i], limit) else 0.0, i),
            )
        )
    return pairs


def _margin_claims(design: Design, measured: Sequence[Measured], pairs: Sequence[Pair]) -> tuple[str, ...]:
    return margin_claims(
        design,
        *(
            (
                [(p.a, p.b, p.margin) for p in pairs if p.margin and p.metric == measurement.metric],
                measurement.label,
                measurement.decimals,
            )
            for measurement in measured
        ),
    )


def _within(margin: float, difference: PairStatistics, asked: Question, measured: Measured) -> Equivalence:
    """A pair beside the margin that was given; a metric's own direction is turned so that positive is better."""
    direction = -1.0 if measured.higher_is_better is False else 1.0
    tests = 1 if asked.plan.correction == "none" else asked.facts.comparisons
    delta = direction * difference.delta
    return within_margin(
        delta, *difference.error, margin, design=asked.design, alpha=asked.plan.alpha, tests=tests
    )


def _interval(
    tested: MetricTests,
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
    if tested.by_pair:
        return _interval(tested.by_pair[number], plan, units, (0, 1), error, significant, 0)
    a, b = pair
    delta = float(tested.scores[a] - tested.scores[b])
    interval = None
    if tested.estimates:
        interval = tested.estimates[number].limits(error)
    elif plan.interval == "test":
        interval = plan.system_test.interval(tested.rows, tested.outcome, number, delta, error)
    if interval is None:
        drawn = tested.resampled[:, a] - tested.resampled[:, b]
        return between(delta, drawn, error, basic=plan.interval == "basic")
    return interval if significant is None else agreeing(interval, delta, significant=significant)


TIED = 0.001
"""By how much ties must make the variance of ranks smaller to be thought of."""


def _would_show(
    tested: MetricTests, asked: Question, pair: tuple[int, int], alpha: float, number: int
) -> dict[str, Any]:
    """What a pair would have shown with 80 % power, in the units of what was tested; nothing at an alpha of 0.

    It allows for what the design ignores; of ranks nothing is known there.
    """
    plan, ranks = asked.plan, tested.outcome.ranks
    if ranks is None:
        difference = tested.differences[number]
        deviation, units = asked.design.widened(difference.deviation, difference.units)
        # What a group that was not drawn is off at most is not known.
        farthest = math.nan if asked.design.ignored else difference.farthest
        allowed = replace(difference, deviation=deviation, units=units, farthest=farthest)
        return {"detectable": allowed.detectable(tested.measured, plan, alpha)}
    detectable = math.nan
    if alpha and not asked.design.ignored:
        levels = None
        if ranks.ties[pair] > TIED:
            on_pair = np.array([tested.on_segments.of(system) for system in pair])
            levels = np.unique(on_pair[~np.isnan(on_pair)], return_counts=True)[1].astype(np.float64)
            levels = levels if tested.measured.higher_is_better is not False else levels[::-1]
        detectable = plan.system_test.detectable_share(ranks, pair, alpha, sides=plan.sides, levels=levels)
    return {"detectable": math.nan, "share": float(ranks.share[pair]), "detectable_share": detectable}


def least_p(plan: Plan, units: Units, crossed: Crossed | None, measured: Measured, a: str, b: str) -> float:
    """The smallest p that so few units allow, however large a difference is; 0 where it is not theirs to limit."""
    several = len(measured.rows[a]) > 1 or len(measured.rows[b]) > 1
    enough = units.vary if crossed is None else crossed.enough
    return plan.system_test.smallest_p(units.count, sides=plan.sides, vary=enough, several_runs=several)


def _same_rows(measured: Sequence[Measured], a: str, b: str) -> bool:
    """Whether two systems have the same rows by every metric."""
    runs = [(own.rows[a], own.rows[b]) for own in measured]
    return all(len(first) == len(second) and all(map(_equal, first, second)) for first, second in runs)


def _equal(a: Rows, b: Rows) -> bool:
    """Whether two systems have the same rows, of which not all need be in memory."""
    parts = [slice(start, start + BLOCK) for start in range(0, max(len(a), len(b)), BLOCK)]
    return a.shape == b.shape and all(np.array_equal(a[part], b[part]) for part in parts)
