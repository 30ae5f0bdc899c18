"""One measure over several test sets: rows and units of each, means over groups of sets, and a study's tables."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from adjudge.comparison.plan import Plan, options_of_tests
from adjudge.comparison.results import Measured, MeasureTable, Rows, SetGroup, SetScore
from adjudge.comparison.scoring import Progress
from adjudge.comparison.study_material import SetMeasure, SetPlaces, StudyMaterial, study_groups
from adjudge.comparison.testing import (
    drawn_columns,
    finding_options,
    ignored_documents,
    results_of,
)
from adjudge.errors import UsageError
from adjudge.stats import multiple
from adjudge.stats.design import AUTO, LANGUAGE_PAIR, Design, Grouping, grouped_error, join_designs
from adjudge.stats.equivalence import resampled_error
from adjudge.stats.macro import MeanTests, SetRows, SetScores, mean_tests, score_limits, set_scores
from adjudge.stats.systems import least_p
from adjudge.stats.tests.systems import DEFAULT
from adjudge.stats.units import Units, labels_at, number_labels

Column = Mapping[str, SetMeasure]
"""One measure by test set, without those that do not have it."""


@dataclass(frozen=True, eq=False)
class StudyMeasure:
    """One measure on all test sets that have it, tested and not yet corrected."""

    column: Column
    names: tuple[str, ...]
    """The test sets that have it."""
    every: tuple[str, ...]
    systems: tuple[str, ...]
    plan: Plan
    scores: Sequence[SetScores]
    """By test set; `designs` as well."""
    rows: Sequence[SetRows]
    """By test set, what was drawn from."""
    designs: Mapping[str, Design]
    groups: Sequence[SetPlaces]
    tests: Sequence[MeanTests]
    """By group of test sets."""

    @property
    def first(self) -> Measured:
        """The measure as the first set has it: its name, its direction."""
        return self.column[self.names[0]].measured

    @property
    def is_metric(self) -> bool:
        """Whether it can be computed from texts."""
        return all(cell.is_metric for cell in self.column.values())

    def table(self, corrected: Sequence[multiple.Corrected], margin: float | None) -> MeasureTable:
        """All results by this measure."""
        first, column, design = self.first, self.column, self._mean_design()
        options = finding_options(first, self.plan, design, margin, len(self.tests[0].pairs))
        groups = []
        for (by, name, places), tests, correction in zip(self.groups, self.tests, corrected, strict=True):
            sets = tuple(self.names[place] for place in places)
            results, pairs = results_of(tests.findings(correction, options), first, self.systems, sets)
            groups.append(SetGroup(by, name, sets, results, pairs))
        return MeasureTable(
            metric=first.metric,
            label=first.label,
            is_metric=self.is_metric,
            specs={name: cell.measured.metric for name, cell in column.items()},
            signatures={name: cell.measured.signature for name, cell in column.items()},
            higher_is_better=first.higher_is_better,
            decimals=first.decimals,
            scores=tuple(self._set_scores()),
            groups=tuple(groups),
            designs=self.designs,
            by_people=all(cell.by_people for cell in column.values()),
            design=design,
        )

    def _set_scores(self) -> list[SetScore]:
        """Every system on every test set."""
        places, options = {name: i for i, name in enumerate(self.names)}, options_of_tests(self.plan)
        scores = []
        for name in self.every:
            for number, system in enumerate(self.systems):
                score = low = high = math.nan
                if name in places:
                    own, rows = self.scores[places[name]], self.rows[places[name]]
                    score = float(own.scores[number])
                    if rows.units.vary:  # otherwise all resamples are the same, which shows nothing
                        low, high = score_limits(score, own.resampled[:, number], options, [rows])
                scores.append(SetScore(name, system, score, low, high))
        return scores

    def _mean_design(self) -> Design:
        """What the means over sets rest on: what is drawn in each, and the language pairs that they are of."""
        return join_designs([self.designs[name] for name in self.names], self._language_pairs())

    def _language_pairs(self) -> tuple[Grouping, ...]:
        """The language pairs of the sets, of which the mean is, with how much larger errors are by whole pairs."""
        known = {i: name for by, name, places in self.groups if by == "language" for i in places}
        if not known:
            return ()
        languages, count = number_labels([known.get(i, f"\0{i}") for i in range(len(self.names))])
        means, effects = self.tests[0].means, []
        for i, (a, b) in enumerate(self.tests[0].pairs):
            apart = np.array([seen.scores[a] - seen.scores[b] for seen in self.scores])
            both = ~np.isnan(apart)
            deviation = float(np.std(means.resampled[:, i]))
            if len(set(languages[both])) > 1 and deviation > 0:
                shares = (apart[both] - apart[both].mean()) / both.sum()
                used = resampled_error(deviation, int(means.units[i]))
                of_pair = number_labels([str(code) for code in languages[both]])[0]
                effects.append(grouped_error(shares, of_pair) / used)
        effect = float(np.median(effects)) if effects else math.nan
        return (Grouping(LANGUAGE_PAIR, count, effect, fixed=True),)


def study_measure(
    column: Column,
    material: Sequence[StudyMaterial],
    systems: Sequence[str],
    pairs: Sequence[tuple[int, int]],
    plan: Plan,
    threads: int,
    progress: Progress | None,
    groups: Sequence[SetPlaces] = (),
) -> StudyMeasure:
    """Test every pair of systems by one measure in the mean over groups of test sets; usually those of the study."""
    having = [set_material for set_material in material if set_material.name in column]
    names = tuple(own.name for own in having)
    groups = groups or study_groups(having)
    label = column[names[0]].measured.label
    options = options_of_tests(plan, threads, partial(progress, f"testing {label}") if progress else None)
    rows, scores, designs = [], [], {}
    for place, name in enumerate(names):
        if progress:
            progress(f"intervals of {column[name].measured.label} on {name}", place, len(names))
        own, designs[name] = _set_rows(name, column[name], systems, pairs, plan)
        rows.append(own)
        scores.append(set_scores(own, len(systems), options))
    tests = mean_tests(
        plan.system_test,
        rows,
        scores,
        [places for _, _, places in groups],
        pairs,
        options,
        higher_is_better=column[names[0]].measured.higher_is_better is not False,
    )
    every = tuple(set_material.name for set_material in material)
    return StudyMeasure(column, names, every, tuple(systems), plan, scores, rows, designs, groups, tests)


def seed_of(seed: int, name: str) -> int:
    """Another seed for each test set: what is drawn in one says nothing of the others."""
    return int.from_bytes(hashlib.sha256(f"{seed} {name}".encode()).digest()[:8])


def _set_rows(
    name: str, own: SetMeasure, systems: Sequence[str], pairs: Sequence[tuple[int, int]], plan: Plan
) -> tuple[SetRows, Design]:
    """The rows of a set by one measure, and what of it is drawn."""
    rows, labels = (own.measured.rows, own.labels) if own.is_metric else _judged(own)
    length = len(next(iter(rows.values()))[0])
    crossed = own.parts if plan.unit == AUTO and plan.test == DEFAULT and not plan.strata else None
    plan, reason = plan.resolved(labels, length)
    try:
        columns = drawn_columns(plan, labels)
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


def _judged(set_measure: SetMeasure) -> tuple[Mapping[str, tuple[Rows, ...]], Mapping[str, Sequence[str]]]:
    """The rows and labels of segments that have a score; people need not have judged them all."""
    rows = set_measure.measured.rows
    which = np.flatnonzero(np.any([run[:, 1] > 0 for runs in rows.values() for run in runs], axis=0))
    judged = {system: tuple(run[which] for run in runs) for system, runs in rows.items()}
    return judged, {name: labels_at(column, which) for name, column in set_measure.labels.items()}


def _design(
    set_measure: SetMeasure, units: Units, plan: Plan, reason: str, tested: Sequence[tuple[str, str]]
) -> Design:
    """What is drawn of a set, with all that belongs together and is not."""
    rows, test = set_measure.measured.rows, plan.system_test
    least = [
        least_p(test, units, None, sides=plan.sides, several_runs=len(rows[a]) > 1 or len(rows[b]) > 1)
        for a, b in tested
    ]
    further = set_measure.design or Design(plan.unit, units.count)
    return replace(
        further,
        unit=plan.unit,
        units=units.count,
        reason=reason,
        groupings=(
            *ignored_documents(plan.unit, set_measure.labels, [set_measure.measured], tested),
            *further.groupings,
        ),
        smallest_p=min(least, default=0.0),
    )


def mean_tables(
    measures: Sequence[StudyMeasure],
    margins: Sequence[float | None],
    others: Sequence[Sequence[float]] = (),
) -> tuple[MeasureTable, ...]:
    """Pairs corrected within a measure, or (family all) over all of them; groups by themselves.

    `others` are p-values of measures that were tested elsewhere and are corrected together with these.
    """
    by_group: dict[tuple[str, str], list[tuple[int, int]]] = {}
    for m, own in enumerate(measures):
        for g, (by, name, _) in enumerate(own.groups):
            by_group.setdefault((by, name), []).append((m, g))
    corrected: dict[tuple[int, int], multiple.Corrected] = {}
    for places in by_group.values():
        plan = measures[0].plan
        joint = multiple.correct_p_values(
            [*(measures[m].tests[g].p_values for m, g in places), *others],
            alpha=plan.alpha,
            error=1 - plan.confidence,
            correction=plan.correction,
            family=plan.family,
        )
        corrected |= dict(zip(places, joint, strict=False))
    return tuple(
        own.table([corrected[m, g] for g in range(len(own.groups))], margin)
        for m, (own, margin) in enumerate(zip(measures, margins, strict=True))
    )
