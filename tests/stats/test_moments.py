"""Means and deviations of groups: as numpy has them, group by group."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from adjudge.stats.moments import moments, places, sums

rows = st.lists(st.tuples(st.floats(-1e6, 1e6), st.integers(-1, 4)), max_size=40)


@given(rows)
def test_moments_are_those_of_each_group(drawn):
    values = np.array([value for value, _ in drawn])
    group = np.array([code for _, code in drawn], dtype=np.int32)
    statistics = moments(values, group, 6)
    where = places(group, 6)
    for code in range(6):
        own = values[group == code]
        assert values[where[code]].tolist() == own.tolist()
        assert statistics.count[code] == len(own)
        assert statistics.mean[code] == pytest.approx(own.mean() if len(own) else math.nan, nan_ok=True)
        deviation = own.std(ddof=1) if len(own) > 1 else math.nan
        assert statistics.deviation[code] == pytest.approx(deviation, nan_ok=True, rel=1e-9, abs=1e-9)
        variance = own.var() if len(own) else math.nan
        assert statistics.variance[code] == pytest.approx(variance, nan_ok=True, rel=1e-9, abs=1e-6)
    known = group >= 0
    assert sums(values[known], group[known], 6).sum() == pytest.approx(values[known].sum(), abs=1e-6)


def test_what_never_varies_has_no_deviation_at_all():
    statistics = moments(np.full(7, 0.1), np.zeros(7, int), 1)
    assert statistics.deviation[0] == 0
    assert statistics.variance[0] == 0
