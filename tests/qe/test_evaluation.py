"""Estimators held against people, filters and distributions."""

import math

import numpy as np
import pytest

from adjudge.errors import DataError, UsageError
from adjudge.qe.conformal import Intervals, conformal_reach, coverage_of, design_effect
from adjudge.qe.distribution import distribution
from adjudge.qe.estimator import UnseenSegments
from adjudge.qe.evaluation import EvaluationOptions, calibration_bins, evaluate
from adjudge.qe.filtering import Costs, Wish, choose_threshold, filter_points, passes_threshold

RNG = np.random.default_rng(1)
SCORES = RNG.normal(size=300)
NEAR, FAR = SCORES + 0.5 * RNG.normal(size=300), SCORES + 3 * RNG.normal(size=300)
OPTIONS = EvaluationOptions(draws=200)
MEASURES = ["pearson", "spearman", "kendall", "mae", "rmse", "mcc", "auc", "delta_avg"]


def test_the_nearer_estimator_is_better_by_every_measure():
    result = evaluate(SCORES, {"near": NEAR, "far": FAR}, OPTIONS)
    assert [pair.measure for pair in result.pairs] == MEASURES
    for pair in result.pairs:
        assert pair.significant
        assert (pair.delta < 0) == (pair.measure in ("mae", "rmse"))
        assert 0 < pair.p <= pair.p_adjusted
    for value in result.values:
        assert value.low <= value.value <= value.high


def test_many_estimators_are_swapped_as_often_as_their_correction_needs():
    """Ten pairs: of twenty swaps the least p is 1/21, and nothing could be found once it is corrected."""
    rng = np.random.default_rng(2)
    many = {f"e{place}": SCORES[:60] + 10.0**place / 30 * rng.normal(size=60) for place in range(5)}
    result = evaluate(SCORES[:60], many, EvaluationOptions(draws=20))
    assert result.draws == 20
    assert {(pair.a, pair.b) for pair in result.pairs if pair.significant} >= {("e0", "e4")}


def test_an_estimator_is_not_better_than_itself():
    (*_, pair) = evaluate(SCORES, {"a": NEAR, "b": NEAR.copy()}, OPTIONS).pairs
    assert (pair.delta, pair.p, pair.significant) == (0, 1, False)


def test_turned_scores_give_the_same_where_lower_is_better():
    higher = evaluate(SCORES, {"near": NEAR}, OPTIONS)
    lower = evaluate(-SCORES, {"near": -NEAR}, EvaluationOptions(draws=200, higher_is_better=False))
    assert [v.value for v in lower.values] == pytest.approx([v.value for v in higher.values], abs=1e-9)


def test_swaps_find_nothing_between_equals():
    """Of pairs of equally good estimators, about one in twenty is found different at 5 %."""
    rng, hits = np.random.default_rng(7), 0
    for trial in range(60):
        gold = rng.normal(size=80)
        both = {name: gold + rng.normal(size=80) for name in "ab"}
        pairs = evaluate(gold, both, EvaluationOptions(draws=99, seed=trial)).pairs
        hits += next(pair.p <= 0.05 for pair in pairs if pair.measure == "pearson")
    assert hits <= 9  # P(more) < 1 % at 5 %


def test_constant_estimates_have_no_correlation():
    result = evaluate(SCORES, {"flat": np.ones(300)}, OPTIONS)
    by_name = {value.measure: value.value for value in result.values}
    assert math.isnan(by_name["pearson"])
    assert by_name["auc"] == 0.5


@pytest.mark.parametrize(
    ("scores", "predicted", "good", "remark"),
    [
        (np.ones(300), NEAR, None, "All segments have the score 1"),
        (SCORES, np.ones(300), None, "x says 1 of all segments"),
        (SCORES, NEAR, 99.0, "None of the segments are good at 99"),
        (SCORES, NEAR, -99.0, "All of the segments are good at -99"),
    ],
)
def test_what_cannot_be_measured_has_a_reason(scores, predicted, good, remark):
    result = evaluate(scores, {"x": predicted}, EvaluationOptions(good=good, draws=20))
    assert [own for own in result.remarks if own.startswith(remark)]
    assert any(math.isnan(value.value) for value in result.values)


def test_what_can_be_measured_needs_no_remark():
    assert evaluate(SCORES, {"x": NEAR}, EvaluationOptions(draws=20)).remarks == ()


def test_coverage_is_counted():
    own = Intervals(SCORES - 1, np.where(SCORES > 0, 9, -9), 1000)
    result = evaluate(SCORES, {"near": NEAR}, OPTIONS, {"near": own})
    assert result.coverages["near"].share == pytest.approx((SCORES > 0).mean())
    assert not result.coverages["near"].promised


@pytest.mark.parametrize(("known", "new"), [(60, 400), (400, 60), (1000, 1000)])
def test_intervals_that_keep_their_promise_are_believed(known, new):
    """Of draws in which segments are like those of the calibration, one in twenty is called unlike them."""
    rng = np.random.default_rng(known)
    doubted = 0
    for _ in range(1000):
        low, high = conformal_reach(rng.exponential(size=known), 0.9)
        own = Intervals(np.full(new, low), np.full(new, high), known)
        doubted += not coverage_of(own, rng.exponential(size=new), 0.9).promised
    assert 20 <= doubted <= 65  # quantiles of counts are a little wide


def test_scores_of_another_spread_are_seen():
    rng = np.random.default_rng(9)
    low, high = conformal_reach(rng.normal(size=1000), 0.9)
    own = Intervals(np.full(1000, low), np.full(1000, high), 1000)
    narrow, wide = (coverage_of(own, by * rng.normal(size=1000), 0.9) for by in (0.8, 1.25))
    assert not narrow.promised
    assert not wide.promised
    assert narrow.share > 0.9 > wide.share


def test_too_few_to_calibrate_promise_nothing():
    own = Intervals(np.full(50, -np.inf), np.full(50, np.inf), 10)
    assert coverage_of(own, np.zeros(50), 0.9).promised


def test_segments_of_a_document_are_drawn_and_swapped_together():
    """Ten copies of each segment teach no more than one: intervals and p are those of the segments."""
    copied = [np.repeat(values[:40], 10) for values in (SCORES, NEAR, SCORES + RNG.normal(size=300))]
    units = [f"{place:02}" for place in np.repeat(np.arange(40), 10)]
    estimators = {"a": copied[1], "b": copied[2]}
    whole = evaluate(copied[0], estimators, OPTIONS, units=units)
    apart = evaluate(copied[0], estimators, OPTIONS)
    once = evaluate(copied[0][::10], {name: own[::10] for name, own in estimators.items()}, OPTIONS)
    assert (whole.units, apart.units, once.units) == (40, 400, 40)
    for one, two, three in zip(whole.values, apart.values, once.values, strict=True):
        if one.measure in ("pearson", "spearman", "mae", "rmse", "mcc", "auc"):
            assert (one.low, one.high) == pytest.approx((three.low, three.high), abs=1e-9)
        assert two.high - two.low < 0.6 * (one.high - one.low), one.measure
    for one, three in zip(whole.pairs, once.pairs, strict=True):
        if one.measure in ("pearson", "spearman", "mae", "rmse", "mcc", "auc"):
            assert one.p == pytest.approx(three.p, abs=1e-12)


def test_one_document_is_said_to_show_nothing_of_others():
    scores = np.linspace(-1, 1, 40)
    result = evaluate(scores, {"a": scores * 2, "b": scores**3}, units=["d"] * 40)
    assert result.remarks[0].startswith("All segments are of one document or source")
    assert not any(pair.significant for pair in result.pairs)
    assert "of 1 document or source, whose segments stay together" in str(result.sections()[0].notes)
    several = evaluate(scores, {"a": scores * 2}, units=["d", "e"] * 20)
    assert not any("one document" in remark for remark in several.remarks)


def test_intervals_stay_on_the_measure_s_scale():
    rng = np.random.default_rng(5)
    few = rng.normal(size=12)
    for value in evaluate(few, {"x": few + 0.05 * rng.normal(size=12)}, EvaluationOptions(draws=200)).values:
        assert value.low <= value.value <= value.high
        if value.measure in ("pearson", "spearman", "kendall", "mcc"):
            assert -1 <= value.low <= value.high <= 1
        if value.measure == "auc":
            assert 0 <= value.low <= value.high <= 1
        if value.measure in ("mae", "rmse"):
            assert value.low >= 0


def test_a_perfect_estimator_has_the_best_values_and_no_certainty_of_its_choices():
    by_name = {value.measure: value for value in evaluate(SCORES, {"x": SCORES}, OPTIONS).values}
    for name, at in (("pearson", 1), ("mae", 0), ("rmse", 0)):
        assert (by_name[name].low, by_name[name].high) == pytest.approx((at, at), abs=1e-12)
    for name in ("auc", "mcc"):
        assert by_name[name].value == by_name[name].high == pytest.approx(1)
        assert 0.9 < by_name[name].low < 0.995


def test_a_long_tail_is_said():
    """What a few segments decide is not known from a sample that may lack them (docs/qe.md has how often)."""
    rng = np.random.default_rng(3)
    long = -np.exp(rng.normal(size=200))
    (remark,) = evaluate(long, {"x": long + rng.normal(size=200)}, OPTIONS).remarks
    assert remark.startswith("Scores or errors have a long tail (skewness -")
    assert "RMSE" in remark
    (remark,) = evaluate(SCORES, {"x": SCORES - np.exp(2 * NEAR)}, OPTIONS).remarks
    assert "long tail" in remark


def test_documents_that_are_missed_whole_count_as_few():
    held = np.repeat([True, True, True, False], 50)
    unit = np.repeat(np.arange(4), 50)
    assert design_effect(held, unit) == pytest.approx(50 * 4 / 3)
    assert design_effect(held, np.arange(200)) == 1
    assert design_effect(np.ones(200, bool), unit) == 1
    alternating = np.arange(200) % 4 > 0  # each document has its share: never below 1
    assert design_effect(alternating, unit) == 1


def test_where_too_few_are_left_nothing_is_promised():
    low, high = np.full(200, -1.0), np.full(200, 1.0)
    scores = np.repeat([0.0, 0.0, 0.0, 9.0], 50)
    found = coverage_of(Intervals(low, high, 100), scores, 0.9, np.repeat(np.arange(4), 50))
    assert (found.low, found.high) == (0, 1)


@pytest.mark.parametrize(
    ("scores", "predicted", "message"),
    [
        (SCORES[:5], NEAR[:5], "too few"),
        (SCORES, NEAR[:-1], "299 estimates for 300"),
        (SCORES, np.where(np.arange(300) == 7, np.nan, NEAR), "segment 8 is no number"),
        (np.where(np.arange(300) == 4, np.nan, SCORES), NEAR, "segment 5 has no score"),
    ],
)
def test_what_cannot_be_held_against_each_other(scores, predicted, message):
    with pytest.raises(DataError, match=message):
        evaluate(scores, {"x": predicted}, OPTIONS)


def test_bins_go_from_low_to_high_and_hold_all():
    bins = calibration_bins(SCORES, NEAR)
    assert sum(item.segments for item in bins) == 300
    assert [item.predicted for item in bins] == sorted(item.predicted for item in bins)
    assert bins[0].scores < bins[-1].scores


HELD_OUT = UnseenSegments(NEAR, SCORES)


@pytest.mark.parametrize("higher", [True, False])
def test_a_precision_is_reached_and_no_more_is_thrown_away_than_needed(higher):
    held_out = HELD_OUT if higher else UnseenSegments(-NEAR, -SCORES)
    chosen = choose_threshold(held_out, 0.0, higher_is_better=higher, wish=Wish(precision=0.9))
    kept = passes_threshold(held_out.predicted, chosen.threshold, higher_is_better=higher)
    good = held_out.scores >= 0 if higher else held_out.scores <= 0
    assert good[kept].mean() == pytest.approx(chosen.precision)
    assert chosen.precision >= 0.9
    points = filter_points(held_out, 0.0, higher_is_better=higher, costs=Costs())
    assert all(point.kept <= chosen.kept for point in points if point.precision >= 0.9)
    assert chosen.precision_low <= chosen.precision <= chosen.precision_high


def test_a_recall_is_reached():
    chosen = choose_threshold(HELD_OUT, 0.0, higher_is_better=True, wish=Wish(recall=0.95))
    assert chosen.recall >= 0.95
    assert chosen.kept < 1


def test_the_least_cost_is_the_least():
    costs = Costs(0.2, 2.0, 1.0)
    chosen = choose_threshold(HELD_OUT, 0.0, higher_is_better=True, wish=Wish(), costs=costs)
    points = filter_points(HELD_OUT, 0.0, higher_is_better=True, costs=costs)
    assert chosen.cost == min(point.cost for point in points)
    assert chosen.saving > 0
    kept, good = chosen.threshold <= NEAR, SCORES >= 0
    by_hand = np.where(kept, np.where(good, 0.2, 2.0), 1.0).mean()
    assert chosen.cost == pytest.approx(by_hand)
    assert chosen.cost_unfiltered == pytest.approx(np.where(good, 0.2, 2.0).mean())


def test_wishes_that_cannot_be_had_are_refused():
    noise = UnseenSegments(np.random.default_rng(3).normal(size=300), SCORES)
    with pytest.raises(UsageError, match=r"no threshold reaches a precision of 1 .* at most"):
        choose_threshold(noise, 0.0, higher_is_better=True, wish=Wish(precision=1.0))
    with pytest.raises(DataError, match="none of the 300 judged segments held out are good at 99"):
        choose_threshold(noise, 99.0, higher_is_better=True, wish=Wish())


def test_engines_with_the_same_mean_are_told_apart_by_their_shares():
    steady, wild = np.full(400, 0.5), np.repeat([0.0, 1.0], 200)
    spread = distribution({"steady": steady, "wild": wild}, higher_is_better=True, thresholds=[0.4, 0.9])
    shares = {(item.engine, item.threshold): item.share for item in spread.above}
    assert shares == {("steady", 0.4): 1, ("steady", 0.9): 0, ("wild", 0.4): 0.5, ("wild", 0.9): 0.5}
    assert all(item.low <= item.share <= item.high for item in spread.above)
    lower = distribution({"wild": wild}, higher_is_better=False, thresholds=[0.4])
    assert lower.above[0].share == 0.5
