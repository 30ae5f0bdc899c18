"""Learn a metric from judgements: a model over the scores of many metrics."""

from __future__ import annotations

from shlex import quote
from typing import TYPE_CHECKING, Any

from adjudge.cli import _outputs
from adjudge.cli._command import subcommand
from adjudge.cli._files import check_files, load_files
from adjudge.cli._options import format_option, keywords, option, output_option, plan_options
from adjudge.cli._run import CommandRun
from adjudge.errors import UsageError, unknown_name

if TYPE_CHECKING:
    from collections.abc import Sequence

    from adjudge.tuning.learning import LearnedMetric
    from adjudge.tuning.learning.set_file import LoadedTrainingSet

HOW = "adjudge tune learned -r REFERENCE -j JUDGEMENTS -o MODEL.json SYS..., or --sets FILE.toml for several test sets"


@subcommand(
    "learned",
    "Learn a metric from judgements: a model over the scores of many metrics.",
    "files",
    keywords(),
    "threads cache quiet judgements sets column skip_unknown_systems",
    option("gold_kind", default="da"),
    option("first_segment", default=1),
    option("min_gap", default=0.0),
    *plan_options("resamples", "seed"),
    format_option(),
    output_option("output", "For learned(model=FILE).", holds=("json",), metavar="FILE.json"),
    "models",
)
def command(
    run: CommandRun,
    *,
    features: tuple[str, ...] = (),
    objective: str | None = None,
    learner: str = "linear",
    penalty: float = 0.03,
    folds: int = 5,
    resamples: int | None,
    seed: int,
    **files: Any,
) -> None:
    """Learn a metric from judgements: a model over the scores of many metrics.

    It is held against the best single metric on documents, systems and language pairs that it was not trained on; only
    that tells whether it is worth having.

    \b
    adjudge tune learned -r reference.en -j judgements.tsv -o model.json systems/*.en
    adjudge score -r reference.en -m 'learned(model=model.json)' systems/*.en
    """
    from adjudge.tuning import learning

    _check(objective, learner, files["gold_kind"])
    with run.working() as work:
        sets = _sets(files)
        _outputs.check_not_read([item for loaded_set in sets for item in loaded_set.inputs])
        chosen = learning.feature_metrics(features, [loaded_set.test_set for loaded_set in sets])
        result = learning.train(
            [loaded_set.training_set(chosen.metrics, **work.options) for loaded_set in sets],
            chosen,
            learner=learner,
            objective=objective,
            penalty=penalty,
            folds=folds,
            seed=seed,
            resamples=resamples or 1000,
            progress=work.progress,
        )
    run.warn((*(note for loaded_set in sets for note in loaded_set.notes), *result.notes))
    _show(run, result, sets)


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
        return [set_file.load_set(read_set) for read_set in set_file.read_sets(sets)]
    if judgements is None:
        raise UsageError(f"no judgements to learn from: {HOW}")
    if not systems and files["test_set"] is None:
        raise UsageError(f"no system output: {HOW}")
    check_files(systems, doing="learn", **files)
    loaded = load_files(systems, doing="learn from", **files)
    return [set_file.with_judgements(loaded, judgements, **options)]


def _show(run: CommandRun, result: LearnedMetric, sets: Sequence[LoadedTrainingSet]) -> None:
    """The result on the screen, and the model in a file."""
    from adjudge import __version__
    from adjudge.metrics.base import spell
    from adjudge.metrics.learned_model import model_text
    from adjudge.tuning.learning.set_file import inputs_of

    inputs = inputs_of(sets)
    run.show(result, inputs, on_screen=True)
    if run.output is not None:
        use = quote(f"learned(model={spell(run.output)})")
        run.write(model_text(result.with_recipe(__version__, inputs)), use=f"adjudge score -m {use} ...")
