"""How well metrics agree with people, and the folder they are kept in."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from adjudge.cli import _outputs
from adjudge.cli._command import subcommand
from adjudge.cli._files import metric_specs
from adjudge.cli._options import PAGES, STRUCTURE, argument, format_option, keywords, option, output_argument
from adjudge.cli._run import CommandRun
from adjudge.errors import UsageError
from adjudge.wording import pluralise

if TYPE_CHECKING:
    from adjudge.data.score_tables import MetaSet
    from adjudge.meta.folder_scores import FolderScores
    from adjudge.meta.pictures import Pictures
    from adjudge.meta.shared_task import SharedTaskResult
    from adjudge.meta.task import RunSettings, Task


TASKS = (
    "gold tasks",
    option("level", "One task: segment, document or system."),
    option("correlation", "Or acc_eq, spa, …; one task."),
    option("grouping", "One task."),
    option("exclude", repeated=True),
    "without_outliers humans",
)
"""What `tasks_of` takes."""
ASKED = ("gold", "tasks", "level", "correlation", "grouping", "exclude", "without_outliers", "humans")
"""What these options are called in Python."""


SCORES = (
    option("metrics", "It is computed on the folder's texts; may be repeated."),
    option(
        "references",
        "By its name in the folder; several that are read together with commas between them.",
        metavar="LIST",
    ),
    option("scores", "Of the folder's segments; may be repeated.", repeated=True),
    "lower_metrics",
    option("language", "Where the folder has several."),
    "cache",
)
"""What `read_scores` takes."""


def read_scores(
    folder: str, gold: Sequence[str], options: Mapping[str, Any], *, computed_later: bool = False
) -> FolderScores:
    """The scores that these options name, none of whose files is written over."""
    from adjudge.meta.folder_scores import read_folder_scores

    specs = metric_specs(options["metrics"])
    if options["references"] and not specs:
        raise UsageError("-r says what metrics read that are computed here: name them with -m")
    named = {name: options[name] for name in ("references", "scores", "lower_metrics", "language")}
    read = read_folder_scores(folder, gold=gold, needs_metrics=not (specs or computed_later), **named)
    _outputs.check_not_read(read.inputs)
    return read


@subcommand(
    "run",
    "How well metrics agree with people: correlations, accuracies, and which metric is better.",
    argument("folder", metavar="FOLDER"),
    *TASKS,
    *SCORES,
    keywords(
        interval="bootstrap (default; at system level, what holds for few systems), fisher as NIST had it "
        "(with --matr), modern, or none.",
        test="Between metrics: permutation, mtme (as mt-metrics-eval has it), bootstrap, williams or none.",
        draws="Many metrics take more permutations by themselves.",
    ),
    "quiet structure",
    format_option(PAGES),
    "output models",
)
def run_command(
    run: CommandRun,
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
    _show(run, folder, layout, settings, not no_sentinels, others)


def _show(
    run: CommandRun, folder: str, layout: str, settings: RunSettings, sentinels: bool, options: dict[str, Any]
) -> None:
    """The result in the format that was asked for, and what a reader should know of it."""
    from adjudge import __version__
    from adjudge.meta.layouts import matr_tasks, tskm_tasks
    from adjudge.meta.shared_task import run_shared_task, usual_tasks
    from adjudge.meta.shared_task_display import SharedTaskDisplay
    from adjudge.meta.task import tasks_of
    from adjudge.report.render.formats import renderer_of

    structure = {name: options[name] for name in STRUCTURE}
    if any(structure.values()) and layout != "tskm":
        raise UsageError("trees, pseudo-references and translations are read for --tskm alone")
    specs = metric_specs(options["metrics"])
    sets: dict[tuple[str, str], FolderScores] = {}
    with run.working() as work:

        def read(data: tuple[str, str], gold: Sequence[str]) -> MetaSet:
            language = data[1] or options["language"]
            tskm = layout == "tskm"
            named = {**options, "language": language}
            scores = read_scores(data[0] or folder, gold, named, computed_later=tskm)
            if not tskm:
                scores = scores.computed(specs, cache=work.cache, progress=work.progress)
                if not scores.meta_set.metrics:
                    held = ", ".join(scores.meta_set.gold) or "people"
                    raise UsageError(
                        f"{data[0] or folder}: no metric to hold against {held}; add its column, or -m METRIC, "
                        "--scores FILE"
                    )
            if sentinels:
                scores = scores.with_sentinels()
            sets[data] = scores.with_tskm(specs, language, structure) if tskm else scores
            return sets[data].meta_set

        usual: Callable[[str], Sequence[Task]] = tskm_tasks if layout == "tskm" else usual_tasks
        known: list[str] = []
        if options["tasks"] is None:
            first = read(("", ""), [options["gold"]] if options["gold"] else [])
            known, usual = list(first.gold), matr_tasks(first) if layout == "matr" else usual
        tasks = tasks_of(usual, known, **{name: options[name] for name in ASKED})
        for data in dict.fromkeys(task.data for task in tasks if task.data not in sets):
            read(data, [task.gold for task in tasks if task.data == data])
        meta_sets = {data: scores.meta_set for data, scores in sets.items()}
        result = run_shared_task(meta_sets, tasks, settings, progress=work.progress)
    run.warn(result.notes)
    pictured = [] if layout == "tskm" else specs
    declared = SharedTaskDisplay(
        result, meta_sets[tasks[0].data], layout, lambda: _pictures(result, sets, pictured)
    )
    shown = renderer_of(
        declared,
        version=__version__,
        inputs=list(dict.fromkeys(item for scores in sets.values() for item in scores.inputs)),
    )
    run.show(shown)


def _pictures(
    result: SharedTaskResult, sets: Mapping[tuple[str, str], FolderScores], specs: Sequence[str]
) -> Pictures:
    """What a page draws beside the tables."""
    from adjudge.meta.pictures import Pictures, reference_pictures, score_pictures

    drawn, left_out = score_pictures(result, {data: scores.meta_set for data, scores in sets.items()})
    references = [reference_pictures(scores.meta_set, scores.texts, specs) for scores in sets.values()]
    return Pictures(drawn, tuple(picture for reference in references for picture in reference), left_out)


@subcommand(
    "export",
    "Write scores and texts as a folder of mt-metrics-eval, with metrics computed here among them.",
    argument("folder", metavar="FOLDER"),
    output_argument("target", metavar="NEW"),
    *SCORES,
    keywords(golds="Of a table; may be repeated."),
    "quiet models",
)
def export_command(
    run: CommandRun, *, folder: str, target: str, golds: tuple[str, ...] = (), **scores: Any
) -> None:
    """Write the scores and texts of FOLDER to the folder NEW, as mt-metrics-eval has them.

    FOLDER is a folder of another layout, or a table with a row for each system and segment; -m adds metrics.

    \b
    adjudge meta export wmt23 wmt23-more -m chrf -r refA
    adjudge meta export scores.tsv my-set -l en-de --gold right
    """
    from adjudge.io.metric_folders import folder_files

    with run.working() as work:
        read = read_scores(folder, golds, scores)
        read = read.computed(metric_specs(scores["metrics"]), cache=work.cache, progress=work.progress)
    files = folder_files(read.meta_set, read.texts)
    _outputs.write_folder(target, files)
    run.say(f"{pluralise(len(files), 'file')} in {target}")
