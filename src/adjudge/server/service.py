"""Scores and comparisons over HTTP: `POST /score` and `/compare` answer with the JSON of the command line.

What is computed runs in a process of its own, which can be ended: a request that takes too long, or more memory than it
may, costs its sender an answer and nobody else anything.
"""

from __future__ import annotations

import asyncio
import json
import logging
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from fastapi import FastAPI, Request
from fastapi.responses import Response
from starlette.requests import ClientDisconnect

from adjudge.errors import ProgramError
from adjudge.io.programs import Program
from adjudge.server import problems
from adjudge.server.guard import Guard
from adjudge.server.problems import Problem
from adjudge.server.settings import ServerSettings

log = logging.getLogger("adjudge.server")
MOST_WAITING = 8
"""Requests that wait while one is computed, which uses all cores; more are turned away."""
LARGEST_BODY = 32 << 20
MOST_HELD = 32
"""Requests that are read or wait, and lie in memory meanwhile: 1 GB of texts at most."""
START_SECONDS = 60.0
"""For the process to start, which is nobody's time."""
COMMAND = (sys.executable, "-m", "adjudge.server.computing")


class Computer:
    """A process that computes one request at a time, and is made anew where it was ended."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._program: Program | None = None
        self._number = 0
        """Of the request that is computed; its answer begins with the same."""

    def answer(self, route: str, body: str) -> dict[str, Any]:
        """What a request comes to."""
        program = self._started(route)
        self._number += 1
        program.send([json.dumps({"number": self._number, "route": route, "body": body})])
        try:
            line = program.answer(self._seconds)
        except ProgramError:
            self.end()
            text = f"not done after {self._seconds:g} seconds: send less at once"
            raise Problem(503, "too long", text) from None
        if line is None:
            raise self._fault(route, "died over it")
        number, _, text = line.partition(" ")
        if number != str(self._number):  # nobody is to have another's
            raise self._fault(route, "answered something else")
        answer: dict[str, Any] = json.loads(text)
        if "fault" in answer:
            log.error("%s: %s", route, answer["fault"])
        return answer

    def _started(self, route: str) -> Program:
        """The process, once it says that it is ready."""
        if self._program is not None and self._program.alive:
            return self._program
        self.end()
        self._program = Program(COMMAND)
        try:
            ready = self._program.answer(START_SECONDS)
        except ProgramError:
            ready = None
        if ready != "ready":
            raise self._fault(route, "did not start")
        return self._program

    def _fault(self, route: str, what: str) -> Problem:
        """What to tell where the process is not to be trusted any more; the next request has another."""
        complaint = self._program and self._program.complaint()
        log.error("%s: the process that computes it %s%s", route, what, complaint or "")
        self.end()
        return Problem(500, "internal", f"what computes this {what}; the log of the service says more")

    def end(self) -> None:
        """End the process."""
        if self._program is not None:
            self._program.end()
            self._program = None


def create_service(settings: ServerSettings, seconds: float) -> FastAPI:
    """A server that computes what it is sent, each within so many seconds, and reads and keeps nothing else."""
    computer, turn = Computer(seconds), asyncio.Lock()
    held, waiting = asyncio.Semaphore(MOST_HELD), asyncio.Semaphore(MOST_WAITING + 1)

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        yield
        computer.end()

    app = FastAPI(title="adjudge", docs_url=None, redoc_url=None, openapi_url=None, lifespan=lifespan)
    problems.install(app, lambda request, status, code, message: problems.answer(status, code, message))
    app.add_middleware(Guard, settings=settings)

    @app.post("/score")
    @app.post("/compare")
    async def compute(request: Request) -> Response:
        """What `adjudge score -f json` and `adjudge compare -f json` write."""
        async with _place(held, "are read"):
            body = await _body(request)
            async with _place(waiting, "wait"), turn:
                answer = await asyncio.to_thread(computer.answer, request.url.path, body)
        if answer["status"] != 200:
            raise Problem(answer["status"], answer["code"], answer["text"])
        return Response(answer["text"], media_type="application/json")

    @app.get("/health")
    async def health() -> dict[str, str]:
        """Whether the service is up."""
        return {"status": "ok"}

    return app


@asynccontextmanager
async def _place(places: asyncio.Semaphore, doing: str) -> AsyncIterator[None]:
    """A place for a request, if there is one."""
    if places.locked():
        raise Problem(503, "busy", f"too many requests {doing} already; please try again in a while")
    async with places:
        yield


async def _body(request: Request) -> str:
    """The text that was sent, once it is known to be meant as JSON."""
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != "application/json":
        raise Problem(415, "media type", "JSON was expected, with the header content-type: application/json")
    try:
        return (await request.body()).decode("utf-8")
    except UnicodeDecodeError as error:
        raise Problem(400, "refused", f"not UTF-8 (byte {error.start + 1})") from None
    except ClientDisconnect:
        raise Problem(400, "refused", "the request ended too early") from None
