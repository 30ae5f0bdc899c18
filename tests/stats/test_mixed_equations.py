"""The equations of a mixed model: their likelihood is that of the whole matrix."""

import math

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from adjudge.stats.agreement import renumber
from adjudge.stats.mixed_equations import Equations
from helpers.mixed_models import factors
from oracles import mixed as oracle


@st.composite
def designs(draw):
    n = draw(st.integers(4, 25))
    column = lambda k: np.array(draw(st.lists(st.integers(0, k), min_size=n, max_size=n)))  # noqa: E731
    return (
        column(2),
        column(3),
        column(5),
        column(1),
        np.array(draw(st.lists(st.integers(0, 20), min_size=n, max_size=n))) * 1.0,
    )


EACH_THEIR_OWN = (*(np.arange(12) % k for k in (2, 9, 3, 2)), np.arange(12.0) ** 2)
"""More raters than items: raters are eliminated."""


@given(designs(), st.booleans(), st.lists(st.floats(0.01, 5), min_size=7, max_size=7))
@example(design=EACH_THEIR_OWN, translations=False, variances=[1.0] * 7)
def test_the_likelihood_is_that_of_the_whole_matrix(design, translations, variances):
    s, r, i, d, y = design
    s, r, i, d = (renumber(column) for column in (s, r, i, d))
    names = factors(s, r, i, translations, d)
    equations = Equations(y, s, names)
    known = dict(zip(("error", *equations.names), variances, strict=False))
    variance = np.array(list(known.values()))
    if len(y) <= s.max() + 1:
        return
    at = equations.at(variance)
    constant = (len(y) - s.max() - 1) * math.log(2 * math.pi) / 2
    assert -at.value - constant == pytest.approx(
        oracle.restricted_log_likelihood(y, s, names, known), abs=1e-8
    )
    fixed, covariance, effects = oracle.estimates(y, s, names, known)
    np.testing.assert_allclose(at.fixed, fixed, atol=1e-8)
    np.testing.assert_allclose(at.covariance, covariance, atol=1e-8)
    for name in names:
        np.testing.assert_allclose(equations.effects(at, name), effects[name], atol=1e-7)
    # its slope, by small differences
    for place in range(len(variance)):
        step = np.zeros(len(variance))
        step[place] = 1e-5 * variance[place]
        slope = (equations.at(variance + step).value - equations.at(variance - step).value) / (
            2 * step[place]
        )
        assert at.gradient[place] == pytest.approx(slope, rel=1e-4, abs=1e-4)
