"""Whether anything is lost while an organiser works beside a live server: every command, a back-up, the page.

    python bench/beside.py                    # SQLite, three rounds: SIGTERM, SIGINT, kill -9; every command a process
    python bench/beside.py --postgresql       # the same over a PostgreSQL of its own
    python bench/beside.py --ending SIGKILL   # one round

Annotators answer as fast as they can, and know what was acknowledged. Beside them every command of `adjudge human` is
run, one after the other, and the organiser's page is asked; once a pause or a withdrawal is confirmed, no answer that
is sent after it may be taken. Half way the server is ended and started anew, and some commands are ended by the same
signal. Then the server is ended, and every acknowledged answer must be in the database, once and under the number that
was told. What happened is printed, a line a step.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import io
import json
import random
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))
sys.path.insert(0, str(Path(__file__).resolve().parent))

from campaign_load import Browser, Measured, Server, database
from sqlalchemy import insert, select

from adjudge.campaigns.store import Store, campaigns, events, people, schema, work
from adjudge.server.sessions import ORGANISER

EXAMPLES = Path(__file__).resolve().parent.parent / "examples"
JUDGES = EXAMPLES / "judges"
WORKING = ("anna", "carla")
AT_A_TIME = 3
"""Windows of each of them."""
REFUSALS = {"pause": 423, "close": 423, "withdraw": 403}
WAIT = 503
"""The database is kept by somebody else for longer than ten seconds, which a machine that is busy enough brings about.
Browsers send the answer again, under the same key."""
PAGE = "the organiser's page"
ENDS = {signal.SIGTERM: -signal.SIGTERM, signal.SIGINT: 130, signal.SIGKILL: -signal.SIGKILL}


@dataclass
class Seen:
    """What annotators and the organiser saw."""

    acknowledged: dict[str, int] = field(default_factory=dict)
    wrong: list[str] = field(default_factory=list)
    """What should not have been."""
    done: list[str] = field(default_factory=list)
    """The commands that were run beside the server."""
    log: list[str] = field(default_factory=list)
    begun: float = field(default_factory=time.monotonic)
    waits: int = 0
    """How often somebody was told to send an answer again."""
    took: dict[str, float] = field(default_factory=dict)
    """Seconds that commands took."""
    refused: tuple[float, int] | None = None
    """Since when answers of whoever it is are refused, and how."""

    def say(self, what: str) -> None:
        """A line of the log."""
        at = time.monotonic() - self.begun
        self.log.append(f"{at:7.2f} s  {len(self.acknowledged):>6,} acknowledged  {what}")


def steps(folder: Path, port: int) -> list[tuple[str, ...]]:
    """Every command of `adjudge human`, in an order that makes sense."""
    given = str(folder / "answers.jsonl")
    return [
        ("new", str(EXAMPLES / "crowd.toml"), "--quiet"),
        ("status",),
        ("add", "news", "--annotator", "dora"),
        ("links", "news", "dora"),
        ("pause", "news"),
        ("resume", "news"),
        ("withdraw", "news", "ben", "--reason", "asked for it"),
        ("withdraw", "news", "ben", "--undo"),
        ("export", "news", "-o", given),
        ("import", "news", given, "--answers", "--dry-run"),
        ("convert", given, "-f", "csv", "-o", str(folder / "answers.csv")),
        ("analyse", given, "--resamples", "20", "-o", str(folder / "analysis.txt")),
        ("analyse", "--campaign", "news", "--resamples", "20", "-o", str(folder / "live.txt")),
        (
            "spans",
            "--gold-judgements",
            str(JUDGES / "people.jsonl"),
            str(JUDGES / "careful.jsonl"),
            "--trials",
            "99",
        ),
        ("hits", "crowd", "-o", str(folder / "hits.csv")),
        ("release", "crowd", "--idle", "1"),
        ("log", "news", "-o", str(folder / "log.jsonl")),
        ("backup", "news", str(folder / "news.backup")),
        ("restore", str(folder / "news.backup"), "--name", "again", "--new-links"),
        ("forget", "news", "dora", "--yes"),
        ("serve", "--port", str(port)),  # taken: it opens the database, refuses and closes it
        ("close", "news"),
        ("resume", "news"),
        ("sign-in",),
        ("password", "--password", "a long enough password"),  # which signs the organiser out
    ]


def cut_short(folder: Path) -> list[tuple[str, ...]]:
    """Commands that are ended while they run; nobody depends on what they would have done."""
    return [
        ("status",),
        ("export", "news", "-o", str(folder / "cut.jsonl")),
        ("add", "news", "--annotator", "eve"),
        ("backup", "news", str(folder / "cut.backup")),
    ]


WITHOUT_DATABASE = ("analyse", "convert", "spans")
"""Commands that read files; with --campaign they do not."""
EXIT = {"serve": 2}


class Person(Browser):
    """An annotator who answers without rest, or an organiser."""

    def __init__(self, port: int, cookie: str, seen: Seen, **named: str) -> None:
        super().__init__(port, cookie, Measured(), **named)
        self.noted = seen

    async def answer(self, task: int, key: str) -> int:
        """Send one answer, and note what was said to it; 0 where nothing was."""
        begun = time.monotonic()
        try:
            status, said = await self.ask(
                "POST",
                "/api/answers",
                {"task": task, "key": key, "answer": {"score": hash(key) % 101}, "seconds": 1.5},
            )
        except (OSError, EOFError):
            self.close()
            return 0
        if status == 200:
            self.noted.acknowledged[key] = said["event"]
            if self.noted.refused is not None and begun > self.noted.refused[0]:
                self.noted.wrong.append(f"{key} was taken although answers are refused")
        elif status == WAIT:
            self.noted.waits += 1
        elif self.noted.refused is None and begun > self.noted.begun and status not in REFUSALS.values():
            self.noted.wrong.append(f"{status} {said}")
        return status

    async def work_on(self, tasks: Sequence[int], name: str, every: float, over: Callable[[], bool]) -> None:
        """Go round the tasks."""
        number = 0
        while not over():
            status = await self.answer(tasks[number % len(tasks)], f"{name}-{number:06}")
            if not status:
                return
            number += status != WAIT
            await asyncio.sleep(every)


class Organiser:
    """Runs commands: each in a process of its own, or all of them in one other process, which takes less time."""

    def __init__(self, url: str, apart: bool) -> None:
        self.url, self.helper = url, None if apart else self._begin()

    @staticmethod
    def _begin() -> subprocess.Popen[str]:
        pipes: dict[str, Any] = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
        return subprocess.Popen([sys.executable, __file__, "--commands"], **pipes)

    def _database(self, step: tuple[str, ...]) -> tuple[str, ...]:
        reads_files = step[0] in WITHOUT_DATABASE and "--campaign" not in step
        return () if reads_files else ("--database", self.url)

    def _process(self, step: tuple[str, ...]) -> subprocess.Popen[str]:
        database = self._database(step)
        pipes: dict[str, Any] = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
        return subprocess.Popen([sys.executable, "-m", "adjudge", "human", *step, *database], **pipes)

    def end(self, step: tuple[str, ...], ending: signal.Signals, after: float) -> int:
        """A command's exit code where it is ended after some seconds."""
        with self._process(step) as process:
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.communicate(timeout=after)
            process.send_signal(ending)
            process.communicate()
            return process.returncode

    def run(self, step: tuple[str, ...]) -> tuple[int, str]:
        """A command's exit code, and what it said."""
        if self.helper is None:
            with self._process(step) as process:
                _, said = process.communicate()
                return process.returncode, said
        database = self._database(step)
        command = ["human", *step, *database]
        print(json.dumps(command), file=self.helper.stdin, flush=True)
        code, said = json.loads(self.helper.stdout.readline())
        return code, said

    def leave(self) -> None:
        """No more commands."""
        if self.helper is not None:
            self.helper.stdin.close()
            self.helper.stdout.close()
            self.helper.wait(30)


def take_commands() -> None:
    """Run the commands that stdin names, a JSON list a line, and say how each ended."""
    from adjudge.cli import main

    for line in sys.stdin:
        said = io.StringIO()
        with contextlib.redirect_stdout(io.TextIOWrapper(io.BytesIO())), contextlib.redirect_stderr(said):
            code = main(json.loads(line))
        print(json.dumps([code, said.getvalue()]), flush=True)


@dataclass(frozen=True)
class Round:
    """What was found after the server had ended."""

    ending: str
    acknowledged: int
    lost: int
    wrong: tuple[str, ...]
    done: tuple[str, ...]
    log: tuple[str, ...]


def beside(
    url: str,
    folder: Path,
    ending: signal.Signals,
    *,
    apart: bool = True,
    busy: bool = True,
    every: float = 0.005,
) -> Round:
    """One round: a campaign, a server, annotators, every command, an end.

    `apart`: every command is a process of its own; then the server is also ended half way, and some commands are.
    `busy`: with so many answers that the organiser's page has a process of its own look at them; `every`: seconds that
    an annotator rests in each window.
    """
    seen, organiser = Seen(), Organiser(url, apart)
    code, said = organiser.run(("new", str(EXAMPLES / "campaign.toml"), "--quiet"))
    assert code == 0, said
    cookies, tasks = _prepare(url, busy)
    parts = (slice(0, 12), slice(12, None)) if apart else (slice(None),)
    lost = 0
    try:
        for number, part in enumerate(parts):
            server = Server(url, 1)
            try:
                server.wait()
                seen.say("the server is up")
                cut = cut_short(folder) if apart and number else []
                commands = steps(folder, server.port)[part]
                asyncio.run(
                    _play(server, organiser, commands, cut, cookies, tasks, seen, every, ending, number)
                )
                code = server.process.wait(30)
            finally:
                server.stop()
            if code != ENDS[ending]:
                seen.wrong.append(f"the server ended with {code}")
            seen.say(f"{ending.name}: the server is gone")
            lost = max(lost, _missing(url, seen, ending))
    finally:
        organiser.leave()
    return Round(
        ending.name, len(seen.acknowledged), lost, tuple(seen.wrong), tuple(seen.done), tuple(seen.log)
    )


def _prepare(url: str, busy: bool) -> tuple[dict[str, str], dict[str, list[int]]]:
    """Sessions and tasks of everybody; the database is closed again, for a connection here would protect the server."""
    store = Store.open(url)
    stored = campaigns.find(store, "news")
    found = {one.name: one for one in people.annotators(store, stored)}
    cookies = {name: people.open_session(store, one) for name, one in found.items()}
    cookies[PAGE] = people.open_session(store, None)
    tasks = {name: [step.id for step in work.outline(store, one)] for name, one in found.items()}
    if busy:
        ben = found["ben"]
        event = {"annotator": ben.id, "kind": events.ANSWER, "answer": {"score": 50}, "seconds": 1.0}
        event |= {"started": None, "received": time.time()}
        with store.writing() as connection:
            connection.execute(
                insert(schema.events),
                [{**event, "task": tasks["ben"][n % 100], "key": f"before-{n}"} for n in range(2600)],
            )
    store.close()
    return cookies, tasks


async def _play(
    server: Server,
    organiser: Organiser,
    commands: list[tuple[str, ...]],
    cut: list[tuple[str, ...]],
    cookies: dict[str, str],
    tasks: dict[str, list[int]],
    seen: Seen,
    every: float,
    ending: signal.Signals,
    part: int,
) -> None:
    ended = asyncio.Event()
    seen.refused = None
    windows = [
        (Person(server.port, cookies[who], seen), tasks[who][window::AT_A_TIME], f"{who}-{part}{window}")
        for who in WORKING
        for window in range(AT_A_TIME)
    ]
    work_on = [
        asyncio.create_task(person.work_on(theirs, name, every, ended.is_set))
        for person, theirs, name in windows
    ]
    ben = Person(server.port, cookies["ben"], seen)
    page = Person(server.port, cookies[PAGE], seen, name=ORGANISER)
    for number, step in enumerate(commands):
        await _more_answers(seen, step[0])
        seen.refused = None
        begun = time.monotonic()
        code, said = await asyncio.to_thread(organiser.run, step)
        seen.took[step[0]] = time.monotonic() - begun
        if step[0] in ("pause", "close"):
            seen.refused = time.monotonic(), REFUSALS[step[0]]
        seen.done.append(step[0])
        seen.say(f"adjudge human {' '.join(step[:1] + tuple(Path(part).name for part in step[1:]))}")
        if code != EXIT.get(step[0], 0):
            seen.wrong.append(f"{step}: exit code {code}: {said}")
        await _check_effect(step, ben, tasks["ben"][number], f"ben-{part}-{number:06}", seen)
        if step[0] in ("new", "restore"):
            await _look(page, seen)
        ben.close()  # a server ends connections on which nothing comes for long
        page.close()
    draw = random.Random(12345)
    for step in cut:
        await _more_answers(seen, step[0])
        after = draw.uniform(0.5, 1) * seen.took[step[0]]
        code = await asyncio.to_thread(organiser.end, step, ending, after)
        seen.say(f"adjudge human {step[0]}: {ending.name} after {after:.1f} s, exit code {code}")
        if code not in (0, ENDS[ending], -ending):
            seen.wrong.append(f"{step}, ended by {ending.name}: exit code {code}")
    await _more_answers(seen, "")
    server.process.send_signal(ending)
    await asyncio.to_thread(server.process.wait, 30)
    ended.set()
    await asyncio.gather(*work_on)
    for person in (ben, page, *(person for person, _, _ in windows)):
        person.close()


async def _more_answers(seen: Seen, step: str, wanted: int = 5) -> None:
    """Wait until some more are acknowledged, where any are taken."""
    if seen.refused is not None:
        await asyncio.sleep(0.1)
        return
    before, deadline = len(seen.acknowledged), time.monotonic() + 30
    while len(seen.acknowledged) < before + wanted:
        if time.monotonic() > deadline:
            seen.wrong.append(f"no answer is taken before {step or 'the end'}")
            return
        await asyncio.sleep(0.005)


async def _check_effect(step: tuple[str, ...], ben: Person, task: int, key: str, seen: Seen) -> None:
    """A pause and a withdrawal are seen by the server at once, and so is their end."""
    if step[0] not in ("pause", "resume", "close", "withdraw"):
        return
    expected = 200 if "--undo" in step else REFUSALS.get(step[0], 200)
    refused, seen.refused = seen.refused, None
    while (status := await ben.answer(task, key)) == WAIT:
        await asyncio.sleep(0.5)
    seen.refused = refused
    seen.say(f"    the next answer: {status}")
    if status != expected:
        seen.wrong.append(f"after {' '.join(step)} an answer gets {status}, not {expected}")
    if step[0] != "withdraw":
        _, sheet = await ben.ask("GET", "/api/work")
        shown = {"pause": "paused", "resume": "running", "close": "closed"}[step[0]]
        if sheet["campaign"]["status"] != shown:
            seen.wrong.append(f"after {step[0]} the page says {sheet['campaign']['status']}")


async def _look(page: Person, seen: Seen) -> None:
    for part in ("", "/news", "/news/quality"):
        status, content = await page.ask("GET", f"/api/organiser/campaigns{part}")
        if status != 200:
            seen.wrong.append(f"{PAGE}: {status} {content}")
    seen.done.append(PAGE)
    seen.say(PAGE)


def _missing(url: str, seen: Seen, ending: signal.Signals) -> int:
    """How many acknowledged answers are not there; whatever else is not as it should be goes to what is wrong."""
    file = Path(url.removeprefix("sqlite:///")) if url.startswith("sqlite:") else None
    if file is not None:
        if ending != signal.SIGKILL and Path(f"{file}-wal").exists():
            seen.wrong.append("the store was not closed: its log is still there")
        with contextlib.closing(sqlite3.connect(file)) as connection:
            whole = connection.execute("PRAGMA integrity_check").fetchall()
        seen.say(f"integrity_check: {whole[0][0]}")
        if whole != [("ok",)]:
            seen.wrong.append(f"integrity_check: {whole}")
    store = Store.open(url, create=False)
    e, t, h = schema.events, schema.tasks, schema.hits
    stored = campaigns.find(store, "news")
    theirs = (
        select(e.c.key, e.c.id)
        .join(t, t.c.id == e.c.task)
        .join(h, h.c.id == t.c.hit)
        .where(h.c.campaign == stored.id)
    )
    with store.reading() as connection:
        rows = connection.execute(theirs).all()
    store.close()
    there = dict(rows)
    if len(there) != len(rows):
        seen.wrong.append("an answer is there twice")
    lost = sum(there.get(key) != event for key, event in seen.acknowledged.items())
    if seen.waits:
        seen.say(f"{seen.waits} answers had to be sent again, for the database was kept by another command")
    seen.say(f"{lost} of {len(seen.acknowledged):,} acknowledged answers are lost")
    return lost


@contextlib.contextmanager
def places(given: argparse.Namespace) -> Iterator[tuple[str, Path]]:
    """An empty database and a folder for what commands write."""
    with tempfile.TemporaryDirectory() as folder:
        named = argparse.Namespace(
            postgresql=given.postgresql, database="" if given.postgresql else f"sqlite:///{folder}/news.db"
        )
        with database(named) as url:
            yield url, Path(folder)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--postgresql", action="store_true", help="with a PostgreSQL of its own")
    parser.add_argument("--commands", action="store_true", help=argparse.SUPPRESS)
    names = [one.name for one in ENDS]
    parser.add_argument("--ending", choices=names, action="append", help="by default each of them in turn")
    given = parser.parse_args()
    if given.commands:
        take_commands()
        return
    failed = False
    for ending in map(signal.Signals.__getitem__, given.ending or names):
        with places(given) as (url, folder):
            found = beside(url, folder, ending)
        print(f"{'PostgreSQL' if given.postgresql else 'SQLite'}, {ending.name}", *found.log, sep="\n")
        print(*found.wrong, sep="\n")
        failed |= bool(found.lost or found.wrong)
    sys.exit(failed)


if __name__ == "__main__":
    main()
