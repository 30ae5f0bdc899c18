"""Fits: the optimum by other programs, weights that never reward what is worse, trees that need LightGBM no more."""

from dataclasses import replace

import numpy as np
import pytest

from adjudge.errors import DataError, MissingExtraError, UsageError
from adjudge.metrics.learned_model import LearnedModel
from adjudge.tuning.learning import OBJECTIVES, fit
from adjudge.tuning.learning.batch import TrainingBatch, centre_values, standardise_values
from adjudge.tuning.learning.fitting import (
    booster,
    features_of,
    pair_gradients,
    set_weights,
    targets,
    trees_of,
)
from helpers.learned import METRICS, planted

BATCH = TrainingBatch.of([planted(), planted("other", "zh-en", segments=15, seed=2)])
objectives = pytest.mark.parametrize("objective", OBJECTIVES)


def scaled(batch):
    draft = LearnedModel(features_of(batch, METRICS))
    return draft.inputs(batch.scores) / np.array([feature.scale for feature in draft.features])


@pytest.mark.parametrize("objective", ["regression", "centred"])
def test_least_squares_are_those_of_scikit_learn(objective):
    linear_model = pytest.importorskip("sklearn.linear_model")
    group = BATCH.set if objective == "regression" else BATCH.segment
    model = linear_model.Ridge(alpha=0.03 * len(BATCH), positive=True, fit_intercept=False, tol=1e-12)
    model.fit(
        centre_values(scaled(BATCH), group), targets(BATCH, objective), sample_weight=set_weights(BATCH.set)
    )
    np.testing.assert_allclose(
        fit(BATCH, METRICS, objective=objective, penalty=0.03).weights, model.coef_, atol=1e-6
    )


def test_pairs_are_ordered_as_by_scikit_learn():
    linear_model = pytest.importorskip("sklearn.linear_model")
    rows, weights = scaled(BATCH), set_weights(BATCH.set[BATCH.pairs[:, 0]])
    differences = rows[BATCH.pairs[:, 0]] - rows[BATCH.pairs[:, 1]]
    both = np.concatenate([differences, -differences])  # either way round, so that there are two classes
    model = linear_model.LogisticRegression(
        C=1 / (2 * 0.03 * len(differences)), fit_intercept=False, tol=1e-10, max_iter=1000
    )
    model.fit(both, np.repeat([1, 0], len(differences)), sample_weight=np.tile(weights, 2))
    ours = np.array(fit(BATCH, METRICS, objective="pairs", penalty=0.03).weights)
    assert (model.coef_[0][:2] > 0).all()
    used = ours > 0
    np.testing.assert_allclose(
        ours[used], model.coef_[0][used], atol=5e-3
    )  # WER, which is noise, may be held at 0


@objectives
def test_what_shows_quality_gets_the_weight(objective):
    chrf, ter, wer = fit(BATCH, METRICS, objective=objective).weights
    assert min(chrf, ter) > 5 * abs(wer)


@objectives
def test_nothing_worse_is_ever_rewarded(objective):
    turned = replace(BATCH, gold=-BATCH.gold, pairs=BATCH.pairs[:, ::-1])
    with pytest.raises(DataError, match=r"nothing was learned.*is more better"):
        fit(replace(turned, scores=turned.scores[:, :2]), METRICS[:2], objective=objective)
    assert min(fit(turned, METRICS, objective=objective).weights) >= 0


@pytest.mark.parametrize("learner", ["linear", "trees"])
@objectives
def test_scores_are_about_0_and_rise_with_each_metric(learner, objective):
    model = fit(BATCH, METRICS, learner=learner, objective=objective)
    scores = model.scores(BATCH.scores)
    assert scores.mean() == pytest.approx(0, abs=0.1)
    assert scores.std() == pytest.approx(1, abs=0.1)
    for column, better in enumerate((1, -1, -1)):
        steps = np.tile(BATCH.scores[7], (200, 1))
        steps[:, column] = np.linspace(-50, 250, 200)
        assert (better * np.diff(model.scores(steps)) >= -1e-12).all()


@objectives
def test_trees_give_what_lightgbm_gives(objective):
    pytest.importorskip("lightgbm")
    draft = LearnedModel(features_of(BATCH, METRICS))
    inputs = draft.inputs(BATCH.scores)
    theirs = booster(BATCH, draft, inputs, objective, seed=1)
    ours = replace(draft, trees=trees_of(theirs))
    rng = np.random.default_rng(3)
    unseen = draft.inputs(rng.normal(50, 60, (500, 3)))
    np.testing.assert_array_equal(ours.raw(unseen), theirs.predict(unseen, raw_score=True))
    assert sum(len(tree.feature) for tree in ours.trees) > 50


def test_gradients_of_pairs_are_slopes():
    raw = np.random.default_rng(1).normal(size=len(BATCH))
    better, worse = BATCH.pairs.T
    weights = set_weights(BATCH.set[better])

    def loss(values):
        return float(weights @ np.logaddexp(0, values[worse] - values[better]))

    gradient, curvature = pair_gradients(BATCH, raw)
    for place in (0, 17, len(raw) - 1):
        step = np.zeros(len(raw))
        step[place] = 1e-4
        slope = (loss(raw + step) - loss(raw - step)) / 2e-4
        bend = (loss(raw + step) - 2 * loss(raw) + loss(raw - step)) / 1e-8
        assert gradient[place] == pytest.approx(slope, abs=1e-6)
        assert curvature[place] == pytest.approx(bend, abs=1e-4)


def test_groups_are_brought_to_one_scale():
    values, group = np.array([1.0, 3, 10, 10, 10]), np.array([0, 0, 1, 1, 1])
    np.testing.assert_allclose(centre_values(values, group), [-1, 1, 0, 0, 0])
    np.testing.assert_allclose(standardise_values(values, group), [-1, 1, 0, 0, 0])
    weights = set_weights(np.array([0, 1, 1, 1, 1]))
    assert weights.mean() == pytest.approx(1)
    assert weights[0] == pytest.approx(2 * weights[1])


def test_what_cannot_be_learned_is_refused():
    ranks = TrainingBatch.of([planted(ranks=True)])
    with pytest.raises(DataError, match="--objective pairs"):
        fit(ranks, METRICS, objective="regression")
    single = TrainingBatch.of([planted(systems=1)])
    with pytest.raises(DataError, match="--objective regression"):
        fit(single, METRICS, objective="centred")
    with pytest.raises(DataError, match="--objective regression"):
        fit(single, METRICS, objective="pairs")
    with pytest.raises(DataError, match="all judgements of a test set are the same"):
        fit(replace(BATCH, gold=np.ones(len(BATCH))), METRICS, objective="regression")
    holes = BATCH.scores.copy()
    holes[:3, 1] = np.nan
    with pytest.raises(DataError, match=r"ter has no score for 3 of 300 judged translations"):
        fit(replace(BATCH, scores=holes), METRICS)
    with pytest.raises(UsageError, match="did you mean 'pairs'"):
        fit(BATCH, METRICS, objective="pair")
    with pytest.raises(UsageError, match="unknown learner"):
        fit(BATCH, METRICS, learner="svm")


def test_trees_without_lightgbm_name_the_extra(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "lightgbm", None)
    with pytest.raises(MissingExtraError, match=r"adjudge\[learned\]"):
        fit(BATCH, METRICS, learner="trees")
