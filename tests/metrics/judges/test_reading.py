"""What answers say: a number, errors in their places, a choice; whatever else they say is no number."""

import json
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adjudge.data.judgements import Span
from adjudge.metrics.judges.endpoint import Reply
from adjudge.metrics.judges.reading import Unreadable, read_choice, read_marks, read_score


@pytest.mark.parametrize(
    ("text", "score"),
    [
        ("85", 85),
        (" 85.\n", 85),
        ("85.5", 85.5),
        ("0", 0),
        ("100", 100),
        ("**72**", 72),
        ("Score: 64", 64),
        ("score = **64**", 64),
        ('{"score": 64}', 64),
        ("64/100", 64),
        ("64 out of 100", 64),
        ("I give it 40.", 40),
        ("I count 3 errors, so my score: 40", 40),
        ("There are 2 errors: 88/100, score 88.", 88),
        ("<think>maybe 20, maybe 30</think>\n25", 25),
        ("７０", 70),
    ],
)
def test_scores(text, score):
    assert read_score(Reply(text)) == score


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "empty"),
        ("   \n", "empty"),
        ("<think>80</think>", "empty"),
        ("It is a fine translation.", "no number"),
        ("v2 of B52", "no number"),
        ("150", "150 does not lie between 0 and 100"),
        ("-5", "-5 does not lie"),
        ("−5", "-5 does not lie"),
        ("Score: -1", "-1 does not lie"),
        ("80 or 90", "several numbers"),
        ("score 80, or rather score 90", "several numbers"),
        ("99999999999999999999", "does not lie"),
        ("nan", "no number"),
    ],
)
def test_what_is_no_score(text, reason):
    with pytest.raises(Unreadable, match=reason):
        read_score(Reply(text))


def test_what_is_cut_off_is_no_answer():
    for read in (read_score, read_choice, lambda reply: read_marks(reply, "x", scored=False)):
        with pytest.raises(Unreadable, match="cut off"):
            read(Reply("8", complete=False))


@given(st.text())
def test_any_answer_is_a_score_in_range_or_unreadable(text):
    with suppress(Unreadable):
        assert 0 <= read_score(Reply(text)) <= 100


OUTPUT = "The cat cat sat on Mat."


def marks(*errors, scored=False, **others):
    return read_marks(Reply(json.dumps({"errors": list(errors), **others})), OUTPUT, scored=scored)


def error(quote, severity="minor", **others):
    return {"quote": quote, "severity": severity, **others}


def test_errors_are_put_where_their_words_stand():
    spans = marks(error("sat", "major", category="accuracy/mistranslation"), error("Mat"))
    assert spans.spans == (Span(12, 15, "major", "accuracy/mistranslation"), Span(19, 22, "minor"))
    assert [OUTPUT[s.start : s.end] for s in spans.spans] == ["sat", "Mat"]
    assert spans.unplaced == 0


def test_the_same_words_again_stand_further_on():
    spans = marks(error("cat"), error("cat"), error("cat"))
    assert [(s.start, s.end) for s in spans.spans] == [(4, 7), (8, 11), (4, 7)]


def test_words_are_found_within_quotes_and_in_other_letters():
    assert [(s.start, s.end) for s in marks(error('"sat"'), error("mat")).spans] == [(12, 15), (19, 22)]


def test_omissions_have_no_place_and_neither_have_words_that_are_not_there():
    spans = marks(error(""), error(None), error("dog", "Major"))
    assert [(s.start, s.end, s.severity) for s in spans.spans] == [
        (None, None, "minor"),
        (None, None, "minor"),
        (None, None, "major"),
    ]
    assert spans.unplaced == 1
    assert spans.spans[2].comment == "not in the text: dog"


def test_a_score_beside_errors():
    assert marks(error("sat"), scored=True, score=70).score == 70
    for score in (None, "70", True, 170):
        with pytest.raises(Unreadable):
            marks(scored=True, score=score)


def test_prose_and_fences_around_an_object():
    text = 'Here {it} is:\n```json\n{"errors": [], "score": 90}\n```\nAnything else?'
    assert read_marks(Reply(text), OUTPUT, scored=True).score == 90


@pytest.mark.parametrize(
    "text",
    [
        "no errors",
        "[]",
        "{}",
        '{"errors": {}}',
        '{"errors": [1]}',
        '{"errors": [{"quote": "cat"}]}',
        '{"errors": [{"quote": "cat", "severity": "awful"}]}',
        '{"errors": [{"quote": 3, "severity": "minor"}]}',
        '{"errors": [{"quote": "cat", "severity": "minor", "category": 3}]}',
        '{"errors": [{"quote": "cat", "severity": "mi',
        "{" * 3000,
    ],
)
def test_what_is_no_list_of_errors(text):
    with pytest.raises(Unreadable):
        read_marks(Reply(text), OUTPUT, scored=False)


@given(st.text(max_size=30), st.lists(st.text(max_size=4), max_size=4))
def test_places_lie_within_the_output(output, quotes):
    reply = Reply(json.dumps({"errors": [error(quote) for quote in quotes]}))
    for span, quote in zip(read_marks(reply, output, scored=False).spans, quotes, strict=True):
        if span.start is not None:
            assert 0 <= span.start < span.end <= len(output)
            assert output[span.start : span.end].lower() in quote.lower()


@pytest.mark.parametrize(
    ("text", "choice"),
    [
        ("A", 1),
        ("B.", -1),
        ("T", 0),
        ("tie", 0),
        ("b", -1),
        ("Answer: B", -1),
        ("**A**", 1),
        ("Translation A", 1),
    ],
)
def test_choices(text, choice):
    assert read_choice(Reply(text)) == choice


@pytest.mark.parametrize("text", ["", "both", "A or B", "A good question.", "1", "neither is"])
def test_what_is_no_choice(text):
    with pytest.raises(Unreadable):
        read_choice(Reply(text))
