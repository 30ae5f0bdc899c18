"""Connected components, against scipy's."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from adjudge.stats.components import components, linked_rows


@given(st.data(), st.integers(1, 30))
def test_components_are_those_of_scipy(data, count):
    node = st.integers(0, count - 1)
    edges = np.array(data.draw(st.lists(st.tuples(node, node), max_size=40)), dtype=np.int64).reshape(-1, 2)
    found = components(edges[:, 0], edges[:, 1], count)
    graph = coo_array((np.ones(len(edges)), edges.T), shape=(count, count))
    expected = connected_components(graph.tocsr(), directed=False)[1]
    assert np.array_equal(found[:, None] == found, expected[:, None] == expected)
    assert all(found[node] == np.flatnonzero(found == found[node])[0] for node in range(count))


def test_rows_are_linked_by_the_columns_they_share():
    # Rows 0 and 2 share column 1; row 1 is alone, and row 3 has no column at all.
    assert linked_rows(np.array([0, 2, 1]), np.array([1, 1, 0]), 4).tolist() == [0, 1, 0, 3]
