"""Judgements for tests: drawn ones, and small tables by hand."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from adjudge.data.judgements import KINDS, Judgements, NameColumn

Row = tuple[str, str, str, float]


def ratings(
    rows: Sequence[Row], kinds: Sequence[str] = (), protocol: str = "da", **columns: Any
) -> Judgements:
    """Annotator, system, item and score of every judgement; kinds are ordinary unless given."""
    annotators, systems, items, scores = zip(*rows, strict=True) if rows else ((), (), (), ())
    codes = [KINDS.index(kind) for kind in kinds] or [0] * len(rows)
    return Judgements(
        protocol,
        NameColumn.of(systems),
        NameColumn.of(items),
        NameColumn.of(annotators),
        np.array(scores, float),
        kind=np.array(codes, np.int8),
        **columns,
    )


def drawn(
    *, systems: int = 3, items: int = 50, annotators: int = 4, each: int = 2, gap: float = 5.0, seed: int = 1
) -> Judgements:
    """Systems that get worse by `gap` points each, judged by annotators with scales of their own."""
    random = np.random.default_rng(seed)
    offsets, widths = random.normal(0, 10, annotators), random.uniform(0.5, 1.5, annotators)
    rows: list[Row] = []
    for item in range(items):
        for system in range(systems):
            for who in random.choice(annotators, each, replace=False):
                value = 70 - gap * system + random.normal(0, 10)
                rows.append((f"a{who}", f"s{system}", str(item), float(offsets[who] + widths[who] * value)))
    return ratings(rows)


QUICK = {"resamples": 100}
