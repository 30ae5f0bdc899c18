"""Draws of units: reproducible, of the right shape, and the same however large the blocks are."""

import numpy as np
import pytest

from adjudge.stats import draws


@pytest.mark.parametrize("cells", [1, 7, 1 << 22])
def test_draws_do_not_depend_on_the_size_of_blocks(monkeypatch, cells):
    whole = np.random.default_rng(5).integers(0, 6, (9, 6))
    mask = np.random.default_rng(5).random((9, 6)) < 0.5
    monkeypatch.setattr(draws, "CELLS", cells)
    assert np.array_equal(np.concatenate([*draws.resampled_units(6, 9, 5)]), whole)
    assert np.array_equal(np.concatenate([*draws.swap_masks(6, 9, 5, width=3)]), mask)
    assert np.array_equal(draws.unit_counts(6, 9, 5), [np.bincount(row, minlength=6) for row in whole])


@pytest.mark.parametrize("counts", [draws.unit_counts, draws.multinomial_counts])
def test_every_resample_has_as_many_units_as_there_are(counts):
    drawn = counts(8, 500, [3, 1])
    assert drawn.shape == (500, 8)
    assert (drawn.sum(1) == 8).all()
    assert abs(drawn.mean() - 1) < 1e-12
    assert abs(drawn.var() - 7 / 8) < 0.1  # binomial: n p (1 - p)
    assert np.array_equal(drawn, counts(8, 500, [3, 1]))


def test_half_of_the_units_are_swapped_on_average():
    masks = np.concatenate([*draws.swap_masks(40, 1000, 1, width=40)])
    assert abs(masks.mean() - 0.5) < 0.01
