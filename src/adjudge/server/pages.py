"""HTML pages: Jinja templates, everything that is put into them escaped."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Annotated, Any

from fastapi import APIRouter, Cookie
from fastapi.responses import HTMLResponse, RedirectResponse, Response
from jinja2 import Environment, FileSystemLoader, StrictUndefined

from adjudge.human.store import people
from adjudge.server.desk import DeskOf
from adjudge.server.signing_in import OpenStore, csrf
from adjudge.server.texts import catalogue

FOLDER = Path(__file__).parent
router = APIRouter(tags=["pages"])


@cache
def _environment() -> Environment:
    return Environment(
        loader=FileSystemLoader(FOLDER / "templates"), autoescape=True, undefined=StrictUndefined
    )


def render(template: str, *, language: str = "en", **values: Any) -> str:
    """A page in a language of the interface."""
    texts = catalogue(language)
    return _environment().get_template(template).render(t=texts, language=language, **values)


@router.get("/", response_class=HTMLResponse)
def front() -> Response:
    """Where somebody lands who has no link."""
    return HTMLResponse(render("front.html"))


@router.get("/work", response_class=HTMLResponse)
def work_page(
    store: OpenStore, desk: DeskOf, adjudge: Annotated[str | None, Cookie(include_in_schema=False)] = None
) -> Response:
    """Where an annotator works; everything on it is fetched by its script."""
    session = people.session(store, adjudge) if adjudge else None
    if adjudge is None or session is None or session.annotator is None:
        return RedirectResponse("/", 303)
    campaign = desk.campaign(store, session.annotator.campaign).campaign
    return HTMLResponse(
        render(
            "work.html",
            language=campaign.interface,
            csrf=csrf(adjudge),
            title=campaign.title or campaign.name,
        )
    )
