"""Fit the weights of a model's features on n-best lists (MERT)."""

from __future__ import annotations

from shlex import quote
from typing import TYPE_CHECKING, Any

import click

from adjudge.cli import _options, _show
from adjudge.cli._workspace import model_options
from adjudge.cli.rerank import load_nbest, nbest_options

if TYPE_CHECKING:
    from collections.abc import Sequence

    from adjudge.io import Input
    from adjudge.tuning.weights import WeightFit


@click.command("weights", short_help="Fit the weights of a model's features on n-best lists (MERT).")
@nbest_options
@_options.keywords(metric="The chosen hypotheses are to score best by it.")
@_options.options(
    search="steepest", restarts=20, lowest=-1.0, highest=1.0, random_directions=0, resamples=1000, seed=12345
)
@_options.format_option()
@_options.output_option("output", "For adjudge rerank --weights FILE.", holds=("toml",), metavar="FILE.toml")
@model_options
def command(
    *,
    nbest: str,
    references: tuple[str, ...],
    source: str | None,
    language: str | None,
    metric: str = "bleu",
    start: str | None = None,
    held_out: str | None = None,
    form: str,
    output: str | None,
    threads: int = 0,
    quiet: bool = False,
    **options: Any,
) -> None:
    """Fit the weights of a model's features on n-best lists.

    Minimum error rate training (Och 2003): along a line of weights the best hypotheses change at a few places only, so
    the best place on it is found exactly, for any metric. Weights fit the lists they were fitted to better than others:
    --held-out says what is left of that.

    \b
    adjudge tune weights nbest.jsonl --held-out nbest-test.jsonl -o weights.toml
    adjudge rerank nbest-test.jsonl --rule model --weights weights.toml
    """
    from adjudge.cli._workspace import progress
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
    from adjudge.report.render.formats import renderer_of

    _show.show(renderer_of(fit, version=__version__, inputs=inputs), form)
    if output is not None:
        _show.show_text(
            weight_text(fit.weights, fit.file_remarks(version=__version__, inputs=inputs)), output
        )
        if not quiet:
            use = f"adjudge rerank NBEST --rule model --weights {quote(output)}"
            _show.say(f"adjudge: wrote {output}; use it: {use}")
