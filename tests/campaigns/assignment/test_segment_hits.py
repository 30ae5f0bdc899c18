"""Hits of segments: WMT's blocks of 100, and other sizes."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adjudge.campaigns.assignment import plan_hits
from adjudge.campaigns.assignment.control_items import Shares
from helpers.plans import campaign, kinds, material, ordinary


@pytest.mark.parametrize("people", [1, {"crowd": True}])
@pytest.mark.parametrize("seed", [0, 1])
def test_a_hit_of_100_is_that_of_wmt(people: Any, seed: int) -> None:
    plan = plan_hits(campaign("abc", people, seed=seed, common=1.0), material("abc", 140))
    assert [len(hit.items) for hit in plan.hits] == [100] * 6
    for hit in plan.hits:
        assert kinds(hit.items) == {"ordinary": 70, "bad reference": 10, "repeat": 10, "reference": 10}
        blocks = [hit.items[10 * i : 10 * i + 10] for i in range(10)]
        for number, block in enumerate(blocks):
            assert kinds(block) == {"ordinary": 7, "bad reference": 1, "repeat": 1, "reference": 1}
            away = {item.key: item for item in ordinary(blocks[(number + 5) % 10])}
            made = {item.kind: item for item in block if item.kind != "ordinary"}
            bad, repeat = away[made["bad reference"].of], away[made["repeat"].of]
            shown = [item for item in away.values() if item.segments == made["reference"].segments]
            assert bad != repeat
            assert any(item not in (bad, repeat) for item in shown)


def test_ordinary_items_are_seen_before_or_after_what_is_made_from_them_half_a_hit_away() -> None:
    plan = plan_hits(campaign("abc", 1, common=1.0), material("abc", 140))
    for hit in plan.hits:
        places = {item.key: place for place, item in enumerate(hit.items)}
        away = [abs(place - places[item.of]) for place, item in enumerate(hit.items) if item.of]
        assert min(away) > 40


@given(
    st.lists(st.sampled_from([0.05, 0.1, 0.2, 0.3]), min_size=0, max_size=3),
    st.integers(1, 500),
    st.integers(1, 120),
)
def test_hits_hold_their_size_and_their_shares(shares: list[float], ordinary: int, size: int) -> None:
    made = list(Shares(tuple((str(i), share) for i, share in enumerate(shares))).hit_sizes(ordinary, size))
    assert sum(number for number, _ in made) == ordinary
    assert all(number + sum(controls) == size for number, controls in made[:-1])
    number, controls = made[-1]
    assert number + sum(controls) <= size + size / 10 / (1 - sum(shares)) + 3
    if size * (1 - sum(shares)) >= 3:
        for place, share in enumerate(shares):
            count = sum(controls[place] for _, controls in made)
            assert abs(count - ordinary * share / (1 - sum(shares))) <= 2


@pytest.mark.parametrize(("size", "expected"), [(50, (35, 5)), (20, (14, 2)), (10, (7, 1))])
def test_other_sizes_keep_the_shares(size: int, expected: tuple[int, int]) -> None:
    plan = plan_hits(campaign("abc", 1, hit_size=size), material("abc", 140))
    for hit in plan.hits:
        count = kinds(hit.items)
        assert len(hit.items) == size
        assert (count["ordinary"], count["bad reference"]) == expected
        assert count["bad reference"] == count["repeat"] == count["reference"]
        keys = {item.key for item in ordinary(hit.items)}
        assert all(item.of in keys for item in hit.items if item.kind in ("repeat", "bad reference"))
