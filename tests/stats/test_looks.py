"""Looks share one alpha, however many there are."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adjudge.errors import UsageError
from adjudge.stats.looks import MOST_LOOKS, ONLY_LOOK, TRIALS, Look
from conftest import benchmark_module


@given(st.integers(1, 2000))
def test_the_shares_of_all_looks_add_up_to_what_is_spent_and_to_less_than_all(number):
    spent = sum(Look(k).share for k in range(1, number + 1))
    assert Look(number).spent == pytest.approx(spent, rel=1e-9)
    assert spent < 1


@given(st.integers(1, 2000))
def test_planned_looks_have_equal_shares_and_spend_all_in_the_end(planned):
    assert Look(planned=planned).share * planned == pytest.approx(1)
    assert Look(planned, planned).spent == pytest.approx(1)
    assert Look(planned=planned).spent is None or planned == 0


def test_the_only_look_has_all_of_alpha():
    assert (ONLY_LOOK.only, ONLY_LOOK.share, ONLY_LOOK.spent, ONLY_LOOK.over_looks(0.03)) == (
        True,
        1,
        1,
        0.03,
    )


@given(st.integers(1, 500), st.floats(0, 1))
def test_p_over_looks_is_significant_where_p_is_at_the_share_of_the_look(number, p):
    look, alpha = Look(number), 0.05
    if abs(p - alpha * look.share) > 1e-12:
        assert (look.over_looks(p) < alpha) == (p < alpha * look.share)


@given(st.integers(1, MOST_LOOKS), st.integers(1, 20))
def test_the_trials_of_a_look_can_give_a_p_that_passes(number, tests):
    look = Look(number)
    trials = look.trials(0.05, tests)
    assert trials >= TRIALS[0]
    assert tests / (trials + 1) <= 0.5 * 0.05 * look.share


@pytest.mark.parametrize(
    ("look", "match"),
    [
        ({"number": 0}, "look=0"),
        ({"planned": 0}, "looks=0"),
        ({"number": 3, "planned": 2}, "all of alpha is spent"),
    ],
)
def test_what_is_no_look(look, match):
    with pytest.raises(UsageError, match=match):
        Look(**look)


def test_after_a_thousand_looks_a_new_baseline_is_asked_for():
    with pytest.raises(UsageError, match="save a new baseline"):
        Look(MOST_LOOKS + 1).check()


def test_a_hundred_equal_versions_raise_an_alarm_in_five_of_a_hundred_projects_at_most(shared):
    """Real rows, all on the same segments; docs/gate.md has the figures of 1,000 projects."""
    looks, projects = benchmark_module("looks"), 20
    own = looks.material("bleu")
    for against in ("baseline", "previous"):
        first = looks.false_alarms(own, projects, against)
        ever = {rule: int((of > 0).sum()) for rule, of in first.items()}
        # Of 20, more than 4 come once in 400 times at a true 5 %.
        assert max(ever["looks counted"], ever["100 looks planned"]) <= 4
        assert ever["every look at alpha"] > 5, "what a fixed test does"
