"""How analyses cut texts into words: as the target language asks for, unless somebody says otherwise."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from adjudge import _native
from adjudge.data import TestSet
from adjudge.text import tokenizers
from adjudge.text.tokenizers import Tokenizer


@dataclass(frozen=True)
class Cutting:
    """How texts are cut into words."""

    tokenize: str = ""
    """A tokenizer's name; empty: that of the target language."""
    lowercase: bool = False

    def __post_init__(self) -> None:
        if self.tokenize:
            tokenizers.check(self.tokenize)

    def tokenizer(self, test_set: TestSet) -> Tokenizer:
        """What cuts texts of this test set."""
        return tokenizers.tokenizer(self.tokenize or tokenizers.usual(test_set))

    def words(self, segments: Sequence[str | None], test_set: TestSet) -> list[list[str]]:
        """The words of every segment; none of one that is missing."""
        tokenizer = self.tokenizer(test_set)
        return _native.tokenize(tokenizer.cross(segments, lowercase=self.lowercase), tokenizer.core_name)
