"""Trigram language models with modified Kneser-Ney smoothing (Chen & Goodman 1998), as sorted arrays of n-grams.

Estimation follows lmplz (Heafield et al. 2013): counts of lower orders are of different words to the left, but for
n-grams that begin a sentence; three discounts an order; interpolated down to the even distribution over all words.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from adjudge.errors import DataError
from adjudge.qe.word_text import WordText

Array = NDArray[np.float64]
Keys = NDArray[np.uint64]
ORDER = 3
BITS = 21
"""Of a word's number in the key of a trigram: two million words."""
UNKNOWN, BEGIN, END = 0, 1, 2
SPECIAL = 3
"""Numbers before those of the vocabulary."""
MASK = np.uint64((1 << BITS) - 1)


@dataclass(frozen=True, eq=False)
class Ngrams:
    """All n-grams of an order that were seen, by rising key, with what is known of each."""

    keys: Keys
    log_probabilities: NDArray[np.float32]
    backoffs: NDArray[np.float32]
    """Logarithms of the mass left to shorter contexts where the n-gram is the context; 0 where it never is."""
    counts: NDArray[np.int64]
    """How often each was seen."""

    def places(self, keys: Keys) -> NDArray[np.intp]:
        """Where each key stands, -1 where it does not."""
        at = np.searchsorted(self.keys, keys)
        at = np.minimum(at, len(self.keys) - 1)
        return np.where(self.keys[at] == keys, at, -1) if len(self.keys) else np.full(len(keys), -1)


@dataclass(frozen=True, eq=False)
class LanguageModel:
    """n-grams of orders 1 to 3; natural logarithms."""

    orders: tuple[Ngrams, ...]

    def token_scores(self, text: WordText) -> tuple[Array, NDArray[np.intp]]:
        """The logarithm of each word's probability, sentence ends included, and how many words of context it had.

        Sentences lie one behind the other, each one longer by its end.
        """
        rows = _rows(text)
        scores, depths = np.empty(len(rows)), np.zeros(len(rows), np.intp)
        unknown = rows[:, -1] == UNKNOWN
        rest = np.arange(len(rows))
        backoff = np.zeros(len(rows))
        for order in range(len(self.orders), 0, -1):
            ngrams = rows[rest, ORDER - order :]
            valid = (ngrams[:, 1:-1] != BEGIN).all(1) & (ngrams[:, :-1] != -1).all(1)
            places = np.where(valid, self.orders[order - 1].places(_keys(ngrams)), -1)
            hit = places >= 0
            scores[rest[hit]] = self.orders[order - 1].log_probabilities[places[hit]]
            depths[rest[hit]] = order - 1
            rest, ngrams = rest[~hit], ngrams[~hit]
            if order > 1:
                contexts = self.orders[order - 2].places(_keys(ngrams[:, :-1]))
                known = (contexts >= 0) & (ngrams[:, :-1] != -1).all(1)
                backoff[rest[known]] += self.orders[order - 2].backoffs[contexts[known]]
        depths[unknown] = 0
        return scores + backoff, depths

    def sentence_scores(self, text: WordText) -> Array:
        """The logarithm of each sentence's probability, its end included."""
        scores, _ = self.token_scores(text)
        ends = np.cumsum(text.sizes + 1)
        return np.diff(np.concatenate([[0.0], np.cumsum(scores)])[np.concatenate([[0], ends])])


def train_language_model(text: WordText, words: int, *, fewest: int = 1) -> LanguageModel:
    """The model of a text over a vocabulary of `words`; trigrams seen less often than `fewest` are left out."""
    if words + SPECIAL >= 1 << BITS:
        raise DataError(
            f"a language model takes {(1 << BITS) - SPECIAL:,} different words at most, not {words:,}"
        )
    rows = _rows(text)
    if not len(rows):
        raise DataError("a language model needs text to be trained on, and there is none")
    counts = [_count_ngrams(rows, order) for order in range(1, ORDER + 1)]
    adjusted = [_adjust_counts(counts, order) for order in range(1, ORDER + 1)]
    lower: Ngrams | None = None
    orders = []
    for order in range(1, ORDER + 1):
        keys, seen = counts[order - 1]
        kept = seen >= fewest if order == ORDER else np.ones(len(keys), bool)
        probabilities, masses = _estimate(keys, adjusted[order - 1], kept, order, words, lower)
        if lower is not None:
            places = lower.places(masses[0])
            lower.backoffs[places] = np.log(masses[1])
        chosen = probabilities > 0
        logs = np.log(np.where(chosen, probabilities, 1.0)).astype(np.float32)
        lower = Ngrams(keys[kept], logs[kept], np.zeros(int(kept.sum()), np.float32), seen[kept])
        orders.append(lower)
    return LanguageModel(tuple(orders))


def _rows(text: WordText) -> NDArray[np.int64]:
    """Every word and sentence end with the two before it, tokens × 3; -1 where there is none."""
    sizes = text.sizes
    total = int(sizes.sum()) + 2 * len(sizes)
    begins = np.cumsum(sizes + 2) - (sizes + 2)
    line = np.full(total + 1, -1, np.int64)
    line[begins], line[begins + sizes + 1] = BEGIN, END
    inner = np.ones(total + 1, bool)
    inner[-1] = inner[begins] = inner[begins + sizes + 1] = False
    line[inner] = np.where(text.ids >= 0, text.ids.astype(np.int64) + SPECIAL, UNKNOWN)
    body = line[:-1]
    before, earlier = (np.concatenate([np.full(by, -1), body])[:total] for by in (1, 2))
    rows = np.stack([np.where(before == BEGIN, -1, earlier), before, body], 1)
    return np.asarray(rows[body != BEGIN])


def _keys(words: NDArray[np.int64]) -> Keys:
    keys = np.zeros(len(words), np.uint64)
    for column in words.T:
        keys = (keys << np.uint64(BITS)) | (column.astype(np.uint64) & MASK)
    return keys


def _count_ngrams(rows: NDArray[np.int64], order: int) -> tuple[Keys, NDArray[np.int64]]:
    """The n-grams of an order and how often each was seen; the beginning of a sentence is a unigram never seen."""
    ngrams = rows[:, ORDER - order :]
    keys, counts = np.unique(_keys(ngrams[(ngrams != -1).all(1)]), return_counts=True)
    if order == 1:
        missing = np.setdiff1d(np.array([UNKNOWN, BEGIN], np.uint64), keys)
        keys, counts = np.concatenate([missing, keys]), np.concatenate([np.zeros(len(missing), int), counts])
        by_key = np.argsort(keys)
        keys, counts = keys[by_key], counts[by_key]
    return keys, counts.astype(np.int64)


def _adjust_counts(counts: Sequence[tuple[Keys, NDArray[np.int64]]], order: int) -> NDArray[np.int64]:
    """Counts of the highest order and of what begins a sentence; otherwise of different words to the left."""
    keys, seen = counts[order - 1]
    if order == ORDER:
        return seen
    shift = np.uint64(BITS * order)
    ends = counts[order][0] & ((np.uint64(1) << shift) - np.uint64(1))
    suffixes, left = np.unique(ends, return_counts=True)
    adjusted = np.zeros(len(keys), np.int64)
    adjusted[np.searchsorted(keys, suffixes)] = left
    begins = (keys >> np.uint64(BITS * (order - 1))) == BEGIN
    return np.where(begins & (order > 1), seen, adjusted)


def _discounts(adjusted: NDArray[np.int64]) -> Array:
    """What is taken off n-grams seen never, once, twice, and more often."""
    seen = [int((adjusted == k).sum()) for k in range(1, 5)]
    if min(seen[:3]) == 0:
        return np.array([0.0, 0.5, 1.0, 1.5])  # as lmplz falls back on, for texts too small to tell
    y = seen[0] / (seen[0] + 2 * seen[1])
    discounts = [k - (k + 1) * y * seen[k] / seen[k - 1] for k in (1, 2, 3)]
    return np.array([0.0, *(min(max(value, 0.0), float(k)) for k, value in enumerate(discounts, 1))])


def _estimate(
    keys: Keys,
    adjusted: NDArray[np.int64],
    kept: NDArray[np.bool_],
    order: int,
    words: int,
    lower: Ngrams | None,
) -> tuple[Array, tuple[Keys, Array]]:
    """The probability of each n-gram, and the mass that each context leaves to shorter ones."""
    discounts = _discounts(adjusted)
    left = np.maximum(adjusted - discounts[np.minimum(adjusted, 3)], 0.0) * kept
    shift = np.uint64(BITS)
    contexts, of = np.unique(keys >> shift, return_inverse=True)
    totals = np.maximum(np.bincount(of, adjusted, len(contexts)), 1)
    mass = 1.0 - np.bincount(of, left, len(contexts)) / totals
    if lower is None:
        # Every word and the end of a sentence, and one word for all that are unknown.
        base = np.where(keys == BEGIN, 0.0, 1.0 / (words + 2))
        return left / totals[0] + np.where(keys == BEGIN, 0.0, mass[0] * base), (contexts, mass)
    suffixes = keys & ((np.uint64(1) << np.uint64(BITS * (order - 1))) - np.uint64(1))
    base = np.exp(lower.log_probabilities[lower.places(suffixes)].astype(np.float64))
    return left / totals[of] + mass[of] * base, (contexts, np.maximum(mass, 1e-12))
