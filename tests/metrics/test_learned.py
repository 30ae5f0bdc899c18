"""learned: what a model's file says is what is computed, and a file that cannot be trusted is refused."""

import json
import math
import sys
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import adjudge
from adjudge import metrics, workspace
from adjudge.data import TestSet
from adjudge.errors import DataError, MissingResourceError, UnaskedProgramError
from adjudge.metrics.learned_model import Feature, LearnedModel, RegressionTree, model_text, read_model
from helpers import fakes
from helpers.learned import LINEAR, TREES, written

REFERENCES = ["The cat sat on the mat.", "It is raining today.", "No!"]
OUTPUTS = ["The cat is on the mat.", "", "No, no, no, no!"]
ENGLISH = TestSet(references=[REFERENCES], language="en")


def learned(model, tmp_path, options=""):
    return metrics.metric(f"learned(model={written(model, tmp_path / 'model.json')}{options})")


def segments(metric, test_set=ENGLISH, outputs=OUTPUTS):
    return metric.segments(metric.prepare(test_set), outputs, threads=1)


def own_scores(specs, test_set=ENGLISH, outputs=OUTPUTS):
    scored = adjudge.score(test_set, [adjudge.Outputs("x", outputs)], list(specs), segments=True)
    return [result.segments for result in scored.results]


def test_a_linear_model_is_the_weighted_sum_that_its_file_says(tmp_path):
    columns = own_scores(feature.spec for feature in LINEAR.features)
    for segment, score in enumerate(segments(learned(LINEAR, tmp_path))):
        total = 0.0
        for feature, weight, column in zip(LINEAR.features, LINEAR.weights, columns, strict=True):
            value = -column[segment] if feature.better == "lower" else column[segment]
            total += weight * (min(max(value, feature.low), feature.high) - feature.centre) / feature.scale
        assert score == pytest.approx((total - 0.1) / 0.6, abs=1e-12)


def walked(tree: RegressionTree, row) -> float:
    """One row down a tree, node by node."""
    node = 0 if tree.feature else -1
    while node >= 0:
        node = tree.left[node] if row[tree.feature[node]] <= tree.threshold[node] else tree.right[node]
    return tree.leaves[-node - 1]


@given(rows=st.lists(st.tuples(*[st.floats(-200, 200)] * 3), min_size=1, max_size=8))
def test_trees_are_followed_as_one_would_by_hand(rows):
    inputs = TREES.inputs(np.array(rows))
    by_hand = [sum(walked(tree, row) for tree in TREES.trees) for row in inputs]
    np.testing.assert_allclose(TREES.scores(np.array(rows)), by_hand, rtol=0, atol=1e-12)


@given(rows=st.lists(st.tuples(*[st.floats(-200, 200)] * 3), min_size=2, max_size=6))
def test_a_row_is_scored_the_same_whatever_stands_beside_it(rows):
    together = LINEAR.scores(np.array(rows))
    np.testing.assert_array_equal(together, [LINEAR.scores(np.array([row]))[0] for row in rows])


def test_a_segment_without_one_of_the_scores_has_none():
    scores = LINEAR.scores(np.array([[50.0, 60.0, math.nan], [50.0, 60.0, 1.0]]))
    assert math.isnan(scores[0])
    assert math.isfinite(scores[1])


@pytest.mark.parametrize("model", [LINEAR, TREES])
def test_a_file_gives_back_what_was_written(model, tmp_path):
    path = written(model, tmp_path / "model.json")
    assert read_model(str(path)) == model
    assert json.loads(path.read_text())["format"] == "adjudge learned metric"


def test_the_signature_has_the_hash_of_the_file(tmp_path):
    first = learned(LINEAR, tmp_path).signature(ENGLISH)
    assert "learner:linear|features:3" in first
    other = learned(replace(LINEAR, weights=(0.5, 0.25, 0.0)), tmp_path).signature(ENGLISH)
    assert first != other


def changed(path, **fields):
    document = json.loads(path.read_text())
    path.write_text(json.dumps(document | fields))


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"weights": [0.5, 0.25, 0.1]}, "was changed after it was written"),
        ({"version": 2}, "of version 2; this adjudge reads 1"),
        ({"format": "something"}, "is not the file of a learned metric"),
        ({"sha256": None}, "sha256"),
    ],
)
def test_a_changed_file_is_refused(tmp_path, fields, message):
    path = written(LINEAR, tmp_path / "model.json")
    changed(path, **fields)
    with pytest.raises(DataError, match=message):
        read_model(str(path))


@given(cut=st.integers(1, 400))
def test_a_file_that_was_cut_off_is_refused(cut, tmp_path_factory):
    path = tmp_path_factory.mktemp("cut") / "model.json"
    text = model_text(LINEAR)
    path.write_text(text[: max(0, len(text) - 1 - cut)])
    with pytest.raises(DataError, match=r"model\.json"):
        read_model(str(path))


@pytest.mark.parametrize(
    ("model", "message"),
    [
        (replace(LINEAR, weights=(1.0,)), "1 for 3 features"),
        (replace(LINEAR, features=(), weights=()), "features: none"),
        (replace(LINEAR, spread=0.0), "not above 0"),
        (replace(TREES, trees=(RegressionTree((0,), (1.0,), (0,), (-1,), (1.0,)),)), "in a circle"),
        (replace(TREES, trees=(RegressionTree((0,), (1.0,), (-5,), (-1,), (1.0,)),)), "not there"),
        (replace(TREES, trees=(RegressionTree((7,), (1.0,), (-1,), (-1,), (1.0,)),)), "beyond the 3"),
        (replace(LINEAR, features=(replace(LINEAR.features[0], better="up"),), weights=(1.0,)), "'up'"),
    ],
)
def test_a_model_that_makes_no_sense_is_refused(tmp_path, model, message):
    with pytest.raises(DataError, match=message):
        read_model(str(written(model, tmp_path / "model.json")))


def test_features_that_are_another_thing_now_are_refused(tmp_path):
    model = replace(LINEAR, signatures={"en": {"ter(normalized=true)": "case:lc|tok:other"}})
    with pytest.raises(
        DataError, match=r"ter\(normalized=true\) is not what the model was trained with.*train it again"
    ):
        learned(model, tmp_path).prepare(ENGLISH)
    learned(model, tmp_path).prepare(TestSet(references=[REFERENCES]))  # of a language that nobody knows


def test_a_language_that_it_never_saw_is_noted(tmp_path):
    with workspace.notes_of_block() as notes:
        learned(LINEAR, tmp_path).prepare(TestSet(references=[REFERENCES], language="cs"))
    assert "trained on judgements of translations into en, never into cs" in notes[0]
    with workspace.notes_of_block() as notes:
        learned(LINEAR, tmp_path).prepare(ENGLISH)
    assert not notes


@pytest.mark.parametrize("spec", [fakes.spec("bertscore"), f'command(run="{sys.executable} -V")'])
def test_what_a_file_names_is_not_run_unasked(tmp_path, spec):
    model = LearnedModel((Feature(spec, "higher", 0.0, 100.0),), weights=(1.0,))
    with pytest.raises(UnaskedProgramError, match="allow_programs=true"):
        segments(learned(model, tmp_path))


def test_what_a_file_names_is_run_where_that_is_allowed(tmp_path):
    spec = fakes.spec("bertscore", fakes.model(tmp_path / "model"))
    model = LearnedModel((Feature(spec, "higher", -100.0, 100.0),), weights=(1.0,))
    metric = learned(model, tmp_path, ",allow_programs=true")
    np.testing.assert_allclose(segments(metric), own_scores([spec])[0])
    with (
        workspace.use(workspace.with_settings(named_by_file=True, store=None)),
        pytest.raises(UnaskedProgramError),
    ):
        segments(metric)  # by another file: it is not the user who allows it


def test_no_metric_is_made_of_itself_or_of_what_is_not_there(tmp_path):
    path = tmp_path / "model.json"
    model = LearnedModel((Feature(f"learned(model={path})", "higher", 0.0, 1.0),), weights=(1.0,))
    with pytest.raises(DataError, match="cannot be a feature of another"):
        segments(metrics.metric(f"learned(model={written(model, path)})"))
    model = LearnedModel((Feature("blue", "higher", 0.0, 1.0),), weights=(1.0,))
    with pytest.raises(DataError, match=r"a feature that this adjudge does not have.*'bleu'"):
        segments(learned(model, tmp_path))


def test_without_a_model_it_says_where_to_get_one():
    with pytest.raises(MissingResourceError, match="adjudge tune learned -o FILE"):
        metrics.metric("learned").signature(ENGLISH)
    with pytest.raises(DataError, match=r"nowhere\.json"):
        metrics.metric("learned(model=nowhere.json)").prepare(ENGLISH)
