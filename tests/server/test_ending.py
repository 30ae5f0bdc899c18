"""The end of a server of campaigns under load: everybody is answered, and the log has one line."""

from __future__ import annotations

import http.client
import signal
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack

import pytest

pytest.importorskip("uvicorn")
pytest.importorskip("sqlalchemy")

import uvicorn

from adjudge.campaigns.store import CampaignStore
from adjudge.server import ending
from adjudge.server.app import create_app
from adjudge.server.run import configuration
from adjudge.server.settings import ServerSettings
from helpers.services import error_of, started, unfinished

SIGN_IN = "/api/organiser/sign-in"


@pytest.fixture
def opened() -> Iterator[ExitStack]:
    with ExitStack() as stack:
        yield stack


def test_sigterm_answers_all_who_wait_and_says_one_line(sqlite: str, opened: ExitStack) -> None:
    server = opened.enter_context(started("human", "serve", "--database", sqlite, ending=1.0))
    opened.callback(server.kill)
    assert server.stderr is not None
    port = int(server.stderr.readline().partition(" (")[0].rpartition(":")[2])
    idle = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    opened.callback(idle.close)
    idle.request("GET", "/health")
    assert idle.getresponse().read() == b'{"status":"ok"}'
    waiting = [opened.enter_context(unfinished(port, SIGN_IN)) for _ in range(6)]
    time.sleep(0.5)
    begun = time.monotonic()
    server.send_signal(signal.SIGTERM)
    assert [error_of(connection) for connection in waiting] == [(503, "ending")] * 6
    _, said = server.communicate(timeout=30)
    assert time.monotonic() - begun < 20
    assert server.returncode == -signal.SIGTERM
    [line] = [line for line in said.splitlines() if "no campaign yet" not in line]
    assert line == "adjudge: the server was ended; 6 requests not done in time got 503"


@pytest.mark.slow
def test_several_processes_end_alike(postgresql: object, opened: ExitStack) -> None:
    """Each with those that came to it; a line for each that could not finish something."""
    command = ["human", "serve", "--database", str(postgresql.clean()), "--workers", "2"]
    server = opened.enter_context(started(*command))
    opened.callback(server.kill)
    assert server.stderr is not None
    port = int(server.stderr.readline().partition(" (")[0].rpartition(":")[2])
    health = http.client.HTTPConnection("127.0.0.1", port, timeout=180)
    opened.callback(health.close)
    health.request("GET", "/health")  # waits until one of them is up
    assert health.getresponse().status == 200
    waiting = [opened.enter_context(unfinished(port, SIGN_IN)) for _ in range(6)]
    time.sleep(1)
    server.send_signal(signal.SIGTERM)
    assert [error_of(connection) for connection in waiting] == [(503, "ending")] * 6
    _, said = server.communicate(timeout=60)
    lines = [line for line in said.splitlines() if "no campaign yet" not in line]
    assert 1 <= len(lines) <= 2
    assert all("the server was ended" in line for line in lines)
    assert "Traceback" not in said


@pytest.fixture
def server(
    store: CampaignStore, monkeypatch: pytest.MonkeyPatch
) -> Iterator[tuple[int, uvicorn.Server, threading.Thread]]:
    """A server in this process with routes that take a while in a thread, as questions to a database do."""
    monkeypatch.setattr(ending, "SECONDS", 2.0)
    gone = threading.Event()
    app = create_app(store, ServerSettings())
    app.add_api_route("/quick", lambda: time.sleep(0.8))
    app.add_api_route("/slow", lambda: gone.wait(60))
    listening = socket.create_server(("127.0.0.1", 0))
    own = uvicorn.Server(configuration(app, ServerSettings()))
    running = threading.Thread(target=own.run, kwargs={"sockets": [listening]}, daemon=True)
    running.start()
    while not own.started:
        time.sleep(0.01)
    yield listening.getsockname()[1], own, running
    own.should_exit = True
    gone.set()
    running.join(20)
    assert not running.is_alive()


def asked(port: int, path: str) -> socket.socket:
    connection = socket.create_connection(("127.0.0.1", port), timeout=60)
    connection.sendall(f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode())
    return connection


def test_what_is_done_in_time_is_answered_and_the_rest_is_told(
    server: tuple[int, uvicorn.Server, threading.Thread],
    opened: ExitStack,
    caplog: pytest.LogCaptureFixture,
) -> None:
    port, own, _ = server
    quick, slow = (opened.enter_context(asked(port, path)) for path in ("/quick", "/slow"))
    time.sleep(0.4)
    own.should_exit = True
    assert b"200 OK" in quick.recv(65536)
    assert error_of(slow) == (503, "ending")
    expected = "adjudge: the server was ended; 1 request not done in time got 503"
    for _ in range(200):
        if caplog.records:
            break
        time.sleep(0.05)
    assert [record.getMessage() for record in caplog.records] == [expected]
