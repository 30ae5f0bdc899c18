"""Whose turn it is: clients take turns, small requests do not wait for large ones, and nobody fills the queue alone."""

from __future__ import annotations

import asyncio
import threading
import time
from collections import Counter
from collections.abc import Callable

import pytest

pytest.importorskip("fastapi")

from hypothesis import given
from hypothesis import strategies as st

from adjudge.server import lanes
from adjudge.server.lanes import Job, Lanes, LaneUse, Turns
from adjudge.server.problems import ServerProblem


class Fake:
    """A computer whose answers are scripted; it may be held up."""

    def __init__(self, outcome: Callable[[str], dict[str, object]]) -> None:
        self.outcome, self.computed = outcome, []
        self.go_on = threading.Event()
        self.go_on.set()

    def answer(self, route: str, body: str) -> dict[str, object]:
        assert self.go_on.wait(30)
        self.computed.append(body)
        return self.outcome(body)

    def end(self) -> None:
        self.go_on.set()


def done(body: str) -> dict[str, object]:
    return {"status": 200, "text": body}


@given(st.lists(st.sampled_from("abc"), max_size=30))
def test_clients_take_turns_and_each_keeps_its_order(clients: list[str]) -> None:
    async def play() -> list[Job]:
        turns, jobs = Turns(), [Job(client, "/score", str(n)) for n, client in enumerate(clients)]
        for job in jobs:
            turns.add(job)
        served = []
        while (job := turns.next()) is not None:
            served.append(job)
        return served

    served = asyncio.run(play())
    assert sorted(int(job.body) for job in served) == list(range(len(clients)))
    for client in set(clients):
        own = [int(job.body) for job in served if job.client == client]
        assert own == sorted(own)
    left = Counter(clients)
    for at in range(len(served)):  # between two jobs of a client, every other that waits has one
        client, following = served[at].client, [job.client for job in served[at + 1 :]]
        left[client] -= 1
        if left[client]:
            between = following[: following.index(client)]
            assert set(between) == {other for other in left if left[other] and other != client}


def test_a_client_with_many_jobs_delays_another_by_one_of_them() -> None:
    async def play() -> list[str]:
        computer = Fake(done)
        computer.go_on.clear()
        both = Lanes(computer, Fake(done))
        many = [asyncio.ensure_future(both.compute(Job("greedy", "/score", f"g{n}"))) for n in range(8)]
        await asyncio.sleep(0.05)
        other = asyncio.ensure_future(both.compute(Job("modest", "/score", "m")))
        await asyncio.sleep(0.05)
        computer.go_on.set()
        await asyncio.gather(*many, other)
        return computer.computed

    computed = asyncio.run(play())
    assert computed.index("m") <= 2  # one is computed already, one may be next


def test_a_small_request_does_not_wait_for_a_large_one() -> None:
    async def play() -> tuple[bool, list[str]]:
        small = Fake(lambda body: {"estimate": 99.0} if body.startswith("heavy") else done(body))
        large = Fake(done)
        large.go_on.clear()
        both = Lanes(small, large)
        heavy = [asyncio.ensure_future(both.compute(Job("a", "/compare", f"heavy {n}"))) for n in range(4)]
        await asyncio.wait_for(both.compute(Job("a", "/score", "light")), 20)
        waiting = not any(task.done() for task in heavy)
        large.go_on.set()
        answers = await asyncio.gather(*heavy)
        return waiting, [answer["text"] for answer in answers]

    waiting, answers = asyncio.run(play())
    assert waiting
    assert answers == [f"heavy {n}" for n in range(4)]


def test_a_long_body_is_not_read_to_find_out_how_large_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lanes, "SMALL_BODY", 10)
    small, large = Fake(done), Fake(done)

    async def play() -> None:
        await Lanes(small, large).compute(Job("a", "/score", "x" * 11))

    asyncio.run(play())
    assert (small.computed, large.computed) == ([], ["x" * 11])


def test_what_was_taken_for_small_and_takes_long_is_computed_in_the_other_lane() -> None:
    def too_long(body: str) -> dict[str, object]:
        raise ServerProblem(503, "too long", "not done after 5 seconds")

    async def play() -> dict[str, object]:
        return await Lanes(Fake(too_long), Fake(done)).compute(Job("a", "/score", "b"))

    assert asyncio.run(play()) == done("b")


@pytest.mark.parametrize("error", [ServerProblem(500, "internal", "it died"), ValueError("a fault")])
def test_an_error_is_told_and_the_next_one_is_computed(error: Exception) -> None:
    def fail(body: str) -> dict[str, object]:
        if body == "bad":
            raise error
        return done(body)

    async def play() -> None:
        both = Lanes(Fake(fail), Fake(done))
        first = asyncio.ensure_future(both.compute(Job("a", "/score", "bad")))
        second = asyncio.ensure_future(both.compute(Job("a", "/score", "good")))
        with pytest.raises(type(error), match=str(error)):
            await first
        assert await second == done("good")

    asyncio.run(play())


def test_who_is_gone_loses_their_turn() -> None:
    async def play() -> list[str]:
        computer = Fake(done)
        computer.go_on.clear()
        both = Lanes(computer, Fake(done))
        tasks = [asyncio.ensure_future(both.compute(Job("a", "/score", str(n)))) for n in range(4)]
        await asyncio.sleep(0.05)
        tasks[2].cancel()
        await asyncio.sleep(0.05)
        computer.go_on.set()
        await asyncio.gather(*tasks, return_exceptions=True)
        return computer.computed

    assert asyncio.run(play()) == ["0", "1", "3"]


def test_one_client_has_so_many_requests_at_once_and_others_have_theirs() -> None:
    places = LaneUse()
    held = [places.request("greedy") for _ in range(lanes.MOST_OF_CLIENT)]
    for one in held:
        one.__enter__()
    with pytest.raises(ServerProblem, match="requests of yours") as caught, places.request("greedy"):
        pass
    assert (caught.value.status, caught.value.code) == (429, "busy")
    with places.request("modest"):
        pass
    held[0].__exit__(None, None, None)
    with places.request("greedy"):
        pass


def test_unfinished_requests_take_no_place_of_whole_ones() -> None:
    places = LaneUse()
    for client in range(lanes.MOST_WAITING):
        for _ in range(lanes.MOST_OF_CLIENT):
            places.request(str(client)).__enter__()
    with places.request("another"), places.whole():
        pass


def test_bytes_are_counted_until_the_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lanes, "MOST_BYTES", 10)
    places = LaneUse()
    with places.request("a") as first:
        first.add(6)
        with places.request("b") as second:
            second.add(4)
            with pytest.raises(ServerProblem, match="too many requests are read"):
                second.add(1)
        with places.request("c") as third:
            third.add(4)
    with places.request("d") as fourth:
        fourth.add(10)


def test_a_lane_begins_anew_once_it_was_empty() -> None:
    async def play() -> None:
        both = Lanes(Fake(done), Fake(done))
        for turn in range(3):
            assert await both.compute(Job("a", "/score", str(turn))) == done(str(turn))
            await asyncio.sleep(0.01)

    begun = time.monotonic()
    asyncio.run(play())
    assert time.monotonic() - begun < 30
