"""Each annotator beside the panel: what is seen beside a few others is freed of how peculiar these are."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

Floats: TypeAlias = NDArray[np.float64]

STEPS = 200
"""Of the iteration, which halves what is left in two steps or three where people share their work."""


@dataclass(frozen=True, eq=False)
class Panel:
    """Who judged the same as whom."""

    met: Any
    """Sparse, annotators × annotators: the share that each of the others has in those beside whom one was seen."""
    others: NDArray[np.int64]
    """How many different others judged some of the same."""
    part: NDArray[np.int64]
    """Numbers those who hang together, if only through others: nothing tells people of different parts apart."""

    @classmethod
    def of(cls, who: NDArray[Any], what: NDArray[Any], count: int) -> Panel:
        """From one row for each thing that an annotator judged."""
        from scipy.sparse import csr_array, diags_array  # late: commands that need none of it start faster
        from scipy.sparse.csgraph import connected_components

        things = int(what.max(initial=-1)) + 1
        judged = csr_array((np.ones(len(who)), (what, who)), shape=(things, count))
        judged.data[:] = 1.0
        times = judged.sum(1)
        with np.errstate(divide="ignore"):
            each = np.where(times > 1, 1.0 / (times - 1), 0.0)
        together = csr_array(judged.T @ diags_array(each) @ judged)
        together.setdiag(0.0)
        together.eliminate_zeros()
        total = together.sum(1)
        own = np.where(total > 0, 1.0 / np.where(total > 0, total, 1.0), 0.0)
        _, part = connected_components(together, directed=False)
        others = np.diff(together.indptr).astype(np.int64)
        return cls(csr_array(diags_array(own) @ together), others, part.astype(np.int64))

    def freed(self, seen: Floats, known: NDArray[np.bool_], *, sign: float = 1.0) -> Floats:
        """What everyone adds, beside the panel's median, from what was seen beside others.

        What is seen is one's own less the mean of the others' (with a sign of −1: more it); who is not well `known`
        counts for nothing beside others.
        """
        effects = np.zeros(len(seen))
        used = known & np.isfinite(seen)
        for _ in range(STEPS):
            step = np.where(used, (effects + seen + sign * (self.met @ effects)) / 2, 0.0)
            step = np.where(used, step - self._means(step, used), 0.0) if sign > 0 else step
            if np.allclose(step, effects, rtol=1e-13, atol=1e-15):
                break
            effects = step
        return self.beside_median(seen + sign * (self.met @ effects), used)

    def beside_median(self, values: Floats, known: NDArray[np.bool_]) -> Floats:
        """What of it is one's own beside the median of those who are `there` and hang together with one."""
        own = values.copy()
        for number in np.unique(self.part):
            mine = self.part == number
            few = known & mine if (known & mine).any() else mine & np.isfinite(values)
            own[mine] -= np.median(own[few]) if few.any() else 0.0
        return own

    def _means(self, values: Floats, known: NDArray[np.bool_]) -> Floats:
        number = np.bincount(self.part[known], minlength=len(self.part))
        total = np.bincount(self.part[known], values[known], len(self.part))
        means: Floats = total / np.maximum(number, 1)
        return means[self.part]
