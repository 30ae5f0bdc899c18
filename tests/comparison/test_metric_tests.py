"""One metric's scores, resamples and p, before anything is corrected."""

import numpy as np

from adjudge import comparison
from adjudge.data import ScoreMatrix
from helpers.compared_systems import FAST


def test_one_unit_says_nothing():
    matrix = ScoreMatrix(("a", "b"), np.array([[1.0], [2.0]]))
    (only,) = comparison.compare_scores(matrix, **FAST).pairs
    assert only.p == 1
    assert np.isnan([only.detectable, only.low, only.high, only.effect]).all()
