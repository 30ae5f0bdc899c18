"""What a metric is fitted to: rows of translations (or systems) beside what people said of them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from adjudge import _native
from adjudge.metrics.meteor_columns import parts
from adjudge.metrics.meteor_parameters import Parameters
from adjudge.stats.correlation import CORRELATIONS

Array = NDArray[np.float64]
Indices = NDArray[np.intp]

MEASURES = (*CORRELATIONS, "tau")
"""tau is WMT's on ordered pairs: (concordant − discordant) / all, a tie of the metric being discordant."""
LEVELS = ("segment", "system")


@dataclass(frozen=True, eq=False)
class Items:
    """Rows, the human score of each item (higher is better), and what belongs together in cross-validation."""

    rows: Array
    """Translations × references × METEOR's columns; translations that lack a reference have empty rows at the end."""
    human: Array
    unit: Indices
    pairs: Indices | None = None
    """Two columns of items of one unit that people put in an order, the better one first."""
    begins: Indices | None = None
    """Where items have several translations each (systems): where those of each begin, and where the last end."""

    def __len__(self) -> int:
        return len(self.unit)

    @property
    def units(self) -> int:
        """How many units there are."""
        return int(self.unit.max()) + 1 if len(self.unit) else 0

    def take(self, keep: NDArray[np.bool_]) -> Items:
        """The items for which `keep` is true, with the pairs that lie among them."""
        pairs, begins, translations = self.pairs, self.begins, keep
        if pairs is not None:
            place = np.cumsum(keep) - 1
            pairs = place[pairs[keep[pairs].all(1)]]
        if begins is not None:
            sizes = np.diff(begins)
            translations = np.repeat(keep, sizes)
            begins = np.concatenate([[0], np.cumsum(sizes[keep])])
        return Items(self.rows[translations], self.human[keep], self.unit[keep], pairs, begins)

    def scores(self, point: Parameters) -> Array:
        """What the metric gives with these parameters, to the last bit: it chooses the reference, it adds up."""
        chosen = self.rows[:, 0]
        if self.rows.shape[1] > 1:
            chosen = _native.meteor_best(self.rows, point.numbers)
        if self.begins is not None:
            chosen = np.stack([part.sum(0) for part in np.split(chosen, self.begins[1:-1])])
        return 100.0 * parts(chosen, point)["score"]

    def correlation(self, scores: Array, measure: str, *, threads: int = 1) -> Array:
        """Of each list of scores (lists × items) with the judgements; NaN where there is none."""
        if measure != "tau":
            return CORRELATIONS[measure](scores, self.human, threads=threads)
        if self.pairs is None or not len(self.pairs):
            return np.full(len(scores), np.nan)
        better, worse = self.pairs.T
        return np.array([2 * float((row[better] > row[worse]).mean()) - 1 for row in scores])
