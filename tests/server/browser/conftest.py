"""Chromium before a server of its own; every page must be free of errors when its test is over.

Playwright keeps an event loop running in its thread, so everything here runs in a thread of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from helpers.browsing import Site, Visit, serving
from helpers.chromium import run_where_the_browser_is

pytest.importorskip("fastapi")
pytest.importorskip("playwright")

from playwright.sync_api import Browser


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem: Any) -> bool | None:
    return run_where_the_browser_is(pyfuncitem)


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A server on a free port, with a database of its own."""
    with serving(tmp_path_factory.mktemp("browser")) as running:
        yield running


@pytest.fixture(scope="session")
def used(chromium: Browser, site: Site, thread: ThreadPoolExecutor) -> Iterator[Visit]:
    """A browser that is tidied up and used again, as opening one takes longer than most tests."""
    options = {"base_url": site.base, "reduced_motion": "reduce"}
    shared = thread.submit(lambda: Visit(chromium.new_context(**options), site)).result()
    yield shared
    thread.submit(shared.context.close).result()


@pytest.fixture
def visit(
    chromium: Browser, site: Site, used: Visit, thread: ThreadPoolExecutor
) -> Iterator[Callable[..., Visit]]:
    """Open a browser of somebody's own; what goes wrong on a page fails the test."""
    opened: list[Visit] = []

    def start(link: str = "", **options: Any) -> Visit:
        if used in opened or options:
            options = {"base_url": site.base, "reduced_motion": "reduce", **options}
            opened.append(Visit(chromium.new_context(**options), site))
        else:
            opened.append(used)
        return opened[-1].enter(link) if link else opened[-1]

    yield start
    problems = [problem for value in opened for problem in value.problems]
    for entry in opened:
        thread.submit(entry.tidy if entry is used else entry.context.close).result()
    assert problems == []
