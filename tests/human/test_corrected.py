"""Ratings to a model of annotators, by name."""

import numpy as np
import pytest

from adjudge.data.judgements import BAD_REFERENCE, REPEAT
from adjudge.errors import UsageError
from adjudge.human.corrected import corrected
from adjudge.stats.mixed import rater_model
from helpers.judging import rankings, ratings, read_wmt21


def test_names_stand_beside_figures():
    rng = np.random.default_rng(0)
    rows = [
        (who, system, str(item), {"A": 0, "B": -20, "C": 5}[who] + {"x": 50, "y": 55}[system] + rng.normal())
        for item in range(10)
        for who in "ABC"
        for system in "xy"
        if (who, system) != ("B", "y") or item > 6
    ]
    correction = corrected(ratings(rows))
    assert (correction.systems, correction.annotators, correction.left_out) == (
        ("x", "y"),
        ("A", "B", "C"),
        0,
    )
    assert correction.model.differences().delta[1, 0] == pytest.approx(5, abs=0.8)
    assert np.argsort(correction.model.raters).tolist() == [1, 0, 2]


def test_only_what_was_judged_for_its_own_sake_counts():
    rng = np.random.default_rng(1)
    rows = [(who, s, str(i), float(rng.integers(100))) for who in "AB" for s in "xy" for i in range(6)]
    kinds = np.zeros(len(rows), np.int8)
    kinds[0], kinds[5] = BAD_REFERENCE, REPEAT
    judged = ratings([*rows, ("", "x", "1", 3.0)], kind=np.append(kinds, 0).astype(np.int8))
    correction = corrected(judged)
    assert (correction.left_out, correction.model.judgements) == (3, 22)
    assert corrected(judged, repeats=True).model.judgements == 23
    with pytest.raises(UsageError, match="rankings, not ratings"):
        corrected(rankings([("A", "x", "y", "1", 1)]))


def test_real_ratings(shared):
    judged = read_wmt21(shared.data / "01_wmt21_da_toen" / "is-en" / "human")
    correction = corrected(judged)
    assert correction.model.converged
    ordinary = judged[judged.kind == 0]
    codes = (c.codes.astype(int) for c in (ordinary.system, ordinary.annotator, ordinary.item))
    again = rater_model(ordinary.score, *codes)
    np.testing.assert_allclose(correction.model.systems, again.systems, rtol=1e-9)
    # Crowd workers differ by far more than systems do, and less by what they judge
    assert correction.model.variances["rater"] > correction.model.variances["item"]
    best = correction.systems[int(np.argmax(correction.model.systems))]
    worst = correction.systems[int(np.argmin(correction.model.systems))]
    assert (best, worst) == ("Facebook-AI", "Online-G")  # as in the official ranking by z
