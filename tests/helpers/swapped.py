"""What the tests of swapped metrics share."""

import math

import numpy as np

SWAPS = ("cells", "systems", "items", "both")


def tables(seed, systems, items, levels, missing=0.0):
    """Gold with holes, and three metrics, in few levels so that there are ties."""
    rng = np.random.default_rng(seed)
    gold = rng.integers(0, levels, (systems, items)).astype(float)
    gold[rng.random(gold.shape) < missing] = math.nan
    return gold, rng.integers(0, levels, (3, systems, items)).astype(float)
