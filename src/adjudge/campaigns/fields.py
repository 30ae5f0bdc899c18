"""The kinds of answers: how each is asked, what makes it complete, and which rows it gives.

A field is declared by a protocol. The browser gets `screen()` and draws the widget of that name; the answer comes
back and `check()` refuses what is missing or impossible, whatever the browser let through; `rows()` makes of it what
`adjudge human analyse` reads.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, ClassVar

from adjudge.campaigns.items import Item
from adjudge.data.judgements import Span
from adjudge.database.problems import flaw
from adjudge.errors import DataError

LONGEST = 20_000
"""Longest text of an answer, in characters."""
MOST_SPANS = 500


class AnswerError(DataError):
    """An incomplete or impossible answer; `field` names the field to correct."""

    def __init__(self, field: str, message: str) -> None:
        super().__init__(message)
        self.field = field


@dataclass(frozen=True)
class AnswerRow:
    """What an answer says about one system, or about one system compared with another."""

    criterion: str
    system: str
    score: float = math.nan
    other: str = ""
    segment: int = 0
    spans: tuple[Span, ...] | None = None
    measures: Mapping[str, float] = field(default_factory=dict)
    text: str | None = None
    """The edited output."""


@dataclass(frozen=True)
class Field:
    """One question on the screen."""

    name: str
    criterion: str = ""
    """What is measured, where it differs from the protocol's name: adequacy, fluency."""
    optional: bool = False

    widget: ClassVar[str] = ""

    def screen(self) -> dict[str, Any]:
        """What the browser needs to ask."""
        return {"widget": self.widget, **asdict(self)}

    def check(self, value: Any, item: Item, sources: Sequence[str] = ()) -> Any:
        """The answer in canonical form; AnswerError if it is missing or impossible.

        `sources` are the texts that the item's segments translate.
        """
        raise NotImplementedError

    def rows(self, value: Any, item: Item, criterion: str) -> Iterator[AnswerRow]:
        """The rows of the answer, one or more per system."""
        raise NotImplementedError

    def refuse(self, message: str) -> AnswerError:
        """An error of this field."""
        return AnswerError(self.name, message)


@dataclass(frozen=True)
class Slider(Field):
    """A slider without a default value."""

    low: int = 0
    high: int = 100
    anchors: tuple[tuple[int, str], ...] = ()
    """Labelled positions, with the names of their texts."""
    widget: ClassVar[str] = "slider"

    def check(self, value: Any, item: Item, sources: Sequence[str] = ()) -> int:
        """A whole number on the line."""
        if value is None:
            raise self.refuse("no score is set")
        number = _whole_number(value)
        if number is None or not self.low <= number <= self.high:
            raise self.refuse(f"a score from {self.low} to {self.high} was expected, not {value!r}")
        return number

    def rows(self, value: Any, item: Item, criterion: str) -> Iterator[AnswerRow]:
        """The score of every system that made the candidate, on each segment that was judged as one."""
        for system in item.systems:
            yield AnswerRow(criterion, system, float(value), segment=item.segments[0])


@dataclass(frozen=True)
class LabelledScale(Slider):
    """A few labelled points, 1 up to 4, 5, 7 or 10."""

    low: int = 1
    high: int = 5
    widget: ClassVar[str] = "scale"


@dataclass(frozen=True)
class YesNo(Field):
    """Yes or no."""

    widget: ClassVar[str] = "yes-no"

    def check(self, value: Any, item: Item, sources: Sequence[str] = ()) -> bool:
        """True or false."""
        if not isinstance(value, bool):
            raise self.refuse(
                "yes or no was expected" if value is not None else "neither yes nor no is chosen"
            )
        return value

    def rows(self, value: Any, item: Item, criterion: str) -> Iterator[AnswerRow]:
        """1 for yes, 0 for no."""
        for system in item.systems:
            yield AnswerRow(criterion, system, float(value), segment=item.segments[0])


@dataclass(frozen=True)
class Ranks(Field):
    """A rank for each candidate, 1 for the best; equal ranks are ties."""

    ties: bool = True
    widget: ClassVar[str] = "ranks"

    def check(self, value: Any, item: Item, sources: Sequence[str] = ()) -> list[int]:
        """A rank for every candidate, closed up: 1, 3, 3 becomes 1, 2, 2."""
        count = len(item.candidates)
        if not isinstance(value, Sequence) or isinstance(value, str) or len(value) != count:
            raise self.refuse(f"a rank for each of the {count} translations was expected")
        ranks = [_whole_number(rank) for rank in value]
        missing = [str(i + 1) for i, rank in enumerate(ranks) if rank is None]
        if missing:
            raise self.refuse(f"no rank is set for translation {', '.join(missing)}")
        known = [rank for rank in ranks if rank is not None]
        if not all(1 <= rank <= count for rank in known):
            raise self.refuse(f"ranks go from 1 to {count}")
        if not self.ties and len(set(known)) < count:
            raise self.refuse("two translations have the same rank; ties are not allowed here")
        order = sorted(set(known))
        return [order.index(rank) + 1 for rank in known]

    def rows(self, value: Any, item: Item, criterion: str) -> Iterator[AnswerRow]:
        """Every pair in the order of the screen; systems of one and the same output tie."""
        shown = [
            (system, value[place])
            for place, candidate in enumerate(item.candidates)
            for system in candidate.systems
        ]
        for i, (system, rank) in enumerate(shown):
            for other, below in shown[i + 1 :]:
                score = float((rank < below) - (rank > below))
                yield AnswerRow(criterion, system, score, other, item.segments[0])


@dataclass(frozen=True)
class PreferenceField(Ranks):
    """Choices between two systems."""

    widget: ClassVar[str] = "preference"

    def check(self, value: Any, item: Item, sources: Sequence[str] = ()) -> list[int]:
        """`first`, `second` or `tie`, stored as ranks."""
        choices = {"first": [1, 2], "second": [2, 1], **({"tie": [1, 1]} if self.ties else {})}
        if value is None:
            raise self.refuse("no choice is made")
        if isinstance(value, list):  # what was kept is an answer as well
            return super().check(value, item, sources)
        if not isinstance(value, str) or value not in choices:
            raise self.refuse(f"one of {', '.join(choices)} was expected, not {value!r}")
        return choices[value]


@dataclass(frozen=True)
class Spans(Field):
    """Errors marked in the translation, and in the source where the protocol asks for it."""

    severities: tuple[str, ...] = ("minor", "major")
    categories: tuple[tuple[str, tuple[str, ...]], ...] = ()
    """Categories with their subcategories; none where only severities are marked."""
    definitions: tuple[tuple[str, str], ...] = ()
    """Definitions of categories, where the typology has them."""
    weights: tuple[tuple[str, float], ...] = ()
    """Weights of severities, where the typology has them."""
    source: bool = False
    """Whether the source's words can be marked too."""
    missing: bool = True
    """Whether something left out can be marked (at the token [missing])."""
    most: int = MOST_SPANS
    optional: bool = True
    widget: ClassVar[str] = "spans"

    def screen(self) -> dict[str, Any]:
        """The settings for the browser, without weights, which annotators must not see."""
        return {name: value for name, value in super().screen().items() if name != "weights"}

    def known_categories(self) -> set[str]:
        """Every category that can be chosen, written Category/Subcategory."""
        return {
            f"{name}/{below}" if below else name
            for name, inner in self.categories
            for below in (inner or ("",))
        }

    def check(self, value: Any, item: Item, sources: Sequence[str] = ()) -> list[dict[str, Any]]:
        """A list of spans inside their texts, each with a severity and, where there are any, a category."""
        if value is None:
            value = []
        if not isinstance(value, list):
            raise self.refuse("a list of marked errors was expected")
        if len(value) > self.most:
            raise self.refuse(f"more than {self.most} errors are marked")
        return [self._check_span(number, span, item, sources) for number, span in enumerate(value, 1)]

    def _check_span(self, number: int, span: Any, item: Item, sources: Sequence[str]) -> dict[str, Any]:
        if not isinstance(span, dict):
            raise self.refuse(f"error {number} is no object")
        severity, category = span.get("severity") or "", span.get("category") or ""
        side = span.get("side", "target")
        if severity not in self.severities:
            raise self.refuse(
                f"error {number} has no severity"
                if not severity
                else f"error {number}: unknown severity {severity!r}"
            )
        if not isinstance(category, str) or (not self.categories and category):
            raise self.refuse(f"error {number}: no category was expected")
        if self.categories and category not in self.known_categories():
            raise self.refuse(
                f"error {number} has no category"
                if not category
                else f"error {number}: unknown category {category!r}"
            )
        if side not in ("target", "source") or (side == "source" and not self.source):
            raise self.refuse(f"error {number}: only the translation can be marked")
        segment = _whole_number(span.get("segment", 0))
        if segment is None or not 0 <= segment < len(item.segments):
            raise self.refuse(f"error {number} lies in no segment that is shown")
        start, end = span.get("start"), span.get("end")
        if start is None and end is None:
            if not self.missing:
                raise self.refuse(f"error {number} has no place")
        else:
            first, last = _whole_number(start), _whole_number(end)
            texts = item.candidates[0].texts if side == "target" else sources
            if first is None or last is None or not 0 <= first < last <= len(texts[segment]):
                raise self.refuse(f"error {number} does not lie within the text")
            start, end = first, last
        checked = {"start": start, "end": end, "severity": severity, "category": category, "side": side}
        return checked if len(item.segments) == 1 else {**checked, "segment": segment}

    def rows(self, value: Any, item: Item, criterion: str) -> Iterator[AnswerRow]:
        """The errors of each segment, one row per segment and system."""
        weights = dict(self.weights)
        for place, segment in enumerate(item.segments):
            spans = tuple(
                Span(
                    error["start"],
                    error["end"],
                    error["severity"],
                    error["category"],
                    error["side"],
                    weights.get(error["severity"]),
                )
                for error in value
                if error.get("segment", 0) == place
            )
            for system in item.systems:
                yield AnswerRow(criterion, system, segment=segment, spans=spans)


@dataclass(frozen=True)
class Edit(Field):
    """The translation, to be corrected; keystrokes and actions are counted."""

    widget: ClassVar[str] = "edit"
    STATES: ClassVar[tuple[str, ...]] = ("edited", "no corrections needed", "unable to correct")
    ACTIONS: ClassVar[tuple[str, ...]] = ("insertions", "deletions", "pastes", "cuts", "undos", "moves")

    def check(self, value: Any, item: Item, sources: Sequence[str] = ()) -> dict[str, Any]:
        """The edited text, and the effort."""
        if not isinstance(value, dict):
            raise self.refuse("nothing is corrected yet, and neither of the two other answers is chosen")
        state = value.get("state")
        if state not in self.STATES:
            raise self.refuse(f"one of {', '.join(self.STATES)} was expected")
        original, text = item.candidates[0].texts[0], value.get("text")
        if state != "edited":
            text = original
        elif not isinstance(text, str) or not text.strip():
            raise self.refuse("the corrected text is empty; say “unable to correct” if that is meant")
        elif len(text) > LONGEST:
            raise self.refuse(f"the text is longer than {LONGEST} characters")
        elif flaw(text):
            raise self.refuse("the text holds characters that are none (NUL, or half of a pair)")
        elif text.split() == original.split():
            raise self.refuse("nothing was changed; say “no corrections needed” if that is meant")
        actions = value.get("actions") or {}
        if not isinstance(actions, dict):
            raise self.refuse("the counts of actions are no object")
        counted = {name: _whole_number(actions.get(name, 0)) for name in self.ACTIONS}
        keystrokes = _whole_number(value.get("keystrokes", 0))
        if keystrokes is None or keystrokes < 0 or any(n is None or n < 0 for n in counted.values()):
            raise self.refuse("keystrokes and actions are counted from 0 up")
        return {"state": state, "text": " ".join(text.split()), "keystrokes": keystrokes, "actions": counted}

    def rows(self, value: Any, item: Item, criterion: str) -> Iterator[AnswerRow]:
        """The edited text, with its keystrokes and actions; the export adds HTER."""
        measures = {"keystrokes": float(value["keystrokes"])}
        measures |= {name: float(count) for name, count in value["actions"].items()}
        measures["unable"] = float(value["state"] == "unable to correct")
        text = None if value["state"] == "unable to correct" else value["text"]
        for system in item.systems:
            yield AnswerRow(criterion, system, segment=item.segments[0], measures=measures, text=text)


@dataclass(frozen=True)
class Questions(Field):
    """Questions on the text, answered from the translation alone; the key stays on the server."""

    widget: ClassVar[str] = "questions"

    def check(self, value: Any, item: Item, sources: Sequence[str] = ()) -> list[Any]:
        """An answer to each question: the number of a choice, or words."""
        questions = item.extra.get("questions", ())
        if not isinstance(value, list) or len(value) != len(questions):
            raise self.refuse(f"an answer to each of the {len(questions)} questions was expected")
        return [
            self._check_answer(n, answer, q)
            for n, (answer, q) in enumerate(zip(value, questions, strict=True), 1)
        ]

    def _check_answer(self, number: int, answer: Any, question: Mapping[str, Any]) -> int | str:
        choices = question.get("choices")
        if answer is None or answer == "":
            raise self.refuse(f"question {number} is not answered")
        if choices:
            chosen = _whole_number(answer)
            if chosen is None or not 0 <= chosen < len(choices):
                raise self.refuse(f"question {number}: one of {len(choices)} choices was expected")
            return chosen
        if not isinstance(answer, str) or len(answer) > LONGEST or flaw(answer):
            raise self.refuse(f"question {number}: a short text was expected")
        return " ".join(answer.split())

    def rows(self, value: Any, item: Item, criterion: str) -> Iterator[AnswerRow]:
        """The share of correct answers."""
        questions = item.extra.get("questions", ())
        right = [_is_right(answer, question) for answer, question in zip(value, questions, strict=True)]
        score = math.fsum(right) / len(right) if right else math.nan
        for system in item.systems:
            yield AnswerRow(
                criterion, system, score, segment=item.segments[0], measures={"questions": len(right)}
            )


def _is_right(answer: int | str, question: Mapping[str, Any]) -> bool:
    """Whether an answer is the key, or one of the keys; words are compared without case and punctuation."""
    keys = question["answer"] if isinstance(question["answer"], (list, tuple)) else [question["answer"]]
    if isinstance(answer, str):
        return _plain(answer) in {_plain(str(key)) for key in keys}
    return answer in keys


def _plain(text: str) -> str:
    letters = "".join(c if c.isalnum() or c.isspace() else " " for c in text.casefold())
    return " ".join(letters.split())


def _whole_number(value: Any) -> int | None:
    """A whole number, also where JSON wrote 70.0; None for anything else."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return None
    if isinstance(value, float) and not value.is_integer():
        return None
    return int(value)
