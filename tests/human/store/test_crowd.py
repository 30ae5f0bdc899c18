"""Workers who come and go: hits that are left behind, on either database."""

import time

import pytest
from sqlalchemy import update

import stored
from adjudge.human.store import campaigns, people, schema, work


@pytest.fixture
def crowd(store):
    return campaigns.add(store, *stored.crowd())


def come(store, crowd, name, answers, hours=0):
    """Somebody takes a hit, answers so much of it, and that was some hours ago."""
    worker = people.visitor(store, crowd, "crowd", name, name)
    work.take_hit(store, crowd, worker)
    for task in work.tasks(store, worker)[:answers]:
        work.append(store, worker, task.id, key=f"{task.id:08}", answer={"score": 1})
    at, a, e = time.time() - 3600 * hours, schema.annotators, schema.events
    with store.writing() as connection:
        connection.execute(update(a).where(a.c.id == worker.id).values(created=at))
        connection.execute(update(e).where(e.c.annotator == worker.id).values(received=at))
    return worker


def test_what_is_abandoned(store, crowd):
    come(store, crowd, "finished", len(stored.SOURCES), hours=30)
    come(store, crowd, "away", 2, hours=30)
    come(store, crowd, "at-it", 2)
    assert work.abandoned(store, crowd, 24 * 3600) == ["hit-2"]
    assert work.abandoned(store, crowd, 48 * 3600) == []


def test_an_undo_leaves_a_hit_unfinished_and_shows_that_somebody_is_there(store, crowd):
    worker = come(store, crowd, "back", len(stored.SOURCES), hours=30)
    task = work.tasks(store, worker)[0].id
    work.append(store, worker, task, key="undo-0001", kind=work.UNDO)
    assert work.abandoned(store, crowd, 24 * 3600) == []
    e = schema.events
    with store.writing() as connection:
        connection.execute(update(e).values(received=time.time() - 30 * 3600))
    assert work.abandoned(store, crowd, 24 * 3600) == ["hit-1"]


def test_annotators_with_names_abandon_nothing(store, kept):
    a = schema.annotators
    with store.writing() as connection:
        connection.execute(update(a).values(created=0.0))
    assert work.abandoned(store, kept, 3600) == []
