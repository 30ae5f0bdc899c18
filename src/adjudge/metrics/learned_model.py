"""The file of a learned metric: what it reads, how that becomes a score, and how it came to be.

It is JSON, so that nothing in it can be run, with a checksum over all of it. Trees are kept as lists of numbers and
followed here, so that who uses a model needs nothing that it was trained with.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from adjudge.errors import DataError
from adjudge.io.fields import Fields, read_object
from adjudge.io.files import path_text
from adjudge.wording import pluralise

Array = NDArray[np.float64]

FORMAT = "adjudge learned metric"
VERSION = 1
BETTER = {"higher": 1.0, "lower": -1.0, "neither": 1.0}


@dataclass(frozen=True)
class Feature:
    """A metric that a model reads: its segment scores, turned so that more is better, within what it was trained on."""

    spec: str
    better: str
    """`higher`, `lower` or `neither`."""
    low: float
    high: float
    """What lies beyond counts as this much: a rate of errors of one short segment may be anything."""
    centre: float = 0.0
    scale: float = 1.0


@dataclass(frozen=True)
class RegressionTree:
    """A decision tree: inner nodes as lists, children at or above 0 inner nodes, below 0 leaves (−1 the first)."""

    feature: tuple[int, ...]
    threshold: tuple[float, ...]
    left: tuple[int, ...]
    """Where to go if the feature is at most the threshold."""
    right: tuple[int, ...]
    leaves: tuple[float, ...]

    def values(self, features: Array) -> Array:
        """The leaf that each row of features ends in."""
        leaves = np.array(self.leaves)
        if not self.feature:
            return np.full(len(features), leaves[0])
        feature, threshold = np.array(self.feature), np.array(self.threshold)
        children = np.stack([np.array(self.right), np.array(self.left)])
        node, rows = np.zeros(len(features), np.intp), np.arange(len(features))
        while (inner := node >= 0).any():
            at, which = node[inner], rows[inner]
            goes_left = features[which, feature[at]] <= threshold[at]
            node[inner] = children[goes_left.astype(np.intp), at]
        return np.asarray(leaves[-node - 1])


@dataclass(frozen=True)
class LearnedModel:
    """A function from scores of metrics to one score, whose mean is 0 and deviation 1 on what it was trained on."""

    features: tuple[Feature, ...]
    weights: tuple[float, ...] = ()
    """Of a linear model."""
    trees: tuple[RegressionTree, ...] = ()
    centre: float = 0.0
    spread: float = 1.0
    signatures: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    """By target language: what each feature's signature was."""
    recipe: Mapping[str, Any] = field(default_factory=dict)
    """What was trained on what, with hashes of files."""
    unseen: tuple[Mapping[str, Any], ...] = ()
    """How well it did on folds that it was not trained on."""

    @property
    def learner(self) -> str:
        """`linear` or `trees`."""
        return "trees" if self.trees else "linear"

    def inputs(self, scores: Array) -> Array:
        """What the model sees of metrics' scores, segments × features: more is better, within bounds."""
        oriented = scores * np.array([BETTER[feature.better] for feature in self.features])
        low, high = (np.array([getattr(f, name) for f in self.features]) for name in ("low", "high"))
        return np.asarray(np.clip(oriented, low, high))  # NaN stays NaN

    def raw(self, inputs: Array) -> Array:
        """The model's own number for each row of inputs."""
        if self.trees:
            total = np.zeros(len(inputs))
            for tree in self.trees:  # in this order, as LightGBM adds them up
                total += tree.values(inputs)
            return total
        centre, scale = (np.array([getattr(f, name) for f in self.features]) for name in ("centre", "scale"))
        # Not a product of matrices, whose order of addition depends on how many rows there are.
        return np.asarray(((inputs - centre) / scale * np.array(self.weights)).sum(1))

    def scores(self, scores: Array) -> Array:
        """Segment scores from those of the features, segments × features; NaN where one of these is missing."""
        inputs = self.inputs(scores)
        known = np.asarray(~np.isnan(inputs).any(axis=1))
        values = (self.raw(np.where(known[:, None], inputs, 0.0)) - self.centre) / self.spread
        return np.where(known, values, np.nan)


def model_text(model: LearnedModel) -> str:
    """The text of a model's file."""
    content = {"format": FORMAT, "version": VERSION, **asdict(model)}
    return json.dumps(content | {"sha256": _checksum(content)}, indent=1, ensure_ascii=False) + "\n"


def read_model(path: str) -> LearnedModel:
    """The model in a file; one that was changed, cut off or made by another version is refused."""
    what = "the file of a learned metric"
    document = read_object(path, what)
    top = Fields(path, document)
    if document.get("format") != FORMAT:
        raise DataError(f"{path_text(path)} is not {what}; adjudge tune learned -o FILE writes one")
    if document.get("version") != VERSION:
        raise DataError(
            f"{path_text(path)}: a learned metric of version {document.get('version')!r}; this adjudge "
            f"reads {VERSION}: "
            "train it again with this one, or install the adjudge that made it"
        )
    content = {key: value for key, value in document.items() if key != "sha256"}
    if top.take("sha256", str) != _checksum(content):
        raise DataError(
            f"{path_text(path)} was changed after it was written: its checksum does not fit; take the file as it was "
            "written, or train it again"
        )
    model = LearnedModel(
        tuple(_feature(entry) for entry in top.objects("features")),
        top.numbers("weights"),
        tuple(_tree(entry) for entry in top.objects("trees")),
        top.number("centre"),
        top.number("spread"),
        {language: dict(fields) for language, fields in top.take("signatures", dict).items()},
        top.take("recipe", dict),
        tuple(entry.values for entry in top.objects("unseen")),
    )
    _check(model, top)
    return model


def _checksum(content: Mapping[str, Any]) -> str:
    text = json.dumps(content, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
    return hashlib.sha256(text.encode()).hexdigest()


def _feature(entry: Fields) -> Feature:
    better = entry.take("better", str)
    if better not in BETTER:
        raise entry.fault("better", f"{better!r}, but one of {', '.join(BETTER)} was expected")
    numbers = [entry.number(name) for name in ("low", "high", "centre", "scale")]
    return Feature(entry.take("spec", str), better, *numbers)


def _tree(entry: Fields) -> RegressionTree:
    places = [tuple(map(int, entry.numbers(name))) for name in ("feature", "left", "right")]
    tree = RegressionTree(
        places[0], entry.numbers("threshold"), places[1], places[2], entry.numbers("leaves")
    )
    nodes, leaves = len(tree.feature), len(tree.leaves)
    lists = (tree.threshold, tree.left, tree.right)
    children = [
        child > node if child >= 0 else True  # a child stands behind its parent, so that every way ends
        for node, pair in enumerate(zip(tree.left, tree.right, strict=False))
        for child in pair
    ]
    known = [-leaves <= child < nodes for child in (*tree.left, *tree.right)]
    if any(len(column) != nodes for column in lists) or not all(children) or not all(known) or not leaves:
        raise entry.fault("left", "no tree: nodes that are not there, or in a circle; train it again")
    return tree


def _check(model: LearnedModel, top: Fields) -> None:
    number = len(model.features)
    if not number:
        raise top.fault("features", "none; train it again")
    if not model.trees and len(model.weights) != number:
        raise top.fault("weights", f"{len(model.weights)} for {pluralise(number, 'feature')}; train it again")
    if any(not 0 <= place < number for tree in model.trees for place in tree.feature):
        raise top.fault("trees", f"a feature beyond the {number} there are; train it again")
    if not model.spread > 0 or any(not feature.scale > 0 for feature in model.features):
        raise top.fault("spread", "a scale that is not above 0; train it again")
