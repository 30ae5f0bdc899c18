"""Systems against each other, on one test set or several: from rows to intervals, paired tests, clusters, claims."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import chain, combinations
from typing import TYPE_CHECKING, Any, Unpack

import numpy as np
from numpy.typing import NDArray

from adjudge import workspace
from adjudge.comparison.claims import reverse_warning, warnings
from adjudge.comparison.groups import groups_by, label_column, labels_of
from adjudge.comparison.plan import Plan, PlanOptions, check_mean_plan, plan_of
from adjudge.comparison.results import Comparison, Measured, Rows, TestFacts, measured_means
from adjudge.comparison.scoring import (
    DEFAULT_METRICS,
    Progress,
    TestSetFacts,
    check,
    facts_of,
    language_warnings,
    resolve_metrics,
    row_functions,
)
from adjudge.comparison.testing import Question, tested_group
from adjudge.data import Outputs, ScoreMatrix, TestSet
from adjudge.data.levels import DOCUMENT, WINDOW
from adjudge.data.origins import ORIGIN
from adjudge.errors import UsageError, unknown_name
from adjudge.metrics.base import Metric
from adjudge.stats.design import AUTO, Design

if TYPE_CHECKING:
    from adjudge.comparison.study_material import SetMeasure, StudyMaterial
    from adjudge.engine.cache import RowCache
    from adjudge.stats.common_items import ItemScores


def compare(
    test_set: TestSet,
    outputs: Iterable[Outputs],
    metrics: Iterable[Metric | str] | Metric | str = DEFAULT_METRICS,
    plan: Plan | None = None,
    *,
    threads: int = 0,
    cache: RowCache | None = None,
    progress: Progress | None = None,
    engine: Any = None,
    **options: Unpack[PlanOptions],
) -> Comparison:
    """Score every output by every metric and test all pairs of systems, or all against a baseline.

    Outputs of the same system in several runs count as one system. How it is tested is said by a `Plan`, or by its
    fields as keywords:

    - `baseline`: the system that all others are tested against; without one, all pairs are tested
    - `test`: randomisation or bootstrap (means of segment scores also rank-sum, signed-rank, clustered-t); `trials`
      behind each p, and its `seed`
    - `alternative`: two-sided, one-sided (with a baseline, or systems in the order `expected` beforehand) or
      better-score
    - `unit` and `strata`: labels of the test set; `unit="auto"` draws whole documents where they are labelled
    - `by`: labels to compare by as well, or `length`
    - `correction` for many tests: holm, bh or none; `family`: over the pairs of each metric, or with all over those of
      all metrics; `alpha`: the level of significance
    - `resamples` behind intervals, their `sampling` (bootstrap or half), `confidence` and, of differences, kind:
      `interval` is test, percentile or basic
    - `engine`: who computes rows, as in `score`
    - `margin`: pairs are also tested for being the same within it (`{"bleu": 1.0, "chrf": 0.5}` for several metrics)
    """
    plan, outputs = plan_of(plan, options), tuple(outputs)
    labels, language = labels_of(test_set, ("length",)), test_set.language
    check_question(plan, [output.system for output in outputs], labels)
    chosen, test_set = resolve_metrics(metrics, test_set)
    with workspace.notes_of_block() as notes:
        measured = measure(
            test_set, outputs, chosen, threads=threads, cache=cache, progress=progress, engine=engine
        )
    comparison = compare_measured(
        measured,
        facts_of(test_set, chosen),
        labels,
        plan,
        language=language,
        threads=threads,
        progress=progress,
    )
    return comparison.with_warnings([*language_warnings(chosen, test_set), *notes])


def compare_measured(
    measured: Sequence[Measured],
    test_set: TestSetFacts,
    labels: Mapping[str, Sequence[str]] | None = None,
    plan: Plan | None = None,
    *,
    language: str | None = None,
    threads: int = 0,
    progress: Progress | None = None,
    scope: str = "this test set",
    by_people: bool = False,
    caveats: bool = True,
    alone: bool = False,
    design: Design | None = None,
    others: Sequence[Sequence[float]] = (),
) -> Comparison:
    """Compare systems by rows that are there already (of a stored run, of people).

    With a `language` pair, or '' for one that is not known, segments that were made in reverse are warned of. Where it
    may be `alone`, a single system has its interval and nothing is tested. A `design` holds what is known of the data
    beside their labels. `others` are p-values of measures that were tested elsewhere, for a correction over all.
    """
    plan, labels = plan_for_level(plan or Plan(), test_set.level), labels or {}
    if not measured:
        raise UsageError("no metric to compare by (adjudge score --list)")
    plan, reason = plan.resolved(labels, len(next(iter(measured[0].rows.values()))[0]))
    _check_scores(measured, plan)
    systems = list(measured[0].rows)
    if not alone or len(systems) != 1:
        check_question(plan, systems, labels)
    pairs, spoken = _pairs(systems, plan), language or test_set.language
    together = plan.tests_together(len(pairs), len(measured))
    plan = plan.with_numbers(together)
    facts = TestFacts.of(plan, len(pairs), together, measured, by_people=by_people)
    design = design or Design(plan.unit, 0, reason)
    asked = Question(
        measured, labels, plan, facts, pairs, design, scope, caveats, threads, progress, spoken, others
    )
    parts = groups_by(labels, plan.by) if plan.by else ()
    groups = [tested_group(asked, by, segments) for by, segments in chain([({}, None)], parts)]
    if progress:
        progress("done", 1, 1)
    everything, remarks = groups[0], list(warnings(groups[0].results, groups[0].pairs, facts))
    if language is not None and ORIGIN in labels:
        remarks[:0] = filter(None, [reverse_warning(labels[ORIGIN], language)])
    return Comparison(
        facts={test_set.name: test_set},
        results=everything.results,
        pairs=everything.pairs,
        test=facts,
        claims=everything.claims,
        design=everything.design,
        groups=tuple(groups) if plan.by else (),
        warnings=tuple(remarks),
        pairwise=everything.pairwise,
        measured_sets={test_set.name: tuple(measured)},
        labels=labels,
        plan=plan,
    )


def compare_sets(
    sets: Sequence[StudyMaterial],
    metrics: Sequence[str],
    plan: Plan | None = None,
    *,
    threads: int = 0,
    cache: RowCache | None = None,
    progress: Progress | None = None,
) -> Comparison:
    """Compare systems on one test set or several: set by set, and in the mean, in which each set counts alike."""
    plan = check_mean_plan(plan or Plan())
    systems = tuple(dict.fromkeys(output.system for loaded_set in sets for output in loaded_set.outputs))
    if not systems:
        raise UsageError("no test set has a system output: systems = [...]")
    if plan.baseline is not None and plan.baseline not in systems:
        raise unknown_name("baseline", plan.baseline, systems)
    measured: dict[str, tuple[Measured, ...]] = {}
    for place, loaded_set in enumerate(sets):
        if progress:
            progress(f"test set {loaded_set.name}", place, len(sets))
        scored: tuple[Measured, ...] = ()
        if loaded_set.outputs:
            scored = measure(loaded_set.test_set, loaded_set.outputs, metrics, threads=threads, cache=cache)
            _check_apart(loaded_set.name, scored, metrics)
        measured[loaded_set.name] = (*scored, *(further.measured for further in loaded_set.further))
    return compare_measured_sets(sets, measured, systems, plan, threads=threads, progress=progress)


def compare_measured_sets(
    sets: Sequence[StudyMaterial],
    measured: Mapping[str, tuple[Measured, ...]],
    systems: Sequence[str],
    plan: Plan,
    *,
    threads: int = 0,
    progress: Progress | None = None,
) -> Comparison:
    """Compare systems by rows that are there already, by test set: those of metrics, then those of `further`.

    The metrics of a single test set are tested as `compare` tests them.
    """
    from adjudge.comparison.results import tables_of_set
    from adjudge.comparison.study_testing import mean_tables, study_measure

    pairs = _pairs(systems, plan)
    columns = _columns(sets, measured)
    plan = plan.with_numbers(plan.tests_together(len(pairs), len(columns)))
    margins = plan.margins([next(iter(column.values())).measured.metric for column in columns])
    only = sets[0] if len(sets) == 1 else None
    over_sets = [
        (study_measure(column, sets, systems, pairs, plan, threads, progress), margin)
        for column, margin in zip(columns, margins, strict=True)
        if only is None or not column[only.name].is_metric
    ]
    tests, margins = [result for result, _ in over_sets], [margin for _, margin in over_sets]
    facts = {loaded_set.name: facts_of(loaded_set.test_set) for loaded_set in sets}
    combine = partial(
        Comparison.over_sets,
        facts,
        plan=plan,
        measured=measured,
        languages={loaded_set.name: loaded_set.language for loaded_set in sets if loaded_set.language},
        domains={loaded_set.name: loaded_set.domain for loaded_set in sets if loaded_set.domain},
    )
    if only is None:
        return combine(mean_tables(tests, margins))
    alone = compare_measured(
        measured[only.name][: len(columns) - len(tests)],
        facts[only.name],
        labels_of(only.test_set),
        plan,
        language=only.language,
        threads=threads,
        progress=progress,
        alone=True,
        others=[test.tests[0].p_values for test in tests],
    )
    tables = tables_of_set(only.name, alone.results, alone.pairs, alone.design)
    p_values = [[pair.p for pair in table.pairs] for table in tables]
    tables += mean_tables(tests, margins, p_values)
    return replace(combine(tables), claims=alone.claims)


def _check_apart(name: str, scored: Sequence[Measured], metrics: Sequence[str]) -> None:
    """Refuse metrics that are the same one on a test set, because the tokenizer follows its language."""
    if len(scored) != len(set(metrics)):
        known = ", ".join(entry.metric for entry in scored)
        raise UsageError(f"two of the metrics are the same on the test set {name} ({known}): leave out one")


def _columns(
    sets: Sequence[StudyMaterial], measured: Mapping[str, Sequence[Measured]]
) -> list[dict[str, SetMeasure]]:
    """Every measure by test set: metrics by their places, as tokenizers follow the language; others by their names."""
    columns: dict[str | int, dict[str, SetMeasure]] = {}
    for loaded_set in sets:
        for place, measure in enumerate(loaded_set.measures(measured[loaded_set.name])):
            key = place if measure.is_metric else measure.measured.metric
            columns.setdefault(key, {})[loaded_set.name] = measure
    in_order = sorted(columns, key=lambda key: isinstance(key, str))  # metrics first, each kind as it came
    return [columns[key] for key in in_order]


def _check_scores(measured: Sequence[Measured], plan: Plan) -> None:
    """Refuses a test that is not made for the scores of some metric."""
    for measurement in measured:
        several = any(len(runs) > 1 for runs in measurement.rows.values())
        why = plan.system_test.refusal_of_scores(
            measurement.label, mean=measurement.is_mean, several_runs=several, unit=plan.unit
        )
        if why:
            raise UsageError(why)


def plan_for_level(plan: Plan, level: str) -> Plan:
    """The plan, with whole documents drawn where windows slide through them: those overlap and tell the same twice."""
    overlapping = level.startswith(WINDOW) and plan.unit in ("segment", AUTO)
    return replace(plan, unit=DOCUMENT) if overlapping else plan


def compare_scores(
    matrix: ScoreMatrix,
    plan: Plan | None = None,
    *,
    name: str = "score",
    higher_is_better: bool = True,
    decimals: int = 2,
    labels: Mapping[str, Sequence[str]] | None = None,
    weights: NDArray[np.float64] | None = None,
    threads: int = 0,
    scope: str = "this test set",
    by_people: bool = False,
    caveats: bool = True,
    alone: bool = False,
    design: Design | None = None,
    items: ItemScores | None = None,
    comparable: NDArray[np.bool_] | None = None,
    item_scores: Mapping[str, NDArray[np.float64]] | None = None,
    **options: Unpack[PlanOptions],
) -> Comparison:
    """Compare systems by scores of segments, from people or anything else; NaN is a score that is missing.

    A system's score is the mean of those that are there, each with its weight (1). With `items` two systems are
    compared on the items that both have; pairs that are not `comparable` are not told apart. Where scores are of parts
    of items, `item_scores` has those of whole items, for shares.
    The plan, or its fields, as in `compare`.
    """
    measured = measured_scores(
        matrix, name, higher_is_better=higher_is_better, decimals=decimals, weights=weights
    )
    measured = replace(measured, items=items, comparable=comparable, item_scores=item_scores or {})
    facts = TestSetFacts("", matrix.scores.shape[1], 0, "")
    return compare_measured(
        [measured],
        facts,
        labels,
        plan_of(plan, options),
        threads=threads,
        scope=scope,
        by_people=by_people,
        caveats=caveats,
        alone=alone,
        design=design,
    )


def measured_scores(
    matrix: ScoreMatrix,
    name: str,
    *,
    higher_is_better: bool = True,
    decimals: int | None = 2,
    weights: NDArray[np.float64] | None = None,
) -> Measured:
    """Scores of segments as a metric's rows: each score times its weight, and the weight, 0 where it is missing."""
    present = (~np.isnan(matrix.scores)).astype(np.float64)
    weights = present if weights is None else present * weights
    rows = {
        system: (np.stack([np.where(weight > 0, scores, 0.0) * weight, weight], axis=1),)
        for system, scores, weight in zip(matrix.systems, matrix.scores, weights, strict=True)
    }
    if len(rows) != len(matrix.systems):
        raise UsageError("two systems have the same name; name them apart")
    return measured_means(name, rows, higher_is_better=higher_is_better, decimals=decimals)


def _pairs(systems: Sequence[str], plan: Plan) -> list[tuple[int, int]]:
    """Who is tested against whom; a one-sided test asks whether the first is better."""
    if plan.baseline is None:
        return list(combinations([systems.index(name) for name in plan.expected or systems], 2))
    base = systems.index(plan.baseline)
    return [(s, base) for s in range(len(systems)) if s != base]


def check_question(plan: Plan, names: Iterable[str], labels: Mapping[str, Sequence[str]]) -> None:
    """Refuse what cannot be answered before anything is scored: too few systems, unknown names and labels."""
    systems = list(dict.fromkeys(names))
    if plan.baseline is not None and plan.baseline not in systems:
        raise unknown_name("baseline", plan.baseline, systems)
    for expected in plan.expected:
        if expected not in systems:
            raise unknown_name("system", expected, systems)
    if plan.expected and sorted(plan.expected) != sorted(systems):
        left = [name for name in systems if name not in plan.expected]
        why = f"{', '.join(left)} is not in it" if left else "a system stands there twice"
        raise UsageError(f"an expected order has every system once: {why}")
    for name in (*plan.unit.split(","), plan.strata):
        if name not in (None, "segment", AUTO):
            label_column(labels, str(name), "draw by")
    for name in plan.by:
        label_column(labels, name, "group by")
    if len(systems) < 2:
        only = f"there is only {systems[0]!r}" if systems else "there is none"
        raise UsageError(f"two systems are needed for a comparison, {only} (adjudge score scores one)")


def measure(
    test_set: TestSet,
    outputs: Iterable[Outputs],
    metrics: Iterable[Metric | str] | Metric | str = DEFAULT_METRICS,
    *,
    threads: int = 0,
    cache: RowCache | None = None,
    progress: Progress | None = None,
    engine: Any = None,
) -> tuple[Measured, ...]:
    """The rows of every output by every metric, from the cache where it has them; else by an engine (see `score`)."""
    outputs = tuple(outputs)
    chosen, test_set = resolve_metrics(metrics, test_set)
    check(test_set, outputs, chosen)
    steps, measured = len(chosen) * len(outputs), []
    functions = row_functions(chosen, test_set, outputs, threads, cache, progress, engine)
    for m, (metric, compute) in enumerate(zip(chosen, functions, strict=True)):
        rows: dict[str, tuple[Rows, ...]] = {}
        runs: dict[str, tuple[str, ...]] = {}
        for o, output in enumerate(outputs):
            if progress:
                progress(f"{metric.label} of {output.title}", m * len(outputs) + o, steps)
            rows[output.system] = (*rows.get(output.system, ()), compute(output))
            runs[output.system] = (*runs.get(output.system, ()), output.run)
        measured.append(Measured.by(metric, metric.signature(test_set), rows, runs))
    workspace.current().end_dry_run()
    return tuple(measured)
