"""What differences are worth: how often people agree with one of a size, fitted to your data."""

from __future__ import annotations

import click

from adjudge.cli import _options, _outputs, _show
from adjudge.cli.meta._folders import read_folders


@click.command("fit-differences", short_help="How often people agree with differences, fitted to your data.")
@click.argument("tables", metavar="FILE...", nargs=-1, required=True)
@_options.keywords(
    gold="Where a FILE is a folder with several.",
    languages="Of a folder that has several; may be repeated.",
    lower_metrics="Adjudge's own are known.",
)
@_options.format_option(_options.PAGES)
@_options.output_option("output", "For compare --differences.", holds=("json",), metavar="FILE.json")
def command(
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
    from adjudge.meta.differences import fit_differences
    from adjudge.report.render.json import json_text
    from adjudge.report.results.differences import forms

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
        _show.show(forms(fitted, version=__version__, inputs=inputs), form)


def _likes(given: tuple[str, ...]) -> dict[str, str]:
    from adjudge.errors import UsageError

    likes = {}
    for text in given:
        name, _, other = text.rpartition("=")
        if not (name and other):
            raise UsageError(f"--like {text}: expected NAME=OTHER, as in --like ter=bleu")
        likes[name] = other
    return likes
