"""Cells of two scores: every segment in one of them, between the bounds that lead to it."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from adjudge.dossiers.grids import score_grid
from adjudge.dossiers.segment_table import ScoreColumn

pairs = st.lists(
    st.tuples(st.floats(0, 100), st.floats(0, 100) | st.just(float("nan"))), min_size=1, max_size=30
)


def scores(key, **values):
    columns = {name: np.array(column, float) for name, column in values.items()}
    return ScoreColumn(key, key, True, "metric", columns)


@given(pairs)
def test_cells_hold_the_segments_between_their_bounds(values) -> None:
    x, y = (np.array(column) for column in zip(*values, strict=True))
    grid = score_grid(scores("m", a=x), "a", scores("n", b=y), "b")
    known = np.isfinite(y)
    if not known.any():
        assert grid is None
        return
    assert sum(count for *_, count in grid.counts) == grid.segments == known.sum()
    for i, j, count in grid.counts:
        inside = known.copy()
        for axis, place, column in ((grid.x, i, x), (grid.y, j, y)):
            low, high = axis.bounds(place)
            inside &= (column >= low) & ((column <= high) if axis.is_last(place) else (column < high))
        assert count == inside.sum() > 0


def test_systems_share_a_scale_and_correlation_is_pearsons() -> None:
    own = scores("m", a=[10, 20, 30], b=[0, 50, 90])
    grid = score_grid(own, "a", own, "b")
    assert grid.x.edges == grid.y.edges
    assert grid.correlation == pytest.approx(np.corrcoef([10, 20, 30], [0, 50, 90])[0, 1])
    assert np.isnan(score_grid(own, "a", scores("n", a=[1, 1, 1]), "a").correlation)
    assert score_grid(own, "a", own, "nobody") is None
