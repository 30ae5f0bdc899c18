"""METEOR's columns are named once, by the core, and mean what their names say."""

from dataclasses import astuple

from adjudge.data import TestSet
from adjudge.metrics.meteor import Meteor
from adjudge.metrics.meteor_columns import COLUMN, matched
from adjudge.metrics.meteor_parameters import MATCHERS


def test_a_row_is_read_by_name():
    metric = Meteor(matchers="exact+stem")
    test_set = TestSet(references=(("the dogs ran home today",),), language="en")
    (row,) = metric.stats(metric.prepare(test_set), ["home the dog ran"])
    assert len(row) == COLUMN.all == COLUMN.by_matcher + 4 * len(MATCHERS)
    assert sorted(astuple(COLUMN)[:-1]) == list(range(COLUMN.by_matcher + 1))
    assert (row[COLUMN.hypothesis_words], row[COLUMN.reference_words]) == (4, 5)
    assert (row[COLUMN.hypothesis_function_words], row[COLUMN.reference_function_words]) == (1, 1)
    assert (row[COLUMN.hypothesis_matched], row[COLUMN.reference_matched]) == (4, 4)
    assert row[COLUMN.chunks] == 2
    exact, stem, *others = matched(row)
    assert exact.tolist() == [[2, 1], [2, 1]]  # home, ran; the
    assert stem.tolist() == [[1, 0], [1, 0]]  # dogs
    assert not any(other.any() for other in others)
