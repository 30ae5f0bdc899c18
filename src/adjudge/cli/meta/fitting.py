"""Commands that fit what scores mean to people: levels and differences."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import click

from adjudge.cli import _options, _outputs, _show
from adjudge.errors import UsageError, unknown_name

if TYPE_CHECKING:
    from adjudge.data.score_tables import MetaSet
    from adjudge.io import Input


@dataclass(frozen=True)
class Folders:
    """What was named: folders that were read, each with the scores of people to take, and other files."""

    meta_sets: tuple[tuple[MetaSet, str], ...]
    inputs: tuple[Input, ...]
    files: tuple[str, ...]


def read_folders(names: Sequence[str], gold: str | None, languages: Sequence[str]) -> Folders:
    """The folders among some names, read; patterns are expanded."""
    from adjudge.io.metric_folders import read_meta_set
    from adjudge.io.names import expand_pattern

    paths = [path for text in names for path in expand_pattern(text)]
    meta_sets: list[tuple[MetaSet, str]] = []
    inputs: list[Input] = []
    for folder in filter(os.path.isdir, paths):
        for language in languages or (None,):
            loaded = read_meta_set(folder, language)
            known = list(loaded.meta_set.gold)
            if gold is None and len(known) > 1:
                raise UsageError(
                    f"{folder} has several people's scores, say which with --gold: {', '.join(known)}"
                )
            if gold is not None and gold not in known:
                raise unknown_name("scores of people", gold, known, f"in {folder}")
            meta_sets.append((loaded.meta_set, gold or known[0]))
            inputs.extend(loaded.inputs)
    return Folders(tuple(meta_sets), tuple(inputs), tuple(path for path in paths if not os.path.isdir(path)))


@click.command(
    "levels", short_help="Which score goes with which judgement: histograms of scores by people's level."
)
@click.argument("files", metavar="FILE...", nargs=-1, required=True)
@_options.keywords(
    gold="Where a FILE is a folder with several.",
    languages="Of a folder that has several; may be repeated.",
    cuts="Of people's levels, and where the last one ends: 0,50,80,100. Default: fifths of the scale.",
)
@_options.format_option(_options.PAGES)
@_options.output_option("output", "For score --levels.", holds=("json",), metavar="FILE.json")
def levels_command(
    *,
    files: tuple[str, ...],
    data_name: str = "your",
    gold: str | None = None,
    languages: tuple[str, ...] = (),
    cuts: tuple[float, ...] | None = None,
    form: str,
    output: str | None,
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
    from adjudge.report.render.json import json_text

    folders = read_folders(files, gold, languages)
    test_sets = [of_judged_cells(meta_set, people) for meta_set, people in folders.meta_sets]
    inputs = list(folders.inputs)
    if folders.files:
        loaded = read_scored_segments(folders.files)
        test_sets, inputs = [*test_sets, *loaded.test_sets], [*inputs, *loaded.inputs]
    _outputs.check_not_read(inputs)
    made_by = f"adjudge {__version__}, adjudge meta levels"
    fitted = fit_levels(test_sets, name=data_name, cuts=cuts or (), made_by=made_by)
    if output is not None:
        _outputs.write(output, json_text(document(fitted)).encode())
    else:
        declared = LevelDisplay(fitted, __version__, inputs)
        _show.show(renderer_of(declared, version=__version__, inputs=inputs), form)


@click.command(
    "fit-differences",
    short_help="What differences are worth: how often people agree with one of a size, fitted to your data.",
)
@click.argument("tables", metavar="FILE...", nargs=-1, required=True)
@_options.keywords(
    gold="Where a FILE is a folder with several.",
    languages="Of a folder that has several; may be repeated.",
    lower_metrics="Adjudge's own are known.",
)
@_options.format_option(_options.PAGES)
@_options.output_option("output", "For compare --differences.", holds=("json",), metavar="FILE.json")
def fit_differences_command(
    *,
    tables: tuple[str, ...],
    data_name: str = "your",
    gold: str | None = None,
    languages: tuple[str, ...] = (),
    lower_metrics: tuple[str, ...] = (),
    like: tuple[str, ...] = (),
    form: str,
    output: str | None,
    quiet: bool = False,
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
    from adjudge.report.render.json import json_text

    likes = _likes(like)
    folders = read_folders(tables, gold, languages)
    test_sets = [of_meta_set(meta_set, people) for meta_set, people in folders.meta_sets]
    inputs = list(folders.inputs)
    if folders.files:
        loaded = read_system_scores(folders.files)
        test_sets, inputs = [*test_sets, *loaded.test_sets], [*inputs, *loaded.inputs]
    _outputs.check_not_read(inputs)
    made_by = f"adjudge {__version__}, adjudge meta --fit-differences"
    fitted = fit_differences(test_sets, name=data_name, lower=lower_metrics, like=likes, made_by=made_by)
    _show.warn(fitted.missing, quiet=quiet)
    if output is not None:
        _outputs.write(output, json_text(document(fitted)).encode())
    else:
        declared = DifferenceDisplay(fitted, __version__, inputs)
        _show.show(renderer_of(declared, version=__version__, inputs=inputs), form)


def _likes(given: tuple[str, ...]) -> dict[str, str]:
    from adjudge.errors import UsageError

    likes = {}
    for text in given:
        name, _, other = text.rpartition("=")
        if not (name and other):
            raise UsageError(f"--like {text}: expected NAME=OTHER, as in --like ter=bleu")
        likes[name] = other
    return likes
