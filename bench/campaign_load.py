"""How a server of campaigns holds under load: many annotators, each saving an answer every few seconds.

    python bench/campaign_load.py                                   # 200 annotators, 60 s, SQLite
    python bench/campaign_load.py --database postgresql+psycopg://… # the same over PostgreSQL
    python bench/campaign_load.py --every 0 --annotators 20         # as fast as it goes: how many a second?

The server runs in processes of its own; annotators are connections kept open, as browsers have them. At the end every
answer that was acknowledged must be in the database exactly once.
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
from dataclasses import dataclass, field
from pathlib import Path

from adjudge.data import Outputs, TestSet
from adjudge.human.campaign import parse
from adjudge.human.items import Candidate, Hit, Item, Material
from adjudge.human.store import Store, answers, campaigns, people
from adjudge.server.signing_in import ANNOTATOR, csrf

TASKS = 40


@dataclass
class Measured:
    """What the annotators saw."""

    seconds: list[float] = field(default_factory=list)
    acknowledged: dict[str, int] = field(default_factory=dict)
    """The key of an answer and the number the server gave it."""
    errors: list[str] = field(default_factory=list)


def campaign(store: Store, count: int) -> tuple[campaigns.Kept, list[people.Annotator]]:
    """A campaign with work for everyone."""
    name = f"load-{os.getpid()}-{time.time_ns()}"
    texts = tuple(
        f"A sentence of middling length, number {n}, which somebody has to judge." for n in range(TASKS)
    )
    kept = campaigns.add(
        store,
        parse(
            {
                "name": name,
                "protocol": "da",
                "systems": {"A": "a"},
                "test_set": {"source": "s", "reference": "r"},
                "annotators": count,
            }
        ),
        Material(TestSet(references=(texts,), sources=texts), (Outputs("A", texts),)),
        [
            Hit(
                f"h{a}",
                tuple(Item(f"i{n}", (n,), (Candidate(("A",), (texts[n],)),)) for n in range(TASKS)),
                name,
            )
            for a, name in enumerate(f"annotator-{i}" for i in range(1, count + 1))
        ],
    )
    return kept, people.annotators(store, kept)


async def work(port: int, cookie: str, first: int, until: float, every: float, seen: Measured) -> None:
    """One annotator: answers, waits, answers again, going round the tasks."""
    token, number = csrf(cookie), 0
    await asyncio.sleep(random.random() * every)
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    while time.monotonic() < until:
        key = f"{first}-{number}-{random.getrandbits(40):x}".rjust(8, "0")
        task = first + number % TASKS
        body = json.dumps(
            {"task": task, "key": key, "answer": {"score": number % 101}, "seconds": 2.5}
        ).encode()
        head = (
            f"POST /api/answers HTTP/1.1\r\nHost: 127.0.0.1\r\nCookie: {ANNOTATOR}={cookie}\r\n"
            f"X-CSRF-Token: {token}\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
        )
        begun = time.monotonic()
        try:
            writer.write(head.encode() + body)
            status, content = await reply(reader)
        except (OSError, asyncio.IncompleteReadError) as error:
            seen.errors.append(repr(error))
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            continue
        seen.seconds.append(time.monotonic() - begun)
        if status == 200:
            seen.acknowledged[key] = json.loads(content)["event"]
        else:
            seen.errors.append(f"{status} {content[:200]!r}")
        number += 1
        if every:
            await asyncio.sleep(max(0.0, every - (time.monotonic() - begun)))
    writer.close()


async def reply(reader: asyncio.StreamReader) -> tuple[int, bytes]:
    head = await reader.readuntil(b"\r\n\r\n")
    lines = head.decode("latin-1").split("\r\n")
    length = next(int(line.split(":")[1]) for line in lines if line.lower().startswith("content-length:"))
    return int(lines[0].split()[1]), await reader.readexactly(length)


def started(url: str, workers: int) -> tuple[subprocess.Popen[bytes], int]:
    """A server in processes of its own, and its port."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [
        sys.executable,
        "-m",
        "adjudge",
        "human",
        "serve",
        "--quiet",
        "--port",
        str(port),
        "--database",
        url,
    ]
    server = subprocess.Popen([*command, "--workers", str(workers)])
    for _ in range(200):
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
            return server, port
        except OSError:
            time.sleep(0.1)
    server.kill()
    raise SystemExit("the server did not start")


def load(url: str, count: int, seconds: float, every: float, workers: int = 1) -> dict[str, object]:
    """Play it through; a report that says what was held."""
    store = Store.open(url)
    kept, everyone = campaign(store, count)
    cookies = [people.open_session(store, one) for one in everyone]
    with store.reading() as connection:
        from sqlalchemy import func, select

        from adjudge.human.store import schema

        firsts = dict(
            connection.execute(
                select(schema.hits.c.annotator, func.min(schema.tasks.c.id))
                .join(schema.tasks, schema.tasks.c.hit == schema.hits.c.id)
                .where(schema.hits.c.campaign == kept.id)
                .group_by(schema.hits.c.annotator)
            ).all()
        )
    server, port = started(url, workers)
    seen = Measured()

    async def everybody() -> None:
        until = time.monotonic() + seconds
        await asyncio.gather(
            *(
                work(port, cookie, firsts[one.id], until, every, seen)
                for one, cookie in zip(everyone, cookies, strict=True)
            )
        )

    begun = time.monotonic()
    try:
        asyncio.run(everybody())
    finally:
        server.terminate()
        server.wait(30)
    elapsed = time.monotonic() - begun
    with store.reading() as connection:
        e = schema.events
        rows = connection.execute(
            select(e.c.key, e.c.id).where(e.c.annotator.in_([one.id for one in everyone]))
        ).all()
    kept_keys = dict(rows)
    lost = [key for key, event in seen.acknowledged.items() if kept_keys.get(key) != event]
    counted = len(answers.counting(store, kept))
    store.close()
    ordered = sorted(seen.seconds)

    def at(share: float) -> float:
        return 1000 * ordered[min(len(ordered) - 1, int(share * len(ordered)))]

    return {
        "database": url.split(":")[0],
        "annotators": count,
        "seconds": round(elapsed, 1),
        "answers": len(seen.acknowledged),
        "answers_a_second": round(len(seen.acknowledged) / elapsed, 1),
        "p50_ms": round(at(0.5), 1),
        "p95_ms": round(at(0.95), 1),
        "p99_ms": round(at(0.99), 1),
        "max_ms": round(at(1.0), 1),
        "errors": len(seen.errors),
        "first_error": seen.errors[0] if seen.errors else None,
        "lost": len(lost),
        "double": len(rows) - len(kept_keys),
        "unacknowledged_but_kept": len(rows) - len(seen.acknowledged),
        "tasks_answered": counted,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--database", default="")
    parser.add_argument("--annotators", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--every", type=float, default=3.0)
    parser.add_argument("--workers", type=int, default=1)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        url = given.database or f"sqlite:///{Path(folder)}/load.db"
        print(json.dumps(load(url, given.annotators, given.seconds, given.every, given.workers), indent=2))


if __name__ == "__main__":
    main()
