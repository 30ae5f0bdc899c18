"""Word vectors: what files hold, the compiled form, and every way a file can be broken."""

import gzip
import os
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from adjudge import workspace
from adjudge.errors import DataError
from adjudge.text import vectors
from adjudge.text.vectors import load

TEXT = "3 2\ncat 1 0.5\ndog -1 2e-3\nä 0 0\n"
EXPECTED = {"cat": [1, 0.5], "dog": [-1, 2e-3], "ä": [0, 0]}


def binary(values, newline=b"\n"):
    data = f"{len(values)} {len(next(iter(values.values())))}\n".encode()
    for word, vector in values.items():
        data += word.encode() + b" " + np.array(vector, "<f4").tobytes() + newline
    return data


FORMS = {
    "word2vec text": TEXT.encode(),
    "GloVe": TEXT.partition("\n")[2].encode(),
    "fastText .vec": TEXT.replace("\n", " \n").encode(),
    "Windows": TEXT.replace("\n", "\r\n").encode(),
    "no last line end": TEXT.rstrip().encode(),
    "tabs": TEXT.replace(" ", "\t").encode(),
    "gzip": gzip.compress(TEXT.encode(), mtime=0),
    "word2vec binary": binary(EXPECTED),
    "binary without line ends": binary(EXPECTED, b""),
    "binary, gzip": gzip.compress(binary(EXPECTED), mtime=0),
}


@pytest.mark.parametrize("form", FORMS)
def test_every_form_holds_the_same(save, tmp_path, form):
    loaded = load(save(FORMS[form]), tmp_path / "cache")
    assert (len(loaded), loaded.dimension) == (3, 2)
    known = loaded.of(["dog", "horse", "cat", "ä", "Cat", ""])
    assert list(known) == ["dog", "cat", "ä"]
    for word, vector in known.items():
        np.testing.assert_array_equal(vector, np.array(EXPECTED[word], np.float32))
    assert loaded.rows(["ä", "horse"]).tolist() == [2, -1]


def test_words_may_have_spaces_and_the_first_of_equals_counts(save, tmp_path):
    loaded = load(save(b"a 1 1\n. . . 2 2\na 3 3\n"), tmp_path / "cache")
    assert len(loaded) == 2
    assert loaded.of([". . ."])[". . ."].tolist() == [2, 2]
    assert loaded.of(["a"])["a"].tolist() == [1, 1]


def test_a_file_is_compiled_once_and_then_mapped(save, tmp_path, monkeypatch):
    path, cache = save(TEXT.encode()), tmp_path / "cache"
    first = load(path, cache)
    (kept,) = (cache / "vectors").iterdir()
    vectors._open.clear()
    monkeypatch.setattr(vectors.vector_files, "read", lambda *_: pytest.fail("read again"))
    again = load(path, cache)
    assert again.signature == first.signature
    assert again.rows(["dog"]).tolist() == [1]
    assert not again.vectors.flags.owndata  # it lies in the file
    vectors._open.clear()
    monkeypatch.undo()
    kept.write_bytes(kept.read_bytes()[:-1])  # cut off: made anew
    assert load(path, cache).rows(["dog"]).tolist() == [1]


def test_where_nothing_can_be_kept_vectors_stay_in_memory(save, tmp_path):
    (tmp_path / "cache").write_text("a file in the way")
    with workspace.use(workspace.Workspace()) as here:
        loaded = load(save(FORMS["GloVe"]), tmp_path / "cache")
    assert loaded.rows(["dog"]).tolist() == [1]
    assert "cannot be kept in" in here.notes[0]


def test_another_file_of_the_same_name_is_read(save, tmp_path):
    path = save(TEXT.encode())
    before = load(path, tmp_path / "cache")
    os.utime(path, ns=(1, 1))
    Path(path).write_bytes(TEXT.replace("0.5", "0.25").encode())
    after = load(path, tmp_path / "cache")
    assert after.of(["cat"])["cat"].tolist() == [1, 0.25]
    assert after.signature != before.signature


@given(
    st.dictionaries(
        st.text(st.characters(exclude_categories=("C", "Z")), min_size=1, max_size=6),
        st.floats(-9, 9, width=32),
        min_size=1,
        max_size=30,
    )
)
def test_every_word_is_found_again(values):
    content = ((word.encode(), np.array([value, 1], np.float32)) for word, value in values.items())
    from io import BytesIO

    memory = BytesIO()
    vectors._write(memory, content, b"\0" * 32)
    loaded = vectors._opened(memoryview(memory.getvalue()), b"\0" * 32)
    assert loaded.rows(list(values)).tolist() == list(range(len(values)))
    assert {word: float(vector[0]) for word, vector in loaded.of(list(values)).items()} == pytest.approx(
        values
    )


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "is empty: no word vectors in it"),
        (b"\n\n", "is empty: no word vectors in it"),
        (b"3 2\ncat 1 0.5\ndog 1\na 0 0\n", "line 3: 1 number, but 2 were expected"),
        (b"cat 1 0.5\ndog 1\n", "line 2: 1 number, but 2 were expected, as in the lines before"),
        (b"cat 1 0.5\ndog 1 x\n", "line 2: 'x' is no number; a word and 2 numbers were expected"),
        (b"cat 1 0.5\n\ndog 1 2\n", "line 2: empty"),
        (b"cat 1 nan\n", "line 1: a number that is not finite"),
        (b"cat\n", "line 1: a word and its numbers were expected"),
        (b"4 2\ncat 1 2\n", "has 1 vectors, but its first line says 4; it is cut off"),
        (binary(EXPECTED)[:-5], "ends in vector 3, or is damaged there, but its first line says 3"),
        (binary(EXPECTED) + b"more", "goes on after the 3 vectors"),
        (binary({"cat": [float("nan"), 1]}), "vector 1: a number that is not finite"),
        (gzip.compress(TEXT.encode(), mtime=0)[:-9], "is cut short"),
    ],
)
def test_a_broken_file_is_named_and_nothing_kept(save, tmp_path, data, message):
    with pytest.raises(DataError, match=f"words.vec.*{message}"):
        load(save(data), tmp_path / "cache")
    assert not list((tmp_path / "cache").rglob("*.*"))


def test_no_file_at_all(tmp_path):
    with pytest.raises(DataError, match="no such file; word vectors were expected"):
        load(str(tmp_path / "missing.vec"))
    with pytest.raises(DataError, match="is a folder"):
        load(str(tmp_path))


def test_real_vectors(shared):
    loaded = load(str(shared.root / "golden/kelp/glove50.lct300.vec"))
    assert (len(loaded), loaded.dimension) == (1088, 50)
    assert loaded.of(["!"])["!"][:3] == pytest.approx([-0.58402, 0.39031, 0.65282])
