"""What tasks find: how well each metric agrees with people, and which metrics agree better than others."""

from __future__ import annotations

from dataclasses import dataclass

from adjudge.meta.task import Task


@dataclass(frozen=True)
class MetricValue:
    """One metric's agreement with people in one task."""

    metric: str
    value: float
    """NaN where there is none; then there is a reason."""
    low: float
    high: float
    """The interval around it; NaN where none can be given."""
    n: int
    """Systems, judged segments, or groups with a value, whichever the value was made from."""
    reason: str = ""
    """Why there is no value, or what a reader should know of it."""
    epsilon: float | None = None
    """For accuracy with ties: scores that differ by no more count as tied."""


@dataclass(frozen=True)
class MetricPair:
    """Two metrics in one task: by how much the first agrees better, and whether that is more than chance."""

    a: str
    b: str
    delta: float
    p: float
    p_adjusted: float
    significant: bool


@dataclass(frozen=True)
class TaskResult:
    """All metrics in one task, the best first."""

    task: Task
    values: tuple[MetricValue, ...]
    pairs: tuple[MetricPair, ...] = ()
    ranks: tuple[int, ...] = ()
    """Of the metrics, in the order of `values`: 1 for those that no other is significantly better than."""
    systems: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
