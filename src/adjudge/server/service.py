"""Scores and comparisons over HTTP: `POST /score` and `/compare` answer with the JSON of the command line.

What is computed runs in processes of their own, which can be ended: a request that takes too long, or more memory than
it may, costs its sender an answer and nobody else anything. `lanes.py` says whose turn it is, `openapi.py` describes
the service to programs, and `Tokens` says who may ask.
"""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import json
import logging
import re
import sys
from collections.abc import AsyncIterator, Coroutine, Iterable
from contextlib import asynccontextmanager
from typing import Any

from fastapi import FastAPI, Request
from fastapi.responses import Response
from starlette.requests import ClientDisconnect

from adjudge.errors import ProgramError, UsageError
from adjudge.io.files import lines, read_bytes
from adjudge.io.programs import Program
from adjudge.server import lanes, openapi, problems
from adjudge.server.ending import Ending, say_unfinished
from adjudge.server.guard import Guard
from adjudge.server.lanes import Answer, Job, Lanes, LaneUse, RequestMemory
from adjudge.server.limits import client_address
from adjudge.server.problems import ServerProblem
from adjudge.server.settings import ServerSettings
from adjudge.wording import pluralise

SHORTEST = 16
"""Characters; `openssl rand -hex 32` makes 64."""
_TOKEN = re.compile(r"[A-Za-z0-9._~+/-]+=*", re.ASCII)  # RFC 6750, section 2.1


class Tokens:
    """The tokens that a service takes, of which it keeps hashes; without any, it takes everybody."""

    def __init__(self, tokens: Iterable[str] = ()) -> None:
        self._hashes = [_hash(token) for token in tokens]

    def __bool__(self) -> bool:
        return bool(self._hashes)

    def client(self, request: Request) -> str:
        """Whom a request counts for: its token, or where there are none its address; Problem for a wrong token."""
        if not self._hashes:
            return client_address(request)
        scheme, _, token = request.headers.get("authorization", "").partition(" ")
        given = _hash(token.strip())
        # All are compared, in constant time: how long it takes tells nothing about any of them.
        matches = [hmac.compare_digest(given, known) for known in self._hashes]
        if scheme.lower() != "bearer" or not any(matches):
            message = "a token of this service was expected, with the header authorization: Bearer TOKEN"
            raise ServerProblem(401, "unauthorised", message, www_authenticate="Bearer")
        return f"token {matches.index(True)}"


def read_tokens(path: str) -> list[str]:
    """The tokens of a file, one per line; empty lines and those that begin with # are left out."""
    rows = [(number, line.strip()) for number, line in enumerate(lines(path, read_bytes(path)[0]), 1)]
    tokens = [
        checked_token(line, f"{path}, line {number}") for number, line in rows if line[:1] not in ("", "#")
    ]
    if not tokens:
        raise UsageError(f"{path} holds no token; write one per line (openssl rand -hex 32 makes one)")
    return tokens


def checked_token(text: str, place: str) -> str:
    """A token that a header carries and nobody guesses; it is never shown."""
    if not _TOKEN.fullmatch(text):
        raise UsageError(f"{place}: a token has letters, digits and . _ ~ + / - only (it is not shown here)")
    if len(text) < SHORTEST:
        raise UsageError(
            f"{place}: a token of {pluralise(len(text), 'character')} can be guessed; take at least {SHORTEST} "
            "(openssl rand -hex 32 makes one)"
        )
    return text


def _hash(token: str) -> bytes:
    return hashlib.sha256(token.encode("utf-8", "surrogateescape")).digest()


log = logging.getLogger("adjudge.server")
LARGEST_BODY = 32 << 20
BODY_SECONDS = 30.0
"""For a body to arrive, and a second more for so many bytes of it that have come: whoever goes on may send all."""
BODY_BYTES = 128 << 10
START_SECONDS = 60.0
"""For the process to start, which no request pays for."""
COMMAND = (sys.executable, "-m", "adjudge.server.computing")


class Computer:
    """A process that computes one request at a time, and is made anew where it was ended."""

    def __init__(self, seconds: float, most_seconds: float | None = None) -> None:
        self._seconds = seconds
        self._most_seconds = most_seconds
        """What a request may be estimated to take; it is answered with its estimate where that is more."""
        self._is_ended = False
        self._program: Program | None = None
        self._number = 0
        """Of the request that is computed; its answer begins with the same."""

    def answer(self, route: str, body: str) -> dict[str, Any]:
        """The answer to a request."""
        program = self._start(route)
        self._number += 1
        request = {"number": self._number, "route": route, "body": body, "most_seconds": self._most_seconds}
        program.send([json.dumps(request)])
        try:
            line = program.answer(self._seconds)
        except ProgramError:
            self._stop()
            text = f"not done after {self._seconds:g} seconds: send less at once"
            raise ServerProblem(503, "too long", text) from None
        if line is None:
            raise self._fault(route, "died over it")
        number, _, text = line.partition(" ")
        if number != str(self._number):  # an answer must not reach another request
            raise self._fault(route, "answered something else")
        answer: dict[str, Any] = json.loads(text)
        if "fault" in answer:
            log.error("%s: %s", route, answer["fault"])
        return answer

    def _start(self, route: str) -> Program:
        """The process, once it says that it is ready."""
        if self._program is not None and self._program.alive:
            return self._program
        self._stop()
        self._program = Program(COMMAND)
        try:
            ready = self._program.answer(START_SECONDS)
        except ProgramError:
            ready = None
        if ready != "ready":
            raise self._fault(route, "did not start")
        return self._program

    def _fault(self, route: str, what: str) -> ServerProblem:
        """What to tell where the process is not to be trusted any more; the next request has another."""
        if self._is_ended:
            return ServerProblem(503, "ending", "the server ends; please try again in a while")
        complaint = self._program and self._program.complaint()
        log.error("%s: the process that computes it %s%s", route, what, complaint or "")
        self._stop()
        return ServerProblem(500, "internal", f"what computes this {what}; the log of the service says more")

    def end(self) -> None:
        """End the process for good; whoever waits for it is told that the server ends."""
        self._is_ended = True
        self._stop()

    def _stop(self) -> None:
        if self._program is not None:
            self._program.end()
            self._program = None


def create_service(settings: ServerSettings, seconds: float, tokens: Tokens | None = None) -> FastAPI:
    """A server that computes requests within a time limit, and reads and stores nothing else."""
    tokens, places = tokens or Tokens(), LaneUse()
    small = Computer(min(seconds, lanes.SMALL_LIMIT), lanes.SMALL_SECONDS)
    computers = Lanes(small, Computer(seconds))

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        yield
        computers.end()
        say_unfinished(app)

    app = FastAPI(title="adjudge", docs_url=None, redoc_url=None, openapi_url=None, lifespan=lifespan)
    app.state.unfinished = 0
    problems.install(app, lambda request, status, code, message: problems.answer(status, code, message))
    app.add_middleware(Ending)
    app.add_middleware(Guard, settings=settings)

    @app.post("/score")
    @app.post("/compare")
    async def compute(request: Request) -> Response:
        """What `adjudge score -f json` and `adjudge compare -f json` write."""
        client = tokens.client(request)
        with places.request(client) as memory:
            body = await _body(request, memory)
            with places.whole():
                work = computers.compute(Job(client, request.url.path, body))
                answer = await _while_connected(request, work)
        if answer["status"] != 200:
            raise ServerProblem(answer["status"], answer["code"], answer["text"])
        return Response(answer["text"], media_type="application/json")

    @app.get("/health")
    async def health() -> dict[str, str]:
        """Whether the service is up; asked without a token, because it tells nothing else."""
        return {"status": "ok"}

    @app.get("/openapi.json")
    def described() -> dict[str, Any]:
        """The OpenAPI description of the service; it needs no token."""
        return openapi.document(settings.base_url, settings.largest_body, bool(tokens))

    return app


async def _body(request: Request, memory: RequestMemory) -> str:
    """The complete body of a request that is declared as JSON."""
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != "application/json":
        raise ServerProblem(
            415, "media type", "JSON was expected, with the header content-type: application/json"
        )
    pieces: list[bytes] = []
    begun, stream = asyncio.get_running_loop().time(), request.stream()
    try:
        while True:
            async with asyncio.timeout_at(begun + BODY_SECONDS + memory.bytes / BODY_BYTES):
                piece = await anext(stream, b"")
            if not piece:
                return b"".join(pieces).decode("utf-8")
            memory.add(len(piece))
            pieces.append(piece)
    except UnicodeDecodeError as error:
        raise ServerProblem(400, "refused", f"not UTF-8 (byte {error.start + 1})") from None
    except ClientDisconnect:
        raise ServerProblem(400, "refused", "the request ended too early") from None
    except TimeoutError:
        rate = f"{BODY_BYTES >> 10} KB a second after the first {BODY_SECONDS:g} seconds"
        message = f"the request did not arrive in time; send at least {rate}"
        raise ServerProblem(408, "too slow", message, connection="close") from None


async def _while_connected(request: Request, work: Coroutine[Any, Any, Answer]) -> Answer:
    """The outcome of work that is cancelled when its client leaves."""
    computed, gone = asyncio.ensure_future(work), asyncio.ensure_future(_disconnected(request))
    try:
        await asyncio.wait({computed, gone}, return_when=asyncio.FIRST_COMPLETED)
        if computed.done():
            return computed.result()
        raise ServerProblem(400, "refused", "the connection was closed before the answer")
    finally:
        gone.cancel()
        computed.cancel()


async def _disconnected(request: Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass
