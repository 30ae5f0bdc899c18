"""Cross-validation: nothing of a fold is known to what is tested on it, and the verdict is what was measured."""

from dataclasses import replace

import numpy as np
import pytest

from adjudge.errors import DataError, UsageError
from adjudge.tuning.learning import train, training
from adjudge.tuning.learning.agreement import agreements, compare_with_people
from adjudge.tuning.learning.batch import TrainingBatch
from adjudge.tuning.learning.features import FeatureMetrics
from helpers.learned import METRICS, planted

FEATURES = FeatureMetrics(METRICS, {"en": {}})
SETS = [
    planted(),
    planted("second", "zh-en", segments=40, seed=2),
    planted("third", "cs-en", segments=30, seed=3),
]


def test_two_noisy_metrics_together_beat_either():
    result = train(SETS, FEATURES, resamples=200)
    assert result.objective == "pairs"
    by = {(unseen.unit, unseen.measure): unseen for unseen in result.unseen}
    assert {unit for unit, _ in by} == {"document", "system", "language pair", "test set"}
    for unseen in by.values():
        assert unseen.delta == pytest.approx(unseen.learned - unseen.single)
        assert unseen.singles[0] in ("chrf", "ter")
    assert by["language pair", "tau"].delta > 0.05
    assert by["language pair", "tau"].p < 0.05
    assert by["language pair", "tau"].folds == 3
    assert by["document", "pearson"].p < 0.05
    assert result.model.unseen[0]["unit"] == result.unseen[0].unit


def test_no_fold_is_fitted_to_what_it_is_tested_on(monkeypatch):
    fitted = []

    def spy(batch, metrics, **options):
        fitted.append({unit: set(codes) for unit, codes in batch.groups.items()})
        return original(batch, metrics, **options)

    original = training.fit
    monkeypatch.setattr(training, "fit", spy)
    train(SETS, FEATURES, resamples=10, folds=3)
    everything, *folds = fitted
    assert len(folds) == 12
    for number, unit in enumerate(everything):
        left_out = [everything[unit] - seen[unit] for seen in folds[3 * number : 3 * number + 3]]
        assert set().union(*left_out) == everything[unit]
        assert sum(map(len, left_out)) == len(everything[unit])  # each group once


def test_noise_is_not_called_a_win():
    rng = np.random.default_rng(5)
    sets = [
        replace(own, gold=rng.normal(size=len(own)), pairs=rng.permuted(own.pairs, axis=1)) for own in SETS
    ]
    result = train(sets, FEATURES, resamples=200, objective="pairs")
    assert all(unseen.p > 0.01 or unseen.delta < 0 for unseen in result.unseen)
    assert all(abs(unseen.learned) < 0.15 for unseen in result.unseen)


def test_one_output_a_segment_is_learned_by_regression():
    result = train([planted(systems=1, segments=120)], FEATURES, resamples=100)
    assert result.objective == "regression"
    assert {unseen.measure for unseen in result.unseen} == {"pearson"}
    assert [unseen.unit for unseen in result.unseen] == ["document"]


def test_ranks_are_learned_by_pairs():
    result = train([planted(ranks=True)], FEATURES, resamples=100)
    assert {unseen.measure for unseen in result.unseen} == {"tau"}


def test_agreement_is_what_one_counts():
    batch = TrainingBatch.of([planted(segments=12)])
    scores = batch.scores[:, :1]
    right = sum(scores[a, 0] > scores[b, 0] for a, b in batch.pairs)
    assert agreements(batch, scores, "tau")[0] == pytest.approx(2 * right / len(batch.pairs) - 1)
    assert agreements(batch, scores, "pearson")[0] == pytest.approx(
        np.corrcoef(scores[:, 0], batch.gold)[0, 1]
    )
    equal = compare_with_people(batch, np.repeat(scores, 2, 1), "pearson", draws=50, seed=1)
    assert equal.first == equal.second
    assert equal.p == 1.0


def test_too_little_is_refused():
    with pytest.raises(UsageError, match="no judgements"):
        train([], FEATURES)
    with pytest.raises(DataError, match=r"1 segment, and 10 are the fewest"):
        train([planted(segments=1)], FEATURES)


def test_the_same_seed_gives_the_same_result():
    first, second = (train(SETS[:2], FEATURES, resamples=50, seed=7) for _ in range(2))
    assert first.model == second.model
    assert first.unseen == second.unseen
