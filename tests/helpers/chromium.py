"""One Chromium for all tests of a process, in a thread of its own: Playwright keeps an event loop running in its."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Browser

ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
"""The first is the same browser without its windows, which take a third of the time."""


def run_where_the_browser_is(pyfuncitem: Any) -> bool:
    """Run a test in the browser's thread; for `pytest_pyfunc_call` of folders whose tests have a browser."""
    arguments = {name: pyfuncitem.funcargs[name] for name in pyfuncitem._fixtureinfo.argnames}
    executor = pyfuncitem.funcargs.get("thread") or pyfuncitem._request.getfixturevalue("thread")
    executor.submit(pyfuncitem.obj, **arguments).result()
    return True


def launched(thread: ThreadPoolExecutor) -> Iterator[Browser]:
    """The browser, or a skip with the reason."""
    sync_api = pytest.importorskip("playwright.sync_api")
    result = next(filter(None, map(shutil.which, NAMES)), None)
    if result is None:
        pytest.skip(
            "no Chromium here; `scripts/install-packages test python3` installs it "
            "(Debian: apt-get install chromium-headless-shell)"
        )
    playwright = thread.submit(sync_api.sync_playwright().start).result()
    browser = thread.submit(
        lambda: playwright.chromium.launch(executable_path=result, args=ARGUMENTS)
    ).result()
    yield browser
    thread.submit(browser.close).result()
    thread.submit(playwright.stop).result()
