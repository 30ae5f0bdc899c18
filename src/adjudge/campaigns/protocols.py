"""The protocols: each with its screen, its answers, their validation and their rows.

A protocol is what is shown, and the fields that are to be answered. To add one, write a function here that makes it
from its options and name it in `PROTOCOLS`; texts go into `server/texts`.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from adjudge.campaigns.fields import (
    AnswerError,
    AnswerRow,
    Edit,
    Field,
    LabelledScale,
    PreferenceField,
    Questions,
    Ranks,
    Slider,
    Spans,
    YesNo,
)
from adjudge.campaigns.items import Item
from adjudge.campaigns.typology import load as load_typology
from adjudge.errors import UsageError, unknown_name
from adjudge.io import fields as values

AGAINST = ("reference", "source", "both")
POINTS = (4, 5, 7, 10)


@dataclass(frozen=True)
class Protocol:
    """A protocol: what is shown, and what is asked."""

    name: str
    fields: tuple[Field, ...]
    against: str = "reference"
    """What the translation is compared with: the `reference`, the `source`, `both`, or `nothing`."""
    candidates: tuple[int, int] = (1, 1)
    """The fewest and the most translations on one screen."""
    context: str = "none"
    """`document`: segments come in order with what stands before them; `none`: each stands alone."""
    unit: str = "segment"
    """What an item is: a `segment`, or a `document` judged as a whole."""
    higher_is_better: bool = True
    controls: bool = True
    """Whether damaged references make sense here."""
    next_stage: str = ""
    """The protocol that judges what this one produced."""

    @property
    def shows_source(self) -> bool:
        """Whether the source is on the screen."""
        return self.against in ("source", "both")

    @property
    def shows_reference(self) -> bool:
        """Whether the reference is on the screen."""
        return self.against in ("reference", "both")

    def screen(self) -> dict[str, Any]:
        """What a browser needs to know of the protocol."""
        return {
            "protocol": self.name,
            "against": self.against,
            "context": self.context,
            "unit": self.unit,
            "fields": [field.screen() for field in self.fields],
        }

    def check(self, answer: Any, item: Item, sources: Sequence[str] = ()) -> dict[str, Any]:
        """An answer in its one form; AnswerError names the field where something is missing or wrong."""
        if not isinstance(answer, Mapping):
            raise AnswerError("", "an answer was expected, field by field")
        known = {field.name for field in self.fields}
        for name in answer:
            if name not in known:
                raise AnswerError(str(name), f"unknown field {name!r}")
        return {field.name: field.check(answer.get(field.name), item, sources) for field in self.fields}

    def rows(self, item: Item, answer: Mapping[str, Any]) -> list[AnswerRow]:
        """What an answer says of the systems; fields of one criterion (errors and a score) share their rows."""
        merged: dict[tuple[str, str, str, int], AnswerRow] = {}
        for field in self.fields:
            for row in field.rows(answer[field.name], item, field.criterion or self.name):
                key = row.criterion, row.system, row.other, row.segment
                known = merged.get(key)
                if known is None:
                    merged[key] = row
                else:
                    merged[key] = replace(
                        known,
                        score=row.score if row.score == row.score else known.score,
                        spans=row.spans if row.spans is not None else known.spans,
                        measures={**known.measures, **row.measures},
                    )
        return list(merged.values())

    @property
    def criteria(self) -> tuple[str, ...]:
        """What is measured, in the order of the screen."""
        return tuple(dict.fromkeys(field.criterion or self.name for field in self.fields))


def adequacy_fluency(
    points: int = 5, against: str = "reference", ask: Sequence[str] = ("fluency", "adequacy")
) -> Protocol:
    """Two scales of labelled points; fluency is asked before the source or the reference is seen."""
    if points not in POINTS:
        raise UsageError(f"points: one of {', '.join(map(str, POINTS))} was expected, not {points}")
    if (
        not ask
        or any(criterion not in ("fluency", "adequacy") for criterion in ask)
        or len(set(ask)) < len(ask)
    ):
        raise UsageError(f"ask: fluency, adequacy or both were expected, not {', '.join(map(str, ask))}")
    fields = tuple(
        LabelledScale(name, name, high=points, anchors=_label_points(name, points))
        for name in ("fluency", "adequacy")
        if name in ask
    )
    return Protocol("adequacy-fluency", fields, _against(against) if "adequacy" in ask else "nothing")


def _label_points(name: str, points: int) -> tuple[tuple[int, str], ...]:
    """Every point has a text of its own on scales of four and five; longer ones name the ends and the middle."""
    if points <= 5:
        return tuple((i, f"{name}.{points}.{i}") for i in range(1, points + 1))
    middle = (points + 1) // 2
    return tuple((i, f"{name}.{points}.{i}") for i in (1, middle, points))


def direct_assessment(
    against: str = "reference", context: str = "none", rate: str = "segment", labels: str = "da"
) -> Protocol:
    """A slider from 0 to 100: Direct Assessment, with document context (SR+DC), of documents (DR+DC), or SQM."""
    _one_of("context", context, ("none", "document"))
    _one_of("rate", rate, ("segment", "document"))
    anchors = {
        "da": ((0, "da.0"), (100, "da.100")),
        "sqm": ((0, "sqm.0"), (33, "sqm.33"), (67, "sqm.67"), (100, "sqm.100")),
    }
    _one_of("labels", labels, tuple(anchors))
    name = labels if labels == "sqm" else "da"
    return Protocol(
        name,
        (Slider("score", anchors=anchors[labels]),),
        _against(against),
        context="document" if rate == "document" else context,
        unit=rate,
    )


def sqm(against: str = "source", context: str = "document", rate: str = "segment") -> Protocol:
    """Scalar quality metric: the slider with four labelled places, in the context of the document."""
    return direct_assessment(against, context, rate, "sqm")


def ranking(size: int = 5, ties: bool = True, against: str = "both") -> Protocol:
    """Ranking of two to five translations, blind and shuffled."""
    if not 2 <= size <= 5:
        raise UsageError(f"size: from 2 to 5 translations can be ranked at once, not {size}")
    return Protocol("ranking", (Ranks("ranks", ties=ties),), _against(against), (2, size), controls=False)


def preference(ties: bool = True, against: str = "source") -> Protocol:
    """Two translations side by side: which one is better?"""
    return Protocol(
        "preference", (PreferenceField("choice", ties=ties),), _against(against), (2, 2), controls=False
    )


def yes_no(against: str = "reference") -> Protocol:
    """Is the translation acceptable?"""
    return Protocol("yes-no", (YesNo("acceptable"),), _against(against))


def post_editing(against: str = "source", acceptability: bool = False) -> Protocol:
    """The translation is corrected; time, keystrokes and actions are counted.

    WMT09 edited without the source (`against = "nothing"`) and asked other judges whether the edited text is
    acceptable (`acceptability = true`).
    """
    against = _one_of("against", against, (*AGAINST, "nothing"))
    stage = "acceptability" if acceptability else ""
    return Protocol(
        "post-editing", (Edit("edit"),), against, controls=False, higher_is_better=False, next_stage=stage
    )


def acceptability(against: str = "reference") -> Protocol:
    """Is the edited text acceptable? The second stage of WMT09's editing, in the context of its document."""
    return Protocol(
        "acceptability", (YesNo("acceptable"),), _against(against), context="document", controls=False
    )


def mqm(
    typology: str | Mapping[str, Any] = "mqm",
    against: str = "source",
    context: str = "document",
    most: int = 500,
) -> Protocol:
    """Errors marked with category and severity, in the translation and in the source.

    A typology is the name of one that comes along, a file's, or the content of one.
    """
    known = load_typology(typology)
    spans = Spans(
        "errors",
        severities=known.severities,
        categories=known.categories,
        definitions=known.definitions,
        weights=known.weights,
        source=against in ("source", "both"),
        most=_at_least("most", most, 1),
    )
    _one_of("context", context, ("none", "document"))
    return Protocol(
        "mqm", (spans,), _against(against), context=context, higher_is_better=False, controls=False
    )


def esa(against: str = "source", context: str = "document") -> Protocol:
    """Errors marked as minor or major, then a score from 0 to 100 (Kocmi et al. 2024)."""
    anchors = ((0, "esa.0"), (33, "esa.33"), (66, "esa.66"), (100, "esa.100"))
    _one_of("context", context, ("none", "document"))
    return Protocol(
        "esa", (Spans("errors"), Slider("score", anchors=anchors)), _against(against), context=context
    )


def comprehension() -> Protocol:
    """Comprehension questions on the translation, answered without source or reference."""
    return Protocol("comprehension", (Questions("answers"),), "nothing", unit="document", controls=False)


PROTOCOLS: Mapping[str, Callable[..., Protocol]] = {
    "adequacy-fluency": adequacy_fluency,
    "da": direct_assessment,
    "sqm": sqm,
    "ranking": ranking,
    "preference": preference,
    "yes-no": yes_no,
    "post-editing": post_editing,
    "acceptability": acceptability,
    "mqm": mqm,
    "esa": esa,
    "comprehension": comprehension,
}


def make(name: str, **options: Any) -> Protocol:
    """The protocol of that name with these options; UsageError names the option that is wrong."""
    if name not in PROTOCOLS:
        raise unknown_name("protocol", name, PROTOCOLS)
    known = inspect.signature(PROTOCOLS[name]).parameters
    for option, value in options.items():
        if option not in known:
            raise unknown_name(f"option of the protocol {name}", option, known or ["(none)"])
        expected = type(known[option].default)
        if option in _TABLES and isinstance(value, dict):
            continue
        if expected in (str, bool, int, tuple) and not values.fits(value, expected):
            raise UsageError(f"{option}: {values.KINDS[expected]} was expected, not {value!r}")
    return PROTOCOLS[name](**options)


_TABLES = ("typology",)


def _against(value: str) -> str:
    return _one_of("against", value, AGAINST)


def _one_of(option: str, value: str, known: tuple[str, ...]) -> str:
    if value not in known:
        raise UsageError(f"{option}: one of {', '.join(known)} was expected, not {value!r}")
    return value


def _at_least(option: str, value: int, low: int) -> int:
    if value < low:
        raise UsageError(f"{option}: at least {low} was expected, not {value}")
    return value


def screen_texts(
    protocol: Protocol, item: Item, sources: Sequence[str] | None, references: Sequence[str | None] | None
) -> dict[str, Any]:
    """Return the texts of one item as a browser shows them; `sources` and `references` are those of its segments."""
    screen: dict[str, Any] = {
        "segments": [
            {
                **({"source": sources[i]} if protocol.shows_source and sources is not None else {}),
                **(
                    {"reference": references[i]}
                    if protocol.shows_reference and references is not None
                    else {}
                ),
                "candidates": [candidate.texts[i] for candidate in item.candidates],
            }
            for i in range(len(item.segments))
        ]
    }
    questions = item.extra.get("questions")
    if questions:
        screen["questions"] = [
            {k: v for k, v in q.items() if k in ("question", "choices")} for q in questions
        ]
    if item.kind == "tutorial":
        screen["tutorial"] = True
    return screen


def document_runs(items: Sequence[Item]) -> list[int]:
    """Which items follow each other in one document of one system, by a number: those are each other's context."""
    numbers: list[int] = []
    for place, item in enumerate(items):
        before = items[place - 1] if place else None
        goes_on = (
            before is not None
            and item.document != ""
            and before.document == item.document
            and sorted(before.systems) == sorted(item.systems)
            and before.segments[-1] < item.segments[0]
        )
        numbers.append(numbers[-1] if goes_on else (numbers[-1] + 1 if numbers else 0))
    return numbers
