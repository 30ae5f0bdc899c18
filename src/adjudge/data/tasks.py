"""Tasks for annotators, independent of the tool."""

from __future__ import annotations

import reprlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from adjudge.data.judgements import KINDS, Span
from adjudge.errors import DataError


@dataclass(frozen=True)
class Translation:
    """One translation; equal outputs of several systems are one."""

    systems: tuple[str, ...]
    text: str
    spans: tuple[Span, ...] = ()
    """Errors that are marked in advance."""

    def __post_init__(self) -> None:
        for value in (self.text, *self.systems):
            _check_text("a translation or the name of its system", value)


@dataclass(frozen=True)
class TaskItem:
    """A segment with the translations that are judged of it."""

    item: str
    translations: tuple[Translation, ...]
    source: str | None = None
    reference: str | None = None
    kind: str = "ordinary"
    document: str = ""
    whole: bool = False
    """Whether the document is judged as a whole here."""
    page: int = 0
    """Items shown together have the same number; numbers grow within a batch."""
    extra: Mapping[str, Any] = field(default_factory=dict)
    """Other fields of the tool's file, by its own keys."""

    def __post_init__(self) -> None:
        texts = {"the item's name": self.item, "its source": self.source, "its reference": self.reference}
        for what, value in {**texts, "its document": self.document}.items():
            if value is not None:
                _check_text(f"item {self.item!r}: {what}", value)
        if not isinstance(self.kind, str) or self.kind not in KINDS:
            raise DataError(f"item {self.item!r}: unknown kind {self.kind!r}")


@dataclass(frozen=True)
class Batch:
    """Items for one person, in this order."""

    items: tuple[TaskItem, ...]
    annotator: str = ""
    """The annotator; '' if none is named."""
    extra: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Tasks:
    """A campaign."""

    name: str
    protocol: str
    """By the names of our protocols: da, sqm, esa, mqm, adequacy-fluency."""
    batches: tuple[Batch, ...]
    languages: tuple[str, str] = ("", "")
    in_context: bool = False
    """Whether segments stand in their documents."""
    points: int = 0
    """The highest point of scales with few points."""
    extra: Mapping[str, Any] = field(default_factory=dict)
    """Other fields of the tool's file."""


def _check_text(what: str, value: object) -> None:
    if not isinstance(value, str):
        raise DataError(f"{what} is no text: {reprlib.repr(value)}")
