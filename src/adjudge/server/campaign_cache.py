"""A cache of campaigns and their texts, which every answer needs and which hardly change."""

from __future__ import annotations

import threading
import time
from collections.abc import Sequence
from dataclasses import replace
from typing import Annotated

from fastapi import Depends, Request

from adjudge.campaigns.items import CampaignMaterial, Item
from adjudge.campaigns.store import CampaignStore, campaigns
from adjudge.campaigns.store.campaigns import StoredCampaign
from adjudge.campaigns.store.people import Annotator
from adjudge.errors import DataError
from adjudge.server.problems import ServerProblem

FRESH_SECONDS = 30.0


class CampaignCache:
    """The campaigns of a server with their texts; they are reread after a while."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._campaigns: dict[int, tuple[float, StoredCampaign]] = {}
        self._materials: dict[int, tuple[float, CampaignMaterial]] = {}
        self._idle: dict[int, tuple[float, int]] = {}
        """Judges for whom nothing was edited: when they asked, and the last edit there was."""

    def campaign(self, store: CampaignStore, number: int) -> StoredCampaign:
        """Return the campaign of that number; its status may be some seconds old."""
        with self._lock:
            at, stored = self._campaigns.get(number, (0.0, None))
        if stored is None or time.monotonic() - at > FRESH_SECONDS:
            stored = next((known for known in campaigns.all_campaigns(store) if known.id == number), None)
            if stored is None:
                raise ServerProblem(404, "unknown", "this campaign is no longer there")
            with self._lock:
                self._campaigns[number] = time.monotonic(), stored
        return stored

    def with_current_status(self, store: CampaignStore, number: int) -> StoredCampaign:
        """Return the campaign of that number with its status of this moment: a pause is seen at once."""
        stored = self.campaign(store, number)
        return replace(stored, status=campaigns.status(store, stored))

    def material(self, store: CampaignStore, stored: StoredCampaign) -> CampaignMaterial:
        """Return the texts of a campaign."""
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

    def sources(self, store: CampaignStore, stored: StoredCampaign, item: Item) -> Sequence[str]:
        """Return the sources of an item's segments, '' where there are none."""
        sources, _ = texts_of(self.material(store, stored), item)
        return sources if sources is not None else [""] * len(item.segments)

    def may_have_edits(self, judge: Annotator, last_edit: int) -> bool:
        """Whether it is worth looking for texts to judge: something was edited since nothing was found."""
        at, known = self._idle.get(judge.id, (0.0, -1))
        return last_edit != known or time.monotonic() - at > 10 * FRESH_SECONDS

    def found_no_edits(self, judge: Annotator, last_edit: int) -> None:
        """Remember that nothing waits for a judge until something more is edited."""
        self._idle[judge.id] = time.monotonic(), last_edit


def campaign_named(store: CampaignStore, name: str, code: str = "unknown") -> StoredCampaign:
    """Return the campaign of that name; a Problem with that code where there is none."""
    for stored in campaigns.all_campaigns(store):
        if stored.name == name:
            return stored
    raise ServerProblem(404, code, f"there is no campaign {name!r}")


def texts_of(material: CampaignMaterial, item: Item) -> tuple[list[str] | None, list[str | None]]:
    """Return the sources and the references of an item; those of a tutorial may be its own."""
    sources, own = material.test_set.sources, item.extra
    try:
        return (
            own.get("sources") or ([sources[n] for n in item.segments] if sources is not None else None),
            own.get("references") or [material.reference(n) for n in item.segments],
        )
    except IndexError:
        raise DataError(f"item {item.key!r} is about a segment that the campaign does not have") from None


async def cache_of(request: Request) -> CampaignCache:
    """Return the cache of campaigns."""
    cache: CampaignCache = request.app.state.cache
    return cache


CacheDep = Annotated[CampaignCache, Depends(cache_of)]
