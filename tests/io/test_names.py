"""Arguments that name files, systems and runs."""

import gzip
import hashlib

import pytest

from adjudge.errors import DataError, UsageError
from adjudge.io import Input, load
from adjudge.io.names import looks_like_reference


def test_names_and_runs(here):
    here(ref__en="a\n")
    for name in ("out/A.en", "out/B.run2.en", "out/B-run3.en.gz", "out/C.opt1", "out/D.x.y", "out/E"):
        data = b"b\n"
        if name.endswith(".gz"):
            data = gzip.compress(data)
        here.put(name, data)
    loaded = load(systems=["out/*", "F=out/A.en", "G.run7=out/A.en"], references=["ref.en"])
    assert [(o.system, o.run) for o in loaded.outputs] == [
        ("A", ""),
        ("B", "3"),
        ("B", "2"),
        ("C", "1"),
        ("D.x", ""),
        ("E", ""),
        ("F", ""),
        ("G", "7"),
    ]
    assert loaded.inputs.count(Input("system", "out/A.en", hashlib.sha256(b"b\n").hexdigest())) == 1


def test_equal_names_are_told_apart_by_folder_or_refused(here):
    here(ref__en="a\n")
    here.put("one/out.en", "b\n")
    here.put("two/out.en", "c\n")
    loaded = load(systems=["one/out.en", "two/out.en"], references=["ref.en"])
    assert [(o.system, o.segments) for o in loaded.outputs] == [("one/out", ("b",)), ("two/out", ("c",))]
    with pytest.raises(UsageError, match=r"2 outputs are called 'one/x'; name them apart: NAME=FILE"):
        load(systems=["x=one/out.en", "x=one/../one/out.en"], references=["ref.en"])
    with pytest.raises(UsageError, match=r"one/out.en is given 2 times as a system"):
        load(systems=["one/out.en", "one/out.en"], references=["ref.en"])
    assert len(load(systems=["x=one/out.en", "y=one/out.en"], references=["ref.en"]).outputs) == 2


def test_a_path_that_exists_wins_over_every_reading_of_it(here):
    here.put("a=b:c[1]*.txt", "x\n")
    here(ref__en="y\n")
    loaded = load(systems=["a=b:c[1]*.txt"], references=["ref.en"])
    assert loaded.outputs[0].system == "a=b:c[1]*"


def test_patterns(here):
    here(ref__en="a\n", x1__en="b\n", x2__en="c\n")
    assert [o.system for o in load(systems=["x?.en"], references=["ref.en"]).outputs] == ["x1", "x2"]
    with pytest.raises(DataError, match=r"no file matches y\*"):
        load(systems=["y*"], references=["ref.en"])
    with pytest.raises(UsageError, match="one name for 2 files"):
        load(systems=["N=x*.en"], references=["ref.en"])
    with pytest.raises(UsageError, match="one test set"):
        load(test_set="x*.en")


def test_a_file_with_an_equals_sign_in_its_name(here):
    here(ref__en="a\n")
    here.put("lr=0.1", "b\n")
    here.put("lr=0.1.tsv", "x\ty\nb\tc\n")
    loaded = load(systems=["lr=0.1", "lr=0.1.tsv:y", "mine=lr=0.1.tsv:x"], references=["ref.en"])
    assert [(o.system, o.segments) for o in loaded.outputs] == [
        ("lr=0.1", ("b",)),
        ("y", ("c",)),
        ("mine", ("b",)),
    ]
    here.put("lr=0.2", "c\n")
    assert [o.system for o in load(systems=["lr=*[12]"], references=["ref.en"]).outputs] == [
        "lr=0.1",
        "lr=0.2",
    ]
    here.put("0.1", "d\n")
    with pytest.raises(UsageError, match=r"write \./lr=0\.1 for the first, lr=\./0\.1 for the second"):
        load(systems=["lr=0.1"], references=["ref.en"])
    assert load(systems=["./lr=0.1"], references=["ref.en"]).outputs[0].segments == ("b",)
    (output,) = load(systems=["lr=./0.1"], references=["ref.en"]).outputs
    assert (output.system, output.segments) == ("lr", ("d",))


@pytest.mark.parametrize(
    ("system", "reference"),
    [
        ("ref.B.en", "ref.A.en"),
        ("refs/refB.txt", "refs/refA.txt"),
        ("ref2.en", "ref1.en"),
        ("ref1", "ref0"),
        ("reference.en1", "reference.en0"),
        ("reference-2.de.gz", "reference-1.de.gz"),
        ("en-de.refB.txt", "en-de.refA.txt"),
        ("newstest2019-deen-ref.B.en.sgm", "newstest2019-deen-ref.en.sgm"),
        ("Reference_b.en", "human.en"),
        ("human-refB.en", "test.en"),
        ("data/gold.2.en", "data/gold.1.en"),
        ("set.b.en", "set.a.en"),
    ],
)
def test_names_of_references(system, reference):
    assert looks_like_reference(system, [reference])


@pytest.mark.parametrize(
    "system",
    [
        "preference-tuned.en",
        "reformer.en",
        "reference-free-mbr.en",
        "ref-free.en",
        "noref-mbr.en",
        "refined.en",
        "refactored.v2.en",
        "referee.en",
        "crossref.en",
        "online-B.en",
        "hyp/gold.2.en",
        "gold.mt.en",
        "gold.en",
        "2.en",
        "gold.2024.en",
        "gold.1.2.en",
        "gpt-4-with-reference-terms.en",
    ],
)
def test_names_of_systems(system):
    for reference in ("ref.A.en", "reference.en", "gold.1.en", "1.en", "newstest2019-ref.en"):
        assert not looks_like_reference(system, [reference])
