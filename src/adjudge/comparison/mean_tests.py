"""Test sets that are compared, and one measure over several: intervals, tests of means, corrected; a study's tables.

The mean over test sets (macro average) counts each set alike, however long it is. Intervals and tests draw within each
set, so that they hold for other texts of the same kinds, not for other kinds of texts.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from adjudge.comparison.groups import label_column
from adjudge.comparison.metric_tests import cannot_be_significant
from adjudge.comparison.plan import Plan
from adjudge.comparison.results import Measured, MeasureTable, Pair, Rows, SetGroup, SetScore, Standing
from adjudge.comparison.scoring import Progress
from adjudge.comparison.testing import beaten, ignored_documents, least_p
from adjudge.data import Outputs, TestSet
from adjudge.errors import UsageError
from adjudge.stats import multiple
from adjudge.stats.clusters import placements
from adjudge.stats.crossed import Clustered
from adjudge.stats.design import AUTO, LANGUAGE_PAIR, Design, Grouping, grouped_error, join_designs
from adjudge.stats.equivalence import Equivalence, resampled_error, within_margin
from adjudge.stats.intervals import NOTHING, about, agreeing
from adjudge.stats.macro import (
    MacroPairs,
    SetRows,
    SetScores,
    macro_clustered,
    macro_pairs,
    set_scores,
)
from adjudge.stats.resampling import estimate
from adjudge.stats.significance import significant
from adjudge.stats.tests.systems import DEFAULT
from adjudge.stats.tests.systems.base import TestOptions
from adjudge.stats.units import Units, labels_at, numbered

if TYPE_CHECKING:
    from adjudge.data.judgements import Judgements
    from adjudge.stats.crossed import Crossed
    from adjudge.stats.design import Design

Floats = NDArray[np.float64]
FEWEST_RESAMPLES = 100
"""Below so many there is no interval of a difference: its ends would be those of chance."""


@dataclass(frozen=True, eq=False)
class SetMeasure:
    """One measure on one test set, and the labels of its segments."""

    measured: Measured
    labels: Mapping[str, Sequence[str]]
    is_metric: bool = True
    by_people: bool = False
    design: Design | None = None
    """Who gave its scores, for where annotators are not drawn."""
    parts: JudgedParts | None = None
    """The judgements behind them, where annotators can be drawn."""


Column = Mapping[str, SetMeasure]
"""One measure by test set, without those that do not have it."""


SetPlaces = tuple[str, str, list[int]]
"""By what, its name, and the places of its test sets."""


def seed_of(seed: int, name: str) -> int:
    """Another seed for each test set: what is drawn in one says nothing of the others."""
    return int.from_bytes(hashlib.sha256(f"{seed} {name}".encode()).digest()[:8])


def study_groups(material: Sequence[StudyMaterial], names: Sequence[str]) -> list[SetPlaces]:
    """All of these sets, and those of each language pair and domain where there are several, by their places."""
    known = {own.name: own for own in material}
    groups: list[SetPlaces] = [("all", "all", list(range(len(names))))]
    for by in ("language", "domain"):
        values = [getattr(known[name], by) for name in names]
        present = list(dict.fromkeys(filter(None, values)))
        if len(present) > 1:
            groups += [(by, value, [i for i, own in enumerate(values) if own == value]) for value in present]
    return groups


@dataclass(frozen=True, eq=False)
class MeanTests:
    """One measure with all that was drawn, before anything is corrected."""

    names: tuple[str, ...]
    """The test sets that have it."""
    every: tuple[str, ...]
    measured: Mapping[str, Measured]
    is_metric: bool
    by_people: bool
    systems: tuple[str, ...]
    pairs: Sequence[tuple[int, int]]
    plan: Plan
    rows: Sequence[SetRows]
    scores: Sequence[SetScores]
    groups: Sequence[SetPlaces]
    means: Sequence[MacroPairs]
    threads: int
    designs: Mapping[str, Design]
    """By test set."""
    p_values: Sequence[Floats] = ()
    """A group each."""
    clustered: Sequence[Sequence[Clustered]] = ()
    """A group and a pair each, where units of two kinds are drawn."""

    @classmethod
    def of(
        cls,
        column: Column,
        material: Sequence[StudyMaterial],
        systems: Sequence[str],
        pairs: Sequence[tuple[int, int]],
        plan: Plan,
        threads: int,
        progress: Progress | None,
        groups: Sequence[SetPlaces] = (),
    ) -> MeanTests:
        """Scores of all sets on resamples, and mean differences of all groups."""
        names = tuple(own.name for own in material if own.name in column)
        rows, scores, designs = [], [], {}
        for place, name in enumerate(names):
            if progress:
                progress(f"intervals of {column[name].measured.label} on {name}", place, len(names))
            seen, designs[name] = _set_rows(name, column[name], systems, pairs, plan)
            rows.append(seen)
            assert plan.resamples is not None
            scores.append(
                set_scores(
                    rows[-1],
                    len(systems),
                    resamples=plan.resamples,
                    sampling=plan.sampling,
                    threads=threads,
                )
            )
        groups = groups or study_groups(material, names)
        means = [
            macro_pairs([scores[i] for i in places], [rows[i] for i in places], pairs)
            for _, _, places in groups
        ]
        return cls(
            names,
            tuple(own.name for own in material),
            {name: own.measured for name, own in column.items()},
            all(own.is_metric for own in column.values()),
            all(own.by_people for own in column.values()),
            tuple(systems),
            pairs,
            plan,
            rows,
            scores,
            groups,
            means,
            threads,
            designs,
        )

    def tested(self, progress: Progress | None) -> MeanTests:
        """All that was drawn, with the p of every pair in every group."""
        if any(rows.crossed is not None for rows in self.rows):
            clustered = [
                macro_clustered(
                    [self.scores[i] for i in places], [self.rows[i] for i in places], means, self.pairs
                )
                for (_, _, places), means in zip(self.groups, self.means, strict=True)
            ]
            p_values = [
                np.array([pair.p() if not math.isnan(pair.value) else math.nan for pair in own])
                for own in clustered
            ]
            return replace(self, p_values=p_values, clustered=clustered)
        label = self.first.label

        def tick(done: int, steps: int) -> None:
            if progress:
                progress(f"testing {label}", done, steps)

        decided = partial(cannot_be_significant, self.plan)
        p_values = self.plan.system_test.over_sets(
            self.rows,
            [places for _, _, places in self.groups],
            self.means,
            self.pairs,
            TestOptions(self.plan.trials, self.plan.seed, decided=decided, threads=self.threads, tick=tick),
        )
        return replace(self, p_values=p_values)

    @property
    def first(self) -> Measured:
        """The measure as the first set has it: its name, its direction."""
        return self.measured[self.names[0]]

    @property
    def direction(self) -> float:
        """1 where higher is better."""
        return -1.0 if self.first.higher_is_better is False else 1.0


def _set_rows(
    name: str, own: SetMeasure, systems: Sequence[str], pairs: Sequence[tuple[int, int]], plan: Plan
) -> tuple[SetRows, Design]:
    """The rows of a set by one measure, and what of it is drawn."""
    rows, labels = (own.measured.rows, own.labels) if own.is_metric else _judged(own)
    length = len(next(iter(rows.values()))[0])
    crossed = own.parts if plan.unit == AUTO and plan.test == DEFAULT and not plan.strata else None
    plan, reason = plan.resolved(labels, length)
    try:
        columns = {
            label: label_column(labels, label, "draw by")
            for label in (plan.unit, plan.strata)
            if label is not None and label != "segment"
        }
    except UsageError as error:
        raise UsageError(f"test set {name}, {own.measured.label}: {error}") from None
    units = Units.of(length, columns.get(plan.unit), columns.get(plan.strata or ""))
    places = {i: rows[system] for i, system in enumerate(systems) if system in rows}
    tested = [(systems[a], systems[b]) for a, b in pairs if a in places and b in places]
    seen = SetRows(places, own.measured.aggregate, units, seed_of(plan.seed, name))
    if crossed is not None:
        parts = {i: crossed.rows[systems[i]] for i in places}
        return replace(seen, crossed=crossed.crossed, parts=parts), crossed.design
    own = replace(own, measured=replace(own.measured, rows=rows), labels=labels)
    return seen, _design(own, units, plan, reason, tested)


def _judged(own: SetMeasure) -> tuple[Mapping[str, tuple[Rows, ...]], Mapping[str, Sequence[str]]]:
    """The rows and labels of segments that have a score; people need not have judged them all."""
    rows = own.measured.rows
    which = np.flatnonzero(np.any([run[:, 1] > 0 for runs in rows.values() for run in runs], axis=0))
    judged = {system: tuple(run[which] for run in runs) for system, runs in rows.items()}
    return judged, {name: labels_at(column, which) for name, column in own.labels.items()}


def _design(
    own: SetMeasure, units: Units, plan: Plan, reason: str, tested: Sequence[tuple[str, str]]
) -> Design:
    """What is drawn of a set, with all that belongs together and is not."""
    least = [least_p(plan, units, None, own.measured, a, b) for a, b in tested]
    further = own.design or Design(plan.unit, units.count)
    return replace(
        further,
        unit=plan.unit,
        units=units.count,
        reason=reason,
        groupings=(
            *ignored_documents(plan.unit, own.labels, [own.measured], tested),
            *further.groupings,
        ),
        smallest_p=min(least, default=0.0),
    )


def mean_tables(
    drawn: Sequence[MeanTests], margins: Sequence[float | None], others: Sequence[Sequence[float]] = ()
) -> tuple[MeasureTable, ...]:
    """Pairs corrected within a measure, or (family all) over all of them; groups by themselves.

    `others` are p-values of measures that were tested elsewhere and are corrected together with these.
    """
    by_group: dict[tuple[str, str], list[tuple[int, int]]] = {}
    for d, own in enumerate(drawn):
        for g, (by, name, _) in enumerate(own.groups):
            by_group.setdefault((by, name), []).append((d, g))
    corrected: dict[tuple[int, int], multiple.Corrected] = {}
    for places in by_group.values():
        p_values = [drawn[d].p_values[g] for d, g in places]
        plan = drawn[0].plan
        joint = multiple.corrected(
            [*([float(p) for p in own if not math.isnan(p)] for own in p_values), *others],
            alpha=plan.alpha,
            error=1 - plan.confidence,
            correction=plan.correction,
            family=plan.family,
        )
        corrected |= dict(zip(places, joint, strict=False))
    return tuple(
        _table(own, [corrected[d, g] for g in range(len(own.groups))], margins[d])
        for d, own in enumerate(drawn)
    )


def _table(own: MeanTests, corrected: Sequence[multiple.Corrected], margin: float | None) -> MeasureTable:
    first = own.first
    return MeasureTable(
        metric=first.metric,
        label=first.label,
        is_metric=own.is_metric,
        specs={name: seen.metric for name, seen in own.measured.items()},
        signatures={name: seen.signature for name, seen in own.measured.items()},
        higher_is_better=first.higher_is_better,
        decimals=first.decimals,
        scores=_set_table(own),
        groups=tuple(_group(own, g, corrected[g], margin) for g in range(len(own.groups))),
        designs=own.designs,
        by_people=own.by_people,
        design=_mean_design(own),
    )


def _mean_design(own: MeanTests) -> Design:
    """What the means over sets rest on: what is drawn in each, and the language pairs that they are of."""
    return join_designs([own.designs[name] for name in own.names], _language_pairs(own))


def _language_pairs(own: MeanTests) -> tuple[Grouping, ...]:
    """The language pairs of the sets, of which the mean is, with how much larger errors are by whole pairs."""
    known = {i: name for by, name, places in own.groups if by == "language" for i in places}
    if not known:
        return ()
    languages, count = numbered([known.get(i, f"\0{i}") for i in range(len(own.names))])
    means, effects = own.means[0], []
    for i, (a, b) in enumerate(own.pairs):
        apart = np.array([seen.scores[a] - seen.scores[b] for seen in own.scores])
        both = ~np.isnan(apart)
        deviation = float(np.std(means.resampled[:, i]))
        if len(set(languages[both])) > 1 and deviation > 0:
            shares = (apart[both] - apart[both].mean()) / both.sum()
            used = resampled_error(deviation, int(means.units[i]))
            effects.append(grouped_error(shares, numbered([str(c) for c in languages[both]])[0]) / used)
    return (Grouping(LANGUAGE_PAIR, count, float(np.median(effects)) if effects else math.nan, fixed=True),)


def _set_table(own: MeanTests) -> tuple[SetScore, ...]:
    places = {name: i for i, name in enumerate(own.names)}
    scores = []
    for name in own.every:
        for s, system in enumerate(own.systems):
            low = high = score = math.nan
            if name in places:
                seen = own.scores[places[name]]
                known = estimate(
                    float(seen.scores[s]),
                    seen.resampled[:, s],
                    interval=_kind(own.plan),
                    confidence=own.plan.confidence,
                )
                varies = own.rows[places[name]].units.vary
                score, low, high = known.score, *((known.low, known.high) if varies else (math.nan, math.nan))
            scores.append(SetScore(name, system, score, low, high))
    return tuple(scores)


def _kind(plan: Plan) -> str:
    return "percentile" if plan.interval == "test" else plan.interval


def _group(own: MeanTests, g: int, corrected: multiple.Corrected, margin: float | None) -> SetGroup:
    by, name, places = own.groups[g]
    pairs = _mean_pairs(own, g, corrected, margin)
    standings = []
    for s, system in enumerate(own.systems):
        missing = tuple(own.names[i] for i in places if math.isnan(own.scores[i].scores[s]))
        mean = low = high = math.nan
        if not missing:
            mean = float(np.mean([own.scores[i].scores[s] for i in places]))
            resampled = np.mean([own.scores[i].resampled[:, s] for i in places], axis=0)
            known = estimate(mean, resampled, interval=_kind(own.plan), confidence=own.plan.confidence)
            low, high = known.low, known.high
        standings.append(_standing(own, system, (mean, low, high), len(places) - len(missing), missing))
    return SetGroup(by, name, tuple(own.names[i] for i in places), _placed(own, standings, pairs), pairs)


def _standing(
    own: MeanTests, system: str, limits: tuple[float, float, float], sets: int, missing: tuple[str, ...]
) -> Standing:
    first = own.first
    return Standing(
        system,
        first.metric,
        first.label,
        *limits,
        deviation=math.nan,
        signature=first.signature,
        higher_is_better=first.higher_is_better,
        decimals=first.decimals,
        sets=sets,
        missing=missing,
    )


def _placed(own: MeanTests, standings: Sequence[Standing], pairs: Sequence[Pair]) -> tuple[Standing, ...]:
    """Standings with clusters, where every two systems were tested on the same sets."""
    whole = not any(standing.missing for standing in standings)
    if not whole or own.plan.baseline or own.first.higher_is_better is None or len(standings) < 2:
        return tuple(standings)
    ahead = [own.direction * pair.delta for pair in pairs]
    beats = beaten(len(standings), own.pairs, ahead, [pair.significant for pair in pairs])
    places = placements(own.direction * np.array([standing.score for standing in standings]), beats)
    return tuple(
        replace(standing, cluster=place.cluster) for standing, place in zip(standings, places, strict=True)
    )


def _mean_pairs(
    own: MeanTests, g: int, corrected: multiple.Corrected, margin: float | None
) -> tuple[Pair, ...]:
    means, (_, _, places) = own.means[g], own.groups[g]
    pairs, tested = [], 0
    for i, (a, b) in enumerate(own.pairs):
        names = own.first.metric, own.systems[a], own.systems[b]
        if not means.sets[i]:
            nan = math.nan
            pairs.append(Pair(*names, nan, nan, nan, nan, nan, sets=0))
            continue
        delta, adjusted = float(means.delta[i]), float(corrected.adjusted[tested])
        is_significant = significant(adjusted, own.plan.alpha)
        limits = NOTHING
        if own.clustered:
            limits = own.clustered[g][i].limits(float(corrected.errors[tested]))
        elif len(means.resampled) >= FEWEST_RESAMPLES:
            limits = about(delta, means.resampled[:, i], float(corrected.errors[tested]), int(means.units[i]))
        limits = agreeing(limits, delta, significant=is_significant)
        ahead = [
            own.direction * (own.scores[place].scores[a] - own.scores[place].scores[b]) for place in places
        ]
        pairs.append(
            Pair(
                *names,
                delta,
                limits.low,
                limits.high,
                float(own.p_values[g][i]),
                adjusted,
                significant=is_significant,
                margin=_within(own, g, i, margin),
                sets=int(means.sets[i]),
                sets_better=int(np.sum(np.greater(ahead, 0))),
                sets_worse=int(np.sum(np.less(ahead, 0))),
            )
        )
        tested += 1
    return tuple(pairs)


def _within(own: MeanTests, g: int, i: int, margin: float | None) -> Equivalence | None:
    """A pair beside the margin that was given, positive where the first is better."""
    if margin is None:
        return None
    means = own.means[g]
    plan, units = own.plan, float(means.units[i])
    known = means.resampled[~np.isnan(means.resampled[:, i]), i]
    deviation = float(known.std(ddof=1)) if len(known) > 1 else math.nan
    error = resampled_error(deviation, units)
    if own.clustered:
        error, units = own.clustered[g][i].error, own.clustered[g][i].units
    tests = 1 if plan.correction == "none" else len(own.pairs)
    delta, design = own.direction * float(means.delta[i]), _mean_design(own)
    return within_margin(delta, error, units, margin, design=design, alpha=plan.alpha, tests=tests)


@dataclass(frozen=True, eq=False)
class JudgedParts:
    """What every annotator said of every item, in rows whose weighted mean is the mean over translations."""

    crossed: Crossed
    rows: Mapping[str, Rows]
    """By system."""
    design: Design
    """Of documents or items and annotators, drawn together."""


@dataclass(frozen=True, eq=False)
class FurtherScores:
    """Scores of one test set that no metric made: people's, or a file's."""

    measured: Measured
    labels: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """Of its segments, which need not be all of the test set's."""
    design: Design | None = None
    """Who gave these scores, for where annotators are not drawn."""
    by_people: bool = False
    parts: JudgedParts | None = None
    """The judgements behind them, where annotators can be drawn."""


@dataclass(frozen=True, eq=False)
class StudyMaterial:
    """One test set of a study, and the outputs there are for it."""

    name: str
    test_set: TestSet
    outputs: tuple[Outputs, ...]
    language: str = ""
    domain: str = ""
    further: tuple[FurtherScores, ...] = ()
    rankings: Judgements | None = None
    """Rankings of its outputs, where people ranked them."""
