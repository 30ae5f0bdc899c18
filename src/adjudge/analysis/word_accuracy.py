"""Which words systems get right: precision, recall and F of words by how frequent, how long or what they are.

A word of the output is right as often as the reference has it in the same segment, wherever it stands (compare-mt).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from adjudge import _native
from adjudge.analysis.cutting import Cutting
from adjudge.data import Outputs, TestSet
from adjudge.errors import UsageError, unknown_name
from adjudge.metrics.base import Rows, divide
from adjudge.stats.resampling import bootstrap

Ints = NDArray[np.int64]
Property = Literal["frequency", "length", "kind"]
PROPERTIES: tuple[str, ...] = get_args(Property)
FREQUENCIES = (1, 2, 3, 4, 5, 10, 100, 1000)
"""Where one bucket ends and the next begins: words seen never, once, twice, … as compare-mt has them."""
LENGTHS = (2, 4, 6, 8, 10, 13)
KINDS = ("word", "name or start", "number", "punctuation", "mixed")


@dataclass(frozen=True)
class Accuracy:
    """One system's words of one bucket."""

    matched: int
    output: int
    """Words of the output in the bucket."""
    precision: float
    recall: float
    f: float
    low: float
    high: float
    """Interval of F, over segments."""


@dataclass(frozen=True)
class WordBucket:
    """Words that are alike, and how often systems get them right."""

    name: str
    reference: int
    """Words of the references in the bucket."""
    systems: tuple[Accuracy, ...]


@dataclass(frozen=True)
class WordAccuracy:
    """Words of several systems by buckets."""

    by: str
    counted_in: str
    """What frequencies are counted in."""
    systems: tuple[str, ...]
    buckets: tuple[WordBucket, ...]
    level: float


@dataclass(frozen=True)
class Buckets:
    """Names of buckets, and the bucket of a word."""

    names: tuple[str, ...]
    place: Callable[[Sequence[str]], Ints]


def word_accuracy(
    test_set: TestSet,
    outputs: Sequence[Outputs],
    *,
    by: Property = "frequency",
    cuts: Sequence[int] | None = None,
    frequencies: Mapping[str, int] | None = None,
    cutting: Cutting | None = None,
    resamples: int = 1000,
    seed: int = 12345,
    level: float = 0.95,
) -> WordAccuracy:
    """Precision, recall and F of the words of every output, bucket by bucket, against the first reference.

    Words are `frequent` as often as they stand in the references, unless `frequencies`, of a training text say, are
    given.
    """
    if by not in PROPERTIES:
        raise unknown_name("property of words", by, PROPERTIES)
    cut = cutting or Cutting()
    tokenizer = cut.tokenizer(test_set)
    texts = [
        tokenizer.cross(text, lowercase=cut.lowercase)
        for text in (test_set.references[0], *(output.segments for output in outputs))
    ]
    words, numbered = _native.numbered_words(texts, tokenizer.core_name)
    (reference, begins), *systems = numbered
    if frequencies is None:
        counts = np.bincount(reference, minlength=len(words))
    else:
        counts = np.array([frequencies.get(word, 0) for word in words], np.int64)
    buckets = _buckets(by, cuts, counts)
    bucket = buckets.place(words)
    rows = _rows(reference, begins, systems, bucket, len(words), len(buckets.names))
    shown = []
    for place, name in enumerate(buckets.names):
        own = [np.ascontiguousarray(table[:, place]) for table in rows]
        if not any(table.any() for table in own):
            continue
        accuracies = tuple(_accuracy(table, resamples, seed, level) for table in own)
        shown.append(WordBucket(name, int(own[0][:, 2].sum()), accuracies))
    return WordAccuracy(
        by,
        "the reference" if frequencies is None else "another text",
        tuple(output.title for output in outputs),
        tuple(shown),
        level,
    )


def f_measure(sums: Rows) -> Rows:
    """F in percent, of sums of (matched, output, reference)."""
    return 100.0 * divide(2 * sums[..., 0], sums[..., 1] + sums[..., 2], otherwise=0.0)


def _accuracy(rows: Rows, resamples: int, seed: int, level: float) -> Accuracy:
    matched, output, reference = rows.sum(0)
    estimate = bootstrap(rows, f_measure, resamples=resamples, seed=seed, level=level)
    return Accuracy(
        matched=int(matched),
        output=int(output),
        precision=100.0 * matched / output if output else 0.0,
        recall=100.0 * matched / reference if reference else 0.0,
        f=estimate.score,
        low=estimate.low,
        high=estimate.high,
    )


def _rows(
    reference: Ints,
    begins: Ints,
    systems: Sequence[tuple[Ints, Ints]],
    bucket: Ints,
    words: int,
    buckets: int,
) -> list[Rows]:
    """Of each system: segments × buckets × (matched, output, reference)."""
    segments = len(begins) - 1
    theirs = _counts(reference, begins, words)
    wanted = _sums(theirs, bucket, words, segments, buckets)
    rows = []
    for ids, own_begins in systems:
        ours = _counts(ids, own_begins, words)
        matched = (ours[0], _clipped(ours, theirs))
        parts = (_sums(part, bucket, words, segments, buckets) for part in (matched, ours))
        rows.append(np.stack([*parts, wanted], axis=-1))
    return rows


def _counts(ids: Ints, begins: Ints, words: int) -> tuple[Ints, Ints]:
    """How often each segment has each word: keys segment · words + word, ascending, and counts."""
    segment = np.repeat(np.arange(len(begins) - 1), np.diff(begins))
    keys: tuple[Ints, Ints] = np.unique(segment * words + ids, return_counts=True)
    return keys


def _clipped(own: tuple[Ints, Ints], other: tuple[Ints, Ints]) -> Ints:
    """For each key of `own`, how often both have it."""
    keys, counts = own
    if not len(other[0]):
        return np.zeros(len(keys), np.int64)
    places = np.minimum(np.searchsorted(other[0], keys), len(other[0]) - 1)
    return np.where(other[0][places] == keys, np.minimum(counts, other[1][places]), 0)


def _sums(counts: tuple[Ints, Ints], bucket: Ints, words: int, segments: int, buckets: int) -> Rows:
    keys, numbers = counts
    segment, word = np.divmod(keys, max(1, words))
    cells = segment * buckets + bucket[word]
    sums = np.bincount(cells, weights=numbers, minlength=segments * buckets)
    return sums.astype(np.float64).reshape(segments, buckets)


def _buckets(by: str, cuts: Sequence[int] | None, frequencies: Ints) -> Buckets:
    if by == "kind":
        if cuts is not None:
            raise UsageError("kinds of words have no bounds: leave --cuts out")
        return Buckets(
            KINDS, lambda words: np.array([KINDS.index(kind_of(word)) for word in words], np.int64)
        )
    bounds = tuple(cuts) if cuts is not None else {"frequency": FREQUENCIES, "length": LENGTHS}[by]
    if not bounds or any(b <= a for a, b in pairwise(bounds)) or bounds[0] < 1:
        raise UsageError(
            f"bounds of buckets {', '.join(map(str, bounds))}: whole numbers from 1 on, ascending"
        )

    def place(words: Sequence[str]) -> Ints:
        values = frequencies if by == "frequency" else np.array([len(word) for word in words], np.int64)
        return np.searchsorted(bounds, values, side="right").astype(np.int64)

    return Buckets(_names(bounds), place)


def _names(bounds: Sequence[int]) -> tuple[str, ...]:
    """The buckets between bounds, a bound being the first value of the next: 0, 1, 2, 5–9, ≥1000."""
    names = ["0" if bounds[0] == 1 else f"<{bounds[0]}"]
    names += [str(low) if high == low + 1 else f"{low}–{high - 1}" for low, high in pairwise(bounds)]
    return (*names, f"≥{bounds[-1]}")


def kind_of(word: str) -> str:
    """What a word looks like, in any script: a word, one with a capital, a number, punctuation, or a mixture."""
    if any(c.isdigit() for c in word):
        return "number" if not any(c.isalpha() for c in word) else "mixed"
    if not any(c.isalpha() for c in word):
        return "punctuation"
    return "name or start" if word[0].isupper() else "word"
