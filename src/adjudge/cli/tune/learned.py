"""Learn a metric from judgements: a model over the scores of many metrics."""

from __future__ import annotations

from shlex import quote
from typing import TYPE_CHECKING, Any

import click

from adjudge.cli import _cache, _options, _outputs, _rows, _show, _testing
from adjudge.cli._workspace import model_options
from adjudge.errors import UsageError, unknown_name

if TYPE_CHECKING:
    from collections.abc import Sequence

    from adjudge.metrics.base import Metric
    from adjudge.tuning.learning import LearnedMetric
    from adjudge.tuning.learning.material import TrainingSet
    from adjudge.tuning.learning.set_file import LoadedTrainingSet

HOW = "adjudge tune learned -r REFERENCE -j JUDGEMENTS -o MODEL.json SYS..., or --sets FILE.toml for several test sets"


@click.command("learned", short_help="Learn a metric from judgements: a model over many metrics' scores.")
@_options.file_options
@click.option("-j", "--judgements", metavar="FILE", help="Judgements: system, segment and score or rank.")
@click.option(
    "--sets", metavar="FILE.toml", help="Several test sets with their judgements, instead of -r, -j and SYS."
)
@click.option(
    "--target",
    metavar="NAME",
    default="da",
    show_default=True,
    help="What they are: da (scores, more is better), rank (1 is best) or hter (less is better).",
)
@click.option(
    "--column", metavar="NAME", help="The column with the scores or ranks, where names do not tell."
)
@click.option(
    "--first-segment",
    metavar="N",
    type=_options.Whole(0),
    default=1,
    show_default=True,
    help="Number that the judgements give the first segment.",
)
@click.option(
    "--known-only", is_flag=True, help="Leave out judgements of systems whose outputs are not given."
)
@click.option(
    "--margin",
    metavar="X",
    type=_options.Real(least=0),
    default=0.0,
    help="Scores of a segment that lie less than X apart give no pair.",
)
@click.option(
    "-m",
    "--metric",
    "features",
    metavar="METRIC",
    multiple=True,
    help="Features: lexical, meteor, kernels, trees, or any metric; may be repeated. Default: lexical,meteor,kernels.",
)
@click.option(
    "--objective",
    metavar="NAME",
    help="regression, centred (less the segment's mean) or pairs. Default: pairs where there are enough.",
)
@click.option(
    "--learner",
    metavar="NAME",
    default="linear",
    show_default=True,
    help="linear, or trees (extra: learned).",
)
@click.option(
    "--penalty",
    metavar="X",
    type=_options.Real(least=0),
    default=0.03,
    show_default=True,
    help="Holds the weights of a linear model down; more for fewer judgements.",
)
@click.option(
    "--folds", metavar="N", type=_options.Whole(2), default=5, show_default=True, help="Folds to hold out."
)
@_testing.options("resamples", "seed")
@_options.format_option()
@_outputs.output_option(
    "-o",
    "--output",
    metavar="FILE.json",
    holds=("json",),
    help="Write the model to a file, for learned(model=FILE).",
)
@_options.threads_option
@_cache.cache_option
@model_options
@_options.quiet_option
def command(
    *,
    features: tuple[str, ...],
    objective: str | None,
    learner: str,
    penalty: float,
    folds: int,
    resamples: int | None,
    seed: int,
    form: str,
    output: str | None,
    threads: int,
    caching: bool,
    quiet: bool,
    **files: Any,
) -> None:
    """Learn a metric from judgements: a model over the scores of many metrics.

    It is held against the best single metric on documents, systems and language pairs that it was not trained on; only
    that tells whether it is worth having.

    \b
    adjudge tune learned -r reference.en -j judgements.tsv -o model.json systems/*.en
    adjudge score -r reference.en -m 'learned(model=model.json)' systems/*.en
    """
    from adjudge.cli._progress import progress
    from adjudge.tuning import learning

    _check(objective, learner, files["target"])
    with progress(quiet=quiet) as report_progress:
        sets = _sets(files)
        _outputs.check_not_read([item for own in sets for item in own.inputs])
        chosen = learning.feature_metrics(features, [own.test_set for own in sets])
        source = _rows.RowSource(threads, _cache.row_cache(caching), report_progress)
        result = learning.train(
            [_training_set(own, chosen.metrics, source) for own in sets],
            chosen,
            learner=learner,
            objective=objective,
            penalty=penalty,
            folds=folds,
            seed=seed,
            draws=resamples or 1000,
            progress=report_progress,
        )
    _show.warn((*(note for own in sets for note in own.notes), *result.notes), quiet=quiet)
    _finish(result, sets, form, output, quiet)


def _training_set(own: LoadedTrainingSet, metrics: Sequence[Metric], source: _rows.RowSource) -> TrainingSet:
    """Judgements beside the scores of every metric."""
    from adjudge.tuning import learning

    return learning.training_set(
        own.name,
        own.test_set,
        own.outputs,
        own.judgements,
        metrics,
        margin=own.margin,
        first_segment=own.first_segment,
        known_only=own.known_only,
        threads=source.threads,
        cache=source.cache,
        progress=source.progress,
    )


def _check(objective: str | None, learner: str, target: str) -> None:
    from adjudge.tuning.gathering import COLUMNS
    from adjudge.tuning.learning import LEARNERS, OBJECTIVES

    if objective is not None and objective not in OBJECTIVES:
        raise unknown_name("objective", objective, OBJECTIVES)
    if learner not in LEARNERS:
        raise unknown_name("learner", learner, LEARNERS)
    if target not in COLUMNS:
        raise unknown_name("target", target, COLUMNS)


def _sets(files: dict[str, Any]) -> list[LoadedTrainingSet]:
    """The test sets of a file, or the one that the options name."""
    from adjudge.tuning.learning import set_file

    judgements, sets = files.pop("judgements"), files.pop("sets")
    systems = files.pop("systems")
    options = {
        name: files.pop(name) for name in ("target", "column", "first_segment", "known_only", "margin")
    }
    if sets is not None:
        if judgements is not None or systems or any(files.values()):
            raise UsageError("--sets names files of its own: leave out -r, -j, SYS and the like")
        return [set_file.load_set(own) for own in set_file.read_sets(sets)]
    if judgements is None:
        raise UsageError(f"no judgements to learn from: {HOW}")
    if not systems and files["test_set"] is None:
        raise UsageError(f"no system output: {HOW}")
    _options.check_files(systems, doing="learn", **files)
    loaded = _options.load_files(systems, doing="learn from", **files)
    return [set_file.with_judgements(loaded, judgements, **options)]


def _finish(
    result: LearnedMetric, sets: Sequence[LoadedTrainingSet], form: str, output: str | None, quiet: bool
) -> None:
    from adjudge import __version__
    from adjudge.metrics.base import spell
    from adjudge.metrics.learned_model import model_text
    from adjudge.report.results.learning import forms
    from adjudge.tuning.learning.set_file import inputs_of

    inputs = inputs_of(sets)
    _show.show(forms(result, version=__version__, inputs=inputs), form)
    if output is not None:
        _show.show_text(model_text(result.with_recipe(__version__, inputs)), output)
        if not quiet:
            use = f"learned(model={spell(output)})"
            _show.say(f"adjudge: wrote {output}; use it: adjudge score -m {quote(use)} ...")
