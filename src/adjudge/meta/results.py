"""What tasks find: how well each metric agrees with people, and which metrics agree better than others."""

from __future__ import annotations

from dataclasses import dataclass

from adjudge.meta.task import Task
from adjudge.stats.clusters import Placement

SENTINELS = "† is no metric but a sentinel, there to be beaten."
"""What stands below a table that has some."""


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
    p: float | None = None
    """For Pearson's r of systems: how likely one as far from 0 is where systems are drawn from no correlation."""


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
    placements: tuple[Placement, ...] = ()
    """Of the same: clusters and ranges of ranks, as `compare` has them for systems."""
    systems: tuple[str, ...] = ()
    outliers: tuple[str, ...] = ()
    """Systems left out because people found them far from the others."""
    least_p: float = 0.0
    """The least p that the test between metrics could have found."""
    sentinels: tuple[str, ...] = ()
    """What is no metric, and there to be beaten."""
    notes: tuple[str, ...] = ()

    @property
    def unbeaten(self) -> tuple[str, ...]:
        """Metrics than which no test shows another to agree better; none where nothing was tested."""
        pairs = [pair for pair in self.pairs if not {pair.a, pair.b} & set(self.sentinels)]
        beaten = {pair.b if pair.delta > 0 else pair.a for pair in pairs if pair.significant}
        tested = {name for pair in pairs for name in (pair.a, pair.b)}
        return tuple(value.metric for value in self.values if value.metric in tested - beaten)

    def not_better_than(self, sentinel: str) -> tuple[str, ...]:
        """Metrics that no test found to agree better than a sentinel does; none where nothing was tested."""
        beaten = {pair.a for pair in self.pairs if pair.b == sentinel and pair.significant and pair.delta > 0}
        tested = {name for pair in self.pairs for name in (pair.a, pair.b)}
        if sentinel not in tested:
            return ()
        return tuple(
            value.metric
            for value in self.values
            if value.metric in tested - beaten and value.metric not in self.sentinels
        )
