"""Texts as numbers of words, which models of words go over."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from adjudge import _native

TOKENIZERS = {"zh": "zh", "ja": "char", "th": "char", "lo": "char", "km": "char", "my": "char"}
"""By language; all others are cut by `intl`."""


@dataclass(frozen=True, eq=False)
class WordText:
    """The words of all segments in a row, -1 for unknown ones, and the length of each segment."""

    ids: NDArray[np.int32]
    sizes: NDArray[np.int64]

    @cached_property
    def segments(self) -> NDArray[np.intp]:
        """The segment of each word."""
        return np.repeat(np.arange(len(self.sizes)), self.sizes)


class WordVocabulary:
    """Words of one language and their numbers; text is lower-cased and cut as sacreBLEU does."""

    def __init__(self, tokenizer: str, words: Sequence[str] = ()) -> None:
        self.tokenizer = tokenizer
        self._ids = _native.WordIds()
        if words:
            self._ids.extend(_native.Texts(list(words), False))

    def __len__(self) -> int:
        return len(self._ids)

    def add(self, segments: Sequence[str]) -> WordText:
        """The text, whose new words are known from now on."""
        return WordText(*self._ids.add(_native.Texts(segments, True), self.tokenizer))

    def read(self, segments: Sequence[str], tokenizer: str = "") -> WordText:
        """The text with the words that are known; `none` as tokenizer cuts at spaces alone."""
        return WordText(*self._ids.find(_native.Texts(segments, True), tokenizer or self.tokenizer))

    @property
    def words(self) -> list[str]:
        """All words in the order of their numbers."""
        return self._ids.words()


def tokenizer_for(language: str) -> str:
    """How texts of a language are cut into words."""
    return TOKENIZERS.get(language, "intl")


def tokens(segments: Sequence[str], tokenizer: str) -> list[list[str]]:
    """The words of each segment as they are written."""
    return _native.tokenize(_native.Texts(segments, False), tokenizer)
