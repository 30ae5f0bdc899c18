"""When one of many pairs of systems needs no more trials, because it cannot become significant."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
from numpy.typing import NDArray

SIGNS = 1024
"""Trials of a block. Blocks are independent; the trials of one need not be."""
ENOUGH = 100
"""No pair stops before so many trials were as far as what was seen: p is known to a tenth of itself."""
BASE = 10_000
"""Nor before so many trials."""
RISK = 0.001
"""The chance, over all pairs together, that one which stops early would have been decided otherwise in the end."""
LATER = 1.2
"""Pairs are looked at again after so many times the blocks of the look before."""
STAKES = (0.003, 0.01, 0.03, 0.1, 0.3, 0.6, 0.9)
"""Of the bets against a p, each of them a seventh of the money: small ones win where p is just above it."""
LEAST = 1e-12
"""No bound is looked for below it."""

Decided = Callable[[NDArray[np.float64]], NDArray[np.bool_]]
"""From p-values that the true ones do not fall below: which pairs cannot be significant."""


class Stopping:
    """What so many pairs have seen, and which of them go on."""

    def __init__(self, pairs: int, decided: Decided | None) -> None:
        self.as_extreme = np.zeros(pairs, dtype=np.int64)
        self.tried = np.zeros(pairs, dtype=np.int64)
        self.lower = np.zeros(pairs)
        self.open = np.ones(pairs, dtype=bool)
        self.decided = decided

    def look(self, pairs: NDArray[np.intp], blocks: NDArray[np.integer]) -> None:
        """Close those of these pairs that are decided; `blocks` has how many were as far in each: blocks × pairs."""
        if self.decided is None:
            return
        enough = self.as_extreme[pairs] >= ENOUGH
        known = pairs[enough]
        lowest = lowest_p(blocks[:, enough], RISK / len(self.lower))
        self.lower[known] = np.maximum(self.lower[known], lowest)
        self.open[known] &= ~self.decided(self.lower)[known]


def looks(trials: int) -> Iterator[int]:
    """After how many blocks pairs are looked at."""
    blocks = -(-BASE // SIGNS)
    while blocks * SIGNS < trials:
        yield blocks
        blocks = int(np.ceil(LATER * blocks))


def lowest_p(blocks: NDArray[np.integer], risk: float) -> NDArray[np.float64]:
    """The p that the true one falls below, however often one looks, with a chance of `risk` at most.

    From how many of the trials of each block were as far: blocks × pairs. Who stakes a share f of their money on each
    block at the odds of p has Π (1 − f + f · share / p) in the end. If the true p is that one or a smaller one, nobody
    can expect to win, whatever the trials of a block have to do with each other; to have 1/risk times the money at any
    time has a chance of risk at most (Ville 1939; Waudby-Smith & Ramdas 2024). The bound is the largest p against which
    that was won.
    """
    shares = blocks / SIGNS
    low = np.full(shares.shape[1], np.log(LEAST))
    high = np.log(np.maximum(shares.mean(0), LEAST))
    for _ in range(14):
        middle = (low + high) / 2
        won = _money(shares / np.exp(middle)) >= -np.log(risk)
        low, high = np.where(won, middle, low), np.where(won, high, middle)
    return np.where(low > np.log(LEAST), np.exp(low), 0.0)


def _money(odds: NDArray[np.float64]) -> NDArray[np.float64]:
    """The logarithm of what all stakes together have become."""
    each = np.stack([np.log1p(stake * (odds - 1)).sum(0) for stake in STAKES])
    most = each.max(0)
    return np.asarray(most + np.log(np.exp(each - most).mean(0)), dtype=np.float64)
