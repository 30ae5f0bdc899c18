"""Systems tested by every measure, on one test set or in the mean over several, and what was found as results.

The mean over test sets (macro average) counts each set alike, however long it is. Intervals and tests draw within each
set, so that they hold for other texts of the same kinds, not for other kinds of texts.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
from numpy.typing import NDArray

from adjudge.comparison.claims import claims, margin_claims
from adjudge.comparison.groups import label_column
from adjudge.comparison.pairwise_view import PairwiseView
from adjudge.comparison.plan import Plan, options_of_tests
from adjudge.comparison.results import Measured, Pair, Rows, SegmentGroup, Standing, TestFacts
from adjudge.comparison.scoring import Progress
from adjudge.stats import multiple
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
from adjudge.stats.systems import (
    FindingOptions,
    Findings,
    PairFinding,
    PairStatistics,
    SystemTests,
    compare_systems,
)
from adjudge.stats.tests.systems.base import SystemRows
from adjudge.stats.units import BLOCK, Units, labels_at, number_labels


@dataclass(frozen=True)
class Question:
    """What is asked of all segments of a test set, and of every group of them alike."""

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


def tested_group(asked: Question, by: Mapping[str, str], segments: NDArray[np.intp] | None) -> SegmentGroup:
    """Standings, pairs and claims on some of the segments (None: all), corrected among themselves."""
    plan, facts, first = asked.plan, asked.facts, asked.measured[0]
    systems = list(first.rows)
    length = len(segments) if segments is not None else len(first.rows[systems[0]][0])
    margins = plan.margins([measured.metric for measured in asked.measured])
    tested = _tests(asked, by, segments, length)
    corrected = multiple.correct_p_values(
        [*(test.p_values for test in tested), *asked.others],
        alpha=plan.alpha,
        error=1 - plan.confidence,
        correction=plan.correction,
        family=plan.family,
    )
    design = _tested_design(asked, by, tested)
    findings = [
        tests.findings(correction, finding_options(measured, plan, design, margin, facts.comparisons, facts))
        for measured, tests, correction, margin in zip(
            asked.measured, tested, corrected, margins, strict=False
        )
    ]
    results = [
        results_of(finding, measured, systems)
        for measured, finding in zip(asked.measured, findings, strict=True)
    ]
    pairs = tuple(pair for _, of_metric in results for pair in of_metric)
    names = [(systems[a], systems[b]) for a, b in asked.pairs]
    distinct = design.units if design.unit == TEXT else _items(asked.measured[0], length)
    pairwise = PairwiseView(
        tuple(
            own
            for of_system in zip(*(standings for standings, _ in results), strict=True)
            for own in of_system
        ),
        pairs,
        facts,
        asked.scope if not by else "the segments of " + ", ".join(f"{k} {v}" for k, v in by.items()),
        frozenset(frozenset(two) for two in names if _same_rows(asked.measured, *two)),
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


def _tests(
    asked: Question, by: Mapping[str, str], segments: NDArray[np.intp] | None, length: int
) -> list[SystemTests]:
    """The tests by every measure, before anything is corrected."""
    units, crossed = _units(asked, segments, length)
    test, what, tested = (
        asked.plan.system_test,
        "".join(f", {name} {value}" for name, value in by.items()),
        [],
    )
    for measured in asked.measured:
        tick = partial(asked.progress, f"testing {measured.label}{what}") if asked.progress else None
        rows = rows_to_test(measured, asked.plan, asked.pairs, units, crossed, segments)
        tested.append(compare_systems(test, rows, options_of_tests(asked.plan, asked.threads, tick)))
    return tested


def rows_to_test(
    measured: Measured,
    plan: Plan,
    pairs: Sequence[tuple[int, int]],
    units: Units,
    crossed: Crossed | None = None,
    segments: NDArray[np.intp] | None = None,
) -> SystemRows:
    """All systems as a test takes them, by some of their segments (None: all)."""
    part = None
    if segments is not None:
        from adjudge.engine.spilling import some_rows  # late: few ask for groups of segments

        part = partial(some_rows, segments=segments)
    return SystemRows(
        list(measured.rows.values()),
        measured.aggregate,
        pairs,
        units,
        higher_is_better=measured.higher_is_better is not False,
        segment_scores=measured.segment_scores,
        is_mean=measured.is_mean,
        from_errors=measured.has_error(plan),
        crossed=crossed,
        items=measured.items,
        comparable=measured.comparable,
        item_scores=[measured.item_scores[name] for name in measured.rows] if measured.item_scores else (),
        part=part,
    )


def finding_options(
    measured: Measured,
    plan: Plan,
    design: Design,
    margin: float | None,
    tests: int,
    facts: TestFacts | None = None,
) -> FindingOptions:
    """How the pairs by one measure are decided, beside a margin with so many tests; without facts, as means are."""
    directed = measured.higher_is_better is not None
    agree = facts is None or facts.intervals_agree
    together = 1 if plan.correction == "none" else tests
    return FindingOptions(plan.alpha, design, margin, together, agree, directed, plan.baseline is None)


def results_of(
    findings: Findings, measured: Measured, systems: Sequence[str], sets: Sequence[str] = ()
) -> tuple[tuple[Standing, ...], tuple[Pair, ...]]:
    """What was found by one measure, with the names of systems, and of test sets where there are several."""
    standings = tuple(
        Standing(
            system,
            measured.metric,
            measured.label,
            own.score,
            own.low,
            own.high,
            own.deviation,
            measured.signature,
            measured.higher_is_better,
            measured.decimals,
            own.cluster,
            own.rank,
            own.rank_interval,
            runs=max(1, len(own.run_scores)),
            run_deviation=own.run_deviation,
            run_scores=own.run_scores if len(own.run_scores) > 1 else (),
            sets=own.sets,
            missing=tuple(sets[place] for place in own.missing),
        )
        for system, own in zip(systems, findings.systems, strict=True)
    )
    pairs = tuple(
        _pair((measured.metric, systems[a], systems[b]), difference, finding)
        for (a, b), difference, finding in zip(
            findings.pairs, findings.differences, findings.decided, strict=True
        )
    )
    return standings, pairs


def _pair(names: tuple[str, str, str], own: PairStatistics, finding: PairFinding | None) -> Pair:
    """Two systems by a metric, which stands before their names."""
    if finding is None:
        missing = math.nan
        return Pair(*names, missing, missing, missing, missing, missing, sets=0)
    return Pair(
        *names,
        own.delta,
        finding.interval.low,
        finding.interval.high,
        own.p,
        finding.p_adjusted,
        own.wins,
        own.ties,
        own.losses,
        finding.significant,
        own.effect,
        own.better_on,
        own.worse_on,
        finding.detectable,
        finding.share,
        finding.detectable_share,
        own.common,
        finding.equivalence,
        own.sets,
        own.sets_better,
        own.sets_worse,
    )


def _units(asked: Question, segments: NDArray[np.intp] | None, length: int) -> tuple[Units, Crossed | None]:
    """What is drawn; where it is of two kinds at once, their cells and how they lie across each other."""
    plan, columns = asked.plan, drawn_columns(asked.plan, asked.labels)
    if segments is not None:
        columns = {name: labels_at(column, segments) for name, column in columns.items()}
    if "," in plan.unit:
        crossed = Crossed.of(*(columns[name] for name in plan.unit.split(",")))
        return crossed.cells, crossed
    return Units.of(length, columns.get(plan.unit), columns.get(plan.strata or "")), None


def drawn_columns(plan: Plan, labels: Mapping[str, Sequence[str]]) -> dict[str, Sequence[str]]:
    """The labels that a plan draws by, with those of its strata."""
    names = [name for name in (*plan.unit.split(","), plan.strata) if name is not None and name != SEGMENT]
    return {name: label_column(labels, name, "draw by") for name in names}


def _tested_design(asked: Question, by: Mapping[str, str], tested: Sequence[SystemTests]) -> Design:
    """What is known of the data, with what was drawn and what else belongs together in it."""
    plan, known, first, tests = asked.plan, asked.design.groupings, asked.measured[0], tested[0]
    if not known and not by and DOCUMENT in asked.labels:
        systems = list(first.rows)
        names = [(systems[a], systems[b]) for a, b in asked.pairs]
        known = ignored_documents(plan.unit, asked.labels, asked.measured, names)
    if any(len(runs) > 1 for runs in first.rows.values()):
        known += (_training_runs(first, tested),)
    units, crossed = tests.rows.drawn, tests.rows.crossed
    return replace(
        asked.design,
        units=units.count if crossed is None else crossed.fewest,
        rarer=plan.unit if crossed is None else plan.unit.split(",")[crossed.rarer],
        smallest_p=min(map(tests.least_p, range(len(asked.pairs))), default=0.0),
        groupings=known,
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
    documents, count = number_labels(labels[DOCUMENT])
    if not 1 < count < len(documents):
        return ()
    drawn = None if unit == SEGMENT else number_labels(labels[TEXT])[0]
    differences = []
    for seen in measured:
        added = {s: influences(seen.rows[s][0], seen.aggregate) for p in pairs[:MOST_PAIRS] for s in p}
        differences += [added[a] - added[b] for a, b in pairs[:MOST_PAIRS]]
    return (Grouping(DOCUMENT, count, design_effect(differences, drawn, documents)),)


def _training_runs(measured: Measured, tested: Sequence[SystemTests]) -> Grouping:
    """The training runs of systems that have several, which no test draws; a single run shows nothing of others."""
    runs = sum(len(row) for row in measured.rows.values())
    effects = [difference.over_runs for test in tested for difference in test.differences]
    effect = float(np.median(effects)) if effects else math.nan
    return Grouping(RUN, runs, effect, fixed=math.isnan(effect))


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


def _same_rows(measured: Sequence[Measured], a: str, b: str) -> bool:
    """Whether two systems have the same rows by every metric."""
    runs = [(metric_rows.rows[a], metric_rows.rows[b]) for metric_rows in measured]
    return all(len(first) == len(second) and all(map(_equal, first, second)) for first, second in runs)


def _equal(a: Rows, b: Rows) -> bool:
    """Whether two systems have the same rows, of which not all need be in memory."""
    parts = [slice(start, start + BLOCK) for start in range(0, max(len(a), len(b)), BLOCK)]
    return a.shape == b.shape and all(np.array_equal(a[part], b[part]) for part in parts)
