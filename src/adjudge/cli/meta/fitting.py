"""Commands that fit what scores mean to people: levels and differences."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from adjudge.cli import _outputs
from adjudge.cli._command import subcommand
from adjudge.cli._options import PAGES, argument, format_option, keywords, output_option
from adjudge.cli._run import CommandRun
from adjudge.errors import UsageError

if TYPE_CHECKING:
    from adjudge.data.score_tables import MetaSet
    from adjudge.io import Input
    from adjudge.report.render.formats import Renderer


def _test_sets(
    names: Sequence[str],
    gold: str | None,
    languages: Sequence[str],
    of_folder: Callable[[MetaSet, str], Any],
    read_tables: Callable[[Sequence[str]], Any],
) -> tuple[list[Any], list[Input]]:
    """The test sets in folders and tables, and the files they were read from; patterns are expanded."""
    from adjudge.io.metric_folders import read_judged_folders
    from adjudge.io.names import expand_pattern

    paths = [path for text in names for path in expand_pattern(text)]
    folders = read_judged_folders(list(filter(os.path.isdir, paths)), gold, languages)
    test_sets = [of_folder(loaded.meta_set, people) for loaded, people in folders]
    inputs = [item for loaded, _ in folders for item in loaded.inputs]
    if tables := [path for path in paths if not os.path.isdir(path)]:
        read = read_tables(tables)
        test_sets, inputs = [*test_sets, *read.test_sets], [*inputs, *read.inputs]
    _outputs.check_not_read(inputs)
    return test_sets, inputs


def _show(run: CommandRun, shown: Renderer, document: Mapping[str, Any]) -> None:
    """What was fitted: in a file for other commands, or to be read."""
    from adjudge.report.render.json import json_text

    if run.output is None:
        run.show(shown)
    else:
        run.write(json_text(document))


@subcommand(
    "levels",
    "Which score goes with which judgement: histograms of scores by people's level.",
    argument("files", metavar="FILE...", nargs=-1, required=True),
    keywords(
        gold="Where a FILE is a folder with several.",
        languages="Of a folder that has several; may be repeated.",
        cuts="Of people's levels, and where the last one ends: 0,50,80,100. Default: fifths of the scale.",
    ),
    format_option(PAGES),
    output_option("output", "For score --levels.", holds=("json",), metavar="FILE.json"),
)
def levels_command(
    run: CommandRun,
    *,
    files: tuple[str, ...],
    data_name: str = "your",
    gold: str | None = None,
    languages: tuple[str, ...] = (),
    cuts: tuple[float, ...] | None = None,
) -> None:
    """Which score goes with which judgement of people.

    A FILE has a row an output: test_set, language, segment, human (more is better) and a column a metric. A folder as
    mt-metrics-eval has them is a test set.

    \b
    adjudge meta levels segments.tsv --data-name WMT -o levels.json
    adjudge meta levels wmt23 --gold da-sqm -f html > levels.html
    adjudge score -r reference.en --levels levels.json neural.en
    """
    from adjudge import __version__
    from adjudge.io.score_tables import of_judged_cells, read_scored_segments
    from adjudge.meta.level_display import LevelDisplay
    from adjudge.meta.level_file import document
    from adjudge.meta.levels import fit_levels
    from adjudge.report.render.formats import renderer_of

    test_sets, inputs = _test_sets(files, gold, languages, of_judged_cells, read_scored_segments)
    made_by = f"adjudge {__version__}, adjudge meta levels"
    fitted = fit_levels(test_sets, data_name=data_name, cuts=cuts or (), made_by=made_by)
    declared = LevelDisplay(fitted, __version__, inputs)
    _show(run, renderer_of(declared, version=__version__, inputs=inputs), document(fitted))


@subcommand(
    "fit-differences",
    "What differences are worth: how often people agree with one of a size, fitted to your data.",
    argument("tables", metavar="FILE...", nargs=-1, required=True),
    keywords(
        gold="Where a FILE is a folder with several.",
        languages="Of a folder that has several; may be repeated.",
        lower_metrics="Adjudge's own are known.",
    ),
    "quiet",
    format_option(PAGES),
    output_option("output", "For compare --differences.", holds=("json",), metavar="FILE.json"),
)
def fit_differences_command(
    run: CommandRun,
    *,
    tables: tuple[str, ...],
    data_name: str = "your",
    gold: str | None = None,
    languages: tuple[str, ...] = (),
    lower_metrics: tuple[str, ...] = (),
    like: tuple[str, ...] = (),
) -> None:
    """How often people agree with differences, fitted to your data.

    A FILE has one row per system: test_set, year, language, system, human (more is better) and a column per metric. A
    folder in mt-metrics-eval's layout is a test set. `adjudge meta --fit-differences` is the same command.

    \b
    adjudge meta fit-differences systems.tsv --data-name WMT -o differences.json
    adjudge compare -r reference.en --differences differences.json a.en b.en
    """
    from adjudge import __version__
    from adjudge.io.difference_tables import document
    from adjudge.io.score_tables import of_meta_set, read_system_scores
    from adjudge.meta.difference_display import DifferenceDisplay
    from adjudge.meta.differences import fit_differences
    from adjudge.report.render.formats import renderer_of

    likes = _likes(like)
    test_sets, inputs = _test_sets(tables, gold, languages, of_meta_set, read_system_scores)
    made_by = f"adjudge {__version__}, adjudge meta --fit-differences"
    fitted = fit_differences(
        test_sets, data_name=data_name, lower_metrics=lower_metrics, like=likes, made_by=made_by
    )
    run.warn(fitted.missing)
    declared = DifferenceDisplay(fitted, __version__, inputs)
    _show(run, renderer_of(declared, version=__version__, inputs=inputs), document(fitted))


def _likes(given: tuple[str, ...]) -> dict[str, str]:
    likes = {}
    for text in given:
        name, _, other = text.rpartition("=")
        if not (name and other):
            raise UsageError(f"--like {text}: expected NAME=OTHER, as in --like ter=bleu")
        likes[name] = other
    return likes
