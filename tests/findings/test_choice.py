"""Which system, and how sure: by simulation as seldom wrong as it says, and told by what the tests found."""

import numpy as np
import pytest

from adjudge.data import ScoreMatrix
from adjudge.evaluate import Plan, compare_measured
from adjudge.evaluate.comparison import measured_means
from adjudge.evaluate.scoring import TestSetFacts
from adjudge.findings.choice import choice


def compared(*scores, names="abc", **options):
    """Systems by one metric or several: an array of systems × segments each."""
    measured = []
    for place, own in enumerate(scores):
        matrix = ScoreMatrix(tuple(names[: len(own)]), np.asarray(own, float))
        measured.append(measured_means(f"m{place}", _rows(matrix)))
    facts = TestSetFacts("", len(scores[0][0]), 0, "")
    return compare_measured(measured, facts, plan=Plan(trials=400, resamples=20, **options))


def _rows(matrix):
    return {
        name: (np.stack([row, np.ones(len(row))], axis=1),)
        for name, row in zip(matrix.systems, matrix.scores, strict=True)
    }


def drawn(rng, *means, segments=40):
    return rng.normal(size=(len(means), segments)) + np.array(means)[:, None]


def test_the_best_is_clear_where_every_metric_shows_it() -> None:
    rng = np.random.default_rng(1)
    own = choice(compared(drawn(rng, 2, 0, 0), drawn(rng, 2, 0, 0)))
    assert (own.system, own.certainty) == ("a", "clear")
    assert set(own.beaten) == {"b", "c"}
    assert own.metrics == ("m0", "m1")


def test_some_metrics_only_and_none_and_the_opposite() -> None:
    rng = np.random.default_rng(2)
    flat = drawn(rng, 0.05, 0)
    assert choice(compared(drawn(rng, 2, 0), flat)).certainty == "partly"
    own = choice(compared(flat))
    assert own.certainty == "open"
    assert own.unclear == ("b",) or own.unclear == ("a",)
    own = choice(compared(drawn(rng, 2, 0), drawn(rng, 0, 2)))
    assert (own.certainty, own.contradicted) == ("contradicted", ("b",))


def test_one_system_is_alone_and_the_same_output_twice_is_not_told_apart() -> None:
    rng = np.random.default_rng(3)
    [first] = drawn(rng, 0)
    own = choice(compared([first, first]))
    assert (own.certainty, own.unclear) == ("open", ("b",))


def test_with_a_baseline_the_best_of_the_others_is_held_against_it() -> None:
    rng = np.random.default_rng(4)
    own = choice(compared(drawn(rng, 3, 0, 2), baseline="a"))
    assert (own.system, own.rival) == ("c", "a")
    assert own.untested == ("b",)
    assert (own.certainty, own.better, own.contradicted, own.winner) == ("behind", ("a",), (), "a")


def test_a_baseline_that_is_better_by_every_metric_is_no_contradiction_of_metrics() -> None:
    rng = np.random.default_rng(7)
    first, second = drawn(rng, 2, 0), drawn(rng, 2, 0)
    assert choice(compared(first, second, baseline="a")).certainty == "behind"
    own = choice(compared(first, -second, baseline="a"))
    assert (own.certainty, own.contradicted, own.winner) == ("contradicted", ("a",), "")
    unsure = choice(compared(first, drawn(rng, 0.05, 0), baseline="a"))
    assert (unsure.certainty, unsure.ahead, unsure.winner) == ("behind", ("a",), "a")


@pytest.mark.parametrize("systems", [2, 4])
def test_equal_systems_are_called_clear_no_more_often_than_alpha(systems) -> None:
    rng = np.random.default_rng(5)
    runs, wrong = 300, 0
    for _ in range(runs):
        wrong += choice(compared(drawn(rng, *[0.0] * systems), names="abcd")).certainty == "clear"
    assert wrong <= runs * 0.05 + 3 * np.sqrt(runs * 0.05 * 0.95)
    assert systems > 2 or wrong > 0  # two systems are called different now and then, as alpha says


def test_a_better_system_is_the_one_that_is_clear() -> None:
    rng = np.random.default_rng(6)
    called = [choice(compared(drawn(rng, 0.6, 0.0, 0.0), drawn(rng, 0.6, 0.0, 0.0))) for _ in range(60)]
    clear = [own.system for own in called if own.certainty == "clear"]
    assert len(clear) > 5
    assert set(clear) == {"a"}
