"""The application: rooms put together, nothing decided here."""

from __future__ import annotations

from fastapi import FastAPI
from starlette.staticfiles import StaticFiles

import adjudge
from adjudge.campaigns.store import Store, people
from adjudge.server import doors, joining, organising, pages, problems, work
from adjudge.server.desk import Desk
from adjudge.server.guard import Guard
from adjudge.server.limits import Limits
from adjudge.server.settings import Settings
from adjudge.server.tidying import tidying
from adjudge.server.watching import Watching


def create_app(store: Store, settings: Settings | None = None, *, closes: bool = False) -> FastAPI:
    """A server over an open database, which it `closes` at its end where nobody else does."""
    settings = settings or Settings()
    app = FastAPI(
        title="adjudge",
        version=adjudge.__version__,
        docs_url=None,
        redoc_url=None,
        openapi_url=None,
        lifespan=tidying,
    )
    app.state.store, app.state.settings, app.state.closes = store, settings, closes
    app.state.limits = Limits(settings)
    app.state.desk, app.state.watching = Desk(), Watching()
    problems.install(app, pages.problem)
    for one in (pages, doors, joining, work, organising):
        app.include_router(one.router)
    app.mount("/static", StaticFiles(directory=pages.FOLDER / "static"))
    app.add_middleware(Guard, settings=settings)

    @app.get("/health", tags=["pages"])
    def health() -> dict[str, str]:
        """Whether the server is up and reaches its database."""
        people.has_password(store)  # any question will do
        return {"status": "ok"}

    return app
