"""Items to learn on: each with the answer that is expected, and what to say about it. One JSON object a line.

    {"segment": "3", "translation": "…", "expected": {"score": [0, 30]}, "feedback": {"score": "Half is missing."}}

An item is about a `segment` of the test set, or brings its own `source` and `reference`. `expected` names fields of the
protocol: a score or the lowest and the highest (`[60, 80]`), true or false, ranks, errors that must be marked (`[]`:
none), the edited text or a list of such.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from adjudge.campaigns import questions
from adjudge.campaigns.campaign import Campaign
from adjudge.campaigns.expectations import expectation, is_right, right_answer
from adjudge.campaigns.fields import Field, Questions
from adjudge.campaigns.items import CampaignMaterial, Candidate, Item
from adjudge.campaigns.keys import item_key
from adjudge.errors import AdjudgeError, DataError
from adjudge.io import fields as values
from adjudge.io.jsonl import objects
from adjudge.wording import counted

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
    """What is said to an answer."""

    right: bool | None
    """None where nothing was expected."""
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
    """What to say to an answer that its protocol has checked."""
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
        extra["questions"] = [questions.check_question(question) for question in asked]
    elif "questions" in row:
        raise DataError("questions: only comprehension asks questions")
    texts = [text for candidate in candidates for text in candidate.texts]
    key = item_key(campaign.assignment.seed, "tutorial", segments, texts, number=number)
    plain = Item(key, segments, candidates, kind="tutorial", extra=extra)
    extra["expected"] = _expected(row.get("expected", {}), plain, campaign, material)
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
        return (Candidate((SYSTEM,), _listed(row, "translation", campaign.protocol.unit == "document")),)
    texts = row.get("translations")
    if not isinstance(texts, list) or not all(isinstance(text, str) for text in texts):
        raise DataError("translations: a list of texts was expected")
    if not fewest <= len(texts) <= most or len(set(texts)) < len(texts):
        raise DataError(f"translations: from {fewest} to {most} different texts were expected")
    return tuple(Candidate((f"{SYSTEM} {place}",), (text,)) for place, text in enumerate(texts, 1))


def _listed(row: Mapping[str, Any], key: str, many: bool) -> tuple[str, ...]:
    """One text, or those of a document."""
    value = row.get(key)
    texts = value if many and isinstance(value, list) and value else [value]
    if not all(isinstance(text, str) for text in texts):
        wanted = "a text or a list of texts" if many else "a text"
        raise DataError(
            f"{key}: missing" if value is None else f"{key}: {wanted} was expected, not {value!r}"
        )
    return tuple(texts)


def _texts(
    row: Mapping[str, Any], length: int, campaign: Campaign, material: CampaignMaterial
) -> tuple[tuple[int, ...], dict[str, Any]]:
    """The segments of the test set that an item is about, and its own texts instead of theirs."""
    protocol, extra = campaign.protocol, dict[str, Any]()
    for key, kept in (("source", "sources"), ("reference", "references")):
        if key in row:
            texts = _listed(row, key, protocol.unit == "document")
            if len(texts) != length:
                raise DataError(f"{key}: {counted(len(texts), 'text')}, but the translation has {length}")
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


def _expected(value: Any, item: Item, campaign: Campaign, material: CampaignMaterial) -> dict[str, Any]:
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
