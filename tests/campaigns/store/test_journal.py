"""Everything that came in can be listed."""

from adjudge.campaigns.store import campaigns, events, journal, people, work
from helpers import stored


def test_every_event_with_what_became_of_it(store, kept, anna, ben):
    first, second = (step.id for step in work.outline(store, anna)[:2])
    events.record_answer(store, anna, first, key="1", answer={"score": 1}, seconds=1.5, started=10.0)
    events.record_answer(store, ben, work.outline(store, ben)[7].id, key="2", answer={"score": 2})
    events.record_answer(store, anna, second, key="3", answer={"score": 3})
    events.record_answer(store, anna, first, key="4", answer={"score": 4})
    events.record_answer(store, anna, second, key="5", kind="undo")
    entries = journal.entries(store, kept)
    assert [(e.number, e.annotator, e.hit, e.place, e.item, e.key, e.kind, e.state) for e in entries] == [
        (1, "anna", "anna-1", 0, "one-0", "1", "answer", "superseded"),
        (2, "ben", "ben-2", 1, "two-1", "2", "answer", "counts"),
        (3, "anna", "anna-1", 1, "one-1", "3", "answer", "undone"),
        (4, "anna", "anna-1", 0, "one-0", "4", "answer", "counts"),
        (5, "anna", "anna-1", 1, "one-1", "5", "undo", ""),
    ]
    assert (entries[0].answer, entries[0].seconds, entries[0].started) == ({"score": 1}, 1.5, 10.0)
    assert entries[4].answer is None
    assert [e.received for e in entries] == sorted(e.received for e in entries)
    assert {e.annotator_kind for e in entries} == {"person"}


def test_of_one_campaign_only(store, kept, anna):
    other = campaigns.add(store, *stored.made("other"))
    events.record_answer(store, anna, work.outline(store, anna)[0].id, key="1", answer={"score": 1})
    anna_too = people.find(store, other, "anna")
    events.record_answer(store, anna_too, work.outline(store, anna_too)[0].id, key="1", answer={"score": 2})
    assert [e.answer for e in journal.entries(store, kept)] == [{"score": 1}]
    assert [(e.number, e.answer) for e in journal.entries(store, other)] == [(1, {"score": 2})]
