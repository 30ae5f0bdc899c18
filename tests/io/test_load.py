"""The door of the commands: arguments, names, roles, lengths."""

import gzip
import hashlib
import io

import pytest

from adjudge.errors import DataError, UsageError
from adjudge.evaluate import score
from adjudge.io import Input, load, read


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    def write(**named):
        for name, text in named.items():
            put(name.replace("__", "."), text)

    def put(name, text):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text if isinstance(text, bytes) else text.encode())

    write.put = put
    return write


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
