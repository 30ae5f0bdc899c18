"""Fit the weights of a model's features on n-best lists (MERT)."""

from __future__ import annotations

from shlex import quote
from typing import TYPE_CHECKING, Any

from adjudge.cli._command import subcommand
from adjudge.cli._options import format_option, group_of, keywords, option, output_option
from adjudge.cli._run import CommandRun
from adjudge.cli.rerank import NBEST, load_nbest

if TYPE_CHECKING:
    pass


@subcommand(
    "weights",
    "Fit the weights of a model's features on n-best lists (MERT).",
    *NBEST,
    keywords(metric="The chosen hypotheses are to score best by it."),
    "threads quiet",
    option("search", default="steepest"),
    option("restarts", default=20),
    option("lowest", default=-1.0),
    option("highest", default=1.0),
    option("random_directions", default=0),
    option("resamples", default=1000),
    option("seed", default=12345),
    format_option(),
    output_option("output", "For adjudge rerank --weights FILE.", holds=("toml",), metavar="FILE.toml"),
    "models",
)
def command(
    run: CommandRun,
    *,
    nbest: str,
    references: tuple[str, ...],
    source: str | None,
    language: str | None,
    metric: str = "bleu",
    start: str | None = None,
    held_out: str | None = None,
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
    from adjudge import __version__
    from adjudge.io.nbest import read_weights, weight_text
    from adjudge.tuning import weights

    with run.working() as work:
        loaded = load_nbest(nbest, references, source)
        other = None if held_out is None else load_nbest(held_out, (), None)
        fit = weights.tune_weights(
            loaded.lists,
            metric,
            start=None if start is None else read_weights(start),
            held_out=None if other is None else other.lists,
            options=group_of(weights.WeightOptions, options),
            language=language or "",
            threads=work.threads,
            progress=work.progress,
        )
    run.warn(fit.warnings)
    inputs = (*loaded.inputs, *(other.inputs if other else ()))
    run.show(fit, inputs, on_screen=True)
    if run.output is not None:
        text = weight_text(fit.weights, fit.file_remarks(version=__version__, inputs=inputs))
        run.write(text, use=f"adjudge rerank NBEST --rule model --weights {quote(run.output)}")
