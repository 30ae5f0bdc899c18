"""fastText's binary models: vectors of words and of what is no word of theirs, and every way a file can be broken."""

import gzip
import json
import os
import subprocess
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.oracles.fasttext_model import FastTextModel

import adjudge
from adjudge.data import Outputs, TestSet
from adjudge.errors import DataError
from adjudge.text import fasttext_models, vectors
from adjudge.text.vectors import load

PROJECT = Path(__file__).resolve().parent.parent.parent
PYTHON = Path(os.environ.get("ADJUDGE_NEURAL_PYTHON", PROJECT / ".venv-neural" / "bin" / "python"))
WORDS = ("</s>", "cat", "dog", "häuser", "名前")


def model(words=WORDS, buckets=11, dimension=3, rows=None, **options) -> FastTextModel:
    size = len(words) + buckets if rows is None else rows
    matrix = np.random.default_rng(7).normal(size=(size, dimension)).astype(np.float32)
    return FastTextModel(words, matrix, buckets, **options)


@pytest.mark.parametrize("word", ["cat", "cats", "häuser", "hä", "名前", "名", "</s>", "x"])
def test_a_vector_is_the_mean_of_a_words_row_and_its_n_grams(save, tmp_path, word):
    twin = model()
    loaded = load(save(twin.file()), tmp_path / "cache")
    assert (len(loaded), loaded.dimension) == (len(WORDS), 3)
    np.testing.assert_allclose(loaded[word], twin.vector(word), rtol=1e-6)
    assert word in loaded


@pytest.mark.parametrize(("piece", "value"), [("a", 0xE40C292C), ("foobar", 0xBF9CF968)])
def test_the_hash_of_plain_letters_is_that_of_its_authors(piece, value):
    assert FastTextModel.hash(piece) == fasttext_models._hash(piece.encode()) == value


def test_the_matrix_stays_in_the_file(save, tmp_path):
    loaded = load(save(model().file()), tmp_path / "cache")
    assert not loaded.matrix.flags.owndata
    (kept,) = (tmp_path / "cache" / "vectors").iterdir()
    assert kept.stat().st_size < 400  # words and their places, no vectors
    vectors._open.clear()
    np.testing.assert_array_equal(load(save(model().file()), tmp_path / "cache")["dog"], loaded["dog"])


def test_labels_are_no_words(save, tmp_path):
    twin = model(labels=("__label__a", "__label__b"), kind=3)
    loaded = load(save(twin.file()), tmp_path / "cache")
    assert len(loaded) == len(WORDS)
    np.testing.assert_allclose(loaded["dog"], twin.vector("dog"), rtol=1e-6)
    np.testing.assert_allclose(loaded["__label__a"], twin.vector("__label__a"), rtol=1e-6)


@pytest.mark.parametrize("options", [{"longest": 0}, {"buckets": 0}, {"version": 11, "kind": 3}])
def test_without_n_grams_only_words_have_vectors(save, tmp_path, options):
    twin = model(**options)
    loaded = load(save(twin.file()), tmp_path / "cache")
    np.testing.assert_array_equal(loaded["dog"], twin.matrix[2])
    assert "cats" not in loaded
    assert list(loaded.of(["cats", "cat"])) == ["cat"]
    with pytest.raises(KeyError):
        loaded["cats"]


@given(
    words=st.lists(st.text("abäß名<>/s", min_size=1, max_size=5), min_size=1, max_size=8, unique=True),
    asked=st.lists(st.text("abäß名<>/s", max_size=7), max_size=8),
    buckets=st.integers(0, 40),
    lengths=st.tuples(st.integers(0, 4), st.integers(0, 6)),
)
def test_equal_to_the_slow_twin(tmp_path_factory, words, asked, buckets, lengths):
    twin = model(words, buckets, 2, shortest=lengths[0], longest=lengths[1])
    folder = tmp_path_factory.mktemp("model")
    (folder / "model.bin").write_bytes(twin.file())
    loaded = load(str(folder / "model.bin"), folder / "cache")
    for word in (*words, *asked):
        expected = twin.vector(word)
        assert (word in loaded) == (expected is not None)
        if expected is not None:
            np.testing.assert_allclose(loaded[word], expected, rtol=1e-5, atol=1e-6)


BROKEN = {
    "quantised": (
        model(quantised=True).file(),
        "is a quantised model of fastText.*take the one it was made from",
    ),
    "pruned": (model(pruned=2).file(), "is a quantised model of fastText"),
    "too new": (model(version=13).file(), "in version 13; those of 11 and 12 can be read"),
    "header cut off": (model().file()[:40], "cut off or damaged"),
    "words cut off": (model().file()[:110], "cut off or damaged"),
    "matrix cut off": (model().file()[:-60], "cut off or damaged"),
    "rows too few": (model(rows=9).file(), "cut off or damaged"),
    "a word twice": (model(("a", "b", "a")).file(), "has 'a' twice"),
    "gzip": (gzip.compress(model().file(), mtime=0), "a compressed model of fastText.*gunzip it first"),
}


@pytest.mark.parametrize("way", BROKEN)
def test_a_broken_model_is_named_and_nothing_kept(save, tmp_path, way):
    data, message = BROKEN[way]
    with pytest.raises(DataError, match=f"words.vec.*{message}"):
        load(save(data), tmp_path / "cache")
    assert not list((tmp_path / "cache").rglob("*.*"))


def test_a_vector_that_is_not_finite_is_said_when_it_is_asked_for(save, tmp_path):
    twin = model()
    twin.matrix[2] = np.nan
    loaded = load(save(twin.file()), tmp_path / "cache")
    assert np.isfinite(loaded["cat"]).all()
    with pytest.raises(DataError, match="the vector of 'dog' is not finite"):
        loaded["dog"]


def test_meant_takes_such_vectors(save):
    spec = f"meant(vectors={save(model().file())})"
    scores = adjudge.score(TestSet(references=(["a cat"],)), [Outputs("x", ["a cats"])], spec)
    without = adjudge.score(TestSet(references=(["a cat"],)), [Outputs("x", ["a cats"])], "meant")
    assert scores.results[0].score > without.results[0].score


ASK = """
import json, sys
import fasttext
text, file, *options = sys.argv[1:]
settings = dict(minCount=1, dim=8, bucket=500, epoch=1, thread=1, verbose=0) | json.loads(options[0])
known = fasttext.train_unsupervised(text, **settings)
known.save_model(file)
json.dump({word: known.get_word_vector(word).tolist() for word in json.loads(options[1])}, sys.stdout)
"""


@pytest.mark.oracle
@pytest.mark.parametrize("options", [{}, {"minn": 1, "maxn": 3, "model": "cbow"}, {"maxn": 0}])
def test_equal_to_fasttext_itself(tmp_path, options):
    if (
        not PYTHON.is_file()
        or subprocess.run([PYTHON, "-c", "import fasttext"], capture_output=True).returncode
    ):
        pytest.skip(f"no fasttext in {PYTHON}: scripts/make-neural-venv makes it")
    (tmp_path / "text").write_text(
        "the cat sat on the mat\nhäuser und straßen\n名前 は 何\n" * 20, encoding="utf-8"
    )
    words = ["the", "cat", "cats", "häuser", "haus", "名前", "名", "</s>", "unbelievable", "ß", "a"]
    command = [
        PYTHON,
        "-c",
        ASK,
        tmp_path / "text",
        tmp_path / "model.bin",
        json.dumps(options),
        json.dumps(words),
    ]
    ended = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert ended.returncode == 0, ended.stderr[-2000:]
    loaded = load(str(tmp_path / "model.bin"), tmp_path / "cache")
    for word, expected in json.loads(ended.stdout).items():
        vector = loaded[word] if word in loaded else np.zeros(8)
        np.testing.assert_allclose(vector, expected, rtol=1e-5, atol=1e-8, err_msg=word)
