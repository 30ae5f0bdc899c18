"""What is known of what was judged: where it comes from, and what people saw around it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from adjudge.data.judgements import NONE, ORDINARY, REPEAT, Judgements

CONTEXTS = {"document": "document", "doc": "document", "segment": "segment", "sentence": "segment"}
"""How labels spell what was seen at once."""


@dataclass(frozen=True)
class Provenance:
    """Labels of the items that count for systems' scores; control items are left out."""

    origins: tuple[str, ...] = ()
    """In which language each item was first written, '' where its label is empty; () without such a label."""
    domains: tuple[str, ...] = ()
    languages: tuple[str, ...] = ()
    """The language pairs that the files name."""
    contexts: Mapping[str, int] = field(default_factory=dict)
    """Judgements by what people saw at once: segment, document, other words of the files, '' where it is not said."""

    @classmethod
    def of(cls, judgements: Judgements) -> Provenance:
        """As the labels of judgements tell it."""
        rows = np.flatnonzero((judgements.kind == ORDINARY) | (judgements.kind == REPEAT))
        items = judgements.item.codes[rows]
        _, first = np.unique(np.where(items == NONE, -1 - rows, items), return_index=True)
        pairs = judgements.labels.get("languages")
        return cls(
            origins=_of_items(judgements, "origin", rows[first]),
            domains=_of_items(judgements, "domain", rows[first]),
            languages=() if pairs is None else pairs[rows].names,
            contexts=_contexts(judgements, rows),
        )


def _of_items(judgements: Judgements, label: str, rows: NDArray[np.intp]) -> tuple[str, ...]:
    column = judgements.labels.get(label)
    return () if column is None else tuple(column[rows].values())


def _contexts(judgements: Judgements, rows: NDArray[np.intp]) -> dict[str, int]:
    for label in ("context", "level", "type"):
        column = judgements.labels.get(label)
        if column is None:
            continue
        column = column[rows]
        named = [CONTEXTS.get(name.lower(), name) for name in column.names]
        if label != "context" and not set(named) <= set(CONTEXTS.values()):
            continue  # a column of that name about something else
        if label == "level" and "document" in named:
            # Appraise asks for the document's score below its segments: these were seen in it.
            return {"document": len(rows)}
        counts = np.bincount(column.codes + 1, minlength=len(named) + 1).tolist()
        totals: dict[str, int] = {}
        for name, count in zip(("", *named), counts, strict=True):
            if count:
                totals[name] = totals.get(name, 0) + count
        return totals
    return {}
