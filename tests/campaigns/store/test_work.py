"""Answers are taken once, by whoever they were asked of, while the campaign runs."""

import itertools
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import select, update

from adjudge.campaigns.items import Hit
from adjudge.campaigns.store import (
    CampaignStore,
    StoreError,
    answers,
    campaigns,
    events,
    hit_owners,
    journal,
    people,
    schema,
    upkeep,
    work,
)
from adjudge.campaigns.store.admission import AdmissionError
from helpers import stored
from helpers.work import at_once, more


def test_tasks_in_order_with_their_answers(store, kept, anna):
    tasks = work.tasks(store, anna)
    assert [task.item for task in tasks] == [*stored.items("one"), *stored.items("two")]
    assert [task.place for task in tasks] == [*range(6), *range(6)]
    assert all(task.answer is None for task in tasks)
    events.record_answer(store, anna, tasks[3].id, key="k", answer={"score": 70}, seconds=2.5)
    assert [task.answer for task in work.tasks(store, anna)[2:5]] == [None, {"score": 70}, None]
    assert [task.seconds for task in work.tasks(store, anna)[2:5]] == [None, 2.5, None]
    assert work.tasks(store, anna, tasks[0].hit) == work.tasks(store, anna)[:6]
    assert work.tasks(store, anna, 10**12) == []
    assert [(step.id, step.hit, step.place) for step in work.outline(store, anna)] == [
        (task.id, task.hit, task.place) for task in tasks
    ]
    assert [step.answered for step in work.outline(store, anna)].index(True) == 3
    assert work.remaining(store, anna) == 11


def test_one_task(store, kept, anna, ben):
    first = work.tasks(store, anna)[0]
    assert work.task(store, anna, first.id) == (first.item, "running")
    for number in (work.tasks(store, ben)[0].id, 0, -1, 10**6, 2**31, 2**63, 10**30):
        for action in (
            lambda n=number: work.task(store, anna, n),
            lambda n=number: events.record_answer(store, anna, n, key="k", answer={"score": 1}),
        ):
            with pytest.raises(AdmissionError, match=r"there is no task .* of yours") as caught:
                action()
            assert caught.value.code == "unknown"
    assert journal.entries(store, kept) == []


@pytest.fixture(scope="module")
def in_memory():
    opened = CampaignStore.open("sqlite://")
    yield opened
    opened.close()


NUMBERS = itertools.count()


EVENTS = st.tuples(st.integers(0, 2), st.sampled_from(["answer", "undo"]), st.integers(0, 5))


@given(course=st.lists(EVENTS, max_size=12))
def test_any_course_of_events(in_memory, course):
    """The answer that counts is the last thing said of a task, whatever came before; a key is used once."""
    store = in_memory
    kept = campaigns.add(store, *stored.made(f"campaign-{next(NUMBERS)}", annotators=("anna",)))
    anna = people.find(store, kept, "anna")
    numbers = [step.id for step in work.outline(store, anna)]
    last, used = {}, {}
    for score, (place, kind, key) in enumerate(course):
        answer = {"score": score} if kind == "answer" else None
        if key in used:
            if used[key] == (place, kind, answer):
                assert events.record_answer(
                    store, anna, numbers[place], key=str(key), kind=kind, answer=answer
                ).again
            else:
                with pytest.raises(AdmissionError):
                    events.record_answer(store, anna, numbers[place], key=str(key), kind=kind, answer=answer)
            continue
        events.record_answer(store, anna, numbers[place], key=str(key), kind=kind, answer=answer)
        used[key], last[numbers[place]] = (place, kind, answer), answer
    wanted = {number: answer for number, answer in last.items() if answer is not None}
    assert {answer.task: answer.answer for answer in answers.counted_answers(store, kept)} == wanted
    assert {task.id: task.answer for task in work.tasks(store, anna) if task.answer is not None} == wanted
    assert answers.annotator_progress(store, kept)[0].answered == len(wanted)
    entries = journal.entries(store, kept)
    assert [entry.number for entry in entries] == list(range(1, len(used) + 1))
    assert sum(entry.state == "counts" for entry in entries) == len(wanted)


def test_the_same_key_many_times_at_once(stores):
    kept = campaigns.add(stores[0], *stored.made())
    anna = people.find(stores[0], kept, "anna")
    numbers = [step.id for step in work.outline(stores[0], anna)]
    for turn, number in enumerate(numbers):
        results = at_once(
            lambda store, number=number, turn=turn: events.record_answer(
                store, anna, number, key=f"k{turn}", answer={"score": turn}
            ),
            [(store,) for store in stores],
        )
        assert len({event.id for event in results}) == 1
        assert sorted(event.again for event in results) == [False, True, True, True]
    assert len(journal.entries(stores[0], kept)) == len(numbers)


def test_two_windows_answer_one_task(stores):
    kept = campaigns.add(stores[0], *stored.made())
    anna = people.find(stores[0], kept, "anna")
    number = work.outline(stores[0], anna)[0].id
    written = at_once(
        lambda store, score: events.record_answer(
            store, anna, number, key=f"k{score}", answer={"score": score}
        ),
        [(store, score) for score, store in enumerate(stores)],
    )
    (answer,) = answers.counted_answers(stores[0], kept)
    assert answer.event == max(event.id for event in written)
    assert (
        sorted(entry.state for entry in journal.entries(stores[0], kept)) == ["counts"] + ["superseded"] * 3
    )


def test_without_corrections_the_first_answer_stays(stores):
    kept = campaigns.add(stores[0], *stored.made())
    anna = people.find(stores[0], kept, "anna")
    for turn, step in enumerate(work.outline(stores[0], anna)):
        results = at_once(
            lambda store, score, number=step.id, turn=turn: events.record_answer(
                store, anna, number, key=f"k{turn}-{score}", answer={"score": score}, corrections=False
            ),
            [(store, score) for score, store in enumerate(stores)],
        )
        refused = [result for result in results if isinstance(result, AdmissionError)]
        assert [entry.code for entry in refused] == ["answered"] * 3
    number = work.outline(stores[0], anna)[0].id
    with pytest.raises(AdmissionError, match="answers cannot be changed in this campaign"):
        events.record_answer(stores[0], anna, number, key="undo", kind="undo", corrections=False)
    assert len(journal.entries(stores[0], kept)) == 12


def test_without_corrections_what_is_sent_twice_counts_once(store, kept, anna):
    number = work.outline(store, anna)[0].id

    def send(key, score=10, **more):
        return events.record_answer(
            store, anna, number, key=key, answer={"score": score}, corrections=False, **more
        )

    first = send("k")
    assert send("k") == replace(first, again=True)
    for changed, code in (({"key": "k", "score": 11}, "conflict"), ({"key": "l"}, "answered")):
        with pytest.raises(AdmissionError) as caught:
            send(**changed)
        assert caught.value.code == code
    campaigns.set_status(store, kept, "paused")
    assert send("k").again
    assert [entry.key for entry in journal.entries(store, kept)] == ["k"]


def test_a_campaign_that_goes_on_in_the_same_moment(store, kept, anna, monkeypatch):
    """What was not written because of a pause is refused for it, although there is none any more."""
    campaigns.set_status(store, kept, "paused")
    known = events._known

    def late(connection, values):
        if store.is_sqlite:
            connection.execute(update(schema.campaigns).values(status="running"))
        else:
            campaigns.set_status(store, kept, "running")
        return known(connection, values)

    monkeypatch.setattr(events, "_known", late)
    with pytest.raises(AdmissionError, match="was paused a moment ago; your answer is not lost") as caught:
        events.record_answer(store, anna, work.outline(store, anna)[0].id, key="k", answer={"score": 1})
    assert caught.value.code == "paused"


@pytest.mark.parametrize("how", ["paused", "withdrawn", "forgotten"])
def test_nothing_is_taken_once_a_pause_is_there(stores, how):
    """Answers come in all the while; those that were acknowledged are there, those after the pause are not."""
    kept = campaigns.add(stores[0], *stored.made())
    anna = people.find(stores[0], kept, "anna")
    number = work.outline(stores[0], anna)[0].id
    begun, acknowledged, refused = threading.Event(), [], []

    def answer(store, name):
        for turn in range(20_000):
            time.sleep(0.001)  # SQLite is not fair: who answers without a break may keep the others out
            try:
                acknowledged.append(
                    events.record_answer(store, anna, number, key=f"{name}-{turn}", answer={"score": 1}).id
                )
            except AdmissionError as error:
                refused.append(error.code)
                return
            if turn == 3:
                begun.set()

    def stop(store):
        begun.wait(30)
        if how == "paused":
            campaigns.set_status(store, kept, "paused")
        elif how == "withdrawn":
            upkeep.withdraw(store, kept, "anna")
        else:
            upkeep.forget(store, kept, "anna")
        return len(journal.entries(store, kept))

    with ThreadPoolExecutor(4) as pool:
        workers = [pool.submit(answer, store, name) for name, store in enumerate(stores[:3])]
        at_the_pause = pool.submit(stop, stores[3]).result()
        for worker in workers:
            worker.result()
    assert (
        len(journal.entries(stores[0], kept)) == len(set(acknowledged)) == len(acknowledged) == at_the_pause
    )
    assert refused == ["paused" if how == "paused" else "withdrawn"] * 3


@pytest.mark.parametrize("how", ["paused", "withdrawn", "forgotten"])
def test_a_pause_waits_for_an_answer_that_is_being_written(postgresql, how):
    """SQLite writes one thing after the other anyway; in PostgreSQL the pause must be kept waiting."""
    store = CampaignStore.open(postgresql.clean())
    kept = campaigns.add(store, *stored.made())
    anna = people.find(store, kept, "anna")
    number = work.outline(store, anna)[0].id

    def stop():
        if how == "paused":
            campaigns.set_status(store, kept, "paused")
        elif how == "withdrawn":
            upkeep.withdraw(store, kept, "anna")
        else:
            upkeep.forget(store, kept, "anna")
        return len(journal.entries(store, kept))

    def wait_for(waiting, other):
        count = "SELECT count(DISTINCT pid) FROM pg_locks WHERE NOT granted"
        while not other.done() and postgresql.execute(count) != [(waiting,)]:
            pass

    with ThreadPoolExecutor(2) as pool:
        with store.writing() as holding:
            # The answer is admitted and in the table; what is left is to look whether there is such a task.
            holding.execute(select(schema.tasks).where(schema.tasks.c.id == number).with_for_update())
            answer = pool.submit(events.record_answer, store, anna, number, key="k", answer={"score": 1})
            wait_for(1, answer)
            pause = pool.submit(stop)
            wait_for(2, pause)
        assert not answer.result().again
        assert pause.result() == 1, "there was a pause, and an answer came after it"
    store.close()


def edits(count):
    """What an editor made, to be judged by others."""
    return [stored.item(i % 6, key=f"edit-{i}", extra={"editor": "anna"}) for i in range(count)]


def test_nobody_is_given_what_another_got_at_the_same_time(stores):
    names = tuple(f"judge-{i}" for i in range(4))
    campaign, material, _ = stored.made(annotators=names)
    kept = campaigns.add(stores[0], campaign, material, [])
    judges = [people.find(stores[0], kept, name) for name in names]
    pool, given = edits(20), []
    for _ in range(3):
        given += at_once(
            lambda store, judge: hit_owners.refill(store, kept, judge, more(pool, judge.name, 3)),
            [(stores[i], judge) for i, judge in enumerate(judges)],
        )
        for judge in judges:
            for step in work.outline(stores[0], judge):
                if not step.answered:
                    events.record_answer(
                        stores[0], judge, step.id, key=f"k{step.id}", answer={"acceptable": True}
                    )
    keys = [item.key for hit in campaigns.hits(stores[0], kept) for item in hit.items]
    assert sorted(keys) == sorted(item.key for item in pool)
    assert given.count(1) == 7  # six of three, one of two; then nothing is left
    assert given.count(0) == 5


def test_two_windows_of_one_person_are_filled_once(stores):
    campaign, material, _ = stored.made()
    kept = campaigns.add(stores[0], campaign, material, [])
    anna = people.find(stores[0], kept, "anna")
    added = at_once(
        lambda store: hit_owners.refill(store, kept, anna, more(edits(12), "anna", 3)),
        [(store,) for store in stores],
    )
    assert sorted(added) == [0, 0, 0, 1]
    assert work.remaining(stores[0], anna) == 3


def test_nothing_is_added_for_somebody_with_work_or_in_a_pause(store, kept, anna):
    assert hit_owners.refill(store, kept, anna, more(edits(12), "anna", 3)) == 0
    campaigns.set_status(store, kept, "paused")
    with pytest.raises(AdmissionError):
        hit_owners.refill(store, kept, anna, more(edits(12), "anna", 3))


def test_a_planner_that_fails_leaves_nothing(store):
    campaign, material, _ = stored.made()
    kept = campaigns.add(store, campaign, material, [])
    anna = people.find(store, kept, "anna")
    with pytest.raises(ZeroDivisionError):
        hit_owners.refill(store, kept, anna, lambda hits: 1 / 0)
    with pytest.raises(StoreError, match="who is no annotator"):
        hit_owners.refill(store, kept, anna, lambda hits: [Hit("h", stored.items(), "zoe")])
    assert campaigns.hits(store, kept) == []
    assert hit_owners.refill(store, kept, anna, more(edits(3), "anna", 3)) == 1


def test_progress(store, kept, anna, ben):
    for number, step in enumerate(work.outline(store, anna)[:4]):
        events.record_answer(store, anna, step.id, key=f"k{number}", answer={"score": 1}, seconds=2.5)
    first = work.outline(store, anna)[0].id
    events.record_answer(store, anna, first, key="better", answer={"score": 2}, seconds=1.0)
    events.record_answer(store, anna, work.outline(store, anna)[1].id, key="undo", kind="undo")
    events.record_answer(store, ben, work.outline(store, ben)[0].id, key="k", answer={"score": 1})
    this, two = answers.annotator_progress(store, kept)
    assert (this.annotator, this.kind, this.tasks, this.answered, this.seconds) == (
        "anna",
        "person",
        12,
        3,
        6.0,
    )
    assert (two.annotator, two.tasks, two.answered, two.seconds) == ("ben", 12, 1, 0.0)
    assert this.last < two.last
    people.find_or_add_visitor(store, kept, "demo", "demo-1")
    third = answers.annotator_progress(store, kept)[2]
    assert (third.kind, third.tasks, third.answered, third.last) == ("demo", 0, 0, None)


def test_what_a_demo_says_counts_only_where_asked_for(store, kept, anna):
    guest = people.find_or_add_visitor(store, kept, "demo", "demo-1")
    campaigns.extend(store, kept, [Hit("demo-hit", stored.items()[:2], "demo-1")])
    events.record_answer(store, guest, work.outline(store, guest)[0].id, key="k", answer={"score": 1})
    assert answers.counted_answers(store, kept) == []
    assert [answer.annotator for answer in answers.counted_answers(store, kept, demo=True)] == ["demo-1"]


def test_tasks_do_not_load_the_campaign(store, kept, anna):
    """Items that are somebody else's are not even read."""
    from adjudge.campaigns.items import Item

    seen, real = [], Item.from_json
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(
            Item, "from_json", classmethod(lambda cls, entry: (seen.append(entry["key"]), real(entry))[1])
        )
        campaigns.extend(store, kept, [Hit("ben-3", (stored.item(0, key="bens"),), "ben")])
        seen.clear()
        hit = work.outline(store, anna)[0].hit
        assert seen == []
        events.record_answer(store, anna, work.outline(store, anna)[0].id, key="k", answer={"score": 1})
        assert seen == []
        assert len(work.tasks(store, anna, hit)) == len(seen) == 6
