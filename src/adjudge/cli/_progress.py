"""A progress bar for work that takes long, on a terminal's stderr only."""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from adjudge.cli import _show, _workspace
from adjudge.text import paraphrases

if TYPE_CHECKING:
    from rich.progress import Progress as Bar

    from adjudge.comparison import Progress

PATIENCE = 1.0
"""Seconds of work before anything is shown."""


@contextmanager
def progress(*, quiet: bool) -> Iterator[Progress | None]:
    """A function to report progress to, or None where nobody would see it.

    A table of paraphrases that is compiled meanwhile, deep inside a metric, is reported too, and so is what parsers,
    models and judges do; they use the command's workspace.
    """
    unkept: list[str] = []
    with _bar(quiet=quiet) as bar, _tables_watched(bar, unkept):
        update = None if bar is None else bar.update
        with _workspace.within_workspace(update):
            yield update
    _show.warn(unkept, quiet=quiet)


@contextmanager
def _tables_watched(bar: _LateBar | None, unkept: list[str]) -> Iterator[None]:
    def complain(folder: Path, why: str) -> None:
        unkept.append(
            f"METEOR's paraphrase table, compiled, cannot be kept in {folder} ({why}), so every run compiles it "
            "again; ADJUDGE_CACHE=FOLDER names another place"
        )

    paraphrases.watched_by(None if bar is None else bar.compiling, complain)
    try:
        yield
    finally:
        paraphrases.watched_by(None)


@contextmanager
def _bar(*, quiet: bool) -> Iterator[_LateBar | None]:
    if quiet or sys.stderr is None or not sys.stderr.isatty():
        yield None
        return
    late = _LateBar()
    timer = threading.Timer(PATIENCE, late.show)
    timer.daemon = True
    timer.start()
    try:
        yield late
    finally:
        timer.cancel()
        late.close()


class _LateBar:
    """A bar that remembers where the work is, and appears only if it is asked to."""

    def __init__(self) -> None:
        self.state = ("reading", 0, 1)
        self.interrupted: tuple[str, int, int] | None = None
        self.bar: Bar | None = None
        self.closed = False
        self.lock = threading.Lock()

    def update(self, doing: str, done: int, steps: int) -> None:
        with self.lock:
            self.state = (doing, done, steps)
            if self.bar is not None:
                self.bar.update(self.bar.task_ids[0], description=doing, completed=done, total=steps)

    def compiling(self, share: float) -> None:
        """Put the reading of a table in the place of what is under way, until it is done."""
        self.interrupted = self.interrupted or self.state
        if share < 1:
            self.update("reading METEOR's paraphrase table, this once", round(100 * share), 100)
        else:
            self.update(*self.interrupted)
            self.interrupted = None

    def show(self) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeElapsedColumn
        from rich.progress import Progress as Bar

        with self.lock:
            if self.closed:
                return
            doing, done, steps = self.state
            self.bar = Bar(
                TextColumn("{task.description}", markup=False),
                BarColumn(),
                MofNCompleteColumn(),
                TimeElapsedColumn(),
                console=Console(file=sys.stderr),
                transient=True,
            )
            self.bar.add_task(doing, total=steps, completed=done)
            self.bar.start()

    def close(self) -> None:
        with self.lock:
            self.closed = True
            if self.bar is not None:
                self.bar.stop()
