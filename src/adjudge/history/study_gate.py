"""A study against its earlier result: has any system become worse, in the mean over test sets or on one of them?"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from adjudge import workspace
from adjudge.comparison.groups import labels_of
from adjudge.comparison.measuring import measure
from adjudge.comparison.plan import Plan
from adjudge.comparison.results import Measured
from adjudge.comparison.scoring import Progress, facts_of
from adjudge.comparison.studies import checked_plan
from adjudge.comparison.study_results import StudyMaterial
from adjudge.comparison.study_tests import Draws, Group, SetMeasure
from adjudge.comparison.verdict import Difference, Evidence, Relation, Verdict, decide
from adjudge.errors import DataError, UsageError, unknown_name
from adjudge.history.gate import Outcome, check_gate_margin, trials_at, verdict_of
from adjudge.history.merge import Part, check_alike
from adjudge.history.study_stored import StoredStudy, stored_measures
from adjudge.metrics import metric as metric_of
from adjudge.stats import multiple
from adjudge.stats.design import Design
from adjudge.stats.looks import ONLY_LOOK, Look
from adjudge.stats.significance import significant

if TYPE_CHECKING:
    from adjudge.engine.cache import RowCache

MEAN = ""
"""The test set of a finding that is of the mean over all of them."""
MOST_TESTS = 500
"""Beyond so many tests, single test sets are not tested by themselves: nobody would wait for the trials."""


@dataclass(frozen=True)
class StudyFinding:
    """One system by one metric, in the mean over test sets or on one of them, beside its earlier result."""

    test_set: str
    """Empty for the mean."""
    sets: int
    system: str
    against: str
    metric: str
    label: str
    old: float
    new: float
    delta: float
    """new − old as scored."""
    p: float
    """Of this look alone."""
    p_adjusted: float
    """For all tests and looks together; NaN where a test set was not tested by itself."""
    significant: bool
    verdict: Outcome
    higher_is_better: bool | None
    decimals: int


@dataclass(frozen=True)
class StudyGate:
    """What a gate found, and whether it lets the study pass."""

    against: str
    """The file of the earlier result."""
    study: str
    sets: tuple[str, ...]
    findings: tuple[StudyFinding, ...]
    plan: Plan
    comparisons: int
    margin: float
    designs: Mapping[str, Design]
    """By test set, what was drawn and what else belongs together, by the first metric."""
    warnings: tuple[str, ...] = ()
    look: Look = ONLY_LOOK
    """Which look at the earlier result this is."""

    @property
    def passed(self) -> bool:
        """Whether no metric shows a significant drop of the margin or more."""
        return all(finding.verdict != "worse" for finding in self.findings)

    @property
    def verdicts(self) -> tuple[Verdict, ...]:
        """Of each system and its earlier result: which is better in the mean over test sets."""
        by_system: dict[str, list[Difference]] = {}
        for own in self.findings:
            if own.test_set == MEAN and own.higher_is_better is not None and not math.isnan(own.p_adjusted):
                by_system.setdefault(own.system, []).append(_difference(own, self.against))
        return tuple(decide(_evidence(own, self.plan)) for own in by_system.values())


def _difference(own: StudyFinding, path: str) -> Difference:
    """A finding as evidence; the earlier result goes under a name of its own."""
    earlier = f"{own.against} ({path})"
    ahead = own.system if (own.delta > 0) == own.higher_is_better else earlier
    return Difference(
        metric=own.metric,
        label=own.label,
        a=own.system,
        b=earlier,
        delta=own.delta,
        low=math.nan,
        high=math.nan,
        p=own.p_adjusted,
        ahead=ahead if own.delta else "",
        significant=own.significant,
        higher_is_better=own.higher_is_better is not False,
        decimals=own.decimals,
    )


def _evidence(differences: Sequence[Difference], plan: Plan) -> Evidence:
    first = differences[0]
    return Evidence(
        order=(first.a, first.b),
        relations={frozenset((first.a, first.b)): Relation(tuple(differences), alpha=plan.alpha)},
        measures=tuple(own.label for own in differences),
        alpha=plan.alpha,
        baseline=first.b,
    )


def gate_study(
    stored: StoredStudy,
    material: Sequence[StudyMaterial],
    metrics: Sequence[str] | None = None,
    plan: Plan | None = None,
    *,
    system: str | None = None,
    margin: float = 0.0,
    look: Look | None = None,
    threads: int = 0,
    cache: RowCache | None = None,
    progress: Progress | None = None,
) -> StudyGate:
    """Hold a study as it stands now against its earlier result, by the metrics of that result or some of them.

    Every system is held against the stored one of its name, or against `system`, on all test sets that both have. All
    means, test sets, systems and metrics are corrected together, for one verdict is made of them. A `look` spends its
    own share of alpha, as in `gate`.
    """
    plan, look = checked_plan(plan or Plan()), look or ONLY_LOOK
    look.check()
    check_gate_margin(margin)
    specs = _chosen(stored, metrics)
    before = stored_measures(stored)
    shared, warnings = _shared_sets(stored, material)
    pairs, new_only = _counterparts(stored, shared, system)
    warnings += new_only
    columns = _Columns(stored, before, pairs, threads, cache)
    with workspace.use(workspace.changed(named_by_file=True)):
        by_metric, more = columns.beside(shared, specs, progress)
    drawn, comparisons, plan = _drawn(by_metric, shared, pairs, plan, look, threads, progress)
    if len(shared) > 1 and len(drawn[0].groups) == 1:
        warnings.append(
            f"{len(shared)} test sets are too many to be tested one by one ({MOST_TESTS} tests at most): only the mean "
            "over all of them was"
        )
    return StudyGate(
        stored.path,
        stored.name,
        tuple(own.name for own in shared),
        _findings(drawn, pairs, plan, margin, look),
        plan,
        comparisons,
        margin,
        drawn[0].designs,
        tuple(dict.fromkeys([*warnings, *more])),
        look,
    )


def _chosen(stored: StoredStudy, metrics: Sequence[str] | None) -> list[str]:
    known = list(stored.arguments.metrics)
    specs = list(dict.fromkeys(metrics)) if metrics else known
    for spec in specs:
        if metric_of(spec).spec not in [metric_of(own).spec for own in known]:
            raise unknown_name(f"metric in {stored.path}", spec, known)
    return specs


def _shared_sets(
    stored: StoredStudy, material: Sequence[StudyMaterial]
) -> tuple[list[StudyMaterial], list[str]]:
    """The test sets that both have, and what is to be said of the others."""
    now = {own.name: own for own in material if own.outputs}
    warnings = [
        f"test set {name} is new: there is nothing to hold it against"
        for name in now
        if name not in stored.facts
    ]
    warnings += [
        f"test set {name} is in {stored.path}, but has no output now"
        for name in stored.facts
        if name not in now
    ]
    shared = [own for name, own in now.items() if name in stored.facts]
    if not shared:
        raise DataError(f"no test set of the study is in {stored.path}: {', '.join(stored.facts)}")
    return shared, warnings


def _counterparts(
    stored: StoredStudy, shared: Sequence[StudyMaterial], wanted: str | None
) -> tuple[dict[str, str], list[str]]:
    """Of every system the stored one that it is held against."""
    systems = list(dict.fromkeys(output.system for own in shared for output in own.outputs))
    known = stored.systems
    if wanted is not None:
        if wanted not in known:
            raise unknown_name(f"system in {stored.path}", wanted, known)
        return dict.fromkeys(systems, wanted), []
    pairs = {name: name for name in systems if name in known}
    if not pairs:
        raise UsageError(
            f"{stored.path} has none of these systems ({', '.join(systems)}), but {', '.join(known)}; say which one to "
            "hold them against: --system NAME"
        )
    return pairs, [
        f"{name} is not in {stored.path}, and so it was not held against anything"
        for name in systems
        if name not in pairs
    ]


@dataclass(frozen=True, eq=False)
class _Columns:
    """Stored and new systems by one metric on every test set."""

    stored: StoredStudy
    before: Mapping[str, Sequence[Measured]]
    pairs: Mapping[str, str]
    threads: int
    cache: RowCache | None

    def beside(
        self, shared: Sequence[StudyMaterial], specs: Sequence[str], progress: Progress | None
    ) -> tuple[list[dict[str, SetMeasure]], list[str]]:
        """A column a metric, and warnings."""
        columns: list[dict[str, SetMeasure]] = [{} for _ in specs]
        warnings: list[str] = []
        for place, own in enumerate(shared):
            if progress:
                progress(f"test set {own.name}", place, len(shared))
            new = measure(own.test_set, own.outputs, specs, threads=self.threads, cache=self.cache)
            labels = labels_of(own.test_set)
            for column, seen in zip(columns, new, strict=True):
                old = self._old(own, seen)
                part = Part(f"{self.stored.path}, {own.name}", self.stored.facts[own.name], (old,))
                warnings += check_alike(part, Part("the study", facts_of(own.test_set), (seen,)))
                if rows := self._paired(seen, old):
                    column[own.name] = SetMeasure(replace(seen, rows=rows, runs={}), labels)
        if not all(columns):
            raise DataError(f"no system has outputs for one test set both now and in {self.stored.path}")
        return columns, warnings

    def _old(self, own: StudyMaterial, seen: Measured) -> Measured:
        for old in self.before[own.name]:
            if old.metric == seen.metric:
                return old
        known = ", ".join(old.metric for old in self.before[own.name])
        raise DataError(f"{self.stored.path}: {own.name} was not scored by {seen.metric}, but by {known}")

    def _paired(self, seen: Measured, old: Measured) -> dict[str, tuple[np.ndarray, ...]]:
        rows: dict[str, tuple[np.ndarray, ...]] = {}
        for name, counterpart in self.pairs.items():
            if name in seen.rows and counterpart in old.rows:
                rows[f"new {name}"] = seen.rows[name]
                rows[f"old {name}"] = old.rows[counterpart]
        return rows


def _drawn(
    columns: Sequence[Mapping[str, SetMeasure]],
    shared: Sequence[StudyMaterial],
    pairs: Mapping[str, str],
    plan: Plan,
    look: Look,
    threads: int,
    progress: Progress | None,
) -> tuple[list[Draws], int, Plan]:
    """Every column tested, the number of tests, and the plan with its numbers."""
    systems = [f"{side} {name}" for name in pairs for side in ("new", "old")]
    places = [(2 * i, 2 * i + 1) for i in range(len(pairs))]
    tests = len(columns) * len(pairs) * (1 + (len(shared) if len(shared) > 1 else 0))
    by_set = len(shared) > 1 and tests <= MOST_TESTS
    tests = tests if by_set else len(columns) * len(pairs)
    at_look = replace(plan, trials=trials_at(look, plan, tests), alpha=plan.alpha * look.share)
    plan = replace(at_look.with_numbers(tests), alpha=plan.alpha)
    drawn = []
    for column in columns:
        names = [own.name for own in shared if own.name in column]
        groups: list[Group] = [("all", MEAN, list(range(len(names))))]
        groups += [("set", name, [i]) for i, name in enumerate(names)] if by_set else []
        own = Draws.of(column, shared, systems, places, plan, threads, progress, groups)
        drawn.append(own.tested(progress))
    judged = [own for own in drawn if own.first.higher_is_better is not None]
    return drawn, sum(int(np.isfinite(p).sum()) for own in judged for p in own.p_values), plan


def _findings(
    drawn: Sequence[Draws],
    pairs: Mapping[str, str],
    plan: Plan,
    margin: float,
    look: Look,
) -> tuple[StudyFinding, ...]:
    judged = [own for own in drawn if own.first.higher_is_better is not None]
    flat = [float(p) for own in judged for of_group in own.p_values for p in of_group if math.isfinite(p)]
    adjusted = iter(multiple.adjusted(flat, plan.correction).tolist())
    findings = []
    for own in drawn:
        for g, (_, group, places) in enumerate(own.groups):
            for i, (name, counterpart) in enumerate(pairs.items()):
                p = float(own.p_values[g][i])
                if not own.means[g].sets[i]:
                    continue
                q = look.over_looks(next(adjusted)) if own in judged and math.isfinite(p) else math.nan
                both = [
                    place
                    for place in places
                    if np.isfinite(own.scores[place].scores[[2 * i, 2 * i + 1]]).all()
                ]
                new, old = (
                    float(np.mean([own.scores[place].scores[2 * i + side] for place in both]))
                    for side in (0, 1)
                )
                findings.append(
                    StudyFinding(
                        group,
                        len(both),
                        name,
                        counterpart,
                        own.first.metric,
                        own.first.label,
                        old,
                        new,
                        new - old,
                        p,
                        q,
                        significant(q, plan.alpha),
                        verdict_of(
                            new - old,
                            own.first.higher_is_better,
                            margin,
                            significant=significant(q, plan.alpha),
                        ),
                        own.first.higher_is_better,
                        own.first.decimals,
                    )
                )
    return tuple(findings)
