"""How often organisers' pages make the server compute."""

import threading

from adjudge.server.watching import CHEAP_SECONDS, SHARE, Watching


class Clock:
    def __init__(self):
        self.now = 1000.0

    def __call__(self):
        return self.now


def counting(clock, seconds):
    calls = []

    def compute():
        calls.append(clock())
        clock.now += seconds
        return {"n": len(calls)}

    return calls, compute


def test_what_is_cheap_is_always_new():
    clock = Clock()
    calls, compute = counting(clock, CHEAP_SECONDS / 2)
    watching = Watching(clock, clock)
    assert [watching.look(1, "quality", compute)["n"] for _ in range(3)] == [1, 2, 3]
    assert len(calls) == 3


def test_what_is_dear_takes_no_more_than_its_share():
    clock = Clock()
    calls, compute = counting(clock, 4.0)
    watching = Watching(clock, clock)
    for _ in range(1000):  # a page that asks every second
        watching.look(1, "quality", compute)
        clock.now += 1.0
    spent = 4.0 * len(calls)
    assert spent / (clock.now - 1000.0) <= SHARE
    assert len(calls) > 5  # and it goes on


def test_each_campaign_for_itself():
    clock = Clock()
    first, second = counting(clock, 4.0), counting(clock, 4.0)
    watching = Watching(clock, clock)
    for _ in range(3):
        watching.look(1, "quality", first[1])
        watching.look(2, "quality", second[1])
    assert (len(first[0]), len(second[0])) == (1, 1)
    watching.forget(1)
    watching.look(1, "quality", first[1])
    watching.look(2, "quality", second[1])
    assert (len(first[0]), len(second[0])) == (2, 1)


def test_it_says_how_old_it_is():
    clock = Clock()
    _, compute = counting(clock, 4.0)
    watching = Watching(clock, clock)
    one = watching.look(1, "quality", compute)
    assert watching.look(1, "quality", compute)["as_of"] == one["as_of"]


def test_a_fault_is_not_kept():
    clock = Clock()
    watching = Watching(clock, clock)

    def fail():
        clock.now += 4.0
        raise RuntimeError

    for _ in range(2):
        try:
            watching.look(1, "quality", fail)
        except RuntimeError:
            continue
        raise AssertionError
    assert watching.look(1, "quality", lambda: {"n": 1})["n"] == 1


def test_two_who_ask_at_once_wait_for_one_answer():
    clock, begun, go_on, found = Clock(), threading.Event(), threading.Event(), []
    calls, compute = counting(clock, 4.0)
    watching = Watching(clock, clock)

    def slowly():
        begun.set()
        go_on.wait(10)
        return compute()

    asking = [
        threading.Thread(target=lambda: found.append(watching.look(1, "quality", slowly))) for _ in "12"
    ]
    asking[0].start()
    assert begun.wait(10)
    asking[1].start()
    go_on.set()
    for one in asking:
        one.join(10)
    assert len(calls) == 1
    assert found[0] is found[1]
