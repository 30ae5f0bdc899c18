"""What is sent to a browser: the texts of an item, without a word of who made them or why they are there."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from adjudge.campaigns.items import Item
from adjudge.campaigns.protocols import Protocol


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
