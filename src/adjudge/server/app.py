"""The application: rooms put together, nothing decided here."""

from __future__ import annotations

from fastapi import FastAPI
from starlette.staticfiles import StaticFiles

import adjudge
from adjudge.campaigns.store import Store, people
from adjudge.server import links, marketplace, organiser, pages, problems, work
from adjudge.server.campaign_cache import CampaignCache
from adjudge.server.cleanup import clean_up_while_running
from adjudge.server.ending import Ending
from adjudge.server.findings_cache import FindingsCache
from adjudge.server.guard import Guard
from adjudge.server.limits import Limits
from adjudge.server.settings import ServerSettings


def create_app(store: Store, settings: ServerSettings | None = None, *, closes: bool = False) -> FastAPI:
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
