"""Scores of single outputs by people and by metrics."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


@dataclass(frozen=True, eq=False)
class ScoredSegments:
    """The outputs of one test set, in rows."""

    test_set: str
    language: str
    segment: tuple[str, ...]
    """What was translated: outputs of one segment are alike."""
    people: NDArray[np.float64]
    """More is better."""
    metrics: Mapping[str, NDArray[np.float64]]
