"""What is drawn."""

import numpy as np
import pytest

from adjudge.errors import DataError
from adjudge.stats.units import Units


def test_segments_by_default():
    units = Units.of(5)
    rows = np.arange(10.0).reshape(5, 2)
    assert units.count == 5
    assert units.sums(rows) is rows


def test_documents_need_not_be_contiguous():
    units = Units.of(5, ["b", "a", "b", "c", "a"])
    assert units.count == 3
    assert units.sums(np.arange(5.0)[:, None])[:, 0].tolist() == [2, 5, 3]


def test_names_do_not_matter():
    first, two = Units.of(4, ["x", "y", "x", "z"]), Units.of(4, ["c", "b", "c", "a"])
    assert first.unit.tolist() == two.unit.tolist()


def test_strata_of_segments_and_of_documents():
    units = Units.of(4, strata=["n", "t", "n", "t"])
    assert (units.order, units.begins) == ((0, 2, 1, 3), (0, 2, 4))
    units = Units.of(5, ["a", "b", "a", "c", "c"], ["n", "t", "n", "n", "n"])
    assert (units.order, units.begins) == ((0, 2, 1), (0, 2, 3))


def test_errors():
    with pytest.raises(DataError, match="3 labels for units, but 4 segments"):
        Units.of(4, ["a"] * 3)
    with pytest.raises(DataError, match="5 labels for strata, but 4 segments"):
        Units.of(4, strata=["a"] * 5)
    with pytest.raises(DataError, match="'doc' lies in two strata"):
        Units.of(2, ["doc", "doc"], ["news", "talks"])


def test_nothing_varies_where_every_stratum_has_one_unit():
    assert Units.of(2).vary
    assert not Units.of(1).vary
    assert not Units.of(3, ["d", "d", "d"]).vary
    assert not Units.of(3, strata=["x", "y", "z"]).vary
    assert Units.of(3, strata=["x", "y", "x"]).vary
