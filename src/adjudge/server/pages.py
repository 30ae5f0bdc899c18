"""HTML pages from Jinja templates, with autoescaping."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Annotated, Any

from fastapi import APIRouter, Cookie, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response
from jinja2 import Environment, FileSystemLoader, StrictUndefined

from adjudge.campaigns.store import campaigns, people
from adjudge.server.campaign_cache import CacheDep
from adjudge.server.sessions import SettingsDep, StoreDep, csrf
from adjudge.server.texts import catalogue, languages

FOLDER = Path(__file__).parent
ORGANISERS = ("organiser.", "flag.", "agreement.")
"""Texts that only organisers' scripts get: they say how annotators are checked."""
router = APIRouter(tags=["pages"])


@cache
def _environment() -> Environment:
    return Environment(
        loader=FileSystemLoader(FOLDER / "templates"), autoescape=True, undefined=StrictUndefined
    )


def render(template: str, *, language: str = "en", **values: Any) -> str:
    """A page in a language of the interface."""
    texts = catalogue(language)
    words = {
        key: text
        for key, text in texts.items()
        if template == "organiser.html" or not key.startswith(ORGANISERS)
    }
    return _environment().get_template(template).render(t=texts, words=words, language=language, **values)


def browser_language(request: Request) -> str:
    """The language of the interface that a browser asks for, by its own order; English where we have none."""
    known = languages()
    for wish in request.headers.get("accept-language", "").split(","):
        language = wish.partition(";")[0].strip().partition("-")[0].lower()
        if language in known:
            return language
    return "en"


def problem(request: Request, status: int, code: str, message: str) -> Response:
    """An error page, in the visitor's language where possible."""
    language = browser_language(request)
    texts = catalogue(language)
    key = f"problem.{code.replace(' ', '-')}"
    key = key if key in texts else "problem.other"
    text = texts[key].replace("{message}", message)
    page = render("problem.html", language=language, heading=texts[f"{key}.title"], text=text)
    return HTMLResponse(page, status)


@router.get("/", response_class=HTMLResponse)
def front(request: Request, store: StoreDep, settings: SettingsDep) -> Response:
    """The landing page for visitors without a link, with demos."""
    offered = campaigns.all_campaigns(store) if settings.demo else []
    demos = [
        (stored.name, stored.campaign.title or stored.name)
        for stored in offered
        if stored.campaign.rules.demo
    ]
    return HTMLResponse(render("front.html", language=browser_language(request), demos=demos))


@router.get("/work", response_class=HTMLResponse)
def work_page(
    store: StoreDep, cache: CacheDep, adjudge: Annotated[str | None, Cookie(include_in_schema=False)] = None
) -> Response:
    """The annotator's page; its script fetches all content."""
    session = people.session(store, adjudge) if adjudge else None
    if adjudge is None or session is None or session.annotator is None:
        return RedirectResponse("/", 303)
    campaign = cache.campaign(store, session.annotator.campaign).campaign
    return HTMLResponse(
        render(
            "work.html",
            language=campaign.interface,
            csrf=csrf(adjudge),
            title=campaign.title or campaign.name,
        )
    )
