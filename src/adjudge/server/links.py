"""Links: of annotators, of the demo and of organisers; `marketplace.py` has those of workers."""

from __future__ import annotations

import secrets
from typing import Annotated

from fastapi import APIRouter, Cookie, Depends, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response
from pydantic import BaseModel, ConfigDict, Field
from starlette.concurrency import run_in_threadpool

from adjudge.campaigns.items import Hit
from adjudge.campaigns.store import CampaignStore, campaigns, people
from adjudge.server import pages
from adjudge.server.campaign_cache import campaign_named
from adjudge.server.limits import Limits, LimitsDep, known_browser, new_browser
from adjudge.server.problems import ServerProblem
from adjudge.server.sessions import (
    ANNOTATOR,
    KNOWN,
    ORGANISER,
    SettingsDep,
    StoreDep,
    VisitorOnly,
    csrf,
    require_organiser,
    set_cookie,
    visit_cookie,
)
from adjudge.server.settings import ServerSettings

router = APIRouter(tags=["links"])
DEMO_ITEMS = 8
KNOWN_SECONDS = 180 * 24 * 3600
Secret = Annotated[str, Field(max_length=200)]
Name = Annotated[str, Field(max_length=200)]


@router.get("/a/{token}", response_class=RedirectResponse)
def personal_link(
    request: Request, store: StoreDep, settings: SettingsDep, limits: LimitsDep, token: Secret
) -> Response:
    """An annotator's own link: it becomes a cookie and leaves the address bar."""
    annotator = people.annotator_by_token(store, token)
    if annotator is None:
        limits.count(store, "link", request)
        raise ServerProblem(
            404, "unknown link", "this link is not valid (any more); please ask the organiser for a new one"
        )
    return redirect_to_work(store, settings, annotator)


def redirect_to_work(
    store: CampaignStore, settings: ServerSettings, annotator: people.Annotator, place: str = ""
) -> Response:
    """Lead somebody to their work, with a cookie that says who they are."""
    response = RedirectResponse(f"/work{place}", 303)
    set_cookie(response, settings, ANNOTATOR, people.open_session(store, annotator), people.SESSION_SECONDS)
    return response


@router.get("/demo/{name}", response_class=RedirectResponse)
def demo(request: Request, store: StoreDep, settings: SettingsDep, limits: LimitsDep, name: Name) -> Response:
    """Try a campaign: a few of its items, answers that nobody exports."""
    stored = campaign_named(store, name, "unknown link")
    if not (settings.demo and stored.campaign.rules.demo):
        raise ServerProblem(404, "unknown link", "this campaign cannot be tried without a link of one's own")
    limits.count(store, "demo", request)
    guest = people.find_or_add_visitor(store, stored, "demo", f"demo-{secrets.token_hex(6)}")
    hits = campaigns.hits(store, stored)
    if hits:
        hit = Hit(f"{guest.name}-1", hits[0].items[:DEMO_ITEMS], guest.name)
        campaigns.extend(store, stored, [hit])
    return redirect_to_work(store, settings, guest)


@router.get("/organiser/sign-in", response_class=HTMLResponse)
def sign_in_page(
    request: Request,
    settings: SettingsDep,
    adjudge_visit: Annotated[str | None, Cookie(include_in_schema=False)] = None,
) -> Response:
    """The page for the organiser's password."""
    response = HTMLResponse()
    cookie = visit_cookie(response, settings, adjudge_visit)
    page = pages.render("sign-in.html", language=pages.browser_language(request), csrf=csrf(cookie))
    return HTMLResponse(page, headers={k: v for k, v in response.headers.items() if k == "set-cookie"})


class PasswordRequest(BaseModel):
    """The sign-in form."""

    model_config = ConfigDict(extra="forbid")
    password: Annotated[str, Field(min_length=1, max_length=200)]


@router.post("/api/organiser/sign-in", dependencies=[VisitorOnly])
async def sign_in(
    request: Request,
    response: Response,
    store: StoreDep,
    settings: SettingsDep,
    limits: LimitsDep,
    typed: PasswordRequest,
    adjudge_known: Annotated[str | None, Cookie(include_in_schema=False)] = None,
) -> dict[str, str]:
    """Sign in with the password; a browser that did so before is not kept waiting by what others try."""
    await run_in_threadpool(_count_guess, request, store, limits, adjudge_known or "")
    if not await limits.check_password(store, typed.password):
        raise ServerProblem(403, "password", "that is not the password", "password")
    await run_in_threadpool(_sign_organiser_in, response, store, settings)
    return {"next": "/organiser"}


def _count_guess(request: Request, store: CampaignStore, limits: Limits, cookie: str) -> None:
    browser = known_browser(store, cookie)
    if browser:
        limits.count_known(store, browser)
    else:
        limits.count(store, "password", request)


def _sign_organiser_in(response: Response, store: CampaignStore, settings: ServerSettings) -> None:
    """The organiser is signed in, and this browser known from now on."""
    set_cookie(response, settings, ORGANISER, people.open_session(store, None), people.ORGANISER_SECONDS)
    browser = new_browser(store)
    if browser:
        set_cookie(response, settings, KNOWN, browser, KNOWN_SECONDS)


@router.get("/organiser/link/{token}", response_class=RedirectResponse)
def one_time_link(
    request: Request, store: StoreDep, settings: SettingsDep, limits: LimitsDep, token: Secret
) -> Response:
    """The organiser's link that `adjudge human serve` and `sign-in` print; it works once."""
    if not people.use_one_time_link(store, token):
        limits.count(store, "link", request)
        raise ServerProblem(
            404,
            "spent link",
            "this link was used already, or is too old; adjudge human sign-in prints a new one",
        )
    response = RedirectResponse("/organiser", 303)
    _sign_organiser_in(response, store, settings)
    return response


@router.post("/api/organiser/sign-out", dependencies=[Depends(require_organiser)])
def sign_out(
    response: Response,
    store: StoreDep,
    adjudge_organiser: Annotated[str | None, Cookie(include_in_schema=False)] = None,
) -> dict[str, str]:
    """End the organiser's session."""
    people.close_session(store, adjudge_organiser or "")
    response.delete_cookie(ORGANISER)
    return {"next": "/organiser/sign-in"}
