"""Measures: DeltaAvg from its published definition, and the others by other people's code."""

import math

import numpy as np
import pytest
import scipy.stats
import sklearn.metrics
from hypothesis import given
from hypothesis import strategies as st

from adjudge.qe import measures

NUMBERS = st.floats(-5, 5).map(lambda x: round(x, 1))
ROWS = st.integers(4, 24).flatmap(
    lambda n: st.tuples(st.lists(NUMBERS, min_size=n, max_size=n), st.lists(NUMBERS, min_size=n, max_size=n))
)


def naive_delta_average(scores, predicted):
    """Head by head, as the task of WMT12 describes it."""
    ranked = [scores[i] for i in sorted(range(len(scores)), key=lambda i: -predicted[i])]
    total, everything = 0.0, sum(ranked) / len(ranked)
    most = len(ranked) // 2
    for n in range(2, most + 1):
        size = len(ranked) // n
        heads = [ranked[: size * k] for k in range(1, n)]
        total += sum(sum(head) / len(head) for head in heads) / (n - 1) - everything
    return total / (most - 1)


@given(ROWS)
def test_delta_average_is_that_of_its_definition(rows):
    scores, predicted = map(np.array, rows)
    assert measures.delta_average(scores, predicted) == pytest.approx(naive_delta_average(*rows), abs=1e-9)


def test_delta_average_by_hand():
    # n = 2 alone: the better half, 3.5, less the mean of all, 2.5.
    assert measures.delta_average(np.array([4.0, 3, 2, 1]), np.array([9.0, 8, 7, 6])) == pytest.approx(1.0)
    assert measures.delta_average(np.array([4.0, 3, 2, 1]), np.array([1.0, 2, 3, 4])) == pytest.approx(-1.0)


def test_three_segments_have_no_quantiles():
    assert math.isnan(measures.delta_average(np.arange(3.0), np.arange(3.0)))


@given(ROWS)
def test_correlations_are_scipys(rows):
    scores, predicted = map(np.array, rows)
    if np.ptp(scores) == 0 or np.ptp(predicted) == 0:
        assert math.isnan(measures.pearson(scores, predicted))
        return
    for own, theirs in (
        (measures.pearson, scipy.stats.pearsonr),
        (measures.spearman, scipy.stats.spearmanr),
        (measures.kendall, scipy.stats.kendalltau),
    ):
        assert float(own(scores, predicted)) == pytest.approx(theirs(scores, predicted)[0], abs=1e-9)


@given(ROWS)
def test_the_area_under_the_curve_counts_pairs(rows):
    scores, predicted = map(np.array, rows)
    good = scores > 0
    pairs = [(a > b) + (a == b) / 2 for a in predicted[good] for b in predicted[~good]]
    value = float(measures.area_under_curve(good, predicted))
    assert (math.isnan(value) and not pairs) or value == pytest.approx(np.mean(pairs))


@given(ROWS)
def test_matthews_is_that_of_counts(rows):
    good, chosen = (np.array(row) > 0 for row in rows)
    tp, tn = int((good & chosen).sum()), int((~good & ~chosen).sum())
    fp, fn = int((~good & chosen).sum()), int((good & ~chosen).sum())
    below = math.sqrt((tp + fp) * (tp + fn) * (tn + fp) * (tn + fn))
    expected = (tp * tn - fp * fn) / below if below else 0.0
    assert measures.matthews(good, chosen) == pytest.approx(expected, abs=1e-9)


@given(ROWS)
def test_errors_and_classes_are_scikit_learns(rows):
    scores, predicted = map(np.array, rows)
    good = scores > 0
    assert float(measures.mean_absolute_error(scores, predicted)) == pytest.approx(
        sklearn.metrics.mean_absolute_error(scores, predicted), abs=1e-12
    )
    assert float(measures.root_mean_square_error(scores, predicted)) == pytest.approx(
        sklearn.metrics.root_mean_squared_error(scores, predicted), abs=1e-12
    )
    if good.any() and not good.all():
        assert float(measures.area_under_curve(good, predicted)) == pytest.approx(
            sklearn.metrics.roc_auc_score(good, predicted), abs=1e-12
        )
        assert measures.matthews(good, predicted > 0) == pytest.approx(
            sklearn.metrics.matthews_corrcoef(good, predicted > 0), abs=1e-12
        )


@given(ROWS)
def test_many_rows_at_once_are_each_by_itself(rows):
    scores, predicted = map(np.array, rows)
    both = np.stack([predicted, predicted[::-1]])
    for own in (measures.pearson, measures.spearman, measures.kendall, measures.delta_average):
        alone = [float(own(scores, row)) for row in both]
        assert own(scores, both).tolist() == pytest.approx(alone, nan_ok=True)
        assert own(np.stack([scores, scores]), both).tolist() == pytest.approx(alone, nan_ok=True)
