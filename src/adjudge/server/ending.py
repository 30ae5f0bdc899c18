"""Shutdown under load: requests have a while to finish, and the rest get an answer, too.

uvicorn cancels what is not done in time: its clients see a broken connection, and the log a traceback for each.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from fastapi import FastAPI
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from adjudge.server import problems
from adjudge.wording import pluralise

log = logging.getLogger("adjudge.server")
SECONDS = 8.0
"""For requests under way, once the server was told to end; before uvicorn's patience ends (`run.configuration`)."""
SENDING_SECONDS = 1.0
"""For sending what was answered then."""
LATE = "adjudge.late"
"""The key of the future that ends a request."""


class Ending:
    """Answers 503 to requests that are not done when the time of an ending server is over."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        is_started = is_over = False

        async def noted(message: Message) -> None:
            nonlocal is_started
            if not is_over:
                is_started = True
                await send(message)

        late = scope[LATE] = asyncio.get_running_loop().create_future()
        work = asyncio.ensure_future(self.app(scope, receive, noted))
        try:
            await asyncio.wait({work, late}, return_when=asyncio.FIRST_COMPLETED)
            if work.done() or is_started:  # what is being sent ends with its connection
                await work
                return
        finally:
            if not work.done():
                is_over = True
                work.add_done_callback(_forget)
                work.cancel()
        scope["app"].state.unfinished += 1
        message = "the server ends and could not finish this; please try again in a while"
        refusal = problems.answer(503, "ending", message, Retry_After="30", Connection="close")
        await refusal(scope, receive, send)


def _forget(work: asyncio.Future[None]) -> None:
    """Whatever became of a request that was answered already."""
    with suppress(asyncio.CancelledError):
        work.exception()


def give_time(scope: Mapping[str, Any]) -> None:
    """Start the clock of a request that is under way while its server ends."""
    deadline = scope.get(LATE)
    if deadline is not None:
        asyncio.get_running_loop().call_later(SECONDS, lambda: deadline.done() or deadline.set_result(None))


def say_unfinished(app: FastAPI) -> None:
    """Say in a line how many requests were not finished."""
    if app.state.unfinished:
        what = pluralise(app.state.unfinished, "request")
        log.warning("adjudge: the server was ended; %s not done in time got 503", what)
