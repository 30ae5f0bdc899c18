"""The service under load, as a process with real clients: nobody blocks others, and its end is told to everybody."""

from __future__ import annotations

import json
import random
import signal
import socket
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack

import pytest

pytest.importorskip("fastapi")

from adjudge.server import lanes
from helpers.services import Service, error_code, error_of, unfinished

SMALL = {
    "references": [["the cat sat", "a dog"]],
    "systems": {"x": ["the cat", "a dog"], "y": ["cat", "dog"]},
}


def heavy() -> dict[str, object]:
    """A comparison that takes all cores for many seconds, however fast they are."""
    draw = random.Random(1)
    words = [str(number) for number in range(500)]
    references = [" ".join(draw.choices(words, k=20)) for _ in range(60)]
    systems = {
        f"s{n}": [" ".join(w if draw.random() < 0.7 else "x" for w in r.split()) for r in references]
        for n in range(12)
    }
    return {
        "references": [references],
        "systems": systems,
        "plan": {"trials": 1_000_000, "resamples": 1_000_000},
    }


@pytest.fixture
def service() -> Iterator[Service]:
    own = Service(ending=1.0)
    yield own
    own.close()


@pytest.fixture
def opened() -> Iterator[ExitStack]:
    with ExitStack() as stack:
        yield stack


other_address = pytest.mark.skipif(
    sys.platform != "linux", reason="a machine has one loopback address elsewhere"
)


@other_address
def test_one_client_s_unfinished_requests_block_nobody_else(service: Service, opened: ExitStack) -> None:
    assert service.post("/score", SMALL, "127.0.0.2")[0] == 200  # the process that computes has started
    waiting = [opened.enter_context(unfinished(service.port, "/score")) for _ in range(32)]
    refused = [error_of(connection) for connection in waiting[lanes.MOST_OF_CLIENT :]]
    assert set(refused) == {(429, "busy")}
    begun = time.monotonic()
    assert service.post("/score", SMALL, "127.0.0.2")[0] == 200
    assert time.monotonic() - begun < 10
    assert service.post("/score", SMALL)[0] == 429


def ask_in_threads(
    service: Service, bodies: list[tuple[str, object]], answers: list[tuple[int, str]]
) -> list[threading.Thread]:
    def ask(route: str, body: object) -> None:
        answers.append(service.post(route, body))

    threads = [threading.Thread(target=ask, args=body, daemon=True) for body in bodies]
    for thread in threads:
        thread.start()
    return threads


def test_small_requests_do_not_wait_for_heavy_ones(service: Service) -> None:
    assert service.post("/score", SMALL)[0] == 200
    answers: list[tuple[int, str]] = []
    threads = ask_in_threads(service, [("/compare", heavy())] * 4, answers)
    time.sleep(1.5)
    begun = time.monotonic()
    assert service.post("/score", SMALL)[0] == 200
    assert (
        time.monotonic() - begun < 10
    )  # alone it takes a hundredth of a second; four heavy ones take minutes
    assert answers == [], "they are still computed"
    service.stop()
    for thread in threads:
        thread.join(30)


def test_sigterm_answers_everybody_and_says_one_line(service: Service, opened: ExitStack) -> None:
    """Several are computed, wait, still send, or have sent nothing; none sees a broken connection."""
    assert service.post("/score", SMALL)[0] == 200
    idle = service.connect()
    opened.callback(idle.close)
    idle.request("GET", "/health")
    assert idle.getresponse().read() == b'{"status":"ok"}'
    answers: list[tuple[int, str]] = []
    threads = ask_in_threads(service, [("/compare", heavy())] * 4, answers)
    waiting = [opened.enter_context(unfinished(service.port, "/score")) for _ in range(3)]
    time.sleep(1.5)
    begun = time.monotonic()
    code, said = service.stop()
    assert time.monotonic() - begun < 20
    for thread in threads:
        thread.join(30)
    assert code == -signal.SIGTERM
    assert [status for status, _ in answers] == [503] * 4
    assert {error_code(answer) for answer in answers} == {"ending"}
    assert [error_of(connection) for connection in waiting] == [(503, "ending")] * 3
    assert said.splitlines() == ["adjudge: the server was ended; 7 requests not done in time got 503"]


def test_what_can_be_finished_is_finished_though_the_server_ends(opened: ExitStack) -> None:
    service = Service(ending=30.0)
    try:
        assert service.post("/score", SMALL)[0] == 200
        body = json.dumps(SMALL).encode()
        connection = opened.enter_context(socket.create_connection(("127.0.0.1", service.port), timeout=60))
        head = "POST /score HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
        connection.sendall(f"{head}Content-Length: {len(body)}\r\n\r\n".encode() + body[:20])
        time.sleep(0.5)
        service.process.send_signal(signal.SIGTERM)
        time.sleep(0.5)
        connection.sendall(body[20:])
        assert connection.recv(65536).split()[1] == b"200"
        _, said = service.process.communicate(timeout=30)
        assert said == ""
    finally:
        service.close()


def test_who_hangs_up_while_waiting_is_not_computed(service: Service) -> None:
    """Or else a few who come and go would keep the lane of large requests busy for hours."""
    assert service.post("/score", SMALL)[0] == 200
    for _ in range(3):
        leaving = [service.connect() for _ in range(lanes.MOST_OF_CLIENT)]
        for connection in leaving:
            content = json.dumps(heavy())
            connection.request("POST", "/compare", content, {"content-type": "application/json"})
        time.sleep(0.5)
        for connection in leaving:
            connection.close()
        time.sleep(0.3)
    assert service.post("/score", SMALL)[0] == 200, "their places are free again"
