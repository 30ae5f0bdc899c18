"""Columns by their names: those that are there, and a text held against itself."""

import pytest

from adjudge.errors import UsageError
from adjudge.io import load
from helpers.cell_files import written


def test_a_text_held_against_itself_is_refused(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    written(tmp_path, "x.tsv", "ref\tnote\na\tb\n")
    written(tmp_path, "ref.en", "a\n")
    for system in ("x.tsv", "ref.en", "copy=ref.en"):
        with pytest.raises(UsageError, match="is taken for the reference and for a system's output at once"):
            load(references=[system.removeprefix("copy=")], systems=[system])
    assert load(references=["x.tsv:ref"], systems=["x.tsv:note"]).outputs[0].segments == ("b",)


def test_columns_that_are_there_and_names_that_are_known(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    written(tmp_path, "x.csv", "english,german,id\na,b,1\n")
    with pytest.raises(
        UsageError, match=r"holds no reference, but english, german, id; .* ref, refA, reference"
    ):
        load(references=["x.csv"], systems=["x.csv"])
    with pytest.raises(UsageError, match=r"holds no system, but english, german, id; .* mt, hyp, hypothesis"):
        load(references=["x.csv:english"], systems=["x.csv"])
