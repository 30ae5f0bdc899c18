"""Which segments a number of an analysis is about, for whoever wants to see them.

Results hold them in fields that neither `repr` nor JSON show: a list for every number would be longer than all else.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Members = NDArray[np.intp]
"""Places of segments, from 0, ascending."""


def no_members() -> Members:
    """What a result has of segments where it was made without any."""
    return np.empty(0, np.intp)
