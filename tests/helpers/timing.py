"""How long tests take, by the processor's clock: `make long-tests` writes down those that `make check` leaves out."""

from __future__ import annotations

import resource
from collections import Counter
from collections.abc import Generator
from pathlib import Path

import pytest

LIST = Path(__file__).resolve().parent.parent / "long.txt"
"""A function a line: `FILE::NAME`, with all cases of it."""
LONG = 0.5
"""Seconds that all cases of a function take together, with the processes that they start."""


def long_functions() -> frozenset[str]:
    """The functions in the list."""
    return frozenset(LIST.read_text(encoding="utf-8").split())


def function_of(nodeid: str) -> str:
    """The test's function, without its class and its case."""
    path, *_, name = nodeid.partition("[")[0].split("::")
    return f"{path}::{name}"


class Stopwatch:
    """A plugin of pytest that sums up what each function takes, and writes the list when all are done."""

    def __init__(self) -> None:
        self.seconds: Counter[str] = Counter()

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Generator[None, object, object]:
        """Measure from before the fixtures on; what was taken goes with the reports, from other processes too."""
        item.user_properties.append(("begun", used()))
        return (yield)

    def pytest_runtest_teardown(self, item: pytest.Item) -> None:
        """All that a test takes, but for tidying up."""
        (begun,) = (value for name, value in item.user_properties if name == "begun")
        item.user_properties.append(("seconds", used() - begun))

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Sum up."""
        if report.when == "teardown":
            self.seconds[function_of(report.nodeid)] += dict(report.user_properties)["seconds"]

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Write the list, in the process that all reports have come to."""
        if not hasattr(session.config, "workerinput"):
            names = sorted(name for name, seconds in self.seconds.items() if seconds >= LONG)
            LIST.write_text("".join(f"{name}\n" for name in names), encoding="utf-8")


def used() -> float:
    """Seconds of the processor's time until now, of this process and of those it has started and seen end."""
    parts = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(part.ru_utime + part.ru_stime for part in parts)
