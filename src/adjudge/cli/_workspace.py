"""What a command lets metrics, models and judges use: the user's cache, the progress bar, a device, a budget."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from adjudge import workspace
from adjudge.cli._options import Decorator, joined, option
from adjudge.cli._show import show_text, warn
from adjudge.errors import UsageError
from adjudge.wording import counted

if TYPE_CHECKING:
    from adjudge.engine.cache import RowCache


def row_cache(cache: bool = True) -> RowCache | None:
    """The cache of this user, None where there is to be none or no place for it; compiled tables follow it."""
    folder = keep_tables(cache)
    if folder is None:
        return None
    from adjudge.engine.cache import RowCache

    made = RowCache(folder / "rows")
    context = click.get_current_context(silent=True)
    if context is not None:
        quiet = bool(context.params.get("quiet"))
        context.call_on_close(lambda: warn(made.notes, quiet=quiet))
    return made


def keep_tables(cache: bool = True) -> Path | None:
    """Let compiled tables lie in this user's cache, which is returned: for commands that keep no rows."""
    from adjudge.text import paraphrases

    folder = cache_folder() if cache else None
    paraphrases.keep_in(folder)
    return folder


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


META = "adjudge.workspace"
KEY_VARIABLE = "ADJUDGE_KEY"


def _keep(context: click.Context, option: click.Parameter, value: Any) -> Any:
    """Put a value where `within_workspace` looks for it, so that commands need not pass it on."""
    context.meta.setdefault(META, {})[option.name] = value
    return value


def _kept(name: str, **facts: Any) -> Decorator:
    return option(name, expose_value=False, callback=_keep, **facts)


model_options = joined(
    _kept("allow_download"),
    _kept("device", default="cpu"),
    _kept("batch_size", default=32),
    _kept("max_requests"),
    _kept("dry_run", remark="Of a language model: how many requests it would get."),
    _kept("concurrency", default=8),
    _kept("key_variable", default=KEY_VARIABLE),
    _kept("time_limit", default=600.0),
)
"""The options of metrics that use models, programs or services; `within_workspace` reads them."""
allow_programs_option = _kept("allow_programs")


def programs_allowed() -> bool:
    """Whether --allow-programs was typed."""
    return bool(click.get_current_context().meta.get(META, {}).get("allow_programs"))


@contextmanager
def within_workspace(progress: Callable[[str, int, int], None] | None) -> Iterator[None]:
    """Let the block use what the command's options say; notes that no result holds are shown at its end."""
    from adjudge.io.content_store import ContentStore

    context = click.get_current_context(silent=True)
    options: dict[str, Any] = {} if context is None else dict(context.meta.get(META, {}))
    params: dict[str, Any] = {} if context is None else context.params
    folder = cache_folder() if params.get("cache", True) else None
    store = None if folder is None else ContentStore(folder)
    options["key"] = _key(options.pop("key_variable", KEY_VARIABLE))
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
    warn([*used.notes, *(store.notes if store is not None else ())], quiet=bool(params.get("quiet")))


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
    known = f"; {counted(usage.known, 'answer')} known already" if usage.known else ""
    tokens = f", about {counted(usage.tokens, 'token')} of questions{answers}" if usage.requests else ""
    show_text(f"dry run: {counted(usage.requests, 'request')} would be made{tokens}{known}\n")
