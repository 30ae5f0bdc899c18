"""Questions about documents: right by their key, and files that are wrong."""

import json
from pathlib import Path
from typing import Any

import pytest

from adjudge.campaigns import questions
from adjudge.errors import DataError


def asked(folder: Path, *rows: Any) -> dict[str, list[dict[str, Any]]]:
    path = folder / "questions.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return questions.load(str(path))


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
