"""When a p-value is significant: the one rule that everything which decides asks."""

from __future__ import annotations

from typing import overload

import numpy as np
from numpy.typing import NDArray


@overload
def significant(p: float, alpha: float) -> bool: ...
@overload
def significant(p: NDArray[np.float64], alpha: float | NDArray[np.float64]) -> NDArray[np.bool_]: ...
def significant(
    p: float | NDArray[np.float64], alpha: float | NDArray[np.float64]
) -> bool | NDArray[np.bool_]:
    """Whether p is no larger than alpha, so that a true hypothesis is rejected with a chance of alpha at most.

    A p that is not known (NaN) is not significant.
    """
    if isinstance(p, np.ndarray):
        return np.less_equal(p, alpha)
    return bool(p <= alpha)
