"""Two systems side by side."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest

from adjudge.data.judgements import NameColumn
from adjudge.errors import UsageError
from adjudge.human.preferences import natural_unit, pair_answers, preferences
from adjudge.stats.ratios import sign_flip
from helpers.judging import rankings, some_rankings
from helpers.rankings import judged

numbers = st.integers(0, 30)


@given(numbers, numbers, numbers)
def test_the_sign_test_is_scipys(wins, ties, losses):
    rows = [("a", "b", 1)] * wins + [("b", "a", 0)] * ties + [("b", "a", 1)] * losses + [("b", "c", 1)]
    by_name = {(p.system, p.other): p for p in preferences(judged(rows))}
    if not wins + ties + losses:
        assert set(by_name) == {("b", "c")}
        return
    pair = by_name.get(("a", "b")) or by_name["b", "a"]
    expected = (wins, ties, losses) if pair.system == "a" else (losses, ties, wins)
    assert (pair.wins, pair.ties, pair.losses) == expected
    assert pair.shares == pytest.approx([100 * n / (wins + ties + losses) for n in expected])
    p = binomtest(wins, wins + losses).pvalue if wins + losses else 1.0
    assert pair.p == pytest.approx(p, rel=1e-9)


def test_pairs_that_were_never_compared_are_not_there():
    by_pair = preferences(judged([("a", "b", 1), ("b", "c", 0)]))
    assert [(p.system, p.other, p.comparisons) for p in by_pair] == [("a", "b", 1), ("b", "c", 1)]
    assert [p.p for p in by_pair] == [1.0, 1.0]


def test_items_count_once_however_many_judged_them():
    """Three judges of item 1 prefer a, a and b; two of item 2 disagree; one of item 3 prefers b."""
    answers = [("1", 1), ("1", 1), ("1", -1), ("2", 1), ("2", -1), ("3", -1)]
    rows = [("a", "b", score, 0, item) for item, score in answers]
    (published,) = preferences(judged(rows), unit="pair")
    (by_item,) = preferences(judged(rows))
    for entry in (published, by_item):
        assert (entry.wins, entry.ties, entry.losses) == (3, 0, 3)
        assert (entry.items, entry.judgements) == (3, 6)
    assert (published.mean, published.units) == (0, 6)
    assert by_item.mean == pytest.approx((1 / 3 + 0 - 1) / 3)
    assert by_item.units == 3
    # Items' means of 1/3, 0 and −1: of eight ways to turn them half lie as far from 0, and half farther.
    assert by_item.p == 1.0
    turned = [("b", "a", -score, 0, item) for item, score in answers]
    (other,) = preferences(judged(turned), unit="item")
    assert (other.system, other.mean) == ("b", pytest.approx(-by_item.mean))
    with pytest.raises(UsageError, match="did you mean 'item'"):
        preferences(judged(rows), unit="items")


def test_whole_documents_and_people_turn_together():
    rows = [("a", "b", 1, 0, item) for item in range(12)]
    labels = {"document": NameColumn.of(str(item // 3) for item in range(12))}
    who = NameColumn.of(f"p{item % 2}" for item in range(12))
    judgements = judged(rows, labels=labels, annotator=who)
    for unit, units in (("pair", 12), ("item", 12), ("document", 4), ("annotator", 2)):
        (preference,) = preferences(judgements, unit=unit)
        assert (preference.units, preference.p) == (units, pytest.approx(2.0 ** (1 - units)))
        assert preference.mean == 1
        assert preference.independent == pytest.approx(units if unit != "annotator" else 4)
    assert natural_unit(judgements) == "document"
    assert natural_unit(replace(judgements, labels={"document": judgements.item})) == "item"
    with pytest.raises(UsageError, match="no label says which document"):
        preferences(judged(rows), unit="document")


def test_people_and_items_are_both_allowed_for():
    """Twelve people, of whom three judge each of 60 items: p is never below that of items or of people alone."""
    rng = np.random.default_rng(4)
    for _ in range(20):
        lean, rows, who = rng.normal(0, 1, 12), [], []
        for item in range(60):
            alike = rng.normal()
            for person in rng.choice(12, 3, replace=False):
                rows.append(("a", "b", float(np.sign(alike + lean[person] + rng.normal())), len(rows), item))
                who.append(f"p{person}")
        judgements = judged(rows, annotator=NameColumn.of(who))
        (by_item,), (by_people,) = (preferences(judgements, unit=unit) for unit in ("item", "annotator"))
        (people,) = pair_answers(judgements, "annotator")
        assert by_people.mean == pytest.approx(by_item.mean)
        assert by_people.p >= max(by_item.p, sign_flip(people.values, parts=people.parts))
        assert by_people.error >= by_item.error
        assert by_people.units == 12


def test_comparisons_without_an_item_are_items_of_their_own():
    rows = judged([("a", "b", 1), ("a", "b", 1), ("a", "b", -1)])
    nameless = replace(rows, item=NameColumn.same("", 3))
    (preference,) = preferences(nameless, unit="item")
    assert (preference.wins, preference.losses, preference.items) == (2, 1, 3)


def answered(rng, items, people, *, shift=0.0, shared=1.0):
    """Answers about two systems, items × people: what people think of one item resembles."""
    seen = rng.normal(shift, shared, (items, 1)) + rng.normal(0, 1, (items, people))
    return np.sign(np.where(np.abs(seen) < 0.3, 0, seen))


def rejected(rng, times, items, people, **how):
    """How often each test finds a difference: of every judgement, of majorities, of items' means."""
    result = np.zeros(3)
    for _ in range(times):
        answers = answered(rng, items, people, **how)
        p = [sign_flip(values) for values in (answers.ravel(), np.sign(answers.sum(1)), answers.sum(1))]
        result += np.array(p) < 0.05
    return result / times


def test_false_alarms_where_several_people_judge_an_item():
    """Under no difference, 1,000 times: more than 8 % or less than 2 % would be chance once in 10,000."""
    judgements, majority, items = rejected(np.random.default_rng(1), 1000, 60, 4)
    assert judgements > 0.12
    assert majority < 0.075
    assert 0.025 < items < 0.075


def test_means_find_more_than_majorities():
    _, majority, items = rejected(np.random.default_rng(2), 600, 60, 4, shift=0.35, shared=0.7)
    assert items > 0.7
    assert items > majority + 0.03


@given(some_rankings.filter(bool))
def test_one_judge_a_question_is_the_same_by_both_units(rows):
    """Where everybody judges an item of their own, items are judgements."""
    rows = [(who, a, b, f"{place}", score) for place, (who, a, b, _, score) in enumerate(rows)]
    published, by_item = (preferences(rankings(rows), unit=unit) for unit in ("pair", "item"))
    for first, other in zip(published, by_item, strict=True):
        assert first.p == pytest.approx(other.p, rel=1e-9)
        assert replace(first, p=0) == replace(other, p=0)
