"""Metrics learned from judgements: models over the scores of other metrics, and whether they are worth having."""

from adjudge.tuning.learning.features import FEATURES, feature_metrics
from adjudge.tuning.learning.fitting import LEARNERS, OBJECTIVES, fit
from adjudge.tuning.learning.learned_metric import LearnedMetric, UnseenResult
from adjudge.tuning.learning.material import TrainingSet, training_set
from adjudge.tuning.learning.set_file import SetFiles, read_sets
from adjudge.tuning.learning.training import train

__all__ = [
    "FEATURES",
    "LEARNERS",
    "OBJECTIVES",
    "LearnedMetric",
    "SetFiles",
    "TrainingSet",
    "UnseenResult",
    "feature_metrics",
    "fit",
    "read_sets",
    "train",
    "training_set",
]
