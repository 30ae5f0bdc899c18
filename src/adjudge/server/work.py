"""Requests of annotators' browsers: the worksheet of a hit, and answers."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Annotated, Any

from fastapi import APIRouter, Cookie, Response
from pydantic import BaseModel, ConfigDict, Field

from adjudge.campaigns import protocols, tutorial
from adjudge.campaigns.campaign import Campaign
from adjudge.campaigns.crowd import completion_code, hit_name
from adjudge.campaigns.items import CampaignMaterial, Item
from adjudge.campaigns.store import CampaignStore, campaigns, completions, events, people, stages, work
from adjudge.campaigns.store.campaigns import StoredCampaign
from adjudge.campaigns.store.people import Annotator, secret_hash
from adjudge.campaigns.store.work import TaskStatus
from adjudge.server.campaign_cache import CacheDep, CampaignCache, texts_of
from adjudge.server.problems import ServerProblem
from adjudge.server.sessions import ANNOTATOR, AnnotatorDep, SettingsDep, StoreDep, csrf, set_cookie

Code = dict[str, str]
_TWO = ("ar", "he", "iw", "fa", "ur", "yi", "ps", "sd", "ug", "dv", "ckb", "ku")
_THREE = ("ara", "heb", "fas", "per", "urd", "yid", "pus", "snd", "uig", "div")
RIGHT_TO_LEFT = frozenset((*_TWO, *_THREE))
"""By their codes of two letters, and of three as Appraise has them."""
Hits = Mapping[int, Sequence[work.TaskStatus]]
"""What somebody is to judge: the tasks of each of their hits, by its number."""


def worksheet(
    store: CampaignStore, cache: CampaignCache, annotator: Annotator, asked: int | None
) -> dict[str, Any]:
    """Return everything a browser needs for one hit: the one wanted, or the first that is not done."""
    stored = cache.with_current_status(store, annotator.campaign)
    material, campaign = cache.material(store, stored), stored.campaign
    more_later = _assign_edits(store, cache, stored, annotator)
    hits: dict[int, list[work.TaskStatus]] = {}
    for task in work.outline(store, annotator):
        hits.setdefault(task.hit, []).append(task)
    current = _current_hit(hits, asked)
    codes = completion_codes(store, stored, material, annotator, hits)
    return {
        **({"completion": codes} if codes else {}),
        "campaign": _campaign_document(campaign, stored.status),
        "annotator": annotator_document(stored, annotator),
        "hits": [
            {"id": hit, "tasks": len(tasks), "answered": sum(task.answered for task in tasks)}
            for hit, tasks in hits.items()
        ],
        "hit": current,
        "more_later": more_later,
        "next_stage": _next_stage(store, stored, annotator, hits),
        "tasks": _task_documents(
            campaign, material, work.tasks(store, annotator, current) if current is not None else []
        ),
    }


def _current_hit(hits: Hits, asked: int | None) -> int | None:
    """The hit to work on: the one wanted, the first that is not done, or the last; None without any."""
    if asked is not None and asked not in hits:
        raise ServerProblem(404, "unknown", "there is no such hit of yours")
    unfinished = (hit for hit, tasks in hits.items() if not all(task.answered for task in tasks))
    return asked or next(unfinished, None) or next(reversed(list(hits)), None)


def _campaign_document(campaign: Campaign, status: str) -> dict[str, Any]:
    return {
        "name": campaign.name,
        "title": campaign.title or campaign.name,
        "instructions": campaign.instructions,
        "status": status,
        "corrections": campaign.rules.corrections,
        "idle_seconds": campaign.rules.idle_seconds,
        "source": _language_document(campaign.source_language),
        "target": _language_document(campaign.target_language),
        **campaign.protocol.screen(),
    }


def _language_document(code: str) -> dict[str, str]:
    return {"code": code, "direction": "rtl" if code.split("-")[0] in RIGHT_TO_LEFT else "ltr"}


def _task_documents(
    campaign: Campaign, material: CampaignMaterial, tasks: Sequence[work.AnnotatorTask]
) -> list[dict[str, Any]]:
    """The tasks of a hit with their texts and the answers so far; `run` joins the segments of one document."""
    runs = protocols.document_runs([task.item for task in tasks])
    return [
        {
            "id": task.id,
            "run": run,
            "answer": task.answer,
            "seconds": task.seconds,
            "revision": task.revision,
            **protocols.screen_texts(campaign.protocol, task.item, *texts_of(material, task.item)),
        }
        for task, run in zip(tasks, runs, strict=True)
    ]


def _assign_edits(
    store: CampaignStore, cache: CampaignCache, stored: StoredCampaign, judge: Annotator
) -> bool:
    """Give a judge of edited texts what was edited since; return whether there may be more later."""
    first = stages.first_of(store, stored)
    if first is None:
        return False
    running = stored.status == campaigns.RUNNING and judge.withdrawn is None
    if running and not work.remaining(store, judge):
        last_edit = stages.last_edit(store, first)
        if cache.may_have_edits(judge, last_edit) and not stages.next_edited_texts(
            store, first, stored, judge
        ):
            cache.found_no_edits(judge, last_edit)
    return stages.is_open(store, first)


def _next_stage(
    store: CampaignStore, stored: StoredCampaign, annotator: Annotator, hits: Hits
) -> dict[str, str] | None:
    """The second stage, for an editor with nothing left to edit."""
    left = any(not task.answered for tasks in hits.values() for task in tasks)
    if not stored.campaign.protocol.next_stage or (left and stored.status != campaigns.CLOSED):
        return None
    if stages.as_judge(store, stored, annotator) is None:
        return None
    return {"protocol": stored.campaign.protocol.next_stage}


def annotator_document(stored: StoredCampaign, annotator: Annotator) -> dict[str, str]:
    """Return who is signed in, as the browser may know it; under `key` it keeps what is not sent yet."""
    key = secret_hash(f"browser {stored.secret} {annotator.id}")[:24]
    return {"name": annotator.name, "kind": annotator.kind, "key": key}


def feedback_document(item: Item, answer: dict[str, Any]) -> dict[str, Any]:
    """Return what to say to an answer on a tutorial's item; nothing for any other item."""
    if item.kind != "tutorial":
        return {}
    return {"feedback": tutorial.feedback(item, answer).as_json()}


def completion_codes(
    store: CampaignStore,
    stored: StoredCampaign,
    material: CampaignMaterial,
    annotator: Annotator,
    hits: Mapping[int, Sequence[TaskStatus]],
) -> list[Code]:
    """A code for every hit that a worker of a crowd is done with; one for all of an annotator's, if asked for.

    Before everything is answered there is none, and a demo has none at all.
    """
    done = [number for number, steps in hits.items() if all(step.answered for step in steps)]
    if annotator.kind == "crowd" and done:
        names = completions.hit_names(store, annotator)
        parts = [(hit_name(names[number]), [number]) for number in done if number in names]
    elif annotator.kind == "person" and stored.campaign.rules.completion_codes and 0 < len(done) == len(hits):
        parts = [("", done)]
    else:
        parts = []
    return [
        {"hit": hit, "code": _code(store, stored, material, annotator, hit, numbers)}
        for hit, numbers in parts
    ]


def _code(
    store: CampaignStore,
    stored: StoredCampaign,
    material: CampaignMaterial,
    annotator: Annotator,
    hit: str,
    numbers: Sequence[int],
) -> str:
    from adjudge.campaigns.items import GivenAnswer
    from adjudge.campaigns.live_quality import passes_quality_control

    def judge() -> bool:
        given = (
            GivenAnswer(annotator.name, hit, task.item, task.answer, task.seconds)
            for number in numbers
            for task in work.tasks(store, annotator, number)
            if task.answer is not None
        )
        return passes_quality_control(stored.campaign, material, given)

    attentive = completions.first_verdict(store, stored, annotator, hit, judge)
    return completion_code(stored.secret, annotator.name, hit, passed=attentive)


router = APIRouter(prefix="/api", tags=["work"])
Number = Annotated[int, Field(ge=1, le=2**31 - 1)]
Key = Annotated[str, Field(min_length=8, max_length=64, pattern=re.compile(r"^[A-Za-z0-9_-]+$").pattern)]


Revision = Annotated[str, Field(max_length=64)]
"""Of a task, as the page knew it: where there is a newer one, nothing is written over it."""


class AnswerRequest(BaseModel):
    """An incoming answer."""

    model_config = ConfigDict(extra="forbid")

    task: Number
    key: Key
    answer: dict[str, Any]
    after: Revision | None = None
    seconds: Annotated[float, Field(ge=0, le=86_400, allow_inf_nan=False)] | None = None
    started: Annotated[float, Field(ge=0, le=4e9, allow_inf_nan=False)] | None = None


class UndoRequest(BaseModel):
    """An undone answer."""

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
    """Undo an answer; it stays in the log, but no longer counts."""
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
