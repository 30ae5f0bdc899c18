"""What a command lets parsers, models and judges use: the user's store, the progress bar, a device, a budget."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

import click

from adjudge import workspace
from adjudge.cli._cache import cache_folder
from adjudge.cli._options import Real, Whole
from adjudge.cli._show import show_text, warn
from adjudge.errors import UsageError
from adjudge.wording import counted

Command = TypeVar("Command", bound=Callable[..., Any])

META = "adjudge.workspace"
KEY_VARIABLE = "ADJUDGE_KEY"


def _keep(context: click.Context, option: click.Parameter, value: Any) -> Any:
    """Put a value where `within_workspace` looks for it, so that commands need not pass it on."""
    context.meta.setdefault(META, {})[option.name] = value
    return value


def _option(*names: str, **facts: Any) -> Callable[[Command], Command]:
    return click.option(*names, expose_value=False, callback=_keep, **facts)


_MODELS = (
    _option("--allow-download", is_flag=True, help="Fetch models that are named but not on this machine."),
    _option(
        "--device", metavar="DEVICE", default="cpu", help="Where models run: cpu (default), cuda:0, mps."
    ),
    _option(
        "--batch-size",
        metavar="N",
        type=Whole(1, 65536),
        default=32,
        help="Texts that a model takes at once; 32 by default.",
    ),
    _option("--max-requests", metavar="N", type=Whole(0), help="Requests to a language model, at most."),
    _option(
        "--dry-run", is_flag=True, help="Say how many requests a language model would get, and ask nothing."
    ),
    _option(
        "--concurrency",
        metavar="N",
        type=Whole(1, 1024),
        default=8,
        help="Requests to a language model that are under way at once; 8 by default.",
    ),
    _option(
        "--key-variable",
        metavar="NAME",
        default=KEY_VARIABLE,
        help=f"The environment variable that holds the key of a service; {KEY_VARIABLE} by default.",
    ),
    _option(
        "--time-limit",
        metavar="SECONDS",
        type=Real(0.001, 0.001),
        default=600.0,
        help="How long another program may take for an answer; 600 by default.",
    ),
)


allow_programs_option = _option(
    "--allow-programs",
    is_flag=True,
    help="Run programs and models, and read addresses, that a result or a study names; only for files that you trust.",
)


def programs_allowed() -> bool:
    """Whether --allow-programs was typed."""
    return bool(click.get_current_context().meta.get(META, {}).get("allow_programs"))


def model_options(command: Command) -> Command:
    """The options of metrics that use models, programs or services; `within_workspace` reads them."""
    for option in reversed(_MODELS):
        command = option(command)
    return command


@contextmanager
def within_workspace(progress: Callable[[str, int, int], None] | None) -> Iterator[None]:
    """Let the block use what the command's options say; notes that no result holds are shown at its end."""
    from adjudge.io.content_store import ContentStore

    context = click.get_current_context(silent=True)
    options: dict[str, Any] = {} if context is None else dict(context.meta.get(META, {}))
    params: dict[str, Any] = {} if context is None else context.params
    folder = cache_folder() if params.get("caching", True) else None
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
