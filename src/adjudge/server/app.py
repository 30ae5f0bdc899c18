"""The application, assembled from its parts.

While it runs, sessions, one-time links and sign-in attempts that have expired are deleted every few minutes.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from fastapi import FastAPI
from starlette.concurrency import run_in_threadpool
from starlette.staticfiles import StaticFiles

import adjudge
from adjudge.campaigns.store import CampaignStore, StoreError, people
from adjudge.server import links, marketplace, organiser, pages, problems, work
from adjudge.server.campaign_cache import CampaignCache
from adjudge.server.ending import Ending, say_unfinished
from adjudge.server.findings_cache import FindingsCache
from adjudge.server.guard import Guard
from adjudge.server.limits import Limits
from adjudge.server.settings import ServerSettings

AGAIN_SECONDS = 600.0
log = logging.getLogger("adjudge.server")


def create_app(
    store: CampaignStore, settings: ServerSettings | None = None, *, closes: bool = False
) -> FastAPI:
    """A server over an open database, which it `closes` at its end where nobody else does."""
    settings = settings or ServerSettings()
    app = FastAPI(
        title="adjudge",
        version=adjudge.__version__,
        docs_url=None,
        redoc_url=None,
        openapi_url=None,
        lifespan=clean_up_while_running,
    )
    app.state.store, app.state.settings, app.state.closes = store, settings, closes
    app.state.unfinished = 0
    app.state.limits = Limits(settings)
    app.state.cache, app.state.findings = CampaignCache(), FindingsCache()
    problems.install(app, pages.problem)
    for room in (pages, links, marketplace, work, organiser):
        app.include_router(room.router)
    app.mount("/static", StaticFiles(directory=pages.FOLDER / "static"))
    app.add_middleware(Ending)
    app.add_middleware(Guard, settings=settings)

    @app.get("/health", tags=["pages"])
    def health() -> dict[str, str]:
        """Whether the server is up and reaches its database."""
        people.has_password(store)  # any question will do
        return {"status": "ok"}

    return app


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
