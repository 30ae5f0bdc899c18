"""Choose from lists of hypotheses: least risk, the oracle, or the model."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from adjudge.cli import _options, _outputs, _show
from adjudge.cli._workspace import model_options
from adjudge.errors import UsageError

if TYPE_CHECKING:
    from adjudge.data.nbest import NBestLists
    from adjudge.io.nbest import LoadedNBest


nbest_options = _options.options(
    click.argument("nbest", metavar="NBEST_FILE"),
    _options.option("references", "Where the lists have none."),
    _options.options("source", "language"),
)
"""NBEST_FILE, -r and -s: what `load_nbest` takes."""


def load_nbest(nbest: str, references: tuple[str, ...], source: str | None) -> LoadedNBest:
    """The lists that these options name."""
    from adjudge.io.nbest import read_nbest

    loaded = read_nbest(nbest, references=references, source=source, stdin=_options.stdin_bytes())
    _outputs.check_not_read(loaded.inputs)
    return loaded


@click.command("rerank", short_help="Choose from lists of hypotheses: least risk, the oracle, or the model.")
@nbest_options
@_options.keywords(
    metrics="It scores the choices where there are references; may be repeated. Default: the utility."
)
@_options.options("weighted", "sample", "shortlist", temperature=1.0, check=10, seed=12345)
@_options.format_option()
@_options.results_option
@_options.output_option("texts", holds=("text",))
@model_options
def command(
    *,
    nbest: str,
    references: tuple[str, ...],
    source: str | None,
    language: str | None,
    utility: str = "chrf",
    rule: str = "mbr",
    weights: str | None = None,
    metrics: tuple[str, ...] = (),
    form: str,
    output: str | None,
    texts: str | None,
    threads: int = 0,
    quiet: bool = False,
    **options: Any,
) -> None:
    """Choose from lists of hypotheses.

    NBEST_FILE has an object a segment (hypotheses, and perhaps reference, source, features, scores), or Moses' lines
    'id ||| hypothesis ||| features ||| score'. The hypothesis with the least risk is the one that is best on average,
    were each of the others the truth; for BLEU and chrF all pairs are counted, without any approximation.

    \b
    adjudge rerank nbest.jsonl --utility chrf
    adjudge rerank nbest.jsonl --utility bleu -f json -o choices.json
    adjudge rerank nbest.txt -r reference.en --rule oracle
    """
    from adjudge import __version__, reranking
    from adjudge.cli._workspace import progress
    from adjudge.report.render.formats import renderer_of

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
    _show.show(
        renderer_of(replace(result, scores=scores), version=__version__, inputs=loaded.inputs), form, output
    )
    if texts is not None:
        _show.show_text("".join(f"{choice.hypothesis}\n" for choice in result.choices), texts)


def _weighted(lists: NBestLists, path: str) -> NBestLists:
    """The lists with the scores that weights of their features make."""
    from dataclasses import replace

    from adjudge.io.nbest import read_weights, weights_of

    weights = weights_of(read_weights(path), lists.feature_names, path)
    return replace(lists, scores=lists.scored_by(weights))
