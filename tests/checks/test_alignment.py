"""The kernel that finds the best offsets of lines, against its slow twin."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from adjudge import _native
from oracles.best_path import best_path as oracle

# Few different numbers, so that states are often equal.
tables = st.tuples(st.integers(1, 8), st.integers(1, 5)).flatmap(
    lambda shape: st.tuples(
        st.lists(
            st.sampled_from([-3.0, 0.0, 0.1, 2.0, 16.0]),
            min_size=shape[0] * shape[1],
            max_size=shape[0] * shape[1],
        ).map(lambda gains: np.array(gains, np.float32).reshape(shape)),
        st.lists(st.sampled_from([0.0, -14.0]), min_size=shape[1], max_size=shape[1]).map(np.array),
        st.lists(st.sampled_from([0.0, 1e-6]), min_size=shape[1], max_size=shape[1]).map(np.array),
    )
)


@given(tables, st.sampled_from([0.0, 1.0, 14.0]))
def test_the_best_path_against_the_slow_twin(table, change):
    gains, start, end = table
    assert _native.best_path(gains, start, end, change).tolist() == oracle(gains, start, end, change)


def test_a_change_must_bring_more_than_it_costs():
    gains = np.zeros((20, 2), np.float32)
    gains[10:, 1] = 2
    path = _native.best_path(gains, np.zeros(2), np.zeros(2), 14.0)
    assert path.tolist() == [1] * 20  # nothing speaks against the second state before
    gains[:10, 0] = 2
    assert _native.best_path(gains, np.zeros(2), np.zeros(2), 14.0).tolist() == [0] * 10 + [1] * 10
    assert _native.best_path(gains, np.zeros(2), np.zeros(2), 30.0).tolist() == [0] * 20
