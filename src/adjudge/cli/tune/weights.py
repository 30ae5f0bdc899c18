"""Fit the weights of a model's features on n-best lists (MERT)."""

from __future__ import annotations

from shlex import quote
from typing import TYPE_CHECKING, Any

import click

from adjudge.cli import _options, _outputs, _show
from adjudge.cli._workspace import model_options
from adjudge.cli.rerank import load_nbest, nbest_options

if TYPE_CHECKING:
    from collections.abc import Sequence

    from adjudge.io import Input
    from adjudge.tuning.weights import WeightFit


@click.command("weights", short_help="Fit the weights of a model's features on n-best lists (MERT).")
@nbest_options
@click.option(
    "-m",
    "--metric",
    metavar="METRIC",
    default="bleu",
    show_default=True,
    help="What the chosen hypotheses are to score best by, as in 'chrf' or 'bleu(tokenize=intl)'.",
)
@click.option("--start", metavar="FILE", help="Weights to start from; without it all begin alike.")
@click.option(
    "--held-out",
    metavar="FILE",
    help="Other lists, with references in them, to say what the weights are worth.",
)
@click.option(
    "--search",
    metavar="NAME",
    default="steepest",
    show_default=True,
    help="steepest (the best of all directions every time) or powell (one after the other).",
)
@click.option(
    "--restarts",
    metavar="N",
    type=_options.Whole(0, 100_000),
    default=20,
    show_default=True,
    help="Starts to draw beside the given one.",
)
@click.option(
    "--lowest",
    metavar="X",
    type=_options.Real(),
    default=-1.0,
    help="Of a weight that is drawn; -1 by default.",
)
@click.option(
    "--highest",
    metavar="X",
    type=_options.Real(),
    default=1.0,
    help="Of a weight that is drawn; 1 by default.",
)
@click.option(
    "--random-directions",
    metavar="N",
    type=_options.Whole(0, 1000),
    default=0,
    help="Directions to draw for every step, beside those of single features; 0 by default.",
)
@_options.resamples_option
@_options.seed_option
@_options.format_option()
@_outputs.output_option(
    "-o",
    "--output",
    metavar="FILE.toml",
    holds=("toml",),
    help="Write the weights to a file, for adjudge rerank --weights FILE.",
)
@_options.threads_option
@model_options
@_options.quiet_option
def command(
    *,
    nbest: str,
    references: tuple[str, ...],
    source: str | None,
    language: str | None,
    metric: str,
    start: str | None,
    held_out: str | None,
    form: str,
    output: str | None,
    threads: int,
    quiet: bool,
    **options: Any,
) -> None:
    """Fit the weights of a model's features on n-best lists.

    Minimum error rate training (Och 2003): along a line of weights the best hypotheses change at a few places only, so
    the best place on it is found exactly, for any metric. Weights fit the lists they were fitted to better than others:
    --held-out says what is left of that.

    \b
    adjudge tune weights nbest.jsonl --held-out nbest-test.jsonl -o weights.toml
    adjudge rerank nbest-test.jsonl --by model --weights weights.toml
    """
    from adjudge.cli._progress import progress
    from adjudge.io.nbest import read_weights
    from adjudge.tuning import weights

    with progress(quiet=quiet) as report_progress:
        loaded = load_nbest(nbest, references, source)
        other = None if held_out is None else load_nbest(held_out, (), None)
        fit = weights.tune_weights(
            loaded.lists,
            metric,
            start=None if start is None else read_weights(start),
            held_out=None if other is None else other.lists,
            options=_options.group_of(weights.WeightOptions, options),
            language=language or "",
            threads=threads,
            progress=report_progress,
        )
    _show.warn(fit.warnings, quiet=quiet)
    _finish(fit, (*loaded.inputs, *(other.inputs if other else ())), form, output, quiet=quiet)


def _finish(fit: WeightFit, inputs: Sequence[Input], form: str, output: str | None, *, quiet: bool) -> None:
    from adjudge import __version__
    from adjudge.io.nbest import weight_text
    from adjudge.report.results.weights import file_remarks, forms

    _show.show(forms(fit, version=__version__, inputs=inputs), form)
    if output is not None:
        _show.show_text(
            weight_text(fit.weights, file_remarks(fit, version=__version__, inputs=inputs)), output
        )
        if not quiet:
            use = f"adjudge rerank NBEST --by model --weights {quote(output)}"
            _show.say(f"adjudge: wrote {output}; use it: {use}")
