"""TER is sacreBLEU's."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from helpers.sacrebleu_texts import (
    assert_same_metric,
    corpora,
)

TER_OPTIONS = st.fixed_dictionaries(
    {},
    optional={
        "normalized": st.booleans(),
        "no_punct": st.booleans(),
        "asian_support": st.booleans(),
        "case_sensitive": st.booleans(),
    },
)


@given(TER_OPTIONS, corpora())
def test_ter_is_sacrebleus(options: dict[str, Any], corpus: tuple[list[str], list[Any]]) -> None:
    assert_same_metric("TER", options, corpus)
