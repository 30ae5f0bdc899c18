"""One hypothesis for each segment out of a list: with the least risk, by the reference, or by the model."""

from adjudge.reranking.approximation import Approximation, ApproximationError
from adjudge.reranking.choosing import RULES, rerank, rescore
from adjudge.reranking.result import HypothesisChoice, Reranking
from adjudge.reranking.utilities import expected_utilities

__all__ = [
    "RULES",
    "Approximation",
    "ApproximationError",
    "HypothesisChoice",
    "Reranking",
    "expected_utilities",
    "rerank",
    "rescore",
]
