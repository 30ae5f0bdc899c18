"""An estimator: learns what can be learnt, covers what it promises, and is the same in its file."""

import json
import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adjudge.errors import DataError, UsageError
from adjudge.qe.companions import Companions
from adjudge.qe.conformal import conformal_reach, coverage
from adjudge.qe.estimator import estimate, recalibrate
from adjudge.qe.features import NAMES, black_box_features
from adjudge.qe.fitting import ParallelText, TrainingOptions, train
from adjudge.qe.labelled import join_labelled
from adjudge.qe.measures import matthews, pearson
from adjudge.qe.model_file import digest_of, model_bytes, read_model
from adjudge.qe.regression import fit_ridge, fit_sparse
from helpers.estimators import judged

NEW = judged(300, seed=2)
OPTIONS = TrainingOptions(languages=("en", "de"), folds=2, threads=1)


def test_unseen_segments_are_estimated(small):
    own = estimate(small, NEW.sources, NEW.outputs)
    assert pearson(NEW.scores, own.scores) > 0.85
    assert not own.glass_box.any()
    with_log = estimate(small, NEW.sources, NEW.outputs, NEW.log_probabilities)
    assert with_log.glass_box.all()


def test_wrong_words_are_tagged(small):
    own = estimate(small, NEW.sources, NEW.outputs, tags=True)
    bad, said = (np.array([tag == "BAD" for row in tags for tag in row]) for tags in (NEW.tags, own.tags))
    assert matthews(bad, said) > 0.9
    assert [len(row) for row in own.tags] == [len(output.split()) for output in NEW.outputs]


def test_log_probabilities_help_where_they_know_more():
    rng = np.random.default_rng(5)
    segments = judged(200, seed=3)
    hidden = rng.normal(size=200)
    known = tuple((-1.5 + float(np.clip(h, -1, 1)), -0.5) for h in hidden)
    model = train(
        replace(segments, scores=segments.scores + hidden, log_probabilities=known, tags=None),
        options=OPTIONS,
    )
    assert pearson(model.glass_box.held_out.scores, model.glass_box.held_out.predicted) > 0.8
    assert pearson(model.held_out.scores, model.held_out.predicted) < 0.6


def test_a_mean_alone_is_one_column():
    segments = judged(80)
    given = tuple((float(np.mean(values)),) for values in segments.log_probabilities)
    model = train(replace(segments, log_probabilities=given, tags=None), options=OPTIONS)
    assert model.glass_box.columns == 1


def test_intervals_hold_what_they_promise():
    """Over many draws of calibration and new segments, 90 % intervals hold between 88 % and 92 % of scores."""
    rng = np.random.default_rng(1)
    shares = []
    for _ in range(200):
        errors, new = rng.gamma(2.0, size=300), rng.gamma(2.0, size=300)
        low, high = conformal_reach(errors, 0.9)
        shares.append(coverage(np.full(300, low), np.full(300, high), new))
    assert 0.89 < np.mean(shares) < 0.92


def test_intervals_of_an_estimator_hold_unseen_scores():
    segments = judged(600, seed=8, noise=0.2)
    half = TrainingOptions(languages=("en", "de"), folds=3, threads=1)
    model = train(replace(segments, tags=None, log_probabilities=None), options=half)
    fresh = judged(1500, seed=9, noise=0.2)
    own = estimate(model, fresh.sources, fresh.outputs)
    assert 0.88 <= coverage(own.low, own.high, fresh.scores) <= 0.92


@given(st.lists(st.floats(-100, 100), min_size=1, max_size=60), st.floats(0.05, 0.95))
def test_the_reach_leaves_out_no_more_than_it_may(errors, level):
    low, high = conformal_reach(np.array(errors), level)
    outside = sum(e > high for e in errors), sum(e < low for e in errors)
    allowed = (len(errors) + 1) * (1 - level) / 2
    assert all(count <= allowed + 1e-9 for count in outside)
    assert (math.isinf(high)) == (allowed < 1 - 1e-9) or abs(allowed - 1) < 1e-6


def test_calibration_on_other_segments_changes_intervals_alone(small):
    wide = judged(200, seed=4, noise=1.0)
    model = recalibrate(small, wide)
    before, after = (estimate(m, NEW.sources, NEW.outputs) for m in (small, model))
    assert (before.scores == after.scores).all()
    assert (after.high - after.low).mean() > 2 * (before.high - before.low).mean()


def test_a_file_says_the_same(small, small_file):
    model, digest = read_model(small_file)
    ours, theirs = (
        estimate(m, NEW.sources, NEW.outputs, NEW.log_probabilities, tags=True) for m in (small, model)
    )
    for name in ("scores", "low", "high"):
        assert (getattr(ours, name) == getattr(theirs, name)).all()
    assert ours.tags == theirs.tags
    assert model_bytes(model) == model_bytes(small)
    assert json.loads(model_bytes(small))["sha256"] == digest


@settings(max_examples=25)
@given(st.data())
def test_a_file_with_anything_changed_is_refused(small, tmp_path_factory, data):
    document = json.loads(model_bytes(small))
    name = data.draw(st.sampled_from(sorted(document)))
    document[name] = data.draw(st.sampled_from([None, 7, "x", [], {}, {"type": "<f8"}, True]))
    path = tmp_path_factory.mktemp("broken") / "model.json"
    path.write_text(json.dumps(document))
    if document == json.loads(model_bytes(small)):
        return
    with pytest.raises(DataError):
        read_model(str(path))
    document["sha256"] = digest_of(document)  # whoever changes it may also change its hash
    path.write_text(json.dumps(document))
    if name not in (
        "adjudge",
        "recipe",
        "sha256",
        "glass_box",
        "tagger",
        "score",
        "higher_is_better",
        "companions",
    ):
        with pytest.raises(DataError):
            read_model(str(path))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"format": "other"}, "is not a model of adjudge qe"),
        ({"version": 99}, "format 99 of a model, but adjudge .* reads 1: train it again"),
        ({"kind": "hter"}, "changed after it was written"),
    ],
)
def test_what_is_wrong_with_a_file_is_said(small, tmp_path, change, message):
    path = tmp_path / "model.json"
    path.write_text(json.dumps(json.loads(model_bytes(small)) | change))
    with pytest.raises(DataError, match=message):
        read_model(str(path))


def test_an_array_that_announces_too_much_fills_no_memory(small, tmp_path):
    document = json.loads(model_bytes(small))
    document["ngrams"]["weights"]["shape"] = [1 << 39]
    document["sha256"] = digest_of(document)
    path = tmp_path / "model.json"
    path.write_text(json.dumps(document))
    with pytest.raises(DataError, match="damaged"):
        read_model(str(path))


def test_training_again_gives_the_same_bytes():
    segments = judged(60)
    first, second = (model_bytes(train(segments, options=OPTIONS)) for _ in range(2))
    assert first == second


def test_parallel_text_teaches_instead_of_the_segments():
    text = judged(150, seed=6)
    model = train(judged(60), ParallelText(text.sources, text.post_edits), OPTIONS)
    assert model.recipe["parallel"] == "given"
    assert model.resources.segments == 150


def test_hter_is_better_low():
    segments = judged(60)
    model = train(replace(segments, scores=-segments.scores, score_name="hter", tags=None), options=OPTIONS)
    assert (model.kind, model.higher_is_better) == ("hter", False)


def test_intervals_of_hter_do_not_go_below_no_edit():
    segments = judged(60)
    edits = np.maximum(0.0, segments.scores - np.quantile(segments.scores, 0.7))  # most need no edit
    model = train(replace(segments, scores=edits, score_name="hter", tags=None), options=OPTIONS)
    own = estimate(model, segments.sources, segments.outputs)
    other = estimate(replace(model, kind="da"), segments.sources, segments.outputs)
    assert (other.low < np.minimum(other.scores, 0)).any()
    assert own.low.tolist() == np.maximum(other.low, np.minimum(other.scores, 0)).tolist()
    assert own.high.tolist() == other.high.tolist()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda s: replace(s, scores=np.zeros(len(s))), "all segments have the same score"),
        (lambda s: replace(s, outputs=s.sources), "both columns are in one language"),
        (lambda s: join_labelled([s, replace(s, score_name="hter")]), "different columns: hter, score"),
        (lambda s: replace(s, tags=tuple(("OK",) * len(t) for t in s.tags)), "all .* tags are OK"),
    ],
)
def test_what_cannot_be_learnt_is_said(change, message):
    with pytest.raises(DataError, match=message):
        train(change(judged(60)), options=OPTIONS)


def test_few_segments_are_refused():
    with pytest.raises(DataError, match="10 judged segments are too few"):
        train(judged(10), options=OPTIONS)


def test_calibration_on_what_was_trained_on_is_refused(small):
    from adjudge.io.table import Input

    segments = replace(NEW, inputs=(Input("judgements", "x", "abc"),))
    model = replace(small, recipe={"files": [{"sha256": "abc"}]})
    with pytest.raises(DataError, match="trained on"):
        recalibrate(model, segments)


def test_companions_are_named_again_or_refused(small, tmp_path):
    file = tmp_path / "lm.arpa"
    file.write_text("x")
    with pytest.raises(UsageError, match="learnt without --source-lm"):
        estimate(small, NEW.sources, NEW.outputs, companions=Companions(source_lm=str(file)))
    wants = replace(small, companions={"target_lm": "0" * 64})
    with pytest.raises(UsageError, match="name it again with --target-lm"):
        estimate(wants, NEW.sources, NEW.outputs)
    with pytest.raises(UsageError, match="another one"):
        estimate(wants, NEW.sources, NEW.outputs, companions=Companions(target_lm=str(file)))


@given(st.lists(st.text(max_size=30), min_size=1, max_size=5))
def test_any_text_has_finite_features(small, texts):
    columns = black_box_features(small.resources, texts, texts[::-1], threads=1)
    assert columns.shape == (len(texts), len(NAMES))
    assert np.isfinite(columns).all()


def test_features_by_hand(small):
    source, output = "The old house , 1,200 .", "die die alte Hütte 1.200 7 ."
    row = dict(zip(NAMES, black_box_features(small.resources, [source], [output])[0], strict=True))
    assert row["source_tokens"] == 6
    assert row["target_tokens"] == 7
    assert row["source_punctuation"] == 2
    assert row["target_punctuation"] == 1
    assert row["target_occurrences"] == pytest.approx(7 / 6)
    assert row["source_token_length"] == pytest.approx((3 + 3 + 5 + 1 + 5 + 1) / 6)
    assert (row["numbers_missing"], row["numbers_added"]) == (0, 1)
    assert 0 < row["unigrams_seen"] <= 1


def test_ridge_is_the_closed_form():
    rng = np.random.default_rng(1)
    columns, weights = rng.normal(size=(400, 3)), np.array([1.0, -2.0, 0.0])
    target = columns @ weights + 0.01 * rng.normal(size=400)
    fold = np.arange(400) % 4
    ridge, held_out = fit_ridge(columns, target, fold)
    assert np.abs(ridge.predict(columns) - target).mean() < 0.2
    assert pearson(target, held_out) > 0.99
    scaled = (columns - columns.mean(0)) / columns.std(0)
    scaled = np.clip(scaled, -4, 4)
    centred = scaled - scaled.mean(0)
    expected = np.linalg.solve(
        centred.T @ centred + ridge.penalty * np.eye(3), centred.T @ (target - target.mean())
    )
    assert ridge.weights == pytest.approx(expected)


def test_sparse_ridge_is_the_closed_form():
    from scipy.sparse import csr_matrix

    rng = np.random.default_rng(2)
    dense = rng.random((60, 8)) * (rng.random((60, 8)) < 0.4)
    target = dense @ rng.normal(size=8)
    ridge, _ = fit_sparse(csr_matrix(dense), target, np.arange(60) % 3)
    centred = target - target.mean()
    expected = np.linalg.solve(dense.T @ dense + ridge.penalty * np.eye(8), dense.T @ centred)
    assert ridge.weights == pytest.approx(expected, abs=1e-5)
