"""Tables that papers print: NIST's of MetricsMATR, and that of the kernels' paper (Duma & Menzel 2017)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from adjudge.comparison.scoring import score
from adjudge.comparison.tskm_variants import TskmVariant, tskm_variants
from adjudge.data import Outputs, TestSet
from adjudge.data.score_tables import MetaSet, MetaTexts, ScoreTable
from adjudge.errors import UsageError, unknown_name
from adjudge.meta.results import MetricValue, TaskResult
from adjudge.meta.task import LEVELS, Task
from adjudge.metrics import metric as metric_of
from adjudge.metrics.tskm import Tskm

NO_TEXTS = "--tskm scores texts, and the folder has no outputs or no references"
SENTINEL = "sentinel"
RIVALS = ("bleu", "nist", "wer", "per", "cder")
"""What the kernels' paper has beside its own metrics."""
MATR = ("spearman", "kendall", "pearson")
"""In the order in which NIST printed them."""


def matr_tasks(meta_set: MetaSet) -> Callable[[str], list[Task]]:
    """Rho, tau and r at every level that the test set has."""
    levels = [level for level in LEVELS if level != "document" or "document" in meta_set.labels]
    return lambda gold: [
        Task(gold, level, correlation)  # type: ignore[arg-type]
        for level in levels
        for correlation in MATR
    ]


@dataclass(frozen=True)
class MatrRow:
    """A metric's three correlations at one level."""

    rank: tuple[int, int] | None
    """The ranks by the size of rho that intervals leave open; none of what is no metric."""
    metric: str
    values: tuple[MetricValue, MetricValue, MetricValue]
    """Rho, tau, r."""


@dataclass(frozen=True)
class MatrTable:
    """The metrics of one level that were given as many references: none, one, or several."""

    level: str
    references: str
    rows: tuple[MatrRow, ...]


def matr_tables(results: Sequence[TaskResult], meta_set: MetaSet) -> list[MatrTable]:
    """A table for each level and for none, one and several references, with the sentinels in each."""
    tables = []
    kinds = {name: _kind(table) for name, table in meta_set.metrics.items()}
    for level in dict.fromkeys(result.task.level for result in results):
        columns = [
            {value.metric: value for value in result.values}
            for correlation in MATR
            for result in results
            if result.task.level == level and result.task.correlation == correlation
        ]
        if len(columns) != len(MATR):
            continue
        for kind in ("single reference", "multiple references", "no reference"):
            names = [name for name in columns[0] if kinds[name] == kind]
            if not names:
                continue
            names += [name for name in columns[0] if kinds[name] == SENTINEL]
            # Low scores of a metric may be the good ones: what counts is how far rho is from 0.
            names.sort(
                key=lambda name: (np.isnan(columns[0][name].value), -abs(columns[0][name].value), name)
            )
            ranks = _ranks([columns[0][name] for name in names if kinds[name] != SENTINEL])
            rows = [
                MatrRow(ranks.get(name), name, (columns[0][name], columns[1][name], columns[2][name]))
                for name in names
            ]
            tables.append(MatrTable(level, kind, tuple(rows)))
    return tables


def _ranks(values: Sequence[MetricValue]) -> dict[str, tuple[int, int]]:
    """The ranks by the size of a correlation: a metric stands above another where their intervals do not meet."""
    reach = {}
    for value in values:
        known = not np.isnan(value.low)
        sizes = sorted((abs(value.low), abs(value.high))) if known else [0.0, 1.0]
        reach[value.metric] = (0.0 if value.low <= 0 <= value.high else sizes[0], sizes[1])
    return {
        name: (
            1 + sum(other_low > high for other_low, _ in reach.values()),
            len(reach) - sum(other_high < low for _, other_high in reach.values()),
        )
        for name, (low, high) in reach.items()
    }


def _kind(table: ScoreTable) -> str:
    if table.sentinel:
        return SENTINEL
    given = len(table.references)
    several = given > 1 or table.reference == "all"
    return "multiple references" if several else "single reference" if given else "no reference"


def with_tskm(
    meta_set: MetaSet, test_set: TestSet, outputs: Sequence[Outputs], specs: Sequence[str] = ()
) -> MetaSet:
    """The set with the scores of systems by every variant of TSKM that the test set allows, and its rivals'.

    Of other metrics only sentinels stay. One spec of tskm may say which parser and parameters. Rivals read the
    references that people made; low scores that are good have their sign turned.
    """
    chosen = [metric_of(spec) for spec in specs] or [Tskm()]
    metric = chosen[0]
    if len(chosen) > 1 or not isinstance(metric, Tskm):
        raise UsageError("--tskm tabulates variants of tskm: -m may name that alone, with a parser")
    judged = [output for output in outputs if output.system in meta_set.systems]
    if not judged or not test_set.references:
        raise UsageError(NO_TEXTS)
    resolved = metric.for_test_set(test_set)
    variants = tskm_variants(test_set, judged, resolved if isinstance(resolved, Tskm) else metric)
    scores = {_name(variant): variant.scores for variant in variants}
    plain = replace(test_set, references=test_set.human_references, pseudo=0)
    for rival in RIVALS if plain.references else ():
        results = score(plain, judged, rival).results
        scores[rival] = tuple(-r.score if r.higher_is_better is False else r.score for r in results)
    systems = [output.system for output in judged]
    sentinels = {name: table for name, table in meta_set.metrics.items() if table.sentinel}
    tables = {name: _table(name, values, meta_set, systems) for name, values in scores.items()}
    return replace(meta_set, metrics={**tables, **sentinels})


def texts_of(
    meta_set: MetaSet, texts: MetaTexts, references: Sequence[str] = ()
) -> tuple[TestSet, list[Outputs]]:
    """The texts of a folder as a test set with some of its references, the first one by itself, and the outputs."""
    if not texts.references or not texts.outputs:
        raise UsageError(NO_TEXTS)
    names = tuple(references) or tuple(texts.references)[:1]
    for name in names:
        if name not in texts.references:
            raise unknown_name("reference", name, texts.references)
    test_set = TestSet(
        references=tuple(texts.references[name] for name in names),
        sources=texts.sources,
        language=meta_set.language,
    )
    others = {name: text for name, text in texts.outputs.items() if name not in names}
    return test_set, [Outputs(name, text) for name, text in others.items() if name in meta_set.systems]


def tskm_tasks(gold: str) -> list[Task]:
    """What the paper asks: r of system scores."""
    return [Task(gold, "system", "pearson")]


def _name(variant: TskmVariant) -> str:
    return f"{variant.pairs} {variant.kernels} {variant.words}"


def _table(name: str, values: Sequence[float], meta_set: MetaSet, systems: Sequence[str]) -> ScoreTable:
    scores = dict(zip(systems, values, strict=True))
    whole = np.array([scores.get(system, np.nan) for system in meta_set.systems])
    segments = np.full((len(whole), meta_set.segments), np.nan)
    return ScoreTable(name, segments, whole)
