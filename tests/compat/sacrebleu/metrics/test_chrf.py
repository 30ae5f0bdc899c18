"""chrF is sacreBLEU's."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from helpers.sacrebleu_texts import (
    assert_same_metric,
    corpora,
)

CHRF_OPTIONS = st.fixed_dictionaries(
    {},
    optional={
        "char_order": st.integers(1, 8),
        "word_order": st.integers(0, 3),
        "beta": st.sampled_from([0, 1, 2, 3]),
        "lowercase": st.booleans(),
        "whitespace": st.booleans(),
        "eps_smoothing": st.booleans(),
    },
)


@given(CHRF_OPTIONS, corpora())
def test_chrf_is_sacrebleus(options: dict[str, Any], corpus: tuple[list[str], list[Any]]) -> None:
    assert_same_metric("CHRF", options, corpus)
