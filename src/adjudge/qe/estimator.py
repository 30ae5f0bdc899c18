"""An estimator: what was learnt, and what it says of new segments."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from adjudge.errors import DataError
from adjudge.qe.companions import Companions
from adjudge.qe.conformal import Intervals, conformal_reach
from adjudge.qe.features import NO_COMPANIONS, LogProbabilities, black_box_features, glass_box_features
from adjudge.qe.hashed_ngrams import RarityWeights, hashed_ngrams, weigh_ngrams
from adjudge.qe.labelled import LabelledSegments
from adjudge.qe.measures import Array
from adjudge.qe.regression import Ridge
from adjudge.qe.resources import EstimatorResources
from adjudge.qe.word_tagger import WordTagger
from adjudge.wording import pluralise

CONFIDENCE = 0.9


@dataclass(frozen=True, eq=False)
class UnseenSegments:
    """What was predicted of segments that the prediction had not seen, and what people said."""

    predicted: Array
    scores: Array


@dataclass(frozen=True, eq=False)
class GlassBox:
    """What the MT system's own log-probabilities add to a prediction."""

    columns: int
    """How many of the features it takes: all, or the mean alone."""
    ridge: Ridge
    held_out: UnseenSegments


@dataclass(frozen=True, eq=False)
class Estimator:
    """A trained model of quality."""

    kind: str
    """da, hter or mqm."""
    higher_is_better: bool
    score_name: str
    resources: EstimatorResources
    rarity: RarityWeights
    ngrams: Ridge
    segment: Ridge
    held_out: UnseenSegments
    glass_box: GlassBox | None
    tagger: WordTagger | None
    companions: Mapping[str, str]
    """What larger models it learnt with, by their content."""
    recipe: Mapping[str, Any]


@dataclass(frozen=True, eq=False)
class Estimates:
    """One score per segment with its interval, and one tag per word where the model has learnt them."""

    scores: Array
    low: Array
    high: Array
    confidence: float
    glass_box: NDArray[np.bool_]
    """Where log-probabilities were used."""
    calibrated_on: int
    """How many judged segments intervals come from."""
    spread: float
    """The standard deviation of their scores."""
    tags: tuple[tuple[str, ...], ...] | None = None

    @property
    def intervals(self) -> Intervals:
        """The intervals alone."""
        return Intervals(self.low, self.high, self.calibrated_on, self.spread)


def estimate(
    model: Estimator,
    sources: Sequence[str],
    outputs: Sequence[str],
    log_probabilities: Sequence[LogProbabilities] | None = None,
    *,
    companions: Companions = NO_COMPANIONS,
    confidence: float = CONFIDENCE,
    threads: int = 0,
    tags: bool = False,
) -> Estimates:
    """What the model says of outputs without references."""
    if len(sources) != len(outputs):
        raise DataError(
            f"{len(sources):,} sources, but {pluralise(len(outputs), 'output')}: a line for each is needed"
        )
    companions.check(model.companions, "the model")
    columns = black_box_features(model.resources, sources, outputs, companions, threads=threads)
    ngrams = model.ngrams.predict_sparse(weigh_ngrams(hashed_ngrams(outputs), model.rarity))
    scores = model.segment.predict(np.concatenate([columns, ngrams[:, None]], 1))
    reach = np.tile(_reach(model.held_out, confidence), (len(scores), 1))
    calibration = model.held_out
    used: NDArray[np.bool_] = np.zeros(len(scores), np.bool_)
    if model.glass_box is not None and log_probabilities is not None:
        box = model.glass_box
        given = glass_box_features(log_probabilities)[:, : box.columns]
        used = np.asarray(~np.isnan(given).any(1))
        scores[used] += box.ridge.predict(given[used])
        reach[used] = _reach(box.held_out, confidence)
        calibration = box.held_out if used.any() else calibration
    named = None
    if tags:
        if model.tagger is None:
            raise DataError("the model has no tags of words: train it with --tags FILE")
        named = model.tagger.tags(model.resources, sources, outputs, threads=threads)
    low, high = scores + reach[:, 0], scores + reach[:, 1]
    if model.kind == "hter":  # no edit is below none
        low = np.maximum(low, np.minimum(scores, 0.0))
    known = calibration.scores
    return Estimates(scores, low, high, confidence, used, len(known), float(known.std()), named)


def _reach(held_out: UnseenSegments, confidence: float) -> tuple[float, float]:
    return conformal_reach(held_out.scores - held_out.predicted, confidence)


def recalibrate(
    model: Estimator, segments: LabelledSegments, companions: Companions = NO_COMPANIONS
) -> Estimator:
    """The model with intervals and thresholds from segments like those to come, which it has not learnt from."""
    names = [item["sha256"] for item in model.recipe.get("files", ())]
    if any(item.sha256 in names for item in segments.inputs):
        raise DataError("--calibration: these segments were trained on; intervals need others")
    estimates = estimate(model, segments.sources, segments.outputs, companions=companions)
    held_out, box = UnseenSegments(estimates.scores, segments.scores), model.glass_box
    if box is not None and segments.log_probabilities is not None:
        full = estimate(
            model, segments.sources, segments.outputs, segments.log_probabilities, companions=companions
        )
        if full.glass_box.any():
            unseen = UnseenSegments(full.scores[full.glass_box], segments.scores[full.glass_box])
            box = replace(box, held_out=unseen)
    files = [{"role": "calibration", "path": i.path, "sha256": i.sha256} for i in segments.inputs]
    recipe = {**model.recipe, "calibration": files}
    return replace(model, held_out=held_out, glass_box=box, recipe=recipe)
