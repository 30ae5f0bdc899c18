"""PER is counted on the sums."""

import pytest

from adjudge.metrics import metric
from helpers.scoring import rows_of as rows


def test_per_is_counted_on_the_sums() -> None:
    """A segment too long and one too short make up for each other, as in Moses' evaluator."""
    table = rows("per", ["a b c", "a"], ["a", "a b c"])
    assert table.tolist() == [[1, 3, 1], [1, 1, 3]]
    assert metric("per").aggregate(table).tolist() == pytest.approx([200, 200 / 3])
    assert metric("per").aggregate(table.sum(0)) == 50
