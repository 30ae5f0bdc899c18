"""Folds: groups stay whole, folds are of about one size, and the seed alone decides."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from adjudge.errors import UsageError
from adjudge.stats.draws import fold_of_units, group_folds


@given(
    groups=st.lists(st.integers(0, 9), min_size=2, max_size=60).filter(lambda drawn: len(set(drawn)) > 1),
    folds=st.integers(2, 6),
    seed=st.integers(0, 99),
)
def test_groups_stay_whole_and_every_fold_has_some(groups, folds, seed):
    fold = group_folds(np.array(groups), folds, seed)
    assert all(
        len({f for f, g in zip(fold, groups, strict=True) if g == group}) == 1 for group in set(groups)
    )
    number = min(folds, len(set(groups)))
    sizes = np.bincount(fold, minlength=number)
    assert len(sizes) == number
    assert sizes.min() > 0
    largest = max(groups.count(group) for group in set(groups))
    assert (
        sizes.max() - sizes.min() <= largest
    )  # the fullest fold got its last group when it was the emptiest
    np.testing.assert_array_equal(fold, group_folds(np.array(groups), folds, seed))


def test_names_are_groups_too_and_the_seed_draws():
    names = [f"document {number}" for number in range(20)]
    drawn = {tuple(group_folds(names, 4, seed)) for seed in range(5)}
    assert len(drawn) == 5
    assert all(sorted(fold) == sorted([0, 1, 2, 3] * 5) for fold in drawn)


def test_what_cannot_be_held_out_is_refused():
    with pytest.raises(UsageError, match="one group"):
        group_folds(["en-de"] * 5, 3, 1)
    with pytest.raises(UsageError, match="at least 2"):
        group_folds(["a", "b"], 1, 1)


def test_units_are_dealt_out_like_cards():
    fold = fold_of_units(11, 3, seed=1)
    assert sorted(np.bincount(fold)) == [3, 4, 4]
