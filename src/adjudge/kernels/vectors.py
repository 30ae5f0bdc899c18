"""Unit vectors of words, and of a head and a modifier together."""

from __future__ import annotations

from typing import Any, Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from adjudge.errors import DataError

Vector = NDArray[np.float64]
Composition = Literal["sum", "product", "dilation"]
COMPOSITIONS = ("sum", "product", "dilation")


class WordVectors(Protocol):
    """Vectors by word: a dict of lists or arrays will do, and whatever else answers `in` and `[word]`."""

    def __contains__(self, word: object, /) -> bool: ...
    def __getitem__(self, word: str, /) -> Any: ...


def unit_vector(vectors: WordVectors, word: str) -> Vector | None:
    """The word's vector at length 1; None where it has none, or only zeros."""
    if word not in vectors:
        return None
    vector = np.asarray(vectors[word], np.float64)
    if vector.ndim != 1 or not np.isfinite(vector).all():
        raise DataError(f"the vector of {word!r} is no list of finite numbers")
    return _normalise(vector)


def composed_vector(head: Vector | None, modifier: Vector | None, composition: Composition) -> Vector | None:
    """The vector of two words at length 1; an unknown word is as the other one, None where both are unknown."""
    head, modifier = (modifier if head is None else head), (head if modifier is None else modifier)
    if head is None or modifier is None:
        return None
    if composition == "sum":
        return _normalise(head + modifier)
    if composition == "product":
        return _normalise(head * modifier)
    return _normalise((head @ head) * head + (head @ modifier) * modifier)


def _normalise(vector: Vector) -> Vector | None:
    size = np.linalg.norm(vector)
    return np.asarray(vector / size) if size > 0 else None
