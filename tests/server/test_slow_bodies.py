"""Bodies that come slowly: those that go on are read to their end, those that do not get an answer and an end."""

from __future__ import annotations

import json
import socket
import threading
import time
from collections.abc import Iterator

import pytest

pytest.importorskip("uvicorn")

import uvicorn

from adjudge.server import service
from adjudge.server.run import configuration
from adjudge.server.service import LARGEST_BODY, create_service
from adjudge.server.settings import ServerSettings

SMALL = {"references": [["a b"]], "systems": {"x": ["a b"]}, "metrics": ["wer"]}


@pytest.fixture
def port(monkeypatch: pytest.MonkeyPatch) -> Iterator[int]:
    """A service that waits a second for a body, and one more for every 1,000 bytes of it."""
    monkeypatch.setattr(service, "BODY_SECONDS", 1.0)
    monkeypatch.setattr(service, "BODY_BYTES", 1000)
    listening = socket.create_server(("127.0.0.1", 0))
    settings = ServerSettings(
        base_url=f"http://127.0.0.1:{listening.getsockname()[1]}", largest_body=LARGEST_BODY
    )
    server = uvicorn.Server(configuration(create_service(settings, 60), settings))
    running = threading.Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
    running.start()
    while not server.started:
        time.sleep(0.01)
    yield listening.getsockname()[1]
    server.should_exit = True
    running.join(20)
    assert not running.is_alive()


def begun(port: int, length: int) -> socket.socket:
    connection = socket.create_connection(("127.0.0.1", port), timeout=60)
    head = "POST /score HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
    connection.sendall(f"{head}Content-Length: {length}\r\n\r\n".encode())
    return connection


def reply_of(connection: socket.socket) -> tuple[int, dict[str, object], bool]:
    """Status, body, and whether the connection was closed after it."""
    received = b""
    while piece := connection.recv(65536):
        received += piece
    head, _, body = received.partition(b"\r\n\r\n")
    return int(head.split()[1]), json.loads(body), b"connection: close" in head.lower()


@pytest.mark.parametrize("drops", [b"", b"x"])
def test_a_body_that_does_not_come_is_given_up(port: int, drops: bytes) -> None:
    """Also one that comes by the drop, which keeps every clock running that starts anew with each."""
    with begun(port, 1_000_000) as connection:
        at = time.monotonic()
        connection.settimeout(0.1)
        while time.monotonic() < at + 30:
            try:
                if drops:
                    connection.sendall(drops)
                connection.recv(1, socket.MSG_PEEK)
                break
            except TimeoutError:
                continue
        assert 0.5 < time.monotonic() - at < 20
        connection.settimeout(30)
        status, body, is_closed = reply_of(connection)
        assert (status, body["error"]["code"], is_closed) == (408, "too slow", True)


def test_who_is_slow_but_goes_on_is_read_to_the_end(port: int) -> None:
    body = json.dumps({**SMALL, "name": "x" * 8000}).encode()
    with begun(port, len(body)) as connection:
        for start in range(0, len(body), 1000):
            time.sleep(0.25)
            connection.sendall(body[start : start + 1000])
        assert connection.recv(65536).split()[1] == b"200"
