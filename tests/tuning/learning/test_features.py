"""Features: what a name stands for, what is left out, and what was asked for by itself and is not there."""

import pytest

from adjudge.data import TestSet
from adjudge.errors import MissingExtraError, UsageError
from adjudge.metrics import metric
from adjudge.tuning.learning import FEATURES, feature_metrics, features
from helpers.treebanks import with_trees

GERMAN = TestSet(references=[["Es regnet heute."]], language="de")


def test_names_of_sets_and_specs_may_be_mixed():
    chosen = feature_metrics(["kernels,chrf", "sk"], [GERMAN])
    assert [m.spec for m in chosen.metrics] == [*FEATURES["kernels"], "chrf"]
    assert chosen.signatures["de"]["chrf"] == "case:mixed|eff:yes|nc:6|nw:0|space:no"


@pytest.mark.parametrize("name", [*FEATURES["lexical"], *FEATURES["kernels"], *FEATURES["meteor"]])
def test_features_are_spelled_as_metrics_spell_themselves(name):
    chosen = metric(name)
    assert metric(chosen.spec) == chosen
    assert chosen.direction.higher_is_better is not None


def without(monkeypatch, name):
    def refuse(chosen):
        if chosen.name == name:
            raise MissingExtraError("this", "meteor")
        return "known"

    monkeypatch.setattr(features, "feature_signature", refuse)


def test_what_is_not_installed_is_left_out_of_a_set(monkeypatch):
    without(monkeypatch, "meteor")
    chosen = feature_metrics(["meteor", "chrf"], [GERMAN])
    assert "meteor" not in {m.name for m in chosen.metrics}
    (note,) = chosen.notes
    assert note.startswith("left out meteor(matchers=exact), ")
    assert "pip install 'adjudge[meteor]'" in note


def test_what_was_asked_for_is_an_error(monkeypatch):
    without(monkeypatch, "meteor")
    with pytest.raises(MissingExtraError, match=r"adjudge\[meteor\]"):
        feature_metrics(["lexical", "meteor(matchers=exact)"], [GERMAN])
    without(monkeypatch, "sk")
    with pytest.raises(UsageError, match=r"no feature is left: .*adjudge\[meteor\]"):
        feature_metrics(["kernels"], [GERMAN])


def test_trees_are_read_where_there_are_some(monkeypatch):
    monkeypatch.setattr(features, "feature_signature", lambda chosen: "known")
    assert not {"ptk", "tskm"} & {m.name for m in feature_metrics([], [GERMAN]).metrics}
    parsed = with_trees(TestSet(references=[["The cat sat on the mat ."]], language="en"), [])
    assert {"ptk", "tskm"} <= {m.name for m in feature_metrics([], [parsed]).metrics}


@pytest.mark.parametrize("spec", ["command(run=cat)", "llm(model=a)", "learned(model=a.json)"])
def test_what_a_file_must_not_name(spec):
    with pytest.raises(UsageError, match="cannot be a feature"):
        feature_metrics([spec], [GERMAN])
