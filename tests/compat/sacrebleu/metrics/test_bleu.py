"""BLEU is sacreBLEU's, from texts and from counts."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import sacrebleu as real
from hypothesis import given
from hypothesis import strategies as st

import adjudge.compat.sacrebleu as ours
from helpers.sacrebleu_texts import (
    assert_same_metric,
    assert_same_score,
    corpora,
)

BLEU_OPTIONS = st.fixed_dictionaries(
    {},
    optional={
        "lowercase": st.booleans(),
        "force": st.booleans(),
        "tokenize": st.sampled_from(["13a", "intl", "char", "none", "zh", None]),
        "smooth_method": st.sampled_from(["exp", "floor", "add-k", "none"]),
        "smooth_value": st.sampled_from([None, 0, 0.0, 0.01, 1, 2.5]),
        "max_ngram_order": st.integers(1, 9),
        "effective_order": st.booleans(),
    },
)


@given(BLEU_OPTIONS, corpora())
def test_bleu_is_sacrebleus(options: dict[str, Any], corpus: tuple[list[str], list[Any]]) -> None:
    assert_same_metric("BLEU", options, corpus)


@pytest.mark.parametrize(
    "smooth", [{}, {"smooth_method": "add-k"}, {"smooth_method": "floor", "smooth_value": 0.5}]
)
@pytest.mark.parametrize("counts", [[5, 2, 1, 0], [0, 0, 0, 0], [3, 0, 0, 0], [1.0, 1.0, 1.0, 1.0]])
def test_bleu_from_counts(counts: list[float], smooth: dict[str, Any]) -> None:
    for totals in ([7, 6, 5, 4], [3, 2, 1, 0]):
        mine = ours.BLEU.compute_bleu(list(counts), list(totals), 7, 9, effective_order=True, **smooth)
        assert_same_score(
            mine, real.BLEU.compute_bleu(list(counts), list(totals), 7, 9, effective_order=True, **smooth)
        )


def test_bleu_from_counts_takes_arrays_and_leaves_them_alone() -> None:
    counts, totals = np.array([5.0, 2, 1, 0]), np.array([7.0, 6, 5, 4])
    score = ours.BLEU.compute_bleu(counts, totals, 7, 9, smooth_method="add-k")
    assert score.counts == [5, 3, 2, 1]
    assert list(counts) == [5, 2, 1, 0]
