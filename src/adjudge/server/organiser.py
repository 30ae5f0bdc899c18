"""The organiser's pages: progress, quality, links, pausing, export."""

from __future__ import annotations

import json
import re
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Cookie, Depends, Query, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response
from pydantic import BaseModel, ConfigDict, Field

from adjudge.campaigns.store import answers, campaigns, people, stages
from adjudge.server.campaign_cache import CacheDep, campaign_named
from adjudge.server.findings_cache import FindingsDep
from adjudge.server.pages import browser_language, render
from adjudge.server.sessions import SettingsDep, StoreDep, csrf, require_organiser

router = APIRouter(tags=["organiser"])
api = APIRouter(prefix="/api/organiser", tags=["organiser"], dependencies=[Depends(require_organiser)])
Name = Annotated[str, Field(min_length=1, max_length=200)]
CookieDep = Annotated[str | None, Cookie(include_in_schema=False)]


@router.get("/organiser", response_class=HTMLResponse)
def dashboard(request: Request, store: StoreDep, adjudge_organiser: CookieDep = None) -> Response:
    """The organiser's page; others are redirected to sign in."""
    session = people.session(store, adjudge_organiser) if adjudge_organiser else None
    if adjudge_organiser is None or session is None or not session.organiser:
        return RedirectResponse("/organiser/sign-in", 303)
    return HTMLResponse(
        render("organiser.html", language=browser_language(request), csrf=csrf(adjudge_organiser))
    )


@api.get("/campaigns")
def list_campaigns(store: StoreDep) -> dict[str, Any]:
    """Every campaign, without how far it has come, which takes longer to find."""
    return {
        "campaigns": [
            {
                "name": stored.name,
                "title": stored.campaign.title or stored.name,
                "status": stored.status,
                "created": stored.created,
                "protocol": stored.campaign.protocol.name,
            }
            for stored in campaigns.all_campaigns(store)
        ]
    }


@api.get("/campaigns/{name}")
def campaign_progress(store: StoreDep, findings: FindingsDep, name: Name) -> dict[str, Any]:
    """How far everyone and every system has come."""
    stored = campaign_named(store, name)
    progress = findings.latest(store, stored, "progress")
    from adjudge.io.judgements import OUTPUT_FORMATS  # late: a server starts without it

    return {**progress, "status": stored.status, "formats": list(OUTPUT_FORMATS)}


@api.get("/campaigns/{name}/quality")
def live_quality(store: StoreDep, findings: FindingsDep, name: Name) -> dict[str, Any]:
    """What control items and repeats say of the annotators, and how far people agree so far."""
    return findings.latest(store, campaign_named(store, name), "quality")


@router.get("/organiser/campaigns/{name}/export", dependencies=[Depends(require_organiser)])
def export(
    store: StoreDep,
    cache: CacheDep,
    name: Name,
    form: Annotated[str, Query(alias="format", max_length=40)] = "jsonl",
    criterion: Annotated[str, Query(max_length=40)] = "",
    anonymous: bool = False,
    withdrawn: bool = False,
    for_spreadsheet: bool = False,
) -> Response:
    """The judgements as a file; what its format has no place for is said in the header X-Adjudge-Remarks."""
    stored = campaign_named(store, name)
    given = answers.counted_answers(store, stored, withdrawn=withdrawn)
    from adjudge.campaigns.export import ExportOptions, export_judgements

    options = ExportOptions(form, criterion, anonymous, for_spreadsheet)
    origins = stages.origins(store, stored)
    written = export_judgements(
        stored.campaign, stored.secret, cache.material(store, stored), given, options, origins
    )
    suffix = {"jsonl": "jsonl", "csv": "csv"}.get(form, "txt")
    plain = re.sub(r"[^A-Za-z0-9_.-]+", "-", stored.name)
    return Response(
        written.data,
        media_type="application/octet-stream",
        headers={
            "content-disposition": f'attachment; filename="{plain}-{form}.{suffix}"',
            "x-adjudge-remarks": json.dumps(written.warnings, ensure_ascii=True),
        },
    )


class StatusRequest(BaseModel):
    """The requested status of a campaign."""

    model_config = ConfigDict(extra="forbid")
    status: Literal["running", "paused", "closed"]


@api.post("/campaigns/{name}/status")
def set_status(store: StoreDep, cache: CacheDep, name: Name, request: StatusRequest) -> dict[str, str]:
    """Pause a campaign, let it go on, or close it."""
    stored = campaign_named(store, name)
    campaigns.set_status(store, stored, request.status)
    cache.forget(stored.id)
    return {"status": request.status}


class AnnotatorRequest(BaseModel):
    """An annotator."""

    model_config = ConfigDict(extra="forbid")
    annotator: Name


@api.post("/campaigns/{name}/links")
def new_link(store: StoreDep, settings: SettingsDep, name: Name, request: AnnotatorRequest) -> dict[str, str]:
    """A new link for somebody; the one they had ends."""
    stored = campaign_named(store, name)
    token = people.renew_links(store, stored, [request.annotator])[request.annotator]
    return {"link": f"{settings.base_url}/a/{token}"}


router.include_router(api)
