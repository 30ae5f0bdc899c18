"""What our own formats write comes back as it was, whatever it was."""

import csv
import io
import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from adjudge.data.judgements import KINDS, Judgements, NameColumn, Span
from adjudge.errors import DataError, UsageError
from adjudge.io.judgements import Texts, read, write
from adjudge.io.judgements.output import guard_cell, is_formula, number, unguard_cell
from helpers.alike import NASTY, assert_same, judgements
from helpers.judged import ratings


@given(judgements(), st.sampled_from(("jsonl", "csv")), st.booleans())
def test_nothing_is_lost(tmp_path_factory, drawn, output_format, for_spreadsheet):
    path = tmp_path_factory.mktemp("own") / f"x.{output_format}"
    written = write(drawn, None, output_format, for_spreadsheet=for_spreadsheet, path=path)
    assert written.warnings == ()
    loaded = read([str(path)])
    assert loaded.format == "adjudge"
    assert_same(loaded.judgements, drawn)
    again = write(loaded.judgements, None, output_format, for_spreadsheet=for_spreadsheet)
    assert again.data == written.data
    # whatever shape is named, our own export is told from other tables
    assert_same(read([str(path)], input_format=output_format).judgements, drawn)


@given(st.text() | st.sampled_from(NASTY))
def test_no_cell_is_a_formula_and_none_is_changed(text):
    cell = guard_cell(text)
    assert unguard_cell(cell) == text
    assert cell[:1] not in ("=", "+", "-", "@", "\t", "\r", "\n") or number(float(cell)) is not None
    assert is_formula(text) == (cell != text)


def test_numbers_stay_numbers():
    judgements = ratings(
        [("=ann", "-A", "1", -1.5), ("bob", "B", "-2", 70.0)], measures={"z": np.array([-0.0, 1e-300])}
    )
    written = write(judgements, None, "csv")
    rows = list(csv.reader(io.StringIO(written.data.decode(), newline="")))
    assert rows == [
        ["protocol", "system", "item", "annotator", "kind", "score", "measure:z"],
        ["da", "'-A", "1", "'=ann", "ordinary", "-1.5", "-0.0"],
        ["da", "B", "-2", "bob", "ordinary", "70", "1e-300"],
    ]
    for_people = write(judgements, None, "csv", for_spreadsheet=True).data
    assert for_people == b"\xef\xbb\xbf" + written.data


def test_what_a_line_looks_like():
    result = Judgements(
        protocol="esa",
        system=NameColumn.of(["A"]),
        item=NameColumn.of(["7"]),
        annotator=NameColumn.of([""]),
        score=np.array([71.0]),
        start=np.array([1700000000.25]),
        seconds=np.array([np.nan]),
        spans=(
            (Span(0, 2, "minor"), Span(None, None, "major", "Accuracy/Omission", "source", 5.0, "all of it")),
        ),
        labels={"document": NameColumn.of(["d1"]), "domain": NameColumn.of([""])},
        measures={"keystrokes": np.array([40.0])},
    )
    texts = Texts(source=("Grüße",), target=("greet",), edited=(None,))
    assert json.loads(write(result, texts).data) == {
        "protocol": "esa",
        "system": "A",
        "item": "7",
        "annotator": None,
        "kind": "ordinary",
        "score": 71,
        "start": 1700000000.25,
        "seconds": None,
        "spans": [
            {"start": 0, "end": 2, "severity": "minor"},
            {
                "start": None,
                "end": None,
                "severity": "major",
                "category": "Accuracy/Omission",
                "side": "source",
                "weight": 5.0,
                "comment": "all of it",
            },
        ],
        "labels": {"document": "d1"},
        "measures": {"keystrokes": 40},
        "source": "Grüße",
        "target": "greet",
        "edited": None,
    }


def test_judgements_of_our_own_are_taken_as_they_are(tmp_path):
    """Neither order nor joint names nor what was said twice is touched; with other files it is as with those."""
    judgements = ratings(
        [("x", "a+b", "1", 3.0), ("x", "a", "1", 2.0), ("x", "a", "1", 2.0), ("y", "b", "1", 1.0)],
        start=np.array([4.0, 3.0, 3.0, 1.0]),
        labels={"document": NameColumn.of(["d", "e", "e", "d"])},
    )
    write(judgements, path=tmp_path / "own.jsonl")
    loaded = read([str(tmp_path / "own.jsonl")])
    assert_same(loaded.judgements, judgements)
    assert loaded.warnings == ()
    assert loaded.judgements.place(2) == f"{tmp_path / 'own.jsonl'}, line 3"
    (tmp_path / "other.tsv").write_text("annotator\tsystem\tline\tscore\nz\ta\t9\t5\n")
    both = read([str(tmp_path / "own.jsonl"), str(tmp_path / "other.tsv")])
    assert both.format == "adjudge, table"
    assert len(both.judgements) == 5  # a+b counts for both, a's second answer for nothing


def test_a_measure_can_be_the_score(tmp_path):
    judgements = ratings([("x", "a", "1", 3.0)], measures={"hter": np.array([0.25])})
    write(judgements, path=tmp_path / "x.jsonl")
    assert read([str(tmp_path / "x.jsonl")], column="hter").judgements.score.tolist() == [0.25]
    assert read([str(tmp_path / "x.jsonl")], column="score").judgements.score.tolist() == [3.0]
    assert read([str(tmp_path / "x.jsonl")], protocol="sqm").judgements.protocol == "sqm"
    with pytest.raises(DataError, match=r"unknown measure 'htr'; did you mean 'hter'\?"):
        read([str(tmp_path / "x.jsonl")], column="htr")


LINE = {
    "protocol": "da",
    "system": "a",
    "item": "1",
    "annotator": "x",
    "kind": "ordinary",
    "score": 1,
    "labels": {},
}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (
            {"kind": "odd"},
            "line 2: kind is 'odd', but one of ordinary, repeat, bad reference, reference, tutorial",
        ),
        ({"score": "high"}, "line 2: score is 'high', but a finite number was expected"),
        ({"score": True}, "line 2: score is True"),
        ({"system": 3}, "line 2: system is 3, but a text was expected"),
        ({"protocol": "sqm"}, "line 2: protocol is 'sqm', but 'da' before; take them apart"),
        ({"labels": ["d"]}, "line 2: labels is no object"),
        ({"labels": {"d": 1}}, "line 2: label 'd' is 1, but a text was expected"),
        ({"measures": {"z": "a"}}, "line 2: measure 'z' is 'a', but a finite number"),
        ({"ranking": 1.5}, "line 1: ranking is None, but a whole number"),
        ({"spans": {}}, "line 1: spans is None, but a list of errors"),
    ],
)
def test_a_broken_line_is_named(tmp_path, change, message):
    path = tmp_path / "x.jsonl"
    path.write_text(json.dumps(LINE) + "\n" + json.dumps({**LINE, **change}) + "\n")
    with pytest.raises(DataError) as error:
        read([str(path)])
    assert message in str(error.value)
    assert str(path) in str(error.value)


@pytest.mark.parametrize(
    ("span", "message"),
    [
        ({"start": 3, "end": 2, "severity": "minor"}, "a start from 0 up and an end not before it"),
        ({"start": None, "end": 2, "severity": "minor"}, "a start from 0 up"),
        ({"start": 0, "end": True, "severity": "minor"}, "a start from 0 up"),
        ({"start": 0, "end": 1}, "start, end, severity and what else it has"),
        ({"start": 0, "end": 1, "severity": "minor", "odd": 1}, "start, end, severity and what else it has"),
        ({"start": 0, "end": 1, "severity": None}, "texts, and a number for its weight"),
        ({"start": 0, "end": 1, "severity": "minor", "weight": "much"}, "texts, and a number for its weight"),
    ],
)
def test_a_broken_error_is_named(tmp_path, span, message):
    path = tmp_path / "x.jsonl"
    path.write_text(json.dumps({**LINE, "spans": [span]}) + "\n")
    with pytest.raises(DataError) as error:
        read([str(path)])
    assert f"{path}, line 1: an error is " in str(error.value)
    assert message in str(error.value)


HEADER = "protocol,system,item,annotator,kind,score"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (f"{HEADER}\n", "has a header line, but no judgement below it"),
        (f"{HEADER}\nda,a,1,x,ordinary\n", "line 2: 5 columns, but there should be 6"),
        (f'{HEADER}\nda,"a,1,x,ordinary,1\n', "line 2: unexpected end of data"),
        (f"{HEADER},spans\nda,a,1,x,ordinary,1,oops\n", "line 2: spans is 'oops', but a list of errors"),
        (f"{HEADER}\nda,a\xa0,1,x,ordinary,1\n".encode("latin-1"), "not UTF-8"),
    ],
)
def test_a_broken_table_is_named(tmp_path, text, message):
    path = tmp_path / "x.csv"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    with pytest.raises(DataError) as error:
        read([str(path)])
    assert message in str(error.value)
    assert str(path) in str(error.value)


def test_a_line_without_its_columns(tmp_path):
    path = tmp_path / "x.jsonl"
    path.write_text(json.dumps(LINE) + "\n" + json.dumps({"protocol": "da"}) + "\n")
    with pytest.raises(DataError, match=r"x\.jsonl, line 2: no 'system'; every line has one"):
        read([str(path)])


def test_what_cannot_be_written(tmp_path):
    judgements = ratings([("x", "a", "1", 3.0)])
    with pytest.raises(UsageError, match="unknown format of judgements 'jsonlines'; did you mean 'jsonl'"):
        write(judgements, None, "jsonlines")
    with pytest.raises(DataError, match="there are no judgements to write"):
        write(judgements[:0])
    with pytest.raises(DataError, match="1 judgement, but 2 texts of the source"):
        write(judgements, Texts(source=("a", "b")))
    with pytest.raises(DataError, match="judgement 1: score is inf, which is no finite number"):
        write(ratings([("x", "a", "1", float("inf"))]))
    with pytest.raises(DataError, match=r"cannot write .*x\.jsonl: No such file or directory"):
        write(judgements, path=tmp_path / "nowhere" / "x.jsonl")


def test_half_characters_are_told():
    judgements = ratings([("x", "a", "1", 3.0)])
    text = "\ud83d\0\\u0000\\\0"
    written = write(judgements, Texts(edited=(text,)))
    assert json.loads(written.data)["edited"] == "\ufffd\ufffd\\u0000\\\ufffd"
    assert written.warnings == ("3 characters that no text file may hold are written as U+FFFD",)


def test_kinds_are_words():
    judgements = ratings([("x", "a", str(i), 1.0) for i in range(len(KINDS))], KINDS)
    rows = [json.loads(line) for line in write(judgements).data.splitlines()]
    assert [row["kind"] for row in rows] == list(KINDS)
