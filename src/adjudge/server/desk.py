"""What lies on an annotator's desk: the sheet of a hit, made from the store without a name of any system."""

from __future__ import annotations

import threading
import time
from collections.abc import Sequence
from dataclasses import replace
from typing import Annotated, Any

from fastapi import Depends, Request

from adjudge.campaigns import screens, tutorial
from adjudge.campaigns.items import Item, Material
from adjudge.campaigns.store import Store, campaigns, stages, work
from adjudge.campaigns.store.campaigns import Kept
from adjudge.campaigns.store.people import Annotator, hashed
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
        self._campaigns: dict[int, tuple[float, Kept]] = {}
        self._materials: dict[int, tuple[float, Material]] = {}
        self._idle: dict[int, tuple[float, int]] = {}
        """Judges for whom nothing was edited: when they asked, and the last edit there was."""

    def campaign(self, store: Store, number: int) -> Kept:
        """The campaign of that number; its status may be some seconds old."""
        with self._lock:
            at, kept = self._campaigns.get(number, (0.0, None))
        if kept is None or time.monotonic() - at > FRESH_SECONDS:
            found = [one for one in campaigns.all_of(store) if one.id == number]
            if not found:
                raise Problem(404, "unknown", "this campaign is no longer there")
            kept = found[0]
            with self._lock:
                self._campaigns[number] = time.monotonic(), kept
        return kept

    def as_it_stands(self, store: Store, number: int) -> Kept:
        """The same with its status of this moment: a pause is seen at once."""
        kept = self.campaign(store, number)
        return replace(kept, status=campaigns.status(store, kept))

    def material(self, store: Store, kept: Kept) -> Material:
        """The texts of a campaign."""
        with self._lock:
            at, material = self._materials.get(kept.id, (0.0, None))
        if material is None or time.monotonic() - at > 20 * FRESH_SECONDS:
            material = campaigns.material(store, kept)
            with self._lock:
                self._materials[kept.id] = time.monotonic(), material
        return material

    def forget(self, number: int) -> None:
        """Read a campaign again the next time it is asked for."""
        with self._lock:
            self._campaigns.pop(number, None)
            self._materials.pop(number, None)

    def sources(self, store: Store, kept: Kept, item: Item) -> Sequence[str]:
        """The sources of an item's segments, '' where there are none."""
        sources, _ = texts_of(self.material(store, kept), item)
        return sources if sources is not None else [""] * len(item.segments)

    def sheet(self, store: Store, annotator: Annotator, wanted: int | None) -> dict[str, Any]:
        """Everything a browser needs for one hit."""
        kept = self.as_it_stands(store, annotator.campaign)
        material, campaign = self.material(store, kept), kept.campaign
        more_later = self._next_edits(store, kept, annotator)
        hits: dict[int, list[work.Step]] = {}
        for step in work.outline(store, annotator):
            hits.setdefault(step.hit, []).append(step)
        if wanted is not None and wanted not in hits:
            raise Problem(404, "unknown", "there is no such hit of yours")
        unfinished = (hit for hit, steps in hits.items() if not all(step.answered for step in steps))
        left = any(not step.answered for steps in hits.values() for step in steps)
        current = wanted or next(unfinished, None) or next(reversed(hits), None)
        shown = work.tasks(store, annotator, current) if current is not None else []
        places = screens.runs([task.item for task in shown])
        done = codes(store, kept, material, annotator, hits)
        return {
            **({"completion": done} if done else {}),
            "campaign": {
                "name": campaign.name,
                "title": campaign.title or campaign.name,
                "instructions": campaign.instructions,
                "status": kept.status,
                "corrections": campaign.rules.corrections,
                "idle_seconds": campaign.rules.idle_seconds,
                "source": _language(campaign.source_language),
                "target": _language(campaign.target_language),
                **campaign.protocol.screen(),
            },
            "annotator": known(kept, annotator),
            "hits": [
                {"id": hit, "tasks": len(steps), "answered": sum(step.answered for step in steps)}
                for hit, steps in hits.items()
            ],
            "hit": current,
            "more_later": more_later,
            "next_stage": self._next_stage(store, kept, annotator, left),
            "tasks": [
                {
                    "id": task.id,
                    "run": run,
                    "answer": task.answer,
                    "seconds": task.seconds,
                    "revision": task.revision,
                    **screens.shown(campaign.protocol, task.item, *texts_of(material, task.item)),
                }
                for task, run in zip(shown, places, strict=True)
            ],
        }

    def _next_edits(self, store: Store, kept: Kept, judge: Annotator) -> bool:
        """Give a judge of edited texts what was edited since; whether there may be more later."""
        first = stages.first_of(store, kept)
        if first is None:
            return False
        if kept.status == campaigns.RUNNING and judge.withdrawn is None and not work.remaining(store, judge):
            newest = stages.newest(store, first)
            at, known = self._idle.get(judge.id, (0.0, -1))
            changed = newest != known or time.monotonic() - at > 10 * FRESH_SECONDS
            if changed and not stages.fill(store, first, kept, judge):
                self._idle[judge.id] = time.monotonic(), newest
        return stages.is_open(store, first)

    @staticmethod
    def _next_stage(store: Store, kept: Kept, annotator: Annotator, left: bool) -> dict[str, str] | None:
        """Where an editor goes on who has nothing left to edit."""
        if not kept.campaign.protocol.next_stage:
            return None
        if left and kept.status != campaigns.CLOSED:
            return None
        if stages.as_judge(store, kept, annotator) is None:
            return None
        return {"protocol": kept.campaign.protocol.next_stage}

    @staticmethod
    def feedback(kept: Kept, item: Item, answer: dict[str, Any]) -> dict[str, Any]:
        """What to say to an answer on a tutorial's item."""
        if item.kind != "tutorial":
            return {}
        return {"feedback": tutorial.feedback(item, answer).as_json()}


def campaign_of(store: Store, name: str, code: str = "unknown") -> Kept:
    """The campaign of that name."""
    for kept in campaigns.all_of(store):
        if kept.name == name:
            return kept
    raise Problem(404, code, f"there is no campaign {name!r}")


def known(kept: Kept, annotator: Annotator) -> dict[str, str]:
    """Who is signed in, as the browser may know it; under `key` it keeps what is not sent yet."""
    key = hashed(f"browser {kept.secret} {annotator.id}")[:24]
    return {"name": annotator.name, "kind": annotator.kind, "key": key}


def texts_of(material: Material, item: Item) -> tuple[list[str] | None, list[str | None]]:
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
