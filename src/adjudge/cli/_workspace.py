"""What a command uses while it works: the user's cache and store, a device, a budget, and a bar for progress."""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from adjudge import workspace
from adjudge.cli._show import show_text, warn
from adjudge.errors import UsageError
from adjudge.wording import pluralise

if TYPE_CHECKING:
    from rich.progress import Progress as Bar

    from adjudge.comparison import Progress
    from adjudge.engine.cache import RowCache

KEY_VARIABLE = "ADJUDGE_KEY"


@contextmanager
def within_workspace(
    progress: Callable[[str, int, int], None] | None,
    *,
    quiet: bool,
    cache: bool,
    key_variable: str = KEY_VARIABLE,
    **options: Any,
) -> Iterator[None]:
    """Let the block use what the command's options say; notes that no result holds are shown at its end."""
    from adjudge.io.content_store import ContentStore

    folder = cache_folder() if cache else None
    store = None if folder is None else ContentStore(folder)
    options["key"] = _key(key_variable) if key_variable != KEY_VARIABLE or key_variable in os.environ else ""
    used = workspace.Workspace(store=store or workspace.MemoryStore(), progress=progress, **options)
    try:
        with workspace.use(used):
            yield
    except workspace.DryRun as ended:
        _show_usage(ended.usage)
        raise click.exceptions.Exit(0) from None
    finally:
        if store is not None:
            store.close()
    warn([*used.notes, *(store.notes if store is not None else ())], quiet=quiet)


def _key(variable: str) -> str:
    """The key of a service, from the environment and from nowhere else."""
    value = os.environ.get(variable, "")
    if not value:
        if variable != KEY_VARIABLE:
            raise UsageError(f"--key-variable {variable}: there is no such variable in the environment")
        return ""
    from adjudge.metrics.judges.secrets import checked_key

    return checked_key(value, variable)


def _show_usage(usage: workspace.Usage) -> None:
    """Say what a run would ask."""
    answers = f", answers of at most {usage.most_answered:,}" if usage.most_answered else ""
    known = f"; {pluralise(usage.known, 'answer')} known already" if usage.known else ""
    tokens = f", about {pluralise(usage.tokens, 'token')} of questions{answers}" if usage.requests else ""
    show_text(f"dry run: {pluralise(usage.requests, 'request')} would be made{tokens}{known}\n")


def row_cache(cache: bool = True) -> RowCache | None:
    """The cache of this user, None where there is to be none or no place for it; compiled tables follow it."""
    from adjudge.text import paraphrases

    folder = cache_folder() if cache else None
    paraphrases.keep_in(folder)
    if folder is None:
        return None
    from adjudge.engine.cache import RowCache

    made = RowCache(folder / "rows")
    context = click.get_current_context(silent=True)
    if context is not None:
        quiet = bool(context.params.get("quiet"))
        context.call_on_close(lambda: warn(made.notes, quiet=quiet))
    return made


def cache_folder() -> Path | None:
    """ADJUDGE_CACHE, or `adjudge` where caches belong on this system; None where there is no home."""
    own = os.environ.get("ADJUDGE_CACHE")
    if own:
        return Path(own)
    # A relative path there is to be ignored: https://specifications.freedesktop.org/basedir-spec/latest/
    general = os.environ.get("XDG_CACHE_HOME", "")
    if os.path.isabs(general):
        return Path(general, "adjudge")
    if sys.platform == "win32" and os.environ.get("LOCALAPPDATA"):
        return Path(os.environ["LOCALAPPDATA"], "adjudge", "cache")
    try:
        home = Path.home()
    except RuntimeError:
        return None
    return home / ("Library/Caches" if sys.platform == "darwin" else ".cache") / "adjudge"


PATIENCE = 1.0
"""Seconds of work before anything is shown."""


@contextmanager
def progress(*, quiet: bool, cache: bool = True, **options: Any) -> Iterator[Progress | None]:
    """A function to report progress to, or None where nobody would see it; `options` are those of the workspace.

    A table of paraphrases that is compiled meanwhile, deep inside a metric, is reported too, and so is what parsers,
    models and judges do; they use the command's workspace.
    """
    unkept: list[str] = []
    with _bar(quiet=quiet) as bar, _tables_watched(bar, unkept):
        update = None if bar is None else bar.update
        with within_workspace(update, quiet=quiet, cache=cache, **options):
            yield update
    warn(unkept, quiet=quiet)


@contextmanager
def _tables_watched(bar: _LateBar | None, unkept: list[str]) -> Iterator[None]:
    from adjudge.text import paraphrases

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
