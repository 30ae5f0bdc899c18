"""What lies on an annotator's desk: the sheet of a hit, made from the store without a name of any system."""

from __future__ import annotations

import threading
import time
from collections.abc import Sequence
from dataclasses import replace
from typing import Annotated, Any

from fastapi import Depends, Request

from adjudge.campaigns import screens, tutorial
from adjudge.campaigns.items import CampaignMaterial, Item
from adjudge.campaigns.store import Store, campaigns, stages, work
from adjudge.campaigns.store.campaigns import StoredCampaign
from adjudge.campaigns.store.people import Annotator, secret_hash
from adjudge.errors import DataError
from adjudge.server.completing import codes
from adjudge.server.problems import Problem

FRESH_SECONDS = 30.0
_TWO = ("ar", "he", "iw", "fa", "ur", "yi", "ps", "sd", "ug", "dv", "ckb", "ku")
_THREE = ("ara", "heb", "fas", "per", "urd", "yid", "pus", "snd", "uig", "div")
RIGHT_TO_LEFT = frozenset((*_TWO, *_THREE))
"""By their codes of two letters, and of three as Appraise has them."""


class Desk:
    """Campaigns and their texts, kept at hand for a while: they do not change, but for what is added."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._campaigns: dict[int, tuple[float, StoredCampaign]] = {}
        self._materials: dict[int, tuple[float, CampaignMaterial]] = {}
        self._idle: dict[int, tuple[float, int]] = {}
        """Judges for whom nothing was edited: when they asked, and the last edit there was."""

    def campaign(self, store: Store, number: int) -> StoredCampaign:
        """The campaign of that number; its status may be some seconds old."""
        with self._lock:
            at, kept = self._campaigns.get(number, (0.0, None))
        if kept is None or time.monotonic() - at > FRESH_SECONDS:
            found = [one for one in campaigns.all_campaigns(store) if one.id == number]
            if not found:
                raise Problem(404, "unknown", "this campaign is no longer there")
            kept = found[0]
            with self._lock:
                self._campaigns[number] = time.monotonic(), kept
        return kept

    def as_it_stands(self, store: Store, number: int) -> StoredCampaign:
        """The same with its status of this moment: a pause is seen at once."""
        stored = self.campaign(store, number)
        return replace(stored, status=campaigns.status(store, stored))

    def material(self, store: Store, stored: StoredCampaign) -> CampaignMaterial:
        """The texts of a campaign."""
        with self._lock:
            at, material = self._materials.get(stored.id, (0.0, None))
        if material is None or time.monotonic() - at > 20 * FRESH_SECONDS:
            material = campaigns.material(store, stored)
            with self._lock:
                self._materials[stored.id] = time.monotonic(), material
        return material

    def forget(self, number: int) -> None:
        """Read a campaign again the next time it is asked for."""
        with self._lock:
            self._campaigns.pop(number, None)
            self._materials.pop(number, None)

    def sources(self, store: Store, stored: StoredCampaign, item: Item) -> Sequence[str]:
        """The sources of an item's segments, '' where there are none."""
        sources, _ = texts_of(self.material(store, stored), item)
        return sources if sources is not None else [""] * len(item.segments)

    def sheet(self, store: Store, annotator: Annotator, wanted: int | None) -> dict[str, Any]:
        """Everything a browser needs for one hit."""
        stored = self.as_it_stands(store, annotator.campaign)
        material, campaign = self.material(store, stored), stored.campaign
        more_later = self._next_edits(store, stored, annotator)
        hits: dict[int, list[work.TaskStatus]] = {}
        for step in work.outline(store, annotator):
            hits.setdefault(step.hit, []).append(step)
        if wanted is not None and wanted not in hits:
            raise Problem(404, "unknown", "there is no such hit of yours")
        unfinished = (hit for hit, steps in hits.items() if not all(step.answered for step in steps))
        left = any(not step.answered for steps in hits.values() for step in steps)
        current = wanted or next(unfinished, None) or next(reversed(hits), None)
        shown = work.tasks(store, annotator, current) if current is not None else []
        places = screens.document_runs([task.item for task in shown])
        done = codes(store, stored, material, annotator, hits)
        return {
            **({"completion": done} if done else {}),
            "campaign": {
                "name": campaign.name,
                "title": campaign.title or campaign.name,
                "instructions": campaign.instructions,
                "status": stored.status,
                "corrections": campaign.rules.corrections,
                "idle_seconds": campaign.rules.idle_seconds,
                "source": _language(campaign.source_language),
                "target": _language(campaign.target_language),
                **campaign.protocol.screen(),
            },
            "annotator": known(stored, annotator),
            "hits": [
                {"id": hit, "tasks": len(steps), "answered": sum(step.answered for step in steps)}
                for hit, steps in hits.items()
            ],
            "hit": current,
            "more_later": more_later,
            "next_stage": self._next_stage(store, stored, annotator, left),
            "tasks": [
                {
                    "id": task.id,
                    "run": run,
                    "answer": task.answer,
                    "seconds": task.seconds,
                    "revision": task.revision,
                    **screens.screen_texts(campaign.protocol, task.item, *texts_of(material, task.item)),
                }
                for task, run in zip(shown, places, strict=True)
            ],
        }

    def _next_edits(self, store: Store, stored: StoredCampaign, judge: Annotator) -> bool:
        """Give a judge of edited texts what was edited since; whether there may be more later."""
        first = stages.first_of(store, stored)
        if first is None:
            return False
        if (
            stored.status == campaigns.RUNNING
            and judge.withdrawn is None
            and not work.remaining(store, judge)
        ):
            newest = stages.last_edit(store, first)
            at, known = self._idle.get(judge.id, (0.0, -1))
            changed = newest != known or time.monotonic() - at > 10 * FRESH_SECONDS
            if changed and not stages.next_edited_texts(store, first, stored, judge):
                self._idle[judge.id] = time.monotonic(), newest
        return stages.is_open(store, first)

    @staticmethod
    def _next_stage(
        store: Store, stored: StoredCampaign, annotator: Annotator, left: bool
    ) -> dict[str, str] | None:
        """Where an editor goes on who has nothing left to edit."""
        if not stored.campaign.protocol.next_stage:
            return None
        if left and stored.status != campaigns.CLOSED:
            return None
        if stages.as_judge(store, stored, annotator) is None:
            return None
        return {"protocol": stored.campaign.protocol.next_stage}

    @staticmethod
    def feedback(stored: StoredCampaign, item: Item, answer: dict[str, Any]) -> dict[str, Any]:
        """What to say to an answer on a tutorial's item."""
        if item.kind != "tutorial":
            return {}
        return {"feedback": tutorial.feedback(item, answer).as_json()}


def campaign_of(store: Store, name: str, code: str = "unknown") -> StoredCampaign:
    """The campaign of that name."""
    for stored in campaigns.all_campaigns(store):
        if stored.name == name:
            return stored
    raise Problem(404, code, f"there is no campaign {name!r}")


def known(stored: StoredCampaign, annotator: Annotator) -> dict[str, str]:
    """Who is signed in, as the browser may know it; under `key` it keeps what is not sent yet."""
    key = secret_hash(f"browser {stored.secret} {annotator.id}")[:24]
    return {"name": annotator.name, "kind": annotator.kind, "key": key}


def texts_of(material: CampaignMaterial, item: Item) -> tuple[list[str] | None, list[str | None]]:
    """The sources and references of an item; those of a tutorial may be its own."""
    sources, own = material.test_set.sources, item.extra
    try:
        return (
            own.get("sources") or ([sources[n] for n in item.segments] if sources is not None else None),
            own.get("references") or [material.reference(n) for n in item.segments],
        )
    except IndexError:
        raise DataError(f"item {item.key!r} is about a segment that the campaign does not have") from None


def _language(code: str) -> dict[str, str]:
    return {"code": code, "direction": "rtl" if code.split("-")[0] in RIGHT_TO_LEFT else "ltr"}


async def desk_of(request: Request) -> Desk:
    """The desk of the server."""
    desk: Desk = request.app.state.desk
    return desk


DeskOf = Annotated[Desk, Depends(desk_of)]
