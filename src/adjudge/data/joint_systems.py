"""Outputs that several systems share (`a+b`), counted once or for each system."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from adjudge.data.judgements import Judgements, NameColumn
from adjudge.errors import DataError


def for_each_system(judgements: Judgements) -> Judgements:
    """Ratings of outputs that several systems share (`a+b`) count for each, if each is also there on its own."""
    names = judgements.system.names
    if judgements.is_ranking or not any("+" in name for name in names):
        return judgements
    single = {name for name in names if "+" not in name}
    pieces = [pieces if set(pieces := name.split("+")) <= single else [name] for name in names]
    width = np.array([len(piece) for piece in pieces])
    rows = np.repeat(np.arange(len(judgements)), width[judgements.system.codes])
    turn = np.arange(len(rows)) - np.repeat(
        np.cumsum(width[judgements.system.codes]) - width[judgements.system.codes],
        width[judgements.system.codes],
    )
    places = np.cumsum([0, *width])[judgements.system.codes[rows]] + turn
    listed_names = NameColumn.of([name for piece in pieces for name in piece])
    return replace(judgements[rows], system=NameColumn(listed_names.names, listed_names.codes[places]))


def expand_joint_systems(judgements: Judgements) -> Judgements:
    """Pairs in which systems of a joint name (`a+b`) stand one by one; among themselves they are tied.

    Names are taken apart where each part also occurs on its own.
    """
    if judgements.other is None:
        raise DataError("these are ratings, not rankings")
    names = NameColumn.joined([judgements.system, judgements.other])
    single = {name for name in names.names if "+" not in name}
    parts = [parts if set(parts := name.split("+")) <= single else [name] for name in names.names]
    if all(len(part) == 1 for part in parts):
        return judgements
    count = len(judgements)
    width = np.array([len(part) for part in parts])
    left, right = names.codes[:count], names.codes[count:]
    begins = np.cumsum([0, *width])[:-1]
    listed = NameColumn.of([part for members in parts for part in members])
    times = width[left] * width[right]
    rows = np.repeat(np.arange(count), times)
    turn = np.arange(len(rows)) - np.repeat(np.cumsum(times) - times, times)
    first = listed.codes[begins[left[rows]] + turn // width[right[rows]]]
    second = listed.codes[begins[right[rows]] + turn % width[right[rows]]]
    # Within a ranking, the systems of one joint name are tied with each other, once.
    ranking = judgements.ranking if judgements.ranking is not None else np.arange(count)
    keys = np.concatenate([ranking, ranking]) * len(names.names) + names.codes
    _, seen = np.unique(keys, return_index=True)
    seen = seen[width[names.codes[seen]] > 1]
    ties = [
        (row % count, listed.codes[begins[code] + a], listed.codes[begins[code] + b])
        for row in seen
        for code in [names.codes[row]]
        for a, b in zip(*np.triu_indices(int(width[code]), 1), strict=True)
    ]
    added = np.array(ties, np.int64).reshape(-1, 3)
    every = np.concatenate([rows, added[:, 0]])
    order = np.argsort(every, kind="stable")
    score = np.concatenate([judgements.score[rows], np.zeros(len(added))])
    return replace(
        judgements[every[order]],
        system=NameColumn(listed.names, np.concatenate([first, added[:, 1]]).astype(np.int32)[order]),
        other=NameColumn(listed.names, np.concatenate([second, added[:, 2]]).astype(np.int32)[order]),
        score=score[order],
    )
