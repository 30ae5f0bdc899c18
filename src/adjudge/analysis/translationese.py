"""Forward and reverse: segments first written in the source language, and those that were themselves translated.

A segment whose source is a translation is easier to translate and its reference is the original (Graham, Haddow and
Koehn 2020). Scores of the two halves differ, and so may the order of systems.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from adjudge.data.origins import FORWARD, OTHER, REVERSE
from adjudge.stats import correlation

BINS = 12


@dataclass(frozen=True)
class Half:
    """One system on both halves."""

    system: str
    forward: float
    reverse: float
    both: float

    @property
    def difference(self) -> float:
        """Reverse − forward."""
        return self.reverse - self.forward


@dataclass(frozen=True)
class PairOfHalves:
    """Two systems on both halves."""

    a: str
    b: str
    forward: float
    """a − b on the forward half."""
    reverse: float
    forward_relative: float
    """The difference over the mean of the two scores; NaN where a scale has no zero (z-scores)."""
    reverse_relative: float

    @property
    def flips(self) -> bool:
        """Whether the other system is ahead on the other half."""
        return self.forward * self.reverse < 0


@dataclass(frozen=True)
class Halves:
    """All systems on both halves, by one measure."""

    measure: str
    higher_is_better: bool | None
    decimals: int
    systems: tuple[Half, ...]
    mean_difference: float
    deviation: float
    """Of reverse − forward over systems (n − 1 below the line)."""
    reverse_higher: float
    """Share of systems with a higher score on the reverse half; ties are neither."""
    forward_higher: float
    pearson: float
    spearman: float
    kendall: float
    """Between the systems' scores on the two halves."""
    pairs: tuple[PairOfHalves, ...]
    forward_relative: float
    """Mean size of the relative differences of all pairs on the forward half; NaN without a zero."""
    reverse_relative: float
    flips: float
    """Share of pairs whose order is the other one on the other half."""


def halves(
    measure: str,
    scores: Mapping[str, tuple[float, float, float]],
    *,
    higher_is_better: bool | None = True,
    decimals: int = 1,
    has_zero: bool = True,
) -> Halves:
    """Systems' scores on forward segments, on reverse ones and on both; who lacks a score on either is left out."""
    systems = tuple(
        Half(name, forward, reverse, both)
        for name, (forward, reverse, both) in scores.items()
        if math.isfinite(forward) and math.isfinite(reverse)
    )
    forward = np.array([s.forward for s in systems])
    reverse = np.array([s.reverse for s in systems])
    off = reverse - forward
    pairs = tuple(_pair(a, b, has_zero) for a, b in combinations(systems, 2))
    return Halves(
        measure=measure,
        higher_is_better=higher_is_better,
        decimals=decimals,
        systems=systems,
        mean_difference=float(off.mean()) if len(off) else math.nan,
        deviation=float(off.std(ddof=1)) if len(off) > 1 else math.nan,
        reverse_higher=_share(off > 0),
        forward_higher=_share(off < 0),
        pearson=_correlation("pearson", forward, reverse),
        spearman=_correlation("spearman", forward, reverse),
        kendall=_correlation("kendall", forward, reverse),
        pairs=pairs,
        forward_relative=_size([pair.forward_relative for pair in pairs]),
        reverse_relative=_size([pair.reverse_relative for pair in pairs]),
        flips=_share(np.array([pair.flips for pair in pairs])),
    )


def _pair(a: Half, b: Half, has_zero: bool) -> PairOfHalves:
    def relative(first: float, second: float) -> float:
        middle = (first + second) / 2
        return (first - second) / middle if has_zero and middle else math.nan

    return PairOfHalves(
        a=a.system,
        b=b.system,
        forward=a.forward - b.forward,
        reverse=a.reverse - b.reverse,
        forward_relative=relative(a.forward, b.forward),
        reverse_relative=relative(a.reverse, b.reverse),
    )


def _size(differences: Sequence[float]) -> float:
    return float(np.abs(differences).mean()) if differences else math.nan


def _share(mask: NDArray[np.bool_]) -> float:
    return float(mask.mean()) if len(mask) else math.nan


def _correlation(name: str, first: NDArray[np.float64], second: NDArray[np.float64]) -> float:
    if len(first) < 2:
        return math.nan
    return float(correlation.CORRELATIONS[name](first[None], second)[0])


@dataclass(frozen=True)
class Lengths:
    """How long the segments of one direction are, in words (or characters, where a script has no spaces)."""

    direction: str
    text: str
    """source or reference."""
    segments: int
    mean: float
    deviation: float
    quartiles: tuple[float, float, float]
    width: int
    """Of a bin of the histogram."""
    histogram: tuple[int, ...]
    """Segments of 0 to width − 1 words, of width to 2 · width − 1, …; the last bin has all that are longer."""


def lengths(texts: Sequence[str], ways: Sequence[str], text: str) -> list[Lengths]:
    """The lengths of the segments of every direction, with histograms of the same bins."""
    words = np.array([len(segment.split()) for segment in texts], dtype=float)
    characters = np.array([len(segment) for segment in texts], dtype=float)
    if words.sum() * 20 < characters.sum():  # no language with spaces has words that long
        words = characters
    width = _bin(words)
    by_direction = []
    for way in (FORWARD, REVERSE, OTHER):
        way_words = words[[w == way for w in ways]]
        if len(way_words):
            low, middle, high = np.quantile(way_words, [0.25, 0.5, 0.75])
            deviation = float(way_words.std(ddof=1)) if len(way_words) > 1 else math.nan
            bins = np.minimum(way_words // width, BINS - 1).astype(int)
            by_direction.append(
                Lengths(
                    way,
                    text,
                    len(way_words),
                    float(way_words.mean()),
                    deviation,
                    (float(low), float(middle), float(high)),
                    width,
                    tuple(np.bincount(bins, minlength=BINS).tolist()),
                )
            )
    return by_direction


def _bin(words: NDArray[np.float64]) -> int:
    """A round width with which nearly all segments fall below the last bin."""
    most = float(np.quantile(words, 0.99)) if len(words) else 0.0
    steps = np.array([step * 10**power for power in range(9) for step in (1, 2, 5)])
    return int(steps[np.searchsorted(steps * (BINS - 1), most, side="right")])
