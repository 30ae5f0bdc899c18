"""TER's tokenizer is sacreBLEU's."""

from __future__ import annotations

from importlib import import_module

from hypothesis import given
from hypothesis import strategies as st

import adjudge.compat.sacrebleu as ours
from helpers.sacrebleu_texts import (
    SEGMENTS,
)


@given(SEGMENTS, st.tuples(st.booleans(), st.booleans(), st.booleans(), st.booleans()))
def test_tercom_tokenizer_is_sacrebleus(segment: str, options: tuple[bool, ...]) -> None:
    mine = import_module(f"{ours.__name__}.tokenizers.tokenizer_ter").TercomTokenizer(*options)
    theirs = import_module("sacrebleu.tokenizers.tokenizer_ter").TercomTokenizer(*options)
    assert mine(segment) == theirs(segment)
    assert mine.signature() == theirs.signature()
