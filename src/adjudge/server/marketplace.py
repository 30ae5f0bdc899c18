"""Workers of a marketplace: they look at the work, accept it, and come with an id that the marketplace gave them.

Mechanical Turk adds `workerId`, `assignmentId`, `hitId` and `turkSubmitTo` to the address of an external question;
while somebody only looks, there is no worker, and the assignment is called ASSIGNMENT_ID_NOT_AVAILABLE.
"""

from __future__ import annotations

from typing import Annotated
from urllib.parse import urlencode

from fastapi import APIRouter, Cookie, Query, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response
from pydantic import Field

from adjudge.campaigns import protocols
from adjudge.campaigns.crowd import hit_name
from adjudge.campaigns.store import CampaignStore, admission, next_hit, work
from adjudge.campaigns.store.campaigns import RUNNING, StoredCampaign
from adjudge.campaigns.store.people import Annotator
from adjudge.server import pages
from adjudge.server.campaign_cache import CacheDep, CampaignCache, campaign_named, texts_of
from adjudge.server.limits import LimitsDep
from adjudge.server.links import redirect_to_work
from adjudge.server.problems import ServerProblem
from adjudge.server.sessions import SettingsDep, StoreDep
from adjudge.server.settings import ServerSettings

router = APIRouter(tags=["links"])
NOT_ACCEPTED = "ASSIGNMENT_ID_NOT_AVAILABLE"
PREVIEWED = 3
"""Number of items in a preview."""
SUBMIT = "/mturk/externalSubmit"
Name = Annotated[str, Field(max_length=200)]
Id = Annotated[str, Query(max_length=200, pattern=r"^[A-Za-z0-9_.@-]*$")]


@router.get("/join/{name}", response_class=RedirectResponse)
def join(
    request: Request,
    store: StoreDep,
    settings: SettingsDep,
    cache: CacheDep,
    limits: LimitsDep,
    name: Name,
    worker: Annotated[Id, Query(alias="workerId")] = "",
    hit: Annotated[str, Query(max_length=200)] = "",
    assignment: Annotated[Id, Query(alias="assignmentId")] = "",
    submit_to: Annotated[str, Query(alias="turkSubmitTo", max_length=200)] = "",
    adjudge: Annotated[str | None, Cookie(include_in_schema=False)] = None,
) -> Response:
    """A worker takes a hit that nobody has, and goes on with it when coming back; who only looks takes nothing."""
    stored = campaign_named(store, name, "unknown link")
    if not stored.campaign.annotators.crowd:
        raise ServerProblem(404, "unknown link", "this campaign is not open for everyone")
    if assignment == NOT_ACCEPTED:
        return _preview(store, cache, stored, hit)
    if not worker:
        given = {"hit": hit, "assignmentId": assignment, "turkSubmitTo": submit_to}
        page = pages.render(
            "worker.html",
            language=stored.campaign.interface,
            title=stored.campaign.title or stored.name,
            given={key: value for key, value in given.items() if value},
        )
        return HTMLResponse(page)
    if not next_hit.is_back(store, stored, worker, adjudge or ""):
        limits.count(store, "join", request)
    try:
        annotator = next_hit.arrive(store, stored, worker, assignment=assignment, cookie=adjudge or "")
    except next_hit.WorkerIdTaken:
        raise ServerProblem(
            409,
            "taken id",
            "somebody came with this id before, in another browser; please go on there, or ask the organiser",
        ) from None
    _take_hit(store, stored, annotator, hit)
    return redirect_to_work(store, settings, annotator, _fragment(settings, hit, assignment, submit_to))


def _take_hit(store: CampaignStore, stored: StoredCampaign, annotator: Annotator, hit: str) -> None:
    """A hit for somebody who has none, or the one they were sent for."""
    busy = work.remaining(store, annotator) > 0
    if busy and not hit:
        return
    if stored.status != RUNNING:
        if not busy:
            raise ServerProblem(423, "paused", f"the campaign is {stored.status}")
        return
    try:
        next_hit.take_hit(store, stored, annotator, hit)
    except admission.AdmissionError as refused:
        if refused.code == "seen" and not busy:
            raise ServerProblem(409, "seen", str(refused)) from None
        if refused.code != "seen":
            raise


def _fragment(settings: ServerSettings, hit: str, assignment: str, submit_to: str) -> str:
    """What this window alone needs to know: where the code is to be sent in the end, and for what.

    It stays in the address, behind the sign that keeps browsers from sending it. Only sites that may show us in a
    frame get a code; pages refuse all others, too (Content-Security-Policy).
    """
    site = submit_to.rstrip("/")
    if not assignment or not site or site not in {known.rstrip("/") for known in settings.embed_in}:
        return ""
    return "#" + urlencode({"to": f"{site}{SUBMIT}", "assignment": assignment, "hit": hit_name(hit)})


def _preview(store: CampaignStore, cache: CampaignCache, stored: StoredCampaign, hit: str) -> Response:
    """A preview of the first items of a hit."""
    preview = next_hit.preview_hit(store, stored, hit, PREVIEWED)
    if preview is None:
        raise ServerProblem(404, "unknown link", "there is no such work")
    campaign, material = stored.campaign, cache.material(store, stored)
    count, items = preview
    page = pages.render(
        "preview.html",
        language=campaign.interface,
        title=campaign.title or stored.name,
        instructions=campaign.instructions,
        count=count,
        items=[protocols.screen_texts(campaign.protocol, item, *texts_of(material, item)) for item in items],
        source=campaign.source_language,
        target=campaign.target_language,
    )
    return HTMLResponse(page)
