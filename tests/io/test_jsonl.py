"""JSON lines: what is written is read, as other tools have them, and what is wrong is named."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adjudge.errors import DataError
from adjudge.io import load, read
from helpers.tables import written

text = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"))


@given(
    st.lists(st.tuples(text, text, st.lists(text, min_size=1, max_size=4), st.integers()), min_size=1),
    st.booleans(),
)
def test_jsonl_what_is_written_is_read(tmp_path_factory, rows, ascii_only):
    content = "".join(
        json.dumps({"src": s, "mt": m, "refs": r, "year": y}, ensure_ascii=ascii_only) + "\n"
        for s, m, r, y in rows
    )
    path = written(tmp_path_factory.mktemp("jsonl"), content, "system.jsonl")
    table = read(path)
    assert table.source == tuple(row[0] for row in rows)
    assert table.outputs == {"system": tuple(row[1] for row in rows)}
    assert table.labels == {"year": tuple(str(row[3]) for row in rows)}
    references = [
        [column[at] for column in table.references.values() if column[at] is not None]
        for at in range(len(rows))
    ]
    assert references == [row[2] for row in rows]
    loaded = load(test_set=path)
    assert loaded.test_set.references == tuple(table.references.values())
    assert loaded.outputs[0].segments == table.outputs["system"]


def test_jsonl_as_comet_has_it(tmp_path):
    lines = [
        {
            "src": "s1",
            "mt": "m1",
            "ref": "r1",
            "doc": "d",
            "score": 0.5,
            "ok": True,
            "none": None,
            "spans": [1],
        },
        {"src": "s2", "mt": "m2", "ref": "", "doc": "e", "score": 1, "ok": False, "none": "x", "spans": [{}]},
    ]
    table = read(written(tmp_path, "\n".join(map(json.dumps, lines)), "Online-A.jsonl"))
    assert table.source == ("s1", "s2")
    assert table.outputs == {"Online-A": ("m1", "m2")}
    assert table.references == {"ref": ("r1", "")}
    assert table.labels == {
        "document": ("d", "e"),
        "score": ("0.5", "1"),
        "ok": ("true", "false"),
        "none": ("", "x"),
    }


@pytest.mark.parametrize(
    ("source", "output", "reference"),
    [("source", "hypothesis", "reference"), ("src", "hyp", "ref"), ("source", "target", "refA")],
)
def test_jsonl_synonyms(tmp_path, source, output, reference):
    path = written(tmp_path, json.dumps({source: "s", output: "m", reference: "r"}), "x.json")
    loaded = load(test_set=path)
    assert loaded.test_set.sources == ("s",)
    assert loaded.test_set.references == (("r",),)
    assert loaded.outputs[0].segments == ("m",)
    assert load(references=[f"{path}:{output}"]).test_set.references == (("m",),)


def test_jsonl_references_that_differ_in_number(tmp_path):
    lines = [{"refs": ["a", "b"]}, {"refs": [None, "c"]}, {"refs": ["d"], "x": 1}]
    lines[0]["x"] = lines[1]["x"] = 0
    loaded = load(test_set=written(tmp_path, "\n".join(map(json.dumps, lines)), "x.jsonl"))
    assert loaded.test_set.references == (("a", None, "d"), ("b", "c", None))
    assert loaded.test_set.reference_count() is None
    # some lines have one reference of their own and more in a list
    lines = [{"ref": "a"}, {"ref": None, "refs": ["b"]}]
    loaded = load(test_set=written(tmp_path, "\n".join(map(json.dumps, lines)), "x.jsonl"))
    assert loaded.test_set.references == (("a", None), (None, "b"))
    for missing in ({}, {"refs": None}, {"refs": []}):
        path = written(tmp_path, json.dumps({"refs": ["a"]}) + "\n" + json.dumps(missing), "x.jsonl")
        with pytest.raises(DataError, match=r"x\.jsonl: segment 2 has no reference at all"):
            load(test_set=path)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ('{"mt": "a", "ref": "b"}\n{"ref": "b"}\n', r"x\.jsonl, line 2 has no 'mt', but line 1 has"),
        ('{"ref": "b"}\n{"ref": "b", "docid": 1}\n', r"x\.jsonl, line 1 has no 'docid', but line 2 has"),
        ('{"mt": "a"}\n\n', r"x\.jsonl, line 2 is empty; one JSON object a line"),
        ('{"mt": "a"}\n{"mt": \n', r"x\.jsonl, line 2: not JSON"),
        ('[{"mt": "a"}]\n', r"line 1: a list, but one JSON object a line was expected"),
        ('"a"\n', r"line 1: a text, but one JSON object"),
        ('{"mt": "a", "mt": "b"}\n', r"line 1: not JSON: key 'mt' is there twice"),
        ('{"mt": 3}\n', r"line 1: 'mt' is a whole number; a text was expected"),
        ('{"mt": null}\n', r"line 1: 'mt' is null; a text was expected"),
        ('{"ref": ["a"]}\n', r"line 1: 'ref' is a list; .* several references are a list under 'refs'"),
        ('{"refs": "a"}\n', r"line 1: 'refs' must be a list of texts"),
        ('{"refs": [1]}\n', r"line 1: 'refs' must be a list of texts"),
        ('{"refs": ["a"], "ref1": "b"}\n', r"has 'ref1' and 'refs'"),
        ('{"mt": "a"}\n{"mt": "\\ud800"}\n', r"line 2: an unpaired surrogate in 'mt'"),
        ('{"refs": ["\\udc00\\ud800"]}\n', r"line 1: an unpaired surrogate in 'refs'"),
        ('{"\\ud800": "a"}\n', r"line 1: an unpaired surrogate in '\\ud800'"),
        ('{"mt": "a\\u0000"}\n', r"line 1: a NUL character in 'mt'"),
        ("[" * 100_000 + "\n", r"line 1: JSON nested too deeply"),
        ('{"a": ' + "9" * 5000 + "}\n", r"line 1: not JSON"),
        ("", r"x\.jsonl is empty"),
        (b'{"mt": "\xe4"}\n', r"x\.jsonl, line 1, byte 9: not UTF-8 \(0xe4\)"),
    ],
)
def test_jsonl_faults(tmp_path, content, message):
    with pytest.raises(DataError, match=message):
        load(test_set=written(tmp_path, content, "x.jsonl"))


def test_jsonl_surrogate_pairs_are_characters(tmp_path):
    assert read(written(tmp_path, '{"mt": "\\ud83d\\ude00"}', "x.jsonl")).outputs == {"x": ("\U0001f600",)}
