"""Questions on documents, for `comprehension`: one JSON object a line."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from adjudge.errors import AdjudgeError, DataError
from adjudge.io import fields
from adjudge.io.jsonl import objects

KEYS = ("document", "question", "choices", "answer")


def load(path: str) -> dict[str, list[dict[str, Any]]]:
    """The questions of every document, in the order of the file; DataError names the file and the line.

    A line has a `document`, a `question`, an `answer` and, where one is to be chosen, `choices`. The answer is one of
    the choices or its number from 1; without choices it is a text, or a list of texts any of which is right.
    """
    questions: dict[str, list[dict[str, Any]]] = {}
    for number, row in enumerate(objects(path), 1):
        try:
            document = fields.text(row.get("document"), "document")
            question = check_question({key: value for key, value in row.items() if key != "document"})
        except AdjudgeError as error:
            raise DataError(f"{path}, line {number}: {error}") from None
        questions.setdefault(document, []).append(question)
    return questions


def check_question(row: Mapping[str, Any]) -> dict[str, Any]:
    """A question in its one form: choices are answered by their number from 0."""
    fields.check_keys(row, KEYS)
    question = {"question": fields.text(row.get("question"), "question")}
    choices = row.get("choices")
    if choices is None:
        return {**question, "answer": _answers(row.get("answer"))}
    fields.texts(choices, "choices", "a list of two texts or more", fewest=2)
    if len(set(choices)) < len(choices):
        raise DataError("choices: the same one is there twice")
    answer = row.get("answer")
    if answer in choices:
        place = choices.index(answer)
    elif fields.is_whole(answer) and 1 <= answer <= len(choices):
        place = answer - 1
    else:
        raise DataError(f"answer: one of the choices was expected, or its number from 1, not {answer!r}")
    return {**question, "choices": list(choices), "answer": place}


def _answers(answer: Any) -> list[str]:
    answers = answer if isinstance(answer, list) else [answer]
    if not answers or not fields.is_texts(answers):
        raise DataError(f"answer: a text was expected, or a list of texts, not {answer!r}")
    return answers
