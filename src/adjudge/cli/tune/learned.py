"""Learn a metric from judgements: a model over the scores of many metrics."""

from __future__ import annotations

from shlex import quote
from typing import TYPE_CHECKING, Any

import click

from adjudge.cli import _options, _outputs, _rows, _show, _workspace
from adjudge.cli._options import plan_options
from adjudge.cli._workspace import model_options
from adjudge.errors import UsageError, unknown_name

if TYPE_CHECKING:
    from collections.abc import Sequence

    from adjudge.metrics.base import Metric
    from adjudge.tuning.learning import LearnedMetric
    from adjudge.tuning.learning.material import TrainingSet
    from adjudge.tuning.learning.set_file import LoadedTrainingSet

HOW = "adjudge tune learned -r REFERENCE -j JUDGEMENTS -o MODEL.json SYS..., or --sets FILE.toml for several test sets"


@click.command(
    "learned", short_help="Learn a metric from judgements: a model over the scores of many metrics."
)
@_options.file_options
@_options.keywords()
@_options.options(
    "judgements", "sets", "column", "skip_unknown_systems", gold_kind="da", first_segment=1, min_gap=0.0
)
@plan_options("resamples", "seed")
@_options.format_option()
@_options.output_option("output", "For learned(model=FILE).", holds=("json",), metavar="FILE.json")
@model_options
def command(
    *,
    features: tuple[str, ...] = (),
    objective: str | None = None,
    learner: str = "linear",
    penalty: float = 0.03,
    folds: int = 5,
    resamples: int | None,
    seed: int,
    form: str,
    output: str | None,
    threads: int = 0,
    cache: bool = True,
    quiet: bool = False,
    **files: Any,
) -> None:
    """Learn a metric from judgements: a model over the scores of many metrics.

    It is held against the best single metric on documents, systems and language pairs that it was not trained on; only
    that tells whether it is worth having.

    \b
    adjudge tune learned -r reference.en -j judgements.tsv -o model.json systems/*.en
    adjudge score -r reference.en -m 'learned(model=model.json)' systems/*.en
    """
    from adjudge.cli._workspace import progress
    from adjudge.tuning import learning

    _check(objective, learner, files["gold_kind"])
    with progress(quiet=quiet) as report_progress:
        sets = _sets(files)
        _outputs.check_not_read([item for own in sets for item in own.inputs])
        chosen = learning.feature_metrics(features, [own.test_set for own in sets])
        source = _rows.RowSource(threads, _workspace.row_cache(cache), report_progress)
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
        min_gap=own.min_gap,
        first_segment=own.first_segment,
        skip_unknown_systems=own.skip_unknown_systems,
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
        raise unknown_name("kind of gold", target, COLUMNS)


def _sets(files: dict[str, Any]) -> list[LoadedTrainingSet]:
    """The test sets of a file, or the one that the options name."""
    from adjudge.tuning.learning import set_file

    judgements, sets = files.pop("judgements"), files.pop("sets")
    systems = files.pop("systems")
    options = {
        name: files.pop(name)
        for name in ("gold_kind", "column", "first_segment", "skip_unknown_systems", "min_gap")
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
    from adjudge.report.render.formats import renderer_of
    from adjudge.tuning.learning.set_file import inputs_of

    inputs = inputs_of(sets)
    _show.show(renderer_of(result, version=__version__, inputs=inputs), form)
    if output is not None:
        _show.show_text(model_text(result.with_recipe(__version__, inputs)), output)
        if not quiet:
            use = f"learned(model={spell(output)})"
            _show.say(f"adjudge: wrote {output}; use it: adjudge score -m {quote(use)} ...")
