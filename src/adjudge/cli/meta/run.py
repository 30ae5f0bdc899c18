"""How well metrics agree with people: correlations, accuracies, and which metric is better."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from adjudge.cli import _options, _outputs, _show
from adjudge.errors import UsageError

if TYPE_CHECKING:
    from adjudge.meta.task import Task


@click.command("run", short_help="How well metrics agree with people.")
@click.argument("folder", metavar="FOLDER")
@click.option("--gold", metavar="NAME", help="The scores of people to hold metrics against, as in mqm.")
@click.option(
    "--tasks", "task_file", metavar="FILE.toml", help="Which tasks to run, in place of the usual ones."
)
@click.option("--level", metavar="LEVEL", help="One task: segment, document or system.")
@click.option("--correlation", metavar="NAME", help="One task: pearson, spearman, kendall, acc_eq, spa, ...")
@click.option("--group", "grouping", metavar="GROUP", help="One task: none, item or system.")
@click.option("--exclude", metavar="SYSTEM", multiple=True, help="Leave a system out, an outlier say.")
@click.option("--humans", is_flag=True, help="Count references that were judged as systems.")
@click.option(
    "--interval",
    metavar="KIND",
    default="bootstrap",
    help="bootstrap (default), fisher as NIST had it, or none.",
)
@click.option(
    "--draws",
    metavar="N",
    type=_options.Whole(1, 1_000_000),
    default=1000,
    help="Resamples and permutations; 1000 by default.",
)
@click.option(
    "--seed",
    metavar="N",
    type=_options.Whole(0, _options.LARGEST_SEED),
    default=12345,
    help="Of what is drawn; 12345 by default.",
)
@click.option("-l", "--language", metavar="PAIR", help="The language pair, where the folder has several.")
@_options.format_option()
@_options.output_option
@_options.quiet_option
def command(
    *,
    folder: str,
    gold: str | None,
    task_file: str | None,
    level: str | None,
    correlation: str | None,
    grouping: str | None,
    exclude: tuple[str, ...],
    humans: bool,
    interval: str,
    draws: int,
    seed: int,
    language: str | None,
    form: str,
    output: str | None,
    quiet: bool,
) -> None:
    """How well metrics agree with people.

    FOLDER has scores of people and of metrics beside each other, as mt-metrics-eval has them. Without --tasks or
    --level, the four tasks of WMT23 are run: accuracy and Pearson of systems, Pearson and accuracy with ties of
    segments.

    \b
    adjudge meta wmt23 --gold mqm -l en-de
    adjudge meta wmt23 --gold mqm --level segment --correlation acc_eq --group item -f json
    """
    from adjudge import __version__
    from adjudge.cli._progress import progress
    from adjudge.io.metric_scores import read_meta_set
    from adjudge.meta.shared_task import run_shared_task
    from adjudge.report.meta import forms

    with progress(quiet=quiet) as report_progress:
        loaded = read_meta_set(folder, language)
        _outputs.check_not_read(loaded.inputs)
        meta_set = loaded.meta_set
        kind = (level, correlation, grouping)
        tasks = _tasks(gold, task_file, kind, exclude, humans, list(meta_set.gold))
        result = run_shared_task(
            meta_set, tasks, interval=interval, draws=draws, seed=seed, progress=report_progress
        )
    _show.warn(result.notes, quiet=quiet)
    _show.show(forms(result, version=__version__, inputs=loaded.inputs), form, output)


def _tasks(
    gold: str | None,
    task_file: str | None,
    kind: tuple[str | None, str | None, str | None],
    exclude: tuple[str, ...],
    humans: bool,
    known: list[str],
) -> list[Task]:
    """The tasks that were asked for."""
    from dataclasses import replace

    from adjudge.meta.shared_task import usual_tasks
    from adjudge.meta.task import Task
    from adjudge.meta.task_file import read_tasks

    if task_file is not None:
        if gold is not None or any(kind):
            raise UsageError("--tasks says all of it: leave --gold, --level, --correlation and --group out")
        tasks = list(read_tasks(task_file))
    else:
        if gold is None and len(known) > 1:
            raise UsageError(f"several people's scores are there, say which with --gold: {', '.join(known)}")
        chosen = gold or known[0]
        level, correlation, grouping = kind
        if any(kind):
            given = {"level": level, "correlation": correlation, "grouping": grouping}
            tasks = [Task(chosen, **{name: value for name, value in given.items() if value})]  # type: ignore[arg-type]
        else:
            tasks = list(usual_tasks(chosen))
    return [
        replace(task, excluded=(*task.excluded, *exclude), humans=task.humans or humans) for task in tasks
    ]
