"""What a hit is made of: WMT's blocks, documents with their copies, hits for a crowd, questions on documents."""

import pytest

from adjudge.campaigns.assignment import plan_hits
from adjudge.campaigns.items import Candidate, Item
from adjudge.errors import DataError
from helpers.planned_hits import QUESTIONS
from helpers.plans import campaign, covered, judges, material, ordinary, too_near


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
