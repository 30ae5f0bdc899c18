"""Limits on sign-in attempts and new visitors, per address and in total; beyond them, people are slowed down.

What everybody together may do is counted in this process, and refills steadily: somebody who floods it from many
addresses makes others wait for their turn. The organiser need not wait: a browser that signed in before has a count of
its own, and a link that the command line prints is not counted at all.
"""

from __future__ import annotations

import asyncio
import hmac
import ipaddress
import secrets
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Annotated, TypeVar

from fastapi import Depends, Request

from adjudge.campaigns.store import CampaignStore, people
from adjudge.server.problems import ServerProblem
from adjudge.server.settings import ServerSettings

Result = TypeVar("Result")
HASHED_AT_ONCE = 2
"""A hash of Argon2 takes 64 MB while it is computed."""
EVERYBODY = {"password": 6, "demo": 6, "join": 60}
"""How many times the tries of one address everybody has together, by what for; bad links cannot be guessed anyway."""
ONE = {"join": 6}
"""How many times the usual tries one address has: a class may sit behind one."""


class RequestBudget:
    """A token bucket: `count` attempts in a number of seconds, refilled steadily."""

    def __init__(self, tries: float, seconds: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._tries, self._seconds, self._clock = tries, seconds, clock
        self._left, self._at = tries, clock()
        self._lock = threading.Lock()

    def take(self) -> bool:
        """Whether one more is allowed now."""
        with self._lock:
            now = self._clock()
            refilled = (now - self._at) * self._tries / self._seconds
            self._left, self._at = min(self._tries, self._left + refilled), now
            if self._left < 1:
                return False
            self._left -= 1
            return True


class Limits:
    """The limits of a server."""

    def __init__(self, settings: ServerSettings) -> None:
        self._settings = settings
        self._everybody = {
            purpose: RequestBudget(times * settings.sign_in_tries, settings.sign_in_seconds)
            for purpose, times in EVERYBODY.items()
        }
        self._hashing = ThreadPoolExecutor(HASHED_AT_ONCE, "hashing")

    def count(self, store: CampaignStore, purpose: str, request: Request) -> None:
        """Count a try of somebody, and refuse it where it is one too many.

        It is counted before it is looked at, so no number of tries at the same time gets past the limit. Of links,
        too long to be guessed, only those are counted that are not good: a whole class may open theirs from one
        address.
        """
        tries = ONE.get(purpose, 1) * self._settings.sign_in_tries
        self._count(store, f"{purpose} {client_address(request)}", tries)
        everybody = self._everybody.get(purpose)
        if everybody is not None and not everybody.take():
            raise ServerProblem(
                429, "busy", "many people try this at the moment; please try again in a minute"
            )

    def count_known(self, store: CampaignStore, browser: str) -> None:
        """Count a try of a browser that signed in before, and of nobody else."""
        self._count(store, f"known {browser}", self._settings.sign_in_tries)

    def _count(self, store: CampaignStore, who: str, tries: int) -> None:
        seconds = self._settings.sign_in_seconds
        # A client over the limit is refused without a write, so that it does not block other writers.
        over = people.attempts(store, who, seconds) >= tries
        if over or people.note_attempt(store, who, seconds) > tries:
            minutes = max(1, round(seconds / 60))
            raise ServerProblem(429, "too many tries", f"too many tries; please wait {minutes} minutes")

    async def check_password(self, store: CampaignStore, password: str) -> bool:
        """Whether that is the password; few are looked at at once, and whoever waits holds no thread."""
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._hashing, people.check_password, store, password)


def client_address(request: Request) -> str:
    """The key of a client: an IPv4 address, or an IPv6 network."""
    host = request.client.host if request.client else ""
    try:
        address = ipaddress.ip_address(host.partition("%")[0])
    except ValueError:
        return host
    if isinstance(address, ipaddress.IPv4Address):
        return str(address)
    if address.ipv4_mapped is not None:
        return str(address.ipv4_mapped)
    return str(ipaddress.IPv6Network((address, 64), strict=False))


def new_browser(store: CampaignStore) -> str:
    """What the cookie of a browser that signed in is to hold, until the password changes; '' without a password."""
    browser = secrets.token_urlsafe(16)
    mark = people.browser_mark(store, browser)
    return f"{browser}.{mark}" if mark else ""


def known_browser(store: CampaignStore, cookie: str) -> str:
    """Which browser that signed in before a cookie is of, '' where it is of none."""
    browser, _, mark = cookie.partition(".")
    expected = people.browser_mark(store, browser) if browser and mark else ""
    return browser if expected and hmac.compare_digest(expected.encode(), mark.encode()) else ""


async def limits_of(request: Request) -> Limits:
    """Return the limits of the server."""
    limits: Limits = request.app.state.limits
    return limits


LimitsDep = Annotated[Limits, Depends(limits_of)]
