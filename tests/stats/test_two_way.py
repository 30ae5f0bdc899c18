"""Systems' scores with annotators in the model, held against least squares written out with a column each."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from adjudge.stats.two_way import adjusted_scores, balance


def judged(rng: np.random.Generator, *, number: int = 120, systems: int = 3, annotators: int = 6):
    system = rng.integers(0, systems, number)
    annotator = rng.integers(0, annotators, number)
    system[: systems * annotators] = np.repeat(np.arange(systems), annotators)
    annotator[: systems * annotators] = np.tile(np.arange(annotators), systems)
    values = 50 + 5 * system + rng.normal(0, 8, annotators)[annotator] + rng.normal(0, 3, number)
    return values, system.astype(np.int64), annotator.astype(np.int64), rng.uniform(0.3, 1, number)


def dummies(codes: np.ndarray) -> np.ndarray:
    return np.eye(codes.max() + 1)[codes]


@given(st.integers(0, 2**32 - 1))
def test_differences_are_those_of_least_squares(seed: int) -> None:
    values, system, annotator, weights = judged(np.random.default_rng(seed))
    design = np.hstack([dummies(system), dummies(annotator)[:, 1:]]) * np.sqrt(weights)[:, None]
    effects = np.linalg.lstsq(design, values * np.sqrt(weights), rcond=None)[0][:3]
    fit = adjusted_scores(values, system, annotator, weights)
    assert fit.scores - fit.scores[0] == pytest.approx(effects - effects[0], abs=1e-8)
    means = (fit.pseudo_values * fit.weights).sum(1) / fit.weights.sum(1)
    assert means == pytest.approx(fit.scores, abs=1e-8)


def test_the_error_by_annotators_is_that_of_the_jackknife() -> None:
    ratios = []
    for seed in range(40):
        values, system, annotator, weights = judged(np.random.default_rng(seed), annotators=12, number=240)
        fit = adjusted_scores(values, system, annotator, weights)
        added = (fit.pseudo_values - fit.scores[:, None]) * fit.weights
        by_annotator = np.bincount(annotator, added[1] - added[0])
        lost = []
        for who in range(12):
            others = annotator != who
            left = np.unique(annotator[others], return_inverse=True)[1].astype(np.int64)
            without = adjusted_scores(values[others], system[others], left, weights[others]).scores
            lost.append((fit.scores[1] - fit.scores[0]) - (without[1] - without[0]))
        ratios.append(np.sum(by_annotator**2) / np.sum((np.array(lost) - np.mean(lost)) ** 2))
    # What is added is centred by weight, the jackknife evenly.
    assert np.median(ratios) == pytest.approx(1, abs=0.01)


def test_an_even_assignment_is_even() -> None:
    system, annotator = np.tile([0, 1], 200), np.repeat(np.arange(8), 50)
    even = balance(system, annotator, ["A", "B"])
    assert (even.annotators, even.imbalance, even.systematic, even.parts) == (8, 0.0, False, ())


def test_chance_is_not_taken_for_a_system() -> None:
    rng = np.random.default_rng(1)
    flagged = sum(
        balance(rng.integers(0, 5, 300), rng.integers(0, 20, 300), list("ABCDE")).systematic
        for _ in range(300)
    )
    assert flagged <= 2  # each with a chance of 1 in 1,000


def test_groups_of_annotators_are_noticed() -> None:
    # One group judged B and most of A, the other C and the rest of A.
    system = np.repeat([0, 0, 1, 2], [80, 20, 100, 100])
    annotator = np.concatenate(
        [np.arange(80) % 4, 4 + np.arange(20) % 4, np.arange(100) % 4, 4 + np.arange(100) % 4]
    )
    uneven = balance(system, annotator, ["A", "B", "C"])
    assert uneven.systematic
    assert uneven.imbalance == pytest.approx(1.0)
    assert uneven.parts == ()


def test_systems_that_no_annotator_connects_are_parts() -> None:
    system, annotator = np.array([0, 1, 2, 2]), np.array([0, 0, 1, 2])
    assert balance(system, annotator, ["A", "B", "C"]).parts == (("A", "B"), ("C",))


def test_what_hangs_on_one_annotator_is_not_comparable() -> None:
    rng = np.random.default_rng(2)
    system = np.array([0, 0, 1, 1, 0, 1])
    annotator = np.array([0, 1, 2, 3, 4, 4])
    fit = adjusted_scores(rng.normal(size=6), system, annotator, np.ones(6))
    assert not fit.comparable[0, 1]
