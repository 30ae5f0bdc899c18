"""Choose from lists of hypotheses: least risk, the oracle, or the model."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from adjudge.cli import _outputs, _show
from adjudge.cli._command import subcommand
from adjudge.cli._files import metric_specs, stdin_bytes
from adjudge.cli._options import argument, format_option, group_of, keywords, option, output_option
from adjudge.cli._run import CommandRun
from adjudge.errors import UsageError

if TYPE_CHECKING:
    from adjudge.data.nbest import NBestLists
    from adjudge.io.nbest import LoadedNBest


NBEST = (
    argument("nbest", metavar="NBEST_FILE"),
    option("references", "Where the lists have none."),
    "source language",
)
"""NBEST_FILE, -r and -s: what `load_nbest` takes."""


def load_nbest(nbest: str, references: tuple[str, ...], source: str | None) -> LoadedNBest:
    """The lists that these options name."""
    from adjudge.io.nbest import read_nbest

    loaded = read_nbest(nbest, references=references, source=source, stdin=stdin_bytes())
    _outputs.check_not_read(loaded.inputs)
    return loaded


@subcommand(
    "rerank",
    "Choose from lists of hypotheses: least risk, the oracle, or the model.",
    *NBEST,
    keywords(
        metrics="It scores the choices where there are references; may be repeated. Default: the utility."
    ),
    "threads quiet weighted sample shortlist",
    option("temperature", default=1.0),
    option("check", default=10),
    option("seed", default=12345),
    format_option(),
    "output",
    output_option("texts", holds=("text",)),
    "models",
)
def command(
    run: CommandRun,
    *,
    nbest: str,
    references: tuple[str, ...],
    source: str | None,
    language: str | None,
    utility: str = "chrf",
    rule: str = "mbr",
    weights: str | None = None,
    metrics: tuple[str, ...] = (),
    texts: str | None,
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
    from adjudge import reranking

    with run.working() as work:
        loaded = load_nbest(nbest, references, source)
        lists = loaded.lists if weights is None else _apply_weights(loaded.lists, weights)
        common: dict[str, Any] = {"language": language or "", "threads": run.threads}
        result = reranking.rerank(
            lists,
            utility,
            rule=rule,
            weighted=options["weighted"],
            temperature=options["temperature"],
            approximation=group_of(reranking.Approximation, options),
            progress=work.progress,
            **common,
        )
        if metrics and result.oracle is None:
            raise UsageError(
                "-m scores choices with references, and there are none: 'reference' in every line, or -r"
            )
        scores = reranking.rescore(lists, result, metric_specs(metrics), **common)
    run.warn(result.warnings)
    run.show(replace(result, scores=scores), loaded.inputs)
    if texts is not None:
        _show.show_text("".join(f"{choice.hypothesis}\n" for choice in result.choices), texts)


def _apply_weights(lists: NBestLists, path: str) -> NBestLists:
    """The lists with the scores that weights of their features make."""
    from dataclasses import replace

    from adjudge.io.nbest import read_weights, weights_of

    weights = weights_of(read_weights(path), lists.feature_names, path)
    return replace(lists, scores=lists.scored_by(weights))
