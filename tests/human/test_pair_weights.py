"""Pairs of languages that count alike, however many translations each has."""

import numpy as np
import pytest

from adjudge.human.rating_scores import pair_weights

LABELS = {"languages": ("en-ja", "en-ja", "en-zh", "en-zh")}


def test_the_parts_of_each_pair_weigh_as_much_as_those_of_another():
    weights = pair_weights(np.array([[1.0, 1, 1, 3]]), LABELS, "languages")
    np.testing.assert_allclose(weights, [[1, 1, 0.5, 1.5]])


@pytest.mark.parametrize(("weights", "labels"), [(None, LABELS), (np.ones((1, 4)), None), (None, None)])
def test_without_weights_or_labels_nothing_is_weighed(weights, labels):
    assert pair_weights(weights, labels, "languages") is None
