"""Questions on documents, for `comprehension`: one JSON object a line."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from adjudge.errors import AdjudgeError, DataError, unknown_name
from adjudge.io.jsonl import objects

KEYS = ("document", "question", "choices", "answer")


def load(path: str) -> dict[str, list[dict[str, Any]]]:
    """The questions of every document, in the order of the file; DataError names the file and the line.

    A line has a `document`, a `question`, an `answer` and, where one is to be chosen, `choices`. The answer is one of
    the choices or its number from 1; without choices it is a text, or a list of texts any of which is right.
    """
    found: dict[str, list[dict[str, Any]]] = {}
    for number, row in enumerate(objects(path), 1):
        try:
            document = _text(row, "document")
            question = checked({key: value for key, value in row.items() if key != "document"})
        except AdjudgeError as error:
            raise DataError(f"{path}, line {number}: {error}") from None
        found.setdefault(document, []).append(question)
    return found


def checked(row: Mapping[str, Any]) -> dict[str, Any]:
    """A question in its one form: choices are answered by their number from 0."""
    for key in row:
        if key not in KEYS:
            raise unknown_name("field", key, KEYS)
    question = {"question": _text(row, "question")}
    choices = row.get("choices")
    if choices is None:
        return {**question, "answer": _answers(row.get("answer"))}
    if not isinstance(choices, list) or len(choices) < 2 or not all(_is_text(one) for one in choices):
        raise DataError("choices: a list of two texts or more was expected")
    if len(set(choices)) < len(choices):
        raise DataError("choices: the same one is there twice")
    answer = row.get("answer")
    if answer in choices:
        place = choices.index(answer)
    elif isinstance(answer, int) and not isinstance(answer, bool) and 1 <= answer <= len(choices):
        place = answer - 1
    else:
        raise DataError(f"answer: one of the choices was expected, or its number from 1, not {answer!r}")
    return {**question, "choices": list(choices), "answer": place}


def _answers(answer: Any) -> list[str]:
    answers = answer if isinstance(answer, list) else [answer]
    if not answers or not all(_is_text(one) for one in answers):
        raise DataError(f"answer: a text was expected, or a list of texts, not {answer!r}")
    return answers


def _text(row: Mapping[str, Any], key: str) -> str:
    value = row.get(key)
    if not _is_text(value):
        raise DataError(f"{key}: missing" if value is None else f"{key}: a text was expected, not {value!r}")
    return str(value)


def _is_text(value: Any) -> bool:
    return isinstance(value, str) and bool(value.strip())
