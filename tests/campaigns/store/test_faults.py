"""Processes killed, disks full, databases gone: what was acknowledged is there, once, and work goes on."""

import os
import random
import resource
import signal
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from pathlib import Path

import pytest
from sqlalchemy import event, text

from adjudge.campaigns.store import (
    CampaignStore,
    Unavailable,
    answers,
    campaigns,
    connection,
    events,
    journal,
    next_hit,
    people,
    work,
)
from conftest import at_most
from helpers import answering, stored

SCRIPT = Path(answering.__file__)


class Log:
    """What the workers wrote down."""

    def __init__(self, path):
        self.path = path

    def lines(self, kind):
        if not self.path.exists():
            return []
        rows = (line.split() for line in self.path.read_text().splitlines())
        return [
            (name, int(task), key, None if score == "-" else int(score))
            for what, name, task, key, score in rows
            if what == kind
        ]


class Nursery:
    """Begins processes that answer, and kills them."""

    def __init__(self, url, campaign, log):
        self.log = log
        self.process = subprocess.Popen(
            [sys.executable, str(SCRIPT), url, campaign, str(log.path)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def begin(self, which):
        self.process.stdin.write(f"{which}\n")
        self.process.stdin.flush()
        return int(self.process.stdout.readline())

    def ended(self):
        assert self.process.stdout.readline() == "gone\n"

    def kill_in_the_middle(self, which, chance):
        before = len(self.log.lines("kept"))
        number = self.begin(which)
        while len(self.log.lines("kept")) < before + 3:
            assert self.process.poll() is None
            time.sleep(0.005)
        time.sleep(chance.random() * 0.1)
        os.kill(number, signal.SIGKILL)
        self.ended()

    def close(self):
        self.process.stdin.close()
        self.process.stdout.close()
        self.process.wait(60)


def check_whole(store):
    """What the database itself says of its state."""
    if store.is_sqlite:
        with store.reading() as reading:
            assert reading.execute(text("PRAGMA integrity_check")).all() == [("ok",)]
            assert reading.execute(text("PRAGMA foreign_key_check")).all() == []


def check_answers(store, kept, log):
    """Acknowledged answers are there once; what was not acknowledged is sent again, as browsers do."""
    entries = {(entry.annotator, entry.key): entry for entry in journal.entries(store, kept)}
    assert len(entries) == len(journal.entries(store, kept))
    tried, acknowledged = log.lines("try"), log.lines("kept")
    workers = {annotator.name: annotator for annotator in people.annotators(store, kept)}
    tasks = {
        task.id: (task.item.key, task.place)
        for worker in workers.values()
        for task in work.tasks(store, worker)
    }
    for name, task, key, score in acknowledged:
        entry = entries[name, key]
        assert (entry.item, entry.place) == tasks[task]
        assert entry.answer == (None if score is None else {"score": score})
    assert set(entries) <= {(name, key) for name, _, key, _ in tried}, "an answer that nobody gave"
    pending = sorted(set(tried) - set(acknowledged), key=tried.index)
    again = [
        answering.send(store, workers[name], task, key, score).again for name, task, key, score in pending
    ]
    for (name, _, key, _), known in zip(pending, again, strict=True):
        assert known == ((name, key) in entries)
    assert len(journal.entries(store, kept)) == len(tried)
    last = {(name, task): score for name, task, _, score in tried}
    for worker in workers.values():
        for task in work.tasks(store, worker):
            score = last.get((worker.name, task.id))
            assert task.answer == (None if score is None else {"score": score})
    with log.path.open("a") as file:
        file.writelines(f"kept {n} {t} {k} {'-' if s is None else s}\n" for n, t, k, s in pending)
    return sum(again), len(pending)


def check_assignments(store, kept):
    """Every hit is whole, and somebody's or nobody's; every task is answered by its owner only."""
    owners = {hit.name: hit.annotator for hit in campaigns.hits(store, kept)}
    for worker in people.annotators(store, kept):
        by_hit = {}
        for step in work.outline(store, worker):
            by_hit.setdefault(step.hit, []).append(step.place)
        assert all(places == list(range(6)) for places in by_hit.values())
        assert len(by_hit) == sum(owner == worker.name for owner in owners.values())
    for entry in journal.entries(store, kept):
        assert entry.annotator == owners[entry.hit]


def kill_again_and_again(url, tmp_path, times, hits):
    store = CampaignStore.open(url)
    kept = campaigns.add(store, *stored.crowd(hits))
    store.close()
    log, chance = Log(tmp_path / "log"), random.Random(times)
    nursery = Nursery(url, kept.name, log)
    results = [0, 0]
    try:
        for turn in range(times):
            nursery.kill_in_the_middle(f"run-{turn}", chance)
            store = CampaignStore.open(url)
            check_whole(store)
            stored_answers, pending = check_answers(store, kept, log)
            results = [results[0] + stored_answers, results[1] + pending]
            check_assignments(store, kept)
            store.close()
        nursery.begin("last")
        nursery.ended()
    finally:
        nursery.close()
    store = CampaignStore.open(url)
    check_answers(store, kept, log)
    check_assignments(store, kept)
    done = Counter(answer.task for answer in answers.counted_answers(store, kept))
    assert set(done.values()) == {1}
    assert len(done) == 6 * hits
    store.close()
    stored_answers, sent = results
    print(
        f"{len(log.lines('kept'))} acknowledged; of {sent} that were not when killed, {stored_answers} were there"
    )


def test_killed_in_the_middle_of_writes(database, tmp_path):
    kill_again_and_again(database, tmp_path, 3, 20)


@pytest.mark.slow
def test_killed_fifty_times_in_the_middle_of_writes_sqlite(tmp_path):
    kill_again_and_again(f"sqlite:///{tmp_path}/adjudge.db", tmp_path, at_most(50), 300)


@pytest.mark.slow
def test_killed_fifty_times_in_the_middle_of_writes_postgresql(durable, tmp_path):
    kill_again_and_again(durable.database(), tmp_path, at_most(50), 300)


class Browsers:
    """Threads that send every answer until it is acknowledged, as browsers do."""

    def __init__(self, store, kept, count=3):
        self.store, self.kept = store, kept
        self.acknowledged, self.refused, self.stopped = [], Counter(), threading.Event()
        self.workers = [people.find_or_add_visitor(store, kept, "crowd", f"worker-{i}") for i in range(count)]
        self.threads = [threading.Thread(target=self._answer, args=(worker,)) for worker in self.workers]
        for thread in self.threads:
            thread.start()

    def _answer(self, worker):
        number = 0
        while not self.stopped.is_set():
            self._patiently(next_hit.take_hit, self.store, self.kept, worker)
            steps = self._patiently(work.outline, self.store, worker)
            task = next((step.id for step in steps if not step.answered), None)
            if task is None:
                return
            key, number = f"k{number}", number + 1
            sent = self._patiently(answering.send, self.store, worker, task, key, number % 101)
            self.refused["again"] += sent.again
            self.acknowledged.append((worker.name, key, number % 101))

    def _patiently(self, action, *arguments):
        while True:
            try:
                return action(*arguments)
            except Unavailable:
                self.refused["unavailable"] += 1
                time.sleep(0.01)

    def wait_for(self, more):
        wanted = len(self.acknowledged) + more
        while len(self.acknowledged) < wanted:
            assert any(thread.is_alive() for thread in self.threads)
            time.sleep(0.005)

    def wait_for_refusal(self):
        before = self.refused["unavailable"]
        while self.refused["unavailable"] < before + 3:
            assert any(thread.is_alive() for thread in self.threads)
            time.sleep(0.005)

    def stop(self):
        self.stopped.set()
        for thread in self.threads:
            thread.join(60)
        entries = journal.entries(self.store, self.kept)
        assert sorted((e.annotator, e.key, e.answer["score"]) for e in entries) == sorted(self.acknowledged)


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGQUIT], ids=["stopped", "crashed"])
def test_postgresql_goes_and_comes_back(durable, how):
    store = CampaignStore.open(durable.database())
    browsers = Browsers(store, campaigns.add(store, *stored.crowd(300)))
    try:
        browsers.wait_for(10)
        for _ in range(2):
            durable.stop(how)
            browsers.wait_for_refusal()
            with pytest.raises(Unavailable, match="cannot be used now"):
                campaigns.all_campaigns(store)
            durable.start()
            browsers.wait_for(10)
    finally:
        browsers.stop()
        store.close()


def test_postgresql_was_restarted_in_a_quiet_hour(durable, monkeypatch):
    """Connections that were idle are asked first; of those in use the first that fails has all made anew."""
    store = CampaignStore.open(durable.database())
    kept = campaigns.add(store, *stored.made())
    with store.reading(), store.reading(), store.reading():  # three connections are kept from now on
        pass
    durable.stop()
    durable.start()
    with pytest.raises(Unavailable):
        campaigns.find(store, kept.name)
    assert campaigns.find(store, kept.name) == kept
    durable.stop()
    durable.start()
    monkeypatch.setattr(connection, "IDLE_SECONDS", 0)
    assert campaigns.find(store, kept.name) == kept
    store.close()


def test_another_program_keeps_the_file_locked(tmp_path, monkeypatch):
    monkeypatch.setattr(connection, "BUSY_SECONDS", 0.05)
    store = CampaignStore.open(f"sqlite:///{tmp_path}/adjudge.db")
    kept = campaigns.add(store, *stored.made())
    anna = people.find(store, kept, "anna")
    number = work.outline(store, anna)[0].id
    other = sqlite3.connect(tmp_path / "adjudge.db", isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(Unavailable, match="database is locked"):
        answering.send(store, anna, number, "k", 1)
    assert work.remaining(store, anna) == 12  # reading goes on
    other.execute("ROLLBACK")
    other.close()
    assert not answering.send(store, anna, number, "k", 1).again
    store.close()


def fill_up(store, kept, worker, limit, release):
    """Answer until the disk is full; then nothing is half there, and it goes on once there is room."""
    limit()
    kept_keys, chance = [], random.Random(1)
    number = work.outline(store, worker)[0].id
    try:
        for turn in range(10_000):
            answer = {"text": chance.randbytes(5000).hex(), "turn": turn}
            events.record_answer(store, worker, number, key=f"k{turn}", answer=answer)
            kept_keys.append(f"k{turn}")
        pytest.fail("the disk was never full")
    except Unavailable as error:
        reason = str(error)
    with pytest.raises(Unavailable):
        events.record_answer(store, worker, number, key=f"k{len(kept_keys)}", answer=answer)
    if store.is_sqlite:  # which can be read all the while
        assert [entry.key for entry in journal.entries(store, kept)] == kept_keys
    release()
    assert [entry.key for entry in journal.entries(store, kept)] == kept_keys
    check_whole(store)
    assert not events.record_answer(store, worker, number, key=f"k{len(kept_keys)}", answer=answer).again
    assert [entry.key for entry in journal.entries(store, kept)] == [*kept_keys, f"k{len(kept_keys)}"]
    assert kept_keys
    return reason


def test_a_database_that_may_not_grow(tmp_path):
    store = CampaignStore.open(f"sqlite:///{tmp_path}/adjudge.db")
    kept = campaigns.add(store, *stored.made())

    @event.listens_for(store.engine, "checkout")
    def _limit(raw, _record, _proxy):
        raw.execute(f"PRAGMA max_page_count = {pages[0]}")

    pages = [1_000_000]
    with store.reading() as reading:
        now = reading.execute(text("PRAGMA page_count")).scalar()
    reason = fill_up(
        store,
        kept,
        people.find(store, kept, "anna"),
        lambda: pages.__setitem__(0, now + 20),
        lambda: pages.__setitem__(0, 1_000_000),
    )
    assert "database or disk is full" in reason
    store.close()


def test_a_file_that_may_not_grow(tmp_path):
    """The system refuses the write itself, as a quota does: in the log that SQLite writes ahead."""
    store = CampaignStore.open(f"sqlite:///{tmp_path}/adjudge.db")
    kept = campaigns.add(store, *stored.made())
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    size = (tmp_path / "adjudge.db-wal").stat().st_size
    try:
        reason = fill_up(
            store,
            kept,
            people.find(store, kept, "anna"),
            lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (size + 300_000, hard)),
            lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard)),
        )
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert "disk" in reason
    store.close()


@pytest.fixture
def small_disk():
    """A disk of its own that can be made larger, or a skip: it takes root to mount one."""

    def mounted(options):
        command = ["mount", "-t", "tmpfs", "-o", options, "tmpfs", str(folder)]
        return subprocess.run(command, capture_output=True, check=False)

    folder = Path(tempfile.mkdtemp())  # pytest's own let no other user in
    if os.geteuid() != 0 or mounted("size=2m").returncode:
        folder.rmdir()
        pytest.skip("a small disk cannot be mounted here")
    yield folder, lambda size: mounted(f"remount,size={size}")
    subprocess.run(["umount", "-l", str(folder)], check=True)
    folder.rmdir()


def test_a_disk_that_is_full(small_disk):
    folder, resize = small_disk
    store = CampaignStore.open(f"sqlite:///{folder}/adjudge.db")
    kept = campaigns.add(store, *stored.made())
    reason = fill_up(store, kept, people.find(store, kept, "anna"), lambda: None, lambda: resize("20m"))
    assert "database or disk is full" in reason
    store.close()


def test_a_campaign_that_does_not_fit_is_not_half_there(small_disk):
    folder, resize = small_disk
    store = CampaignStore.open(f"sqlite:///{folder}/adjudge.db")
    campaign, material, _ = stored.made()
    hits = [
        stored.Hit(
            "big",
            tuple(stored.item(0, key=f"i{i}", extra={"note": "x" * 10_000}) for i in range(300)),
            "anna",
        )
    ]
    with pytest.raises(Unavailable, match="database or disk is full"):
        campaigns.add(store, campaign, material, hits)
    assert campaigns.all_campaigns(store) == []
    check_whole(store)
    resize("20m")
    assert campaigns.hits(store, campaigns.add(store, campaign, material, hits)) == hits
    store.close()


@pytest.mark.slow
def test_postgresql_on_a_disk_that_is_full(small_disk):
    from helpers.postgresql import ABSENT, Postgres, folders

    if not folders():
        pytest.skip(ABSENT)
    folder, resize = small_disk
    folder.chmod(0o755)
    resize("160m")
    server = Postgres(folders()[0], fsync=True, within=folder)
    try:
        store = CampaignStore.open(server.database())
        kept = campaigns.add(store, *stored.made())

        def release():
            resize("1g")
            server.ensure()

        reason = fill_up(store, kept, people.find(store, kept, "anna"), lambda: None, release)
        assert "No space left on device" in reason or "server closed the connection" in reason
        store.close()
    finally:
        server.remove()


@pytest.mark.slow
def test_postgresql_crashes_twenty_times(durable):
    store = CampaignStore.open(durable.database())
    browsers = Browsers(store, campaigns.add(store, *stored.crowd(1000)))
    try:
        for _ in range(at_most(20)):
            browsers.wait_for(20)
            durable.stop(signal.SIGQUIT)
            durable.start()
        browsers.wait_for(20)
    finally:
        browsers.stop()
        store.close()
    print(f"{len(browsers.acknowledged)} acknowledged, {dict(browsers.refused)}")
