"""The mixed model against statsmodels', against its definition with whole matrices, and its laws."""

import math
import warnings

import numpy as np
import pandas
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from statsmodels.regression.mixed_linear_model import MixedLM

from adjudge.errors import DataError, UsageError
from adjudge.stats import mixed_equations
from adjudge.stats.mixed import rater_model
from helpers.mixed_models import factors
from oracles import mixed as oracle


def drawn(
    seed, *, systems=3, raters=6, items=12, judgements=70, rater=5.0, item=4.0, translation=3.0, error=6.0
):
    rng = np.random.default_rng(seed)
    s, i, r = (rng.integers(0, size, judgements) for size in (systems, items, raters))
    y = 50 + 3.0 * s + rng.normal(0, rater, raters)[r] + rng.normal(0, item, items)[i]
    y += rng.normal(0, translation, (systems, items))[s, i] + rng.normal(0, error, judgements)
    return y, s, r, i


@pytest.mark.parametrize("seed", [1, 3, 5])
@pytest.mark.parametrize("translations", [True, False])
def test_statsmodels_finds_the_same(seed, translations):
    y, s, r, i = drawn(seed)
    ours = rater_model(y, s, r, i, translations=translations)
    names = factors(s, r, i, translations)
    frame = pandas.DataFrame({"y": y, "s": s, "all": 1} | names)
    model = MixedLM.from_formula(
        "y ~ 0 + C(s)",
        frame,
        groups="all",
        re_formula="0",
        vc_formula={name: f"0 + C({name})" for name in names},
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # how far its optimiser came
        theirs = model.fit(reml=True)
    assert ours.converged
    # It stops a little earlier than we do.
    assert theirs.llf - 1e-6 <= ours.log_likelihood == pytest.approx(theirs.llf, abs=1e-3)
    by_name = dict(zip(theirs.model.exog_vc.names, theirs.vcomp, strict=True))
    for name in names:
        assert ours.variances[name] == pytest.approx(by_name[name], rel=0.01)
    assert ours.variances["error"] == pytest.approx(theirs.scale, rel=0.01)
    np.testing.assert_allclose(ours.systems, theirs.fe_params, atol=1e-3)
    # Its errors also hold that variances are estimates, ours (as lme4's) do not; see the whole matrix below.
    assert (ours.errors <= theirs.bse_fe * 1.001).all()
    np.testing.assert_allclose(ours.errors, theirs.bse_fe, rtol=0.03)


@settings(max_examples=40)
@given(st.integers(0, 10**6), st.booleans())
def test_no_other_variances_are_likelier(seed, translations):
    y, s, r, i = drawn(seed, judgements=60)
    model = rater_model(y, s, r, i, translations=translations)
    names = factors(s, r, i, translations)
    best = oracle.restricted_log_likelihood(y, s, names, model.variances)
    assert model.log_likelihood == pytest.approx(best, abs=1e-6)
    for name in model.variances:
        for factor in (0.9, 1.1):
            other = model.variances | {name: model.variances[name] * factor + (factor > 1) * 1e-3}
            assert oracle.restricted_log_likelihood(y, s, names, other) <= best + 1e-6


def full(seed=0, systems=3, raters=4, items=10):
    """Every rater judges every translation."""
    rng = np.random.default_rng(seed)
    s, r, i = (x.ravel() for x in np.meshgrid(*map(np.arange, (systems, raters, items)), indexing="ij"))
    y = 60 + 5 * s + rng.normal(0, 9, raters)[r] + rng.normal(0, 7, items)[i]
    return y + rng.normal(0, 4, (systems, items))[s, i] + rng.normal(0, 5, len(s)), s, r, i


def test_in_a_full_design_scores_are_means():
    y, s, r, i = full()
    model = rater_model(y, s, r, i)
    np.testing.assert_allclose(model.systems, np.bincount(s, y) / np.bincount(s), atol=1e-9)
    # and a difference is off by what translations and errors are off by
    v = model.variances
    expected = math.sqrt(2 * (v["translation"] + v["error"] / 4) / 10)
    assert model.differences().error[0, 1] == pytest.approx(expected, rel=1e-6)
    assert model.errors[0] ** 2 == pytest.approx(
        v["rater"] / 4 + v["item"] / 10 + v["translation"] / 10 + v["error"] / 40, rel=1e-6
    )


def test_anova_finds_the_same_in_a_full_design():
    """Mean squares of a two-way design with interaction have these expectations."""
    y, s, r, i = full(seed=4, systems=1, raters=5, items=30)
    table = y.reshape(5, 30)
    grand = table.mean()
    raters = 30 * ((table.mean(1) - grand) ** 2).sum() / 4
    items = 5 * ((table.mean(0) - grand) ** 2).sum() / 29
    rest = table - table.mean(1, keepdims=True) - table.mean(0) + grand
    error = (rest**2).sum() / (4 * 29)
    variances = rater_model(y, s, r, i).variances
    assert variances == pytest.approx(
        {"error": error, "rater": (raters - error) / 30, "item": (items - error) / 5}, rel=1e-5
    )


def test_a_severe_rater_does_not_hurt_whom_he_judged():
    y, s, r, i = drawn(7, raters=8, judgements=300)
    biased = (r == 2) & (s == 0)
    keep = ~((r == 2) & (s != 0))  # this rater saw the first system only
    y, s, r, i, biased = (x[keep] for x in (y, s, r, i, biased))
    before = rater_model(y, s, r, i).differences().delta
    plain = np.bincount(s, y) / np.bincount(s)
    changes = []
    for shift in (-50, -5000):
        moved = y + shift * biased
        changes.append(np.abs(rater_model(moved, s, r, i).differences().delta - before).max())
    assert np.abs(np.bincount(s, y - 50 * biased) / np.bincount(s) - plain).max() > 5
    assert changes[0] < 1.5
    assert changes[1] < 1.5


def test_scales_are_kept():
    y, s, r, i = drawn(2)
    first, other = rater_model(y, s, r, i), rater_model(1000 + 20 * y, s, r, i)
    np.testing.assert_allclose(other.systems, 1000 + 20 * first.systems, rtol=1e-6)
    np.testing.assert_allclose(other.errors, 20 * first.errors, rtol=1e-5)
    assert other.variances["error"] == pytest.approx(400 * first.variances["error"], rel=1e-5)
    order = np.random.default_rng(0).permutation(len(y))
    again = rater_model(y[order], s[order], r[order], i[order])
    np.testing.assert_allclose(again.systems, first.systems, rtol=1e-9)


def test_blocks_change_nothing(monkeypatch):
    y, s, r, i = drawn(9, items=40, judgements=200)
    whole = rater_model(y, s, r, i)
    monkeypatch.setattr(mixed_equations, "BLOCK", 50)
    np.testing.assert_allclose(rater_model(y, s, r, i).systems, whole.systems, rtol=1e-12)


def test_more_raters_than_items_are_eliminated_instead():
    y, s, r, i = drawn(4, raters=30, items=5, judgements=150)
    swapped = rater_model(y, s, i, r, translations=False)
    model = rater_model(y, s, r, i, translations=False)
    np.testing.assert_allclose(model.systems, swapped.systems, rtol=1e-8)
    assert model.variances["rater"] == pytest.approx(swapped.variances["item"], rel=1e-6)


def test_coverage():
    """Intervals of ± 1.96 errors hold the difference that was planted, as often as they should."""
    held = 0
    for seed in range(100):
        y, s, r, i = drawn(1000 + seed, raters=12, items=40, judgements=240)
        differences = rater_model(y, s, r, i).differences()
        held += abs(differences.delta[1, 0] - 3) <= 1.96 * differences.error[1, 0]
    assert 88 <= held <= 100


def reasons(y, s, r, i):
    return rater_model(np.asarray(y, float), *map(np.asarray, (s, r, i))).left_out


def test_what_cannot_be_told_apart_is_left_out():
    y, s, r, i = drawn(1)
    zero = np.zeros(len(y), dtype=int)
    assert reasons(y, s, zero, i)["rater"] == "only one rater"
    assert reasons(y, s, r, zero)["item"] == "only one item"
    assert reasons(y, s, np.arange(len(y)), i)["rater"] == "no rater has two judgements"
    assert reasons(y, s, s, i)["rater"] == "every rater has one system only"
    assert reasons(y, zero, r, i)["translation"] == "every item was translated by one system only"
    assert reasons(y, s, i, i)["item"] == "every rater judged one item alone"
    once = reasons(*(x[np.unique(i * 3 + s, return_index=True)[1]] for x in (y, s, r, i)))
    assert once["translation"] == "no translation has two judgements"
    assert rater_model(y, s, r, i, translations=False).left_out == {"translation": "not asked for"}
    assert rater_model(y, s, r, i).left_out == {}


def test_nothing_but_errors():
    y, s, _, _ = drawn(1)
    zero = np.zeros(len(y), dtype=int)
    model = rater_model(y, s, zero, zero)
    np.testing.assert_allclose(model.systems, np.bincount(s, y) / np.bincount(s))
    assert set(model.variances) == {"error"}
    pooled = sum(((y[s == k] - y[s == k].mean()) ** 2).sum() for k in range(3)) / (len(y) - 3)
    assert model.variances["error"] == pytest.approx(pooled)


def test_no_variance_at_all():
    model = rater_model(np.full(12, 50.0), np.arange(12) % 2, np.arange(12) % 3, np.arange(12) // 4)
    assert model.systems.tolist() == [50, 50]
    assert set(model.variances.values()) == {0}
    assert model.differences().p[0, 1] == 1
    model = rater_model(np.arange(12) % 2 * 10.0, np.arange(12) % 2, np.arange(12) % 3, np.arange(12) // 4)
    assert model.differences().delta[1, 0] == 10
    assert model.differences().p[1, 0] == 0


def test_scores_without_errors():
    """Raters and items explain everything: the error is estimated as next to nothing, and scores are right."""
    _, s, r, i = full()
    y = 10.0 * s + np.array([0.0, 5, -5, 8])[r] + np.arange(10)[i] * 2.0
    model = rater_model(y, s, r, i, translations=False)
    np.testing.assert_allclose(model.differences().delta[1:, 0], [10, 20], atol=1e-3)
    assert model.variances["error"] < 1e-3


def test_systems_and_raters_without_judgements():
    y, s, r, i = drawn(1)
    model = rater_model(y, s * 2, r + 1, i, systems_known=7)
    assert np.isnan(model.systems).tolist() == [False, True, False, True, False, True, True]
    assert np.isnan(model.raters).tolist() == [True] + [False] * 6
    assert np.isnan(model.differences().p[1]).all()
    np.testing.assert_allclose(model.systems[[0, 2, 4]], rater_model(y, s, r, i).systems, rtol=1e-9)


def test_bad_judgements_are_refused(monkeypatch):
    y, s, r, i = drawn(1)
    with pytest.raises(DataError, match="judgement 1 is nan"):
        rater_model(np.where(np.arange(len(y)) == 0, math.nan, y), s, r, i)
    with pytest.raises(DataError, match="the system, the rater and the item"):
        rater_model(y, s - 1, r, i)
    with pytest.raises(UsageError, match="four lists of one length"):
        rater_model(y, s[1:], r, i)
    with pytest.raises(DataError, match="and there are 2 of 2: nothing is left to estimate"):
        rater_model(y[:2], np.array([0, 1]), r[:2], i[:2])
    with pytest.raises(DataError, match="and there are 0 of 0"):
        rater_model(y[:0], s[:0], r[:0], i[:0])
    monkeypatch.setattr(mixed_equations, "MOST", 8)
    with pytest.raises(UsageError, match="3 systems and 6 raters are more"):
        rater_model(y, s, r, i)
