"""A cache of findings for organisers' pages, so that annotators do not notice the work."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Annotated, Any

from fastapi import Depends, Request

from adjudge.campaigns.store import CampaignStore
from adjudge.campaigns.store.campaigns import StoredCampaign
from adjudge.server import findings

CHEAP_SECONDS = 0.1
"""Findings that take less than this are computed on every request."""
SHARE = 0.05
"""The share of time for findings that take longer."""
Find = Callable[[CampaignStore, StoredCampaign, str], tuple[dict[str, Any], float]]


@dataclass
class _Entry:
    lock: threading.Lock = field(default_factory=threading.Lock)
    value: dict[str, Any] | None = None
    cost: float = 0.0
    until: float = 0.0


class FindingsCache:
    """The newest findings on each campaign; with many answers they may be some minutes old, and say so.

    Requests for a finding that is being computed wait for it, so that nothing is computed twice.
    """

    def __init__(
        self,
        here: Find = findings.compute_here,
        apart: Find = findings.compute_in_process,
        expected: Callable[[CampaignStore, StoredCampaign], float] = findings.expected_seconds,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._here, self._apart, self._expected, self._clock = here, apart, expected, clock
        self._lock = threading.Lock()
        self._seen: dict[tuple[int, str], _Entry] = {}

    def latest(self, store: CampaignStore, stored: StoredCampaign, what: str) -> dict[str, Any]:
        """Return what is found now, or was not long ago; `as_of` tells when."""
        with self._lock:
            seen = self._seen.setdefault((stored.id, what), _Entry())
        with seen.lock:
            if seen.value is None or self._clock() >= seen.until:
                as_of = time.time()
                if seen.value is None:
                    seen.cost = self._expected(store, stored)
                find = self._apart if seen.cost > CHEAP_SECONDS else self._here
                finding, seen.cost = find(store, stored, what)
                seen.value = {**finding, "as_of": as_of}
                seen.until = self._clock() + (seen.cost / SHARE if seen.cost > CHEAP_SECONDS else 0)
            return seen.value


async def findings_of(request: Request) -> FindingsCache:
    """Return the cache of findings."""
    findings: FindingsCache = request.app.state.findings
    return findings


FindingsDep = Annotated[FindingsCache, Depends(findings_of)]
