"""Systems by one measure, on one test set or in the mean over several: the same findings, corrected alike."""

import math

import numpy as np
import pytest

from adjudge import comparison
from adjudge.comparison.plan import Plan
from adjudge.data import Outputs, ScoreMatrix
from adjudge.stats.design import Design
from adjudge.stats.macro import SetRows, mean_tests, set_scores
from adjudge.stats.multiple import correct_p_values
from adjudge.stats.resampling import quotient
from adjudge.stats.systems import FindingOptions, compare_systems
from adjudge.stats.tests.systems.base import SystemRows, TestOptions, system_test
from adjudge.stats.units import Units
from helpers.compared_systems import FAST, GOOD, POOR, TEST_SET, broken


def test_one_unit_says_nothing():
    matrix = ScoreMatrix(("a", "b"), np.array([[1.0], [2.0]]))
    (only,) = comparison.compare_scores(matrix, **FAST).pairs
    assert only.p == 1
    assert np.isnan([only.detectable, only.low, only.high, only.effect]).all()


@pytest.mark.parametrize(
    ("correction", "family", "decided"),
    [
        ("holm", "metric", [True, True, True]),
        ("holm", "all", [True, True, True]),
        ("bh", "metric", [True, True, True]),
        ("bh", "all", [False, True, True]),
        ("none", "metric", [False, True, True]),
    ],
)
def test_a_correction_over_all_metrics_may_still_make_a_p_significant_after_bh(correction, family, decided):
    """Small p-values of other metrics make Benjamini and Hochberg's correction smaller: nothing stops before them."""
    plan = Plan(correction=correction, family=family)
    assert plan.cannot_be_significant(np.array([0.03, 0.9, 0.9])).tolist() == decided


def test_what_would_show_is_unknown_where_runs_are_exchanged():
    """Runs vary as no resample of the segments does."""
    again = Outputs("poor", broken(0.6, 9), "second")
    single = comparison.compare(TEST_SET, [GOOD, POOR], "bleu", **FAST).pairs[0]
    several = comparison.compare(TEST_SET, [GOOD, POOR, again], "bleu", **FAST).pairs[0]
    assert single.detectable > 0
    assert math.isnan(several.detectable)


PAIRS = [(0, 1), (0, 2), (1, 2)]
OPTIONS = TestOptions(500, 7, resamples=200, threads=1)


def rows(shift, segments=40, seed=1):
    scores = np.random.default_rng(seed).normal(size=segments) + shift
    return np.stack([scores, np.ones(segments)], axis=1)


def means(test, *sets):
    own = [SetRows({s: (r,) for s, r in systems.items()}, quotient, Units.of(40), 7) for systems in sets]
    scores = [set_scores(rows_of_set, 3, OPTIONS) for rows_of_set in own]
    (tests,) = mean_tests(system_test(test), own, scores, [list(range(len(sets)))], PAIRS, OPTIONS)
    return tests


def found(tests):
    (own,) = correct_p_values([tests.p_values], alpha=0.05, error=0.05, correction="holm", family="metric")
    return tests.findings(own, FindingOptions(0.05, Design("segment", 40)))


@pytest.mark.parametrize("test", ["randomisation", "bootstrap"])
def test_a_mean_over_one_test_set_is_what_was_found_on_it(test):
    systems = {0: rows(0.0), 1: rows(0.4, seed=2), 2: rows(1.5, seed=3)}
    single = SystemRows(
        [(own,) for own in systems.values()], quotient, PAIRS, Units.of(40), segment_scores=quotient
    )
    alone, mean = compare_systems(system_test(test), single, OPTIONS), means(test, systems)
    assert [own.delta for own in alone.differences] == [own.delta for own in mean.differences]
    assert alone.p_values == mean.p_values
    on_set, in_mean = found(alone), found(mean)
    assert [own.score for own in on_set.systems] == [own.score for own in in_mean.systems]
    assert [own.cluster for own in on_set.systems] == [own.cluster for own in in_mean.systems]
    assert [own.significant for own in on_set.decided] == [own.significant for own in in_mean.decided]


def test_systems_without_a_common_test_set_are_not_decided_and_those_that_lack_one_not_placed():
    first, second = {0: rows(0.0), 1: rows(0.0, seed=2)}, {1: rows(0.0, seed=3), 2: rows(2.0, seed=4)}
    findings = found(means("randomisation", first, second))
    assert [own is None for own in findings.decided] == [False, True, False]
    assert findings.decided[2].significant
    assert [own.missing for own in findings.systems] == [(1,), (), (0,)]
    assert [own.cluster for own in findings.systems] == [None, None, None]
    assert [own.score for own in findings.systems][::2] == pytest.approx([math.nan] * 2, nan_ok=True)
