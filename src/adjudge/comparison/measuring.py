"""Rows of systems by metrics: what every decision is made from."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from adjudge import workspace
from adjudge.comparison.results import Measured, Rows
from adjudge.comparison.scoring import DEFAULT_METRICS, Progress, check, resolved, row_functions
from adjudge.data import Outputs, TestSet
from adjudge.metrics.base import Metric

if TYPE_CHECKING:
    from adjudge.engine.cache import RowCache


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
    chosen, test_set = resolved(metrics, test_set)
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
