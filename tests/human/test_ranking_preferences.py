"""Two systems side by side."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest

from adjudge.human.preferences import preferences
from rankings import judged

numbers = st.integers(0, 30)


@given(numbers, numbers, numbers)
def test_the_sign_test_is_scipys(wins, ties, losses):
    rows = [("a", "b", 1)] * wins + [("b", "a", 0)] * ties + [("b", "a", 1)] * losses + [("b", "c", 1)]
    found = {(p.system, p.other): p for p in preferences(judged(rows))}
    if not wins + ties + losses:
        assert set(found) == {("b", "c")}
        return
    pair = found.get(("a", "b")) or found["b", "a"]
    expected = (wins, ties, losses) if pair.system == "a" else (losses, ties, wins)
    assert (pair.wins, pair.ties, pair.losses) == expected
    assert pair.shares == pytest.approx([100 * n / (wins + ties + losses) for n in expected])
    p = binomtest(wins, wins + losses).pvalue if wins + losses else 1.0
    assert pair.p_value == pytest.approx(p, rel=1e-9)


def test_pairs_that_were_never_compared_are_not_there():
    found = preferences(judged([("a", "b", 1), ("b", "c", 0)]))
    assert [(p.system, p.other, p.comparisons) for p in found] == [("a", "b", 1), ("b", "c", 1)]
    assert [p.p_value for p in found] == [1.0, 1.0]
