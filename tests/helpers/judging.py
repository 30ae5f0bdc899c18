"""Judgements for tests: made from a few rows, drawn, or read from the shared data."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from hypothesis import strategies as st

from adjudge.data.judgements import Judgements, NameColumn
from adjudge.io.judgements import read


def ratings(rows, **columns):
    """From (annotator, system, item, score)."""
    who, system, item, score = zip(*rows, strict=True) if rows else ((), (), (), ())
    return Judgements(
        "da",
        NameColumn.of(system),
        NameColumn.of(item),
        NameColumn.of(who),
        np.array(score, dtype=float),
        **columns,
    )


def rankings(rows, **columns):
    """From (annotator, first system, second system, item, 1, 0 or −1)."""
    who, first, second, item, score = zip(*rows, strict=True) if rows else ((),) * 5
    return Judgements(
        "rank",
        NameColumn.of(first),
        NameColumn.of(item),
        NameColumn.of(who),
        np.array(score, dtype=float),
        other=NameColumn.of(second),
        **columns,
    )


people, systems, items = (st.sampled_from(list(names)) for names in ("ABCD", "xyz", "123"))


some_ratings = st.lists(st.tuples(people, systems, items, st.integers(0, 100).map(float)), max_size=40)

some_rankings = st.lists(
    st.tuples(people, systems, systems, items, st.integers(-1, 1)).filter(lambda row: row[1] != row[2]),
    max_size=40,
)


def read_pairs(*paths: Path) -> Judgements:
    """Rankings in WMT's files of pairs."""
    return read([str(path) for path in paths], input_format="rankings").judgements


def read_wmt21(folder: Path) -> Judgements:
    """Direct assessments of WMT21 with their control items."""
    return read([str(folder / "judgements.tsv")]).judgements
