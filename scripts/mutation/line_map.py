"""Which tests run which lines of the package, and how long they take: asked of coverage.py once, for many mutants."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from mutants import Mutant

PROJECT = Path(__file__).resolve().parent.parent.parent


class LineMap:
    """A map that was made: a folder."""

    def __init__(self, folder: Path) -> None:
        from coverage import CoverageData

        self.data = CoverageData(str(folder / "lines"))
        self.data.read()
        lines = (folder / "seconds").read_text(encoding="utf-8").splitlines()
        self.seconds = {test: float(seconds) for seconds, _, test in (line.partition("\t") for line in lines)}

    def tests(self, mutant: Mutant) -> list[str]:
        """Tests that run it and still exist: those of its namesake first, else the quickest first."""
        by_line = self.data.contexts_by_lineno(str(mutant.path))
        inside = _function_lines(mutant.path)
        lines: Iterable[int] = range(mutant.line, mutant.last + 1)
        if not inside.intersection(lines):  # read as the module is imported, for whatever runs then
            lines = inside
        names = {context.partition(" (")[0] for line in lines for context in by_line.get(line, ())}
        namesake = f"/test_{mutant.path.stem}.py::"
        runs = (name for name in names if name in self.seconds and _exists(name))
        return sorted(runs, key=lambda name: (namesake not in name, self.seconds[name]))


@cache
def _function_lines(path: Path) -> frozenset[int]:
    """Lines within functions of a file."""
    lines: set[int] = set()
    for node in ast.walk(ast.parse(path.read_bytes())):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            lines.update(range(node.body[0].lineno, (node.end_lineno or node.lineno) + 1))
    return frozenset(lines)


@cache
def _exists(test: str) -> bool:
    """Whether a test's function is still in its file."""
    file, _, name = test.partition("::")
    path, function = PROJECT / file, name.partition("[")[0].rpartition("::")[2]
    return path.exists() and f"def {function}(" in path.read_text(encoding="utf-8")


def make(folder: Path, tests: Sequence[str]) -> None:
    """Run tests once as `make check` does, and note their lines, in the processes they start too."""
    from coverage import Coverage

    folder.mkdir(parents=True, exist_ok=True)
    settings = folder / "settings"
    settings.write_text(
        f"[run]\nparallel = true\nsigterm = true\ndata_file = {folder / 'lines'}\n"
        f"source = {PROJECT / 'src' / 'adjudge'}\ncontext = ${{PYTEST_CURRENT_TEST-}}\n",
        encoding="utf-8",
    )
    noted = {"COVERAGE_PROCESS_START": str(settings), "LINE_MAP_SECONDS": str(folder / "seconds")}
    command = [
        sys.executable,
        *["-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "line_map", "--hypothesis-profile=check"],
    ]
    command += ["-m", "not (slow or oracle or browser)", *tests]
    subprocess.run(command, cwd=PROJECT, env=os.environ | noted, check=False)
    Coverage(config_file=str(settings)).combine([str(folder)])


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    """Lines that run from here on are this test's, and so are the seconds."""
    from coverage import Coverage

    current, start = Coverage.current(), time.perf_counter()
    assert current is not None
    current.switch_context(item.nodeid)
    result = yield
    with open(os.environ["LINE_MAP_SECONDS"], "a", encoding="utf-8") as file:
        file.write(f"{time.perf_counter() - start:.3f}\t{item.nodeid}\n")
    return result
