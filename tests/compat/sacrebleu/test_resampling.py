"""Resamples are drawn as sacreBLEU draws them."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import adjudge.compat.sacrebleu as ours
from adjudge.compat.sacrebleu import _resampling
from adjudge.compat.sacrebleu._resampling import bootstrap_sums, swapped_sums
from adjudge.compat.sacrebleu.significance import PairedTest
from helpers.sacrebleu_rows import EXAMPLES, examples


def test_blocks_change_no_number(monkeypatch: pytest.MonkeyPatch) -> None:
    references = [(EXAMPLES / "reference.en").read_text().splitlines()]
    systems = examples("experiment.run1", "experiment.run2", "experiment.run3")

    def answer(kind: str) -> str:
        test = PairedTest(
            systems, {"": ours.BLEU(), " ": ours.TER()}, references, kind, 333, n_ar_confidence=99
        )
        return str(test()[1])

    whole = [answer("ar"), answer("bs")]
    monkeypatch.setattr(_resampling, "BLOCK", 1000)
    assert [answer("ar"), answer("bs")] == whole


@settings(max_examples=60)
@given(
    data=st.data(),
    segments=st.integers(1, 40),
    # Beyond 2**24 float32 rounds whole numbers; thirds it rounds always.
    kinds=st.lists(st.sampled_from([1.0, 0.5, 1 / 3, 2.0**20, 2.0**23]), min_size=1, max_size=4),
)
def test_sums_equal_those_of_one_resample_after_the_other(
    data: Any, segments: int, kinds: list[float]
) -> None:
    systems = [
        scale
        * np.array(
            data.draw(st.lists(st.integers(0, 99), min_size=3 * segments, max_size=3 * segments)), float
        )
        for scale in kinds
    ]
    systems = [rows.reshape(segments, 3) for rows in systems]
    index = np.random.default_rng(5).choice(segments, size=(50, segments), replace=True)
    for rows, sums in zip(systems, bootstrap_sums(np.random.default_rng(5), systems, 50), strict=True):
        single = rows.astype(np.float32)
        np.testing.assert_array_equal(sums, [single[chosen].sum(0) for chosen in index])
        assert sums.dtype == np.float32
    pairs = list(itertools.pairwise(systems))
    stay = np.random.default_rng(5).integers(2, size=(50, segments), dtype=bool)
    for (first, second), (here, swapped) in zip(
        pairs, swapped_sums(np.random.default_rng(5), pairs, 50) if pairs else [], strict=True
    ):
        np.testing.assert_allclose(here, stay @ first + ~stay @ second, rtol=1e-13)
        np.testing.assert_allclose(swapped, ~stay @ first + stay @ second, rtol=1e-13)
