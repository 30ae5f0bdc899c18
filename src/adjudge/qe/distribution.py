"""How estimates of each engine are spread: many good and few very bad, or many excellent and as many very bad?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from adjudge.errors import UsageError
from adjudge.qe.measures import Array
from adjudge.stats.intervals import wilson

THRESHOLDS = 9


@dataclass(frozen=True)
class ShareAbove:
    """The share of an engine's segments that pass a threshold, with a 95 % interval."""

    engine: str
    threshold: float
    share: float
    low: float
    high: float


@dataclass(frozen=True, eq=False)
class EstimateDistribution:
    """All engines by the same thresholds."""

    thresholds: tuple[float, ...]
    above: tuple[ShareAbove, ...]
    scores: Mapping[str, Array]
    higher_is_better: bool


def distribution(
    scores: Mapping[str, Array], *, higher_is_better: bool, thresholds: Sequence[float] = ()
) -> EstimateDistribution:
    """Shares of segments that pass each threshold; tenths of all where no threshold is given."""
    pooled = np.concatenate(list(scores.values()))
    if not len(pooled):
        raise UsageError("no segment to look at")
    given = sorted(set(map(float, thresholds)))
    tenths = np.quantile(pooled, np.linspace(0.1, 0.9, THRESHOLDS))
    cuts = tuple(given or dict.fromkeys(float(cut) for cut in tenths))
    above = tuple(
        ShareAbove(engine, cut, *_share(score, cut, higher_is_better))
        for engine, score in scores.items()
        for cut in cuts
    )
    return EstimateDistribution(cuts, above, dict(scores), higher_is_better)


def _share(scores: Array, cut: float, higher: bool) -> tuple[float, float, float]:
    passing = int((scores >= cut).sum() if higher else (scores <= cut).sum())
    low, high = wilson(passing / len(scores), len(scores))
    return passing / len(scores), low, high
