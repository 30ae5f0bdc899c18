"""The disk is full, the database is gone, the server is killed: people are told, and nothing they answered is lost.

Everything here is real: SQLite's own refusal, a PostgreSQL server that is stopped, a process that gets SIGKILL.
"""

import os
import signal
import socket
import sqlite3
import subprocess
import sys
import urllib.request
from contextlib import ExitStack

import pytest
from sqlalchemy import event, text

from adjudge.campaigns.store import CampaignStore, connection, journal
from helpers import served
from helpers.browsing import Laid, serving

EXPECTED = "Failed to load resource|ERR_CONNECTION_REFUSED|503"
TOLD = "Nothing can be saved on the server right now. You may go on"


def lay(store, protocol="da"):
    made = served.make(store, protocol)
    return Laid(made.store, made.kept, made.tokens)


def enter(visit, base, laid, **options):
    """Anna with a browser of her own, before that server."""
    anna = visit(base_url=base, **options)
    anna.expected = EXPECTED
    return anna.enter(laid.link("anna"))


def is_told(who, waiting):
    """Whether the page says in words what is the matter, also to those who listen, and keeps answers."""
    who.state("waiting")
    who.page.wait_for_selector(f"#banner[role=status]:has-text('{TOLD}')")
    box, height = who.page.locator("#banner").bounding_box(), who.page.viewport_size["height"]
    assert 0 <= box["y"] < box["y"] + box["height"] < height / 2, "wherever the page is scrolled to"
    assert f"Waiting to send ({waiting})" in who.text("#saved")
    assert in_browser(who) == waiting


def in_browser(who):
    return who.page.evaluate("Object.keys(localStorage).filter((key) => key.includes('.out.')).length")


def events(laid):
    return [(entry.kind, entry.place) for entry in journal.entries(laid.store, laid.kept)]


def all_is_well(who, laid, answers):
    who.saved()
    assert not who.page.locator("#banner").is_visible()
    assert in_browser(who) == 0
    assert laid.answers() == answers
    assert len(events(laid)) == len(answers), "each of them once"


@pytest.fixture
def serve(tmp_path):
    """Begin a server in this process, before SQLite or another database."""
    with ExitStack() as stack:
        yield lambda database="": stack.enter_context(serving(tmp_path, database))


def test_the_disk_is_full(serve, visit):
    site = serve()
    store, laid = site.store, lay(site.store, "post-editing")
    room = [1_000_000]

    @event.listens_for(store.engine, "checkout")
    def _limit(raw, _record, _proxy):
        raw.execute(f"PRAGMA max_page_count = {room[0]}")

    anna = enter(visit, site.base, laid)
    with store.reading() as reading:
        room[0] = reading.execute(text("PRAGMA page_count")).scalar()
    long = "A long text. " * 1500  # what needs a page more
    anna.page.locator("textarea").fill(long)
    anna.press("Control+Enter")
    is_told(anna, 1)
    anna.place(2)  # work goes on
    anna.page.get_by_label("No corrections needed").press("Space")
    anna.press("Enter")
    anna.place(3)
    is_told(anna, 2)
    anna.page.reload()
    anna.ready()
    anna.place(3)  # what waits counts as done
    is_told(anna, 2)
    assert laid.answers() == []
    room[0] = 1_000_000
    anna.saved()  # by itself
    first, second = (answer["edit"] for answer in laid.answers())
    assert (first["text"], second["state"]) == (long.strip(), "no corrections needed")
    all_is_well(anna, laid, laid.answers())
    assert len(events(laid)) == 2


def test_another_program_keeps_the_file(serve, visit, tmp_path, monkeypatch):
    monkeypatch.setattr(connection, "BUSY_SECONDS", 0.5)
    site = serve()
    laid = lay(site.store)
    anna = enter(visit, site.base, laid)
    other = sqlite3.connect(tmp_path / "campaigns.db", isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    anna.press("1", "1", "Enter")
    anna.place(2)
    is_told(anna, 1)
    anna.page.reload()  # what can be read is shown
    anna.ready()
    anna.place(2)
    is_told(anna, 1)
    other.execute("ROLLBACK")
    other.close()
    all_is_well(anna, laid, [{"score": 11}])


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGQUIT], ids=["stopped", "crashed"])
def test_postgresql_is_gone(serve, visit, durable, how):
    site = serve(durable.database())
    laid = lay(site.store)
    anna = enter(visit, site.base, laid)
    anna.press("1", "1", "Enter")
    anna.saved()
    durable.stop(how)
    anna.press("2", "2", "Enter")
    anna.place(3)
    is_told(anna, 1)
    anna.press("3", "3", "Enter")
    anna.place(4)
    is_told(anna, 2)
    anna.page.reload()
    assert "cannot reach its database" in anna.text("main")  # a page, not a stack trace
    assert "Nothing is lost" in anna.text("main")
    durable.start()
    anna.page.reload()
    anna.ready()
    anna.place(4)
    all_is_well(anna, laid, [{"score": 11}, {"score": 22}, {"score": 33}])


def test_postgresql_comes_back_while_somebody_works(serve, visit, durable):
    site = serve(durable.database())
    laid = lay(site.store, "esa")  # which scrolls to the next segment of the document
    anna = enter(visit, site.base, laid, viewport={"width": 390, "height": 800})
    durable.stop()
    anna.press("1", "1", "Enter")
    anna.place(2)
    is_told(anna, 1)
    assert anna.page.evaluate("scrollY") > 0
    place, banner = (anna.page.locator(entry).bounding_box() for entry in (".place", "#banner"))
    assert place["y"] >= banner["y"] + banner["height"], "it covers nothing that is asked"
    durable.start()
    all_is_well(anna, laid, [{"errors": [], "score": 11}])


@pytest.fixture
def process(tmp_path):
    """`adjudge human serve` as it runs elsewhere: begun, killed, and begun again at the same address."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    running = []

    def begin():
        command = [sys.executable, "-m", "adjudge", "human", "serve", "--quiet"]
        command += ["--port", str(port), "--database", str(tmp_path / "campaigns.db")]
        running.append(subprocess.Popen(command, env={**os.environ, "PYTHONWARNINGS": "ignore"}))
        urllib.request.urlopen(wait_for(port, running[-1])).close()
        return f"http://127.0.0.1:{port}"

    def kill():
        running[-1].send_signal(signal.SIGKILL)
        running[-1].wait(30)

    yield begin, kill
    for entry in running:
        if entry.poll() is None:
            entry.kill()
            entry.wait(30)


def wait_for(port, server):
    """The address of its health, once it listens."""
    while server.poll() is None:
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
            return f"http://127.0.0.1:{port}/health"
        except OSError:
            pass
    raise AssertionError(f"the server ended with {server.returncode}")


def test_the_server_is_killed(process, visit, tmp_path):
    begin, kill = process
    store = CampaignStore.open(f"sqlite:///{tmp_path}/campaigns.db")
    laid = lay(store)
    anna = enter(visit, begin(), laid)
    anna.press("1", "1", "Enter")
    anna.saved()
    kill()
    anna.press("2", "2", "Enter")
    anna.place(3)
    anna.press("3", "3")  # half an answer
    is_told(anna, 1)
    begin()
    anna.saved()  # by itself, to the new process
    assert laid.answers() == [{"score": 11}, {"score": 22}]
    kill()
    anna.press("Enter")
    anna.place(4)
    is_told(anna, 1)
    anna.press("4", "4")
    anna.page.wait_for_function(
        "() => Object.entries(localStorage).some(([name, text]) => /draft/.test(name) && /44/.test(text))"
    )
    anna.page.goto("about:blank")
    begin()
    anna.page.goto("/work")
    anna.ready()
    anna.place(4)
    assert anna.text(".score") == "44"
    all_is_well(anna, laid, [{"score": 11}, {"score": 22}, {"score": 33}])
    store.close()
