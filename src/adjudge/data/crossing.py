"""Combinations of name columns: a name or a number for each, and items made distinct by their documents."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from adjudge.data.judgements import Judgements, NameColumn


def cross_names(first: NameColumn, second: NameColumn, sign: str) -> NameColumn:
    """Both names of every row joined, in order of appearance; missing where one is missing."""
    width = len(second.names) + 1
    keys = first.codes.astype(np.int64) * width + second.codes
    known = (first.codes >= 0) & (second.codes >= 0)
    distinct, begins, places = np.unique(keys[known], return_index=True, return_inverse=True)
    order = np.argsort(begins)
    turn = np.empty(len(distinct), np.int32)
    turn[order] = np.arange(len(distinct), dtype=np.int32)
    codes = np.full(len(keys), -1, np.int32)
    codes[known] = turn[places]
    return NameColumn(
        tuple(f"{first.names[key // width]}{sign}{second.names[key % width]}" for key in distinct[order]),
        codes,
    )


def number_combinations(*columns: NameColumn) -> NDArray[np.int64]:
    """A number for each combination of names, in the order of appearance."""
    keys = np.zeros(len(columns[0]), np.int64)
    for column in columns:
        _, keys = np.unique(keys * (len(column.names) + 1) + column.codes + 1, return_inverse=True)
    _, begins, places = np.unique(keys, return_index=True, return_inverse=True)
    turn = np.empty(len(begins), np.int64)
    turn[np.argsort(begins)] = np.arange(len(begins))
    return turn[places]


def with_distinct_items(judgements: Judgements) -> Judgements:
    """Judgements in which items with ambiguous numbers are distinguished by document and language pair."""
    for label in ("document", "languages"):
        column = judgements.labels.get(label)
        if column is None or len(column.names) < 2:
            continue
        named = {name: code for code, name in enumerate(column.names)}
        whole = np.array([*(named.get(name, -2) for name in judgements.item.names), -2])[
            judgements.item.codes
        ]
        part_of = whole != column.codes  # and not the document itself
        if _ambiguous(judgements.item, column, part_of):
            both = cross_names(column, judgements.item, ":")
            labelled = part_of & (both.codes >= 0)
            codes = np.where(labelled, both.codes + len(judgements.item.names), judgements.item.codes)
            items = NameColumn((*judgements.item.names, *both.names), codes.astype(np.int32))
            judgements = replace(judgements, item=items[np.arange(len(items))])
    return judgements


def _ambiguous(item: NameColumn, column: NameColumn, which: NDArray[np.bool_]) -> bool:
    """Whether an item goes with several names."""
    both = which & (item.codes >= 0) & (column.codes >= 0)
    first = np.full(len(item.names), -1, np.int32)
    first[item.codes[both]] = column.codes[both]
    return bool((first[item.codes[both]] != column.codes[both]).any())
