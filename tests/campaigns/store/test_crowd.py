"""Workers who come and go: who they are, what they may take, what they leave behind; on either database."""

import time
from concurrent.futures import ThreadPoolExecutor

import pytest
from sqlalchemy import update

from adjudge.campaigns.campaign import parse
from adjudge.campaigns.crowd import worker_name
from adjudge.campaigns.items import CampaignMaterial, Candidate, Hit, Item
from adjudge.campaigns.store import (
    admission,
    campaigns,
    completions,
    events,
    hit_owners,
    next_hit,
    people,
    schema,
    work,
)
from adjudge.data import Outputs, TestSet
from helpers import stored


@pytest.fixture
def crowd(store):
    return campaigns.add(store, *stored.crowd())


def come(store, crowd, name, answers, hours=0):
    """Somebody takes a hit, answers so much of it, and that was some hours ago."""
    worker = people.find_or_add_visitor(store, crowd, "crowd", name, name)
    next_hit.take_hit(store, crowd, worker)
    for task in work.tasks(store, worker)[:answers]:
        events.record_answer(store, worker, task.id, key=f"{task.id:08}", answer={"score": 1})
    at, a, e = time.time() - 3600 * hours, schema.annotators, schema.events
    with store.writing() as connection:
        connection.execute(update(a).where(a.c.id == worker.id).values(created=at))
        connection.execute(update(e).where(e.c.annotator == worker.id).values(received=at))
    return worker


def test_what_is_abandoned(store, crowd):
    come(store, crowd, "finished", len(stored.SOURCES), hours=30)
    come(store, crowd, "away", 2, hours=30)
    come(store, crowd, "at-it", 2)
    assert hit_owners.abandoned_hits(store, crowd, 24 * 3600) == ["hit-2"]
    assert hit_owners.abandoned_hits(store, crowd, 48 * 3600) == []


def test_an_undo_leaves_a_hit_unfinished_and_shows_that_somebody_is_there(store, crowd):
    worker = come(store, crowd, "back", len(stored.SOURCES), hours=30)
    task = work.tasks(store, worker)[0].id
    events.record_answer(store, worker, task, key="undo-0001", kind=events.UNDO)
    assert hit_owners.abandoned_hits(store, crowd, 24 * 3600) == []
    e = schema.events
    with store.writing() as connection:
        connection.execute(update(e).values(received=time.time() - 30 * 3600))
    assert hit_owners.abandoned_hits(store, crowd, 24 * 3600) == ["hit-1"]


def test_annotators_with_names_abandon_nothing(store, kept):
    a = schema.annotators
    with store.writing() as connection:
        connection.execute(update(a).values(created=0.0))
    assert hit_owners.abandoned_hits(store, kept, 3600) == []


FIRST = [f"F{number}" for number in range(40)]


def wide(protocol="da", **more):
    """Forty segments in twenty documents, in the translations of two systems."""
    sources = tuple(f"Frase {number}." for number in range(40))
    labels = {"document": tuple(f"d{number // 2}" for number in range(40))}
    test_set = TestSet((tuple(FIRST),), sources, labels=labels)
    made = tuple(Outputs(name, tuple(f"{text} {name}" for text in FIRST)) for name in ("one", "two"))
    return parse(stored.config("wide", (), protocol=protocol, **more)), CampaignMaterial(test_set, made)


def hit(name, system, segments, **changes):
    items = [
        Item(
            f"{system}-{n}",
            (n,),
            (Candidate((system,), (f"F{n} {system}",)),),
            document=f"d{n // 2}",
            **changes,
        )
        for n in segments
    ]
    return Hit(name, tuple(items))


def take(store, kept, worker, name=""):
    """Somebody takes a hit and answers all of it; what it is called."""
    number = next_hit.take_hit(store, kept, worker, name)
    for task in work.tasks(store, worker, number) if number else ():
        if task.answer is None:
            events.record_answer(store, worker, task.id, key=f"{task.id:08}", answer={"score": 1})
    return completions.hit_names(store, worker).get(number)


def test_one_segment_of_two_systems_keeps_its_distance_from_hit_to_hit(store):
    hits = [
        hit("hit-0001", "one", range(20)),
        hit("hit-0002", "two", range(20)),  # each segment comes twenty items later: one too few
        hit("hit-0003", "one", [*range(20, 39), 0]),  # the same system's may come again any time
    ]
    kept = campaigns.add(store, *wide(), hits)
    worker = people.find_or_add_visitor(store, kept, "crowd", "w1")
    assert take(store, kept, worker) == "hit-0001"
    with pytest.raises(admission.AdmissionError) as refused:
        next_hit.take_hit(store, kept, worker, "hit-0002")
    assert refused.value.code == "seen"
    assert take(store, kept, worker) == "hit-0003"
    assert take(store, kept, worker) is None  # segment 0 was seen just now
    assert take(store, kept, worker, "hit-0003") == "hit-0003"  # their own, again
    other = people.find_or_add_visitor(store, kept, "crowd", "w2")
    assert take(store, kept, other, "hit-0002") == "hit-0002"


def test_what_was_done_last_counts_and_not_the_number_of_a_hit(store):
    hits = [
        hit("hit-0001", "one", range(20, 40)),
        hit("hit-0002", "one", range(20)),
        hit("hit-0003", "two", range(20)),
    ]
    kept = campaigns.add(store, *wide(), hits)
    worker = people.find_or_add_visitor(store, kept, "crowd", "w1")
    assert [take(store, kept, worker, name) for name in ("hit-0002", "hit-0001")] == ["hit-0002", "hit-0001"]
    assert take(store, kept, worker) == "hit-0003"  # hit-0002 was twenty items and more ago


def test_nobody_is_asked_about_a_document_twice(store):
    questions = {"extra": {"questions": [{"question": "Who?", "answer": "he"}]}}
    hits = [
        hit("hit-0001", "one", range(4), **questions),
        hit("hit-0002", "two", [*range(30, 36), 3], **questions),
        hit("hit-0003", "two", range(30, 36), **questions),
    ]
    kept = campaigns.add(store, *wide("comprehension", rules={"questions": "q.jsonl"}), hits)
    worker = people.find_or_add_visitor(store, kept, "crowd", "w1")
    assert [take(store, kept, worker) for _ in range(3)] == ["hit-0001", "hit-0003", None]


def test_hits_too_small_to_keep_their_distance_need_not(store):
    hits = [hit("hit-0001", "one", range(3)), hit("hit-0002", "two", range(3))]
    near = Hit("hit-0003", (*hits[0].items, *hits[1].items))
    kept = campaigns.add(store, *wide(), [*hits, near])
    worker = people.find_or_add_visitor(store, kept, "crowd", "w1")
    assert [take(store, kept, worker) for _ in range(3)] == ["hit-0001", "hit-0003", None]


def test_tutorials_come_again_in_every_hit(store):
    tutorial = hit("t", "two", range(5), kind="tutorial").items
    hits = [
        Hit(f"hit-000{n}", (*tutorial, *hit("", "one", range(20 * n - 20, 20 * n)).items)) for n in (1, 2)
    ]
    kept = campaigns.add(store, *wide(), hits)
    worker = people.find_or_add_visitor(store, kept, "crowd", "w1")
    assert [take(store, kept, worker) for _ in range(2)] == ["hit-0001", "hit-0002"]


def test_an_id_belongs_to_whoever_came_first_with_it(store, crowd):
    first = next_hit.arrive(store, crowd, "W1", assignment="A1")
    cookie = people.open_session(store, first)
    assert first.name == worker_name(crowd.secret, "W1")
    assert (
        next_hit.arrive(store, crowd, "W1", assignment="A1") == first
    )  # another browser, the same assignment
    assert next_hit.arrive(store, crowd, "W1", cookie=cookie) == first
    assert next_hit.arrive(store, crowd, "W1", assignment="A2", cookie=cookie) == first  # the next assignment
    assert next_hit.arrive(store, crowd, "W1", assignment="A2") == first
    stranger = people.open_session(store, next_hit.arrive(store, crowd, "W2"))
    for proof in (
        {},
        {"assignment": "A1"},
        {"assignment": "A9"},
        {"cookie": stranger},
        {"cookie": "nonsense"},
    ):
        with pytest.raises(next_hit.WorkerIdTaken):
            next_hit.arrive(store, crowd, "W1", **proof)
    with pytest.raises(next_hit.WorkerIdTaken):
        next_hit.arrive(store, crowd, "W2", assignment="A1")


def test_of_two_browsers_at_once_one_has_the_id(store, crowd):
    def come():
        try:
            return next_hit.arrive(store, crowd, "W1").id
        except next_hit.WorkerIdTaken:
            return None

    with ThreadPoolExecutor(4) as threads:
        values = [entry.result() for entry in [threads.submit(come) for _ in range(8)]]
    assert len([entry for entry in values if entry is not None]) == 1
    assert len(people.annotators(store, crowd)) == 1


def test_an_assignment_is_no_link(store, crowd):
    next_hit.arrive(store, crowd, "W1", assignment="A1")
    assert people.annotator_by_token(store, "A1") is None
    (token,) = people.renew_links(store, crowd, [worker_name(crowd.secret, "W1")]).values()
    assert people.annotator_by_token(store, token) is not None
    with pytest.raises(next_hit.WorkerIdTaken):  # the organiser's new link is the only way in from now on
        next_hit.arrive(store, crowd, "W1", assignment="A1")


def test_what_was_given_to_others_since_was_seen_all_the_same(store):
    hits = [
        hit("hit-0001", "one", range(20)),
        hit("hit-0001-2", "one", range(20)),
        hit("hit-0002", "two", range(20)),
    ]
    kept = campaigns.add(store, *wide(), hits)
    worker = people.find_or_add_visitor(store, kept, "crowd", "w1")
    assert take(store, kept, worker) == "hit-0001"
    assert hit_owners.release_hit(store, kept, "hit-0001")
    with pytest.raises(admission.AdmissionError):
        next_hit.take_hit(store, kept, worker, "hit-0002")
    assert take(store, kept, worker) == "hit-0001"  # their own again, and no copy of it
    assert take(store, kept, worker) is None


def test_many_workers_at_once_with_what_they_have_seen(store):
    """Everybody who has done one hit takes another: each of the others goes to one of them."""
    hits = [hit(f"hit-{n:04d}", "one", range(20)) for n in range(1, 17)]
    kept = campaigns.add(store, *wide(), hits)
    crew = [people.find_or_add_visitor(store, kept, "crowd", f"w{n}") for n in range(8)]
    for worker in crew:
        assert take(store, kept, worker) is not None
    with ThreadPoolExecutor(8) as threads:
        taken = [
            entry.result() for entry in [threads.submit(next_hit.take_hit, store, kept, who) for who in crew]
        ]
    assert len({number for number in taken if number}) == 8


def test_a_preview_reads_a_hit_and_leaves_it(store):
    kept = campaigns.add(
        store, *wide(), [hit("hit-0001", "one", range(20)), hit("hit-0002", "two", range(7))]
    )
    guest = people.find_or_add_visitor(store, kept, "demo", "demo-1")
    campaigns.extend(store, kept, [Hit("demo-1-1", hit("", "one", range(2)).items, guest.name)])
    count, items = next_hit.preview_hit(store, kept, "hit-0002-3", 3)
    assert (count, [item.key for item in items]) == (7, ["two-0", "two-1", "two-2"])
    worker = people.find_or_add_visitor(store, kept, "crowd", "w1")
    take(store, kept, worker, "hit-0001")
    assert next_hit.preview_hit(store, kept, "", 50)[0] == 20  # also one that somebody has
    assert next_hit.preview_hit(store, kept, "demo-1-1", 3) is None
    assert next_hit.preview_hit(store, kept, "hit-0009", 3) is None
