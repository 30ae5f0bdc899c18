"""Files with named columns: TSV and JSON lines."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adjudge.errors import DataError
from adjudge.io import load, read

text = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"))
cell = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0\t\n\r"))


def written(tmp_path, content, name):
    path = tmp_path / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return str(path)


@given(st.lists(st.tuples(cell, cell, cell, cell), min_size=1), st.booleans())
def test_tsv_what_is_written_is_read(tmp_path_factory, rows, crlf):
    ending = "\r\n" if crlf else "\n"
    content = ending.join(["source\tmt\treference\tspeaker", *("\t".join(row) for row in rows), ""])
    table = read(written(tmp_path_factory.mktemp("tsv"), content, "system.tsv"))
    source, output, reference, speaker = zip(*rows, strict=True)
    assert table.source == source
    assert table.outputs == {"system": output}
    assert table.references == {"reference": reference}
    assert table.labels == {"speaker": speaker}


def test_tsv_quotes_are_characters(tmp_path):
    table = read(written(tmp_path, 'ref\tmt\n"a\tb"\n""\t\'\n', "x.tsv"))
    assert table.references["ref"] == ('"a', '""')
    assert table.outputs["x"] == ('b"', "'")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("ref\tmt\na\tb\na\tb\tc\n", r"x\.tsv, line 3: 3 columns, but the header names 2 \(ref, mt\)"),
        ("ref\tmt\n\n", r"x\.tsv, line 2: 1 columns, but the header names 2"),
        ("ref\tref\na\tb\n", r"line 1: two columns are called 'ref'"),
        ("ref\t\na\tb\n", r"line 1: column 2 has no name"),
        ("ref\tmt\n", r"has a header line, but no segment"),
        ("", r"x\.tsv is empty"),
        ("src\tsource\na\tb\n", r"has two sources: columns 'src' and 'source'"),
        ("mt\thyp\na\tb\n", r"two outputs of one system"),
        (b"ref\n\xff\n", r"x\.tsv, line 2, byte 1: not UTF-8"),
    ],
)
def test_tsv_faults(tmp_path, content, message):
    with pytest.raises(DataError, match=message):
        read(written(tmp_path, content, "x.tsv"))


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("Source", "source"),
        ("ref", "reference"),
        ("refA", "reference"),
        ("ref_2", "reference"),
        ("Reference-b", "reference"),
        ("ref.official", "reference"),
        ("ref_length", "label"),
        ("refined", "label"),
        ("Target", "output"),
        ("hyp.Online-A", "output"),
        ("mt_score", "label"),
        ("docid", "label"),
    ],
)
def test_what_a_column_is_by_its_name(tmp_path, name, expected):
    table = read(written(tmp_path, f"{name}\nx\n", "t.tsv"))
    result = {
        "source": table.source is not None,
        "reference": bool(table.references),
        "output": bool(table.outputs),
        "label": bool(table.labels),
    }
    assert [kind for kind, is_used in result.items() if is_used] == [expected]


def test_label_synonyms_take_the_fields_words(tmp_path):
    table = read(written(tmp_path, "docid\tgenre\torigLang\tdocument\tdoc_id\n1\t2\t3\t4\t5\n", "t.tsv"))
    labels = {"docid": "1", "domain": "2", "origin": "3", "document": "4", "doc_id": "5"}
    assert table.labels == {name: (value,) for name, value in labels.items()}
    table = read(written(tmp_path, "doc_id\tdocid\n1\t2\n", "t.tsv"))
    assert table.labels == {"document": ("1",), "docid": ("2",)}


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
