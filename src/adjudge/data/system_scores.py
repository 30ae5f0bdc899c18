"""Scores of whole systems by people and by metrics, test set by test set."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


@dataclass(frozen=True, eq=False)
class SystemScores:
    """The systems of one test set."""

    test_set: str
    language: str
    """The language pair, or the target language; '' where it is not known."""
    protocol: str
    """How people were asked, where that is known."""
    systems: tuple[str, ...]
    people: NDArray[np.float64]
    """More is better."""
    metrics: Mapping[str, NDArray[np.float64]]
    """As they are scored; NaN where a system has no score."""
    year: int | None = None
    """Of the campaign in which people judged; None where it is not known."""
