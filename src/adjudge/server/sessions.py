"""Sessions: cookies, and the tokens that prove that a request comes from our own pages."""

from __future__ import annotations

import hashlib
import hmac
import secrets
from typing import Annotated

from fastapi import Cookie, Depends, Header, Request, Response

from adjudge.campaigns.store import CampaignStore, people
from adjudge.campaigns.store.people import Annotator
from adjudge.server.problems import ServerProblem
from adjudge.server.settings import ServerSettings

ANNOTATOR, ORGANISER, VISIT, KNOWN = "adjudge", "adjudge_organiser", "adjudge_visit", "adjudge_known"


# These do nothing that takes time, so they are not sent to a thread: that costs more than all they do.
async def store_of(request: Request) -> CampaignStore:
    """The database of the server."""
    store: CampaignStore = request.app.state.store
    return store


async def settings_of(request: Request) -> ServerSettings:
    """Return the settings of the server."""
    settings: ServerSettings = request.app.state.settings
    return settings


StoreDep = Annotated[CampaignStore, Depends(store_of)]
SettingsDep = Annotated[ServerSettings, Depends(settings_of)]


def csrf(cookie: str) -> str:
    """The token that belongs to a cookie: our own pages carry it, other sites cannot know it."""
    return hashlib.sha256(f"csrf {cookie}".encode()).hexdigest()


def _check_origin(request: Request, cookie: str, token: str | None) -> None:
    """Whether a request that changes something comes from our own page."""
    if request.method in ("GET", "HEAD"):
        return
    site = request.headers.get("sec-fetch-site", "same-origin")
    if site not in ("same-origin", "none") or not hmac.compare_digest(
        csrf(cookie).encode(), (token or "").encode()
    ):
        raise ServerProblem(403, "csrf", "this page is out of date; please load it again")


def require_annotator(
    request: Request,
    store: StoreDep,
    adjudge: Annotated[str | None, Cookie(include_in_schema=False)] = None,
    x_csrf_token: Annotated[str | None, Header(include_in_schema=False)] = None,
) -> Annotator:
    """The signed-in annotator; a request that changes something must carry the token of their page."""
    session = people.session(store, adjudge) if adjudge else None
    if adjudge is None or session is None or session.annotator is None:
        raise ServerProblem(401, "signed out", "please open your personal link again")
    _check_origin(request, adjudge, x_csrf_token)
    return session.annotator


def require_organiser(
    request: Request,
    store: StoreDep,
    adjudge_organiser: Annotated[str | None, Cookie(include_in_schema=False)] = None,
    x_csrf_token: Annotated[str | None, Header(include_in_schema=False)] = None,
) -> None:
    """Require a signed-in organiser."""
    session = people.session(store, adjudge_organiser) if adjudge_organiser else None
    if adjudge_organiser is None or session is None or not session.organiser:
        raise ServerProblem(401, "signed out", "please sign in as organiser")
    _check_origin(request, adjudge_organiser, x_csrf_token)


async def require_visitor(
    request: Request,
    adjudge_visit: Annotated[str | None, Cookie(include_in_schema=False)] = None,
    x_csrf_token: Annotated[str | None, Header(include_in_schema=False)] = None,
) -> None:
    """Somebody who is about to sign in, from our own page."""
    _check_origin(request, adjudge_visit or "", x_csrf_token if adjudge_visit else None)


AnnotatorDep = Annotated[Annotator, Depends(require_annotator)]
OrganiserOnly = Depends(require_organiser)
VisitorOnly = Depends(require_visitor)


def set_cookie(
    response: Response, settings: ServerSettings, name: str, value: str, seconds: int | None
) -> None:
    """Set a cookie that scripts cannot read and other sites cannot send along."""
    framed = bool(settings.embed_in) and settings.secure
    response.set_cookie(
        name,
        value,
        max_age=seconds,
        httponly=True,
        secure=settings.secure,
        samesite="none" if framed else "lax",
        path="/",
    )
    if framed:  # browsers that keep no cookies of others keep them apart for each site that frames us
        name_of_header, value_of_header = response.raw_headers[-1]
        response.raw_headers[-1] = (name_of_header, value_of_header + b"; Partitioned")


def visit_cookie(response: Response, settings: ServerSettings, cookie: str | None) -> str:
    """The cookie of somebody who is not signed in yet, which sign-in proves itself with."""
    if cookie:
        return cookie
    made = secrets.token_urlsafe(24)
    set_cookie(response, settings, VISIT, made, None)
    return made
