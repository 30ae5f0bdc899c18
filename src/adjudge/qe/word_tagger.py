"""Words that are wrong: OK or BAD for each word of an output, by logistic regression on what is known of it."""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from adjudge.errors import DataError
from adjudge.qe.labelled import BAD, OK
from adjudge.qe.measures import Array, matthews
from adjudge.qe.regression import sparse_weights
from adjudge.qe.resources import EstimatorResources
from adjudge.qe.word_features import positions, word_scores
from adjudge.stats.draws import fold_splits

COLUMNS = 1 << 15
"""Of words, hashed, behind the columns of numbers."""
PENALTY = 3.0
STEPS = 8
CONSTANT = 10.0
"""The column whose weight is the intercept: large, so that the penalty hardly touches it."""
NUMBERS = 22


@dataclass(frozen=True, eq=False)
class WordTagger:
    """Weights of numbers and words, and from where on a word is BAD."""

    means: Array
    scales: Array
    weights: Array
    intercept: float
    threshold: float
    held_out_mcc: float
    """Of words that the weights had not seen."""

    def probabilities(self, words: TaggedWords) -> Array:
        """How likely each word is to be BAD."""
        numbers = np.clip((words.numbers - self.means) / self.scales, -4, 4)
        linear = numbers @ self.weights[:NUMBERS] + words.hashed @ self.weights[NUMBERS:] + self.intercept
        return np.asarray(1 / (1 + np.exp(-np.clip(linear, -30, 30))))

    def tags(
        self,
        resources: EstimatorResources,
        sources: Sequence[str],
        outputs: Sequence[str],
        *,
        threads: int = 0,
    ) -> tuple[tuple[str, ...], ...]:
        """A tag a word, cut at spaces."""
        words = tagged_words(resources, sources, outputs, threads=threads)
        bad = iter(self.probabilities(words) > self.threshold)
        return tuple(tuple(BAD if next(bad) else OK for _ in output.split()) for output in outputs)


@dataclass(frozen=True, eq=False)
class TaggedWords:
    """Words × numbers, and words × hashed words."""

    numbers: Array
    hashed: Any
    sizes: NDArray[np.int64]


def tagged_words(
    resources: EstimatorResources, sources: Sequence[str], outputs: Sequence[str], *, threads: int = 0
) -> TaggedWords:
    """All that is known of each word of the outputs, cut at spaces."""
    source = resources.source.vocabulary.read(sources)
    target = resources.target.vocabulary.read(outputs, "none")
    scores = word_scores(resources, source, target, threads=threads)
    words = [word for output in outputs for word in output.split()]
    if len(words) != len(target.ids):
        raise DataError("outputs hold white space that parts words for some programs and not for others")
    owners = [set(text.split()) for text in sources]
    copied = np.array([word in owners[s] for word, s in zip(words, target.segments, strict=True)], float)
    model1, best, hmm, posterior, place = scores.forward.T
    shape = np.array([[len(w), w.isalnum(), w.isdigit(), w[:1].isupper()] for w in words], float).reshape(
        -1, 4
    )
    features = np.stack(
        [scores.target_lm, model1, np.log(best + 1e-7), hmm, posterior, scores.occurrences], 1
    )
    before, after = (
        _shift(features[:, :4], 1, target.segments),
        _shift(features[:, :4], -1, target.segments),
    )
    where = positions(target) / np.maximum(target.sizes, 1)[target.segments]
    rest = np.stack([scores.depth, place < 0, copied, where], 1)
    numbers = np.concatenate([features, before, after, rest, shape], 1)
    return TaggedWords(numbers, _hash_features(words, target.segments), target.sizes)


def train_tagger(words: TaggedWords, bad: NDArray[np.bool_], fold: NDArray[np.intp]) -> WordTagger:
    """The tagger that learns from all words; its threshold from words held out, fold by fold."""
    if bad.all() or not bad.any():
        raise DataError(
            f"all {len(bad):,} tags are {BAD if bad.all() else OK}: there is nothing to tell apart"
        )
    held_out = np.empty(len(bad))
    for known, unseen in fold_splits(fold):
        part = _fit(_rows(words, known), bad[known])
        held_out[unseen] = part.probabilities(_rows(words, unseen))
    candidates = np.quantile(held_out, np.linspace(0.5, 0.99, 50))
    scores = [matthews(bad, held_out > threshold) for threshold in candidates]
    best = int(np.argmax(scores))
    fitted = _fit(words, bad)
    return WordTagger(
        fitted.means, fitted.scales, fitted.weights, fitted.intercept, float(candidates[best]), scores[best]
    )


def _rows(words: TaggedWords, rows: NDArray[np.bool_]) -> TaggedWords:
    return TaggedWords(words.numbers[rows], words.hashed[rows], words.sizes)


def _fit(words: TaggedWords, bad: NDArray[np.bool_]) -> WordTagger:
    """Logistic regression by least squares that are weighted anew, step by step."""
    from scipy.sparse import csr_matrix, diags, hstack

    means, deviations = words.numbers.mean(0), words.numbers.std(0)
    scales = np.where(deviations > 0, deviations, 1.0)
    numbers = np.clip((words.numbers - means) / scales, -4, 4)
    constant = np.full((len(bad), 1), CONSTANT)
    matrix = hstack([csr_matrix(np.concatenate([numbers, constant], 1)), words.hashed]).tocsr()
    weights = np.zeros(matrix.shape[1])
    for _ in range(STEPS):
        linear = np.clip(matrix @ weights, -10, 10)
        chance = 1 / (1 + np.exp(-linear))
        spread = chance * (1 - chance)
        root = np.sqrt(spread)
        moved = sparse_weights(
            diags(root) @ matrix, root * (linear + (bad - chance) / spread), PENALTY, weights
        )
        change, weights = np.abs(moved - weights).max(), moved
        if change < 1e-3:
            break
    kept = weights.astype(np.float32).astype(np.float64)  # as a model's file has them
    learnt = np.delete(kept, NUMBERS)
    return WordTagger(means, scales, learnt, float(CONSTANT * kept[NUMBERS]), 0.5, float("nan"))


def _shift(columns: Array, by: int, segments: NDArray[np.intp]) -> Array:
    """The columns of the word before or after, 0 at the ends of segments."""
    moved = np.roll(columns, by, 0)
    return np.where((np.roll(segments, by) == segments)[:, None], moved, 0.0)


def _hash_features(words: Sequence[str], segments: NDArray[np.intp]) -> Any:
    """Each word, its end, and each with its neighbours."""
    from scipy.sparse import csr_matrix

    folded = [word.lower() for word in words]
    columns = []
    for place, word in enumerate(folded):
        same = place > 0 and segments[place - 1] == segments[place]
        before = folded[place - 1] if same else "<"
        more = place + 1 < len(folded) and segments[place + 1] == segments[place]
        after = folded[place + 1] if more else ">"
        names = (
            f"0{word}",
            f"1{before} {word}",
            f"2{word} {after}",
            f"3{word[-3:]}",
            f"4{before}",
            f"5{after}",
        )
        columns.append([zlib.crc32(name.encode("utf-8", "surrogatepass")) % COLUMNS for name in names])
    flat = np.array(columns, np.int64).reshape(-1)
    rows = np.repeat(np.arange(len(words)), 6)
    return csr_matrix((np.ones(len(flat)), (rows, flat)), (len(words), COLUMNS))
