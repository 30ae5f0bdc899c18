"""Judges mutants: a pytest that, where it would collect tests, forks a process for each mutant that goes on with it."""

from __future__ import annotations

import contextlib
import importlib
import os
import signal
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from mutants import Mutant

TIME, REFUSED = "time ran out", "pytest could not run the tests"
UNKNOWN = (TIME, REFUSED)
"""What is said instead of a test's name where nobody knows whether one would have killed the mutant."""
COSTLY = (
    "numpy",
    "scipy.stats",
    "sqlalchemy",
    "alembic.command",
    "fastapi",
    "starlette.testclient",
    "uvicorn",
    "jinja2",
)
"""Imported once for all mutants."""

Stages = Callable[["Mutant"], Iterator[Sequence[str]]]
Tell = Callable[[int, "Mutant", str], None]


class _Forked(BaseException):
    """Raised in a process that is to run tests: away from the judge, back to pytest."""


class Judge:
    """A plugin of pytest that asks tests, stage by stage, about one mutant after another."""

    def __init__(
        self, drawn: Iterable[tuple[int, Mutant]], stages: Stages, seconds: float, folder: Path, tell: Tell
    ) -> None:
        self.drawn, self.stages, self.seconds, self.tell = drawn, stages, seconds, tell
        self.file, self.failures = folder / "mutant.py", folder / "failed"
        self.config: Any = None
        self.is_forked = False

    def run(self) -> None:
        """Judge them all; what pytest prints goes nowhere, but for errors of its own."""
        with open(os.devnull, "w") as nowhere:
            os.dup2(nowhere.fileno(), 1)
        code = pytest.main(["-x", "-q", "-p", "no:cacheprovider", "-m", "not slow", "tests"], plugins=[self])
        if self.is_forked:
            sys.exit(code)
        if code != pytest.ExitCode.NO_TESTS_COLLECTED:
            print(f"pytest ended with {code!r}", file=sys.stderr)

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection(self, session: pytest.Session) -> bool | None:
        """Judge; a fork returns to collect tests and run them."""
        self.config = session.config
        for name in COSTLY:
            with contextlib.suppress(ImportError):
                importlib.import_module(name)
        try:
            for number, mutant in self.drawn:
                self.tell(number, mutant, self._verdict(mutant))
        except _Forked:
            return None
        return True

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Note the name of a test that failed."""
        self._note(report)

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        """Note a file that could not even be imported."""
        self._note(report)

    def _note(self, report: pytest.TestReport | pytest.CollectReport) -> None:
        if report.failed:
            with self.failures.open("a", encoding="utf-8") as file:
                file.write(report.nodeid + "\n")

    def _verdict(self, mutant: Mutant) -> str:
        """Which test killed it; '' where none did."""
        self.file.write_bytes(mutant.source())
        for tests in self.stages(mutant):
            if tests and (killer := self._killer(mutant, tests)):
                return killer
        return ""

    def _killer(self, mutant: Mutant, tests: Sequence[str], but: tuple[str, ...] = ()) -> str:
        failed = self._failed(mutant, tests, but)
        if failed in ("", *UNKNOWN) or not self._failed(None, [failed]):
            return failed
        print(f"  {failed} fails without the mutant as well", file=sys.stderr, flush=True)
        return self._killer(mutant, tests, (*but, failed)) if failed not in but else REFUSED

    def _failed(self, mutant: Mutant | None, tests: Sequence[str], but: Sequence[str] = ()) -> str:
        """The first test that fails, or file that cannot be read; '' where all hold."""
        self.failures.write_text("", encoding="utf-8")
        process = os.fork()
        if not process:
            self.is_forked = True
            os.setsid()
            self.config.args, self.config.option.deselect = list(tests), list(but)
            # What could not be imported with the mutant need only be imported without.
            self.config.option.collectonly = mutant is None and "::" not in tests[0]
            if mutant is not None:
                places = {"PLACE": str(mutant.path), "FILE": str(self.file), "MODULE": mutant.module}
                os.environ.update({f"MUTANT_{name}": value for name, value in places.items()})
                assert mutant.module not in sys.modules, f"{mutant.module} is imported before tests are"
            raise _Forked
        code = _exit_code(process, self.seconds)
        names = self.failures.read_text(encoding="utf-8").splitlines()
        if code is None:
            return TIME
        if code in (0, pytest.ExitCode.NO_TESTS_COLLECTED):
            return ""
        return (
            names[0] if names else tests[0]
        )  # a conftest.py that cannot be imported keeps pytest from naming any


def _exit_code(process: int, seconds: float) -> int | None:
    """The exit code of a fork, or None where time ran out; what it started ends with it."""
    for limit, end in ((seconds, signal.SIGINT), (30, signal.SIGKILL)):  # fixtures put servers away
        last = time.monotonic() + limit
        while time.monotonic() < last:
            ended, status = os.waitpid(process, os.WNOHANG)
            if ended:
                return os.waitstatus_to_exitcode(status) if end == signal.SIGINT else None
            time.sleep(0.05)
        os.killpg(process, end)
    os.waitpid(process, 0)
    return None
