"""The options of a comparison: listed once, and the same wherever they are named."""

import re
from dataclasses import fields
from typing import get_type_hints

import pytest

import adjudge
from adjudge.comparison.plan import Plan, PlanOptions, SignificanceOptions, plan_of
from adjudge.errors import UsageError

FIELDS = [field.name for field in fields(Plan)]


def test_keywords_are_the_fields_of_a_plan():
    keywords, declared = get_type_hints(PlanOptions), get_type_hints(Plan)
    assert sorted(keywords) == sorted(FIELDS)
    same = set(FIELDS) - {"by", "expected"}  # of which a plan makes tuples
    assert {name: keywords[name] for name in same} == {name: declared[name] for name in same}


def test_what_is_drawn_is_apart_from_how_it_is_tested():
    assert set(FIELDS) - set(get_type_hints(SignificanceOptions)) == {"test", "unit", "by"}


@pytest.mark.parametrize("name", FIELDS)
def test_help_tells_every_option(name):
    assert re.search(rf"`{name}\b", adjudge.compare.__doc__ or "")


def test_options_go_before_the_plan_they_are_named_beside():
    plan = plan_of(
        Plan(seed=1, trials=20, by=("domain",)), {"seed": 2, "expected": ["a"], "alternative": "one-sided"}
    )
    assert plan == Plan(seed=2, trials=20, by=("domain",), expected=("a",), alternative="one-sided")


def test_a_single_label_is_a_list_of_one():
    assert plan_of(None, {"by": "domain"}).by == ("domain",)


def test_very_many_bootstrap_tests_draw_enough_for_one_to_be_significant_and_no_more():
    """Of all resamples, which are in memory, there are a tenth more than the smallest p needs."""
    plan = Plan(test="bootstrap").with_numbers(20_000)
    assert (plan.trials, plan.resamples) == (440_000, 440_000)
    assert Plan(test="bootstrap").with_numbers(9_000).trials == 200_000
    assert Plan(test="bootstrap").with_numbers(1).trials == 10_000


@pytest.mark.parametrize("method", ["rank-sum", "signed-rank"])
def test_rank_tests_refuse_whole_documents(method: str) -> None:
    """They rank single segments, while intervals would draw documents."""
    with pytest.raises(UsageError, match="ranks single segments"):
        Plan(test=method, unit="document").resolved({"document": ["a", "a", "b"]}, 3)


def test_a_side_is_fixed_before_scores_are_seen():
    with pytest.raises(UsageError, match="a side that was fixed before anyone saw scores"):
        Plan(alternative="one-sided")
    assert Plan(alternative="one-sided", baseline="A").baseline == "A"
    assert Plan(alternative="one-sided", expected=("A", "B")).expected == ("A", "B")
