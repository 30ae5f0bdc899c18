"""What organisers' pages ask for again and again, computed anew no more often than annotators would notice."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Annotated, Any

from fastapi import Depends, Request

CHEAP_SECONDS = 0.1
"""What takes less is computed whenever somebody asks."""
SHARE = 0.05
"""Of the time that may go into what takes longer."""


@dataclass
class _Seen:
    lock: threading.Lock = field(default_factory=threading.Lock)
    value: dict[str, Any] | None = None
    until: float = 0.0


class Watching:
    """The newest findings on each campaign; with many answers they may be some minutes old, and say so.

    Whoever asks while something is computed waits for it, so that nothing is computed twice.
    """

    def __init__(
        self, clock: Callable[[], float] = time.monotonic, spent: Callable[[], float] = time.thread_time
    ) -> None:
        self._clock, self._spent = clock, spent
        self._lock = threading.Lock()
        self._seen: dict[tuple[int, str], _Seen] = {}

    def look(self, campaign: int, what: str, compute: Callable[[], dict[str, Any]]) -> dict[str, Any]:
        """What `compute` finds, or found not long ago; `as_of` tells when."""
        with self._lock:
            seen = self._seen.setdefault((campaign, what), _Seen())
        with seen.lock:
            if seen.value is None or self._clock() >= seen.until:
                as_of, begun = time.time(), self._spent()
                seen.value = {**compute(), "as_of": as_of}
                cost = self._spent() - begun
                seen.until = self._clock() + (cost / SHARE if cost > CHEAP_SECONDS else 0)
            return seen.value

    def forget(self, campaign: int) -> None:
        """Compute everything about a campaign anew: somebody has just changed it."""
        with self._lock:
            self._seen = {key: seen for key, seen in self._seen.items() if key[0] != campaign}


async def watching_of(request: Request) -> Watching:
    """What the server has found so far."""
    watching: Watching = request.app.state.watching
    return watching


WatchingOf = Annotated[Watching, Depends(watching_of)]
