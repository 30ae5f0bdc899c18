"""Weights of the features of n-best lists, fitted to a metric (MERT), and whether that helps on lists not seen."""

from adjudge.tuning.weights.fitting import HeldOutWeights, WeightFit, WeightOptions, tune_weights
from adjudge.tuning.weights.search import SEARCHES, Point, WeightedLists, climb

__all__ = [
    "SEARCHES",
    "HeldOutWeights",
    "Point",
    "WeightFit",
    "WeightOptions",
    "WeightedLists",
    "climb",
    "tune_weights",
]
