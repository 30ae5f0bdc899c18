"""Do the tests of ratings keep what they promise? Simulated campaigns say so (bench/calibration_ratings.py).

The slow ones are of as many campaigns that one per cent is four standard errors; the others see only gross errors.
"""

import math

import pytest
from scipy.special import ndtr, ndtri

from adjudge.stats.design import MOST_SHARED
from conftest import benchmark_module

calibration = benchmark_module("calibration_ratings")
HONEST = [case for case in calibration.CASES if calibration.honest(case)]


QUICK = [
    case
    for case in HONEST
    if case.sides == 1 or (case.scores, case.shared, case.together) == ("normal", 1.0, "annotator")
]
"""Of one side, for time; two sides differ in a quantile."""


def named(case):
    return f"{case.scores}, {case.name}, {case.sides}, {case.data}"


@pytest.mark.parametrize("case", QUICK[::4], ids=named)
def test_level_and_power_roughly(case):
    assert calibration.found(case, 0.0, 200) < 0.11
    assert calibration.found(case, calibration.would_show(case, 30_000), 200, 2) == pytest.approx(
        0.8, abs=0.11
    )


@pytest.mark.slow
@pytest.mark.parametrize("case", HONEST, ids=named)
def test_level_and_power(case):
    """Of systems that share half of their segments the rank-sum test finds less by chance, and never more.

    Of few documents whose differences are skewed as MQM's are, a test of means finds more than it is said to, by as
    much as their skewness says.
    """
    wrong = calibration.found(case, 0.0, 4000)
    assert wrong < 0.063
    assert wrong > 0.037 or (case.test, case.shared) == ("rank-sum", 0.5)
    strength = calibration.would_show(case)
    skewed = (case.scores, case.together) == ("MQM", "document")
    power = calibration.with_skewness(case, strength) if skewed else 0.8
    assert calibration.found(case, strength, 4000, 2) == pytest.approx(power, abs=0.05)
    assert power >= 0.8


def test_skewness_is_why_more_is_found():
    """Of 40 documents with MQM's errors 86 % instead of 80; of symmetric differences it changes nothing."""
    skewed, normal = (
        calibration.Case("randomisation", 2, 1.0, scores, "document", "document")
        for scores in ("MQM", "normal")
    )
    strength = calibration.would_show(skewed)
    power = calibration.with_skewness(skewed, strength)
    assert 0.85 < power < 0.9
    assert calibration.found(skewed, strength, 600, 2) == pytest.approx(power, abs=0.045)
    # What is said to show allows for an error that is itself estimated: two points more of 40 documents.
    even = calibration.with_skewness(normal, calibration.would_show(normal))
    assert even == pytest.approx(0.82, abs=0.015)
    assert even < power - 0.03


def test_what_is_not_made_for_the_data_is_told_apart():
    """WMT's choice of the side finds twice as much by chance; documents that are torn apart more; the rank-sum less."""
    wmt = calibration.Case("better-score rank-sum", 1, 0.0)
    assert 0.06 < calibration.found(wmt, 0.0, 600) < 0.15
    torn = calibration.Case("randomisation", 2, together="document")
    assert calibration.found(torn, 0.0, 300) > 0.1
    unpaired = calibration.Case("rank-sum", 2)
    assert calibration.found(unpaired, 0.0, 600) < 0.035


def test_the_rank_sum_test_loses_what_systems_share():
    """Half of the segments: as the formula has it that the threshold comes from (normal, correlation 0.4)."""
    case = calibration.Case("rank-sum", 2, 0.5)
    half = calibration.BETWEEN * MOST_SHARED
    level = 2 * ndtr(ndtri(0.025) / math.sqrt(1 - half))
    assert level == pytest.approx(0.028, abs=0.001)
    assert calibration.found(case, 0.0, 600) == pytest.approx(level, abs=0.025)
    power = ndtr(ndtri(0.8) / math.sqrt(1 - half))
    assert power == pytest.approx(0.826, abs=0.001)
    assert calibration.found(case, calibration.would_show(case, 30_000), 400, 2) == pytest.approx(
        power, abs=0.07
    )
    assert ndtr(ndtri(0.8) / math.sqrt(1 - MOST_SHARED * 0.68)) < 0.85
