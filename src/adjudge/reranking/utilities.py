"""What each hypothesis of a list is worth, were each of the others the truth with the probability it has."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from adjudge.data import TestSet
from adjudge.metrics.base import Metric, PairRows, Rows

Array = NDArray[np.float64]
BLOCK = 1 << 15
"""Rows of pairs that are in memory at a time, but never less than those of one hypothesis."""
TIE = 1e-9
"""Utilities no further apart are equal: what is left of rounding where sums are added in another order."""


@dataclass(frozen=True)
class OneByOne:
    """Rows of outputs against references by the metric itself; the references are prepared once for all of them."""

    metric: Metric
    outputs: Sequence[str]
    prepared: object
    references: int
    threads: int = 0

    def rows(self, begin: int, end: int) -> Rows:
        """Those of some outputs, each against all references."""
        return np.concatenate(
            [
                self.metric.stats(self.prepared, [output] * self.references, threads=self.threads)
                for output in self.outputs[begin:end]
            ]
        )


def one_by_one(
    metric: Metric,
    outputs: Sequence[str],
    references: Sequence[str],
    *,
    source: str | None = None,
    language: str = "",
    threads: int = 0,
) -> OneByOne:
    """Outputs against each of the references of one segment."""
    count = len(references)
    sources = None if source is None else (source,) * count
    test_set = TestSet(references=(tuple(references),), sources=sources, language=language)
    return OneByOne(metric, outputs, metric.prepare(test_set), count, threads)


def utility_blocks(metric: Metric, pairs: PairRows, outputs: int, references: int) -> Iterator[Array]:
    """The segment scores of all pairs, outputs × references, a few outputs at a time."""
    segment = metric.for_segments()
    step = max(1, BLOCK // references)
    for begin in range(0, outputs, step):
        rows = pairs.rows(begin, min(begin + step, outputs))
        yield segment.aggregate(rows).reshape(-1, references)


def weighted_means(blocks: Iterator[Array], weights: Array) -> Array:
    """Means over the references with these weights; a pair without a score does not count."""
    means = []
    for block in blocks:
        known = ~np.isnan(block)
        total = np.where(known, block * weights, 0.0).sum(-1)
        counted = np.where(known, weights, 0.0).sum(-1)
        means.append(np.divide(total, counted, out=np.full(len(total), np.nan), where=counted > 0))
    return np.concatenate(means)


@dataclass(frozen=True)
class DistinctTexts:
    """The hypotheses of a list, each once, in the order in which they first stand there."""

    texts: tuple[str, ...]
    weights: Array
    """The share that each has of all."""
    place: NDArray[np.int64]
    """Where each hypothesis of the list is among them."""


def distinct(hypotheses: Sequence[str], probabilities: Array | None = None) -> DistinctTexts:
    """Equal hypotheses are one, with the sum of their probabilities; without any, all are as likely."""
    numbers: dict[str, int] = {}
    place = np.array([numbers.setdefault(text, len(numbers)) for text in hypotheses], np.int64)
    weights = np.bincount(place, probabilities, len(numbers)).astype(np.float64)
    return DistinctTexts(tuple(numbers), weights / weights.sum(), place)


def expected_utilities(
    metric: Metric,
    hypotheses: Sequence[str],
    probabilities: Array | None = None,
    *,
    source: str | None = None,
    language: str = "",
    threads: int = 0,
) -> Array:
    """The mean score of each hypothesis with all of its list, itself included, as references: exact."""
    merged = distinct(hypotheses, probabilities)
    pairs = metric.all_pairs(merged.texts) or one_by_one(
        metric, merged.texts, merged.texts, source=source, language=language, threads=threads
    )
    count = len(merged.texts)
    return weighted_means(utility_blocks(metric, pairs, count, count), merged.weights)[merged.place]


def best(utilities: Array, *, higher: bool, tie: float = TIE) -> int | None:
    """The place of the best, of equals the first; None where nothing has a score."""
    if np.isnan(utilities).all():
        return None
    values = utilities if higher else -utilities
    return int(np.flatnonzero(values >= np.nanmax(values) - tie)[0])
