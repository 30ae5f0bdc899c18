"""How well metrics agree with people: correlations, accuracies, and which metric is better."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import click

from adjudge.cli import _options, _show
from adjudge.cli._workspace import model_options
from adjudge.cli.meta import _scores, _tasks
from adjudge.errors import UsageError

STRUCTURE = ("trees", "pseudo_references", "back_translations", *_options.PROGRAMS)

if TYPE_CHECKING:
    from adjudge.data.score_tables import MetaSet
    from adjudge.meta.pictures import Pictures
    from adjudge.meta.settings import RunSettings
    from adjudge.meta.shared_task import SharedTaskResult
    from adjudge.meta.task import Task
    from adjudge.report.render.formats import Forms


@click.command("run", short_help="How well metrics agree with people.")
@click.argument("folder", metavar="FOLDER")
@_tasks.task_options
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
def command(
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
    from adjudge.meta.settings import RunSettings

    if matr and tskm:
        raise UsageError("--matr and --tskm are two tables: ask for one of them")
    interval = interval or ("fisher" if matr else "bootstrap")
    test = "none" if matr or tskm else test
    settings = RunSettings(interval, test, swap, correction, draws, seed=seed)
    layout = "matr" if matr else "tskm" if tskm else ""
    forms, notes = _run(folder, layout, settings, not no_sentinels, quiet, others)
    _show.warn(notes, quiet=quiet)
    _show.show(forms, form, output)


def _run(
    folder: str, layout: str, settings: RunSettings, sentinels: bool, quiet: bool, options: dict[str, Any]
) -> tuple[Forms, tuple[str, ...]]:
    """The result in every format, and what a reader should know of it."""
    from adjudge import __version__
    from adjudge.cli._progress import progress
    from adjudge.meta.layouts import matr_tasks, tskm_tasks
    from adjudge.meta.shared_task import run_shared_task, usual_tasks
    from adjudge.report.results.meta import forms

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
        tasks = _tasks.tasks_of(usual, known, **options)
        for data in dict.fromkeys(task.data for task in tasks if task.data not in sets):
            read(data, [task.gold for task in tasks if task.data == data])
        meta_sets = {data: scores.meta_set for data, scores in sets.items()}
        result = run_shared_task(meta_sets, tasks, settings, progress=bar)
    specs = [] if layout == "tskm" else _options.metric_specs(files["metrics"])
    shown = forms(
        result,
        meta_sets[tasks[0].data],
        layout=layout,
        pictures=lambda: _pictures(result, sets, specs),
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
