"""The files of one call: of the same segments in the same order, and standard input once."""

import gzip
import hashlib
import io

import pytest

from adjudge.errors import DataError, UsageError
from adjudge.io import Input, load


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
