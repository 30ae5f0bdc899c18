"""Items to learn on: each with the answer that is expected, and what to say about it. One JSON object a line.

    {"segment": "3", "translation": "…", "expected": {"score": [0, 30]}, "feedback": {"score": "Half is missing."}}

An item is about a `segment` of the test set, or brings its own `source` and `reference`. `expected` names fields of the
protocol: a score or the lowest and the highest (`[60, 80]`), true or false, ranks, errors that must be marked (`[]`:
none), the edited text or a list of such.

Questions on documents, for the protocol `comprehension`, are one JSON object per line as well.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from adjudge.campaigns.campaign import Campaign
from adjudge.campaigns.fields import Edit, Field, Questions, Ranks, Slider, Spans, YesNo
from adjudge.campaigns.items import CampaignMaterial, Candidate, Item, item_key
from adjudge.errors import AdjudgeError, DataError
from adjudge.io import fields as values
from adjudge.io.jsonl import objects
from adjudge.wording import pluralise

QUESTION_KEYS = ("document", "question", "choices", "answer")
Expectation = Mapping[str, Any]
"""`as`, the kind of it, and its `value`: a range, an answer, errors, edits or questions."""
KEYS = (
    "segment",
    "source",
    "reference",
    "translation",
    "translations",
    "questions",
    "expected",
    "feedback",
)
SYSTEM = "tutorial"


@dataclass(frozen=True)
class Feedback:
    """Feedback on an answer."""

    right: bool | None
    """Whether the answer is right; None if nothing was expected."""
    text: str
    expected: Mapping[str, Any]
    """What would have been right, field by field, as far as it can be shown."""
    fields: Mapping[str, bool]
    """Which of the fields are right."""

    def as_json(self) -> dict[str, Any]:
        """For the browser."""
        return {
            "right": self.right,
            "text": self.text,
            "expected": dict(self.expected),
            "fields": dict(self.fields),
        }


def load(path: str, campaign: Campaign, material: CampaignMaterial) -> tuple[Item, ...]:
    """The items of a file; DataError names the file, the line and the field."""
    items = []
    for number, row in enumerate(objects(path), 1):
        try:
            items.append(_item(row, number, campaign, material))
        except AdjudgeError as error:
            raise DataError(f"{path}, line {number}: {error}") from None
    return tuple(items)


def feedback(item: Item, answer: Mapping[str, Any]) -> Feedback:
    """Feedback on an answer that its protocol has checked."""
    expected = item.extra.get("expected", {})
    right = {name: is_right(wanted, answer[name], item) for name, wanted in expected.items()}
    replies = item.extra.get("feedback", {})
    texts = [replies.get("", "")]
    for name, text in replies.items():
        if name:
            texts.append(text if isinstance(text, str) else text.get(_words(right.get(name, True)), ""))
    return Feedback(
        all(right.values()) if right else None,
        "\n\n".join(text for text in texts if text),
        {name: right_answer(wanted) for name, wanted in expected.items()},
        right,
    )


def _words(right: bool) -> str:
    return "right" if right else "wrong"


def _item(row: Mapping[str, Any], number: int, campaign: Campaign, material: CampaignMaterial) -> Item:
    values.check_keys(row, KEYS)
    candidates = _candidates(row, campaign)
    length = len(candidates[0].texts)
    segments, extra = _texts(row, length, campaign, material)
    if campaign.protocol.name == "comprehension":
        asked = row.get("questions")
        if (
            not isinstance(asked, list)
            or not asked
            or not all(isinstance(question, dict) for question in asked)
        ):
            raise DataError("questions: a list of questions was expected, each with its answer")
        extra["questions"] = [check_question(question) for question in asked]
    elif "questions" in row:
        raise DataError("questions: only comprehension asks questions")
    texts = [text for candidate in candidates for text in candidate.texts]
    key = item_key(campaign.assignment.seed, "tutorial", segments, texts, number=number)
    plain = Item(key, segments, candidates, kind="tutorial", extra=extra)
    extra["expected"] = _read_expected(row.get("expected", {}), plain, campaign, material)
    extra["feedback"] = _replies(row.get("feedback", ""), campaign)
    if not extra["expected"] and not extra["feedback"]:
        raise DataError("expected: missing, and no feedback either; there is nothing to learn here")
    return Item(key, segments, candidates, kind="tutorial", extra=extra)


def _candidates(row: Mapping[str, Any], campaign: Campaign) -> tuple[Candidate, ...]:
    fewest, most = campaign.protocol.candidates
    if most == 1:
        if "translations" in row:
            raise DataError(
                f"translations: {campaign.protocol.name} shows one; write it as a text under translation"
            )
        return (Candidate((SYSTEM,), _text_list(row, "translation", campaign.protocol.unit == "document")),)
    texts = row.get("translations")
    if not isinstance(texts, list) or not all(isinstance(text, str) for text in texts):
        raise DataError("translations: a list of texts was expected")
    if not fewest <= len(texts) <= most or len(set(texts)) < len(texts):
        raise DataError(f"translations: from {fewest} to {most} different texts were expected")
    return tuple(Candidate((f"{SYSTEM} {place}",), (text,)) for place, text in enumerate(texts, 1))


def _text_list(row: Mapping[str, Any], key: str, many: bool) -> tuple[str, ...]:
    """One text, or those of a document."""
    value = row.get(key)
    texts = value if many and isinstance(value, list) and value else [value]
    if not all(isinstance(text, str) for text in texts):
        expected = "a text or a list of texts" if many else "a text"
        raise DataError(
            f"{key}: missing" if value is None else f"{key}: {expected} was expected, not {value!r}"
        )
    return tuple(texts)


def _texts(
    row: Mapping[str, Any], length: int, campaign: Campaign, material: CampaignMaterial
) -> tuple[tuple[int, ...], dict[str, Any]]:
    """The segments of the test set that an item is about, and its own texts instead of theirs."""
    protocol, extra = campaign.protocol, dict[str, Any]()
    for key, kept in (("source", "sources"), ("reference", "references")):
        if key in row:
            texts = _text_list(row, key, protocol.unit == "document")
            if len(texts) != length:
                raise DataError(f"{key}: {pluralise(len(texts), 'text')}, but the translation has {length}")
            extra[kept] = list(texts)
    if "segment" in row:
        names = material.names()
        if str(row["segment"]) not in names:
            raise DataError(f"segment: there is no segment {row['segment']!r} in the test set")
        if length > 1:
            raise DataError("segment: a document brings its own source and reference")
        return (names.index(str(row["segment"])),), extra
    for is_shown, key, kept in (
        (protocol.shows_source, "source", "sources"),
        (protocol.shows_reference, "reference", "references"),
    ):
        if is_shown and kept not in extra:
            raise DataError(
                f"{key}: missing; {protocol.name} shows it here (or name a segment of the test set)"
            )
    return (0,) * length, extra


def _replies(value: Any, campaign: Campaign) -> dict[str, Any]:
    """The replies to an answer: one to the item, or one a field; of a right and a wrong answer where they differ."""
    if isinstance(value, str):
        return {"": value} if value.strip() else {}
    if not isinstance(value, dict):
        raise DataError(f"feedback: a text was expected, or one for each field, not {value!r}")
    for name, text in value.items():
        _field(campaign, "feedback", name)
        pair = isinstance(text, dict) and all(
            key in ("right", "wrong") and isinstance(reply, str) for key, reply in text.items()
        )
        if not isinstance(text, str) and not pair:
            raise DataError(f"feedback.{name}: a text was expected, or a table of right and wrong")
    return dict(value)


def _field(campaign: Campaign, where: str, name: str) -> Field:
    known = {field.name: field for field in campaign.protocol.fields}
    values.check_keys((name,), known, f"{where}.")
    return known[name]


def _read_expected(value: Any, item: Item, campaign: Campaign, material: CampaignMaterial) -> dict[str, Any]:
    values.table(value, "expected", "a table of fields")
    own, known = item.extra.get("sources"), material.test_set.sources
    sources = own or [known[n] if known is not None else "" for n in item.segments]
    expected: dict[str, Any] = {}
    for name, wanted in value.items():
        field = _field(campaign, "expected", name)
        try:
            expected[name] = expectation(field, wanted, item, sources)
        except AdjudgeError as error:
            raise DataError(f"expected.{name}: {error}") from None
    for field in campaign.protocol.fields:
        if isinstance(field, Questions):
            expected[field.name] = {
                "as": "questions",
                "value": [q["answer"] for q in item.extra["questions"]],
            }
    return expected


def expectation(field: Field, expected: Any, item: Item, sources: Sequence[str]) -> Expectation:
    """The expected answer of a field in canonical form; DataError if no answer could match it."""
    for kind, way in _EXPECTATIONS.items():
        if isinstance(field, kind):
            name, value = way(field, expected, item, sources)
            return {"as": name, "value": value}
    raise DataError("nothing can be expected of this field")


def is_right(expected: Expectation, answer: Any, item: Item) -> bool:
    """Whether an answer that its protocol has checked is as expected."""
    return _VERDICTS[expected["as"]](expected["value"], answer, item)


def right_answer(expected: Expectation) -> Any:
    """What would have been right, as the browser shows answers."""
    value = expected["value"]
    return _SHOWN[expected["as"]](value) if expected["as"] in _SHOWN else value


def _range(field: Field, expected: Any, item: Item, sources: Sequence[str]) -> tuple[str, Any]:
    """A number, or the lowest and the highest that are right."""
    ends = expected if isinstance(expected, list) else [expected, expected]
    if len(ends) != 2:
        raise DataError(f"a number was expected, or the lowest and the highest, not {expected!r}")
    low, high = (field.check(end, item, sources) for end in ends)
    if low > high:
        raise DataError(f"{low} is more than {high}")
    return "range", [low, high]


def _exact(field: Field, expected: Any, item: Item, sources: Sequence[str]) -> tuple[str, Any]:
    """The answer itself."""
    return "answer", field.check(expected, item, sources)


def _errors(field: Field, expected: Any, item: Item, sources: Sequence[str]) -> tuple[str, Any]:
    """Errors that must be marked; what is not said of them (severity, category) may be anything."""
    assert isinstance(field, Spans)
    if not isinstance(expected, list) or not all(isinstance(error, dict) for error in expected):
        raise DataError("a list of errors was expected")
    first = min(field.known_categories(), default="")
    whole = [{"severity": field.severities[0], "category": first, **error} for error in expected]
    checked = field.check(whole, item, sources)
    always = ("start", "end", "side", "segment")
    errors = [
        {key: value for key, value in error.items() if key in always or key in given}
        for error, given in zip(checked, expected, strict=True)
    ]
    return "errors", errors


def _check_edit(field: Field, expected: Any, item: Item, sources: Sequence[str]) -> tuple[str, Any]:
    """One of the two other answers, or every text that is right."""
    texts = expected if isinstance(expected, list) else [expected]
    if not texts or not values.is_texts(texts):
        raise DataError("a text was expected, or a list of texts")
    return "edit", [" ".join(text.split()) for text in texts]


_EXPECTATIONS: Mapping[type[Field], Callable[[Field, Any, Item, Sequence[str]], tuple[str, Any]]] = {
    Slider: _range,
    YesNo: _exact,
    Ranks: _exact,
    Spans: _errors,
    Edit: _check_edit,
}


def _in_range(expected: Any, answer: Any, item: Item) -> bool:
    return bool(expected[0] <= answer <= expected[1])


def _same(expected: Any, answer: Any, item: Item) -> bool:
    return bool(expected == answer)


def _marks_match(expected: Any, answer: Any, item: Item) -> bool:
    """Whether every expected error is marked, and none where there are none."""
    if not expected:
        return not answer
    return all(any(_covers(error, other) for other in answer) for error in expected)


def _covers(expected: Mapping[str, Any], marked: Mapping[str, Any]) -> bool:
    named = [key for key in expected if key not in ("start", "end")]
    if any(expected[key] != marked.get(key, 0 if key == "segment" else None) for key in named):
        return False
    if expected["start"] is None or marked["start"] is None:
        return bool(expected["start"] == marked["start"])
    return bool(expected["start"] < marked["end"] and marked["start"] < expected["end"])


def _is_corrected(expected: Any, answer: Any, item: Item) -> bool:
    if answer["state"] != "edited":
        return answer["state"] in expected
    return answer["text"] in expected


def _is_answered(expected: Any, answer: Any, item: Item) -> bool:
    return all(row.score == 1 for row in Questions("answers").rows(answer, item, ""))


_VERDICTS: Mapping[str, Callable[[Any, Any, Item], bool]] = {
    "range": _in_range,
    "answer": _same,
    "errors": _marks_match,
    "edit": _is_corrected,
    "questions": _is_answered,
}


def _state(value: Any) -> dict[str, str]:
    return {"state": value[0]} if value[0] in Edit.STATES else {"state": "edited", "text": value[0]}


_SHOWN: Mapping[str, Callable[[Any], Any]] = {
    "range": lambda value: value[0] if value[0] == value[1] else f"{value[0]}–{value[1]}",
    "edit": _state,
}


def load_questions(path: str) -> dict[str, list[dict[str, Any]]]:
    """The questions of every document, in the order of the file; DataError names the file and the line.

    A line has a `document`, a `question`, an `answer` and, where one is to be chosen, `choices`. The answer is one of
    the choices or its number from 1; without choices it is a text, or a list of texts any of which is right.
    """
    questions: dict[str, list[dict[str, Any]]] = {}
    for number, row in enumerate(objects(path), 1):
        try:
            document = values.text(row.get("document"), "document")
            question = check_question({key: value for key, value in row.items() if key != "document"})
        except AdjudgeError as error:
            raise DataError(f"{path}, line {number}: {error}") from None
        questions.setdefault(document, []).append(question)
    return questions


def check_question(row: Mapping[str, Any]) -> dict[str, Any]:
    """A question in canonical form: choices are answered by number, from 0."""
    values.check_keys(row, QUESTION_KEYS)
    question = {"question": values.text(row.get("question"), "question")}
    choices = row.get("choices")
    if choices is None:
        return {**question, "answer": _question_answers(row.get("answer"))}
    values.texts(choices, "choices", "a list of two texts or more", fewest=2)
    if len(set(choices)) < len(choices):
        raise DataError("choices: the same one is there twice")
    answer = row.get("answer")
    if answer in choices:
        place = choices.index(answer)
    elif values.is_whole(answer) and 1 <= answer <= len(choices):
        place = answer - 1
    else:
        raise DataError(f"answer: one of the choices was expected, or its number from 1, not {answer!r}")
    return {**question, "choices": list(choices), "answer": place}


def _question_answers(answer: Any) -> list[str]:
    answers = answer if isinstance(answer, list) else [answer]
    if not answers or not values.is_texts(answers):
        raise DataError(f"answer: a text was expected, or a list of texts, not {answer!r}")
    return answers
