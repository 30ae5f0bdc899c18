"""Which score goes with which judgement: histograms of scores by people's level."""

from __future__ import annotations

import click

from adjudge.cli import _options, _outputs, _show
from adjudge.cli.meta._folders import read_folders


@click.command("levels", short_help="Which score goes with which judgement of people.")
@click.argument("files", metavar="FILE...", nargs=-1, required=True)
@_options.keywords(
    gold="Where a FILE is a folder with several.",
    languages="Of a folder that has several; may be repeated.",
    cuts="Of people's levels, and where the last one ends: 0,50,80,100. Default: fifths of the scale.",
)
@_options.format_option(_options.PAGES)
@_options.output_option("output", "For score --levels.", holds=("json",), metavar="FILE.json")
def command(
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
    from adjudge.meta.level_file import document
    from adjudge.meta.levels import fit_levels
    from adjudge.report.render.json import json_text
    from adjudge.report.results.levels import forms

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
        _show.show(forms(fitted, version=__version__, inputs=inputs), form)
