"""Answers are taken once, by whoever they were asked of, while the campaign runs."""

import itertools
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import event, select, update

from adjudge.campaigns.fields import AnswerError
from adjudge.campaigns.items import Hit
from adjudge.campaigns.store import (
    Store,
    StoreError,
    answers,
    campaigns,
    events,
    hit_owners,
    journal,
    next_hit,
    people,
    schema,
    upkeep,
    work,
)
from adjudge.campaigns.store.admission import Refusal
from helpers import stored


@pytest.fixture
def stores(database):
    """As many servers as there are processes."""
    opened = [Store.open(database) for _ in range(4)]
    yield opened
    for store in opened:
        store.close()


def at_once(action, cases):
    """All of it at the same time; an error is a result."""
    barrier = threading.Barrier(len(cases))

    def run(case):
        barrier.wait()
        try:
            return action(*case)
        except StoreError as error:
            return error

    with ThreadPoolExecutor(len(cases)) as pool:
        return list(pool.map(run, cases))


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
            with pytest.raises(Refusal, match=r"there is no task .* of yours") as caught:
                action()
            assert caught.value.code == "unknown"
    assert journal.entries(store, kept) == []


def test_the_newest_answer_counts_until_it_is_undone(store, kept, anna):
    number = work.outline(store, anna)[0].id

    def counts():
        values = [answer.answer for answer in answers.counted_answers(store, kept)]
        assert values == [task.answer for task in work.tasks(store, anna) if task.answer is not None]
        assert len(values) == 12 - work.remaining(store, anna)
        return values

    events.record_answer(store, anna, number, key="1", answer={"score": 10})
    events.record_answer(store, anna, number, key="2", answer={"score": 20})
    assert counts() == [{"score": 20}]
    events.record_answer(store, anna, number, key="3", kind="undo")
    assert counts() == []
    events.record_answer(store, anna, number, key="4", kind="undo")
    assert counts() == []
    events.record_answer(store, anna, number, key="5", answer={"score": 30})
    assert counts() == [{"score": 30}]
    assert [entry.state for entry in journal.entries(store, kept)] == [
        "superseded",
        "undone",
        "",
        "",
        "counts",
    ]


def test_sent_twice_it_counts_once(store, kept, anna, ben):
    number = work.outline(store, anna)[0].id
    first = events.record_answer(store, anna, number, key="k", answer={"score": 10})
    again = events.record_answer(store, anna, number, key="k", answer={"score": 10}, seconds=9)
    assert (again.id, first.again, again.again) == (first.id, False, True)
    other = events.record_answer(store, ben, work.outline(store, ben)[0].id, key="k", answer={"score": 10})
    assert other.id != first.id
    for changed in ({"score": 11}, {"score": 10, "more": 1}):
        with pytest.raises(Refusal, match="another answer was sent under the same key") as caught:
            events.record_answer(store, anna, number, key="k", answer=changed)
        assert caught.value.code == "conflict"
    with pytest.raises(Refusal):
        events.record_answer(store, anna, number, key="k", kind="undo")
    with pytest.raises(Refusal):
        events.record_answer(store, anna, number + 1, key="k", answer={"score": 10})
    assert len(journal.entries(store, kept)) == 2


def test_an_answer_is_one_statement(store, anna):
    number, asked = work.outline(store, anna)[0].id, []
    event.listen(store.engine, "before_cursor_execute", lambda *told: asked.append(told[2].split()[0]))
    events.record_answer(store, anna, number, key="k", answer={"score": 1})
    assert asked == (["BEGIN", "INSERT"] if store.is_sqlite else ["INSERT"])


def test_what_was_acknowledged_is_acknowledged_again_when_paused(store, kept, anna):
    number = work.outline(store, anna)[0].id
    events.record_answer(store, anna, number, key="k", answer={"score": 10})
    campaigns.set_status(store, kept, "paused")
    assert events.record_answer(store, anna, number, key="k", answer={"score": 10}).again
    with pytest.raises(Refusal, match="the campaign is paused; your answer is not lost") as caught:
        events.record_answer(store, anna, number, key="new", answer={"score": 10})
    assert caught.value.code == "paused"
    campaigns.set_status(store, kept, "running")
    assert not events.record_answer(store, anna, number, key="new", answer={"score": 10}).again


@pytest.mark.parametrize(
    "sent",
    [{"kind": "undo", "answer": {}}, {"kind": "answer"}, {"kind": "erased"}, {"kind": "other", "answer": {}}],
)
def test_what_is_neither_an_answer_nor_an_undo(store, anna, sent):
    with pytest.raises(AnswerError, match="an answer was expected, or an undo without one"):
        events.record_answer(store, anna, work.outline(store, anna)[0].id, key="k", **sent)


def test_answers_come_back_as_they_were(store, kept, anna):
    steps = work.outline(store, anna)
    sent = {
        "errors": [{"start": None, "end": None, "severity": "major"}, {"start": 0, "end": 3}],
        "text": "漢字 😀 é\u0301 \"'\\ \u2028 </script>",
        "numbers": [0, -1, 1.5, 1e300, 2**53, 0.1 + 0.2],
        "flags": [True, False, None],
    }
    events.record_answer(
        store, anna, steps[0].id, key="k", answer=sent, seconds=0.1 + 0.2, started=1.7e9 + 1 / 3
    )
    (answer,) = answers.counted_answers(store, kept)
    assert answer.answer == sent
    assert (answer.seconds, answer.started) == (0.1 + 0.2, 1.7e9 + 1 / 3)
    assert (answer.annotator, answer.hit, answer.place, answer.item) == ("anna", "anna-1", 0, stored.item(0))


@pytest.fixture(scope="module")
def in_memory():
    opened = Store.open("sqlite://")
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
                with pytest.raises(Refusal):
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
        refused = [result for result in results if isinstance(result, Refusal)]
        assert [entry.code for entry in refused] == ["answered"] * 3
    number = work.outline(stores[0], anna)[0].id
    with pytest.raises(Refusal, match="answers cannot be changed in this campaign"):
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
        with pytest.raises(Refusal) as caught:
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
    with pytest.raises(Refusal, match="was paused a moment ago; your answer is not lost") as caught:
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
            except Refusal as error:
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
    store = Store.open(postgresql.clean())
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
    with pytest.raises(Refusal, match="the campaign is closed"):
        next_hit.take_hit(store, kept, worker)
    campaigns.set_status(store, kept, "running")
    upkeep.withdraw(store, kept, "worker")
    with pytest.raises(Refusal, match="no longer take part"):
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
    with pytest.raises(Refusal):
        events.record_answer(store, first, number, key="k2", answer={"score": 1})
    events.record_answer(store, two, number, key="k", answer={"score": 2})
    assert [(a.annotator, a.answer) for a in answers.counted_answers(store, kept)] == [
        ("worker-1", {"score": 1}),
        ("worker-2", {"score": 2}),
    ]
    assert [(p.tasks, p.answered) for p in answers.annotator_progress(store, kept)] == [(0, 0), (6, 1)]
    assert upkeep.history(store, kept)[-1].detail == {"hit": "hit-1"}


def edits(count):
    """What an editor made, to be judged by others."""
    return [stored.item(i % 6, key=f"edit-{i}", extra={"editor": "anna"}) for i in range(count)]


def more(pool, who, size):
    """A planner that gives somebody the first edits that nobody was given."""

    def make(hits):
        given = {item.key for hit in hits for item in hit.items}
        left = [item for item in pool if item.key not in given][:size]
        return [Hit(f"more-{len(hits)}-{who}", tuple(left), who)] if left else []

    return make


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
    with pytest.raises(Refusal):
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
