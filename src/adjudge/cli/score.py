"""Score systems with one or more metrics."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from adjudge.cli import _show
from adjudge.errors import UsageError, unknown_name

if TYPE_CHECKING:
    from adjudge.evaluate import Scores
    from adjudge.io import Input

FORMATS = ("text", "json", "tsv", "markdown", "latex")


def _format(context: click.Context, parameter: click.Parameter, value: str) -> str:
    if value not in FORMATS:
        raise unknown_name("format", value, FORMATS)
    return value


class Whole(click.IntRange):
    """A whole number in a range, called so in messages."""

    name = "whole number"


@click.command("score", short_help="Score systems with one or more metrics.")
@click.argument("systems", metavar="SYS...", nargs=-1)
@click.option(
    "-r", "--reference", "references", metavar="FILE", multiple=True, help="A reference; may be repeated."
)
@click.option("-s", "--source", metavar="FILE", help="The source, for metrics that read it.")
@click.option("-t", "--test-set", metavar="FILE", help="One file with references and, perhaps, systems.")
@click.option("-L", "--labels", metavar="TSV", help="Document, domain and other labels of the segments.")
@click.option("-l", "--language", metavar="LANG", help="The language pair (en-de) or the target language.")
@click.option("--input-format", metavar="FORMAT", help="The format of all files, where names do not tell it.")
@click.option(
    "-m",
    "--metric",
    "metrics",
    metavar="METRIC",
    multiple=True,
    help="A metric, as in 'bleu(tokenize=intl)', may be repeated; --list shows all. Default: bleu, chrf and ter.",
)
@click.option("--segments", is_flag=True, help="Score every segment as well.")
@click.option("--sort", metavar="METRIC", help="Put the best system by this metric first.")
@click.option(
    "-f",
    "--format",
    "form",
    metavar="FORMAT",
    default="text",
    callback=_format,
    help=f"How results are shown: {', '.join(FORMATS)}.",
)
@click.option("-o", "--output", metavar="FILE", help="Write results to a file instead of stdout.")
@click.option(
    "-w", "--width", "decimals", metavar="N", type=Whole(0, 15), help="Decimals of the scores shown."
)
@click.option(
    "--threads",
    metavar="N",
    type=Whole(0),
    default=0,
    help="Threads to use; 0, the default: one a core.",
)
@click.option("--list", "listing", is_flag=True, help="Show all metrics and their options (or those of -m).")
@click.option("-q", "--quiet", is_flag=True, help="No warnings and no progress on stderr.")
def command(
    *,
    systems: tuple[str, ...],
    metrics: tuple[str, ...],
    form: str,
    output: str | None,
    decimals: int | None,
    listing: bool,
    sort: str | None,
    quiet: bool,
    segments: bool,
    threads: int,
    **files: Any,
) -> None:
    """Score systems with one or more metrics.

    Every SYS is a file with a system's output, one segment a line, or NAME=FILE to name the system; - is
    stdin. FILE.run1.en, FILE.run2.en, ... are training runs of one system.

    \b
    adjudge score -r reference.en neural.en rulebased.en
    adjudge score -r reference.en -m bleu -m 'chrf(word_order=2)' systems/*.en
    adjudge score -r reference.en --segments -f tsv neural.en > segments.tsv
    """
    from adjudge import metrics as registry

    _show.check_writable(output)
    specs = [spec for given in metrics for spec in registry.split(given) or [given]]
    if listing:
        _list(specs, form, output)
        return

    from adjudge import evaluate, io
    from adjudge.cli._progress import progress

    chosen = list(map(registry.metric, specs or evaluate.DEFAULT_METRICS))
    sorter = evaluate.sort_metric(sort, chosen) if sort is not None else None
    _check_files(systems, **files)
    with progress(quiet=quiet) as report_progress:
        loaded = io.load(systems=systems, stdin=sys.stdin.buffer if sys.stdin is not None else None, **files)
        if not loaded.outputs:
            raise UsageError(f"{files['test_set']} holds no system output to score: -t FILE SYS...")
        scores = evaluate.score(
            loaded.test_set,
            loaded.outputs,
            chosen,
            segments=segments,
            threads=threads,
            progress=report_progress,
        )
    scores = replace(scores, warnings=(*loaded.notes, *scores.warnings))
    if sorter is not None:
        scores = scores.sorted_by(sorter.spec)
    _show.warn(scores.warnings, quiet=quiet)
    _report(scores, loaded.inputs, form, output, decimals)


def _check_files(
    systems: tuple[str, ...],
    *,
    references: tuple[str, ...],
    source: str | None,
    test_set: str | None,
    **others: str | None,
) -> None:
    from adjudge.metrics import names

    for system in systems:
        if system.lower() in names() and not os.path.exists(system):
            raise UsageError(
                f"{system} is a metric, but a file was expected; -m for each: -m bleu -m {system}"
            )
    if not systems and test_set is None:
        raise UsageError("no system output to score: adjudge score -r REFERENCE SYS... (- is stdin)")
    if not references and source is None and test_set is None:
        raise UsageError("no reference to score against: -r FILE, or -t FILE for a test set in one file")


def _report(
    scores: Scores, inputs: Sequence[Input], form: str, output: str | None, decimals: int | None
) -> None:
    from adjudge import __version__
    from adjudge.report import score as report

    if form == "text":
        _show.show_lines(
            lambda width, rule: report.text_lines(scores, decimals=decimals, width=width, rule=rule), output
        )
    elif form == "json":
        _show.show_text(report.as_json(scores, version=__version__, inputs=inputs), output)
    else:
        renders = {"tsv": report.as_tsv, "markdown": report.as_markdown, "latex": report.as_latex}
        _show.show_text(renders[form](scores, decimals=decimals), output)


def _list(specs: list[str], form: str, output: str | None) -> None:
    from adjudge import __version__, metrics
    from adjudge.metrics.catalogue import describe
    from adjudge.report import catalogue
    from adjudge.text import tokenizers

    everything = [kind for _, kind in sorted(metrics.registry().items())]
    kinds = list(dict.fromkeys(type(metrics.metric(spec)) for spec in specs)) or everything
    described = [describe(kind) for kind in kinds]
    tokens = (*tokenizers.CORE, *tokenizers.PYTHON)
    if form == "text":
        _show.show_lines(lambda width, rule: catalogue.text_lines(described, tokens, width=width), output)
    elif form == "json":
        _show.show_text(catalogue.as_json(described, tokens, version=__version__), output)
    else:
        render = {"tsv": catalogue.as_tsv, "markdown": catalogue.as_markdown, "latex": catalogue.as_latex}[
            form
        ]
        _show.show_text(render(described), output)
