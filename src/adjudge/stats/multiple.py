"""Many tests at once: p-values adjusted so that some chance findings among them do not pass for findings."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from adjudge.errors import unknown_name

CORRECTIONS = ("holm", "bh", "none")


def adjusted(
    p_values: Sequence[float] | NDArray[np.float64], correction: str = "holm"
) -> NDArray[np.float64]:
    """Adjusted p-values, to be held against the same alpha.

    `holm` bounds the chance of any false claim (Holm 1979), `bh` the share of false claims among those made
    (Benjamini and Hochberg 1995).
    """
    p = np.asarray(p_values, dtype=np.float64)
    m = len(p)
    if correction == "none" or not m:
        return p.copy()
    order = np.argsort(p, kind="stable")
    place = np.arange(1, m + 1)
    if correction == "holm":
        stepped = np.maximum.accumulate(p[order] * (m - place + 1))
    elif correction == "bh":
        stepped = np.minimum.accumulate((p[order] * m / place)[::-1])[::-1]
    else:
        raise unknown_name("correction", correction, CORRECTIONS)
    result = np.empty(m)
    result[order] = np.minimum(stepped, 1.0)
    return result


def threshold(
    p_values: Sequence[float] | NDArray[np.float64], alpha: float, correction: str = "holm"
) -> float:
    """The p below which one more test would have been significant, all others staying as they are."""
    m = max(1, len(p_values))
    found = int((adjusted(p_values, correction) < alpha).sum())
    if correction == "holm":
        return alpha / max(1, m - found)
    return alpha * min(m, found + 1) / m if correction == "bh" else alpha


def enough_trials(comparisons: int, alpha: float, correction: str = "holm") -> int:
    """How many trials a sampled p needs to be small enough for a significant result, with room to spare."""
    tests = 1 if correction == "none" else comparisons
    return int(np.ceil(2 * tests / alpha))
