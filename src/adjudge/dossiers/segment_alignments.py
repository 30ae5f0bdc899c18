"""Which words of outputs went with which of the reference, by the metrics that can tell, for the table of segments."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from adjudge.comparison.scoring import resolved
from adjudge.data import Alignment, Outputs, TestSet
from adjudge.metrics import aligning
from adjudge.metrics.base import Metric

MOST = 5_000
"""Outputs whose alignments a page still carries: 5,000 take a second, and as much space as their texts."""

Alignments = dict[str, dict[str, tuple[Alignment | None, ...]]]


def segment_alignments(
    test_set: TestSet, outputs: Sequence[Outputs], metrics: Iterable[Metric | str], *, most: int = MOST
) -> Alignments:
    """By the label of each metric that aligns words and by system; nothing where there are more outputs than `most`."""
    chosen, test_set = resolved(metrics, test_set)
    able = [metric for metric in chosen if metric.name in aligning()]
    if not test_set.references or len(test_set) * len(outputs) * len(able) > most:
        return {}
    result: Alignments = {}
    for metric in able:
        prepared = metric.prepare(test_set)
        result[metric.label] = {
            output.title: tuple(metric.alignments(prepared, output.segments)) for output in outputs
        }
    return result
