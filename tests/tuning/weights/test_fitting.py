"""Weights fitted to n-best lists: what they choose, what is held out, and what cannot be fitted."""

import re

import numpy as np
import pytest

from adjudge import metric, score
from adjudge.data import Outputs
from adjudge.data.nbest import NBestLists
from adjudge.errors import AdjudgeError
from adjudge.reranking import rerank
from adjudge.tuning.weights import WeightOptions, tune_weights


def made(segments=30, seed=1):
    """Lists in which one feature tells the good hypothesis, one the bad, and two nothing."""
    generator = np.random.default_rng(seed)
    words = [
        "house",
        "stands",
        "on",
        "the",
        "hill",
        "where",
        "no",
        "tree",
        "ever",
        "grew",
        "in",
        "all",
        "rain",
    ]
    hypotheses, references, features = [], [], []
    for _ in range(segments):
        reference = list(generator.choice(words, 9))
        references.append((" ".join(reference),))
        own = []
        for wrong in generator.permutation(5):
            text = list(reference)
            for place in generator.choice(9, wrong, replace=False):
                text[place] = "x"
            own.append(" ".join(text))
            features.append([-wrong + generator.normal() * 0.3, wrong, generator.normal(), 7.0])
        hypotheses.append(tuple(own))
    return NBestLists(
        tuple(hypotheses),
        tuple(references),
        feature_names=("good", "bad", "noise", "same"),
        features=np.array(features),
    )


@pytest.fixture(scope="module")
def lists():
    return made()


@pytest.mark.parametrize("spec", ["bleu", "chrf", "ter", "wer", "meteor(matchers=exact,language=en)"])
def test_any_metric_can_be_fitted(lists, spec):
    fit = tune_weights(lists, spec, options=WeightOptions(restarts=3))
    higher = metric(spec).direction.higher_is_better
    assert (fit.score > fit.start) == higher
    assert fit.score == pytest.approx(100 if higher else 0)
    assert fit.weights["same"] == 0
    assert sum(map(abs, fit.weights.values())) == pytest.approx(1)


def test_scores_are_those_of_what_the_weights_choose(lists):
    fit = tune_weights(lists, "bleu", options=WeightOptions(restarts=0))
    weights = np.array(list(fit.weights.values()))
    choices = rerank(
        NBestLists(lists.hypotheses, lists.references, scores=lists.scored_by(weights)), rule="model"
    ).choices
    outputs = Outputs("x", [choice.hypothesis for choice in choices])
    assert score(lists.test_set(), outputs, "bleu").results[0].score == pytest.approx(fit.score)


def test_the_same_seed_gives_the_same_weights_and_another_start_is_used(lists):
    options = WeightOptions(restarts=2, random_directions=1)
    assert tune_weights(lists, options=options) == tune_weights(lists, options=options)
    start = {"bad": -1.0, "good": 2.0, "noise": 0.0, "same": 5.0}  # in any order
    fit = tune_weights(lists, start=start, options=WeightOptions(restarts=0))
    assert fit.start_weights == {"good": 2.0, "bad": -1.0, "noise": 0.0, "same": 5.0}
    assert fit.start == pytest.approx(100)
    assert fit.reached == 1


def test_held_out_lists_are_scored_with_an_interval(lists):
    fit = tune_weights(lists, held_out=made(seed=2), options=WeightOptions(restarts=2, resamples=200))
    other = fit.held_out
    assert other is not None
    assert other.low <= other.delta <= other.high
    assert other.delta == pytest.approx(other.tuned - other.start)
    assert other.p < 0.05
    assert not any("--held-out" in warning for warning in fit.warnings)
    assert any("--held-out" in warning for warning in tune_weights(lists).warnings)


def test_weights_of_noise_are_of_no_use_elsewhere():
    """Features that say nothing: fitted well, and on other lists no better, which the interval tells."""

    def noise(seed):
        own = made(seed=seed)
        features = np.random.default_rng(seed).normal(size=(own.begins[-1], 8))
        return NBestLists(own.hypotheses, own.references, feature_names=tuple("abcdefgh"), features=features)

    within = 0
    for seed in range(10):
        fit = tune_weights(
            noise(seed), held_out=noise(seed + 100), options=WeightOptions(restarts=5, resamples=200)
        )
        assert fit.held_out is not None
        assert fit.score > fit.start + 3
        within += fit.held_out.low <= 0 <= fit.held_out.high
    assert within >= 8


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"features": None, "feature_names": ()}, "the hypotheses have no features"),
        ({"references": ()}, "segment 1 has no reference"),
        ({"references": (("a",), ())}, "segment 2 has no reference"),
        ({"hypotheses": (("a",), ("b",)), "features": np.ones((2, 1))}, "every list has a single hypothesis"),
        ({"features": np.ones((4, 1))}, "no weight chooses anything"),
        ({"features": np.array([[np.nan], [1], [2], [3]])}, "features that are no finite numbers"),
    ],
)
def test_what_cannot_be_fitted(change, message):
    facts = {
        "hypotheses": (("a", "b"), ("c", "d")),
        "references": (("a",), ("c",)),
        "feature_names": ("f",),
        "features": np.array([[1.0], [2], [3], [4]]),
    }
    with pytest.raises(AdjudgeError, match=re.escape(message)):
        tune_weights(NBestLists(**{**facts, **change}))


@pytest.mark.parametrize(
    ("spec", "options", "message"),
    [
        ("length-ratio", {}, "neither high nor low is better"),
        ("bleuu", {}, "did you mean 'bleu'"),
        ("qe(model=x.json)", {}, "needs the source"),
        ("sstk", {}, "needs trees"),
        ("bleu", {"start": {"good": 1.0}}, "the start: no weight of bad, noise and same"),
        ("bleu", {"start": {"lm": 1.0}}, "a weight of lm, which no hypothesis has"),
        ("bleu", {"options": WeightOptions(lowest=1, highest=1)}, "the second must be larger"),
        ("bleu", {"options": WeightOptions(search="steep")}, "did you mean 'steepest'"),
    ],
)
def test_questions_that_are_wrong(lists, spec, options, message):
    with pytest.raises(AdjudgeError, match=re.escape(message)):
        tune_weights(lists, spec, **options)


def test_held_out_lists_need_the_same_features(lists):
    other = NBestLists((("a", "b"),), (("a",),), feature_names=("lm",), features=np.array([[1.0], [2]]))
    with pytest.raises(
        AdjudgeError, match="held-out lists have other features: bad, good, lm and 2 more stands"
    ):
        tune_weights(lists, held_out=other, options=WeightOptions(restarts=0))
