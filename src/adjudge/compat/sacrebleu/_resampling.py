"""The draws of sacreBLEU's tests, number for number, and what they sum to: all resamples at once, in blocks.

sacreBLEU picks rows by index and adds them up in float32, resample by resample. Whole numbers up to 2**24 are exact in
float32 whatever the order, so one product of a matrix of counts with the rows gives the same sums. Other rows (TER's
mean reference lengths, corpora beyond 2**24 n-grams) are added in sacreBLEU's own order instead.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from adjudge.errors import UsageError
from adjudge.stats.draws import Generator

Rows = NDArray[np.float64]

WHOLE = 2.0**24
"""Float32 holds every whole number up to here."""
BLOCK = 2**21
"""Draws held at once: 16 MB of indices."""


class Seed(NamedTuple):
    """A seed as signatures spell it, and as numpy takes it: None for one that is never the same."""

    text: str
    value: int | None


def seed_of_the_environment() -> Seed:
    """SACREBLEU_SEED, or 12345: in sacreBLEU no argument takes the seed, so here too the environment does."""
    text = os.environ.get("SACREBLEU_SEED", "12345").lower()
    if text == "none":
        return Seed(text, None)
    if not text.strip().isdecimal():
        raise UsageError(f"SACREBLEU_SEED={text}: must be a whole number from 0 up, or none")
    return Seed(text, int(text))


def bootstrap_sums(rng: Generator, systems: Sequence[Rows], resamples: int) -> list[NDArray[np.float32]]:
    """Sums of every array's rows over the same resamples of segments: one (resamples, k) array each."""
    segments = len(systems[0])
    whole = [bool((rows == np.rint(rows)).all()) for rows in systems]
    columns, edges = _side_by_side(
        [rows for rows, exact in zip(systems, whole, strict=True) if exact], segments
    )
    if segments * columns.max(initial=0) <= WHOLE:
        columns = columns.astype(np.float32)  # a product half as long
    parts: list[list[NDArray[np.float32]]] = [[] for _ in systems]
    for size in _blocks(resamples, segments):
        index = rng.choice(segments, size=(size, segments), replace=True)
        counts = _counts(index, segments).astype(columns.dtype)
        sums = iter(np.split(counts @ columns, edges, axis=1))
        for rows, exact, part in zip(systems, whole, parts, strict=True):
            quick = next(sums) if exact else None
            if quick is None or quick.max() > WHOLE:
                single = rows.astype(np.float32)
                part.append(np.array([single[chosen].sum(0) for chosen in index]))
            else:
                part.append(quick.astype(np.float32))
    return [np.concatenate(part) for part in parts]


def swapped_sums(rng: Generator, pairs: Sequence[tuple[Rows, Rows]], trials: int) -> list[tuple[Rows, Rows]]:
    """Sums of both sides of each pair of systems after segments have changed sides by coin, the same coins for all."""
    segments = len(pairs[0][0])
    differences = [first - second for first, second in pairs]
    # Multiples of a half (TER's mean length of two references) are as exact as whole numbers.
    whole = [bool((2 * rows == np.rint(2 * rows)).all()) for pair in pairs for rows in pair]
    exact = [first and second for first, second in zip(whole[::2], whole[1::2], strict=True)]
    columns, edges = _side_by_side(
        [rows for rows, quick in zip(differences, exact, strict=True) if quick], segments
    )
    if 2 * np.abs(columns).sum(0).max(initial=0) <= WHOLE:
        columns = columns.astype(np.float32)
    parts: list[list[tuple[Rows, Rows]]] = [[] for _ in pairs]
    # Numpy takes 32 coins from one number and throws the rest away when it has been asked for fewer.
    for size in _blocks(trials, segments, multiple=32):
        stay = rng.integers(2, size=(size, segments), dtype=bool)
        moved = iter(np.split((stay.astype(columns.dtype) @ columns).astype(np.float64), edges, axis=1))
        for (first, second), quick, part in zip(pairs, exact, parts, strict=True):
            if quick:
                gained = next(moved)
                part.append((second.sum(0) + gained, first.sum(0) - gained))
            else:
                part.append((stay @ first + ~stay @ second, ~stay @ first + stay @ second))
    return [
        (np.concatenate([first for first, _ in part]), np.concatenate([second for _, second in part]))
        for part in parts
    ]


def _blocks(count: int, segments: int, multiple: int = 1) -> Iterator[int]:
    size = max(BLOCK // segments // multiple, 1) * multiple
    for start in range(0, count, size):
        yield min(size, count - start)


def _side_by_side(systems: Sequence[Rows], segments: int) -> tuple[NDArray[Any], list[int]]:
    """All columns in one matrix, and where those of one system end."""
    if not systems:
        return np.empty((segments, 0)), []
    edges = np.cumsum([rows.shape[1] for rows in systems])[:-1].tolist()
    return np.concatenate(systems, axis=1), edges


def _counts(index: NDArray[np.int64], segments: int) -> NDArray[Any]:
    """How often each segment stands in each row of indices."""
    places = index + np.arange(len(index))[:, None] * segments
    return np.bincount(places.ravel(), minlength=index.size).reshape(len(index), segments)
