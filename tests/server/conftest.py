"""A server in this process, over a database that is gone after the test."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from helpers import served

pytest.importorskip("fastapi")
pytest.importorskip("sqlalchemy")

from starlette.testclient import TestClient

from adjudge.campaigns.store import CampaignStore, people
from adjudge.server import sessions
from adjudge.server.app import create_app
from adjudge.server.settings import ServerSettings

ADDRESS = "http://127.0.0.1:8080"


class Browser(TestClient):
    """What a browser does: keeps cookies, and sends the token that its page carries."""

    cookie = ""

    def enter(self, path: str, cookie: str = sessions.ANNOTATOR) -> Browser:
        """Follow a link to the page behind it."""
        page = self.get(path)
        assert page.status_code == 200, page.text
        self.cookie = cookie
        assert sessions.csrf(self.cookies[cookie]) in page.text, "the page carries no token"
        return self

    def tell(self, path: str, content: Any) -> Any:
        """A request that changes something, from the page."""
        return self.post(path, json=content, headers={"x-csrf-token": self.token})

    @property
    def token(self) -> str:
        return sessions.csrf(self.cookies[self.cookie])


@pytest.fixture(scope="module", autouse=True)
def cheap_hashes() -> Iterator[None]:
    """Passwords take next to no time here; that they are hashed as they should be is tested where they are kept."""
    from argon2 import PasswordHasher

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(people, "_hasher", lambda: PasswordHasher(time_cost=1, memory_cost=8, parallelism=1))
        people._placeholder_hash.cache_clear()
        yield
    people._placeholder_hash.cache_clear()


@pytest.fixture
def store(sqlite: str) -> Iterator[CampaignStore]:
    opened = CampaignStore.open(sqlite)
    yield opened
    opened.close()


@pytest.fixture
def made(store: CampaignStore) -> served.Made:
    return served.make(store)


@pytest.fixture
def another(store: CampaignStore) -> Callable[[], Browser]:
    """Browsers of other people."""
    return lambda: Browser(
        create_app(store, ServerSettings()), base_url=ADDRESS, raise_server_exceptions=False
    )


@pytest.fixture
def browser(store: CampaignStore) -> Browser:
    """Nobody in particular."""
    return Browser(create_app(store, ServerSettings()), base_url=ADDRESS, raise_server_exceptions=False)


@pytest.fixture
def anna(made: served.Made, browser: Browser) -> Browser:
    """An annotator who has opened her link."""
    return browser.enter(f"/a/{made.tokens['anna']}")


@pytest.fixture
def organiser(store: CampaignStore) -> Browser:
    """The organiser, signed in by a one-time link."""
    mine = Browser(create_app(store, ServerSettings()), base_url=ADDRESS, raise_server_exceptions=False)
    return mine.enter(f"/organiser/link/{people.one_time_link(store)}", sessions.ORGANISER)
