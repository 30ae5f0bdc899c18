"""What a hit is made of: WMT's blocks, documents with their copies, hits for a crowd, questions on documents."""

from collections import Counter
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adjudge.campaigns.assignment import order, plan_hits
from adjudge.campaigns.assignment.control_items import Shares
from adjudge.campaigns.assignment.successive_hits import may_follow
from adjudge.campaigns.items import Candidate, Item
from adjudge.campaigns.screens import document_runs
from adjudge.errors import DataError
from helpers.plans import campaign, covered, judges, kinds, material, of_people, ordinary, too_near


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


@pytest.mark.parametrize("protocol", ["da", "esa", "ranking"])
def test_a_crowd_gets_hits_of_nobodys(protocol: str) -> None:
    texts = material("abcd", 200, document=8)
    plan = plan_hits(campaign("abcd", {"crowd": True}, protocol, judgements=3), texts)
    assert {hit.annotator for hit in plan.hits} == {""}
    assert covered(plan.hits) == {(system, n) for system in "abcd" for n in range(200)}
    assert {len(hits) for hits in judges(plan.hits).values()} == {3}
    by_name = {hit.name: hit for hit in plan.hits}
    third = len(plan.hits) // 3
    for hit in plan.hits[:third]:
        assert by_name[f"{hit.name}-2"].items == by_name[f"{hit.name}-3"].items == hit.items
        keys = {item.key for item in ordinary(hit.items)}
        assert len(keys) == len(ordinary(hit.items))
        assert all(item.of in keys for item in hit.items if item.of)
        assert protocol == "ranking" or not too_near(hit.items, 20)


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


def test_mqm_has_repeats_and_references_but_no_damage() -> None:
    plan = plan_hits(campaign("abc", 1, "mqm", common=1.0), material("abc", 240, document=10))
    count = kinds([item for hit in plan.hits for item in hit.items])
    assert (count["bad reference"], count["ordinary"]) == (0, 720)
    assert abs(count["repeat"] - 90) <= 1
    assert abs(count["reference"] - 90) <= 1


QUESTIONS = {f"d{n}": [{"question": "Who?", "answer": "he"}] for n in range(6)}


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


def test_questions_go_with_their_document() -> None:
    texts = material("ab", 30, document=5)
    asked = {"d2": [{"question": "Who?", "choices": ["he", "she"], "answer": 1}]}
    plan = plan_hits(campaign("ab", 2, "comprehension"), texts, questions=asked)
    items = [item for hit in plan.hits for item in hit.items]
    assert {(item.document, item.segments) for item in items} == {("d2", (10, 11, 12, 13, 14))}
    assert all(item.extra["questions"] == asked["d2"] for item in items)
    with pytest.raises(DataError, match=r"rules\.questions: missing"):
        plan_hits(campaign("ab", 2, "comprehension"), texts)
    with pytest.raises(DataError, match=r"rules\.questions: there is no document 'd9'"):
        plan_hits(campaign("ab", 2, "comprehension"), texts, questions={"d9": asked["d2"]})


def test_a_crowd_may_read_documents_too() -> None:
    made = campaign("abc", {"crowd": True}, "comprehension", judgements=2)
    plan = plan_hits(made, material("abc", 30, document=5), questions=QUESTIONS)
    for hit in plan.hits:
        assert len({item.document for item in hit.items}) == len(hit.items)
    assert {len(hits) for hits in judges(plan.hits).values()} == {2}


def test_a_tutorial_opens_the_first_hit_of_everyone() -> None:
    lesson = Item("t", (0,), (Candidate(("tutorial",), ("x",)),), kind="tutorial")
    texts = material("ab", 100)
    plan = plan_hits(campaign("ab", 2, hit_size=20), texts, tutorial=[lesson])
    first = {hit.annotator: hit for hit in reversed(plan.hits)}
    for hit in plan.hits:
        assert (hit.items[0] == lesson) == (hit == first[hit.annotator])
        assert lesson not in hit.items[1:]
    crowd = plan_hits(campaign("ab", {"crowd": True}, hit_size=20), texts, tutorial=[lesson])
    assert all(hit.items[0] == lesson for hit in crowd.hits)


@pytest.mark.parametrize(
    ("protocol", "options", "where"),
    [
        ("da", {"hit_size": 100}, None),
        ("da", {"hit_size": 50}, None),
        ("da", {"hit_size": 40}, "each hit"),
        ("da", {"bad_references": 0.0}, "each hit"),
        ("ranking", {}, "each hit"),
        ("mqm", {}, "each hit"),
    ],
)
def test_hits_of_a_crowd_in_which_nobody_can_fail(
    protocol: str, options: dict[str, float], where: str | None
) -> None:
    plan = plan_hits(campaign("ab", {"crowd": True}, protocol, **options), material("ab", 700))
    notes = [note for note in plan.notes if "nobody can fail quality control" in note]
    assert len(notes) == (where is not None)
    assert all(where in note for note in notes)
    people = plan_hits(campaign("ab", 3, protocol, **options), material("ab", 700))
    assert not any("quality control" in note for note in people.notes)


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


@pytest.mark.parametrize("document", [2, 4])
def test_copies_at_the_end_of_a_hit_are_away_from_what_the_next_one_begins_with(document: int) -> None:
    """Where hits are small enough for the next one to lie within the distance, and there is room to keep it."""
    protocol, texts = {"name": "da", "context": "document"}, material("abcd", 40, document=document)
    for seed in range(3):
        made = campaign("abcd", 1, protocol, hit_size=10, distance=10, seed=seed)
        (items,) = of_people(plan_hits(made, texts).hits).values()
        assert {"bad reference", "repeat"} <= {item.kind for item in items}
        assert too_near(items, 10) == 0
