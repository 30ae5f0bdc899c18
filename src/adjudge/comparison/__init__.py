"""The façade that commands and notebooks call: test set, outputs and metrics in, frozen results out."""

from typing import TYPE_CHECKING

from adjudge.lazy import lazy_names

if TYPE_CHECKING:
    from adjudge.comparison.comparing import check_question as check_question
    from adjudge.comparison.comparing import compare as compare
    from adjudge.comparison.comparing import compare_measured as compare_measured
    from adjudge.comparison.comparing import compare_scores as compare_scores
    from adjudge.comparison.comparing import measure as measure
    from adjudge.comparison.comparing import measured_scores as measured_scores
    from adjudge.comparison.groups import labels_of as labels_of
    from adjudge.comparison.plan import Plan as Plan
    from adjudge.comparison.results import Comparison as Comparison
    from adjudge.comparison.results import Measured as Measured
    from adjudge.comparison.results import Pair as Pair
    from adjudge.comparison.results import SegmentGroup as SegmentGroup
    from adjudge.comparison.results import Standing as Standing
    from adjudge.comparison.results import TestFacts as TestFacts
    from adjudge.comparison.scoring import DEFAULT_METRICS as DEFAULT_METRICS
    from adjudge.comparison.scoring import Progress as Progress
    from adjudge.comparison.scoring import RunMean as RunMean
    from adjudge.comparison.scoring import Score as Score
    from adjudge.comparison.scoring import Scores as Scores
    from adjudge.comparison.scoring import TestSetFacts as TestSetFacts
    from adjudge.comparison.scoring import facts_of as facts_of
    from adjudge.comparison.scoring import language_warnings as language_warnings
    from adjudge.comparison.scoring import resolve_metrics as resolve_metrics
    from adjudge.comparison.scoring import score as score
    from adjudge.comparison.scoring import sort_metric as sort_metric

# Whoever scores does not load what compares.
_MODULES = {
    "comparing": (
        "check_question",
        "compare",
        "compare_measured",
        "compare_scores",
        "measure",
        "measured_scores",
    ),
    "groups": ("labels_of",),
    "plan": ("Plan",),
    "results": ("Comparison", "SegmentGroup", "Measured", "Pair", "Standing", "TestFacts"),
    "scoring": (
        "DEFAULT_METRICS",
        "Progress",
        "RunMean",
        "Score",
        "Scores",
        "TestSetFacts",
        "facts_of",
        "language_warnings",
        "resolve_metrics",
        "score",
        "sort_metric",
    ),
}
__getattr__ = lazy_names(__name__, _MODULES)
