"""Connections that do not go on are closed, by a real server, while others are served."""

import socket
import threading
import time
import urllib.request
from contextlib import ExitStack

import pytest
import uvicorn
from starlette.responses import Response

from adjudge.server import run
from adjudge.server.app import create_app
from adjudge.server.run import configuration
from adjudge.server.settings import ServerSettings

HEAD, BODY, READ = 0.4, 0.8, 0.6
LARGE = 30_000_000
POST = b"POST /api/undo HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 100000\r\n\r\n"


@pytest.fixture
def port(store, monkeypatch):
    monkeypatch.setattr(run, "HEAD_SECONDS", HEAD)
    monkeypatch.setattr(run, "BODY_SECONDS", BODY)
    monkeypatch.setattr(run, "READ_SECONDS", READ)
    app = create_app(store, ServerSettings())
    app.add_api_route("/large", lambda: Response(b"x" * LARGE), response_class=Response)
    listening = socket.create_server(("127.0.0.1", 0))
    server = uvicorn.Server(configuration(app, ServerSettings(), lifespan="off"))
    running = threading.Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
    running.start()
    while not server.started:
        time.sleep(0.01)
    yield listening.getsockname()[1]
    server.should_exit = True
    running.join(10)
    assert not running.is_alive()


@pytest.fixture
def opened():
    with ExitStack() as stack:
        yield lambda port: stack.enter_context(socket.create_connection(("127.0.0.1", port), timeout=10))


def until_closed(connection, drops=b"", every=0.05):
    """How long the server keeps a connection open to which something is sent now and then."""
    begun = time.monotonic()
    connection.settimeout(every)
    for number in range(int(8 / every)):
        try:
            if drops:
                connection.send(drops[number % len(drops) :][:1])
            if connection.recv(65536) == b"":
                break
        except TimeoutError:
            continue
        except OSError:
            break
    else:
        pytest.fail("it is still open after eight seconds")
    return time.monotonic() - begun


def reply(connection):
    """A whole answer of /health, whose head and body may come apart."""
    result = b""
    while not result.endswith(b"}"):
        part = connection.recv(65536)
        assert part, result
        result += part
    return result


def health(port):
    return urllib.request.urlopen(f"http://127.0.0.1:{port}/health", timeout=5).status


def test_who_says_nothing_is_sent_away(port, opened):
    assert HEAD * 0.5 < until_closed(opened(port)) < HEAD + 3


def test_headers_by_the_drop(port, opened):
    connection = opened(port)
    connection.sendall(b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n")
    assert until_closed(connection, drops=b"X-A: b\r\n") < HEAD + 3


def test_a_second_request_by_the_drop(port, opened):
    connection = opened(port)
    connection.sendall(b"GET /health HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
    assert b"200 OK" in reply(connection)
    connection.sendall(b"GET / HTTP/1.1\r\n")
    assert until_closed(connection, drops=b"X-A: b\r\n") < HEAD + 3


@pytest.mark.parametrize("length", [100_000, 10_000_000])
def test_a_body_by_the_drop(port, opened, length):
    """Also where the answer was given before, as the body is too large."""
    connection = opened(port)
    connection.sendall(POST.replace(b"100000", str(length).encode()))
    assert until_closed(connection, drops=b"x") < BODY + 3


def test_a_large_body_has_its_time_for_every_piece(port, opened, monkeypatch):
    """Its clock begins anew with every piece, not with every drop."""
    begun, await_ = [], run.PatientProtocol._await

    def noted(self, what, seconds):
        if what.startswith("body") and what not in begun:
            begun.append(what)
        await_(self, what, seconds)

    monkeypatch.setattr(run.PatientProtocol, "_await", noted)
    monkeypatch.setattr(run, "BODY_SECONDS", 60.0)
    monkeypatch.setattr(run, "BODY_BYTES", 1000)
    connection = opened(port)
    connection.sendall(POST)
    for piece in range(3):
        deadline = time.monotonic() + 30
        while f"body {piece}" not in begun and time.monotonic() < deadline:
            time.sleep(0.01)
        connection.sendall(b"x" * 1000)
    connection.sendall(b"x" * 97_000)
    assert b"HTTP/1.1 4" in connection.recv(65536)
    assert begun[:3] == ["body 0", "body 1", "body 2"]


def test_a_reply_that_nobody_reads(port, opened, monkeypatch):
    given_up, ended = threading.Event(), run.PatientProtocol.connection_lost
    monkeypatch.setattr(
        run.PatientProtocol,
        "connection_lost",
        lambda self, why: (ended(self, why), given_up.set()),
    )
    connection = opened(port)
    connection.sendall(b"GET /large HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
    assert given_up.wait(30)
    connection.settimeout(10)
    read = 0
    try:
        while got := connection.recv(1 << 20):
            read += len(got)
    except ConnectionError:
        pass
    assert read < LARGE


def test_who_takes_a_while_but_goes_on_is_served(port, opened):
    connection = opened(port)
    for part in (b"GET /health HTTP/1.1\r\n", b"Host: 127.0.0.1\r\n", b"\r\n"):
        time.sleep(HEAD / 5)
        connection.sendall(part)
    assert b"200 OK" in reply(connection)
    time.sleep(2 * HEAD)  # between two requests there is time (timeout_keep_alive)
    connection.sendall(b"GET /health HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
    assert b"200 OK" in reply(connection)


def test_a_server_full_of_half_open_requests_serves_others(port, opened, monkeypatch):
    monkeypatch.setattr(run, "HEAD_SECONDS", 60.0)
    monkeypatch.setattr(run, "most_connections", lambda: 20)
    waiting = [opened(port) for _ in range(60)]
    for entry in waiting:
        try:
            entry.sendall(b"GET / HTTP/1.1\r\nHost: ")
        except OSError:
            continue
    assert [health(port) for _ in range(3)] == [200] * 3
    closed = 0
    for value in waiting:
        value.settimeout(0.02)
        try:
            closed += value.recv(1) == b""
        except TimeoutError:
            pass
        except OSError:
            closed += 1
    assert closed >= 40


def test_there_is_room_for_the_database():
    import resource

    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    assert run.most_connections() <= max(16, soft - run.SPARE_FILES)
