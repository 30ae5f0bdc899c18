"""How well metrics agree with people: correlations, accuracies, and which metric is better."""

from __future__ import annotations

from typing import Any

import click

from adjudge.cli import _options, _show
from adjudge.cli._workspace import model_options
from adjudge.cli.meta import _scores, _tasks
from adjudge.errors import UsageError


@click.command("run", short_help="How well metrics agree with people.")
@click.argument("folder", metavar="FOLDER")
@_tasks.task_options
@_scores.score_options
@click.option("--no-sentinels", is_flag=True, help="Without what measures length or likeness to the source.")
@click.option("--matr", is_flag=True, help="The tables of MetricsMATR: rho, tau and r at every level.")
@click.option("--tskm", is_flag=True, help="The table of the kernels' paper: r of every variant of tskm.")
@click.option(
    "--interval", metavar="KIND", help="bootstrap (default), fisher as NIST had it (with --matr), or none."
)
@click.option(
    "--test",
    metavar="KIND",
    default="permutation",
    help="Between metrics: permutation (default), bootstrap, williams or none.",
)
@click.option(
    "--swap",
    metavar="KIND",
    help="What permutations swap: cells, systems, items, or both (systems, then items).",
)
@click.option(
    "--correction",
    metavar="NAME",
    default="holm",
    help="Of the p-values of a task: holm (default), bh or none.",
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
@_options.format_option((*_options.FORMATS, "html"))
@_options.output_option
@model_options
@_options.quiet_option
def command(
    *,
    folder: str,
    metrics: tuple[str, ...],
    references: tuple[str, ...],
    language: str | None,
    caching: bool,
    no_sentinels: bool,
    matr: bool,
    tskm: bool,
    interval: str | None,
    test: str,
    swap: str | None,
    correction: str,
    draws: int,
    seed: int,
    form: str,
    output: str | None,
    quiet: bool,
    **tasks: Any,
) -> None:
    """How well metrics agree with people.

    FOLDER has scores of people and of metrics beside each other, as mt-metrics-eval has them; -m computes metrics on
    its texts. Without --tasks or --level, the four tasks of WMT23 are run: accuracy and Pearson of systems, Pearson
    and accuracy with ties of segments.

    \b
    adjudge meta wmt23 --gold mqm -l en-de
    adjudge meta wmt23 --gold mqm -m bleu,chrf -r refA -o metrics.html
    adjudge meta wmt23 --gold mqm --level segment --correlation acc_eq --group item -f json
    """
    from adjudge import __version__
    from adjudge.cli._progress import progress
    from adjudge.meta.computed import with_sentinels
    from adjudge.meta.layouts import matr_tasks, tskm_tasks, with_tskm
    from adjudge.meta.pictures import pictures_of
    from adjudge.meta.settings import RunSettings
    from adjudge.meta.shared_task import run_shared_task, usual_tasks
    from adjudge.report.meta import forms

    if matr and tskm:
        raise UsageError("--matr and --tskm are two tables: ask for one of them")
    settings = RunSettings(
        interval or ("fisher" if matr else "bootstrap"),
        "none" if matr or tskm else test,
        swap,
        correction,
        draws,
        seed=seed,
    )
    specs = _options.metric_specs(metrics)
    with progress(quiet=quiet) as report_progress:
        scores = _scores.read_scores(
            folder,
            metrics=metrics,
            references=references,
            language=language,
            caching=caching,
            progress=report_progress,
            computed_later=tskm,
        )
        meta_set = scores.meta_set
        if tskm:
            meta_set = with_tskm(meta_set, scores.texts, specs, scores.references)
        elif not no_sentinels:
            meta_set = with_sentinels(meta_set, scores.texts)
        usual = matr_tasks(meta_set) if matr else tskm_tasks if tskm else usual_tasks
        chosen = _tasks.tasks_of(usual, list(meta_set.gold), **tasks)
        result = run_shared_task(meta_set, chosen, settings, progress=report_progress)
    _show.warn(result.notes, quiet=quiet)
    shown = forms(
        result,
        meta_set,
        layout="matr" if matr else "tskm" if tskm else "",
        pictures=lambda: pictures_of(result, meta_set, scores.texts, [] if tskm else specs),
        version=__version__,
        inputs=scores.inputs,
    )
    _show.show(shown, form, output)
