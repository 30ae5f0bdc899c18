"""While a server runs, it takes away what has run out."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from fastapi import FastAPI
from starlette.concurrency import run_in_threadpool

from adjudge.campaigns.store import StoreError, people
from adjudge.server.ending import say_unfinished

AGAIN_SECONDS = 600.0
log = logging.getLogger("adjudge.server")


@asynccontextmanager
async def clean_up_while_running(app: FastAPI) -> AsyncIterator[None]:
    """Sessions, links for one time, and tries to sign in, of which nothing is kept for longer than needed."""
    task = asyncio.create_task(_clean_up_periodically(app))
    yield
    task.cancel()
    say_unfinished(app)
    if app.state.closes:
        app.state.store.close()


async def _clean_up_periodically(app: FastAPI) -> None:
    while True:
        try:
            await run_in_threadpool(people.delete_expired, app.state.store)
        except StoreError as error:  # next time, then
            log.warning("%s", error)
        await asyncio.sleep(AGAIN_SECONDS)
