"""The structure of alignments (chunks, crossings, what is left over), their distributions, and which to look at."""

from __future__ import annotations

import math
from bisect import bisect_right, insort
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from adjudge.data import Alignment, Link
from adjudge.errors import UsageError, unknown_name
from adjudge.metrics.base import divide

Floats = NDArray[np.float64]
Choice = Literal["different", "gains", "losses", "best", "worst"]
Rank = Literal["balanced", "score", "influence"]
Side = Literal["hypothesis", "reference"]
CHOICES: tuple[str, ...] = get_args(Choice)
RANKS: tuple[str, ...] = get_args(Rank)
TINY = 1e-200
"""What cannot be told from nothing on an axis, and hardly be divided into bins."""
BINS = 20


@dataclass(frozen=True)
class WordRun:
    """A run of matched words that stands in the same order and without gaps on both sides."""

    hypothesis: tuple[int, int]
    reference: tuple[int, int]


@dataclass(frozen=True)
class Structure:
    """What can be counted in an alignment."""

    hypothesis_words: int
    reference_words: int
    matched_hypothesis: int
    matched_reference: int
    chunks: tuple[WordRun, ...]
    """In the order of the reference."""
    crossings: int
    """Pairs of matches whose order differs between the two sides."""
    kinds: Mapping[str, int]
    """How many links there are of each kind."""
    words: Mapping[str, int]
    """How many words of the hypothesis are in links of each kind."""
    extra: int
    """Words of the hypothesis in no link."""
    missing: int
    """Words of the reference in no link."""

    @property
    def row(self) -> tuple[int, ...]:
        """Numbers that can be added up over segments, for `ratios`; a whole match in one chunk has none."""
        matched = self.matched_hypothesis, self.matched_reference
        whole = matched == (self.hypothesis_words, self.reference_words)
        chunks = 0 if whole and len(self.chunks) == 1 else len(self.chunks)
        return self.hypothesis_words, self.reference_words, *matched, chunks, self.crossings


@dataclass(frozen=True)
class SystemDistribution:
    """How one measure is spread over one system's segments."""

    system: str
    counts: tuple[int, ...]
    """Segments a bin."""
    deciles: tuple[float, ...]
    """From the least to the greatest value, eleven; NaN where there are no values."""
    mean: float
    missing: int
    """Segments that have no value, as a precision without words."""


@dataclass(frozen=True)
class MeasureDistribution:
    """One measure over the segments of every system, in the same bins."""

    measure: str
    edges: tuple[float, ...]
    """Where bins meet, one more than bins; the last bin holds all that is greater as well."""
    open_ended: bool
    """Whether there is anything beyond the last edge."""
    systems: tuple[SystemDistribution, ...]


def structure(alignment: Alignment) -> Structure:
    """Count chunks, crossings and matched words."""
    matches = sorted((link for link in alignment.links if link.matches), key=lambda link: link.reference)
    words = Counter(word_kinds(alignment, "hypothesis"))
    return Structure(
        hypothesis_words=len(alignment.hypothesis),
        reference_words=len(alignment.reference),
        matched_hypothesis=sum(link.hypothesis[1] - link.hypothesis[0] for link in matches),
        matched_reference=sum(link.reference[1] - link.reference[0] for link in matches),
        chunks=_chunks(matches),
        crossings=_crossings(matches),
        kinds=dict(Counter(link.kind for link in alignment.links)),
        extra=words.pop("", 0),
        words=dict(words),
        missing=word_kinds(alignment, "reference").count(""),
    )


def ratios(sums: Floats) -> dict[str, Floats]:
    """Precision, recall and fragmentation from sums of rows, `(..., k) -> (...)`; a ratio of nothing is NaN.

    Fragmentation is chunks per matched word (METEOR 1.5).
    """
    ours, theirs, matched, covered, chunks, _ = np.moveaxis(np.asarray(sums, np.float64), -1, 0)
    return {
        "precision": divide(matched, ours, otherwise=np.nan),
        "recall": divide(covered, theirs, otherwise=np.nan),
        "fragmentation": divide(2 * chunks, matched + covered, otherwise=np.nan),
    }


def word_kinds(alignment: Alignment, side: Side) -> list[str]:
    """How each word of one side is linked; empty where it is not."""
    kinds = [""] * len(getattr(alignment, side))
    for link in alignment.links:
        begin, end = getattr(link, side)
        kinds[begin:end] = [link.kind] * (end - begin)
    return kinds


def shrink_to_middle(scores: Floats, words: Floats, middle: float) -> Floats:
    """Scores as distances from `middle` that short segments do not win by chance.

    Chance moves the score of a segment of n words by about 1/√n, so distances times √n are alike in what they prove. By
    scores alone the first places go to segments of a word or two, by influence on the whole to the longest.
    """
    return (np.asarray(scores, np.float64) - middle) * np.sqrt(np.maximum(1.0, words))


def choose(merits: Floats, choice: str, count: int, *, gains: Floats | None = None) -> list[int]:
    """The segments most worth a look, by merits of one or two systems (systems × segments); ties in order.

    `different`: where two systems lie furthest apart; `gains` and `losses`: where the second is better or worse than
    the first; `best` and `worst`: by the mean of the systems. More merit is better; `gains` are the second's over the
    first where they are not the difference of the merits. Segments without a number are left out.
    """
    if choice not in CHOICES:
        raise unknown_name("choice", choice, CHOICES)
    if len(merits) < 2 and choice not in ("best", "worst"):
        raise UsageError(f"{choice!r} compares two systems, but there is one; choose best or worst")
    merits = np.asarray(merits, np.float64)
    if choice in ("best", "worst"):
        value = merits.mean(0) * (1.0 if choice == "best" else -1.0)
    else:
        gain = merits[1] - merits[0] if gains is None else np.asarray(gains, np.float64)
        value = {"different": np.abs(gain), "gains": gain, "losses": -gain}[choice]
    # A segment on which nothing was gained is no gain, however few there are.
    eligible = np.isfinite(value) & ((value > 0) | (choice in ("best", "worst")))
    order = np.argsort(-np.where(eligible, value, -np.inf), kind="stable")
    return [int(index) for index in order[: min(count, int(eligible.sum()))]]


def distribution(
    measure: str,
    values: Mapping[str, Sequence[float] | Floats],
    *,
    low: float = 0.0,
    high: float = 1.0,
    bins: int = BINS,
) -> MeasureDistribution:
    """How a measure is spread over segments, by system; an open scale (`high` infinite) ends where most values do."""
    columns = {system: np.asarray(column, np.float64) for system, column in values.items()}
    finite = {system: column[np.isfinite(column)] for system, column in columns.items()}
    everything = np.concatenate([*finite.values(), np.empty(0)])
    if not math.isfinite(high):
        # A few garbled segments reach thousands of percent, and would leave all others in the first bin.
        high = _round_up(float(np.quantile(everything, 0.98))) if len(everything) else 1.0
    if not math.isfinite(low):
        low = min(0.0, float(everything.min(initial=0.0)))
    if not low < high:
        high = low + 1.0
    edges = np.linspace(low, high, bins + 1)
    systems = tuple(
        SystemDistribution(
            system=system,
            counts=tuple(map(int, np.histogram(np.clip(numbers, low, high), edges)[0])),
            deciles=tuple(map(float, np.quantile(numbers, np.linspace(0, 1, 11)))) if len(numbers) else (),
            mean=float(numbers.mean()) if len(numbers) else math.nan,
            missing=len(columns[system]) - len(numbers),
        )
        for system, numbers in finite.items()
    )
    beyond = bool((everything > high).any())
    return MeasureDistribution(measure, tuple(map(float, edges)), beyond, systems)


def _chunks(matches: Sequence[Link]) -> tuple[WordRun, ...]:
    chunks: list[WordRun] = []
    for link in matches:
        last = chunks[-1] if chunks else None
        if last and last.hypothesis[1] == link.hypothesis[0] and last.reference[1] == link.reference[0]:
            chunks[-1] = WordRun(
                (last.hypothesis[0], link.hypothesis[1]), (last.reference[0], link.reference[1])
            )
        else:
            chunks.append(WordRun(link.hypothesis, link.reference))
    return tuple(chunks)


def _crossings(matches: Sequence[Link]) -> int:
    before: list[int] = []
    crossings = 0
    for link in matches:
        crossings += len(before) - bisect_right(before, link.hypothesis[0])
        insort(before, link.hypothesis[0])
    return crossings


def _round_up(value: float) -> float:
    """The next number of at most two digits and zeros, so that axes have round ends."""
    if value < TINY:
        return 1.0
    power = 10.0 ** math.floor(math.log10(value))
    steps = (1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10)
    return next(
        (power * step for step in steps if power * step >= value), value
    )  # no power of ten is so small
