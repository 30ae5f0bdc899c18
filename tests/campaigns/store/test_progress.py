"""How far a campaign has come: the same that one would count by hand."""

from collections import Counter

from adjudge.campaigns.items import Candidate, Hit, Item
from adjudge.campaigns.store import answers, campaigns, events, people, upkeep, work
from adjudge.campaigns.store.progress import campaign_progress
from helpers import stored


def by_hand(store, kept):
    """Counted from hits and answers."""
    persons = {annotator.name: annotator for annotator in people.annotators(store, kept)}

    def counts(name):
        return name == "" or (persons[name].withdrawn is None and persons[name].kind != "demo")

    wanted = Counter(
        system
        for hit in campaigns.hits(store, kept)
        if counts(hit.annotator)
        for item in hit.items
        if item.kind == "ordinary"
        for system in item.systems
    )
    given = Counter(
        system
        for answer in answers.counted_answers(store, kept)
        if answer.item.kind == "ordinary"
        for system in answer.item.systems
    )
    return [(name, wanted[name], given[name]) for name in sorted(wanted | given)]


def test_by_system_and_by_annotator(store, kept, anna, ben):
    shared = Item("shared", (0,), (Candidate(("one", "three"), ("same",)), Candidate(("two",), ("other",))))
    people.find_or_add_visitor(store, kept, "demo", "demo-1")
    campaigns.extend(
        store,
        kept,
        [
            Hit("more", (shared, stored.item(1, key="again", kind="repeat", of="one-1"), shared), "anna"),
            Hit("demo", stored.items()[:3], "demo-1"),
            Hit("free", stored.items("two")[:4]),
        ],
    )
    for who in (anna, ben, people.find(store, kept, "demo-1")):
        for step in work.outline(store, who)[::2]:
            events.record_answer(store, who, step.id, key=f"k{step.id}", answer={"score": 1})
        first = work.outline(store, who)[0].id
        events.record_answer(store, who, first, key="undo", kind="undo")
    progress = campaign_progress(store, kept)
    assert [(system.system, system.wanted, system.given) for system in progress.systems] == by_hand(
        store, kept
    )
    assert by_hand(store, kept) == [("one", 14, 6), ("three", 2, 2), ("two", 18, 8)]
    assert [
        (annotator.annotator, annotator.tasks, annotator.answered) for annotator in progress.annotators
    ] == [
        ("anna", 15, 7),
        ("ben", 12, 5),
    ]
    assert (progress.tasks, progress.answered, progress.free) == (31, 12, 4)
    upkeep.withdraw(store, kept, "ben")
    progress = campaign_progress(store, kept)
    assert [(system.system, system.wanted, system.given) for system in progress.systems] == by_hand(
        store, kept
    )
    assert [annotator.withdrawn for annotator in progress.annotators] == [False, True]
    assert (progress.tasks, progress.answered) == (19, 7)  # what ben had to do is nobody's now


def test_nothing_done_yet(store, kept):
    values = [
        (system.system, system.wanted, system.given) for system in campaign_progress(store, kept).systems
    ]
    assert values == [("one", 12, 0), ("two", 12, 0)]
