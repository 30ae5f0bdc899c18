"""What differences are worth: how often people agree with one of a size, fitted to your data."""

from __future__ import annotations

import click

from adjudge.cli import _options, _outputs, _show
from adjudge.cli.meta._folders import read_folders


@click.command("fit-differences", short_help="How often people agree with differences, fitted to your data.")
@click.argument("tables", metavar="FILE...", nargs=-1, required=True)
@click.option(
    "--name",
    metavar="NAME",
    default="your",
    help="What sentences call the data, as in: on test sets like those of WMT.",
)
@click.option("--gold", metavar="NAME", help="The scores of people, where a FILE is a folder with several.")
@click.option(
    "-l",
    "--language",
    "languages",
    metavar="PAIR",
    multiple=True,
    help="A language pair of a folder that has several; may be repeated.",
)
@click.option(
    "--lower-is-better",
    "lower",
    metavar="NAME",
    multiple=True,
    help="The smaller the better, by this metric; adjudge's own are known.",
)
@click.option(
    "--like",
    "like",
    metavar="NAME=OTHER",
    multiple=True,
    help="Take OTHER's curve in proportion for a metric with fewer test sets; may be repeated.",
)
@_options.format_option((*_options.FORMATS, "html"))
@_outputs.output_option(
    "-o",
    "--output",
    metavar="FILE.json",
    holds=("json",),
    help="Write the curves to a file, for compare --differences.",
)
@_options.quiet_option
def command(
    *,
    tables: tuple[str, ...],
    name: str,
    gold: str | None,
    languages: tuple[str, ...],
    lower: tuple[str, ...],
    like: tuple[str, ...],
    form: str,
    output: str | None,
    quiet: bool,
) -> None:
    """How often people agree with differences, fitted to your data.

    A FILE has one row per system: test_set, year, language, system, human (more is better) and a column per metric. A
    folder in mt-metrics-eval's layout is a test set. `adjudge meta --fit-differences` is the same command.

    \b
    adjudge meta --fit-differences systems.tsv --name WMT -o differences.json
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
    fitted = fit_differences(test_sets, name=name, lower=lower, like=likes, made_by=made_by)
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
