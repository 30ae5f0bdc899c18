"""Fewer pairs than all, for metrics that are slow, and what that costs: asked for by name, and measured."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from adjudge.metrics import metric as metric_of
from adjudge.metrics.base import Metric
from adjudge.reranking.utilities import (
    Array,
    distinct,
    expected_utilities,
    one_by_one,
    utility_blocks,
    weighted_means,
)
from adjudge.stats.draws import category_counts, sample

CHEAP = "chrf"
"""The utility that a shortlist is made with."""


@dataclass(frozen=True)
class Approximation:
    """What is left out: hypotheses that are no candidates, and hypotheses that are no reference."""

    sample: int | None = None
    """References that are drawn from each list (Eikema and Aziz 2022); None: all of it."""
    shortlist: int | None = None
    """Candidates, those with the best exact expected chrF (coarse to fine); None: all."""
    check: int = 10
    """Segments, drawn at random, on which the exact choice is computed as well."""
    seed: int = 12345

    @property
    def is_exact(self) -> bool:
        """Whether nothing is left out."""
        return self.sample is None and self.shortlist is None


@dataclass(frozen=True)
class ApproximationError:
    """How far approximate choices were from exact ones, where both were made."""

    segments: int
    same: int
    """Choices that were the same text."""
    mean_loss: float
    """Expected utility, by all pairs, that the approximate choice falls short of the exact one."""
    worst_loss: float


def approximate_utilities(
    metric: Metric,
    hypotheses: Sequence[str],
    probabilities: Array | None,
    options: Approximation,
    *,
    segment: int,
    source: str | None,
    language: str,
    threads: int,
) -> Array:
    """Expected utilities by fewer pairs; NaN for hypotheses that are no candidates."""
    merged = distinct(hypotheses, probabilities)
    candidates = np.arange(len(merged.texts))
    if options.shortlist is not None and options.shortlist < len(candidates):
        coarse = expected_utilities(metric_of(CHEAP), hypotheses, probabilities)
        by_text = coarse[np.unique(merged.place, return_index=True)[1]]
        candidates = np.sort(np.argsort(-by_text, kind="stable")[: options.shortlist])
    drawn = _draw_weights(merged.weights, options, segment)
    pairs = one_by_one(
        metric,
        [merged.texts[at] for at in candidates],
        [merged.texts[at] for at in np.flatnonzero(drawn)],
        source=source,
        language=language,
        threads=threads,
    )
    blocks = utility_blocks(metric, pairs, len(candidates), int((drawn > 0).sum()))
    utilities = np.full(len(merged.texts), np.nan)
    utilities[candidates] = weighted_means(blocks, drawn[drawn > 0])
    return utilities[merged.place]


def _draw_weights(weights: Array, options: Approximation, segment: int) -> Array:
    """Weights of the references: how often each was drawn, or as they were where all are used."""
    if options.sample is None:
        return weights
    [counts] = category_counts(options.sample, weights, 1, (options.seed, segment), at_once=1)
    return counts.astype(np.float64)


def checked_segments(count: int, options: Approximation) -> NDArray[np.int64]:
    """The segments on which the exact choice is made as well."""
    return np.sort(sample(count, min(count, options.check), options.seed))


def error_of(losses: Sequence[float], same: Sequence[bool]) -> ApproximationError | None:
    """What was lost on the segments that were looked at; None where there were none."""
    if not losses:
        return None
    return ApproximationError(len(losses), sum(same), float(np.mean(losses)), float(np.max(losses)))
