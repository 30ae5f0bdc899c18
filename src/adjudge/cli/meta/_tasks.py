"""The tasks that a command line asks for."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from adjudge.cli import _options
from adjudge.errors import UsageError

if TYPE_CHECKING:
    from adjudge.meta.task import Task

task_options = _options.joined(
    _options.options("gold", "tasks"),
    _options.option("level", "One task: segment, document or system."),
    _options.option("correlation", "Or acc_eq, spa, …; one task."),
    _options.option("grouping", "One task."),
    _options.option("exclude", repeated=True),
    _options.options("without_outliers", "humans"),
)
"""What `tasks_of` takes."""


def tasks_of(
    usual: Callable[[str], Sequence[Task]],
    known: Sequence[str],
    *,
    gold: str | None,
    tasks: str | None,
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
    if tasks is not None:
        if gold is not None or chosen:
            raise UsageError(
                "--tasks says all of it: leave --gold, --level, --correlation and --grouping out"
            )
        chosen_tasks = list(read_tasks(tasks))
    else:
        if gold is None and not known:
            raise UsageError("say which measure metrics are held against: --gold NAME")
        if gold is None and len(known) > 1:
            raise UsageError(f"several people's scores are there, say which with --gold: {', '.join(known)}")
        name = gold or known[0]
        chosen_tasks = [Task(name, **chosen)] if chosen else list(usual(name))  # type: ignore[arg-type]
    return [
        replace(
            task,
            excluded=(*task.excluded, *exclude),
            outliers=task.outliers and not without_outliers,
            humans=task.humans or humans,
        )
        for task in chosen_tasks
    ]
