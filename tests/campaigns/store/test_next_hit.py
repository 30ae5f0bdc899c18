"""Which hit comes next: one each, one at a time, none in a pause."""

from dataclasses import replace

import pytest

from adjudge.campaigns.store import answers, campaigns, events, hit_owners, next_hit, people, upkeep, work
from adjudge.campaigns.store.admission import AdmissionError
from helpers import stored
from helpers.work import at_once


def test_hits_for_anyone_go_to_one_each(stores):
    kept = campaigns.add(stores[0], *stored.crowd(6))
    workers = [people.find_or_add_visitor(stores[0], kept, "crowd", f"worker-{i}") for i in range(8)]
    taken = at_once(
        lambda store, worker: next_hit.take_hit(store, kept, worker),
        [(stores[i % 4], worker) for i, worker in enumerate(workers)],
    )
    assert taken.count(None) == 2
    assert len({hit for hit in taken if hit is not None}) == 6
    owners = {hit.annotator for hit in campaigns.hits(stores[0], kept)}
    assert owners == {worker.name for worker, hit in zip(workers, taken, strict=True) if hit is not None}


def test_two_windows_of_one_person_get_one_hit(stores):
    kept = campaigns.add(stores[0], *stored.crowd(6))
    worker = people.find_or_add_visitor(stores[0], kept, "crowd", "worker")
    taken = at_once(lambda store: next_hit.take_hit(store, kept, worker), [(store,) for store in stores])
    assert len(set(taken)) == 1
    assert sum(hit.annotator != "" for hit in campaigns.hits(stores[0], kept)) == 1


def test_the_next_hit_comes_when_one_is_done(store):
    kept = campaigns.add(store, *stored.crowd(2))
    worker = people.find_or_add_visitor(store, kept, "crowd", "worker")
    first = next_hit.take_hit(store, kept, worker)
    steps = work.outline(store, worker)
    for step in steps[:-1]:
        events.record_answer(store, worker, step.id, key=f"k{step.id}", answer={"score": 1})
    assert next_hit.take_hit(store, kept, worker) == first
    events.record_answer(store, worker, steps[-1].id, key="last", answer={"score": 1})
    second = next_hit.take_hit(store, kept, worker)
    assert second not in (None, first)
    assert work.remaining(store, worker) == 6


def test_a_hit_by_its_name(store):
    kept = campaigns.add(store, *stored.crowd(3))
    first, two = (people.find_or_add_visitor(store, kept, "crowd", f"worker-{i}") for i in (1, 2))
    taken = next_hit.take_hit(store, kept, first, "hit-2")
    assert next_hit.take_hit(store, kept, first, "hit-2") == taken
    assert next_hit.take_hit(store, kept, two, "hit-2") is None
    assert next_hit.take_hit(store, kept, two, "hit-9") is None
    assert [hit.annotator for hit in campaigns.hits(store, kept)] == ["", "worker-1", ""]


def test_nobody_gets_two_copies_of_a_hit(store):
    campaign, material, hits = stored.crowd(1)
    names = ("hit-0001", "hit-0002", "hit-0001-2", "hit-0002-2")
    kept = campaigns.add(store, campaign, material, [replace(hits[0], name=name) for name in names])
    this, two, three = (people.find_or_add_visitor(store, kept, "crowd", f"worker-{i}") for i in (1, 2, 3))

    def done(worker):
        for step in work.outline(store, worker):
            if not step.answered:
                events.record_answer(store, worker, step.id, key=f"k{step.id}", answer={"score": 1})

    first = next_hit.take_hit(store, kept, this, "hit-0001")
    done(this)
    assert next_hit.take_hit(store, kept, this, "hit-0001") == first
    assert next_hit.take_hit(store, kept, two, "hit-0001") not in (None, first)
    assert next_hit.take_hit(store, kept, three, "hit-0001") is None
    second = next_hit.take_hit(store, kept, this)
    done(this)
    assert second not in (None, first)
    assert next_hit.take_hit(store, kept, this) is None
    owners = {hit.name: hit.annotator for hit in campaigns.hits(store, kept)}
    assert owners == {
        "hit-0001": "worker-1",
        "hit-0002": "worker-1",
        "hit-0001-2": "worker-2",
        "hit-0002-2": "",
    }


def test_no_hit_while_paused_or_withdrawn(store):
    kept = campaigns.add(store, *stored.crowd(1))
    worker = people.find_or_add_visitor(store, kept, "crowd", "worker")
    campaigns.set_status(store, kept, "closed")
    with pytest.raises(AdmissionError, match="the campaign is closed"):
        next_hit.take_hit(store, kept, worker)
    campaigns.set_status(store, kept, "running")
    upkeep.withdraw(store, kept, "worker")
    with pytest.raises(AdmissionError, match="no longer take part"):
        next_hit.take_hit(store, kept, worker)


def test_a_hit_that_somebody_left_goes_to_another(store):
    kept = campaigns.add(store, *stored.crowd(1))
    first, two = (people.find_or_add_visitor(store, kept, "crowd", f"worker-{i}") for i in (1, 2))
    next_hit.take_hit(store, kept, first)
    number = work.outline(store, first)[0].id
    events.record_answer(store, first, number, key="k", answer={"score": 1})
    assert next_hit.take_hit(store, kept, two) is None
    assert hit_owners.release_hit(store, kept, "hit-1")
    assert not hit_owners.release_hit(store, kept, "hit-1")
    assert not hit_owners.release_hit(store, kept, "hit-9")
    assert next_hit.take_hit(store, kept, two) is not None
    assert work.outline(store, first) == []
    with pytest.raises(AdmissionError):
        events.record_answer(store, first, number, key="k2", answer={"score": 1})
    events.record_answer(store, two, number, key="k", answer={"score": 2})
    assert [(a.annotator, a.answer) for a in answers.counted_answers(store, kept)] == [
        ("worker-1", {"score": 1}),
        ("worker-2", {"score": 2}),
    ]
    assert [(p.tasks, p.answered) for p in answers.annotator_progress(store, kept)] == [(0, 0), (6, 1)]
    assert upkeep.history(store, kept)[-1].detail == {"hit": "hit-1"}
