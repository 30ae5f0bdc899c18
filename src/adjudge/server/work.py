"""What annotators' browsers ask for: the work of a hit, and taking an answer."""

from __future__ import annotations

import re
from typing import Annotated, Any

from fastapi import APIRouter, Cookie, Response
from pydantic import BaseModel, ConfigDict, Field

from adjudge.campaigns.store import events, people, stages, work
from adjudge.server.campaign_cache import CacheDep
from adjudge.server.problems import ServerProblem
from adjudge.server.sessions import ANNOTATOR, AnnotatorDep, SettingsDep, StoreDep, csrf, set_cookie
from adjudge.server.worksheet import annotator_document, feedback_document, worksheet

router = APIRouter(prefix="/api", tags=["work"])
Number = Annotated[int, Field(ge=1, le=2**31 - 1)]
Key = Annotated[str, Field(min_length=8, max_length=64, pattern=re.compile(r"^[A-Za-z0-9_-]+$").pattern)]


Revision = Annotated[str, Field(max_length=64)]
"""Of a task, as the page knew it: where there is a newer one, nothing is written over it."""


class AnswerRequest(BaseModel):
    """An answer that comes in."""

    model_config = ConfigDict(extra="forbid")

    task: Number
    key: Key
    answer: dict[str, Any]
    after: Revision | None = None
    seconds: Annotated[float, Field(ge=0, le=86_400, allow_inf_nan=False)] | None = None
    started: Annotated[float, Field(ge=0, le=4e9, allow_inf_nan=False)] | None = None


class UndoRequest(BaseModel):
    """An answer that is taken back."""

    model_config = ConfigDict(extra="forbid")

    task: Number
    key: Key
    after: Revision | None = None


@router.get("/work")
def read_work(
    store: StoreDep, annotator: AnnotatorDep, cache: CacheDep, hit: Number | None = None
) -> dict[str, Any]:
    """The hit to work on (the first that is not done, or the one asked for), with the answers so far."""
    return worksheet(store, cache, annotator, hit)


@router.get("/me")
def read_me(
    store: StoreDep,
    annotator: AnnotatorDep,
    cache: CacheDep,
    adjudge: Annotated[str, Cookie(include_in_schema=False)] = "",
) -> dict[str, Any]:
    """Who is signed in, the token for what is sent, and how the campaign stands: for pages that are older."""
    stored = cache.with_current_status(store, annotator.campaign)
    return {
        "annotator": annotator_document(stored, annotator),
        "csrf": csrf(adjudge),
        "status": stored.status,
    }


@router.post("/answers")
def take_answer(
    store: StoreDep, annotator: AnnotatorDep, cache: CacheDep, request: AnswerRequest
) -> dict[str, Any]:
    """Take an answer; once this says so, it is kept. Sent twice under one key, it counts once."""
    stored = cache.campaign(store, annotator.campaign)
    item, _ = work.task(store, annotator, request.task)
    checked = stored.campaign.protocol.check(request.answer, item, cache.sources(store, stored, item))
    event = events.record_answer(
        store,
        annotator,
        request.task,
        key=request.key,
        answer=checked,
        seconds=request.seconds,
        started=request.started,
        corrections=stored.campaign.rules.corrections,
        after=request.after,
    )
    return {"event": event.id, "again": event.again, **feedback_document(item, checked)}


@router.post("/undo")
def undo(store: StoreDep, annotator: AnnotatorDep, cache: CacheDep, request: UndoRequest) -> dict[str, Any]:
    """Take an answer back; it stays in the log, and counts no more."""
    corrections = cache.campaign(store, annotator.campaign).campaign.rules.corrections
    event = events.record_answer(
        store,
        annotator,
        request.task,
        key=request.key,
        kind=events.UNDO,
        corrections=corrections,
        after=request.after,
    )
    return {"event": event.id, "again": event.again}


@router.post("/next-stage")
def next_stage(
    response: Response, store: StoreDep, settings: SettingsDep, annotator: AnnotatorDep, cache: CacheDep
) -> dict[str, str]:
    """Go on from editing to judging what others edited: the same person, in the campaign of the second stage."""
    judge = stages.as_judge(store, cache.campaign(store, annotator.campaign), annotator)
    if judge is None:
        raise ServerProblem(404, "unknown", "there is no second stage for you")
    set_cookie(response, settings, ANNOTATOR, people.open_session(store, judge), people.SESSION_SECONDS)
    return {"next": "/work"}
