"""One metric's scores, resamples and p, before anything is corrected."""

import math

import numpy as np
import pytest

from adjudge import comparison
from adjudge.comparison.plan import Plan
from adjudge.data import Outputs, ScoreMatrix
from helpers.compared_systems import FAST, GOOD, POOR, TEST_SET, broken


def test_one_unit_says_nothing():
    matrix = ScoreMatrix(("a", "b"), np.array([[1.0], [2.0]]))
    (only,) = comparison.compare_scores(matrix, **FAST).pairs
    assert only.p == 1
    assert np.isnan([only.detectable, only.low, only.high, only.effect]).all()


@pytest.mark.parametrize(
    ("correction", "family", "decided"),
    [
        ("holm", "metric", [True, True, True]),
        ("holm", "all", [True, True, True]),
        ("bh", "metric", [True, True, True]),
        ("bh", "all", [False, True, True]),
        ("none", "metric", [False, True, True]),
    ],
)
def test_a_correction_over_all_metrics_may_still_make_a_p_significant_after_bh(correction, family, decided):
    """Small p-values of other metrics make Benjamini and Hochberg's correction smaller: nothing stops before them."""
    plan = Plan(correction=correction, family=family)
    assert plan.cannot_be_significant(np.array([0.03, 0.9, 0.9])).tolist() == decided


def test_what_would_show_is_unknown_where_runs_are_exchanged():
    """Runs vary as no resample of the segments does."""
    again = Outputs("poor", broken(0.6, 9), "second")
    single = comparison.compare(TEST_SET, [GOOD, POOR], "bleu", **FAST).pairs[0]
    several = comparison.compare(TEST_SET, [GOOD, POOR, again], "bleu", **FAST).pairs[0]
    assert single.detectable > 0
    assert math.isnan(several.detectable)
