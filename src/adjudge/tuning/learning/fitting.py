"""A model fitted to judgements: linear or trees, by one of three objectives, never rewarding what is worse.

A metric's score may only raise the learned one where it is better (weights at or above 0, monotone trees), so that no
model can learn from one test set that more errors are a good sign. A test set counts by the root of its size.

Trees are fitted by LightGBM and kept as lists of numbers that no longer need it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from adjudge.errors import DataError, MissingExtraError, unknown_name
from adjudge.metrics.base import Direction, Metric
from adjudge.metrics.learned_model import Feature, LearnedModel, RegressionTree
from adjudge.tuning.learning.batch import TrainingBatch, centre_values, standardise_values

ROUNDS = 200
SETTINGS = {
    "learning_rate": 0.05,
    "num_leaves": 15,
    "min_data_in_leaf": 20,
    "feature_fraction": 0.5,
    "lambda_l2": 1.0,
    "deterministic": True,
    "force_row_wise": True,
    "num_threads": 1,
    "verbose": -1,
}
"""Small trees and slow steps: judgements are few and noisy."""
Array = NDArray[np.float64]
Indices = NDArray[np.intp]

OBJECTIVES = {
    "regression": "the scores themselves",
    "centred": "scores less their segment's mean",
    "pairs": "which of two translations of a segment is better",
}
LEARNERS = ("linear", "trees")
TAILS = (0.5, 99.5)
"""Percentiles beyond which a feature's score counts no further."""


def fit(
    batch: TrainingBatch,
    metrics: Sequence[Metric],
    *,
    learner: str = "linear",
    objective: str = "pairs",
    penalty: float = 0.03,
    seed: int = 12345,
) -> LearnedModel:
    """The model that fits best; `penalty` holds weights down, by its size times half the sum of their squares."""
    for what, value, known in (("learner", learner, LEARNERS), ("objective", objective, OBJECTIVES)):
        if value not in known:
            raise unknown_name(what, value, known)
    batch = usable(batch, objective)
    draft = LearnedModel(features_of(batch, metrics))
    inputs = draft.inputs(batch.scores)
    if learner == "linear":
        weights = _linear(batch, draft, inputs, objective, penalty)
        model = replace(draft, weights=tuple(map(float, weights)))
    else:
        model = replace(draft, trees=boost_trees(batch, draft, inputs, objective, seed))
    raw = model.raw(inputs)
    spread = float(raw.std())
    if not spread > 1e-9 * max(1.0, float(np.abs(raw).max())):
        raise DataError(
            "nothing was learned: the judgements agree with none of the features; are these the right outputs, and is "
            "more better (--gold-kind)?"
        )
    return replace(model, centre=float(raw.mean()), spread=spread)


def features_of(batch: TrainingBatch, metrics: Sequence[Metric]) -> tuple[Feature, ...]:
    """What is known of each feature before anything is fitted: its direction, its bounds, its centre and scale."""
    features = []
    for metric, column in zip(metrics, batch.scores.T, strict=True):
        if np.isnan(column).any():
            raise DataError(
                f"{metric.spec} has no score for {np.isnan(column).sum()} of {len(column)} judged translations; leave "
                "it out of the features (-m)"
            )
        oriented = -column if metric.direction is Direction.LOWER else column
        low, high = map(float, np.percentile(oriented, TAILS))
        kept = np.clip(oriented, low, high)
        spread = float(centre_values(kept, batch.set).std())
        scale = spread if spread > 1e-9 * max(1.0, abs(high), abs(low)) else 1.0
        features.append(
            Feature(metric.spec, metric.direction.value, low, high, float(kept.mean()), float(scale))
        )
    return tuple(features)


def usable(batch: TrainingBatch, objective: str) -> TrainingBatch:
    """The translations that the objective can learn from; refused where there is nothing to learn."""
    if objective == "pairs":
        if not len(batch.pairs):
            raise DataError(
                "no two translations of a segment were judged apart: there are no pairs; learn from scores, "
                "--objective regression"
            )
        return batch
    scored = ~np.isnan(batch.gold)
    if not scored.any():
        raise DataError(
            "these judgements put translations in an order and give no scores: --objective pairs learns from that"
        )
    if objective == "centred":
        scored &= np.bincount(batch.segment[scored], minlength=batch.segment.max() + 1)[batch.segment] > 1
        if not scored.any():
            raise DataError("no segment has two judged translations: --objective regression")
    kept = batch.take(scored)
    if not targets(kept, objective).any():
        raise DataError("all judgements of a test set are the same: there is nothing to learn from them")
    return kept


def targets(batch: TrainingBatch, objective: str) -> Array:
    """What a regression is fitted to: scores brought to one scale in each set, or less their segment's mean as well."""
    if objective == "regression":
        return standardise_values(batch.gold, batch.set)
    about = centre_values(batch.gold, batch.segment)
    sizes = np.bincount(batch.set)
    spread = np.sqrt(np.bincount(batch.set, about**2) / np.maximum(sizes, 1))
    return np.asarray(about / np.where(spread > 0, spread, 1.0)[batch.set])


def set_weights(sets: Indices) -> Array:
    """A weight for each row, 1 on average: a set counts by the root of its size, so that none drowns the others."""
    weights = np.bincount(sets)[sets] ** -0.5
    return np.asarray(weights / weights.mean())


def bounds_of(model: LearnedModel) -> list[int]:
    """1 for each feature that may only raise the score, 0 for those without a direction."""
    return [0 if feature.better == "neither" else 1 for feature in model.features]


def _linear(
    batch: TrainingBatch, draft: LearnedModel, inputs: Array, objective: str, penalty: float
) -> Array:
    scaled = inputs / np.array([feature.scale for feature in draft.features])
    if objective == "pairs":
        better, worse = batch.pairs.T
        loss = _logistic(scaled[better] - scaled[worse], set_weights(batch.set[better]))
    else:
        group = batch.set if objective == "regression" else batch.segment
        loss = _squares(centre_values(scaled, group), targets(batch, objective), set_weights(batch.set))
    return minimum(loss, bounds_of(draft), penalty)


Loss = Callable[[Array], tuple[float, Array]]
"""A mean loss of weights, and its gradient."""


def minimum(loss: Loss, directed: Sequence[int], penalty: float) -> Array:
    """The weights with the least loss and penalty, at or above 0 where a feature has a direction."""
    from scipy.optimize import minimize

    def whole(weights: Array) -> tuple[float, Array]:
        value, gradient = loss(weights)
        return value + penalty * float(weights @ weights) / 2, gradient + penalty * weights

    bounds = [(0.0 if one_way else None, None) for one_way in directed]
    options = {"maxiter": 5000, "maxfun": 10000, "ftol": 1e-14, "gtol": 1e-9}
    start = np.zeros(len(directed))
    return np.asarray(minimize(whole, start, jac=True, method="L-BFGS-B", bounds=bounds, options=options).x)


def _squares(rows: Array, target: Array, weights: Array) -> Loss:
    """Half the mean square of what is left; from moments, so that its cost does not depend on the rows."""
    weighted = rows * (weights / len(rows))[:, None]
    moments, products = weighted.T @ rows, weighted.T @ target
    constant = float(weights @ target**2) / len(rows)

    def loss(beta: Array) -> tuple[float, Array]:
        along = moments @ beta
        return float(beta @ along - 2 * beta @ products + constant) / 2, along - products

    return loss


def _logistic(differences: Array, weights: Array) -> Loss:
    """The mean of log(1 + exp(−margin)) over ordered pairs (Burges et al. 2005)."""
    share = weights / len(differences)

    def loss(beta: Array) -> tuple[float, Array]:
        margin = differences @ beta
        wrong = np.exp(-np.logaddexp(0.0, margin))  # 1 / (1 + exp(margin)), without overflow
        return float(share @ np.logaddexp(0.0, -margin)), -(differences.T @ (share * wrong))

    return loss


def boost_trees(
    batch: TrainingBatch, draft: LearnedModel, inputs: Array, objective: str, seed: int
) -> tuple[RegressionTree, ...]:
    """Trees whose sum is the model."""
    return trees_of(booster(batch, draft, inputs, objective, seed))


def booster(batch: TrainingBatch, draft: LearnedModel, inputs: Array, objective: str, seed: int) -> Any:
    """LightGBM's own model."""
    try:
        import lightgbm
    except ImportError:
        raise MissingExtraError("learning trees (--learner trees)", "learned") from None
    settings: dict[str, Any] = SETTINGS | {"seed": seed, "monotone_constraints": bounds_of(draft)}
    if objective == "pairs":
        settings["objective"] = lambda raw, _data: pair_gradients(batch, raw)
        data = lightgbm.Dataset(inputs, np.zeros(len(inputs)))
    else:
        settings["objective"] = "regression"
        data = lightgbm.Dataset(inputs, targets(batch, objective), weight=set_weights(batch.set))
    return lightgbm.train(settings, data, ROUNDS)


def pair_gradients(batch: TrainingBatch, raw: Array) -> tuple[Array, Array]:
    """First and second derivatives of the logistic loss over ordered pairs, by translation."""
    better, worse = batch.pairs.T
    weights = set_weights(batch.set[better])
    wrong = np.exp(-np.logaddexp(0.0, raw[better] - raw[worse]))
    first, second = weights * wrong, weights * wrong * (1 - wrong)
    count = len(batch)
    gradient = np.bincount(worse, first, count) - np.bincount(better, first, count)
    curvature = np.bincount(worse, second, count) + np.bincount(better, second, count)
    return np.asarray(gradient, np.float64), np.asarray(curvature + 1e-6, np.float64)


def trees_of(model: Any) -> tuple[RegressionTree, ...]:
    """LightGBM's trees as lists of numbers."""
    return tuple(_flat(entry["tree_structure"]) for entry in model.dump_model()["tree_info"])


def _flat(root: dict[str, Any]) -> RegressionTree:
    """A tree's nodes in the order in which they are met, parents before children."""
    feature: list[int] = []
    threshold: list[float] = []
    children: list[list[int]] = []
    leaves: list[float] = []
    waiting: list[tuple[dict[str, Any], int, int]] = [(root, -1, 0)]
    while waiting:
        node, parent, side = waiting.pop()
        if "split_feature" in node:
            place = len(feature)
            feature.append(int(node["split_feature"]))
            threshold.append(float(node["threshold"]))
            children.append([0, 0])
            waiting += [(node["right_child"], place, 1), (node["left_child"], place, 0)]
        else:
            leaves.append(float(node["leaf_value"]))
            place = -len(leaves)
        if parent >= 0:
            children[parent][side] = place
    left, right = ([pair[side] for pair in children] for side in (0, 1))
    return RegressionTree(tuple(feature), tuple(threshold), tuple(left), tuple(right), tuple(leaves))
