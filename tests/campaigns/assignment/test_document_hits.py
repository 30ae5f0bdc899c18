"""Hits of documents: copies at the end, and nobody reads one twice."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adjudge.campaigns.assignment import plan_hits
from adjudge.campaigns.protocols import document_runs
from helpers.planned_hits import QUESTIONS
from helpers.plans import campaign, judges, kinds, material, of_people, too_near


def test_the_copies_at_the_end_of_a_hit_of_documents() -> None:
    plan = plan_hits(campaign("abc", 1, "esa", common=1.0), material("abc", 210, document=10))
    for hit in plan.hits:
        count = kinds(hit.items)
        assert count == {"ordinary": 70, "bad reference": 10, "repeat": 10, "reference": 10}
        tail = hit.items[-20:]
        assert kinds(tail) == {"bad reference": 10, "repeat": 10}
        numbers = document_runs(hit.items)
        last = {numbers[place] for place in range(80, 100)}
        assert len(last) == 2
        # Each copy is of a document that was judged in this hit, from its beginning on.
        for run in last:
            copy = [item for item, number in zip(hit.items, numbers, strict=True) if number == run]
            first = copy[0].segments[0]
            assert [item.segments[0] for item in copy] == list(range(first, first + 10))
            assert len({item.systems for item in copy}) == 1
        assert {item.of for item in tail} <= {item.key for item in hit.items[:80]}


def test_documents_judged_as_a_whole() -> None:
    plan = plan_hits(
        campaign("abc", 1, {"name": "da", "rate": "document"}, common=1.0), material("abc", 400, document=8)
    )
    items = [item for hit in plan.hits for item in hit.items]
    assert {len(item.segments) for item in items} == {8}
    count = kinds(items)
    assert count["ordinary"] == 150
    assert all(abs(count[kind] - 150 / 7) <= 1 for kind in ("bad reference", "repeat", "reference"))
    assert max(sum(len(item.segments) for item in hit.items) for hit in plan.hits) <= 110
    assert not too_near(items, 20)


@given(st.integers(1, 4), st.integers(1, 12), st.integers(1, 4), st.integers(0, 3))
def test_nobody_reads_a_document_twice(systems: int, people: int, wanted: int, seed: int) -> None:
    names = "abcd"[:systems]
    made = campaign(names, people, "comprehension", judgements=min(wanted, people), seed=seed)
    plan = plan_hits(made, material(names, 30, document=5), questions=QUESTIONS)
    for items in of_people(plan.hits).values():
        assert len({item.document for item in items}) == len(items)
    counts = Counter(len(set(judge)) for judge in judges(plan.hits).values())
    if systems * made.assignment.judgements <= people:
        assert counts == {made.assignment.judgements: 6 * systems}
    else:
        assert any("nobody may see a document twice" in note for note in plan.notes)
    assert kinds([item for hit in plan.hits for item in hit.items]).keys() == {"ordinary"}


@pytest.mark.parametrize("document", [2, 4])
def test_copies_at_the_end_of_a_hit_are_away_from_what_the_next_one_begins_with(document: int) -> None:
    """Where hits are small enough for the next one to lie within the distance, and there is room to keep it."""
    protocol, texts = {"name": "da", "context": "document"}, material("abcd", 40, document=document)
    for seed in range(3):
        made = campaign("abcd", 1, protocol, hit_size=10, distance=10, seed=seed)
        (items,) = of_people(plan_hits(made, texts).hits).values()
        assert {"bad reference", "repeat"} <= {item.kind for item in items}
        assert too_near(items, 10) == 0
