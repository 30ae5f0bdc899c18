"""Parameters judged on what they were not fitted to."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adjudge.stats.draws import fold_of_units
from adjudge.tuning.held_out import held_out_scores, resampled_differences
from helpers.tunings import DEFAULT, PLANTED, planted, ranked, slow


def test_held_out_scores_are_by_the_parameters_of_others():
    items = planted(40)
    fold = fold_of_units(items.units, 2, 1)[items.unit]
    result = held_out_scores(items, fold, [DEFAULT, PLANTED])
    for number, point in enumerate([DEFAULT, PLANTED]):
        mine = items.scores(point)
        np.testing.assert_allclose(
            result[fold == number], ((mine - mine.mean()) / mine.std())[fold == number], rtol=0, atol=1e-12
        )


@pytest.mark.parametrize("measure", ["pearson", "spearman", "kendall", "tau"])
@settings(max_examples=10)
@given(seed=st.integers(0, 99))
def test_resamples_are_what_drawing_items_would_give(measure, seed):
    """The twin lays every drawn unit out, as often as it was drawn, and counts anew."""
    items = ranked(40, seed) if measure == "tau" else planted(40, 1.0, seed)
    # Rounded, so that there are ties.
    items = replace(items, human=np.round(items.human / 400))
    both = np.stack([np.round(items.scores(DEFAULT)), np.round(items.scores(PLANTED) / 4)])
    result = resampled_differences(items, both, measure, seed=seed, resamples=5, threads=1)
    for number in range(5):
        draw = np.random.default_rng([seed, 2, number]).integers(0, items.units, items.units)
        if measure == "tau":
            again = [p for u in draw for p in items.pairs if items.unit[p[0]] == u]
            drawn = [slow("tau", entry, replace(items, pairs=again)) for entry in both]
        else:
            again = [i for u in draw for i in np.flatnonzero(items.unit == u)]
            chosen = replace(items, human=items.human[again])
            drawn = [slow(measure, list(entry[again]), chosen) for entry in both]
        assert result[number] == pytest.approx(drawn[0] - drawn[1], abs=1e-10, nan_ok=True)
