"""Whether a difference is one that people usually notice: laws of the answer, and where there is none."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adjudge.comparison.relevance import NOTICE, USUAL_SHARE, in_hundred, relevance
from adjudge.io.difference_tables import shipped_tables

SHIPPED = sorted({curve.metric for curve in shipped_tables().curves})


@pytest.mark.parametrize("metric", SHIPPED)
@pytest.mark.parametrize("language", ["", "de-en", "en-ja"])
def test_the_margin_is_where_agreement_reaches_the_usual_share(metric, language):
    margin = relevance(metric, 0.0, language).margin
    assert 0 < margin < math.inf
    assert relevance(metric, margin, language).agreement == pytest.approx(USUAL_SHARE)
    assert relevance(metric, margin, language).noticeable
    assert not relevance(metric, 0.99 * margin, language).noticeable


@given(st.sampled_from(SHIPPED), st.floats(-50, 50), st.floats(0, 50))
def test_a_larger_difference_is_never_less_relevant(metric, delta, more):
    smaller, larger = relevance(metric, delta), relevance(metric, abs(delta) + more)
    assert smaller == relevance(metric, -delta)
    assert smaller.agreement <= larger.agreement
    assert 0.5 <= smaller.low <= smaller.agreement <= smaller.high <= 1


def test_no_difference_is_a_coin():
    found = relevance("bleu", 0.0)
    assert (found.agreement, found.low, found.high) == (0.5, 0.5, 0.5)
    assert not found.noticeable


@pytest.mark.parametrize("metric", ["exact-match", "chrf(beta=3.0)", "bleu(max_order=2)", "no such metric"])
def test_nothing_is_said_of_what_is_not_known(metric):
    assert relevance(metric, 1.0) is None


def test_nothing_is_said_of_what_is_not_a_number():
    assert relevance("bleu", math.nan) is None


def test_what_is_sure_needs_the_whole_interval():
    """A tenth of a point is hardly noticed, thirty are; between them the interval does not tell."""
    seen = [relevance("bleu", delta).visibility for delta in (0.11, 0.4, 1.0, 2.0, 3.0, 6.0, 20.0, 35.0)]
    assert seen == ["slight", "slight", "doubtful", "doubtful", "likely", "likely", "clear", "clear"]


@given(st.sampled_from(SHIPPED), st.floats(0, 50))
def test_visibility_agrees_with_the_margin(metric, delta):
    found = relevance(metric, delta)
    assert found.noticeable == (found.visibility in ("clear", "likely"))
    assert found.visibility in NOTICE


def test_nobody_agrees_always():
    assert [in_hundred(share) for share in (0.5, 0.764, 0.996, 1.0)] == ["50", "76", "99", "99"]
