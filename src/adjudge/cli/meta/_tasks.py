"""The tasks that a command line asks for."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeVar

import click

from adjudge.errors import UsageError

if TYPE_CHECKING:
    from adjudge.meta.task import Task

Command = TypeVar("Command", bound=Callable[..., Any])

_TASKS = (
    click.option("--gold", metavar="NAME", help="The scores of people to hold metrics against, as in mqm."),
    click.option(
        "--tasks", "task_file", metavar="FILE.toml", help="Which tasks to run, in place of the usual ones."
    ),
    click.option("--level", metavar="LEVEL", help="One task: segment, document or system."),
    click.option(
        "--correlation", metavar="NAME", help="One task: pearson, spearman, kendall, acc_eq, spa, ..."
    ),
    click.option("--group", "grouping", metavar="GROUP", help="One task: none, item or system."),
    click.option("--exclude", metavar="SYSTEM", multiple=True, help="Leave a system out."),
    click.option(
        "--without-outliers",
        is_flag=True,
        help="Leave out systems that people found far better or worse than most.",
    ),
    click.option("--humans", is_flag=True, help="Count references that were judged as systems."),
)


def task_options(command: Command) -> Command:
    """What `tasks_of` takes."""
    for option in reversed(_TASKS):
        command = option(command)
    return command


def tasks_of(
    usual: Callable[[str], Sequence[Task]],
    known: Sequence[str],
    *,
    gold: str | None,
    task_file: str | None,
    level: str | None,
    correlation: str | None,
    grouping: str | None,
    exclude: tuple[str, ...],
    without_outliers: bool,
    humans: bool,
) -> list[Task]:
    """The tasks of a file, the one that options describe, or the usual ones for the scores of people."""
    from adjudge.meta.task import Task
    from adjudge.meta.task_file import read_tasks

    kind = {"level": level, "correlation": correlation, "grouping": grouping}
    chosen = {name: value for name, value in kind.items() if value}
    if task_file is not None:
        if gold is not None or chosen:
            raise UsageError("--tasks says all of it: leave --gold, --level, --correlation and --group out")
        tasks = list(read_tasks(task_file))
    else:
        if gold is None and not known:
            raise UsageError("say which measure metrics are held against: --gold NAME")
        if gold is None and len(known) > 1:
            raise UsageError(f"several people's scores are there, say which with --gold: {', '.join(known)}")
        name = gold or known[0]
        tasks = [Task(name, **chosen)] if chosen else list(usual(name))  # type: ignore[arg-type]
    return [
        replace(
            task,
            excluded=(*task.excluded, *exclude),
            outliers=task.outliers and not without_outliers,
            humans=task.humans or humans,
        )
        for task in tasks
    ]
