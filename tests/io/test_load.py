"""The door of the commands: arguments, names, roles, lengths."""

import hashlib

import pytest

from adjudge.comparison import score
from adjudge.errors import UsageError
from adjudge.io import load, read


def test_the_examples(examples):
    loaded = load(
        systems=[f"{examples}/systems/*.en"],
        references=[f"{examples}/reference.en", f"{examples}/reference-b.en"],
        source=f"{examples}/source.pt",
        labels=f"{examples}/labels.tsv",
        language="pt-en",
    )
    test_set = loaded.test_set
    assert len(test_set) == len(test_set.sources) >= 150
    assert test_set.reference_count() == 2
    assert sorted(test_set.labels) == ["document", "domain", "origin"]
    assert (test_set.name, test_set.language) == ("reference", "pt-en")
    assert [(o.system, o.run) for o in loaded.outputs[:3]] == [("experiment", n) for n in "123"]
    roles = [i.role for i in loaded.inputs]
    assert roles == ["reference", "reference", "source", "labels"] + ["system"] * 7
    for each in loaded.inputs:
        with open(each.path, "rb") as file:
            assert each.sha256 == hashlib.sha256(file.read()).hexdigest()


def test_columns_of_files_with_columns(here):
    here(set__tsv="src\tref\trefB\tmt.X\tmt.Y\tdocid\tnote\ns\ta\tb\tx\ty\td\tn\n")
    loaded = load(test_set="set.tsv")
    assert loaded.test_set.references == (("a",), ("b",))
    assert loaded.test_set.sources == ("s",)
    assert dict(loaded.test_set.labels) == {"document": ("d",), "note": ("n",)}
    assert [(o.system, o.segments) for o in loaded.outputs] == [("X", ("x",)), ("Y", ("y",))]
    assert [i.role for i in loaded.inputs] == ["test_set"]
    loaded = load(
        references=["set.tsv:refB"],
        source="set.tsv:note",
        systems=["set.tsv:mt.Y", "Z=set.tsv:Y", "set.tsv:src"],
    )
    assert loaded.test_set.references == (("b",),)
    assert loaded.test_set.sources == ("n",)
    assert [(o.system, o.segments) for o in loaded.outputs] == [("Y", ("y",)), ("Z", ("y",)), ("src", ("s",))]
    with pytest.raises(
        UsageError, match=r"unknown column 'refb2'; did you mean 'refB'\?|unknown column 'refb2'"
    ):
        load(references=["set.tsv:refb2"])
    with pytest.raises(UsageError, match="names 2 outputs at once"):
        load(references=["set.tsv:ref"], systems=["N=set.tsv"])
    here(no__tsv="document\tdomain\nd\tn\n")
    with pytest.raises(
        UsageError, match=r"no\.tsv holds no reference, but document, domain; say which one is meant"
    ):
        load(references=["no.tsv"])


def test_what_is_given_apart_replaces_the_test_sets_own(here):
    here(
        set__tsv="src\tref\tmt\tdocument\ns\ta\tx\td\n",
        own__txt="o\n",
        sys__txt="o\n",
        docs__tsv="document\te\n1\t2\n",
    )
    loaded = load(
        test_set="set.tsv", references=["own.txt"], source="own.txt", systems=["sys.txt"], labels="docs.tsv"
    )
    assert loaded.test_set.references == (("o",),)
    assert loaded.test_set.sources == ("o",)
    assert [o.segments for o in loaded.outputs] == [("o",)]
    assert dict(loaded.test_set.labels) == {"document": ("1",), "e": ("2",)}
    assert loaded.test_set.name == "set"


def test_labels_of_plain_files(here):
    here(ref__en="a\nb\n", labels__txt="docid\tspeaker\nx\t1\ny\t2\n")
    loaded = load(references=["ref.en"], labels="labels.txt")
    assert dict(loaded.test_set.labels) == {"document": ("x", "y"), "speaker": ("1", "2")}
    loaded = load(references=["ref.en"], labels="labels.txt", input_format="text")
    assert sorted(loaded.test_set.labels) == ["document", "speaker"]
    here(labels__jsonl='{"doc": 1, "x": "y"}\n{"doc": 2, "x": "z"}\n')
    loaded = load(references=["ref.en"], labels="labels.jsonl", input_format="text")
    assert dict(loaded.test_set.labels) == {"document": ("1", "2"), "x": ("y", "z")}
    assert dict(load(references=["ref.en"], labels="labels.txt:speaker").test_set.labels) == {
        "speaker": ("1", "2")
    }


def test_segments_of_white_space_are_scored_and_counted(here):
    here(ref__en="a b\n \t\nc d\n", out__en="a b\nx\n\n")
    loaded = load(references=["ref.en"], systems=["out.en"])
    assert loaded.test_set.references == (("a b", " \t", "c d"),)
    warnings = score(loaded.test_set, loaded.outputs, ["bleu"]).warnings
    assert any("out: 1 of 3" in warning for warning in warnings)
    assert any("reference 1: 1 of 3" in warning for warning in warnings)


def test_questions_that_make_no_sense(here):
    here(ref__en="a\n", x__csv="a\n")
    with pytest.raises(UsageError, match="nothing to compare with"):
        load(systems=["ref.en"])
    with pytest.raises(UsageError, match="unknown input format 'tvs'; did you mean 'tsv'"):
        load(references=["ref.en"], input_format="tvs")
    with pytest.raises(UsageError, match="unknown input format"):
        read("ref.en", format="doc")
    assert load(references=["x.csv"], input_format="text").test_set.references == (("a",),)


@pytest.mark.parametrize("systems", [["x.en", "x.run1.en"], ["x.run2.en", "x.run1.en", "x.en"], ["x*.en"]])
def test_a_system_beside_its_own_runs_is_refused(here, systems):
    here(ref__en="a\n", x__en="b\n", x__run1__en="c\n", x__run2__en="d\n")
    with pytest.raises(
        UsageError, match=r"x\.en is called x, and x\.run\d\.en is run \d of x: one more run of it or"
    ):
        load(systems=systems, references=["ref.en"])
    told = load(systems=["x.run0=x.en", "x.run1.en"], references=["ref.en"])
    assert [output.title for output in told.outputs] == ["x (run 0)", "x (run 1)"]
    told = load(systems=["other=x.en", "x.run1.en"], references=["ref.en"])
    assert [output.title for output in told.outputs] == ["other", "x (run 1)"]
