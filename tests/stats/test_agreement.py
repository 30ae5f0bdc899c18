"""Agreement against textbooks, krippendorff and statsmodels on drawn judgements, slow twins, and laws."""

import math
from functools import partial
from importlib import import_module
from itertools import permutations

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from adjudge.errors import DataError, UsageError
from adjudge.stats import agreement
from adjudge.stats.agreement import (
    LEVELS,
    alpha,
    chance_with_ties,
    cohen,
    fleiss,
    kappa,
    kappa_of_pairs,
    landmark,
)


@pytest.mark.parametrize(
    ("observed", "chance", "expected"),
    [(0.549, 1 / 3, 0.323), (0.774, 1 / 2, 0.549), (0.707, 1 / 3, 0.561), (0.866, 1 / 2, 0.732)],
)
def test_kappas_that_wmt09_printed(observed, chance, expected):
    # P(A) is printed with three digits, which leaves kappa ± .001
    assert kappa(observed, chance) == pytest.approx(expected, abs=0.0015)


def test_landmarks():
    assert [landmark(k) for k in (-0.01, 0, 0.2, 0.21, 0.4, 0.41, 0.6, 0.61, 0.8, 0.81, 1)] == [
        *("poor", "slight", "slight", "fair", "fair", "moderate", "moderate", "substantial", "substantial"),
        *("near perfect", "near perfect"),
    ]


def test_chance_that_cannot_fail_leaves_no_kappa():
    assert kappa(1.0, 1.0) is None
    assert chance_with_ties(1.0) == 1
    assert chance_with_ties(1 / 3) == pytest.approx(1 / 3)


FLEISS = np.array(
    [
        [0, 0, 0, 0, 14],
        [0, 2, 6, 4, 2],
        [0, 0, 3, 5, 6],
        [0, 3, 9, 2, 0],
        [2, 2, 8, 1, 1],
        [7, 7, 0, 0, 0],
        [3, 2, 6, 3, 0],
        [2, 5, 3, 2, 2],
        [6, 5, 2, 1, 0],
        [0, 2, 2, 3, 7],
    ]
)


def test_fleiss_of_the_textbook():
    kappa = fleiss(FLEISS)
    assert kappa.value == pytest.approx(0.210, abs=0.0005)
    assert kappa.observed == pytest.approx(0.378, abs=0.0005)
    assert kappa.expected == pytest.approx(0.213, abs=0.0005)
    assert (kappa.units, kappa.judgements) == (10, 140)


KRIPPENDORFF = """
    1 2 3 3 2 1 4 1 2 * * *
    1 2 3 3 2 2 4 1 2 5 * 3
    * 3 3 3 2 3 4 2 2 5 1 *
    1 2 3 3 2 4 4 1 2 5 1 *
"""


@pytest.mark.parametrize(
    ("level", "expected"), [("nominal", 0.743), ("ordinal", 0.815), ("interval", 0.849), ("ratio", 0.797)]
)
def test_alpha_of_the_textbook(level, expected):
    table = np.array(
        [[math.nan if x == "*" else float(x) for x in row.split()] for row in KRIPPENDORFF.split("\n")[1:-1]]
    )
    coefficient = alpha(*longform(table), level=level)
    assert coefficient.value == pytest.approx(expected, abs=0.0005)
    assert (coefficient.units, coefficient.judgements) == (11, 40)


def longform(table):
    """Values and units of a table, raters × units, with NaN for holes."""
    present = ~np.isnan(table)
    return table[present], np.nonzero(present)[1]


categories = st.integers(0, 3)
tables = st.integers(1, 12).flatmap(
    lambda units: st.lists(
        st.lists(st.one_of(st.integers(0, 4).map(float), st.just(math.nan)), min_size=units, max_size=units),
        min_size=1,
        max_size=5,
    ).map(np.array)
)


@given(tables, st.sampled_from(LEVELS))
def test_alpha_is_krippendorffs(table, level):
    krippendorff = import_module("krippendorff")
    values, units = longform(table)
    pairable = np.array([v for v, u in zip(values, units, strict=True) if (units == u).sum() > 1])
    coefficient = alpha(values, units, level=level)
    if not len(pairable):
        assert (coefficient.value, coefficient.reason) == (None, "nothing was judged twice")
    elif len(set(pairable)) == 1:
        assert (coefficient.value, coefficient.reason) == (None, "all judgements are the same")
    else:
        expected = krippendorff.alpha(reliability_data=table, level_of_measurement=level)
        assert coefficient.value == pytest.approx(expected, abs=1e-12)


def slow_alpha(values, units, distance):
    """From the definition: the mean distance of pairs in units over that of all pairs."""
    groups = [[v for v, w in zip(values, units, strict=True) if w == u] for u in set(units)]
    groups = [g for g in groups if len(g) > 1]
    pooled = [v for g in groups for v in g]
    n = len(pooled)
    seen = sum(sum(distance(a, b) for a, b in permutations(g, 2)) / (len(g) - 1) for g in groups) / n
    return 1 - seen / (sum(distance(a, b) for a, b in permutations(pooled, 2)) / (n * (n - 1)))


@given(
    st.lists(st.tuples(st.integers(0, 5), st.floats(0, 100, allow_subnormal=False)), min_size=2, max_size=20)
)
def test_alpha_of_fine_scores_is_its_definition(drawn):
    units, values = np.array(drawn).T
    again = np.array([v for v, u in zip(values, units, strict=True) if (units == u).sum() > 1])
    assume(len(again) and np.ptp(again) > 1e-3)
    for level, distance in (
        ("interval", lambda a, b: (a - b) ** 2),
        ("ratio", lambda a, b: ((a - b) / (a + b)) ** 2 if a + b else 0.0),
        ("nominal", lambda a, b: float(a != b)),
    ):
        expected = slow_alpha(values, units, distance)
        assert alpha(values, units, level=level).value == pytest.approx(expected, abs=1e-9)


@given(tables, st.floats(0.1, 10), st.floats(-50, 50))
def test_alpha_keeps_what_its_level_does_not_see(table, factor, shift):
    values, units = longform(table)
    cases = {
        "nominal": lambda v: -np.exp(v),
        "ordinal": np.exp,
        "interval": lambda v: factor * v + shift,
        "ratio": lambda v: factor * v,
    }
    for level, change in cases.items():
        before, after = alpha(values, units, level=level), alpha(change(values), units, level=level)
        assert (before.value is None) == (after.value is None)
        if before.value is not None:
            assert after.value == pytest.approx(before.value, abs=1e-9)


@given(
    st.lists(st.tuples(categories, categories), min_size=1, max_size=40), st.sampled_from(agreement.WEIGHTS)
)
def test_cohens_kappa_is_statsmodels(drawn, weights):
    theirs = import_module("statsmodels.stats.inter_rater")
    a, b = np.array(drawn).T
    table = np.zeros((4, 4))
    np.add.at(table, (a, b), 1)
    kappa = cohen(a, b, weights=weights, categories=range(4))
    # statsmodels wants weights of disagreement that grow with the distance, as ours do
    distance = (
        np.abs(np.subtract.outer(np.arange(4), np.arange(4)))
        ** {"none": 0, "linear": 1, "quadratic": 2}[weights]
    )
    distance = distance * (1 - np.eye(4))
    if len(set(a) | set(b)) == 1:
        assert (kappa.value, kappa.reason) == (None, "all judgements are the same")
    else:
        expected = theirs.cohens_kappa(table, weights=distance, return_results=False)
        assert kappa.value == pytest.approx(expected, abs=1e-12)
        assert cohen(a, b, weights=distance, categories=range(4)) == kappa


def test_distances_are_between_places_not_names():
    low, high = ["bad", "fair", "good"], ["fair", "good", "good"]
    kappa = cohen(low, high, weights="linear", categories=["bad", "fair", "good"])
    # 2 steps apart in 3 pairs; each of the first list beside each of the second: 8 steps in 9 pairs
    assert kappa.value == pytest.approx(1 - (2 / 3) / (8 / 9))
    assert kappa.observed == pytest.approx(1 - (2 / 3) / 2)


@given(st.integers(2, 6), st.data())
def test_fleiss_kappa_is_statsmodels(raters, data):
    theirs = import_module("statsmodels.stats.inter_rater")
    judged = data.draw(
        st.lists(st.lists(categories, min_size=raters, max_size=raters), min_size=1, max_size=15)
    )
    counts = np.array([np.bincount(entry, minlength=4) for entry in judged])
    kappa = fleiss(counts)
    if (counts.sum(0) > 0).sum() == 1:
        assert (kappa.value, kappa.reason) == (None, "all judgements are the same")
    else:
        assert kappa.value == pytest.approx(theirs.fleiss_kappa(counts), abs=1e-12)
    assert fleiss(counts, chance=1 / 4).value == pytest.approx(
        theirs.fleiss_kappa(counts, method="randolph"), abs=1e-12
    )


def test_fleiss_with_raters_that_come_and_go():
    # shares of agreeing pairs: 1 of 1, 1 of 3; the last unit has one judgement and counts for nothing
    kappa = fleiss(np.array([[2, 0], [1, 2], [1, 0]]))
    assert kappa.observed == pytest.approx((1 + 1 / 3) / 2)
    assert kappa.expected == pytest.approx(0.6**2 + 0.4**2)
    assert (kappa.units, kappa.judgements) == (2, 5)


def test_two_raters_who_answer_as_often_agree_as_cohen_scott_and_fleiss_say():
    a, b = np.array([0, 0, 1, 1, 2, 2]), np.array([0, 1, 1, 2, 2, 0])
    counts = np.array([np.bincount([x, y], minlength=3) for x, y in zip(a, b, strict=True)])
    assert cohen(a, b).value == pytest.approx(fleiss(counts).value)


def test_pairs_that_agree():
    rows = np.array([[2.0, 3, 1, 3], [0, 0, 1, 1]])
    result = kappa_of_pairs(rows)
    assert result.value == pytest.approx((2 / 3 - 0.375) / 0.625)  # half of the judgements are ties
    assert kappa_of_pairs(rows, chance=1 / 3).value == pytest.approx(0.5)
    assert (result.units, result.judgements) == (1, 3)
    assert kappa_of_pairs(rows[1:]).reason == "nothing was judged twice"
    assert kappa_of_pairs(np.array([[1.0, 1, 2, 2]])).reason == "all judgements are the same"
    assert kappa_of_pairs(np.array([[1.0, 1, 2, 2]]), chance=1 / 3).value == 1


def test_intervals_hold_the_value_and_shrink():
    rng = np.random.default_rng(2)

    def of(units):
        truth = rng.normal(size=units)
        values = np.concatenate([truth + rng.normal(size=units) for _ in range(3)])
        return alpha(values, np.tile(np.arange(units), 3), resamples=500, seed=1)

    small, large = of(50), of(2000)
    for entry in (small, large):
        assert entry.low < entry.value < entry.high
        assert entry.low < 0.5 < entry.high  # the truth: half of the variance is the units'
    assert small.high - small.low > 3 * (large.high - large.low)


def test_every_coefficient_has_an_interval_and_keeps_its_value():
    rng = np.random.default_rng(4)
    truth = rng.integers(0, 4, 200)
    a, b = (np.where(rng.random(200) < 0.7, truth, rng.integers(0, 4, 200)) for _ in range(2))
    counts = np.array([np.bincount([x, y], minlength=4) for x, y in zip(a, b, strict=True)])
    units = np.tile(np.arange(200), 2)
    both = np.concatenate([a, b]).astype(float)
    for entry in (
        lambda **o: cohen(a, b, **o),
        lambda **o: cohen(a, b, weights="quadratic", **o),
        lambda **o: fleiss(counts, **o),
        *(partial(alpha, both, units, level=level) for level in LEVELS),
    ):
        without, with_one = entry(), entry(resamples=300, seed=3)
        assert with_one.value == pytest.approx(without.value, abs=1e-12)
        assert (without.low, without.high) == (None, None)
        assert with_one.low < with_one.value < with_one.high
        assert with_one == entry(resamples=300, seed=3)


def test_bad_judgements_are_refused():
    with pytest.raises(DataError, match="judgement 2 is nan"):
        alpha([1.0, math.nan], [0, 0])
    with pytest.raises(DataError, match="judgement 1 is inf"):
        cohen([math.inf], [1.0])
    with pytest.raises(DataError, match="no values below 0"):
        alpha([-1.0, 2.0], [0, 0], level="ratio")
    with pytest.raises(DataError, match="'c' is none of the categories 'a', 'b'"):
        cohen(["a"], ["c"], categories=["a", "b"])
    with pytest.raises(DataError, match="none below 0"):
        fleiss(np.array([[-1, 2]]))
    with pytest.raises(UsageError, match="same units"):
        cohen([1, 2], [1])
    with pytest.raises(UsageError, match="2 values, but 1 unit"):
        alpha([1, 2], [1])
    with pytest.raises(UsageError, match="did you mean 'interval'"):
        alpha([1, 2], [1, 1], level="intervall")
    with pytest.raises(UsageError, match="unknown weighting"):
        cohen([1, 2], [1, 1], weights="cubic")
    with pytest.raises(UsageError, match="2 × 2 distances"):
        cohen([1, 2], [1, 1], weights=np.ones((2, 2)))
    with pytest.raises(UsageError, match="too many for a nominal alpha"):
        alpha(np.arange(20_000), np.arange(20_000) // 2, level="nominal")


def test_as_many_values_as_can_be_kept_are_not_too_many(monkeypatch):
    monkeypatch.setattr(agreement, "TOO_MANY", 9)
    assert alpha([1, 2, 3, 3], [1, 1, 2, 2], level="nominal").value is not None
    with pytest.raises(UsageError, match="4 different values are too many"):
        alpha([1, 2, 3, 4], [1, 1, 2, 2], level="nominal")


def test_no_judgements_at_all():
    nothing = np.array([])
    for entry in (
        alpha(nothing, nothing),
        cohen(nothing, nothing),
        fleiss(np.zeros((0, 3))),
        fleiss(np.zeros((3, 0))),
    ):
        assert (entry.value, entry.reason, entry.words) == (None, "nothing was judged twice", "")


def test_the_scale_of_distances_changes_no_kappa_and_no_agreement():
    first, second = [0, 1, 2, 2, 1, 0, 2], [0, 2, 2, 1, 1, 0, 1]
    distances = np.abs(np.subtract.outer(np.arange(3.0), np.arange(3.0)))
    large, small = (cohen(first, second, weights=scale * distances) for scale in (1.0, 0.125))
    assert small.value == pytest.approx(large.value)
    assert small.observed == pytest.approx(large.observed)
    assert small.expected == pytest.approx(large.expected)
