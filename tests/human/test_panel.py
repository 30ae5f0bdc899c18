"""Annotators beside those who judged the same, against a plain loop over everything that was judged."""

from collections import defaultdict

import numpy as np
import pytest

from adjudge.human import diagnostics
from adjudge.human.diagnostics import Panel


@pytest.mark.parametrize("pairs", [1, 50, 1 << 22])
def test_shares_are_those_of_a_plain_loop_whatever_the_blocks(monkeypatch, pairs):
    rng = np.random.default_rng(3)
    who, what, count = rng.integers(0, 7, 200), rng.integers(0, 40, 200), 9
    together = defaultdict(float)
    for thing in set(what.tolist()):
        people = set(who[what == thing].tolist())
        for a in people:
            for b in people - {a}:
                together[a, b] += 1 / (len(people) - 1)
    expected = np.zeros((count, count))
    for (a, b), weight in together.items():
        expected[a, b] = weight
    expected /= np.maximum(expected.sum(1, keepdims=True), 1e-300)
    monkeypatch.setattr(diagnostics, "PAIRS", pairs)
    made = Panel.of(who, what, count)
    shares = np.zeros((count, count))
    shares[made.first, made.second] = made.share
    np.testing.assert_allclose(shares, expected, rtol=1e-12, atol=0)
    assert made.others.tolist() == (expected > 0).sum(1).tolist()
    values = rng.normal(size=count)
    np.testing.assert_allclose(made.mean_of_others(values), expected @ values, rtol=1e-12)
    assert made.part.tolist() == [0] * 7 + [7, 8]


def test_nothing_judged_leaves_everyone_alone():
    made = Panel.of(np.zeros(0, np.int64), np.zeros(0, np.int64), 2)
    assert made.others.tolist() == [0, 0]
    assert made.part.tolist() == [0, 1]
