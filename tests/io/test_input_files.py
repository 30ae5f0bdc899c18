"""The files of one call: of the same segments in the same order, and standard input once."""

import gzip
import hashlib
import io

import pytest

from adjudge.errors import DataError, UsageError
from adjudge.io import Input, load
from helpers.cell_files import written


@pytest.mark.parametrize("role", ["system", "source", "reference", "labels"])
def test_different_lengths_name_both_files_and_both_counts(here, role):
    here(ref__en="a\nb\n", short__en="a\n", labels__tsv="document\nx\n")
    options = {
        "system": {"systems": ["short.en"]},
        "source": {"source": "short.en"},
        "reference": {"references": ["ref.en", "short.en"]},
        "labels": {"labels": "labels.tsv"},
    }[role]
    other = "labels.tsv" if role == "labels" else "short.en"
    with pytest.raises(DataError, match=rf"^ref\.en has 2 segments, but {other} has 1; "):
        load(**{"references": ["ref.en"], **options})


def test_standard_input_once(here):
    here(ref__en="a\n", set__jsonl='{"ref": "a"}\n')
    loaded = load(systems=["-"], references=["ref.en"], stdin=io.BytesIO(b"b\n"))
    assert (loaded.outputs[0].system, loaded.outputs[0].segments) == ("stdin", ("b",))
    assert loaded.inputs[-1] == Input("system", "-", hashlib.sha256(b"b\n").hexdigest())
    packed = io.BytesIO(gzip.compress(b"b\n"))
    assert load(systems=["N=-"], references=["ref.en"], stdin=packed).outputs[0].segments == ("b",)
    lines = io.BytesIO(b'{"mt": "b"}\n')
    assert (
        load(systems=["-:mt"], references=["set.jsonl"], stdin=lines, input_format="jsonl").outputs[0].run
        == ""
    )
    with pytest.raises(UsageError, match="standard input"):
        load(systems=["-"], references=["ref.en"])
    with pytest.raises(UsageError, match="once only"):
        load(systems=["-", "-"], references=["ref.en"], stdin=io.BytesIO(b"b\n"))
    with pytest.raises(UsageError, match="once only"):
        load(systems=["-"], references=["-"], stdin=io.BytesIO(b"b\n"))
    with pytest.raises(DataError, match="standard input is empty"):
        load(systems=["-"], references=["ref.en"], stdin=io.BytesIO(b""))


def test_the_same_sources_in_another_order_are_refused(here):
    here(
        a__tsv="src\tref\n1\ta\n2\tb\n3\tc\n",
        b__tsv="src\tmt\n1\ta\n3\tc\n2\tb\n",
        c__tsv="src\tmt\n1\t\n2.\t\n3\t\n",
    )
    with pytest.raises(
        DataError, match=r"a\.tsv and b\.tsv have the same sources in another order, from segment 2 on"
    ):
        load(test_set="a.tsv", systems=["b.tsv"])
    assert len(load(test_set="a.tsv", systems=["c.tsv"]).outputs) == 1


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
