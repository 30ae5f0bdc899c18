"""What tests in a real browser share: a server's site, somebody's browser, and campaigns to visit."""

from __future__ import annotations

import itertools
import re
import socket
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from adjudge.campaigns.campaign import parse
from adjudge.campaigns.items import CampaignMaterial, Candidate, Hit, Item
from adjudge.campaigns.store import CampaignStore, answers, campaigns, people
from adjudge.campaigns.store.campaigns import StoredCampaign
from adjudge.data import Outputs, TestSet
from helpers import served

if TYPE_CHECKING:
    from fastapi import FastAPI
    from playwright.sync_api import BrowserContext, Page

numbers = itertools.count(1)
TWO_FRAMES = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"
"""Settles once the page was drawn anew, so that every change so far is laid out."""


@dataclass
class Laid:
    """A campaign on the site, with the way in for everyone."""

    store: CampaignStore
    kept: StoredCampaign
    tokens: Mapping[str, str]

    def link(self, name: str = "anna") -> str:
        return f"/a/{self.tokens[name]}"

    def answers(self, name: str = "anna") -> list[Any]:
        """What somebody answered and what counts, in the order of the items."""
        mine = [
            answer for answer in answers.counted_answers(self.store, self.kept) if answer.annotator == name
        ]
        return [entry.answer for entry in sorted(mine, key=lambda entry: entry.task)]

    def given(self, name: str = "anna") -> list[answers.StoredAnswer]:
        return [
            answer for answer in answers.counted_answers(self.store, self.kept) if answer.annotator == name
        ]


@dataclass
class Site:
    """The server of these tests."""

    base: str
    store: CampaignStore
    app: FastAPI

    def lay(self, protocol: Any = "da", **more: Any) -> Laid:
        """A campaign of served.py under a name of its own."""
        made = served.make(self.store, protocol, f"campaign-{next(numbers)}", **more)
        return Laid(made.store, made.kept, made.tokens)

    def write(
        self,
        protocol: Any,
        sources: Sequence[str],
        outputs: Sequence[str],
        *,
        language: str,
        items: Sequence[Item] = (),
        hit_size: int = 0,
        **more: Any,
    ) -> Laid:
        """A campaign of one's own texts, of one document and one system, for anna."""
        name = f"campaign-{next(numbers)}"
        config = {
            **served.config(protocol, name),
            "language": language,
            "annotators": ["anna"],
            "systems": {"one": "one.txt", "two": "two.txt"},
            **more,
        }
        campaign = parse(config)
        test_set = TestSet(
            references=(tuple(outputs),), sources=tuple(sources), labels={"document": ("d",) * len(sources)}
        )
        material = CampaignMaterial(
            test_set, (Outputs("one", tuple(outputs)), Outputs("two", tuple(outputs)))
        )
        judged = tuple(items) or tuple(
            Item(f"item-{n}", (n,), (Candidate(("one",), (text,)),), document="d")
            for n, text in enumerate(outputs)
        )
        size = hit_size or len(judged)
        hits = [Hit(f"{name}-{i}", judged[i : i + size], "anna") for i in range(0, len(judged), size)]
        kept = campaigns.add(self.store, campaign, material, hits)
        return Laid(self.store, kept, people.renew_links(self.store, kept))


@contextmanager
def serving(folder: Path, database: str = "", **told: Any) -> Iterator[Site]:
    """A server on a free port, with a database of its own: SQLite's in that folder, or the one named."""
    import uvicorn

    from adjudge.server.app import create_app
    from adjudge.server.run import configuration
    from adjudge.server.settings import ServerSettings

    store = CampaignStore.open(database or f"sqlite:///{folder}/campaigns.db")
    listening = socket.create_server(("127.0.0.1", 0))
    base = f"http://127.0.0.1:{listening.getsockname()[1]}"
    settings = ServerSettings(base_url=base, sign_in_tries=1000, **told)
    app = create_app(store, settings)
    server = uvicorn.Server(configuration(app, settings, lifespan="off"))
    running = threading.Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
    running.start()
    while not server.started:
        time.sleep(0.01)
    yield Site(base, store, app)
    server.should_exit = True
    running.join(10)
    store.close()


class Visit:
    """A browser of somebody's own, and the page that is open in it."""

    def __init__(self, context: BrowserContext, site: Site) -> None:
        self.context, self.site = context, site
        self.problems: list[str] = []
        self.expected = r"$^"
        """Console errors that the test brings about itself."""
        context.set_default_timeout(15_000)
        context.on("page", self._listen)
        self.page: Page = context.new_page()

    def tidy(self) -> None:
        """As good as new, for another test."""
        for page in self.context.pages[1:]:
            page.close()
        self.page = self.context.pages[0]
        self.page.unroute_all()
        self.context.set_offline(False)
        self.page.evaluate("try { localStorage.clear(); sessionStorage.clear(); } catch {}")
        self.page.goto("about:blank")
        self.page.set_viewport_size({"width": 1280, "height": 800})
        self.context.clear_cookies()
        self.problems.clear()
        self.expected = r"$^"

    def _listen(self, page: Page) -> None:
        page.on("pageerror", lambda error: self.problems.append(f"error on the page: {error}"))
        page.on("dialog", lambda dialog: dialog.accept())  # leaving while answers wait
        page.on("console", lambda message: self._said(message.type, message.text))

    def _said(self, kind: str, text: str) -> None:
        if kind in ("error", "warning") and not re.search(self.expected, text):
            self.problems.append(f"{kind} in the console: {text}")

    def enter(self, link: str) -> Visit:
        """Follow a link to the work; the instructions that open by themselves are closed."""
        self.page.goto(link)
        self.ready()
        if self.page.locator("dialog").count():
            self.page.keyboard.press("Escape")
            self.page.wait_for_selector("dialog", state="detached")
        return self

    def ready(self) -> None:
        """Wait until there is something to do."""
        self.page.wait_for_selector(".item, .end h2")

    def press(self, *keys: str) -> None:
        """Press keys one after the other; digits in a row are one number, and typed without a pause."""
        for digits, group in itertools.groupby(keys, key=str.isdigit):
            if digits:
                self.page.keyboard.type("".join(group))
            else:
                for key in group:
                    self.page.keyboard.press(key)

    def saved(self) -> None:
        """Wait until everything is with the server."""
        self.page.wait_for_selector('#saved[data-state="saved"]')

    def state(self, state: str) -> None:
        self.page.wait_for_selector(f'#saved[data-state="{state}"]')

    def place(self, number: int) -> None:
        """Wait for an item by its number."""
        self.page.wait_for_selector(f'.place:text-matches("^\\\\D+{number}\\\\D")')

    def text(self, selector: str) -> str:
        return self.page.locator(selector).first.inner_text()

    def note(self) -> str:
        return self.text("#note")
