"""Which word translates which, learnt from parallel text: IBM's model 1 and the HMM (`native/lexical.hpp`)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from adjudge import _native
from adjudge.errors import DataError
from adjudge.qe.word_text import WordText
from adjudge.wording import pluralise

Array = NDArray[np.float64]
MODEL1, HMM = 5, 3
"""Steps of expectation maximisation."""
LEAST = 1e-3
"""Less likely translations are forgotten after training."""


@dataclass(frozen=True, eq=False)
class Lexicon:
    """p(target word | source word): entries in the order of source and target; no word at all comes last."""

    source_words: int
    sources: NDArray[np.int32]
    targets: NDArray[np.int32]
    probabilities: NDArray[np.float32]
    jumps: tuple[float, ...]

    @cached_property
    def _model(self) -> _native.LexicalModel:
        return _native.LexicalModel(
            self.sources, self.targets, self.probabilities, self.source_words, list(self.jumps)
        )

    def links(self, source: WordText, target: WordText, *, threads: int = 0) -> LexicalLinks:
        """What the models say of each target word."""
        rows = self._model.score(source.ids, source.sizes, target.ids, target.sizes, threads)
        return LexicalLinks(*rows.T)

    def translations(self, least: float) -> NDArray[np.int64]:
        """How many translations each source word has that are likelier than `least`."""
        chosen = (self.probabilities > least) & (self.sources < self.source_words)
        return np.bincount(self.sources[chosen], minlength=self.source_words)


@dataclass(frozen=True, eq=False)
class LexicalLinks:
    """A value for every target word."""

    model1: Array
    """log p by model 1."""
    best: Array
    """Probability of the likeliest translation among the source's words."""
    hmm: Array
    """log p by the HMM, given the words before."""
    posterior: Array
    """The HMM's belief in the source word it aligns with."""
    place: Array
    """That word's place, -1 for none."""

    @property
    def columns(self) -> Array:
        """Words × 5, in this order."""
        return np.stack([self.model1, self.best, self.hmm, self.posterior, self.place], 1)


def train_lexicon(
    source: WordText, target: WordText, source_words: int, target_words: int, *, threads: int = 0
) -> Lexicon:
    """The lexicon of a parallel text."""
    if len(source.sizes) != len(target.sizes):
        raise DataError(
            f"parallel text: {pluralise(len(source.sizes), 'source segment')}, but {len(target.sizes):,} in the target"
        )
    model = _native.LexicalModel.train(
        source.ids,
        source.sizes,
        target.ids,
        target.sizes,
        source_words,
        target_words,
        MODEL1,
        HMM,
        threads,
    )
    return Lexicon(source_words, *model.entries(LEAST), tuple(model.jumps))
