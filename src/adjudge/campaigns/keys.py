"""Names of items and sources of randomness: the same seed gives the same ones, on any machine and in any order."""

from __future__ import annotations

import hashlib
import json
import random
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np


def item_key(
    seed: int, kind: str, segments: Sequence[int], texts: Sequence[str], of: str = "", number: int = 0
) -> str:
    """What an item is called: a hash of what it shows and why, so that it tells nobody which system made it.

    `number` tells items apart that show the same thing, where a later system repeats what an earlier one said.
    """
    return _digest([seed, kind, list(segments), list(texts), of, number]).hex()


def randomness(seed: int, *purpose: str) -> random.Random:
    """Python's generator for one purpose, which owes nothing to any other purpose's."""
    return random.Random(int.from_bytes(_digest([seed, *purpose])))


def generator(seed: int, *purpose: str) -> np.random.Generator:
    """Numpy's generator for one purpose."""
    import numpy as np

    return np.random.default_rng(int.from_bytes(_digest([seed, *purpose])))


def _digest(parts: Sequence[object]) -> bytes:
    return hashlib.blake2b(_encode(parts).encode("ascii"), digest_size=8).digest()


_encode = json.JSONEncoder(ensure_ascii=True, separators=(",", ":")).encode
