"""Intraclass correlation against the tables of Shrout and Fleiss, and its laws."""

import math

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from adjudge.errors import DataError, UsageError
from adjudge.stats.intraclass import FORMS, intraclass, intraclass_one_way
from conftest import benchmark_module

SHROUT_FLEISS = np.array(
    [[9, 2, 5, 8], [6, 1, 3, 2], [8, 4, 6, 8], [7, 1, 2, 6], [10, 5, 6, 9], [6, 2, 4, 7]], dtype=float
)


def test_the_six_forms_of_the_textbook():
    forms = intraclass(SHROUT_FLEISS)
    assert tuple(forms) == FORMS
    assert [round(forms[form].value, 2) for form in FORMS] == [0.17, 0.29, 0.71, 0.44, 0.62, 0.91]


def test_their_intervals_and_tests():
    # As R's psych prints them for the same table
    forms = intraclass(SHROUT_FLEISS)
    low_high = {
        "ICC(1,1)": (-0.133, 0.72),
        "ICC(2,1)": (0.019, 0.76),
        "ICC(3,1)": (0.342, 0.95),
        "ICC(1,k)": (-0.884, 0.91),
        "ICC(2,k)": (0.071, 0.93),
        "ICC(3,k)": (0.676, 0.99),
    }
    for form, (low, high) in low_high.items():
        assert forms[form].low == pytest.approx(low, abs=0.0006)
        assert forms[form].high == pytest.approx(high, abs=0.006)
    assert forms["ICC(1,1)"].f == pytest.approx(1.8, abs=0.05)
    assert forms["ICC(1,1)"].degrees == (5, 18)
    assert forms["ICC(1,1)"].p == pytest.approx(0.16477, abs=1e-5)
    assert forms["ICC(3,k)"].f == pytest.approx(11.0, abs=0.05)
    assert forms["ICC(3,k)"].degrees == (5, 15)
    assert forms["ICC(3,k)"].p == pytest.approx(0.00013, abs=5e-6)


tables = st.tuples(st.integers(2, 6), st.integers(2, 4)).flatmap(
    lambda shape: st.lists(
        st.lists(st.floats(0, 100, allow_subnormal=False), min_size=shape[1], max_size=shape[1]),
        min_size=shape[0],
        max_size=shape[0],
    ).map(np.array)
)


@given(tables)
def test_a_full_table_has_one_one_way_form(table):
    assume(np.ptp(table) > 0.1)
    units = np.repeat(np.arange(len(table)), table.shape[1])
    one_way = intraclass_one_way(table.ravel(), units)
    assert one_way.value == pytest.approx(intraclass(table)["ICC(1,1)"].value, abs=1e-9)
    assert (one_way.units, one_way.judgements) == (len(table), table.size)


@given(tables, st.lists(st.floats(-30, 30), min_size=4, max_size=4))
def test_raters_with_scales_of_their_own_matter_but_to_the_third_form(table, shifts):
    assume(np.ptp(table) > 0.1)
    moved = table + np.array(shifts)[: table.shape[1]]
    assume(np.ptp(moved) > 0.1)
    before, after = intraclass(table)["ICC(3,1)"], intraclass(moved)["ICC(3,1)"]
    assert after.value == pytest.approx(before.value, abs=1e-6)


def test_raters_who_agree_to_the_point():
    table = np.repeat(np.arange(4.0)[:, None], 3, axis=1)
    for form in intraclass(table).values():
        assert (form.value, form.low, form.high, form.p) == (1, 1, 1, 0)
    assert intraclass_one_way(table.ravel(), np.repeat(np.arange(4), 3)).value == 1


def test_unequal_numbers_of_judgements():
    # By hand: means 2 and 6 of 2 and 3 judgements; within (2 + 2) / 3, between 96/5, typical size 5 − 13/5
    units = np.array([0, 0, 1, 1, 1, 2])
    coefficient = intraclass_one_way(np.array([1.0, 3, 5, 6, 7, 99]), units)
    between, within, typical = 96 / 5, 4 / 3, 12 / 5
    assert coefficient.value == pytest.approx((between - within) / (between + (typical - 1) * within))
    assert (coefficient.units, coefficient.judgements) == (2, 5)  # what was judged once says nothing


def test_interval_of_the_one_way_form():
    rng = np.random.default_rng(8)
    units = np.repeat(np.arange(400), rng.integers(1, 5, 400))
    values = rng.normal(size=400)[units] + rng.normal(size=len(units))
    coefficient = intraclass_one_way(values, units, limits=True)
    assert coefficient.low < 0.5 < coefficient.high
    assert coefficient.low < coefficient.value < coefficient.high
    assert intraclass_one_way(values, units).low is None


def test_the_interval_is_the_jackknifes_on_fishers_scale():
    # By hand: three units of two judgements each, left out one by one; Student's t with two degrees is 4.303.
    values, units = np.array([1.0, 2, 4, 6, 9, 8]), np.array([0, 0, 1, 1, 2, 2])

    def scale(value):
        return 0.5 * math.log((1 + value) / (1 - value))

    whole = intraclass_one_way(values, units, limits=True)
    others = [
        scale(intraclass_one_way(values[units != unit], units[units != unit]).value) for unit in range(3)
    ]
    error = math.sqrt(2 / 3 * sum((other - sum(others) / 3) ** 2 for other in others))
    expected = [math.tanh(scale(whole.value) + side * 4.30265273 * error) for side in (-1, 1)]
    assert (whole.low, whole.high) == pytest.approx(tuple(expected), rel=1e-6)


def test_units_that_belong_together_are_left_out_together():
    rng = np.random.default_rng(5)
    units = np.repeat(np.arange(60), 2)
    items = np.repeat(np.arange(20), 6)
    values = rng.normal(size=20)[items] + rng.normal(size=120)  # translations of an item are alike
    apart = intraclass_one_way(values, units, limits=True)
    together = intraclass_one_way(values, units, limits=True, together=[str(item) for item in items])
    assert together.value == apart.value
    assert together.high - together.low > apart.high - apart.low


def test_intervals_at_the_edge():
    same = intraclass_one_way(np.repeat(np.arange(4.0), 2), np.repeat(np.arange(4), 2), limits=True)
    assert (same.value, same.low, same.high) == (1, 1, 1)
    opposite = intraclass_one_way(np.tile([0.0, 1.0], 4), np.repeat(np.arange(4), 2), limits=True)
    assert opposite.value == -1
    assert -1 <= opposite.low <= opposite.high < 0
    # two units: without either, one is left, which has no correlation
    few = intraclass_one_way(np.array([1.0, 2, 5, 6]), np.array([0, 0, 1, 1]), limits=True)
    assert (few.low, few.high) == (None, None)


@pytest.mark.parametrize("spread", ["normal", "log-normal"])
def test_intervals_hold_as_often_as_they_say(spread):
    shares = [benchmark_module("intraclass").held(200, (30, 2, 2), truth, spread) for truth in (0.3, 0.9)]
    assert all(92 <= share <= 99 for share in shares)  # 95 to 97 % of 200, give or take two errors


def test_fewer_units_are_counted_on_where_one_of_them_makes_the_error():
    units = np.repeat(np.arange(12), 2)
    even = np.tile([0.0, 1, 3, 4], 6)
    spread = intraclass_one_way(even, units, limits=True)
    assert spread.value is not None
    tail = even.copy()
    tail[-2:] += 60
    far = intraclass_one_way(tail, units, limits=True)
    assert far.high - far.low > 3 * (spread.high - spread.low) / 2


def test_what_has_no_correlation_says_why():
    same = np.full((3, 2), 4.0)
    assert {form.reason for form in intraclass(same).values()} == {"all judgements are the same"}
    assert {form.value for form in intraclass(same).values()} == {None}
    assert (
        intraclass_one_way(same.ravel(), np.array([0, 0, 1, 1, 2, 2])).reason == "all judgements are the same"
    )
    assert intraclass_one_way(np.arange(3.0), np.arange(3)).reason == "nothing was judged twice"
    assert intraclass_one_way(np.arange(3.0), np.zeros(3)).reason == "only one unit was judged twice"
    with pytest.raises(DataError, match="with holes"):
        intraclass(np.array([[1.0, math.nan], [2, 3]]))
    with pytest.raises(DataError, match="judgement 1 is nan"):
        intraclass_one_way(np.array([math.nan]), np.array([0]))
    with pytest.raises(UsageError, match="not 1 × 2"):
        intraclass(np.zeros((1, 2)))
    with pytest.raises(UsageError, match="2 values, but 1 unit"):
        intraclass_one_way(np.zeros(2), np.zeros(1))
