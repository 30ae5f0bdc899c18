"""Quantiles beside numpy's."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from adjudge.stats.intervals import quantiles

NUMBERS = st.one_of(st.floats(-1e6, 1e6), st.sampled_from([0.0, 1.0]))


@given(st.lists(NUMBERS, min_size=1, max_size=50), st.floats(0, 1), st.floats(0, 1))
def test_quantiles_are_numpy_s_to_the_last_digit(values, first, second):
    expected = np.quantile(values, [first, second])
    assert quantiles(np.array(values), first, second) == expected.tolist()
