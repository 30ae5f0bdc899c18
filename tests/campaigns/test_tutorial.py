"""Items to learn on: what a file may hold, what is said to answers, and what is wrong by file, line and field."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adjudge.campaigns import tutorial
from adjudge.campaigns.items import Item
from adjudge.campaigns.tutorial import feedback, load
from adjudge.errors import DataError
from helpers.plans import campaign, material

TEXTS = material("ab", 5)
ONE = {"segment": "2", "translation": "a small house"}


def loaded(folder: Path, protocol: Any, *rows: Any) -> tuple[Item, ...]:
    path = folder / "tutorial.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return load(str(path), campaign("ab", 1, protocol), TEXTS)


def said(
    folder: Path, protocol: Any, row: dict[str, Any], answer: dict[str, Any]
) -> tuple[bool | None, str, Any]:
    (item,) = loaded(folder, protocol, {**ONE, **row} if "translations" not in row else {"segment": 2, **row})
    checked = campaign("ab", 1, protocol).protocol.check(answer, item, ["a house that is small"])
    result = feedback(item, checked)
    assert json.loads(json.dumps(result.as_json()))["right"] == result.right
    return result.right, result.text, dict(result.expected)


def test_an_item(tmp_path: Path) -> None:
    row = {**ONE, "expected": {"score": [60, 80]}, "feedback": "Not bad."}
    (item,) = loaded(tmp_path, "da", row)
    assert (item.kind, item.segments, item.candidates[0].texts) == ("tutorial", (1,), ("a small house",))
    assert loaded(tmp_path, "da", row) == (item,)
    assert Item.from_json(json.loads(json.dumps(item.as_json()))) == item
    first, second = loaded(tmp_path, "da", row, row)
    assert first.key != second.key


@given(st.integers(0, 100), st.integers(0, 100), st.integers(0, 100))
def test_a_score_is_right_within_its_range(tmp_path_factory: Any, low: int, high: int, score: int) -> None:
    low, high = sorted((low, high))
    folder = tmp_path_factory.mktemp("tutorial")
    row = {"expected": {"score": [low, high]}, "feedback": {"score": {"right": "Yes.", "wrong": "No."}}}
    right, text, _ = said(folder, "da", row, {"score": score})
    assert right == (low <= score <= high)
    assert text == ("Yes." if right else "No.")


def test_scores_and_ranges_as_they_are_shown(tmp_path: Path) -> None:
    assert said(tmp_path, "da", {"expected": {"score": [60, 80]}}, {"score": 60}) == (
        True,
        "",
        {"score": "60–80"},
    )
    assert said(tmp_path, "da", {"expected": {"score": 70}}, {"score": 71}) == (False, "", {"score": 70})
    assert said(tmp_path, "da", {"feedback": "Just look."}, {"score": 1}) == (None, "Just look.", {})


def test_two_fields(tmp_path: Path) -> None:
    row = {
        "expected": {"fluency": 5, "adequacy": [1, 2]},
        "feedback": {"fluency": "It reads well.", "adequacy": {"wrong": "Half of it is missing."}},
    }
    right, text, _ = said(tmp_path, "adequacy-fluency", row, {"fluency": 5, "adequacy": 1})
    assert (right, text) == (True, "It reads well.")
    right, text, _ = said(tmp_path, "adequacy-fluency", row, {"fluency": 5, "adequacy": 4})
    assert (right, text) == (False, "It reads well.\n\nHalf of it is missing.")


def test_yes_no_and_ranks(tmp_path: Path) -> None:
    assert said(tmp_path, "yes-no", {"expected": {"acceptable": True}}, {"acceptable": False})[0] is False
    row = {"translations": ["one", "two", "three"], "expected": {"ranks": [1, 3, 3]}}
    assert said(tmp_path, "ranking", row, {"ranks": [1, 2, 2]})[0] is True
    assert said(tmp_path, "ranking", row, {"ranks": [1, 2, 3]})[0] is False
    row = {"translations": ["one", "two"], "expected": {"choice": "first"}}
    assert said(tmp_path, "preference", row, {"choice": "first"})[0] is True
    assert said(tmp_path, "preference", row, {"choice": "tie"})[0] is False


SMALL = {"start": 2, "end": 7, "severity": "minor"}


@pytest.mark.parametrize(
    ("expected", "marked", "right"),
    [
        ([], [], True),
        ([], [SMALL], False),
        ([SMALL], [SMALL], True),
        ([{"start": 2, "end": 7}], [{"start": 6, "end": 13, "severity": "major"}], True),
        ([SMALL], [{"start": 6, "end": 13, "severity": "major"}], False),
        ([SMALL], [{"start": 7, "end": 13, "severity": "minor"}], False),
        ([SMALL], [], False),
        ([SMALL], [{"start": 8, "end": 13, "severity": "major"}, SMALL], True),
        ([{"start": None, "end": None}], [{"start": None, "end": None, "severity": "major"}], True),
        ([{"start": None, "end": None}], [SMALL], False),
        ([SMALL, {"start": 8, "end": 9}], [SMALL], False),
        ([{**SMALL, "segment": 0}], [SMALL], True),  # of a single segment answers do not say which
    ],
)
def test_errors_that_must_be_marked(tmp_path: Path, expected: Any, marked: Any, right: bool) -> None:
    row = {"expected": {"errors": expected}}
    assert said(tmp_path, "esa", row, {"errors": marked, "score": 50})[0] is right


def test_categories_count_where_they_are_expected(tmp_path: Path) -> None:
    fields = campaign("ab", 1, "mqm").protocol.fields
    category = sorted(fields[0].known_categories())[3]  # type: ignore[attr-defined]
    other = sorted(fields[0].known_categories())[4]  # type: ignore[attr-defined]
    severity = fields[0].severities[0]  # type: ignore[attr-defined]
    mark = {"start": 2, "end": 7, "severity": severity, "category": category}
    for expected, right in ([{"category": category}, True], [{"category": other}, False], [{}, True]):
        row = {"expected": {"errors": [{"start": 2, "end": 7, **expected}]}}  # type: ignore[dict-item]
        assert said(tmp_path, "mqm", row, {"errors": [mark]})[0] is right


def test_edits(tmp_path: Path) -> None:
    row = {"expected": {"edit": ["the small  house", "the little house"]}}
    assert (
        said(tmp_path, "post-editing", row, {"edit": {"state": "edited", "text": "the small house"}})[0]
        is True
    )
    assert said(tmp_path, "post-editing", row, {"edit": {"state": "edited", "text": "a house"}})[0] is False
    row = {"expected": {"edit": "no corrections needed"}}
    right, _, expected = said(tmp_path, "post-editing", row, {"edit": {"state": "no corrections needed"}})
    assert (right, expected) == (True, {"edit": {"state": "no corrections needed"}})


def test_questions_are_right_by_their_key(tmp_path: Path) -> None:
    row = {
        "translation": ["He went home.", "It rained."],
        "questions": [
            {"question": "Who?", "answer": ["he", "the man"]},
            {"question": "What?", "choices": ["sun", "rain"], "answer": "rain"},
        ],
        "feedback": "Read it again.",
    }
    (item,) = loaded(tmp_path, "comprehension", row)
    assert len(item.segments) == 2
    assert feedback(item, {"answers": ["The man!", 1]}).right is True
    assert feedback(item, {"answers": ["he", 0]}).right is False


def test_texts_of_its_own(tmp_path: Path) -> None:
    row = {"translation": "x", "source": "ein Haus", "reference": "a house", "expected": {"score": 0}}
    (item,) = loaded(tmp_path, {"name": "da", "against": "both"}, row)
    assert (item.extra["sources"], item.extra["references"]) == (["ein Haus"], ["a house"])


@pytest.mark.parametrize(
    ("protocol", "row", "message"),
    [
        ("da", {"translation": "x"}, "reference: missing; da shows it here"),
        ("da", {"segment": "9", "translation": "x", "feedback": "y"}, "segment: there is no segment '9'"),
        ("da", {"segment": 1, "feedback": "y"}, "translation: missing"),
        ("da", {"segment": 1, "translation": 3}, "translation: a text was expected, not 3"),
        ("da", {**ONE}, "expected: missing, and no feedback either"),
        ("da", {**ONE, "expectd": {}}, "unknown field 'expectd'; did you mean 'expected'"),
        ("da", {**ONE, "expected": 3}, "expected: a table of fields was expected"),
        (
            "da",
            {**ONE, "expected": {"scor": 3}},
            "unknown field 'expected.scor'; did you mean 'expected.score'",
        ),
        ("da", {**ONE, "expected": {"score": 101}}, "expected.score: a score from 0 to 100"),
        ("da", {**ONE, "expected": {"score": [3]}}, "expected.score: a number was expected"),
        ("da", {**ONE, "expected": {"score": [30, 10]}}, "expected.score: 30 is more than 10"),
        (
            "da",
            {**ONE, "feedback": {"scor": "x"}},
            "unknown field 'feedback.scor'; did you mean 'feedback.score'",
        ),
        ("da", {**ONE, "feedback": {"score": 3}}, "feedback.score: a text was expected"),
        ("da", {**ONE, "feedback": {"score": {"rihgt": "x"}}}, "feedback.score: a text was expected"),
        ("da", {**ONE, "feedback": 3}, "feedback: a text was expected"),
        ("da", {**ONE, "translations": ["x", "y"]}, "translations: da shows one"),
        ("da", {**ONE, "questions": []}, "questions: only comprehension"),
        ("da", {**ONE, "source": ["x", "y"]}, "source: a text was expected"),
        ("yes-no", {**ONE, "expected": {"acceptable": "yes"}}, "expected.acceptable: yes or no was expected"),
        (
            "esa",
            {**ONE, "expected": {"errors": [{"start": 2, "end": 99}]}},
            "expected.errors: error 1 does not lie",
        ),
        ("esa", {**ONE, "expected": {"errors": 3}}, "expected.errors: a list of errors"),
        ("ranking", {"segment": 1, "translations": ["x"]}, "translations: from 2 to 5 different texts"),
        ("ranking", {"segment": 1, "translations": ["x", "x"]}, "translations: from 2 to 5 different texts"),
        ("ranking", {"segment": 1, "translation": "x"}, "translations: a list of texts"),
        (
            "preference",
            {"segment": 1, "translations": ["x", "y", "z"]},
            "translations: from 2 to 2 different",
        ),
        ("post-editing", {**ONE, "expected": {"edit": []}}, "expected.edit: a text was expected"),
        ("comprehension", {"translation": "x"}, "questions: a list of questions was expected"),
        (
            "comprehension",
            {"translation": "x", "questions": [{"question": "Who?"}]},
            "answer: a text was expected",
        ),
        (
            {"name": "da", "rate": "document"},
            {"translation": ["x", "y"], "reference": ["x"]},
            "reference: 1 text",
        ),
    ],
)
def test_what_is_wrong_is_said_with_its_line(
    tmp_path: Path, protocol: Any, row: dict[str, Any], message: str
) -> None:
    good = {
        "da": {**ONE, "feedback": "y"},
        "ranking": {"segment": 1, "translations": ["x", "y"], "feedback": "z"},
        "preference": {"segment": 1, "translations": ["x", "y"], "feedback": "z"},
        "comprehension": {"translation": "x", "questions": [{"question": "Who?", "answer": "he"}]},
    }
    name = protocol if isinstance(protocol, str) else protocol["name"]
    with pytest.raises(DataError) as caught:
        loaded(tmp_path, protocol, good.get(name, good["da"]), row)
    assert f"tutorial.jsonl, line 2: {message}" in str(caught.value)


def test_files_that_are_none(tmp_path: Path) -> None:
    path = tmp_path / "tutorial.jsonl"
    made = campaign("ab", 1)
    with pytest.raises(DataError, match=r"tutorial\.jsonl"):
        load(str(path), made, TEXTS)
    path.write_text("")
    with pytest.raises(DataError, match="is empty"):
        load(str(path), made, TEXTS)
    path.write_text("{\n")
    with pytest.raises(DataError, match="line 1: not JSON"):
        load(str(path), made, TEXTS)


def asked(folder: Path, *rows: Any) -> dict[str, list[dict[str, Any]]]:
    path = folder / "questions.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return tutorial.load_questions(str(path))


def test_questions_of_documents(tmp_path: Path) -> None:
    result = asked(
        tmp_path,
        {"document": "d1", "question": "Who?", "answer": "he"},
        {"document": "d2", "question": "What?", "choices": ["sun", "rain"], "answer": 2},
        {"document": "d1", "question": "When?", "choices": ["1", "2"], "answer": "2"},
    )
    assert result == {
        "d1": [
            {"question": "Who?", "answer": ["he"]},
            {"question": "When?", "choices": ["1", "2"], "answer": 1},
        ],
        "d2": [{"question": "What?", "choices": ["sun", "rain"], "answer": 1}],
    }


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ({"question": "Who?", "answer": "he"}, "document: missing"),
        ({"document": "d", "answer": "he"}, "question: missing"),
        ({"document": "d", "question": " ", "answer": "he"}, "question: a text was expected"),
        ({"document": "d", "question": "Who?"}, "answer: a text was expected"),
        ({"document": "d", "question": "Who?", "answer": []}, "answer: a text was expected"),
        ({"document": "d", "question": "Who?", "choices": ["he"], "answer": 1}, "choices: a list of two"),
        (
            {"document": "d", "question": "Who?", "choices": ["he", "he"], "answer": 1},
            "choices: the same one",
        ),
        (
            {"document": "d", "question": "Who?", "choices": ["he", "she"], "answer": 3},
            "answer: one of the choices",
        ),
        (
            {"document": "d", "question": "Who?", "choices": ["he", "she"], "answer": 0},
            "answer: one of the choices",
        ),
        ({"document": "d", "question": "Who?", "anser": "he"}, "did you mean 'answer'"),
    ],
)
def test_questions_that_are_wrong(tmp_path: Path, row: dict[str, Any], message: str) -> None:
    with pytest.raises(DataError) as caught:
        asked(tmp_path, {"document": "d", "question": "Who?", "answer": "he"}, row)
    assert "questions.jsonl, line 2: " in str(caught.value)
    assert message in str(caught.value)


def test_no_questions_at_all(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="is empty"):
        asked(tmp_path)
