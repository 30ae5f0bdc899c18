"""What metrics on words share: references crossed into the core once, outputs prepared the same way."""

from __future__ import annotations

from collections.abc import Sequence

from adjudge import _native
from adjudge.data import TestSet
from adjudge.text.tokenizers import Tokenizer


def crossed_references(test_set: TestSet, tokenizer: Tokenizer, *, lowercase: bool) -> list[_native.Texts]:
    """Every reference set as the core reads it."""
    return [_native.texts(tokenizer.for_core(column, lowercase=lowercase)) for column in test_set.references]


def crossed_outputs(outputs: Sequence[str], tokenizer: Tokenizer, *, lowercase: bool) -> _native.Texts:
    """A system's segments as the core reads them."""
    return _native.texts(tokenizer.for_core(outputs, lowercase=lowercase))
