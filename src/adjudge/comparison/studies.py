"""Several test sets at once: scores set by set, their mean over sets, and whether two systems differ in it.

The mean over test sets (macro average) counts each set alike, however long it is. Intervals and tests draw within each
set, so that they hold for other texts of the same kinds, not for other kinds of texts.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import TYPE_CHECKING

from adjudge.comparison.groups import labels_of
from adjudge.comparison.measuring import measure
from adjudge.comparison.plan import Plan
from adjudge.comparison.results import Measured
from adjudge.comparison.scoring import Progress, facts_of
from adjudge.comparison.study_results import StudyMaterial, StudyResult
from adjudge.comparison.study_tests import Column, Draws, SetMeasure, study_tables
from adjudge.errors import UsageError, unknown_name

if TYPE_CHECKING:
    from adjudge.engine.cache import RowCache


def run_study(
    material: Sequence[StudyMaterial],
    metrics: Sequence[str],
    plan: Plan | None = None,
    *,
    threads: int = 0,
    cache: RowCache | None = None,
    progress: Progress | None = None,
) -> StudyResult:
    """Every system by every metric on every test set, with means over sets and tests of these."""
    plan = checked_plan(plan or Plan())
    systems = tuple(dict.fromkeys(output.system for own in material for output in own.outputs))
    if not systems:
        raise UsageError("no test set has a system output: systems = [...]")
    if plan.baseline and plan.baseline not in systems:
        raise unknown_name("baseline", plan.baseline, systems)
    measured: dict[str, tuple[Measured, ...]] = {}
    for place, own in enumerate(material):
        if progress:
            progress(f"test set {own.name}", place, len(material))
        scored: tuple[Measured, ...] = ()
        if own.outputs:
            scored = measure(own.test_set, own.outputs, metrics, threads=threads, cache=cache)
            _check_apart(own.name, scored, metrics)
        measured[own.name] = (*scored, *(further.measured for further in own.further))
    return study_of_rows(material, measured, systems, plan, threads=threads, progress=progress)


def study_of_rows(
    material: Sequence[StudyMaterial],
    measured: Mapping[str, tuple[Measured, ...]],
    systems: tuple[str, ...],
    plan: Plan,
    *,
    threads: int = 0,
    progress: Progress | None = None,
) -> StudyResult:
    """The same of rows that are there, by test set: those of metrics, then those of `further`."""
    pairs = _pairs(systems, plan)
    columns = _columns(material, measured)
    plan = plan.with_numbers(plan.tests_together(len(pairs), len(columns)))
    margins = plan.margins([next(iter(column.values())).measured.metric for column in columns])
    drawn = [
        Draws.of(column, material, systems, pairs, plan, threads, progress).tested(progress)
        for column in columns
    ]
    return StudyResult(
        sets=tuple(own.name for own in material),
        facts={own.name: facts_of(own.test_set) for own in material},
        languages={own.name: own.language for own in material if own.language},
        domains={own.name: own.domain for own in material if own.domain},
        systems=systems,
        tables=study_tables(drawn, margins),
        plan=plan,
        measured=measured,
    )


def checked_plan(plan: Plan) -> Plan:
    """The plan itself; what it asks for and no mean over test sets can give is refused."""
    if why := plan.system_test.refusal_of_sets():
        raise UsageError(why)
    if plan.alternative != "two-sided":
        raise UsageError("means over test sets are tested on both sides: leave out the alternative")
    if plan.by:
        raise UsageError("a study groups whole test sets, by language pair and by domain: leave out by")
    return plan


def _check_apart(name: str, scored: Sequence[Measured], metrics: Sequence[str]) -> None:
    """Refuse metrics that are the same one on a test set, because the tokenizer follows its language."""
    if len(scored) != len(set(metrics)):
        known = ", ".join(own.metric for own in scored)
        raise UsageError(f"two of the metrics are the same on the test set {name} ({known}): leave out one")


def _pairs(systems: Sequence[str], plan: Plan) -> list[tuple[int, int]]:
    """Every two systems, or every one against the baseline."""
    if not plan.baseline:
        return list(combinations(range(len(systems)), 2))
    base = systems.index(plan.baseline)
    return [(system, base) for system in range(len(systems)) if system != base]


def _columns(
    material: Sequence[StudyMaterial], measured: Mapping[str, Sequence[Measured]]
) -> tuple[Column, ...]:
    """Metrics by their places, as tokenizers follow the language; other scores by their names."""
    columns: dict[str | int, dict[str, SetMeasure]] = {}
    for own in material:
        further = {id(scores.measured): scores for scores in own.further}
        for place, seen in enumerate(measured[own.name]):
            extra = further.get(id(seen))
            key: str | int = place if extra is None else seen.metric
            labels = labels_of(own.test_set) if extra is None else extra.labels
            columns.setdefault(key, {})[own.name] = SetMeasure(
                seen,
                labels,
                extra is None,
                extra is not None and extra.by_people,
                None if extra is None else extra.design,
                None if extra is None else extra.parts,
            )
    in_order = sorted(columns, key=lambda key: isinstance(key, str))  # metrics first, each kind as it came
    return tuple(columns[key] for key in in_order)
