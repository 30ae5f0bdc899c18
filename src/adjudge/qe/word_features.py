"""What models say of each word of an output: for its tag, and summed up for its segment."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from adjudge.qe.measures import Array, segment_deviations, segment_means, segment_minima
from adjudge.qe.resources import EstimatorResources
from adjudge.qe.word_text import WordText

SEGMENT_NAMES = (
    "source_lm_mean",
    "target_lm_mean",
    "target_lm_min",
    "target_lm_deviation",
    "target_depth",
    "target_unseen",
    "target_rarity",
    "model1_mean",
    "model1_min",
    "best_mean",
    "best_low",
    "hmm_mean",
    "hmm_min",
    "posterior_mean",
    "unaligned",
    "movement",
    "source_model1_mean",
    "source_model1_min",
    "source_best_mean",
    "source_best_low",
    "source_posterior_mean",
    "source_unaligned",
)
LOW = 0.01
"""A translation less likely than this is none."""


@dataclass(frozen=True, eq=False)
class WordScores:
    """A value for every word of the outputs, and for every word of the sources."""

    source: WordText
    target: WordText
    target_lm: Array
    depth: Array
    occurrences: Array
    source_lm: Array
    forward: Array
    """Words of outputs × 5: what `LexicalLinks` has."""
    backward: Array
    """Words of sources × 5: what `LexicalLinks` has."""


def word_scores(
    resources: EstimatorResources, source: WordText, target: WordText, *, threads: int = 0
) -> WordScores:
    """What language models and lexicons say of each word."""
    target_lm, depth = resources.target.model.token_scores(target)
    source_lm, _ = resources.source.model.token_scores(source)
    forward = resources.forward.links(source, target, threads=threads)
    backward = resources.backward.links(target, source, threads=threads)
    return WordScores(
        source,
        target,
        target_lm[_inner(target)],
        depth[_inner(target)].astype(np.float64),
        np.log1p(resources.target.occurrences(target).astype(np.float64)),
        source_lm[_inner(source)],
        forward.columns,
        backward.columns,
    )


def segment_features(scores: WordScores) -> Array:
    """Segments × 22."""
    target, source = scores.target, scores.source
    count, of, back = len(target.sizes), target.segments, source.segments
    model1, best, hmm, posterior, place = scores.forward.T
    source1, source_best, _, source_posterior, source_place = scores.backward.T
    return np.stack(
        [
            segment_means(scores.source_lm, back, count),
            segment_means(scores.target_lm, of, count),
            segment_minima(scores.target_lm, of, count),
            segment_deviations(scores.target_lm, of, count),
            segment_means(scores.depth, of, count),
            segment_means(scores.occurrences == 0, of, count),
            segment_means(scores.occurrences, of, count),
            segment_means(model1, of, count),
            segment_minima(model1, of, count),
            segment_means(best, of, count),
            segment_means(best < LOW, of, count),
            segment_means(hmm, of, count),
            segment_minima(hmm, of, count),
            segment_means(posterior, of, count),
            segment_means(place < 0, of, count),
            segment_means(_movement(place, target, source), of, count),
            segment_means(source1, back, count),
            segment_minima(source1, back, count),
            segment_means(source_best, back, count),
            segment_means(source_best < LOW, back, count),
            segment_means(source_posterior, back, count),
            segment_means(source_place < 0, back, count),
        ],
        1,
    )


def _inner(text: WordText) -> NDArray[np.bool_]:
    """Which scores of a language model are those of words, and not of the ends of sentences."""
    inner = np.ones(int(text.sizes.sum()) + len(text.sizes), bool)
    inner[np.cumsum(text.sizes + 1) - 1] = False
    return inner


def positions(text: WordText) -> Array:
    """Each word's place in its segment."""
    begins = np.cumsum(text.sizes) - text.sizes
    return np.arange(len(text.ids), dtype=np.float64) - begins[text.segments]


def _movement(place: Array, target: WordText, source: WordText) -> Array:
    """How far from its own place, as a share of the sentence, the word lies that each one is aligned with."""
    relative = positions(target) / np.maximum(target.sizes, 1)[target.segments]
    aligned = place / np.maximum(source.sizes, 1)[target.segments]
    return np.where(place >= 0, np.abs(aligned - relative), 0.0)
