"""One verdict: by simulation as seldom wrong as it says, and no system left out that may be the best."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from adjudge.comparison import Plan, compare, compare_measured
from adjudge.comparison.results import measured_means
from adjudge.comparison.scoring import TestSetFacts
from adjudge.comparison.verdict import (
    Relation,
    comparison_verdict,
    contenders,
    decide,
    joint_verdict,
    verdict_sentence,
)
from adjudge.data import Outputs, ScoreMatrix, TestSet
from helpers.verdicts import difference, evidence


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
    own = comparison_verdict(compared(drawn(rng, 2, 0, 0), drawn(rng, 2, 0, 0)))
    assert (own.systems, own.winner, own.certainty) == (("a",), "a", "clear")
    assert set(own.others) == {"b", "c"}
    assert own.measures == ("m0", "m1")


def test_some_metrics_only_and_none_and_the_opposite() -> None:
    rng = np.random.default_rng(2)
    flat = drawn(rng, 0.05, 0)
    first = drawn(rng, 2, 0)
    leaning = flat if flat[0].mean() > flat[1].mean() else flat[::-1]
    assert comparison_verdict(compared(first, leaning)).certainty == "partly"
    split = comparison_verdict(compared(first, leaning[::-1]))
    assert (split.certainty, split.leaders) == ("split", {"m0": "a", "m1": "b"})
    own = comparison_verdict(compared(flat))
    assert (own.certainty, set(own.systems), own.winner) == ("open", {"a", "b"}, "")
    own = comparison_verdict(compared(first, drawn(rng, 0, 2)))
    assert (own.certainty, own.contradicted) == ("split", True)


def test_a_system_that_leads_by_one_metric_only_is_no_loser() -> None:
    """Facebook-AI led by BLEU and TER, Online-G by chrF: the page said that Facebook-AI does not win."""
    rng = np.random.default_rng(12)
    near = drawn(rng, 0, 0)
    near[0] += near[1].mean() - near[0].mean() + 0.02
    own = comparison_verdict(compared(near, near, drawn(rng, 0, 2)))
    assert verdict_sentence(own) == "No single winner: a leads by m0 and m1, b by m2."
    assert own.pair == ("a", "b")


@pytest.mark.parametrize(
    ("wins", "said"),
    [
        (["ac", "ad", "bc", "bd"], "; c and d are worse than both."),
        (["ac", "ad", "bc", "bd", "ae", "be"], "; the other 3 systems are worse than both."),
        (
            ["ac", "cb", "ad", "ae", "be"],
            "; e is worse than both; c and d are worse than at least one of them.",
        ),
    ],
)
def test_who_is_worse_than_all_that_are_named_is_said_to_be(wins, said) -> None:
    """It said "worse than at least one of them" of whom both are shown to be better."""
    names = "abcde" if any("e" in pair for pair in wins) else "abcd"
    own = decide(evidence(names, [tuple(pair) for pair in wins]))
    assert verdict_sentence(own).endswith(said), verdict_sentence(own)


def test_the_same_output_twice_is_identical() -> None:
    [first] = drawn(np.random.default_rng(3), 0)
    own = comparison_verdict(compared([first, first]))
    assert (own.certainty, own.systems) == ("identical", ("a", "b"))


def test_with_a_baseline_those_that_are_better_than_it_are_named() -> None:
    rng = np.random.default_rng(4)
    own = comparison_verdict(compared(drawn(rng, 3, 0, 1), baseline="a"))
    assert (own.systems, own.certainty) == (("a",), "clear")
    assert own.pair == ("c", "a")
    several = comparison_verdict(compared(drawn(rng, 0, 2, 3), baseline="a"))
    assert (several.systems, several.certainty, several.winner) == (("c", "b"), "several", "")
    assert several.pair == ("c", "a")


def test_a_baseline_that_is_better_by_every_metric_is_no_contradiction_of_metrics() -> None:
    rng = np.random.default_rng(7)
    first, second = drawn(rng, 2, 0), drawn(rng, 2, 0)
    assert comparison_verdict(compared(first, second, baseline="a")).winner == "a"
    own = comparison_verdict(compared(first, -second, baseline="a"))
    assert (own.contradicted, own.winner, set(own.systems)) == (True, "", {"a", "b"})


def test_below_thirty_segments_no_winner_is_named() -> None:
    rng = np.random.default_rng(8)
    few = comparison_verdict(compared(drawn(rng, 9, 0, segments=29)))
    assert (few.winner, few.certainty, set(few.systems)) == ("", "short", {"a", "b"})
    assert "29 segments are too few to rely on the difference that they show" in verdict_sentence(few)
    alike = comparison_verdict(compared(drawn(np.random.default_rng(10), 0, 0, segments=29)))
    assert "29 segments are too short a test to tell" in verdict_sentence(alike)
    assert comparison_verdict(compared(drawn(rng, 9, 0, segments=30))).winner == "a"


def test_repeated_segments_count_once_towards_thirty() -> None:
    """Six sentences, each 60 times, all better: p is 0.03, and the test is still one of six sentences."""
    reference = [f"the {word} cat sat on a mat today" for word in ("red", "old", "big", "sad", "tan", "shy")]
    spoiled = [line.replace("sat on", "sits at") for line in reference]
    test_set = TestSet(references=[reference * 60])
    outputs = [Outputs("good", reference * 60), Outputs("spoiled", spoiled * 60)]
    comparison = compare(test_set, outputs, "chrf", trials=2000, resamples=50)
    assert comparison.pairs[0].significant
    verdict = comparison_verdict(comparison)
    assert (verdict.certainty, verdict.segments) == ("short", 6)
    assert "6 distinct segments are too few to rely on the difference that they show" in verdict_sentence(
        verdict
    )


@given(st.data())
def test_no_system_is_left_out_that_none_is_better_than(data) -> None:
    """Nor one that is not told apart from such a system; a single winner beats each of the others."""
    names = "abcde"[: data.draw(st.integers(2, 5))]
    relations = {}
    for pair in combinations(names, 2):
        ways = [
            data.draw(st.sampled_from([(pair[0], True), (pair[0], False), (pair[1], True)])) for _ in "xy"
        ]
        relations[frozenset(pair)] = Relation(tuple(difference(*pair, *way) for way in ways))
    named = contenders(names, relations)
    beaten = {b for pair, own in relations.items() for a in pair for b in pair - {a} if own.prefers(a)}
    assert set(names) - beaten <= set(named)
    assert named
    for left_out in set(names) - set(named):
        assert left_out in beaten
        assert all(relations[frozenset((left_out, name))].winners for name in set(named) - beaten)
    if len(named) == 1:
        assert all(relations[frozenset((named[0], n))].prefers(named[0]) for n in names if n != named[0])


def test_people_decide_where_they_were_asked() -> None:
    metrics = evidence("ab", [("a", "b")])
    other = joint_verdict(metrics, evidence("ba", [("b", "a")], by_people=True))
    assert (other.winner, other.by_people, other.metrics.winner) == ("b", True, "a")
    unsure = joint_verdict(metrics, evidence("ba", [], by_people=True))
    assert (unsure.winner, unsure.systems, unsure.certainty) == ("", ("b", "a"), "open")
    assert joint_verdict(metrics, None).winner == "a"


def test_metrics_decide_about_systems_that_people_did_not_judge() -> None:
    metrics = evidence("abc", [("a", "b"), ("a", "c"), ("b", "c")])
    people = evidence("ba", [("b", "a")], by_people=True)
    own = joint_verdict(metrics, people)
    assert own.winner == "b"
    assert verdict_sentence(own) == (
        "b wins: by people’s judgements it is better than a; by x it is better than c, which people did not judge."
    )
    cycle = joint_verdict(evidence("cab", [("c", "b"), ("a", "c"), ("a", "b")]), people)
    assert set(cycle.systems) == set("abc")


@pytest.mark.parametrize("systems", [2, 4])
def test_equal_systems_are_called_clear_no_more_often_than_alpha(systems) -> None:
    rng = np.random.default_rng(5)
    runs, wrong = 300, 0
    for _ in range(runs):
        own = comparison_verdict(compared(drawn(rng, *[0.0] * systems), names="abcd"))
        wrong += bool(own.winner)
    assert wrong <= runs * 0.05 + 3 * np.sqrt(runs * 0.05 * 0.95)
    assert systems > 2 or wrong > 0  # two systems are called different now and then, as alpha says


def test_several_metrics_do_not_name_a_winner_of_equal_systems_more_often() -> None:
    """Metrics that go along with each other, one of which may be significant alone: 7 % before a correction."""
    rng = np.random.default_rng(9)
    runs, wrong = 400, 0
    for _ in range(runs):
        base = drawn(rng, 0, 0, segments=60)
        metrics = [0.7 * base + 0.7 * drawn(rng, 0, 0, segments=60) for _ in range(3)]
        wrong += bool(comparison_verdict(compared(*metrics)).winner)
    assert wrong <= runs * 0.05 + 2 * np.sqrt(runs * 0.05 * 0.95)


def test_a_better_system_is_the_one_that_is_clear() -> None:
    rng = np.random.default_rng(6)
    called = [
        comparison_verdict(compared(drawn(rng, 0.6, 0.0, 0.0), drawn(rng, 0.6, 0.0, 0.0))) for _ in range(60)
    ]
    clear = [own.winner for own in called if own.certainty == "clear"]
    assert len(clear) > 5
    assert set(clear) == {"a"}
