"""What the tests of metrics against people share: small tables of scores, and pairs of metrics."""

import numpy as np

from adjudge.data.score_tables import MetaSet, ScoreTable
from adjudge.meta.results import MetricPair


def meta_set(gold, metrics, **facts):
    gold = np.array(gold, float)
    tables = {name: ScoreTable.of_segments(name, np.array(t, float)) for name, t in metrics.items()}
    systems = tuple("abcdefgh"[: len(gold)])
    return MetaSet("made", "", systems, {"da": ScoreTable.of_segments("da", gold)}, tables, **facts)


SCORES = [[1.0, 2.0, 3.0], [2.0, 3.0, 5.0], [4.0, 4.0, 1.0]]


def pair_of_metrics(a, b, significant):
    return MetricPair(a, b, 0.1, 0.01, 0.01, significant)


def names_of_golden(names):
    """Names of metrics by what mt-metrics-eval calls them in tables of tasks."""
    return {name.removesuffix("-refA").replace("-src", "[noref]"): name for name in names}
