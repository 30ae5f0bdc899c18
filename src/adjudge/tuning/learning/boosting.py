"""Monotone trees by LightGBM, as lists of numbers that need it no more."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from adjudge.errors import MissingExtraError
from adjudge.metrics.learned_model import LearnedModel, Tree
from adjudge.tuning.learning.batch import Batch
from adjudge.tuning.learning.fitting import bounds_of, set_weights, targets

Array = NDArray[np.float64]

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


def boosted(batch: Batch, draft: LearnedModel, inputs: Array, objective: str, seed: int) -> tuple[Tree, ...]:
    """Trees whose sum is the model."""
    return trees_of(booster(batch, draft, inputs, objective, seed))


def booster(batch: Batch, draft: LearnedModel, inputs: Array, objective: str, seed: int) -> Any:
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


def pair_gradients(batch: Batch, raw: Array) -> tuple[Array, Array]:
    """First and second derivatives of the logistic loss over ordered pairs, by translation."""
    better, worse = batch.pairs.T
    weights = set_weights(batch.set[better])
    wrong = np.exp(-np.logaddexp(0.0, raw[better] - raw[worse]))
    first, second = weights * wrong, weights * wrong * (1 - wrong)
    count = len(batch)
    gradient = np.bincount(worse, first, count) - np.bincount(better, first, count)
    curvature = np.bincount(worse, second, count) + np.bincount(better, second, count)
    return np.asarray(gradient, np.float64), np.asarray(curvature + 1e-6, np.float64)


def trees_of(model: Any) -> tuple[Tree, ...]:
    """LightGBM's trees as lists of numbers."""
    return tuple(_flat(entry["tree_structure"]) for entry in model.dump_model()["tree_info"])


def _flat(root: dict[str, Any]) -> Tree:
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
    return Tree(tuple(feature), tuple(threshold), tuple(left), tuple(right), tuple(leaves))
