"""Systems tested by every measure, on one test set or in the mean over several, and what was found as results.

The mean over test sets (macro average) counts each set alike, however long it is. Intervals and tests draw within each
set, so that they hold for other texts of the same kinds, not for other kinds of texts.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial

import numpy as np
from numpy.typing import NDArray

from adjudge.comparison.claims import claims, margin_claims
from adjudge.comparison.groups import label_column
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
from adjudge.stats.equivalence import within_margin
from adjudge.stats.intervals import NOTHING, agreeing
from adjudge.stats.significance import significant
from adjudge.stats.systems import MeasureTests, SystemTests, compare_systems, least_p
from adjudge.stats.units import BLOCK, Units, labels_at, numbered


@dataclass(frozen=True, eq=False)
class TestedMeasure:
    """One measure's tests, and what the results are to be called."""

    __test__ = False

    tests: MeasureTests
    measured: Measured
    systems: Sequence[str]
    plan: Plan
    design: Design
    margin: float | None = None
    together: int = 1
    """How many tests are corrected with each beside a margin."""
    agree: bool = True
    """Whether intervals leave out 0 where p is significant, and only there."""
    sets: Sequence[str] = ()
    """Names of the test sets, where there are several."""
    least: Sequence[float] = ()
    """The smallest p that the units allow each pair; none where they set no limit."""

    def pairs(self, corrected: multiple.Corrected) -> tuple[Pair, ...]:
        """The pairs, corrected."""
        pairs, place = [], 0
        for number, ((a, b), own) in enumerate(zip(self.tests.pairs, self.tests.differences, strict=True)):
            names = self.measured.metric, self.systems[a], self.systems[b]
            if not own.sets:
                pairs.append(Pair(*names, *[math.nan] * 5, sets=0))
                continue
            adjusted, limit, error = corrected.of(place)
            place += 1
            found = significant(adjusted, self.plan.alpha)
            least = self.least[number] if self.least else 0.0
            interval = self.tests.interval(number, error) if significant(least, error) else NOTHING
            if self.agree:
                interval = agreeing(interval, own.delta, significant=found)
            shown = self.tests.would_show(number, limit if significant(least, limit) else 0.0, self.design)
            pairs.append(
                Pair(
                    *names,
                    own.delta,
                    interval.low,
                    interval.high,
                    own.p,
                    adjusted,
                    own.wins,
                    own.ties,
                    own.losses,
                    found,
                    own.effect,
                    own.better_on,
                    own.worse_on,
                    **asdict(shown),
                    common=own.common,
                    margin=None
                    if self.margin is None
                    else within_margin(
                        self.tests.direction * own.delta,
                        *own.error,
                        self.margin,
                        design=self.design,
                        alpha=self.plan.alpha,
                        tests=self.together,
                    ),
                    sets=own.sets,
                    sets_better=own.sets_better,
                    sets_worse=own.sets_worse,
                )
            )
        return tuple(pairs)

    def standings(self, pairs: Sequence[Pair]) -> tuple[Standing, ...]:
        """The systems, with their places where a direction is better and all pairs were tested."""
        measured = self.measured
        standings = [
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
                runs=max(1, len(own.run_scores)),
                run_deviation=own.run_deviation,
                run_scores=own.run_scores if len(own.run_scores) > 1 else (),
                sets=own.sets,
                missing=tuple(self.sets[place] for place in own.missing),
            )
            for system, own in zip(self.systems, self.tests.systems(), strict=True)
        ]
        return tuple(self._placed(standings, pairs))

    def _placed(self, standings: list[Standing], pairs: Sequence[Pair]) -> list[Standing]:
        if self.measured.higher_is_better is None:
            return standings
        resampled = self.tests.rank_resamples
        if resampled is not None:
            intervals = rank_intervals(resampled, self.plan.confidence)
            standings = [replace(s, rank_interval=own) for s, own in zip(standings, intervals, strict=True)]
        lacking = any(standing.missing for standing in standings)
        if self.plan.baseline is not None or lacking or (self.sets and len(standings) < 2):
            return standings
        beats = np.zeros((len(standings), len(standings)), dtype=bool)
        for number, ((a, b), pair) in enumerate(zip(self.tests.pairs, pairs, strict=True)):
            ahead = self.tests.ahead(number)
            beats[a, b], beats[b, a] = pair.significant and ahead > 0, pair.significant and ahead < 0
        places = placements(self.tests.direction * np.array([own.score for own in standings]), beats)
        return [
            replace(own, cluster=place.cluster, rank=None if self.sets else place.rank)
            for own, place in zip(standings, places, strict=True)
        ]


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
    plan, first, facts = asked.plan, asked.measured[0], asked.facts
    systems = list(first.rows)
    length = len(segments) if segments is not None else len(first.rows[systems[0]][0])
    units, crossed = _units(asked, segments, length)
    least = [least_p_of(plan, units, crossed, first, systems[a], systems[b]) for a, b in asked.pairs]
    margins = plan.margins([measured.metric for measured in asked.measured])
    what = "".join(f", {name} {value}" for name, value in by.items())
    tested = []
    for measured in asked.measured:
        tick = partial(asked.progress, f"testing {measured.label}{what}") if asked.progress else None
        rows = measured.tested_rows(plan, asked.pairs, units, crossed, segments)
        tested.append(compare_systems(plan.system_test, rows, plan.test_options(asked.threads, tick)))
    corrected = multiple.corrected(
        [*(own.p_values for own in tested), *asked.others],
        alpha=plan.alpha,
        error=1 - plan.confidence,
        correction=plan.correction,
        family=plan.family,
    )
    design = _tested_design(asked, by, tested, units, crossed, least)
    together = 1 if plan.correction == "none" else facts.comparisons
    agree = facts.intervals_agree
    standings: list[tuple[Standing, ...]] = []
    pairs: list[Pair] = []
    for measured, tests, p_values, margin in zip(asked.measured, tested, corrected, margins, strict=False):
        own = TestedMeasure(tests, measured, systems, plan, design, margin, together, agree, (), least)
        pairs += (found := own.pairs(p_values))
        standings.append(own.standings(found))
    names = [(systems[a], systems[b]) for a, b in asked.pairs]
    distinct = design.units if design.unit == TEXT else length
    pairwise = PairwiseView(
        tuple(standing for of_system in zip(*standings, strict=True) for standing in of_system),
        tuple(pairs),
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


def least_p_of(
    plan: Plan, units: Units, crossed: Crossed | None, measured: Measured, a: str, b: str
) -> float:
    """The smallest p that so few units allow two systems."""
    several = len(measured.rows[a]) > 1 or len(measured.rows[b]) > 1
    return least_p(plan.system_test, units, crossed, sides=plan.sides, several_runs=several)


def _tested_design(
    asked: Question,
    by: Mapping[str, str],
    tested: Sequence[SystemTests],
    units: Units,
    crossed: Crossed | None,
    least: Sequence[float],
) -> Design:
    """What is known of the data, with what was drawn and what else belongs together in it."""
    plan, known, first = asked.plan, asked.design.groupings, asked.measured[0]
    if not known and not by and DOCUMENT in asked.labels:
        systems = list(first.rows)
        names = [(systems[a], systems[b]) for a, b in asked.pairs]
        known = ignored_documents(plan.unit, asked.labels, asked.measured, names)
    if any(len(runs) > 1 for runs in first.rows.values()):
        known += (_training_runs(first, tested),)
    return replace(
        asked.design,
        units=units.count if crossed is None else crossed.fewest,
        rarer=plan.unit if crossed is None else plan.unit.split(",")[crossed.rarer],
        smallest_p=min(least, default=0.0),
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
    documents, count = numbered(labels[DOCUMENT])
    if not 1 < count < len(documents):
        return ()
    drawn = None if unit == SEGMENT else numbered(labels[TEXT])[0]
    differences = []
    for seen in measured:
        added = {s: influences(seen.rows[s][0], seen.aggregate) for p in pairs[:MOST_PAIRS] for s in p}
        differences += [added[a] - added[b] for a, b in pairs[:MOST_PAIRS]]
    return (Grouping(DOCUMENT, count, design_effect(differences, drawn, documents)),)


def _training_runs(measured: Measured, tested: Sequence[SystemTests]) -> Grouping:
    """The training runs of systems that have several, which no test draws; a single run shows nothing of others."""
    runs = sum(len(own) for own in measured.rows.values())
    effects = [difference.over_runs for own in tested for difference in own.differences]
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
    runs = [(own.rows[a], own.rows[b]) for own in measured]
    return all(len(first) == len(second) and all(map(_equal, first, second)) for first, second in runs)


def _equal(a: Rows, b: Rows) -> bool:
    """Whether two systems have the same rows, of which not all need be in memory."""
    parts = [slice(start, start + BLOCK) for start in range(0, max(len(a), len(b)), BLOCK)]
    return a.shape == b.shape and all(np.array_equal(a[part], b[part]) for part in parts)
