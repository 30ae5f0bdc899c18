"""Test which system is better, and say what may be claimed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from adjudge.cli import _cache, _options, _save, _show
from adjudge.errors import UsageError, unknown_name

if TYPE_CHECKING:
    from adjudge.evaluate import Comparison
    from adjudge.evaluate.documents import Arguments
    from adjudge.io import Input

TABLES = ("results", "pairs")


def _testing_options(command: _options.Command) -> _options.Command:
    """How differences are tested; each is a keyword of `adjudge.compare`."""
    options = (
        click.option("--baseline", metavar="SYSTEM", help="Test the others against this system only."),
        click.option(
            "--test",
            "method",
            metavar="NAME",
            default="randomisation",
            show_default=True,
            help="randomisation (paired, approximate) or bootstrap.",
        ),
        click.option(
            "--trials",
            metavar="N",
            type=_options.Whole(1),
            help="Trials behind each p. Default: 10000, or more where the correction needs them.",
        ),
        click.option(
            "--resamples",
            metavar="N",
            type=_options.Whole(1),
            help="Resamples behind intervals and ranks. Default: 1000.",
        ),
        click.option(
            "--sampling",
            metavar="NAME",
            default="bootstrap",
            show_default=True,
            help="bootstrap (n of n with replacement) or half (half of them without).",
        ),
        click.option(
            "--interval",
            metavar="NAME",
            default="percentile",
            show_default=True,
            help="Kind of intervals: percentile or basic.",
        ),
        click.option(
            "--level", metavar="X", type=float, default=0.95, show_default=True, help="Level of intervals."
        ),
        click.option(
            "--seed",
            metavar="N",
            type=_options.Whole(0),
            default=12345,
            show_default=True,
            help="Seed of the random numbers.",
        ),
        click.option(
            "--unit",
            metavar="LABEL",
            default="segment",
            show_default=True,
            help="What is drawn: segment, document or any label's groups.",
        ),
        click.option("--strata", metavar="LABEL", help="Draw within the groups of this label."),
        click.option(
            "--correction",
            metavar="NAME",
            default="holm",
            show_default=True,
            help="For many comparisons: holm, bh (Benjamini-Hochberg) or none.",
        ),
        click.option(
            "--alpha", metavar="X", type=float, default=0.05, show_default=True, help="Level of significance."
        ),
        click.option(
            "--by",
            metavar="LABEL",
            multiple=True,
            help="The same for each document, domain, origin, length or other label; repeated: crossed.",
        ),
    )
    for option in reversed(options):
        command = option(command)
    return command


def _table(context: click.Context, parameter: click.Parameter, value: str) -> str:
    if value not in TABLES:
        raise unknown_name("table", value, TABLES)
    return value


@click.command("compare", short_help="Test which system is better, and say what may be claimed.")
@_options.file_options
@_options.metric_option("bleu, chrf and ter")
@_testing_options
@_options.format_option()
@click.option(
    "--table",
    metavar="NAME",
    default="results",
    show_default=True,
    callback=_table,
    help="What -f tsv writes: results or pairs.",
)
@_options.output_option
@_options.save_option
@_options.width_option
@_options.threads_option
@_cache.cache_option
@_options.quiet_option
def command(
    *,
    systems: tuple[str, ...],
    metrics: tuple[str, ...],
    form: str,
    table: str,
    output: str | None,
    save: str | None,
    decimals: int | None,
    threads: int,
    caching: bool,
    quiet: bool,
    references: tuple[str, ...],
    source: str | None,
    test_set: str | None,
    labels: str | None,
    language: str | None,
    input_format: str | None,
    **testing: Any,
) -> None:
    """Test which system is better, and say what may be claimed.

    Scores with intervals, clusters and ranks, every pair of systems with a p-value, and in plain words what
    the test set shows and what it does not. Files are given as to `adjudge score`.

    \b
    adjudge compare -r reference.en systems/*.en
    adjudge compare -r reference.en --baseline old old.en new.en newer.en
    adjudge compare -r reference.en -L labels.tsv --unit document --by domain systems/*.en
    """
    from adjudge import evaluate
    from adjudge import metrics as registry
    from adjudge.cli._progress import progress

    _show.check_writable(output)
    _show.check_writable(save)
    if table != "results" and form != "tsv":
        raise UsageError(f"--table {table} is for -f tsv; the other formats show both tables")
    chosen = list(map(registry.metric, _options.metric_specs(metrics) or evaluate.DEFAULT_METRICS))
    evaluate.Plan(**testing)  # what cannot be done is refused before anything is read
    files = {
        "references": references,
        "source": source,
        "test_set": test_set,
        "labels": labels,
        "language": language,
        "input_format": input_format,
    }
    _options.check_files(systems, doing="compare", **files)  # type: ignore[arg-type]
    with progress(quiet=quiet) as report_progress:
        loaded = _options.load_files(systems, doing="compare", **files)
        evaluate.check_systems([output.system for output in loaded.outputs], testing["baseline"])
        work: dict[str, Any] = {"threads": threads, "progress": report_progress}
        cache = _cache.row_cache(caching)
        measured = evaluate.measure(loaded.test_set, loaded.outputs, chosen, cache=cache, **work)
        comparison = evaluate.compare_measured(
            measured,
            evaluate.facts_of(loaded.test_set),
            evaluate.labels_of(loaded.test_set, testing["by"]),
            **work,
            **testing,
        )
    # Where claims are shown, they say what a comparison warns of.
    own = () if form in ("text", "markdown") else comparison.warnings
    _show.warn((*loaded.notes, *own), quiet=quiet)
    comparison = replace(comparison, warnings=(*loaded.notes, *comparison.warnings))
    options = {name: value for name, value in testing.items() if value not in (None, ())}
    arguments = _options.arguments(systems, [metric.spec for metric in chosen], options, **files)
    if save is not None:
        _save.save_comparison(save, comparison, measured, loaded, arguments)
    _report(comparison, loaded.inputs, arguments, form, table, output, decimals)


def _report(
    comparison: Comparison,
    inputs: Sequence[Input],
    arguments: Arguments,
    form: str,
    table: str,
    output: str | None,
    decimals: int | None,
) -> None:
    from adjudge import __version__
    from adjudge.report import comparison as report

    if form == "text":
        _show.show_lines(
            lambda width, rule: report.text_lines(comparison, decimals=decimals, width=width, rule=rule),
            output,
        )
    elif form == "json":
        text = report.as_json(comparison, version=__version__, inputs=inputs, arguments=arguments)
        _show.show_text(text, output)
    elif form == "tsv":
        _show.show_text(report.as_tsv(comparison, decimals=decimals, table=table), output)
    else:
        render = {"markdown": report.as_markdown, "latex": report.as_latex}[form]
        _show.show_text(render(comparison, decimals=decimals), output)
