"""What an answer of a model says; what cannot be read raises Unreadable with the reason, and never becomes a number."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from adjudge.data.error_weights import SEVERITIES
from adjudge.data.judgements import Span
from adjudge.metrics.judges.endpoint import Reply

NUMBER = re.compile(r"(?<![\w.,])[-−+]?\d+(?:[.,]\d+)?(?![\w])")
LABELLED = re.compile(r"\b(?:score|rating|grade)\b\W{0,20}?(-?\d+(?:\.\d+)?)(?!\w)", re.IGNORECASE)
OF_HUNDRED = re.compile(r"(?<![\w.])(-?\d+(?:\.\d+)?)\s*(?:/|out of)\s*100\b")
THOUGHTS = re.compile(r"<think>.*?</think>", re.DOTALL | re.IGNORECASE)
CHOICES = {"a": 1, "b": -1, "t": 0, "tie": 0}
"""1 where the first of two is the better one, −1 for the second, 0 for neither."""


class Unreadable(Exception):
    """An answer says nothing that was asked for."""


@dataclass(frozen=True)
class Marks:
    """Errors that a model marked in an output, and the score it gave, if it was asked for one."""

    spans: tuple[Span, ...]
    score: float = math.nan
    unplaced: int = 0
    """Errors whose words do not stand in the output."""


def read_score(reply: Reply) -> float:
    """A score from 0 to 100: the only number there is, or the one that is called the score."""
    text = _answer_text(reply)
    candidates = {float(answer) for answer in [*LABELLED.findall(text), *OF_HUNDRED.findall(text)]}
    if not candidates:
        candidates = {float(answer.replace("−", "-").replace(",", ".")) for answer in NUMBER.findall(text)}
    if not candidates:
        raise Unreadable("there is no number in it")
    if len(candidates) > 1:
        raise Unreadable("there are several numbers in it, and none is called the score")
    return _in_range(candidates.pop())


def read_marks(reply: Reply, output: str, *, scored: bool) -> Marks:
    """The errors in a JSON object, each in its place in the output, and its score where one was asked for."""
    answer = _object(_answer_text(reply))
    errors = answer.get("errors")
    if not isinstance(errors, list):
        raise Unreadable("there is no list of errors in it")
    places = _Places(output)
    spans = tuple(_span(error, places) for error in errors)
    if not scored:
        return Marks(spans, unplaced=places.unplaced)
    score = answer.get("score")
    if isinstance(score, bool) or not isinstance(score, int | float):
        raise Unreadable("there is no score in it")
    return Marks(spans, _in_range(float(score)), places.unplaced)


def read_choice(reply: Reply) -> int:
    """Which of two is better: 1 for A, −1 for B, 0 for neither."""
    words = re.findall(r"[A-Za-z]+", _answer_text(reply))
    bare = [word.lower() for word in words]
    if len(bare) == 1 and bare[0] in CHOICES:
        return CHOICES[bare[0]]
    # Within a sentence "a" is an article: only capitals are letters there.
    letters = {word for word in words if word in ("A", "B", "T")}
    starts_with_article = bool(words) and words[0] == "A" and len(words) > 1
    if len(letters) != 1 or (letters == {"A"} and starts_with_article):
        raise Unreadable("it names neither A nor B nor T alone")
    return CHOICES[letters.pop().lower()]


def _answer_text(reply: Reply) -> str:
    """The answer without what a model thought aloud before it."""
    if not reply.complete:
        raise Unreadable("it is cut off (max_tokens)")
    text = THOUGHTS.sub("", reply.text).strip()
    if not text:
        raise Unreadable("it is empty")
    return text


def _in_range(number: float) -> float:
    if not 0 <= number <= 100:
        raise Unreadable(f"{number:g} does not lie between 0 and 100")
    return number


def _object(text: str) -> Mapping[str, Any]:
    """The JSON object within an answer, of which there may be prose around."""
    decoder = json.JSONDecoder()
    for begin in re.finditer(r"\{", text):
        try:
            answer, _ = decoder.raw_decode(text, begin.start())
        except (ValueError, RecursionError):
            continue
        if isinstance(answer, dict):
            return answer
    raise Unreadable("there is no JSON object in it")


class _Places:
    """Where quoted words stand in an output; the same words again stand further on."""

    def __init__(self, output: str) -> None:
        self.output = output
        self.unplaced = 0
        self._next: dict[str, int] = {}

    def of(self, quote: str) -> tuple[int, int] | None:
        """The place of a quote, None where it stands nowhere."""
        for text, words in self._spellings(quote):
            begin = text.find(words, self._next.get(quote, 0))
            begin = text.find(words) if begin < 0 else begin
            if begin >= 0:
                self._next[quote] = begin + len(words)
                return begin, begin + len(words)
        self.unplaced += 1
        return None

    def _spellings(self, quote: str) -> Iterator[tuple[str, str]]:
        yield self.output, quote
        yield self.output, quote.strip(" \t\n\"'“”„«»")
        lowered = self.output.lower()
        if len(lowered) == len(self.output):  # else places would shift
            yield lowered, quote.lower().strip()


def _span(error: Any, places: _Places) -> Span:
    if not isinstance(error, dict):
        raise Unreadable("an error in it is no object")
    severity, category = error.get("severity"), error.get("category") or ""
    quote = error.get("quote", error.get("text", ""))
    if not isinstance(severity, str) or severity.strip().lower() not in SEVERITIES:
        raise Unreadable("an error in it has no severity that is known")
    if not isinstance(quote or "", str) or not isinstance(category, str):
        raise Unreadable("an error in it quotes something that is no text")
    severity = severity.strip().lower()
    if not (quote or "").strip():
        return Span(None, None, severity, category)
    place = places.of(quote or "")
    if place is None:
        return Span(None, None, severity, category, comment=f"not in the text: {quote}")
    return Span(*place, severity, category)
