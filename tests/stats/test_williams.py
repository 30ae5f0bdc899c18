"""Williams' test as printed, and as mt-metrics-eval has it."""

import math

import pytest

from adjudge.stats.metric_swaps import williams_test


def test_williams_as_printed():
    # WMT23 en-de, BLEU and chrF beside COMET: r .9903, .9165, .9334 of each other, 12 systems.
    test = williams_test(0.9903, 0.9165, 0.9334, 12)
    assert test.p / 2 == pytest.approx(0.0010, abs=5e-5)
    assert williams_test(0.9165, 0.9903, 0.9334, 12).p == pytest.approx(test.p)
    assert math.isnan(williams_test(0.9, 0.9, 1.0, 12).p)
    assert math.isnan(williams_test(0.9, 0.8, 0.5, 3).p)


def test_williams_of_mt_metrics_eval(shared):
    for case in shared.json("mtme/small_cases.json")["williams"]:
        test = williams_test(case["r12"], case["r13"], case["r23"], case["n"])
        assert test.p == pytest.approx(case["two_sided"], abs=1e-12)
