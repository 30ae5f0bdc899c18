"""TrueSkill as WMT ran it from 2014 to 2016 (Sakaguchi, Post and Van Durme 2014).

In a run every system begins with a skill of 0 ± 0.5. As many matches are played as there were comparisons: the system
that is least known meets one drawn by how near it stands, and the outcome is drawn from what people said of the two.
"""

from __future__ import annotations

import math

import numpy as np

from adjudge import _native
from adjudge.human.pairs import Floats
from adjudge.stats.distributions import normal_quantile

MU, SIGMA, TAU = 0.0, 0.5, 0.0
DRAW = 0.25
"""The chance of a draw between equals."""
MATCHES = 40.0
"""Beta is sigma for so many matches, and grows with their number."""
BLOCK = 32
"""Runs between two checks for an interrupt."""


def trueskill_runs(
    wins: Floats, ties: Floats, *, comparisons: int, seed: int, first: int = 0, threads: int = 0
) -> Floats:
    """The systems' means after a run over each of some tables of wins and ties: runs × systems.

    Run number `first + r` over table r depends on the seed and its number only. NaN where a table holds nothing of a
    system.
    """
    matches = comparisons + 1  # one more than there were, as WMT's program has it
    beta = SIGMA * matches / MATCHES
    margin = float(normal_quantile((DRAW + 1) / 2)) * math.sqrt(2) * beta
    means = np.empty(wins.shape[:-1])
    for start in range(0, len(wins), BLOCK):
        block = slice(start, start + BLOCK)
        means[block] = _native.trueskill_runs(
            np.ascontiguousarray(wins[block]),
            np.ascontiguousarray(ties[block]),
            MU,
            SIGMA,
            beta,
            TAU,
            margin,
            matches,
            seed,
            first + start,
            threads,
        )
    return means
