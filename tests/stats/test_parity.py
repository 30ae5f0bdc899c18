"""Other programs' p-values, within three Monte-Carlo standard errors of both sides together.

What is compared stands in bench/significance_parity.py, which also writes the tables of docs/parity.md.
"""

import importlib.util
import math

import pytest

from adjudge.stats import resampling
from conftest import benchmark_module
from helpers.paired import paired_bootstrap


@pytest.fixture(scope="module")
def parity(shared):
    """One for all tests, as it keeps what it has scored."""
    module = benchmark_module("significance_parity")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "SHARED", shared.root)
        patch.setattr(module, "TRIALS", 5000)
        yield module


def assert_close(result, at_least):
    assert len(result) >= at_least
    for entry in result:
        assert entry.apart <= 3, entry


def test_sacrebleus_golden_p_values(parity):
    assert_close(list(parity.golden_sacrebleu()), 90)


def test_sacrebleu_beside_us_on_other_systems(parity):
    assert_close(list(parity.live_sacrebleu(pairs=1, samples=500, seeds=(4, 5), sets=["WMT18 de-en"])), 2)


@pytest.mark.slow
def test_sacrebleu_beside_us_on_many_systems(parity):
    assert_close(list(parity.live_sacrebleu(pairs=3, samples=2000, seeds=(6, 7))), 18)


def test_moses_script_on_other_systems(parity):
    assert_close(list(parity.live_moses(pairs=1, samples=300)), 3)


@pytest.mark.parametrize("definition", ["multeval", "exchange"])
def test_multevals_p_of_its_example(parity, definition):
    assert_close(list(parity.multeval(definition)), 3)


@pytest.mark.parametrize("metric", ["BLEU", "METEOR", "TER", "Length"])
def test_multevals_spread_of_its_example(parity, metric):
    """Score, s_sel and s_opt to the digit that is printed."""
    if metric == "METEOR" and importlib.util.find_spec("pycocoevalcap") is None:
        pytest.skip("METEOR's data are not installed")
    for system, (score, selection, optimiser, _) in parity.multeval_printed()[metric].items():
        result = parity.multeval_spread(metric, system)
        assert [f"{value:.1f}" for value in (result.mean, result.optimiser)] == [score, optimiser]
        # METEOR's lies at 0.150, where the error of MultEval's 1,000 resamples decides how it is rounded.
        error = 3 * result.selection / math.sqrt(2 * 1000) if metric == "METEOR" else 0
        assert result.selection == pytest.approx(float(selection), abs=0.05 + error)


def test_two_sided_p_is_about_twice_mosess(parity):
    """Moses' definition is nearly one-sided; where a difference is clear, ours is between one and three times it."""
    a, b = (
        parity.rows_of("bleu", parity.w2(name), (parity.w2("refA"),)) for name in ("AISP-SJTU", "Online-B")
    )
    aggregate = parity.metric_of("bleu").aggregate
    both = {
        definition: paired_bootstrap(a, b, aggregate, resamples=20_000, seed=1, definition=definition).p
        for definition in resampling.DEFINITIONS
    }
    assert both["moses"] < both["two-sided"] < 3 * both["moses"]
