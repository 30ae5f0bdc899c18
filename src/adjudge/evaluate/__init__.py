"""The façade that commands and notebooks call: test set, outputs and metrics in, frozen results out."""

from adjudge.evaluate.claims import claims
from adjudge.evaluate.comparing import (
    check_question,
    compare,
    compare_measured,
    compare_scores,
    measured_scores,
)
from adjudge.evaluate.comparison import Comparison, Group, Measured, Pair, Standing, TestFacts
from adjudge.evaluate.groups import labels_of
from adjudge.evaluate.measuring import measure
from adjudge.evaluate.plan import Plan
from adjudge.evaluate.scoring import (
    DEFAULT_METRICS,
    Progress,
    RunMean,
    Score,
    Scores,
    TestSetFacts,
    facts_of,
    language_warnings,
    resolved,
    score,
    sort_metric,
)

__all__ = [
    "DEFAULT_METRICS",
    "Comparison",
    "Group",
    "Measured",
    "Pair",
    "Plan",
    "Progress",
    "RunMean",
    "Score",
    "Scores",
    "Standing",
    "TestFacts",
    "TestSetFacts",
    "check_question",
    "claims",
    "compare",
    "compare_measured",
    "compare_scores",
    "facts_of",
    "labels_of",
    "language_warnings",
    "measure",
    "measured_scores",
    "resolved",
    "score",
    "sort_metric",
]
