"""Do the tests of ratings keep what they promise? Simulated campaigns say so (bench/calibration_ratings.py).

The slow ones are of as many campaigns that one per cent is four standard errors; the others see only gross errors.
"""

import pytest

from conftest import benchmark_module

calibration = benchmark_module("calibration_ratings")
HONEST = [case for case in calibration.CASES if calibration.honest(case)]


def named(case):
    return f"{case.name}, {case.sides}, {case.data}"


@pytest.mark.parametrize("case", HONEST, ids=named)
def test_level_and_power_roughly(case):
    assert calibration.found(case, 0.0, 200) < 0.11
    assert calibration.found(case, calibration.shown(case), 200, 2) == pytest.approx(0.8, abs=0.09)


@pytest.mark.slow
@pytest.mark.parametrize("case", HONEST, ids=named)
def test_level_and_power(case):
    assert calibration.found(case, 0.0, 8000) == pytest.approx(0.05, abs=0.01)
    assert calibration.found(case, calibration.shown(case), 8000, 2) == pytest.approx(0.8, abs=0.025)


def test_what_is_not_made_for_the_data_is_told_apart():
    """WMT's choice of the side finds twice as much by chance; documents that are torn apart more; the rank-sum less."""
    wmt = calibration.Case("better-score rank-sum", 1, paired=False)
    assert 0.07 < calibration.found(wmt, 0.0, 1000) < 0.14
    torn = calibration.Case("randomisation", 2, documents=True)
    assert calibration.found(torn, 0.0, 300) > 0.1
    unpaired = calibration.Case("rank-sum", 2)
    assert calibration.found(unpaired, 0.0, 1000) < 0.03
