"""What is sent to a browser: the texts of an item, without a word of who made them or why they are there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from adjudge.human.items import Item
from adjudge.human.protocols import Protocol


def shown(
    protocol: Protocol,
    item: Item,
    *,
    sources: Sequence[str] | None,
    references: Sequence[str | None] | None,
    before: Sequence[Mapping[str, str]] = (),
    after: Sequence[Mapping[str, str]] = (),
) -> dict[str, Any]:
    """The texts of one item; `sources` and `references` are those of its segments.

    `before` and `after` are the neighbours in the document: `source` and `target` (the same system's output).
    """
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
    if protocol.context == "document":
        allowed = {"target", *(["source"] if protocol.shows_source else [])}
        screen["before"] = [{k: v for k, v in one.items() if k in allowed} for one in before]
        screen["after"] = [{k: v for k, v in one.items() if k in allowed} for one in after]
    questions = item.extra.get("questions")
    if questions:
        screen["questions"] = [
            {k: v for k, v in q.items() if k in ("question", "choices")} for q in questions
        ]
    if item.kind == "tutorial":
        screen["tutorial"] = True
    return screen
