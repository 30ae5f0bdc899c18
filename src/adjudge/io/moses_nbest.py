"""Moses' n-best lists: `id ||| hypothesis ||| LM0= -12.3 TM0= -1 -2 ||| score`, a line a hypothesis."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from adjudge.data.nbest import NBestLists
from adjudge.errors import DataError
from adjudge.io.files import shown
from adjudge.io.nbest_features import Features, FeatureTable, number

BAR = "|||"
LINE = "id ||| hypothesis ||| name= number ... ||| score"


def read_moses(path: str, rows: Sequence[str]) -> tuple[NBestLists, list[int]]:
    """The lists, and the number that the file gives each, which is the line of its reference, counted from 0."""
    hypotheses: dict[int, list[str]] = {}
    begun: dict[int, str] = {}
    table, scores = FeatureTable(), []
    last = -1
    for at, row in enumerate(rows, 1):
        place = f"{shown(path)}, line {at}"
        parts = [part.strip() for part in row.split(BAR)]
        if len(parts) < 2:
            raise DataError(f"{place}: {row[:40]!r} is no line of an n-best list: {LINE}")
        segment = _segment(parts[0], place)
        if segment != last and segment in hypotheses:
            raise DataError(
                f"{place}: list {segment} began in {begun[segment]}; its lines must stand together"
            )
        last = segment
        begun.setdefault(segment, place)
        hypotheses.setdefault(segment, []).append(parts[1])
        if len(parts) > 2:
            table.add([_features(parts[2], place)], place)
        if len(parts) > 3:
            scores.append(number(_float(parts[3], place), "score", place))
    for what, count in (("features", len(table.places)), ("score", len(scores))):
        if count and count != len(rows):
            raise DataError(
                f"{shown(path)}: {count} of {len(rows)} lines have {what}, the others have none: {LINE}"
            )
    lists = NBestLists(
        tuple(map(tuple, hypotheses.values())),
        feature_names=table.names,
        features=table.array(),
        scores=np.array(scores) if scores else None,
        places=tuple(begun.values()),
    )
    return lists, list(hypotheses)


def _segment(text: str, place: str) -> int:
    if not text.isdecimal() or len(text) > 15:
        raise DataError(f"{place}: {text[:20]!r} is no number of a segment, from 0 up: {LINE}")
    return int(text)


def _float(text: str, place: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise DataError(f"{place}: {text[:20]!r} is no number: {LINE}") from None


def _features(text: str, place: str) -> Features:
    """`LM0= -1 TM0= -2 -3` (or `lm: -1`) as LM0, TM0_1 and TM0_2; numbers without a name as f1, f2, …"""
    groups: list[tuple[str, list[float]]] = []
    for token in text.split():
        if token[-1] in "=:":
            groups.append((token[:-1], []))
            continue
        if not groups:
            groups.append(("", []))
        groups[-1][1].append(_float(token, place))
    values: dict[str, float] = {}
    for name, numbers in groups:
        for at, value in enumerate(numbers, 1):
            own = name if len(numbers) == 1 and name else f"{name}_{at}" if name else f"f{at}"
            if own in values:
                raise DataError(f"{place}: feature {own} stands there twice")
            values[own] = number(value, own, place)
    return values
