"""What a tutorial expects of an answer: checked when it is loaded, held against what people say."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from adjudge.campaigns.fields import Edit, Field, Questions, Ranks, Slider, Spans, YesNo
from adjudge.campaigns.items import Item
from adjudge.errors import DataError
from adjudge.io import fields as values

Expectation = Mapping[str, Any]
"""`as`, the kind of it, and its `value`: a range, an answer, errors, edits or questions."""


def expectation(field: Field, wanted: Any, item: Item, sources: Sequence[str]) -> Expectation:
    """What a file expects of a field, in its one form; DataError where no answer could be so."""
    for kind, way in _EXPECTATIONS.items():
        if isinstance(field, kind):
            name, value = way(field, wanted, item, sources)
            return {"as": name, "value": value}
    raise DataError("nothing can be expected of this field")


def is_right(expected: Expectation, answer: Any, item: Item) -> bool:
    """Whether an answer that its protocol has checked is as expected."""
    return _VERDICTS[expected["as"]](expected["value"], answer, item)


def right_answer(expected: Expectation) -> Any:
    """What would have been right, as the browser shows answers."""
    return _SHOWN.get(expected["as"], _itself)(expected["value"])


def _range(field: Field, wanted: Any, item: Item, sources: Sequence[str]) -> tuple[str, Any]:
    """A number, or the lowest and the highest that are right."""
    ends = wanted if isinstance(wanted, list) else [wanted, wanted]
    if len(ends) != 2:
        raise DataError(f"a number was expected, or the lowest and the highest, not {wanted!r}")
    low, high = (field.check(end, item, sources) for end in ends)
    if low > high:
        raise DataError(f"{low} is more than {high}")
    return "range", [low, high]


def _exact(field: Field, wanted: Any, item: Item, sources: Sequence[str]) -> tuple[str, Any]:
    """The answer itself."""
    return "answer", field.check(wanted, item, sources)


def _errors(field: Field, wanted: Any, item: Item, sources: Sequence[str]) -> tuple[str, Any]:
    """Errors that must be marked; what is not said of them (severity, category) may be anything."""
    assert isinstance(field, Spans)
    if not isinstance(wanted, list) or not all(isinstance(error, dict) for error in wanted):
        raise DataError("a list of errors was expected")
    first = min(field.known_categories(), default="")
    whole = [{"severity": field.severities[0], "category": first, **error} for error in wanted]
    checked = field.check(whole, item, sources)
    always = ("start", "end", "side", "segment")
    kept = [
        {key: value for key, value in error.items() if key in always or key in given}
        for error, given in zip(checked, wanted, strict=True)
    ]
    return "errors", kept


def _edited(field: Field, wanted: Any, item: Item, sources: Sequence[str]) -> tuple[str, Any]:
    """One of the two other answers, or every text that is right."""
    texts = wanted if isinstance(wanted, list) else [wanted]
    if not texts or not values.is_texts(texts):
        raise DataError("a text was expected, or a list of texts")
    return "edit", [" ".join(text.split()) for text in texts]


_EXPECTATIONS: Mapping[type[Field], Callable[[Field, Any, Item, Sequence[str]], tuple[str, Any]]] = {
    Slider: _range,
    YesNo: _exact,
    Ranks: _exact,
    Spans: _errors,
    Edit: _edited,
}


def _in_range(wanted: Any, answer: Any, item: Item) -> bool:
    return bool(wanted[0] <= answer <= wanted[1])


def _same(wanted: Any, answer: Any, item: Item) -> bool:
    return bool(wanted == answer)


def _marked(wanted: Any, answer: Any, item: Item) -> bool:
    """Whether every expected error is marked, and none where there are none."""
    if not wanted:
        return not answer
    return all(any(_covers(error, other) for other in answer) for error in wanted)


def _covers(wanted: Mapping[str, Any], marked: Mapping[str, Any]) -> bool:
    named = [key for key in wanted if key not in ("start", "end")]
    if any(wanted[key] != marked.get(key, 0 if key == "segment" else None) for key in named):
        return False
    if wanted["start"] is None or marked["start"] is None:
        return bool(wanted["start"] == marked["start"])
    return bool(wanted["start"] < marked["end"] and marked["start"] < wanted["end"])


def _corrected(wanted: Any, answer: Any, item: Item) -> bool:
    if answer["state"] != "edited":
        return answer["state"] in wanted
    return answer["text"] in wanted


def _answered(wanted: Any, answer: Any, item: Item) -> bool:
    return all(row.score == 1 for row in Questions("answers").rows(answer, item, ""))


_VERDICTS: Mapping[str, Callable[[Any, Any, Item], bool]] = {
    "range": _in_range,
    "answer": _same,
    "errors": _marked,
    "edit": _corrected,
    "questions": _answered,
}


def _itself(value: Any) -> Any:
    return value


def _state(value: Any) -> dict[str, str]:
    return {"state": value[0]} if value[0] in Edit.STATES else {"state": "edited", "text": value[0]}


_SHOWN: Mapping[str, Callable[[Any], Any]] = {
    "range": lambda value: value[0] if value[0] == value[1] else f"{value[0]}–{value[1]}",
    "edit": _state,
}
