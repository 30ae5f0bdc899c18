"""Cohen's kappa of many raters: that of two is Cohen's, more are what a slow twin adds up, and laws."""

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from adjudge.errors import DataError, UsageError
from adjudge.stats.agreement import ALL_THE_SAME, NOTHING_TWICE, cohen
from adjudge.stats.pooled import WEIGHTS, pooled_cohen

answers = st.lists(
    st.tuples(st.integers(0, 3), st.integers(0, 3), st.integers(0, 2)), min_size=1, max_size=40
)


def distances(weights):
    apart = np.abs(np.subtract.outer(np.arange(4), np.arange(4))).astype(float)
    return (apart > 0).astype(float) if weights == "none" else apart**2


def slow(rows, weights):
    """Observed and expected disagreement, pair of raters by pair."""
    distance, observed, expected = distances(weights), 0.0, 0.0
    for pair in {row[2] for row in rows}:
        own = [row[:2] for row in rows if row[2] == pair]
        observed += sum(distance[a, b] for a, b in own)
        expected += sum(distance[a, b] for a, _ in own for _, b in own) / len(own)
    return None if expected == 0 else 1 - observed / expected


@given(answers, st.sampled_from(WEIGHTS))
def test_pairs_are_added_up(rows, weights):
    a, b, pairs = np.array(rows).T
    kappa = pooled_cohen(a, b, pairs, weights=weights)
    expected = slow(rows, weights)
    assert kappa.value == (None if expected is None else pytest.approx(expected, abs=1e-9))
    assert (kappa.units, kappa.reason) == (len(rows), ALL_THE_SAME if expected is None else "")


@given(answers, st.sampled_from(WEIGHTS))
def test_two_raters_are_cohens(rows, weights):
    from statsmodels.stats.inter_rater import cohens_kappa

    a, b, _ = np.array(rows).T
    kappa = pooled_cohen(a, b, np.zeros(len(a), int), weights=weights)
    ours = cohen(a, b, weights=distances(weights), categories=range(4))
    assert kappa.value == (None if ours.value is None else pytest.approx(ours.value, abs=1e-9))
    assume(kappa.value is not None)
    table = np.zeros((4, 4))
    np.add.at(table, (a, b), 1)
    theirs = cohens_kappa(table, weights=distances(weights), return_results=False)
    assert kappa.value == pytest.approx(theirs, abs=1e-9)


@given(answers, st.permutations(range(3)))
def test_names_of_pairs_mean_nothing(rows, names):
    a, b, pairs = np.array(rows).T
    first, other = pooled_cohen(a, b, pairs).value, pooled_cohen(a, b, np.array(names)[pairs] * 1000).value
    assert first == (None if other is None else pytest.approx(other))


def test_nothing_and_what_is_no_answer():
    nothing = np.empty(0)
    assert pooled_cohen(nothing, nothing, nothing).reason == NOTHING_TWICE
    with pytest.raises(DataError):
        pooled_cohen(np.array([np.nan]), np.array([1.0]), np.array([0]))
    with pytest.raises(UsageError):
        pooled_cohen(np.zeros(2), np.zeros(3), np.zeros(2))
    with pytest.raises(UsageError):
        pooled_cohen(np.zeros(2), np.zeros(2), np.zeros(2), weights="linear")


def test_equal_ratings_far_from_zero_leave_no_rounding():
    same = np.full(50, 1e6 + 0.1)
    assert pooled_cohen(same, same, np.arange(50) % 7, weights="quadratic").reason == ALL_THE_SAME
