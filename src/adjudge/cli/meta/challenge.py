"""Planted errors: how often metrics prefer the good translation to one with an error."""

from __future__ import annotations

import click

from adjudge.cli import _options, _outputs, _show, _workspace
from adjudge.cli._workspace import model_options


@click.command(
    "challenge",
    short_help="Planted errors: how often metrics prefer the good translation to one with an error.",
)
@click.argument("files", metavar="FILE...", nargs=-1, required=True)
@_options.keywords(metrics="May be repeated. Default: bleu, chrf and ter, where the files bring no scores.")
@_options.format_option(_options.PAGES)
@_options.results_option
@model_options
def command(
    *,
    files: tuple[str, ...],
    metrics: tuple[str, ...] = (),
    lower_metrics: tuple[str, ...] = (),
    no_sentinels: bool = False,
    seed: int = 12345,
    form: str,
    output: str | None,
    threads: int = 0,
    cache: bool = True,
    quiet: bool = False,
) -> None:
    """How often metrics prefer the good translation to one with an error.

    A FILE has a row for each pair of translations: source, reference, good, bad, phenomenon, severity (TSV, CSV,
    JSON). DEMETR's and ACES's files are read as they are. Other tools' scores stand in columns NAME-good and NAME-bad.

    \b
    adjudge meta challenge errors.tsv
    adjudge meta challenge -m chrf -m meteor demetr/
    adjudge meta challenge aces.tsv -m chrf -o challenge.html
    """
    from adjudge import __version__
    from adjudge import metrics as registry
    from adjudge.cli._workspace import progress
    from adjudge.comparison import DEFAULT_METRICS
    from adjudge.io.challenges import read_challenges
    from adjudge.io.names import expand_pattern
    from adjudge.meta.challenge import run_challenge
    from adjudge.report.render.formats import renderer_of

    specs = _options.metric_specs(metrics)
    chosen = list(map(registry.metric, dict.fromkeys(specs)))
    with progress(quiet=quiet) as report_progress:
        loaded = read_challenges([path for text in files for path in expand_pattern(text)])
        _outputs.check_not_read(loaded.inputs)
        if not chosen and not loaded.challenge.scores:
            chosen = list(map(registry.metric, DEFAULT_METRICS))
        result = run_challenge(
            loaded.challenge,
            chosen,
            lower=lower_metrics,
            sentinels=not no_sentinels,
            seed=seed,
            cache=_workspace.row_cache(cache),
            threads=threads,
            progress=report_progress,
        )
    _show.show(renderer_of(result, version=__version__, inputs=loaded.inputs), form, output)
