"""The links people come through: an annotator's own, the demo, the organiser's; `joining.py` has a marketplace's."""

from __future__ import annotations

import secrets
from typing import Annotated

from fastapi import APIRouter, Cookie, Depends, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response
from pydantic import BaseModel, ConfigDict, Field
from starlette.concurrency import run_in_threadpool

from adjudge.campaigns.items import Hit
from adjudge.campaigns.store import Store, campaigns, people
from adjudge.server import pages
from adjudge.server.desk import campaign_of
from adjudge.server.limits import Limited, Limits, known_browser, new_browser
from adjudge.server.problems import Problem
from adjudge.server.settings import Settings
from adjudge.server.signing_in import (
    ANNOTATOR,
    KNOWN,
    ORGANISER,
    OpenStore,
    Told,
    Visiting,
    csrf,
    first_visit,
    organiser,
    remember,
)

router = APIRouter(tags=["doors"])
DEMO_ITEMS = 8
KNOWN_SECONDS = 180 * 24 * 3600
Secret = Annotated[str, Field(max_length=200)]
Name = Annotated[str, Field(max_length=200)]


@router.get("/a/{token}", response_class=RedirectResponse)
def personal_link(
    request: Request, store: OpenStore, settings: Told, limits: Limited, token: Secret
) -> Response:
    """An annotator's own link: it becomes a cookie and leaves the address bar."""
    annotator = people.annotator_by_token(store, token)
    if annotator is None:
        limits.count(store, "link", request)
        raise Problem(
            404, "unknown link", "this link is not valid (any more); please ask the organiser for a new one"
        )
    return signed_in(store, settings, annotator)


def signed_in(store: Store, settings: Settings, annotator: people.Annotator, place: str = "") -> Response:
    """Lead somebody to their work, with a cookie that says who they are."""
    response = RedirectResponse(f"/work{place}", 303)
    remember(response, settings, ANNOTATOR, people.open_session(store, annotator), people.SESSION_SECONDS)
    return response


@router.get("/demo/{name}", response_class=RedirectResponse)
def demo(request: Request, store: OpenStore, settings: Told, limits: Limited, name: Name) -> Response:
    """Try a campaign: a few of its items, answers that nobody exports."""
    stored = campaign_of(store, name, "unknown link")
    if not (settings.demo and stored.campaign.rules.demo):
        raise Problem(404, "unknown link", "this campaign cannot be tried without a link of one's own")
    limits.count(store, "demo", request)
    guest = people.find_or_add_visitor(store, stored, "demo", f"demo-{secrets.token_hex(6)}")
    hits = campaigns.hits(store, stored)
    if hits:
        hit = Hit(f"{guest.name}-1", hits[0].items[:DEMO_ITEMS], guest.name)
        campaigns.extend(store, stored, [hit])
    return signed_in(store, settings, guest)


@router.get("/organiser/sign-in", response_class=HTMLResponse)
def sign_in_page(
    request: Request,
    settings: Told,
    adjudge_visit: Annotated[str | None, Cookie(include_in_schema=False)] = None,
) -> Response:
    """Where an organiser gives the password."""
    response = HTMLResponse()
    cookie = first_visit(response, settings, adjudge_visit)
    page = pages.render("sign-in.html", language=pages.spoken(request), csrf=csrf(cookie))
    return HTMLResponse(page, headers={k: v for k, v in response.headers.items() if k == "set-cookie"})


class Password(BaseModel):
    """What is typed to sign in."""

    model_config = ConfigDict(extra="forbid")
    password: Annotated[str, Field(min_length=1, max_length=200)]


@router.post("/api/organiser/sign-in", dependencies=[Visiting])
async def sign_in(
    request: Request,
    response: Response,
    store: OpenStore,
    settings: Told,
    limits: Limited,
    given: Password,
    adjudge_known: Annotated[str | None, Cookie(include_in_schema=False)] = None,
) -> dict[str, str]:
    """Sign in with the password; a browser that did so before is not kept waiting by what others try."""
    await run_in_threadpool(_count_guess, request, store, limits, adjudge_known or "")
    if not await limits.check_password(store, given.password):
        raise Problem(403, "password", "that is not the password", "password")
    await run_in_threadpool(_welcome, response, store, settings)
    return {"next": "/organiser"}


def _count_guess(request: Request, store: Store, limits: Limits, cookie: str) -> None:
    browser = known_browser(store, cookie)
    if browser:
        limits.count_known(store, browser)
    else:
        limits.count(store, "password", request)


def _welcome(response: Response, store: Store, settings: Settings) -> None:
    """The organiser is signed in, and this browser known from now on."""
    remember(response, settings, ORGANISER, people.open_session(store, None), people.ORGANISER_SECONDS)
    browser = new_browser(store)
    if browser:
        remember(response, settings, KNOWN, browser, KNOWN_SECONDS)


@router.get("/organiser/link/{token}", response_class=RedirectResponse)
def one_time_link(
    request: Request, store: OpenStore, settings: Told, limits: Limited, token: Secret
) -> Response:
    """The organiser's link that `adjudge human serve` and `sign-in` print; it works once."""
    if not people.use_one_time_link(store, token):
        limits.count(store, "link", request)
        raise Problem(
            404,
            "spent link",
            "this link was used already, or is too old; adjudge human sign-in prints a new one",
        )
    response = RedirectResponse("/organiser", 303)
    _welcome(response, store, settings)
    return response


@router.post("/api/organiser/sign-out", dependencies=[Depends(organiser)])
def sign_out(
    response: Response,
    store: OpenStore,
    adjudge_organiser: Annotated[str | None, Cookie(include_in_schema=False)] = None,
) -> dict[str, str]:
    """End the organiser's session."""
    people.close_session(store, adjudge_organiser or "")
    response.delete_cookie(ORGANISER)
    return {"next": "/organiser/sign-in"}
