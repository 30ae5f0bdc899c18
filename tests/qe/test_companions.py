"""Larger models beside an estimator: asked rightly where they are there, and missed by name where they are not."""

import sys
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from adjudge.errors import DataError, MissingExtraError
from adjudge.qe import companions
from adjudge.qe.companions import Companions, kenlm_scores, similarities
from adjudge.qe.estimator import estimate
from adjudge.qe.fitting import TrainingOptions, train
from adjudge.qe.model_file import model_bytes, read_model
from helpers.estimators import judged


class Kenlm:
    """Scores a text by its length, as KenLM scores sentences: their end included."""

    def __init__(self, path):
        if "broken" in path:
            raise OSError("not an ARPA file")

    def score(self, text):
        return -2.0 * (len(text.split()) + 1)


@pytest.fixture
def kenlm(monkeypatch):
    monkeypatch.setitem(sys.modules, "kenlm", SimpleNamespace(Model=Kenlm))


@pytest.mark.usefixtures("kenlm")
def test_scores_are_those_of_a_word():
    assert kenlm_scores("model.arpa", ["a b c", ""]).tolist() == [-2, -2]
    with pytest.raises(DataError, match="KenLM cannot read it"):
        kenlm_scores("broken.arpa", ["a"])


def test_without_kenlm_the_extra_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "kenlm", None)
    with pytest.raises(MissingExtraError, match=r"adjudge\[qe\]"):
        kenlm_scores("model.arpa", ["a"])


@pytest.mark.usefixtures("kenlm")
def test_a_model_learns_with_one_and_asks_for_it_again(tmp_path):
    file = tmp_path / "lm.arpa"
    file.write_text("any")
    beside = Companions(target_lm=str(file))
    segments = replace(judged(60), tags=None, log_probabilities=None)
    model = train(segments, options=TrainingOptions(languages=("en", "de"), folds=2, companions=beside))
    (tmp_path / "model.json").write_bytes(model_bytes(model))
    again, _ = read_model(str(tmp_path / "model.json"))
    assert set(again.companions) == {"target_lm"}
    assert str(file) not in (tmp_path / "model.json").read_text()
    own = estimate(again, segments.sources, segments.outputs, companions=beside)
    assert np.isfinite(own.scores).all()


def test_a_missing_file_is_named():
    with pytest.raises(DataError, match=r"nowhere\.arpa"):
        _ = Companions(source_lm="nowhere.arpa").identities


def test_similarity_is_the_cosine_of_mean_vectors(monkeypatch):
    vectors = {"a": [[1.0, 0.0], [1.0, 0.0]], "b": [[0.0, 2.0]], "c": [[1.0, 0.0], [0.0, 1.0]], "": []}
    known = {
        text: SimpleNamespace(vectors=np.array(rows, np.float32).reshape(-1, 2))
        for text, rows in vectors.items()
    }
    fake = SimpleNamespace(encode=lambda texts, doing: known)
    monkeypatch.setattr(companions, "Encoder", lambda model: fake)
    values = similarities("encoder", ["a", "a", "a", "a"], ["a", "b", "c", ""])
    assert values == pytest.approx([1, 0, 0.5**0.5, 0])
