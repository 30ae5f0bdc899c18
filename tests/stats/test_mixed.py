"""The mixed model against statsmodels', against its definition with whole matrices, and its laws."""

import math
import warnings

import numpy as np
import pytest
import scipy.stats
from hypothesis import given, settings
from hypothesis import strategies as st

from adjudge.errors import DataError, UsageError
from adjudge.stats import mixed_equations
from adjudge.stats.mixed import fit_mixed_model
from helpers.mixed_models import factors
from oracles import mixed as oracle


def drawn(
    seed,
    *,
    systems=3,
    raters=6,
    items=12,
    judgements=70,
    rater=5.0,
    taste=4.0,
    item=4.0,
    translation=3.0,
    error=6.0,
):
    rng = np.random.default_rng(seed)
    s, i, r = (rng.integers(0, size, judgements) for size in (systems, items, raters))
    y = 50 + 3.0 * s + rng.normal(0, rater, raters)[r] + rng.normal(0, item, items)[i]
    y += rng.normal(0, taste, (systems, raters))[s, r]
    y += rng.normal(0, translation, (systems, items))[s, i] + rng.normal(0, error, judgements)
    return y, s, r, i


@pytest.mark.parametrize("seed", [3, 6])
@pytest.mark.parametrize("translations", [True, False])
@pytest.mark.parametrize("documents", [True, False])
def test_statsmodels_finds_the_same(seed, translations, documents):
    import pandas
    from statsmodels.regression.mixed_linear_model import MixedLM

    y, s, r, i = drawn(seed, systems=2, raters=10, items=40, judgements=400)
    d, rng = i // 4, np.random.default_rng(seed)
    y = y + rng.normal(0, 5, 10)[d] + rng.normal(0, 4, (2, 10))[s, d]
    d = d if documents else None
    ours = fit_mixed_model(y, s, r, i, d, translations=translations)
    names = factors(s, r, i, translations, d)
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
    # Its errors come from the curvature over everything at once, ours (as lme4's) from the whole matrix below.
    np.testing.assert_allclose(ours.errors, theirs.bse_fe, rtol=0.01)


@settings(max_examples=40)
@given(st.integers(0, 10**6), st.booleans())
def test_no_other_variances_are_likelier(seed, translations):
    y, s, r, i = drawn(seed, judgements=60)
    model = fit_mixed_model(y, s, r, i, translations=translations)
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
    y += rng.normal(0, 6, (systems, raters))[s, r]
    return y + rng.normal(0, 4, (systems, items))[s, i] + rng.normal(0, 5, len(s)), s, r, i


def test_in_a_full_design_scores_are_means():
    y, s, r, i = full()
    model = fit_mixed_model(y, s, r, i)
    np.testing.assert_allclose(model.systems, np.bincount(s, y) / np.bincount(s), atol=1e-9)
    # and a difference is off by what tastes, translations and errors are off by
    v = model.variances
    own = v["rater_system"] / 4 + v["translation"] / 10 + v["error"] / 40
    assert model.differences().error[0, 1] == pytest.approx(math.sqrt(2 * own), rel=1e-6)
    assert model.errors[0] ** 2 == pytest.approx(v["rater"] / 4 + v["item"] / 10 + own, rel=1e-6)


def mean_squares(table):
    """Of systems × raters × items: of raters × systems, items × systems and what is left, with degrees of freedom."""
    systems, raters, items = table.shape
    own = table - table.mean((1, 2), keepdims=True)
    of_raters, of_items = own.mean(2, keepdims=True), own.mean(1, keepdims=True)
    tastes, translations = (part - part.mean(0) for part in (of_raters, of_items))
    rest = own - of_raters - of_items
    freedom = (systems - 1) * np.array([raters - 1, items - 1, 0])
    freedom[2] = systems * (raters - 1) * (items - 1)
    squares = [items * (tastes**2).sum(), raters * (translations**2).sum(), (rest**2).sum()]
    return np.array(squares) / freedom, freedom


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("systems", [2, 3])
def test_degrees_of_freedom_are_satterthwaite_s_in_a_full_design(seed, systems):
    """A difference's variance is 2 (MS_raters×systems + MS_items×systems − MS_error) / (raters × items)."""
    y, s, r, i = full(seed=seed, systems=systems, raters=6, items=12)
    squares, freedom = mean_squares(y.reshape(systems, 6, 12))
    assert (
        squares[:2].min() > squares[2]
    )  # otherwise a variance is 0, and this is no estimate by mean squares
    parts = squares * [1, 1, -1]
    differences = fit_mixed_model(y, s, r, i).differences()
    assert differences.error[0, 1] ** 2 == pytest.approx(2 * parts.sum() / 72, rel=1e-4)
    expected = parts.sum() ** 2 / (parts**2 / freedom).sum()
    assert differences.degrees[0, 1] == pytest.approx(expected, rel=1e-3)
    t = differences.delta[0, 1] / differences.error[0, 1]
    assert differences.p[0, 1] == pytest.approx(2 * scipy.stats.t.sf(abs(t), expected), rel=1e-3)


@pytest.mark.parametrize("seed", [0, 1, 5])
def test_raters_with_items_of_their_own_are_a_paired_t_test(seed):
    """Each rater judges both systems on 9 items that nobody else sees: means of raters are all there is."""
    rng = np.random.default_rng(seed)
    i, s = np.repeat(np.arange(72), 2), np.tile([0, 1], 72)
    r = i // 9
    y = rng.normal(0, 12, 8)[r] + rng.normal(0, 4, 72)[i]
    y += rng.normal(0, 6, (8, 2))[r, s] + rng.normal(0, 5, 144)
    differences = fit_mixed_model(y, s, r, i).differences()
    means = y.reshape(8, 9, 2).mean(1)
    expected = scipy.stats.ttest_rel(means[:, 0], means[:, 1])
    assert differences.degrees[0, 1] == pytest.approx(7, rel=1e-4)
    assert differences.p[0, 1] == pytest.approx(expected.pvalue, rel=1e-3)


@pytest.mark.parametrize("seed", range(3))
def test_the_information_is_that_of_the_whole_matrix(seed):
    y, s, r, i = drawn(seed, judgements=90)
    model = fit_mixed_model(y, s, r, i, i // 3)
    names = factors(s, r, i, True, i // 3)
    expected = oracle.satterthwaite(s, names, model.variances, np.array([1.0, -1, 0]))
    if min(model.variances.values()) > 0.1:
        assert model.degrees[0, 1] == pytest.approx(expected, rel=1e-3)
    else:  # a variance of 0 is moved away from it by a thousandth of its uncertainty
        assert model.degrees[0, 1] == pytest.approx(expected, rel=0.02)


def test_tastes_are_no_difference_of_systems():
    """8 raters who favour systems: as many false alarms as promised (36 of 100 without rater × system)."""
    found = 0
    for seed in range(100):
        rng = np.random.default_rng(seed)
        i, s = np.repeat(np.arange(96), 2), np.tile([0, 1], 96)
        r = i % 8
        y = rng.normal(0, 4, 96)[i] + rng.normal(0, 5, (8, 2))[r, s] + rng.normal(0, 6, 192)
        found += fit_mixed_model(y, s, r, i).differences().p[0, 1] < 0.05
    assert found <= 11  # 5 expected; more than 11 in 1 of 230 runs


def test_anova_finds_the_same_in_a_full_design():
    """Mean squares of a two-way design with interaction have these expectations."""
    y, s, r, i = full(seed=4, systems=1, raters=5, items=30)
    table = y.reshape(5, 30)
    grand = table.mean()
    raters = 30 * ((table.mean(1) - grand) ** 2).sum() / 4
    items = 5 * ((table.mean(0) - grand) ** 2).sum() / 29
    rest = table - table.mean(1, keepdims=True) - table.mean(0) + grand
    error = (rest**2).sum() / (4 * 29)
    assert fit_mixed_model(y, s, r, i).left_out.keys() == {"rater_system", "translation"}
    variances = fit_mixed_model(y, s, r, i).variances
    assert variances == pytest.approx(
        {"error": error, "rater": (raters - error) / 30, "item": (items - error) / 5}, rel=1e-5
    )


def test_a_severe_rater_does_not_hurt_whom_he_judged():
    y, s, r, i = drawn(7, raters=8, judgements=300)
    biased = (r == 2) & (s == 0)
    keep = ~((r == 2) & (s != 0))  # this rater saw the first system only
    y, s, r, i, biased = (x[keep] for x in (y, s, r, i, biased))
    before = fit_mixed_model(y, s, r, i).differences().delta
    plain = np.bincount(s, y) / np.bincount(s)
    changes = []
    for shift in (-50, -5000):
        moved = y + shift * biased
        changes.append(np.abs(fit_mixed_model(moved, s, r, i).differences().delta - before).max())
    assert np.abs(np.bincount(s, y - 50 * biased) / np.bincount(s) - plain).max() > 5
    assert changes[0] < 1.5
    assert changes[1] < 1.5


def test_scales_are_kept():
    y, s, r, i = drawn(2)
    first, other = fit_mixed_model(y, s, r, i), fit_mixed_model(1000 + 20 * y, s, r, i)
    np.testing.assert_allclose(other.systems, 1000 + 20 * first.systems, rtol=1e-6)
    np.testing.assert_allclose(other.errors, 20 * first.errors, rtol=1e-5)
    assert other.variances["error"] == pytest.approx(400 * first.variances["error"], rel=1e-5)
    order = np.random.default_rng(0).permutation(len(y))
    again = fit_mixed_model(y[order], s[order], r[order], i[order])
    np.testing.assert_allclose(again.systems, first.systems, rtol=1e-9)


def test_sparse_tables_change_nothing(monkeypatch):
    y, s, r, i = drawn(9, raters=20, items=60, judgements=200)
    whole = fit_mixed_model(y, s, r, i)
    monkeypatch.setattr(mixed_equations, "SMALL", 0)
    monkeypatch.setattr(mixed_equations, "DENSE", 1)
    again = fit_mixed_model(y, s, r, i)
    np.testing.assert_allclose(again.systems, whole.systems, rtol=1e-7)
    np.testing.assert_allclose(again.degrees, whole.degrees, rtol=1e-4)


def test_more_raters_than_items_are_eliminated_instead():
    y, s, r, i = drawn(4, raters=30, items=5, judgements=150)
    swapped, model = fit_mixed_model(y, s, i, r), fit_mixed_model(y, s, r, i)
    np.testing.assert_allclose(model.systems, swapped.systems, rtol=1e-6)
    for name, other in {"rater": "item", "rater_system": "translation"}.items():
        assert model.variances[name] == pytest.approx(swapped.variances[other], rel=1e-3)


def test_coverage():
    """Intervals of 95 % hold the difference that was planted, as often as they should."""
    held = 0
    for seed in range(100):
        y, s, r, i = drawn(1000 + seed, raters=12, items=40, judgements=240)
        differences = fit_mixed_model(y, s, r, i).differences()
        reach = scipy.stats.t.isf(0.025, differences.degrees[1, 0]) * differences.error[1, 0]
        held += abs(differences.delta[1, 0] - 3) <= reach
    assert 89 <= held <= 99


def reasons(y, s, r, i):
    return fit_mixed_model(np.asarray(y, float), *map(np.asarray, (s, r, i))).left_out


def test_what_cannot_be_told_apart_is_left_out():
    y, s, r, i = drawn(1)
    zero = np.zeros(len(y), dtype=int)
    assert reasons(y, s, zero, i)["rater"] == "there is only one rater"
    assert reasons(y, s, zero, i)["rater_system"] == "every system has only one rater"
    assert reasons(y, s, r, zero)["item"] == "there is only one item"
    assert reasons(y, s, np.arange(len(y)), i)["rater"] == "no rater has two judgements"
    assert reasons(y, s, s, i)["rater"] == "every system has only one rater"
    assert reasons(y, zero, r, i)["translation"] == "it groups judgements as item does"
    assert reasons(y, s, i, i)["item"] == "it groups judgements as rater does"
    assert fit_mixed_model(y, s, r, i, i).left_out["item"] == "it groups judgements as document does"
    once = reasons(*(x[np.unique(i * 3 + s, return_index=True)[1]] for x in (y, s, r, i)))
    assert once["translation"] == "no translation has two judgements"
    assert fit_mixed_model(y, s, r, i, translations=False).left_out == {"translation": "not asked for"}
    assert fit_mixed_model(y, s, r, i).left_out == {}


def test_systems_of_separate_raters_cannot_be_compared():
    """One rater judged two systems, another two others: the raters may be all the difference."""
    y, s, _, i = drawn(1, systems=4, judgements=100)
    model = fit_mixed_model(y + 100 * (s > 1), s, s // 2, i)
    differences = model.differences()
    assert "rater_system" not in model.tested
    assert np.isinf(differences.error[:2, 2:]).all()
    assert (differences.p[:2, 2:] == 1).all()
    assert np.isfinite(differences.error[0, 1])
    one = fit_mixed_model(y, s, 0 * s, i)
    assert np.isfinite(one.differences().error).all()
    assert one.tested == {"item", "translation"}


def test_nothing_but_errors():
    y, s, _, _ = drawn(1)
    zero = np.zeros(len(y), dtype=int)
    model = fit_mixed_model(y, s, zero, zero)
    np.testing.assert_allclose(model.systems, np.bincount(s, y) / np.bincount(s))
    assert set(model.variances) == {"error"}
    pooled = sum(((y[s == k] - y[s == k].mean()) ** 2).sum() for k in range(3)) / (len(y) - 3)
    assert model.variances["error"] == pytest.approx(pooled)


def test_no_variance_at_all():
    model = fit_mixed_model(np.full(12, 50.0), np.arange(12) % 2, np.arange(12) % 3, np.arange(12) // 4)
    assert model.systems.tolist() == [50, 50]
    assert set(model.variances.values()) == {0}
    assert model.differences().p[0, 1] == 1
    model = fit_mixed_model(
        np.arange(12) % 2 * 10.0, np.arange(12) % 2, np.arange(12) % 3, np.arange(12) // 4
    )
    assert model.differences().delta[1, 0] == 10
    assert model.differences().p[1, 0] == 0


def test_scores_without_errors():
    """Raters and items explain everything: the error is estimated as next to nothing, and scores are right."""
    _, s, r, i = full()
    y = 10.0 * s + np.array([0.0, 5, -5, 8])[r] + np.arange(10)[i] * 2.0
    model = fit_mixed_model(y, s, r, i, translations=False)
    np.testing.assert_allclose(model.differences().delta[1:, 0], [10, 20], atol=1e-3)
    assert model.variances["error"] < 1e-3


def test_systems_and_raters_without_judgements():
    y, s, r, i = drawn(1)
    model = fit_mixed_model(y, s * 2, r + 1, i, systems_known=7)
    assert np.isnan(model.systems).tolist() == [False, True, False, True, False, True, True]
    assert np.isnan(model.raters).tolist() == [True] + [False] * 6
    assert np.isnan(model.differences().p[1]).all()
    np.testing.assert_allclose(model.systems[[0, 2, 4]], fit_mixed_model(y, s, r, i).systems, rtol=1e-9)


def test_bad_judgements_are_refused(monkeypatch):
    y, s, r, i = drawn(1)
    with pytest.raises(DataError, match="judgement 1 is nan"):
        fit_mixed_model(np.where(np.arange(len(y)) == 0, math.nan, y), s, r, i)
    with pytest.raises(DataError, match="the system, the rater and the item"):
        fit_mixed_model(y, s - 1, r, i)
    with pytest.raises(UsageError, match="four lists of one length"):
        fit_mixed_model(y, s[1:], r, i)
    with pytest.raises(DataError, match="and there are 2 of 2: nothing is left to estimate"):
        fit_mixed_model(y[:2], np.array([0, 1]), r[:2], i[:2])
    with pytest.raises(DataError, match="and there are 0 of 0"):
        fit_mixed_model(y[:0], s[:0], r[:0], i[:0])
    monkeypatch.setattr(mixed_equations, "MOST", 8)
    with pytest.raises(
        UsageError, match="3 systems with 6 levels of rater and 18 levels of rater × system are more"
    ):
        fit_mixed_model(y, s, r, i)
