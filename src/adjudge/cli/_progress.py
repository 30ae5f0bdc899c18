"""A progress bar for work that takes long, on a terminal's stderr only."""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from adjudge.evaluate import Progress

if TYPE_CHECKING:
    from rich.progress import Progress as Bar

PATIENCE = 1.0
"""Seconds of work before anything is shown."""


@contextmanager
def progress(*, quiet: bool) -> Iterator[Progress | None]:
    """A function to report progress to, or None where nobody would see it."""
    if quiet or sys.stderr is None or not sys.stderr.isatty():
        yield None
        return
    late = _LateBar()
    timer = threading.Timer(PATIENCE, late.show)
    timer.daemon = True
    timer.start()
    try:
        yield late.update
    finally:
        timer.cancel()
        late.close()


class _LateBar:
    """A bar that remembers where the work is, and appears only if it is asked to."""

    def __init__(self) -> None:
        self.state = ("reading", 0, 1)
        self.bar: Bar | None = None
        self.closed = False
        self.lock = threading.Lock()

    def update(self, doing: str, done: int, steps: int) -> None:
        with self.lock:
            self.state = (doing, done, steps)
            if self.bar is not None:
                self.bar.update(self.bar.task_ids[0], description=doing, completed=done, total=steps)

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
