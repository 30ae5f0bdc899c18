"""Two systems side by side."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest

from adjudge.data.judgements import Names
from adjudge.errors import UsageError
from adjudge.human.preferences import preferences
from judging import rankings, some_rankings
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


def test_items_count_by_what_most_people_said():
    """Three judges of item 1 prefer a, a and b; two of item 2 disagree; one of item 3 prefers b."""
    answers = [("1", 1), ("1", 1), ("1", -1), ("2", 1), ("2", -1), ("3", -1)]
    rows = [("a", "b", score, 0, item) for item, score in answers]
    (by_judgement,) = preferences(judged(rows))
    assert (by_judgement.wins, by_judgement.ties, by_judgement.losses) == (3, 0, 3)
    (by_item,) = preferences(judged(rows), unit="item")
    assert (by_item.wins, by_item.ties, by_item.losses) == (1, 1, 1)
    for found in (by_judgement, by_item):
        assert (found.items, found.judgements) == (3, 6)
    turned = [("b", "a", -score, 0, item) for item, score in answers]
    (other,) = preferences(judged(turned), unit="item")
    assert (other.system, other.wins, other.ties, other.losses) == ("b", 1, 1, 1)
    with pytest.raises(UsageError, match="did you mean 'item'"):
        preferences(judged(rows), unit="items")


def test_comparisons_without_an_item_are_items_of_their_own():
    rows = judged([("a", "b", 1), ("a", "b", 1), ("a", "b", -1)])
    nameless = replace(rows, item=Names.same("", 3))
    (found,) = preferences(nameless, unit="item")
    assert (found.wins, found.losses, found.items) == (2, 1, 3)


@given(some_rankings.filter(bool))
def test_one_judge_a_question_is_the_same_by_both_units(rows):
    """Where everybody judges an item of their own, items are judgements."""
    rows = [(who, a, b, f"{place}", score) for place, (who, a, b, _, score) in enumerate(rows)]
    assert preferences(rankings(rows)) == preferences(rankings(rows), unit="item")
