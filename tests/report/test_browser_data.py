"""What is packed for the browser can be unpacked by its own description, and is small."""

import base64
import gzip
import json
import struct

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from adjudge.dossiers.segment_table import ScoreColumn, SegmentTable
from adjudge.report.pages.report.browser_data import MISSING, packed


def unpacked(table):
    """The document, the columns and the texts, read as the head of browser_data.py says."""
    data = packed(table)
    content = gzip.decompress(base64.b64decode(data.columns))
    (size,) = struct.unpack("<I", content[:4])
    document = json.loads(content[4 : 4 + size])
    at, columns = 4 + size, []
    for length in document["columns"]:
        planes = [content[at + k * length : at + (k + 1) * length] for k in range(4)]
        columns.append([struct.unpack("<i", bytes(four))[0] for four in zip(*planes, strict=True)])
        at += 4 * length
    assert at == len(content)
    raw, texts, begin = gzip.decompress(base64.b64decode(data.texts)), [], 0
    for length in columns[document["texts"]]:
        texts.append(raw[begin : begin + length].decode())
        begin += length
    assert begin == len(raw)
    return document, columns, texts


@given(
    st.integers(1, 6).flatmap(
        lambda n: st.tuples(
            st.lists(st.text(max_size=8), min_size=n, max_size=n),
            st.lists(st.none() | st.text(max_size=8), min_size=n, max_size=n),
            st.lists(st.floats(-1e9, 1e9) | st.just(float("nan")), min_size=n, max_size=n),
        )
    )
)
def test_everything_comes_out_as_it_went_in(drawn):
    outputs, references, values = drawn
    table = SegmentTable(
        identifiers=tuple(f"id {i}" for i in range(len(outputs))),
        outputs={"A": tuple(outputs)},
        references=(tuple(references),),
        labels={"l": tuple(outputs)},
        scores=(ScoreColumn("s", "S", True, "metric", {"A": np.array(values)}, 3),),
    )
    document, columns, texts = unpacked(table)
    text = lambda place: None if place == MISSING else texts[place]  # noqa: E731
    clean = [t.encode("utf-16", "surrogatepass").decode("utf-16", "replace") for t in outputs]
    assert [text(p) for p in columns[document["outputs"][0]]] == clean
    assert [text(p) for p in columns[document["references"][0]]] == references
    assert [text(p) for p in columns[document["identifiers"]]] == list(table.identifiers)
    label = document["labels"][0]
    assert [label["values"][code] for code in columns[label["column"]]] == clean
    score = document["scores"][0]
    scaled = [np.nan if v == MISSING else v / 10.0 ** score["digits"] for v in columns[score["columns"][0]]]
    largest = max((abs(v) for v in values if v == v), default=0)
    np.testing.assert_allclose(scaled, values, rtol=0, atol=max(largest, 1e-300) * 5.1e-8, equal_nan=True)


def test_equal_texts_are_packed_once():
    same = ("a long text that all systems agree on",) * 2
    _, _, texts = unpacked(SegmentTable(identifiers=("1", "2"), outputs={"A": same, "B": same}, sources=same))
    assert texts == [same[0]]


def test_halves_of_surrogate_pairs_are_replaced_and_names_can_be_addressed():
    table = SegmentTable(
        identifiers=("1",), outputs={"A\ud800": ("x\udfff",)}, labels={"\ud800": ("\ud800",)}
    )
    document, _, texts = unpacked(table)
    assert (document["systems"], texts) == (["A�"], ["x�"])
    assert document["labels"][0]["values"] == ["�"]


@pytest.mark.parametrize(
    ("values", "digits", "shown"),
    [
        ([1.0, 3.0], 0, 0),
        ([54.2371, 100], 6, 2),
        ([0.8, 0.91], 8, 2),
        ([123456.5], 2, 2),
        ([0.0, np.nan], 0, 0),
    ],
)
def test_scores_have_eight_digits_of_the_largest_and_none_where_all_are_whole(values, digits, shown):
    scores = ScoreColumn("s", "S", True, "metric", {"A": np.array(values, float)}, 2)
    table = SegmentTable(
        identifiers=tuple(map(str, values)), outputs={"A": tuple(map(str, values))}, scores=(scores,)
    )
    [score] = unpacked(table)[0]["scores"]
    assert (score["digits"], score["decimals"]) == (digits, shown)


def test_notes_stay_when_systems_come_and_go():
    first = SegmentTable(identifiers=("1",), outputs={"A": ("a",)}, sources=("s",))
    second = SegmentTable(identifiers=("1",), outputs={"B": ("b",), "A": ("a",)}, sources=("s",))
    other = SegmentTable(identifiers=("1",), outputs={"A": ("a",)}, sources=("t",))
    marks = [unpacked(table)[0]["fingerprint"] for table in (first, second, other)]
    assert marks[0] == marks[1] != marks[2]
