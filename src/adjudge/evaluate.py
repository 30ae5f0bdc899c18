"""The façade that commands and notebooks call: test set, outputs and metrics in, frozen results out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from adjudge.data import Outputs, TestSet
from adjudge.errors import DataError, UsageError
from adjudge.metrics import metric as metric_of
from adjudge.metrics.base import Metric

Progress = Callable[[str, int, int], None]
"""Called with what is being done, how many steps are done and how many there are."""


@dataclass(frozen=True)
class TestSetFacts:
    """What a result says about the test set it was computed on."""

    __test__ = False

    name: str
    segments: int
    references: int
    fingerprint: str


@dataclass(frozen=True)
class Score:
    """One system's score by one metric."""

    system: str
    run: str
    metric: str
    label: str
    score: float
    signature: str
    higher_is_better: bool | None
    decimals: int
    segments: tuple[float, ...] | None = None

    @property
    def title(self) -> str:
        """The system's name, with its run where it has one."""
        return f"{self.system} (run {self.run})" if self.run else self.system


@dataclass(frozen=True)
class Scores:
    """All systems by all metrics, and what a reader should know before believing them."""

    test_set: TestSetFacts
    results: tuple[Score, ...]
    warnings: tuple[str, ...] = ()


def score(
    test_set: TestSet,
    outputs: Sequence[Outputs],
    metrics: Sequence[Metric | str] = ("bleu", "chrf", "ter"),
    *,
    segments: bool = False,
    threads: int = 0,
    progress: Progress | None = None,
) -> Scores:
    """Score every output by every metric; with `segments`, every segment as well."""
    chosen = [metric_of(m) if isinstance(m, str) else m for m in metrics]
    _check(test_set, outputs, chosen)
    results: dict[tuple[int, int], Score] = {}
    steps = len(chosen) * len(outputs)
    for m, metric in enumerate(chosen):
        prepared = metric.prepare(test_set)
        for o, output in enumerate(outputs):
            if progress:
                progress(f"{metric.label} of {output.title}", m * len(outputs) + o, steps)
            rows = metric.stats(prepared, output.segments, threads=threads)
            results[o, m] = Score(
                system=output.system,
                run=output.run,
                metric=metric.spec,
                label=metric.label,
                score=float(metric.aggregate(rows.sum(0))),
                signature=metric.signature(test_set),
                higher_is_better=None if metric.neutral else metric.higher_is_better,
                decimals=metric.decimals,
                segments=tuple(map(float, metric.for_segments().aggregate(rows))) if segments else None,
            )
    if progress:
        progress("done", steps, steps)
    facts = TestSetFacts(test_set.name, len(test_set), len(test_set.references), test_set.fingerprint)
    return Scores(facts, tuple(results[key] for key in sorted(results)), tuple(_warnings(test_set, outputs)))


def _check(test_set: TestSet, outputs: Sequence[Outputs], metrics: Sequence[Metric]) -> None:
    if not outputs:
        raise UsageError("no system output to score")
    if not metrics:
        raise UsageError("no metric to score with (adjudge score --list)")
    titles = [output.title for output in outputs]
    for title in titles:
        if titles.count(title) > 1:
            raise UsageError(f"two outputs are called {title!r}; name them apart: NAME=FILE")
    for output in outputs:
        if len(output) != len(test_set):
            raise DataError(
                f"{output.title} has {len(output)} segments, but the test set has {len(test_set)}"
            )
    for metric in metrics:
        if "references" in metric.needs and not test_set.references:
            raise UsageError(f"{metric.title} needs a reference (-r)")
        if "sources" in metric.needs and test_set.sources is None:
            raise UsageError(f"{metric.title} needs the source (-s)")


def _warnings(test_set: TestSet, outputs: Sequence[Outputs]) -> list[str]:
    def count(segments: Sequence[str | None]) -> int:
        return sum(segment is not None and not segment.strip() for segment in segments)

    warnings = []
    for output in outputs:
        if empty := count(output.segments):
            warnings.append(f"{output.title}: {empty} of {len(output)} segments are empty (scored)")
    for index, column in enumerate(test_set.references):
        if empty := count(column):
            warnings.append(f"reference {index + 1}: {empty} of {len(column)} segments are empty")
    return warnings
