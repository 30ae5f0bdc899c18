"""Judges compared by the errors that they mark: the better one is found, equal ones are not told apart."""

import numpy as np

from adjudge.human.spans import compare_spans
from helpers.marked import judged


def simulated(rng, skill, texts=60):
    """A judge who marks a gold error with some chance, and something else with another."""
    rows = []
    for item in range(texts):
        start = int(rng.integers(0, 30))
        hit = rng.random() < skill
        rows.append(
            ("m", "A", str(item), [(start if not hit else 5, start + 10 if not hit else 15, "minor")])
        )
    return judged(*rows)


def test_a_better_judge_is_found_and_equal_ones_are_not_told_apart():
    rng = np.random.default_rng(1)
    gold = judged(*(("ann", "A", str(item), [(5, 15, "minor")]) for item in range(60)))
    judges = {"good": simulated(rng, 0.9), "bad": simulated(rng, 0.2), "worse": simulated(rng, 0.2)}
    comparison = compare_spans(gold, judges, trials=999, resamples=200)
    p = {(pair.a, pair.b): pair.significant for pair in comparison.pairs if pair.metric == "span F1"}
    assert p == {("good", "bad"): True, ("good", "worse"): True, ("bad", "worse"): False}
    assert comparison.test.unit == "item"
    alone = compare_spans(gold, {"good": judges["good"]}, resamples=200)
    assert not alone.pairs
    standing = alone.results[0]
    assert standing.low < standing.score < standing.high
