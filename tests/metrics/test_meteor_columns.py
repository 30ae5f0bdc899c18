"""METEOR's columns are named once, by the core, and mean what their names say."""

from dataclasses import astuple

import numpy as np
import pytest

from adjudge.data import TestSet
from adjudge.metrics.meteor import Meteor
from adjudge.metrics.meteor_columns import COLUMN, matched_words, parts
from adjudge.metrics.meteor_parameters import MATCHERS, Parameters


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
    exact, stem, *others = matched_words(row)
    assert exact.tolist() == [[2, 1], [2, 1]]  # home, ran; the
    assert stem.tolist() == [[1, 0], [1, 0]]  # dogs
    assert not any(other.any() for other in others)


def test_parts_have_names_and_the_shape_of_the_sums():
    row = np.zeros(COLUMN.all)
    row[[COLUMN.hypothesis_words, COLUMN.reference_words]] = 4, 5
    row[[COLUMN.hypothesis_matched, COLUMN.reference_matched]] = 3, 3
    row[COLUMN.chunks] = 2
    matched_words(row)[0, :, 0] = 3  # by the exact matcher, content words of both
    numbers = Parameters(alpha=0.75, beta=1.0, gamma=0.5, delta=1.0)
    sums = np.stack([[row, 2 * row, 0 * row]])
    named = parts(sums, numbers)
    assert {name: values.shape for name, values in named.items()} == dict.fromkeys(
        ("precision", "recall", "fmean", "fragmentation", "score"), (1, 3)
    )
    fmean = 1 / (0.25 / 0.75 + 0.75 / 0.6)
    for which in (0, 1):  # twice the same is no better
        assert named["precision"][0, which] == 0.75
        assert named["recall"][0, which] == 0.6
        assert named["fmean"][0, which] == pytest.approx(fmean)
        assert named["fragmentation"][0, which] == pytest.approx(2 / 3)
        assert named["score"][0, which] == pytest.approx(fmean * (1 - 0.5 * 2 / 3))
    assert all(values[0, 2] == 0 for values in named.values())


def test_rows_of_another_width_are_refused():
    with pytest.raises(ValueError, match="no sums of METEOR's rows"):
        parts(np.zeros((2, COLUMN.all + 1)), Parameters(0.5, 1.0, 0.5, 0.5))
