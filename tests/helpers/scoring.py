"""What tests of metrics share: rows and scores by spec string, and the runs of mteval there are values of."""

from collections.abc import Sequence

import numpy as np

from adjudge.data import TestSet
from adjudge.metrics import metric

MTEVAL_RUNS = [
    f"mteval-{version}{case}{tokenizer}.{data}.txt"
    for version in ("v13a", "v14")
    for case in ("", "-c")
    for tokenizer in ("", "--international-tokenization")
    for data in ("w1", "zhen2ref", "w1.segments")
    if data == "w1" or (case == "-c" and not tokenizer)
]


def rows_of(
    spec: str, hypotheses: Sequence[str], *references: Sequence[str | None], threads: int = 1
) -> np.ndarray:
    """Rows of some segments; one argument a reference set."""
    scorer = metric(spec)
    return scorer.stats(scorer.prepare(TestSet(references=references)), hypotheses, threads=threads)


def score_of(spec: str, hypothesis: str, *references: str | None) -> float:
    """The score of a single segment; one argument a reference."""
    return float(metric(spec).aggregate(rows_of(spec, [hypothesis], *[[r] for r in references]).sum(0)))


def printed(values: np.ndarray) -> list[str]:
    """Numbers as mteval prints them."""
    return [f"{value:.4f}" for value in values]
