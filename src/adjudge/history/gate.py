"""New outputs compared with a stored result: is anything significantly worse?

On one test set every new system is compared with the stored one as `compare` does it. Over several, a system is held
against its earlier result in the mean over test sets and on each of them.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from adjudge import workspace
from adjudge.comparison.comparing import compare_measured, measure
from adjudge.comparison.groups import labels_of
from adjudge.comparison.plan import Plan, check_mean_plan
from adjudge.comparison.results import Measured, Pair, Rows, TestFacts
from adjudge.comparison.scoring import Progress, facts_of, score
from adjudge.comparison.study_material import StudyMaterial
from adjudge.comparison.verdict import Difference, Evidence, Relation, Verdict, comparison_verdict, decide
from adjudge.errors import DataError, UsageError, unknown_name
from adjudge.history.gate_result import MEAN, Gate, GateFinding, Outcome
from adjudge.history.merge import NEW, MeasuredPart, check_alike, part_of
from adjudge.history.stored import StoredResult, measured_of, measured_sets
from adjudge.metrics import metric as metric_of
from adjudge.metrics.base import Direction
from adjudge.stats import multiple
from adjudge.stats.looks import ONLY_LOOK, Look
from adjudge.stats.significance import significant
from adjudge.stats.units import total

if TYPE_CHECKING:
    from adjudge.comparison.study_material import SetMeasure, SetPlaces
    from adjudge.comparison.study_testing import StudyMeasure
    from adjudge.engine.cache import RowCache

MOST_TESTS = 500
"""With more tests than this, test sets are not tested one by one, because the trials would take too long."""


def gate(
    stored: StoredResult,
    sets: Sequence[StudyMaterial],
    metrics: Sequence[str] | None = None,
    plan: Plan | None = None,
    *,
    system: str | None = None,
    tolerance: float = 0.0,
    look: Look | Callable[[], Look] | None = None,
    threads: int = 0,
    cache: RowCache | None = None,
    progress: Progress | None = None,
) -> Gate:
    """Compare new outputs with a stored run, or a study with its earlier result, by its metrics or some of them.

    A new system is held against the stored one of its name, or `system`; against a run, also the only one. All metrics,
    systems and test sets are corrected together, for one decision is made of them: on one test set alpha is shared out
    evenly to systems. Builds that hold one output after another against the same run say which `look` this is; it
    spends its own share of alpha. A function that counts looks is called once everything is scored.
    """
    plan, look = plan or Plan(), look or ONLY_LOOK
    check_tolerance(tolerance)
    if isinstance(look, Look):
        look.check()
    asked = _Question(_chosen(stored, metrics), plan, tolerance, system, threads, cache, progress)
    if stored.study:
        return asked.over_sets(stored, sets, look)
    [only] = sets
    return asked.on_one_set(stored, only, look)


@dataclass(frozen=True)
class _Question:
    """How new outputs are to be tested."""

    specs: Sequence[str]
    plan: Plan
    tolerance: float
    system: str | None
    threads: int
    cache: RowCache | None
    progress: Progress | None

    def on_one_set(
        self, stored: StoredResult, material: StudyMaterial, look: Look | Callable[[], Look]
    ) -> Gate:
        """Compare every new system with its stored counterpart, as `compare` does."""
        plan = self.plan
        if plan.baseline is not None or plan.by:
            raise UsageError("a gate has the stored run for a baseline and looks at all segments at once")
        old = part_of(stored, self.specs)
        names = dict.fromkeys(output.system for output in material.outputs)
        pairs = {name: _counterpart(stored, name, self.system) for name in names}
        with workspace.use(workspace.with_settings(named_by_file=True)):
            scores = score(
                material.test_set,
                material.outputs,
                self.specs,
                rows=True,
                threads=self.threads,
                cache=self.cache,
                progress=self.progress,
            )
        new = MeasuredPart(NEW, scores.test_set, measured_of(scores), labels_of(material.test_set))
        warnings = dict.fromkeys([*check_alike(old, new), *scores.warnings])
        look = _look_now(look)
        shares = len(pairs) if plan.correction != "none" else 1
        findings: list[GateFinding] = []
        verdicts: list[Verdict] = []
        test: TestFacts | None = None
        for name, counterpart in pairs.items():
            compared = _side_by_side(old, new, name, counterpart, stored.path)
            tested = [measurement for measurement in compared if measurement.higher_is_better is not None]
            shared = _shared_plan(plan, shares, look, len(tested), baseline=list(tested[0].rows)[1])
            labels = {**old.labels, **new.labels}
            comparison = compare_measured(tested, new.test_set, labels, shared, threads=self.threads)
            verdicts.append(comparison_verdict(comparison))
            test = _shared_facts(comparison.test, plan, shares, counterpart)
            warnings |= dict.fromkeys(comparison.warnings)
            by_metric = {pair.metric: pair for pair in comparison.pairs}
            findings += [
                _finding(
                    measurement,
                    name,
                    counterpart,
                    by_metric.get(measurement.metric),
                    self.tolerance,
                    shares,
                    look,
                )
                for measurement in compared
            ]
        assert test is not None
        facts = (
            stored.path,
            {new.test_set.name: new.test_set},
            tuple(findings),
            test,
            self.tolerance,
            scores,
        )
        return Gate(*facts, tuple(warnings), tuple(verdicts), look)

    def over_sets(
        self, stored: StoredResult, sets: Sequence[StudyMaterial], look: Look | Callable[[], Look]
    ) -> Gate:
        """Compare every system with its earlier result on all shared test sets."""
        check_mean_plan(self.plan)
        shared, warnings = _shared_sets(stored, sets)
        pairs, new_only = _counterparts(stored, shared, self.system)
        with workspace.use(workspace.with_settings(named_by_file=True)):
            columns, more = self._columns(stored, shared, pairs)
        look = _look_now(look)
        drawn, plan = self._run_tests(columns, shared, pairs, look)
        warnings += new_only
        if len(shared) > 1 and len(drawn[0].groups) == 1:
            warnings.append(
                f"{len(shared)} test sets are too many to be tested one by one ({MOST_TESTS} tests at most): only the "
                "mean over all of them was"
            )
        judged = [part for part in drawn if part.first.higher_is_better is not None]
        comparisons = sum(len(tests.p_values) for part in judged for tests in part.tests)
        findings = _findings_over_sets(drawn, pairs, plan, self.tolerance, look)
        return Gate(
            stored.path,
            {part.name: facts_of(part.test_set) for part in shared},
            findings,
            TestFacts.of(plan, len(pairs), comparisons, (), by_people=False),
            self.tolerance,
            warnings=tuple(dict.fromkeys([*warnings, *more])),
            verdicts=mean_verdicts(findings, plan, stored.path),
            look=look,
            study=stored.study,
            plan=plan,
            designs=drawn[0].designs,
        )

    def _columns(
        self, stored: StoredResult, shared: Sequence[StudyMaterial], pairs: Mapping[str, str]
    ) -> tuple[list[dict[str, SetMeasure]], list[str]]:
        """Stored and new systems on every test set, one column per metric; and warnings."""
        from adjudge.comparison.study_material import SetMeasure

        columns: list[dict[str, SetMeasure]] = [{} for _ in self.specs]
        warnings: list[str] = []
        before, path = measured_sets(stored), stored.path
        for place, material in enumerate(shared):
            if self.progress:
                self.progress(f"test set {material.name}", place, len(shared))
            new = measure(
                material.test_set, material.outputs, self.specs, threads=self.threads, cache=self.cache
            )
            labels, facts = labels_of(material.test_set), facts_of(material.test_set)
            for column, seen in zip(columns, new, strict=True):
                old = _same_metric(before[material.name], seen, f"{path}: {material.name}")
                part = MeasuredPart(f"{path}, {material.name}", stored.facts[material.name], (old,))
                warnings += check_alike(part, MeasuredPart("the study", facts, (seen,)))
                if rows := _pair_rows(seen, old, pairs):
                    column[material.name] = SetMeasure(
                        replace(seen, rows=rows, runs={}), labels, is_metric=True
                    )
        if not all(columns):
            raise DataError(f"no system has outputs for one test set both now and in {path}")
        return columns, warnings

    def _run_tests(
        self,
        columns: Sequence[Mapping[str, SetMeasure]],
        shared: Sequence[StudyMaterial],
        pairs: Mapping[str, str],
        look: Look,
    ) -> tuple[list[StudyMeasure], Plan]:
        """The tests of every column, and the plan with its numbers of trials."""
        from adjudge.comparison.study_testing import study_measure

        plan = self.plan
        systems = [f"{side} {name}" for name in pairs for side in ("new", "old")]
        places = [(2 * i, 2 * i + 1) for i in range(len(pairs))]
        tests, by_set = count_tests(len(columns) * len(pairs), len(shared))
        at_look = replace(plan, trials=trials_at(look, plan, tests), alpha=plan.alpha * look.share)
        plan = replace(at_look.with_numbers(tests), alpha=plan.alpha)
        drawn = []
        for column in columns:
            names = [material.name for material in shared if material.name in column]
            groups: list[SetPlaces] = [("all", MEAN, list(range(len(names))))]
            groups += [("set", name, [i]) for i, name in enumerate(names)] if by_set else []
            drawn.append(
                study_measure(column, shared, systems, places, plan, self.threads, self.progress, groups)
            )
        return drawn, plan


def _look_now(look: Look | Callable[[], Look]) -> Look:
    """The look that is spent; a function that counts looks is called only now."""
    now = look if isinstance(look, Look) else look()
    now.check()
    return now


def count_tests(means: int, sets: int) -> tuple[int, bool]:
    """The number of tests, and whether each test set is also tested by itself."""
    every = means * (1 + sets)
    by_set = sets > 1 and every <= MOST_TESTS
    return every if by_set else means, by_set


def _shared_plan(plan: Plan, shares: int, look: Look, tests: int, *, baseline: str) -> Plan:
    """The plan for one new system; all metrics and systems are corrected together, since they make one decision."""
    alpha, confidence = plan.alpha / shares, 1 - (1 - plan.confidence) / shares
    trials = trials_at(look, replace(plan, alpha=alpha), tests)
    return replace(
        plan, trials=trials, family="all", alpha=alpha * look.share, confidence=confidence, baseline=baseline
    )


def _shared_facts(test: TestFacts, plan: Plan, shares: int, baseline: str) -> TestFacts:
    """How all new systems were tested together."""
    together = test.comparisons * shares
    return replace(
        test, alpha=plan.alpha, confidence=plan.confidence, comparisons=together, baseline=baseline
    )


def trials_at(look: Look, plan: Plan, tests: int) -> int | None:
    """How many trials a look needs; None where the plan decides, as for a bootstrap and for the only look."""
    test = plan.system_test
    if plan.trials or look.only or not test.by_trials or test.trial_limit:
        return plan.trials
    return look.trials(plan.alpha, 1 if plan.correction == "none" else tests)


def rows_digest(rows: Mapping[Any, Rows]) -> str:
    """A digest of rows that identifies a baseline across looks."""
    parts = (f"{key}{matrix.shape}".encode() + matrix.tobytes() for key, matrix in rows.items())
    return digest(sorted(parts))


def digest(parts: Iterable[bytes]) -> str:
    """The SHA-256 of several parts, each with its length before it."""
    whole = hashlib.sha256()
    for part in parts:
        whole.update(len(part).to_bytes(8, "big") + part)
    return whole.hexdigest()


def _chosen(stored: StoredResult, metrics: Sequence[str] | None) -> list[str]:
    """The metrics of the stored result, or those that were asked for."""
    known = {metric_of(spec).spec: spec for spec in stored.metrics}
    specs = list(stored.metrics)
    if metrics:
        specs = list(dict.fromkeys(metric_of(text).spec for text in metrics))
        for spec in specs:
            if spec not in known:
                raise unknown_name(f"metric in {stored.path}", spec, stored.metrics)
        specs = [known[spec] for spec in specs]
    if all(metric_of(spec).direction is Direction.NEITHER for spec in specs):
        raise UsageError(f"no direction of {', '.join(specs)} is better, so nothing can become worse")
    return specs


def _counterpart(stored: StoredResult, name: str, wanted: str | None) -> str:
    """The stored system that a new one is compared with."""
    systems = stored.systems
    if wanted is not None:
        return _known_system(stored, wanted)
    if name in systems:
        return name
    if len(systems) == 1:
        return systems[0]
    raise UsageError(
        f"{stored.path} holds several systems, none called {name!r}: {', '.join(systems)}; "
        "say which one to hold the new output against: --system NAME"
    )


def _counterparts(
    stored: StoredResult, shared: Sequence[StudyMaterial], wanted: str | None
) -> tuple[dict[str, str], list[str]]:
    """The stored counterpart of every system, and warnings about systems without one."""
    systems = list(dict.fromkeys(output.system for material in shared for output in material.outputs))
    if wanted is not None:
        return dict.fromkeys(systems, _known_system(stored, wanted)), []
    pairs = {name: name for name in systems if name in stored.systems}
    if not pairs:
        raise UsageError(
            f"{stored.path} has none of these systems ({', '.join(systems)}), but {', '.join(stored.systems)}; say "
            "which one to hold them against: --system NAME"
        )
    return pairs, [
        f"{name} is not in {stored.path}, and so it was not held against anything"
        for name in systems
        if name not in pairs
    ]


def _known_system(stored: StoredResult, wanted: str) -> str:
    if wanted not in stored.systems:
        raise unknown_name(f"system in {stored.path}", wanted, stored.systems)
    return wanted


def _shared_sets(
    stored: StoredResult, sets: Sequence[StudyMaterial]
) -> tuple[list[StudyMaterial], list[str]]:
    """The test sets that both have, and warnings about the others."""
    now = {material.name: material for material in sets if material.outputs}
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
    shared = [material for name, material in now.items() if name in stored.facts]
    if not shared:
        raise DataError(f"no test set of the study is in {stored.path}: {', '.join(stored.facts)}")
    return shared, warnings


def _side_by_side(
    old: MeasuredPart, new: MeasuredPart, name: str, counterpart: str, path: str
) -> list[Measured]:
    """The two systems by every metric: the new one first, the old one under a distinct name."""
    earlier = f"{counterpart} ({path})"
    by_metric = {measurement.metric: measurement for measurement in old.measured}
    return [
        replace(
            measurement,
            rows={name: measurement.rows[name], earlier: by_metric[measurement.metric].rows[counterpart]},
            runs={name: measurement.runs[name], earlier: by_metric[measurement.metric].runs[counterpart]},
        )
        for measurement in new.measured
    ]


def _same_metric(before: Sequence[Measured], seen: Measured, where: str) -> Measured:
    for old in before:
        if old.metric == seen.metric:
            return old
    known = ", ".join(old.metric for old in before)
    raise DataError(f"{where} was not scored by {seen.metric}, but by {known}")


def _pair_rows(seen: Measured, old: Measured, pairs: Mapping[str, str]) -> dict[str, tuple[Rows, ...]]:
    """New and old rows of every system that has both on a test set."""
    rows: dict[str, tuple[Rows, ...]] = {}
    for name, counterpart in pairs.items():
        if name in seen.rows and counterpart in old.rows:
            rows[f"new {name}"] = seen.rows[name]
            rows[f"old {name}"] = old.rows[counterpart]
    return rows


def _finding(
    measured: Measured,
    name: str,
    counterpart: str,
    pair: Pair | None,
    tolerance: float,
    shares: int,
    look: Look,
) -> GateFinding:
    new, old = (
        float(np.mean([measured.aggregate(total(run)) for run in runs])) for runs in measured.rows.values()
    )
    for value, output in ((new, f"the new output of {name}"), (old, f"the stored output of {counterpart}")):
        if math.isnan(value):
            raise DataError(f"{output} has no score by {measured.metric}; nothing can be compared")
    significant = pair is not None and pair.significant
    missing = math.nan
    return GateFinding(
        system=name,
        against=counterpart,
        metric=measured.metric,
        label=measured.label,
        old=old,
        new=new,
        delta=new - old,
        low=pair.low if pair else missing,
        high=pair.high if pair else missing,
        p=pair.p if pair else missing,
        p_adjusted=look.over_looks(pair.p_adjusted * shares) if pair else missing,
        significant=significant,
        detectable=pair.detectable if pair else missing,
        verdict=verdict_of(new - old, measured.higher_is_better, tolerance, significant=significant),
        higher_is_better=measured.higher_is_better,
        decimals=measured.decimals,
        signature=measured.signature,
    )


def _findings_over_sets(
    drawn: Sequence[StudyMeasure], pairs: Mapping[str, str], plan: Plan, tolerance: float, look: Look
) -> tuple[GateFinding, ...]:
    """Findings on the mean and on every test set, by every metric and system; all tests are corrected together."""
    judged = [draw for draw in drawn if draw.first.higher_is_better is not None]
    flat = [p for own in judged for tests in own.tests for p in tests.p_values]
    adjusted = iter(multiple.adjust_p_values(flat, plan.correction).tolist())
    findings = []
    for own in drawn:
        first = own.first
        for (_, group, _), tests in zip(own.groups, own.tests, strict=True):
            for i, (name, counterpart) in enumerate(pairs.items()):
                difference = tests.differences[i]
                if not difference.sets:
                    continue
                p_adjusted = look.over_looks(next(adjusted)) if own in judged else math.nan
                both = np.array([score.scores[[2 * i, 2 * i + 1]] for score in tests.scores])
                both = both[np.isfinite(both).all(1)]
                new, old = (float(np.mean(side.copy())) for side in both.T)
                is_significant = significant(p_adjusted, plan.alpha)
                findings.append(
                    GateFinding(
                        system=name,
                        against=counterpart,
                        metric=first.metric,
                        label=first.label,
                        old=old,
                        new=new,
                        delta=new - old,
                        p=difference.p,
                        p_adjusted=p_adjusted,
                        significant=is_significant,
                        verdict=verdict_of(
                            new - old, first.higher_is_better, tolerance, significant=is_significant
                        ),
                        higher_is_better=first.higher_is_better,
                        decimals=first.decimals,
                        test_set=group,
                        sets=difference.sets,
                    )
                )
    return tuple(findings)


def mean_verdicts(findings: Sequence[GateFinding], plan: Plan, path: str) -> tuple[Verdict, ...]:
    """For each system and its earlier result, which is better in the mean over test sets."""
    by_system: dict[str, list[Difference]] = {}
    for finding in findings:
        if (
            finding.test_set == MEAN
            and finding.higher_is_better is not None
            and not math.isnan(finding.p_adjusted)
        ):
            by_system.setdefault(finding.system, []).append(_difference(finding, path))
    return tuple(decide(_evidence(finding, plan)) for finding in by_system.values())


def _difference(finding: GateFinding, path: str) -> Difference:
    """A finding as evidence; the earlier result has a distinct name."""
    earlier = f"{finding.against} ({path})"
    ahead = finding.system if (finding.delta > 0) == finding.higher_is_better else earlier
    return Difference(
        metric=finding.metric,
        label=finding.label,
        a=finding.system,
        b=earlier,
        delta=finding.delta,
        low=math.nan,
        high=math.nan,
        p=finding.p_adjusted,
        ahead=ahead if finding.delta else "",
        significant=finding.significant,
        higher_is_better=finding.higher_is_better is not False,
        decimals=finding.decimals,
    )


def _evidence(differences: Sequence[Difference], plan: Plan) -> Evidence:
    first = differences[0]
    return Evidence(
        order=(first.a, first.b),
        relations={frozenset((first.a, first.b)): Relation(tuple(differences), alpha=plan.alpha)},
        measures=tuple(difference.label for difference in differences),
        alpha=plan.alpha,
        baseline=first.b,
    )


def verdict_of(
    delta: float, higher_is_better: bool | None, tolerance: float, *, significant: bool
) -> Outcome:
    """The outcome of a difference new − old."""
    if higher_is_better is None:
        return "neutral"
    if not significant:
        return "same"
    if (delta > 0) == higher_is_better:
        return "better"
    return "worse" if abs(delta) >= tolerance else "tolerated"


def check_tolerance(tolerance: float) -> None:
    """Refuse a tolerance that is not a number from 0 up."""
    if not 0 <= tolerance < math.inf:
        raise UsageError(f"tolerance={tolerance}: must be a number from 0 up")
