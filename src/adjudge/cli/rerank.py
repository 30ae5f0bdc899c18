"""Choose from lists of hypotheses: least risk, the oracle, or the model."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from adjudge.cli import _options, _outputs, _show
from adjudge.cli._workspace import model_options
from adjudge.errors import UsageError

if TYPE_CHECKING:
    from adjudge.data.nbest import NBestLists
    from adjudge.io.nbest import LoadedNBest


def nbest_options(command: Any) -> Any:
    """NBEST_FILE, -r and -s: what `load_nbest` takes."""
    for option in reversed(
        (
            click.argument("nbest", metavar="NBEST_FILE"),
            click.option(
                "-r",
                "--reference",
                "references",
                metavar="FILE",
                multiple=True,
                help="References, a line a segment, where the lists have none; may be repeated.",
            ),
            click.option("-s", "--source", metavar="FILE", help="The source, for metrics that read it."),
            click.option(
                "-l", "--language", metavar="LANG", help="The language pair (en-de) or the target language."
            ),
        )
    ):
        command = option(command)
    return command


def load_nbest(nbest: str, references: tuple[str, ...], source: str | None) -> LoadedNBest:
    """The lists that these options name."""
    from adjudge.io.nbest import read_nbest

    loaded = read_nbest(nbest, references=references, source=source, stdin=_options.stdin_bytes())
    _outputs.check_not_read(loaded.inputs)
    return loaded


@click.command("rerank", short_help="Choose from lists of hypotheses: least risk, oracle, model.")
@nbest_options
@click.option(
    "--utility",
    metavar="METRIC",
    default="chrf",
    show_default=True,
    help="What a hypothesis is worth if another one is the truth, as in 'bleu(tokenize=intl)'.",
)
@click.option(
    "--by",
    "rule",
    metavar="NAME",
    default="mbr",
    show_default=True,
    help="mbr (best expected utility), oracle (best by the references) or model (best score).",
)
@click.option(
    "--weights",
    metavar="FILE",
    help="Weights of the features, as adjudge tune weights writes them: they make the model's scores.",
)
@click.option(
    "--weighted", is_flag=True, help="Believe hypotheses as the model's scores do, not all of them alike."
)
@click.option(
    "--temperature",
    metavar="T",
    type=_options.Real(least=0),
    default=1.0,
    help="What scores are divided by before they are made into probabilities; 1 by default.",
)
@click.option(
    "--sample",
    metavar="N",
    type=_options.Whole(1),
    help="Approximate: references to draw from each list, for slow metrics.",
)
@click.option(
    "--shortlist",
    metavar="N",
    type=_options.Whole(1),
    help="Approximate: only the N best by expected chrF are candidates, for slow metrics.",
)
@click.option(
    "--check",
    metavar="N",
    type=_options.Whole(0),
    default=10,
    help="Segments on which the exact choice is made as well, to say what an approximation costs; 10 by default.",
)
@_options.seed_option
@click.option(
    "-m",
    "--metric",
    "metrics",
    metavar="METRIC",
    multiple=True,
    help="A metric to score choices with, where there are references; may be repeated. Default: the utility.",
)
@_options.format_option()
@_options.output_option
@_outputs.output_option(
    "--texts", metavar="FILE", holds=("text",), help="Write the chosen hypotheses to a file, a line each."
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
    utility: str,
    rule: str,
    weights: str | None,
    metrics: tuple[str, ...],
    form: str,
    output: str | None,
    texts: str | None,
    threads: int,
    quiet: bool,
    **options: Any,
) -> None:
    """Choose from lists of hypotheses.

    NBEST_FILE has an object a segment (hypotheses, and perhaps reference, source, features, scores), or Moses' lines
    'id ||| hypothesis ||| features ||| score'. The hypothesis with the least risk is the one that is best on average,
    were each of the others the truth; for BLEU and chrF all pairs are counted, without any approximation.

    \b
    adjudge rerank nbest.jsonl --utility chrf
    adjudge rerank nbest.jsonl --utility bleu -f json -o choices.json
    adjudge rerank nbest.txt -r reference.en --by oracle
    """
    from adjudge import __version__, reranking
    from adjudge.cli._progress import progress
    from adjudge.report.results.rerank import forms

    with progress(quiet=quiet) as report_progress:
        loaded = load_nbest(nbest, references, source)
        lists = loaded.lists if weights is None else _weighted(loaded.lists, weights)
        common: dict[str, Any] = {"language": language or "", "threads": threads}
        result = reranking.rerank(
            lists,
            utility,
            rule=rule,
            weighted=options["weighted"],
            temperature=options["temperature"],
            approximation=_options.group_of(reranking.Approximation, options),
            progress=report_progress,
            **common,
        )
        if metrics and result.oracle is None:
            raise UsageError(
                "-m scores choices with references, and there are none: 'reference' in every line, or -r"
            )
        scores = reranking.rescore(lists, result, _options.metric_specs(metrics), **common)
    _show.warn(result.warnings, quiet=quiet)
    _show.show(forms(result, scores, version=__version__, inputs=loaded.inputs), form, output)
    if texts is not None:
        _show.show_text("".join(f"{choice.hypothesis}\n" for choice in result.choices), texts)


def _weighted(lists: NBestLists, path: str) -> NBestLists:
    """The lists with the scores that weights of their features make."""
    from dataclasses import replace

    from adjudge.io.nbest import read_weights, weights_of

    weights = weights_of(read_weights(path), lists.feature_names, path)
    return replace(lists, scores=lists.scored_by(weights))
