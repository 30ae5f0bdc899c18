"""Chromium before pages of reports: nothing leaves a page, nothing asks, and nothing goes wrong on it unseen."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from helpers.chromium import run_where_the_browser_is
from helpers.report_pages import MODULES_AT, Reader, serve_modules

pytest.importorskip("playwright")

from playwright.sync_api import Browser


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem: Any) -> bool | None:
    return run_where_the_browser_is(pyfuncitem)


@pytest.fixture(scope="session")
def modules(chromium: Browser, thread: ThreadPoolExecutor) -> Iterator[Callable[..., Any]]:
    """Run a function of the scripts of `pages/segments`, as modules: `modules("async (m, x) => …", x, "diff.js")`."""

    def begin() -> Any:
        context = chromium.new_context()
        context.route(f"{MODULES_AT}**", serve_modules)
        page = context.new_page()
        page.goto(MODULES_AT)
        return page

    page = thread.submit(begin).result()

    def run(function: str, argument: Any, *names: str) -> Any:
        loaded = ", ".join(f'...(await import("/{name}"))' for name in names)
        return page.evaluate(f"async (argument) => ({function})({{ {loaded} }}, argument)", argument)

    yield run
    thread.submit(page.context.close).result()


@pytest.fixture
def reader(chromium: Browser, thread: ThreadPoolExecutor, tmp_path: Path) -> Iterator[Callable[..., Reader]]:
    """Open a page of a report; what goes wrong on it fails the test."""
    opened: list[Reader] = []

    def start(**options: Any) -> Reader:
        options = {"reduced_motion": "reduce", "viewport": {"width": 1280, "height": 900}, **options}
        opened.append(Reader(chromium.new_context(accept_downloads=True, **options), tmp_path))
        return opened[-1]

    yield start
    problems = [problem for each in opened for problem in each.problems]
    for each in opened:
        thread.submit(each.context.close).result()
    assert problems == []
