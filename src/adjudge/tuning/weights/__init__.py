"""Weights of the features of n-best lists, fitted to a metric (MERT), and whether that helps on lists not seen."""

from adjudge.tuning.weights.fitting import tune_weights
from adjudge.tuning.weights.search import SEARCHES, WeightedLists, WeightPoint, climb
from adjudge.tuning.weights.weight_fit import HeldOutWeights, WeightFit, WeightOptions

__all__ = [
    "SEARCHES",
    "HeldOutWeights",
    "WeightFit",
    "WeightOptions",
    "WeightPoint",
    "WeightedLists",
    "climb",
    "tune_weights",
]
