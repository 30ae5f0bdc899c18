"""pearmut: what is written is read again, errors and all; what it cannot hold is told."""

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from adjudge.data.judgements import KINDS, TUTORIAL, NameColumn, Span
from adjudge.errors import DataError
from adjudge.io.judgements import Texts, read, read_texts, write
from helpers.alike import NASTY, assert_same
from helpers.judged import ratings

texts = st.lists(
    st.sampled_from(NASTY) | st.characters(codec="utf-8", exclude_characters="\0"), max_size=6
).map("".join)
names = st.sampled_from(("A", "b#c", "שלום", "=x", "漢", "tab\t", "e\u0301", "😀"))


@st.composite
def judged(draw):
    count = draw(st.integers(1, 5))

    def listed(values):
        return draw(st.lists(values, min_size=count, max_size=count))

    targets, spans = listed(texts), []
    for text in targets:
        results = []
        for _ in range(draw(st.integers(0, 3))):
            start, end = sorted((draw(st.integers(0, len(text))), draw(st.integers(0, len(text)))))
            missing = start == end or draw(st.booleans())  # pearmut cannot mark nothing
            results.append(
                Span(
                    None if missing else start,
                    None if missing else end,
                    draw(st.sampled_from(("minor", "major", "undecided"))),
                    draw(st.sampled_from(("", "Accuracy/Omission"))),
                    "target",
                    draw(st.none() | st.floats(0, 25)),
                    draw(st.sampled_from(("", "why"))),
                )
            )
        spans.append(tuple(results))
    rows = list(
        zip(listed(names), listed(names), map(str, range(count)), listed(st.floats(0, 100)), strict=True)
    )
    results = ratings(
        rows,
        listed(st.sampled_from(KINDS)),
        protocol="esa",
        spans=tuple(spans),
        start=np.array([1.7e9 + number for number in range(count)]),
        seconds=np.array(listed(st.floats(0, 1e4) | st.just(np.nan))),
        labels={
            "document": NameColumn.of(listed(names)),
            "a label": NameColumn.of(listed(st.just("") | names)),
        },
        measures={"words": np.array(listed(st.floats(0, 100) | st.just(np.nan)))},
    )
    return results, Texts(source=tuple(listed(texts)), target=tuple(targets))


@given(judged())
def test_it_comes_back(tmp_path_factory, drawn):
    result, beside = drawn
    path = tmp_path_factory.mktemp("pearmut") / "log.jsonl"
    assert write(result, beside, "pearmut", path=path).warnings == ()
    back = read([str(path)]).judgements
    known = not np.isnan(result.seconds).all()
    numbers = not np.isnan(result.measures["words"]).all()
    but = {*(() if known else ("seconds",)), *(() if numbers else ("measures",))}
    assert_same(back, result, but)
    assert read_texts(back) == beside


def test_even_a_line_break_can_be_marked(tmp_path):
    """Which pearmut's own log never says; there it would tell that breaks are not counted."""
    spans = ((Span(2, 3, "minor"), Span(3, 4, "major")),)
    judgements = ratings([("ann", "A", "1", 3.0)], spans=spans, protocol="esa")
    write(judgements, Texts(target=("ab\ncd",)), "pearmut", path=tmp_path / "x.jsonl")
    assert read([str(tmp_path / "x.jsonl")]).judgements.spans == spans


def test_what_an_entry_looks_like():
    judgements = ratings(
        [("ann", "A", "7", 71.0), ("ann", "A", "t", 3.5)],
        ["ordinary", "tutorial"],
        protocol="esa",
        spans=((Span(1, 2, "major", "", "target"), Span(None, None, "minor")), ()),
        start=np.array([100.0, np.nan]),
        seconds=np.array([61.5, np.nan]),
        labels={"document": NameColumn.of(["d", ""])},
    )
    beside = Texts(source=("quel", None), target=("a😀\nc", "x"), reference=("what", None))
    first, second = map(json.loads, write(judgements, beside, "pearmut").data.splitlines())
    assert first == {
        "annotation": [
            {
                "A": {
                    "score": 71,
                    "error_spans": [
                        {"start_i": 1, "end_i": 2, "category": None, "severity": "major"},
                        {"start_i": 5, "end_i": 5, "category": None, "severity": "minor"},
                    ],
                    "textfield": None,
                }
            }
        ],
        "actions": [{"time": 100.0, "action": "load"}, {"time": 161.5, "action": "submit"}],
        "item": [
            {
                "item_id": "7",
                "src": "quel",
                "ref": "what",
                "tgt": {"A": "a😀\nc"},
                "labels": {"document": "d"},
            }
        ],
        "user_id": "ann",
        "item_i": 0,
        "protocol": "esa",
        "time": 61.5,
    }
    assert second["item_i"] == "welcome_0"
    assert second["item"] == [{"item_id": "t", "tgt": {"A": "x"}, "kind": KINDS[TUTORIAL]}]


def test_controls_do_not_count_in_pearmut_s_own_results():
    """It counts all pages but those whose number says welcome or random."""
    judgements = ratings([("ann", "A", "1", 1.0)] * 5, KINDS)
    numbers = [json.loads(line)["item_i"] for line in write(judgements, None, "pearmut").data.splitlines()]
    assert numbers == [0, "random_0", "random_1", 1, "welcome_0"]


def test_how_far_everyone_has_come():
    judgements = ratings(
        [
            (who, "A", item, 1.0)
            for who, item in (("ann", "1"), ("bob", "1"), ("ann", "2"), ("ann", "t"), ("ann", "1"))
        ],
        ["ordinary", "ordinary", "ordinary", "tutorial", "bad reference"],
        start=np.array([100.0, 50.0, 200.0, 90.0, 150.0]),
        seconds=np.array([10.0, 5.0, 20.0, 1.0, 0.0]),
        labels={"campaign": NameColumn.of(["c & d"] * 5)},
    )
    told = json.loads(write(judgements, None, "pearmut-progress").data)
    ann, bob = told["c & d"]["ann"], told["c & d"]["bob"]
    assert ann["progress"] == ["completed", "completed"]
    assert ann["progress_welcome"] == ["completed"]
    assert (ann["time_start"], ann["time_end"], ann["time"]) == (90, 220, 31)
    assert ann["url"] == "annotate?campaign_id=c+%26+d&user_id=ann"
    assert (
        len({ann["token_correct"], ann["token_incorrect"], bob["token_correct"], bob["token_incorrect"]}) == 4
    )
    untimed = json.loads(write(ratings([("x", "A", "1", 1.0)]), None, "pearmut-progress").data)
    assert untimed["adjudge"]["x"]["time_start"] is None


def test_what_it_cannot_hold_is_told():
    spans = ((Span(0, 1, "minor", side="source"), Span(1, 1, "minor"), Span(0, 1, "minor")),)
    judgements = ratings([("ann", "A", "1", np.nan)], spans=spans, protocol="esa")
    written = write(judgements, Texts(target=("ab",)), "pearmut")
    assert written.warnings == (
        "pearmut has no place for 1 error in the source and 1 error that marks nothing: left out here",
    )
    answer = json.loads(written.data)["annotation"][0]["A"]
    assert [(span["start_i"], span["end_i"]) for span in answer["error_spans"]] == [(0, 0)]
    assert answer["score"] is None
    with pytest.raises(DataError, match="they cannot be written without these"):
        write(judgements, None, "pearmut")
    pairs = ratings([("ann", "A", "1", 1.0)], other=NameColumn.of(["B"]), protocol="rank")
    with pytest.raises(DataError, match="these are rankings; pearmut's log holds scores and errors"):
        write(pairs, None, "pearmut")
