"""The space of parameters: its grid has the size that is stated."""

import numpy as np

from adjudge.tuning.space import GRID, Space
from helpers.tunings import DEFAULT, made_rows


def test_the_stated_grid_has_its_size():
    assert Space.of(made_rows(50), DEFAULT).size == 24300 == np.prod([len(v) for v in GRID.values()])
