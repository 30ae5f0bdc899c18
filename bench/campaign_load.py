"""How a server of campaigns holds under load: many annotators, each saving an answer every few seconds.

    python bench/campaign_load.py                                      # 200 annotators, 60 s, SQLite
    python bench/campaign_load.py --postgresql [--workers 2]           # the same over a PostgreSQL of its own
    python bench/campaign_load.py --every 0 --annotators 20            # as fast as it goes: how many a second?
    python bench/campaign_load.py --watched                            # with an organiser's page open
    python bench/campaign_load.py --kills 50 --every 0.2 --annotators 20   # kill -9 of the server, 50 times

The server runs in processes of its own; annotators are connections kept open, as browsers have them. Each opens its
sheet, then the clock begins. At the end every answer that was acknowledged must be in the database exactly once.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))

from sqlalchemy import select

from adjudge.campaigns.campaign import parse
from adjudge.campaigns.items import CampaignMaterial, Candidate, Hit, Item
from adjudge.campaigns.store import CampaignStore, answers, campaigns, people, schema
from adjudge.data import Outputs, TestSet
from adjudge.server.sessions import ANNOTATOR, ORGANISER, csrf

TASKS = 40


@dataclass
class Measured:
    """What the annotators saw."""

    seconds: list[float] = field(default_factory=list)
    opening: list[float] = field(default_factory=list)
    acknowledged: dict[str, int] = field(default_factory=dict)
    """The key of an answer and the number the server gave it."""
    tasks: set[int] = field(default_factory=set)
    errors: list[str] = field(default_factory=list)
    lost_connections: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Held:
    """What was held."""

    database: str
    workers: int
    watched: bool
    annotators: int
    seconds: float
    answers: int
    answers_a_second: float
    p50_ms: float
    p95_ms: float
    p99_ms: float
    max_ms: float
    sheet_p95_ms: float
    server_cpu_ms: float
    """CPU time of the server's processes for one answer; a database that is a server of its own comes on top."""
    machine_load: tuple[float, float]
    """Processes that wanted to run in the last minute, before and after."""
    kills: int
    lost_connections: int
    errors: tuple[str, ...]
    lost: int
    """Acknowledged, and not in the database as they were."""
    double: int
    """Events that no acknowledgement stands for, and tasks that count more or less than once."""

    def report(self) -> str:
        """All of it, as JSON."""
        return json.dumps(asdict(self), indent=2)


def campaign(store: CampaignStore, count: int) -> tuple[campaigns.StoredCampaign, list[people.Annotator]]:
    """A campaign with work for everyone."""
    name = f"load-{os.getpid()}-{time.time_ns()}"
    texts = tuple(
        f"A sentence of middling length, number {n}, which somebody has to judge." for n in range(TASKS)
    )
    items = tuple(Item(f"i{n}", (n,), (Candidate(("A",), (texts[n],)),)) for n in range(TASKS))
    file = {
        "name": name,
        "protocol": "da",
        "systems": {"A": "a"},
        "test_set": {"source": "s", "reference": "r"},
        "annotators": count,
    }
    stored = campaigns.add(
        store,
        parse(file),
        CampaignMaterial(TestSet(references=(texts,), sources=texts), (Outputs("A", texts),)),
        [Hit(f"h{number}", items, f"annotator-{number}") for number in range(1, count + 1)],
    )
    return stored, people.annotators(store, stored)


class Browser:
    """One annotator: a connection that is kept, and the cookie of a session."""

    def __init__(self, port: int, cookie: str, seen: Measured, name: str = ANNOTATOR) -> None:
        self.port, self.cookie, self.seen, self.name = port, cookie, seen, name
        self.reader: asyncio.StreamReader | None = None
        self.writer: asyncio.StreamWriter | None = None

    async def ask(self, method: str, path: str, content: Any = None) -> tuple[int, Any]:
        """One request."""
        if self.reader is None or self.writer is None:
            self.reader, self.writer = await asyncio.open_connection("127.0.0.1", self.port)
        body = json.dumps(content).encode() if content is not None else b""
        head = (
            f"{method} {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nCookie: {self.name}={self.cookie}\r\n"
            f"X-CSRF-Token: {csrf(self.cookie)}\r\nContent-Type: application/json\r\n"
            f"Content-Length: {len(body)}\r\n\r\n"
        )
        self.writer.write(head.encode() + body)
        lines = (await self.reader.readuntil(b"\r\n\r\n")).decode("latin-1").lower().split("\r\n")
        length = next(int(line.split(":")[1]) for line in lines if line.startswith("content-length:"))
        return int(lines[0].split()[1]), json.loads(await self.reader.readexactly(length))

    async def open(self) -> list[int]:
        """The sheet, as a browser fetches it before anything else; its tasks."""
        begun = time.monotonic()
        status, sheet = await self.ask("GET", "/api/work")
        self.seen.opening.append(time.monotonic() - begun)
        if status != 200:
            self.seen.errors.append(f"{status} {sheet}")
            return []
        return [task["id"] for task in sheet["tasks"]]

    async def work(self, tasks: list[int], over: Callable[[], bool], every: float, patient: bool) -> None:
        """Answer, wait, answer again, going round the tasks; the patient send an answer until it is acknowledged."""
        await asyncio.sleep(random.random() * every)
        number = 0
        while tasks and not over():
            task = tasks[number % len(tasks)]
            sent = {
                "task": task,
                "key": f"{task}-{number}-{random.getrandbits(40):010x}",
                "answer": {"score": number % 101},
                "seconds": 2.5,
            }
            begun = time.monotonic()
            while not await self.send(sent) and patient:
                await asyncio.sleep(0.05)
            number += 1
            await asyncio.sleep(max(0.0, every - (time.monotonic() - begun)))

    async def watch(self, campaign: str, over: Callable[[], bool]) -> None:
        """An organiser's page, which looks again every fifteen seconds."""
        asked = 0.0
        while not over():
            if time.monotonic() > asked + 15:
                asked = time.monotonic()
                for part in ("", f"/{campaign}", f"/{campaign}/quality"):
                    status, content = await self.ask("GET", f"/api/organiser/campaigns{part}")
                    if status != 200:
                        self.seen.errors.append(f"{status} {content}")
            await asyncio.sleep(0.1)

    async def send(self, sent: dict[str, Any]) -> bool:
        """Send an answer; whether there was a reply."""
        begun = time.monotonic()
        try:
            status, content = await self.ask("POST", "/api/answers", sent)
        except (OSError, EOFError) as error:
            self.seen.lost_connections.append(repr(error))
            self.close()
            return False
        self.seen.seconds.append(time.monotonic() - begun)
        if status == 200:
            self.seen.acknowledged[sent["key"]] = content["event"]
            self.seen.tasks.add(sent["task"])
        else:
            self.seen.errors.append(f"{status} {content}")
        return True

    def close(self) -> None:
        """Leave."""
        if self.writer is not None:
            self.writer.close()
        self.reader = self.writer = None


async def everybody(
    server: Server,
    cookies: list[str],
    watching: tuple[str, str] | None,
    seconds: float,
    every: float,
    kills: int,
    seen: Measured,
) -> float:
    """All annotators at once, for so long or until the server was killed so often; how long they worked.

    `watching` is the cookie of an organiser and the campaign to look at, where somebody does.
    """
    browsers = [Browser(server.port, cookie, seen) for cookie in cookies]
    sheets = [await browser.open() for browser in browsers]
    begun = time.monotonic()
    killing = asyncio.create_task(kill(server, kills, seen))

    def over() -> bool:
        return killing.done() if kills else time.monotonic() > begun + seconds

    work = [
        browser.work(tasks, over, every, kills > 0) for browser, tasks in zip(browsers, sheets, strict=True)
    ]
    if watching is not None:
        browsers.append(Browser(server.port, watching[0], seen, ORGANISER))
        work.append(browsers[-1].watch(watching[1], over))
    await asyncio.gather(*work, killing)
    elapsed = time.monotonic() - begun
    for browser in browsers:
        browser.close()
    return elapsed


async def kill(server: Server, times: int, seen: Measured) -> None:
    """End the server in the middle of its writes, as a power cut does, and start it again."""
    for _ in range(times):
        before = len(seen.acknowledged)
        while len(seen.acknowledged) < before + 3:
            if server.process.poll() is not None:
                raise SystemExit("the server did not start again")
            await asyncio.sleep(0.005)
        await asyncio.sleep(random.random() * 0.1)
        server.process.kill()
        server.process.wait()
        server.start()


class Server:
    """`adjudge human serve` in processes of its own."""

    def __init__(self, url: str, workers: int) -> None:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        command = [sys.executable, "-m", "adjudge", "human", "serve", "--quiet"]
        options = {"--port": self.port, "--database": url, "--workers": workers}
        self.workers = workers
        self.command = [*command, *(str(part) for one in options.items() for part in one)]
        self.start()

    def start(self) -> None:
        """Begin, or begin again."""
        self.process = subprocess.Popen(self.command)

    def wait(self) -> None:
        """Until it answers, and no other process of it is starting any more: until then each is busy."""
        deadline = time.monotonic() + 60
        while not self._answers():
            if self.process.poll() is not None or time.monotonic() > deadline:
                raise SystemExit("the server did not start")
            time.sleep(0.1)
        before = -1.0
        while self.workers > 1 and (now := self.cpu()) > before:
            before = now
            time.sleep(1)

    def _answers(self) -> bool:
        try:
            urllib.request.urlopen(f"http://127.0.0.1:{self.port}/health", timeout=5).close()
        except OSError:
            return False
        return True

    def cpu(self) -> float:
        """Seconds of CPU that its processes have had, rounded down to tenths."""
        return int(10 * _cpu(self.process.pid)) / 10

    def stop(self) -> None:
        """End it as a service manager does."""
        self.process.terminate()
        try:
            self.process.wait(30)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


def _cpu(process: int) -> float:
    """CPU time of a process and all below it, as Linux tells it; 0 elsewhere."""
    try:
        fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
        below = Path(f"/proc/{process}/task/{process}/children").read_text().split()
    except OSError:
        return 0.0
    return sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK") + sum(_cpu(int(child)) for child in below)


def load(
    url: str,
    count: int,
    seconds: float,
    every: float,
    *,
    workers: int = 1,
    kills: int = 0,
    watched: bool = False,
) -> Held:
    """Play it through. Where the server is killed, annotators send again what was not acknowledged."""
    store = CampaignStore.open(url)
    stored, everyone = campaign(store, count)
    cookies = [people.open_session(store, one) for one in everyone]
    watching = (people.open_session(store, None), stored.name) if watched else None
    store.close()  # a connection of this process would hold what the server must hold by itself
    seen, busy = Measured(), os.getloadavg()[0]
    server = Server(url, workers)
    try:
        server.wait()
        before = server.cpu()
        elapsed = asyncio.run(everybody(server, cookies, watching, seconds, every, kills, seen))
        cpu = 0.0 if kills else server.cpu() - before
    finally:
        server.stop()
    store, e = CampaignStore.open(url, create=False), schema.events
    with store.reading() as connection:
        theirs = e.c.annotator.in_([one.id for one in everyone])
        events = connection.execute(select(e.c.key, e.c.id).where(theirs)).all()
    counted = [answer.task for answer in answers.counted_answers(store, stored)]
    store.close()
    there = dict(events)
    return Held(
        database=url.partition(":")[0],
        workers=workers,
        watched=watched,
        annotators=count,
        seconds=round(elapsed, 1),
        answers=len(seen.acknowledged),
        answers_a_second=round(len(seen.acknowledged) / elapsed, 1),
        p50_ms=_at(seen.seconds, 0.5),
        p95_ms=_at(seen.seconds, 0.95),
        p99_ms=_at(seen.seconds, 0.99),
        max_ms=_at(seen.seconds, 1.0),
        sheet_p95_ms=_at(seen.opening, 0.95),
        server_cpu_ms=round(1000 * cpu / max(1, len(seen.acknowledged)), 2),
        machine_load=(round(busy, 1), round(os.getloadavg()[0], 1)),
        errors=tuple(seen.errors if kills else seen.errors + seen.lost_connections),
        kills=kills,
        lost_connections=len(seen.lost_connections),
        lost=sum(there.get(key) != event for key, event in seen.acknowledged.items()),
        double=len(events) - len(seen.acknowledged) + abs(len(counted) - len(seen.tasks)),
    )


def _at(seconds: list[float], share: float) -> float:
    """A quantile, in milliseconds."""
    ordered = sorted(seconds) or [0.0]
    return round(1000 * ordered[min(len(ordered) - 1, int(share * len(ordered)))], 1)


@contextmanager
def database(given: argparse.Namespace) -> Iterator[str]:
    """The address that was asked for."""
    if given.postgresql:
        from helpers.postgresql import ABSENT, Postgres, folders

        if not folders():
            raise SystemExit(ABSENT)
        server = Postgres(folders()[0], fsync=True)
        try:
            yield server.database()
        finally:
            server.remove()
    else:
        with tempfile.TemporaryDirectory() as folder:
            yield given.database or f"sqlite:///{Path(folder)}/load.db"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--database", default="", help="an address; without it a SQLite file that goes again")
    parser.add_argument("--postgresql", action="store_true", help="start a PostgreSQL, as the tests do")
    parser.add_argument("--annotators", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--every", type=float, default=3.0)
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument(
        "--kills", type=int, default=0, help="kill -9 of the server so often, however long it takes"
    )
    parser.add_argument("--watched", action="store_true", help="an organiser's page is open all the while")
    given = parser.parse_args()
    with database(given) as url:
        held = load(
            url,
            given.annotators,
            given.seconds,
            given.every,
            workers=given.workers,
            kills=given.kills,
            watched=given.watched,
        )
        print(held.report())


if __name__ == "__main__":
    main()
