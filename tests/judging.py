"""Judgements for tests: made from a few rows, drawn, or read from the shared data."""

from __future__ import annotations

import csv
import glob
from pathlib import Path

import numpy as np
from hypothesis import strategies as st

from adjudge.data.judgements import Judgements, Names


def ratings(rows, **columns):
    """From (annotator, system, item, score)."""
    who, system, item, score = zip(*rows, strict=True) if rows else ((), (), (), ())
    return Judgements(
        "da", Names.of(system), Names.of(item), Names.of(who), np.array(score, dtype=float), **columns
    )


def rankings(rows, **columns):
    """From (annotator, first system, second system, item, 1, 0 or −1)."""
    who, first, second, item, score = zip(*rows, strict=True) if rows else ((),) * 5
    return Judgements(
        "rank",
        Names.of(first),
        Names.of(item),
        Names.of(who),
        np.array(score, dtype=float),
        other=Names.of(second),
        **columns,
    )


people, systems, items = (st.sampled_from(list(names)) for names in ("ABCD", "xyz", "123"))


some_ratings = st.lists(st.tuples(people, systems, items, st.integers(0, 100).map(float)), max_size=40)

some_rankings = st.lists(
    st.tuples(people, systems, systems, items, st.integers(-1, 1)).filter(lambda row: row[1] != row[2]),
    max_size=40,
)


def read_pairs(*patterns: str | Path) -> Judgements:
    """Rankings in WMT's files of pairs: rank 1 is the best."""
    rows = []
    for pattern in patterns:
        for path in sorted(glob.glob(str(pattern))):
            with open(path, encoding="utf-8", newline="") as file:
                rows += [
                    (
                        row["judgeID"],
                        row["system1Id"],
                        row["system2Id"],
                        row["segmentId"],
                        np.sign(int(row["system2rank"]) - int(row["system1rank"])),
                    )
                    for row in csv.DictReader(file)
                ]
    return rankings(rows)


def read_wmt21(folder: Path) -> Judgements:
    """Direct assessments of WMT21 with their control items."""
    kinds = {"SYSTEM": 0, "REPEAT": 1, "BAD_REF": 2, "REF": 3}
    with open(folder / "judgements.tsv", encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t"))
    return ratings(
        [(row["worker"], row["system"], row["line"], row["raw"]) for row in rows],
        kind=np.array([kinds[row["type"]] for row in rows], dtype=np.int8),
    )
