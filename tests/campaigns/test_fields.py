"""Answers: what is whole, what is refused, and which rows follow."""

import json
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adjudge.campaigns.fields import (
    AnswerError,
    Edit,
    LabelledScale,
    PreferenceField,
    Questions,
    Ranks,
    Slider,
    Spans,
    YesNo,
)
from adjudge.campaigns.items import Candidate, Item

ONE = Item("i", (3,), (Candidate(("A", "B"), ("the cat sat",)),))
THREE = Item("r", (3,), (Candidate(("A",), ("x",)), Candidate(("B", "C"), ("y",)), Candidate(("D",), ("z",))))
ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=9), inner, max_size=4),
    max_leaves=8,
)
FIELDS = [
    Slider("f"),
    LabelledScale("f", high=7),
    YesNo("f"),
    Ranks("f"),
    Ranks("f", ties=False),
    PreferenceField("f"),
    Spans("f"),
    Spans("f", categories=(("Accuracy", ("Omission",)), ("Other", ())), source=True),
    Edit("f"),
    Questions("f"),
]


@pytest.mark.parametrize("field", FIELDS, ids=lambda field: type(field).__name__)
@given(value=ANYTHING)
def test_whatever_a_browser_sends_is_an_answer_or_refused(field, value):
    """Nothing crashes; what is taken is plain JSON, is taken again as it is, and makes rows of real systems."""
    for item in (ONE, THREE):
        try:
            kept = field.check(value, item, ["a source"])
        except AnswerError:
            continue
        assert json.loads(json.dumps(kept, allow_nan=False)) == kept
        assert field.check(kept, item, ["a source"]) == kept
        if len(item.candidates) == 1 or isinstance(field, Ranks):
            rows = list(field.rows(kept, item, "c"))
            assert {row.system for row in rows} | {row.other for row in rows} <= {*item.systems, ""}


@pytest.mark.parametrize("value", [None, "70", 101, -1, 70.5, math.nan, math.inf, True, [70]])
def test_a_slider_takes_whole_numbers_on_its_line(value):
    with pytest.raises(AnswerError):
        Slider("score").check(value, ONE)


def test_a_slider_gives_its_score_to_every_system_of_the_output():
    assert Slider("score").check(70.0, ONE) == 70
    rows = list(Slider("score").rows(70, ONE, "da"))
    assert [(r.criterion, r.system, r.score, r.segment) for r in rows] == [
        ("da", "A", 70, 3),
        ("da", "B", 70, 3),
    ]


def test_ranks_are_closed_up_and_make_every_pair_once():
    assert Ranks("ranks").check([3, 1, 3], THREE) == [2, 1, 2]
    rows = list(Ranks("ranks").rows([2, 1, 2], THREE, "ranking"))
    assert [(r.system, r.other, r.score) for r in rows] == [
        ("A", "B", -1),
        ("A", "C", -1),
        ("A", "D", 0),
        ("B", "C", 0),  # one output of two systems: they tie
        ("B", "D", 1),
        ("C", "D", 1),
    ]


@given(st.permutations(range(3)), st.lists(st.integers(1, 3), min_size=3, max_size=3))
def test_the_order_on_the_screen_does_not_matter(order, ranks):
    shuffled = Item("r", (3,), tuple(THREE.candidates[i] for i in order))

    def won(item, given):
        distinct = set()
        for row in Ranks("ranks").rows(Ranks("ranks").check(given, item), item, "ranking"):
            distinct |= {(row.system, row.other, row.score), (row.other, row.system, -row.score)}
        return distinct

    assert won(THREE, ranks) == won(shuffled, [ranks[i] for i in order])


def test_ranks_that_are_refused():
    field = Ranks("ranks", ties=False)
    with pytest.raises(AnswerError, match="same rank; ties are not allowed"):
        field.check([1, 1, 2], THREE)
    with pytest.raises(AnswerError, match="no rank is set for translation 2, 3"):
        field.check([1, None, None], THREE)
    with pytest.raises(AnswerError, match="from 1 to 3"):
        field.check([1, 2, 4], THREE)


def test_a_preference_is_kept_as_ranks():
    two = Item("p", (0,), (Candidate(("A",), ("x",)), Candidate(("B",), ("y",))))
    field = PreferenceField("choice")
    assert [field.check(v, two) for v in ("first", "second", "tie")] == [[1, 2], [2, 1], [1, 1]]
    with pytest.raises(AnswerError, match="one of first, second was expected"):
        PreferenceField("choice", ties=False).check("tie", two)


SPANS = Spans("errors", categories=(("Accuracy", ("Omission", "Addition")), ("Other", ())), source=True)


def test_spans_lie_within_their_texts():
    kept = SPANS.check(
        [
            {"start": 4, "end": 7, "severity": "minor", "category": "Accuracy/Addition"},
            {"start": 0, "end": 2, "severity": "major", "category": "Other", "side": "source"},
            {"start": None, "end": None, "severity": "minor", "category": "Accuracy/Omission"},
        ],
        ONE,
        ["ab"],
    )
    (row, other) = SPANS.rows(kept, ONE, "mqm")
    assert other.spans == row.spans
    assert [(s.start, s.end, s.severity, s.category, s.side) for s in row.spans] == [
        (4, 7, "minor", "Accuracy/Addition", "target"),
        (0, 2, "major", "Other", "source"),
        (None, None, "minor", "Accuracy/Omission", "target"),
    ]


@pytest.mark.parametrize(
    ("span", "message"),
    [
        ({"start": 0, "end": 12, "severity": "minor", "category": "Other"}, "not lie within"),
        ({"start": 2, "end": 2, "severity": "minor", "category": "Other"}, "not lie within"),
        (
            {"start": 0, "end": 3, "severity": "minor", "category": "Other", "side": "source"},
            "not lie within",
        ),
        ({"start": 0, "end": 2, "severity": "bad", "category": "Other"}, "unknown severity 'bad'"),
        ({"start": 0, "end": 2, "category": "Other"}, "no severity"),
        ({"start": 0, "end": 2, "severity": "minor"}, "no category"),
        ({"start": 0, "end": 2, "severity": "minor", "category": "Accuracy"}, "unknown category 'Accuracy'"),
        ({"start": 0, "end": 2, "severity": "minor", "category": ["Other"]}, "no category was expected"),
        ({"start": 0, "end": 2, "severity": ["minor"], "category": "Other"}, "unknown severity"),
        (
            {"start": 0, "end": 2, "severity": "minor", "category": "Other", "side": "x"},
            "only the translation",
        ),
        ({"start": 0, "end": 2, "severity": "minor", "category": "Other", "segment": 1}, "no segment"),
    ],
)
def test_spans_that_are_refused(span, message):
    with pytest.raises(AnswerError, match=f"error 1.*{message}"):
        SPANS.check([span], ONE, ["ab"])


def test_spans_of_a_document_say_in_which_segment_they_lie():
    document = Item("d", (5, 6), (Candidate(("A",), ("one", "two longer")),))
    field = Spans("errors")
    kept = field.check([{"segment": 1, "start": 0, "end": 8, "severity": "minor"}], document)
    assert [(r.segment, len(r.spans)) for r in field.rows(kept, document, "esa")] == [(5, 0), (6, 1)]


def test_an_edit_and_what_it_cost():
    field = Edit("edit")
    kept = field.check({"state": "edited", "text": " the  cat slept ", "keystrokes": 9}, ONE)
    assert kept["text"] == "the cat slept"
    row = next(field.rows(kept, ONE, "post-editing"))
    assert (row.text, row.measures["keystrokes"], row.measures["unable"]) == ("the cat slept", 9, 0)
    unable = field.check({"state": "unable to correct"}, ONE)
    assert next(field.rows(unable, ONE, "post-editing")).text is None
    fine = field.check({"state": "no corrections needed", "text": "ignored"}, ONE)
    assert next(field.rows(fine, ONE, "post-editing")).text == "the cat sat"


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (None, "nothing is corrected yet"),
        ({"state": "edited", "text": "the cat sat "}, "nothing was changed"),
        ({"state": "edited", "text": "  "}, "empty"),
        ({"state": "edited", "text": "x" * 20_001}, "longer than"),
        ({"state": "edited", "text": "x", "keystrokes": -1}, "from 0 up"),
        ({"state": "done", "text": "x"}, "one of edited"),
        ({"state": "edited", "text": "half \ud83d"}, "characters that are none"),
        ({"state": "edited", "text": "nul \0"}, "characters that are none"),
    ],
)
def test_edits_that_are_refused(value, message):
    with pytest.raises(AnswerError, match=message):
        Edit("edit").check(value, ONE)


def test_questions_are_marked_by_their_key():
    questions = [
        {"question": "Who sat?", "choices": ["the dog", "the cat"], "answer": 1},
        {"question": "Where?", "answer": ["the mat", "a mat"]},
    ]
    item = Item("q", (0,), (Candidate(("A",), ("the cat sat",)),), extra={"questions": questions})
    field = Questions("answers")
    assert next(field.rows(field.check([1, " The mat! "], item), item, "comprehension")).score == 1.0
    assert next(field.rows(field.check([0, "a mat"], item), item, "comprehension")).score == 0.5
    with pytest.raises(AnswerError, match="question 2 is not answered"):
        field.check([0, ""], item)
    with pytest.raises(AnswerError, match="question 1: one of 2 choices"):
        field.check([2, "x"], item)
