"""Corrections for many tests."""

import numpy as np
import pytest
import scipy.stats
from hypothesis import example, given
from hypothesis import strategies as st

from adjudge.errors import UsageError
from adjudge.stats.multiple import CORRECTIONS, adjust_p_values, enough_trials, interval_errors, thresholds
from oracles.resampling import closed_bonferroni

several = st.lists(st.one_of(st.floats(1e-6, 1), st.sampled_from([0.01, 0.02, 0.05])), min_size=1, max_size=8)


@given(several)
def test_holm_closes_bonferroni_and_bh_is_scipys(p):
    assert adjust_p_values(p, "holm") == pytest.approx(closed_bonferroni(p), rel=1e-12)
    assert adjust_p_values(p, "bh") == pytest.approx(scipy.stats.false_discovery_control(p), rel=1e-12)
    assert adjust_p_values(p, "none").tolist() == p


@given(several)
def test_laws(p):
    raw = np.array(p)
    for correction in CORRECTIONS:
        result = adjust_p_values(p, correction)
        assert (result >= raw).all()
        assert (result <= 1).all()
        assert (np.diff(result[np.argsort(raw, kind="stable")]) >= 0).all()
    assert (adjust_p_values(p, "holm") >= adjust_p_values(p, "bh") - 1e-15).all()


def test_by_hand():
    """Holm 1979: .01 · 3, .02 · 2, .04 · 1 and never below the one before."""
    assert adjust_p_values([0.04, 0.01, 0.02], "holm") == pytest.approx([0.04, 0.03, 0.04])
    assert adjust_p_values([0.04, 0.01, 0.03], "bh") == pytest.approx([0.04, 0.03, 0.04])


@pytest.mark.parametrize("correction", CORRECTIONS)
@given(p=several, alpha=st.sampled_from([0.01, 0.05, 0.2]))
@example(p=[1.0, 0.03125, 0.05], alpha=0.05)
@example(p=[0.05, 1.0, 0.01, 1.0, 1.0], alpha=0.05)
def test_a_test_is_significant_up_to_its_threshold_only(correction, p, alpha):
    for test, limit in enumerate(thresholds(p, alpha, correction)):
        for factor, expected in ((1 - 1e-9, True), (1 + 1e-9, False)):
            changed = list(p)
            changed[test] = limit * factor
            assert (adjust_p_values(changed, correction)[test] <= alpha) == expected
        assert (adjust_p_values(p, correction)[test] <= alpha) == (p[test] <= limit)


def test_the_largest_p_stays_what_it_is():
    """BH multiplies it by m / m, whatever m is: 0.05 · 3 / 3 in this order would be more than 0.05."""
    for m in range(1, 100):
        assert adjust_p_values([0.05] * m, "bh").tolist() == [0.05] * m
        assert (thresholds([0.05] * m, 0.05, "bh") <= 0.05).all()


def test_enough_trials_can_be_significant():
    for comparisons in (1, 45, 4950):
        trials = enough_trials(comparisons, 0.05)
        p = np.full(comparisons, 1.0)
        p[0] = 1 / (trials + 1)
        assert adjust_p_values(p)[0] < 0.05 / 10


@given(several)
def test_intervals_of_found_differences_are_as_narrow_as_the_correction_allows(p):
    """Benjamini-Hochberg: an interval that inverts the test leaves out 0 where p is significant, and only there."""
    raw = np.array(p)
    assert interval_errors(p, 0.05, "none").tolist() == [0.05] * len(p)
    assert interval_errors(p, 0.05, "holm").sum() == pytest.approx(0.05)
    own = interval_errors(p, 0.05, "bh")
    result = adjust_p_values(p, "bh") <= 0.05
    assert (raw[result] <= own[result] * (1 + 1e-12)).all()
    assert (raw[~result] >= own[~result] * (1 - 1e-12)).all()


def test_no_tests_and_no_such_correction():
    for correction in CORRECTIONS:
        assert adjust_p_values([], correction).size == thresholds([], 0.05, correction).size == 0
    for function in (adjust_p_values, lambda p, c: thresholds(p, 0.05, c)):
        with pytest.raises(UsageError, match="unknown correction 'bonferoni'"):
            function([0.1], "bonferoni")
