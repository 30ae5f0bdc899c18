"""How well metrics agree with people, and the folder they are kept in."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from adjudge.cli import _options, _outputs, _show
from adjudge.cli._workspace import model_options
from adjudge.cli.meta import _scores
from adjudge.errors import UsageError
from adjudge.wording import pluralise

if TYPE_CHECKING:
    from adjudge.data.score_tables import MetaSet
    from adjudge.meta.pictures import Pictures
    from adjudge.meta.shared_task import SharedTaskResult
    from adjudge.meta.task import RunSettings, Task
    from adjudge.report.render.formats import Renderer


task_options = _options.options(
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
    from adjudge.meta.task import Task, read_tasks

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


STRUCTURE = ("trees", "pseudo_references", "back_translations", *_options.PROGRAMS)


@click.command(
    "run",
    short_help="How well metrics agree with people: correlations, accuracies, and which metric is better.",
)
@click.argument("folder", metavar="FOLDER")
@task_options
@_scores.score_options
@_options.keywords(
    interval="bootstrap (default; at system level, what holds for few systems), fisher as NIST had it (with --matr), "
    "modern, or none.",
    test="Between metrics: permutation, mtme (as mt-metrics-eval has it), bootstrap, williams or none.",
    draws="Many metrics take more permutations by themselves.",
)
@_options.structure_options
@_options.format_option(_options.PAGES)
@_options.results_option
@model_options
def run_command(
    *,
    folder: str,
    no_sentinels: bool = False,
    matr: bool = False,
    tskm: bool = False,
    interval: str | None = None,
    test: str = "permutation",
    swap: str | None = None,
    correction: str = "holm",
    draws: int = 1000,
    seed: int = 12345,
    form: str,
    output: str | None,
    quiet: bool = False,
    **others: Any,
) -> None:
    """How well metrics agree with people.

    FOLDER has scores of people and of metrics beside each other, as mt-metrics-eval has them, or is a table with a row
    for each system and segment; -m computes metrics on its texts. Without --tasks or --level, the four tasks of WMT23
    are run: accuracy and Pearson of systems, Pearson and accuracy with ties of segments.

    \b
    adjudge meta wmt23 --gold mqm -l en-de
    adjudge meta wmt23 --gold mqm -m bleu,chrf -r refA -o metrics.html
    adjudge meta scores.tsv --gold right --level segment --correlation acc_eq --grouping item -f json
    """
    from adjudge.meta.task import RunSettings

    if matr and tskm:
        raise UsageError("--matr and --tskm are two tables: ask for one of them")
    interval = interval or ("fisher" if matr else "bootstrap")
    test = "none" if matr or tskm else test
    settings = RunSettings(interval, test, swap, correction, draws, seed=seed)
    layout = "matr" if matr else "tskm" if tskm else ""
    shown, notes = _run(folder, layout, settings, not no_sentinels, quiet, others)
    _show.warn(notes, quiet=quiet)
    _show.show(shown, form, output)


def _run(
    folder: str, layout: str, settings: RunSettings, sentinels: bool, quiet: bool, options: dict[str, Any]
) -> tuple[Renderer, tuple[str, ...]]:
    """The result in every format, and what a reader should know of it."""
    from adjudge import __version__
    from adjudge.cli._workspace import progress
    from adjudge.meta.layouts import matr_tasks, tskm_tasks
    from adjudge.meta.shared_task import run_shared_task, usual_tasks
    from adjudge.meta.shared_task_display import SharedTaskDisplay
    from adjudge.report.render.formats import renderer_of

    files = {name: options.pop(name) for name in _scores.NAMES}
    structure = {name: options.pop(name) for name in STRUCTURE}
    if any(structure.values()) and layout != "tskm":
        raise UsageError("trees, pseudo-references and translations are read for --tskm alone")
    sets: dict[tuple[str, str], _scores.FolderScores] = {}
    with progress(quiet=quiet) as bar:

        def read(data: tuple[str, str], gold: Sequence[str]) -> MetaSet:
            own = files | {"language": data[1] or files["language"]}
            sets[data] = _scores.scores_of(data[0] or folder, layout, sentinels, structure, gold, bar, own)
            return sets[data].meta_set

        usual: Callable[[str], Sequence[Task]] = tskm_tasks if layout == "tskm" else usual_tasks
        known: list[str] = []
        if options["tasks"] is None:
            first = read(("", ""), [options["gold"]] if options["gold"] else [])
            known, usual = list(first.gold), matr_tasks(first) if layout == "matr" else usual
        tasks = tasks_of(usual, known, **options)
        for data in dict.fromkeys(task.data for task in tasks if task.data not in sets):
            read(data, [task.gold for task in tasks if task.data == data])
        meta_sets = {data: scores.meta_set for data, scores in sets.items()}
        result = run_shared_task(meta_sets, tasks, settings, progress=bar)
    specs = [] if layout == "tskm" else _options.metric_specs(files["metrics"])
    declared = SharedTaskDisplay(
        result, meta_sets[tasks[0].data], layout, lambda: _pictures(result, sets, specs)
    )
    shown = renderer_of(
        declared,
        version=__version__,
        inputs=list(dict.fromkeys(item for scores in sets.values() for item in scores.inputs)),
    )
    return shown, result.notes


def _pictures(
    result: SharedTaskResult, sets: Mapping[tuple[str, str], _scores.FolderScores], specs: Sequence[str]
) -> Pictures:
    """What a page draws beside the tables."""
    from adjudge.meta.pictures import Pictures, reference_pictures, score_pictures

    drawn, left_out = score_pictures(result, {data: scores.meta_set for data, scores in sets.items()})
    references = [reference_pictures(scores.meta_set, scores.texts, specs) for scores in sets.values()]
    return Pictures(drawn, tuple(picture for own in references for picture in own), left_out)


@click.command(
    "export",
    short_help="Write scores and texts as a folder of mt-metrics-eval, with metrics computed here among them.",
)
@click.argument("folder", metavar="FOLDER")
@_outputs.output_argument("target", metavar="NEW")
@_scores.score_options
@_options.keywords(golds="Of a table; may be repeated.")
@model_options
def export_command(
    *, folder: str, target: str, golds: tuple[str, ...] = (), quiet: bool = False, **scores: Any
) -> None:
    """Write the scores and texts of FOLDER to the folder NEW, as mt-metrics-eval has them.

    FOLDER is a folder of another layout, or a table with a row for each system and segment; -m adds metrics.

    \b
    adjudge meta export wmt23 wmt23-more -m chrf -r refA
    adjudge meta export scores.tsv my-set -l en-de --gold right
    """
    from adjudge.cli._workspace import progress
    from adjudge.io.metric_folders import folder_files

    with progress(quiet=quiet) as report_progress:
        read = _scores.read_scores(folder, gold=golds, progress=report_progress, **scores)
    files = folder_files(read.meta_set, read.texts)
    for name, data in files.items():
        path = os.path.join(target, *name.split("/"))
        try:
            os.makedirs(os.path.dirname(path), exist_ok=True)
        except OSError as error:
            raise UsageError(f"cannot write {os.path.dirname(path)}: {error.strerror}") from None
        _outputs.check_file(path)
        _outputs.write(path, data)
    if not quiet:
        _show.say(f"{pluralise(len(files), 'file')} in {target}")
