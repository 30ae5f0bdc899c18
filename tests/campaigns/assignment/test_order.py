"""Two translations of a segment stay apart, from hit to hit too."""

import pytest

from adjudge.campaigns.assignment import order
from adjudge.campaigns.assignment.order import may_follow
from adjudge.campaigns.items import Candidate, Item
from helpers.plans import campaign


@pytest.mark.parametrize(("between", "near"), [(19, True), (20, False)])
def test_twenty_items_lie_between_two_translations_of_a_segment(between: int, near: bool) -> None:
    """The default distance: the twentieth item after one is too near, the one after that is not."""
    made = campaign("abc", 1, "da")
    assert made.assignment.distance == 20
    marks = [(0, ("a",)), *((n, ("a",)) for n in range(1, between + 1)), (0, ("b",))]
    assert bool(order.too_near(marks, made.assignment.distance)) is near
    items = [Item(f"{n}{systems[0]}", (n,), (Candidate(systems, ("x",)),)) for n, systems in marks]
    assert may_follow(made, items[:-1], items[-1:]) is not near
    assert may_follow(made, items[:1], items[1:]) is not near
