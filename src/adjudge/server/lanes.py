"""Scheduling of requests: small ones have a lane of their own, and in each lane clients take turns.

Only a whole request takes a place here. A client is a token or, where the service has none, an address; it may have a
few requests at once, so that nobody can fill the queue alone.
"""

from __future__ import annotations

import asyncio
from collections import Counter, OrderedDict, deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import Any, Protocol

from adjudge.server.problems import ServerProblem

MOST_OF_CLIENT = 8
"""Requests that one client may have at once: those it still sends, those that wait, and those that are computed."""
MOST_WAITING = 64
"""Whole requests of all clients that wait or are computed."""
MOST_BYTES = 1 << 30
"""Bodies that lie in memory, whole ones and beginnings of others."""
SMALL_BODY = 256 << 10
"""Bytes: a longer request is never small, so nobody has to read it to find out."""
SMALL_SECONDS = 1.0
"""What the estimate of a small request (`computing.estimated_seconds`) may come to."""
SMALL_LIMIT = 5.0
"""Seconds after which a request that was taken for a small one is ended, and computed again in the other lane."""
RETRY_SECONDS = 5
"""After which a client that was turned away may try again."""
Answer = dict[str, Any]


def busy(status: int, message: str) -> ServerProblem:
    """The error for a request beyond a limit."""
    return ServerProblem(
        status, "busy", f"{message}; please try again in a while", retry_after=str(RETRY_SECONDS)
    )


class LaneUse:
    """The requests in memory, by client."""

    def __init__(self) -> None:
        self._of: Counter[str] = Counter()
        self._bytes = 0
        self._waiting = 0

    @contextmanager
    def request(self, client: str) -> Iterator[RequestMemory]:
        """Count a request of a client from its first byte to its answer, or refuse it before it is read."""
        self._check_queue()
        if self._of[client] >= MOST_OF_CLIENT:
            raise busy(429, f"{MOST_OF_CLIENT} requests of yours are under way already")
        memory = RequestMemory(self)
        self._of[client] += 1
        try:
            yield memory
        finally:
            self._of[client] -= 1
            if not self._of[client]:
                del self._of[client]
            self._bytes -= memory.bytes

    @contextmanager
    def whole(self) -> Iterator[None]:
        """Count a request that is whole and waits, or refuse it."""
        self._check_queue()
        self._waiting += 1
        try:
            yield
        finally:
            self._waiting -= 1

    def _check_queue(self) -> None:
        if self._waiting >= MOST_WAITING:
            raise busy(503, "too many requests wait already")

    def take(self, size: int) -> None:
        """Count bytes, or refuse them."""
        if self._bytes + size > MOST_BYTES:
            raise busy(503, "too many requests are read already")
        self._bytes += size


@dataclass(eq=False)
class RequestMemory:
    """The bytes of one request that are in memory."""

    places: LaneUse
    bytes: int = 0

    def add(self, size: int) -> None:
        """Count some more of a body."""
        self.places.take(size)
        self.bytes += size


@dataclass(eq=False)
class Job:
    """A request to be computed."""

    client: str
    route: str
    body: str
    answer: asyncio.Future[Answer] = field(default_factory=lambda: asyncio.get_running_loop().create_future())

    @property
    def is_wanted(self) -> bool:
        """Whether somebody still waits for the answer."""
        return not self.answer.done()


class Turns:
    """Jobs that wait: clients take turns, and each has its own in the order in which they came."""

    def __init__(self) -> None:
        self._jobs: OrderedDict[str, deque[Job]] = OrderedDict()

    def add(self, job: Job) -> None:
        """Put a job behind the others of its client, and a new client behind the others."""
        self._jobs.setdefault(job.client, deque()).append(job)

    def next(self) -> Job | None:
        """The next job; None where none is waiting."""
        while self._jobs:
            client, jobs = self._jobs.popitem(last=False)
            job = jobs.popleft()
            if jobs:
                self._jobs[client] = jobs  # at the end
            if job.is_wanted:
                return job
        return None


class Computes(Protocol):
    """Something that computes a request in this thread."""

    def answer(self, route: str, body: str) -> Answer:
        """The answer to a request; Problem if there is none."""

    def end(self) -> None:
        """Stop, also in the middle of a request."""


class Lane:
    """One computer with its queue."""

    def __init__(self, computer: Computes, further: Callable[[Job, Answer | ServerProblem], bool]) -> None:
        self.computer = computer
        self._further = further
        self._turns = Turns()
        self._running: asyncio.Task[None] | None = None

    def add(self, job: Job) -> None:
        """Let a job wait for its turn."""
        self._turns.add(job)
        if self._running is None:
            self._running = asyncio.create_task(self._run())

    async def _run(self) -> None:
        while (job := self._turns.next()) is not None:
            outcome: Answer | ServerProblem
            try:
                outcome = await asyncio.to_thread(self.computer.answer, job.route, job.body)
            except ServerProblem as problem:
                outcome = problem
            except Exception as error:  # the client gets the error, and the next request is computed
                _settle(job, error)
                continue
            if not self._further(job, outcome):
                _settle(job, outcome)
        self._running = None


def _settle(job: Job, outcome: Answer | Exception) -> None:
    if not job.is_wanted:
        return
    if isinstance(outcome, Exception):
        job.answer.set_exception(outcome)
    else:
        job.answer.set_result(outcome)


class Lanes:
    """A lane for small requests and one for all others."""

    def __init__(self, small: Computes, large: Computes) -> None:
        self._small = Lane(small, self._to_large)
        self._large = Lane(large, lambda job, outcome: False)

    async def compute(self, job: Job) -> Answer:
        """What a request comes to, once it is its turn; whoever is gone by then loses it."""
        (self._small if len(job.body) <= SMALL_BODY else self._large).add(job)
        try:
            return await job.answer
        finally:
            job.answer.cancel()

    def _to_large(self, job: Job, outcome: Answer | ServerProblem) -> bool:
        """Move a job to the other lane where it is larger than it was taken for."""
        if isinstance(outcome, ServerProblem):
            is_large = outcome.code == "too long"
        else:
            is_large = "estimate" in outcome
        if is_large and job.is_wanted:
            self._large.add(job)
        return is_large

    def end(self) -> None:
        """Stop computing."""
        for lane in (self._small, self._large):
            with suppress(OSError):
                lane.computer.end()
