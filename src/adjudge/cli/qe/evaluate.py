"""Hold estimators against what people said."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from adjudge.cli import _outputs
from adjudge.cli._command import subcommand
from adjudge.cli._options import format_option, group_of, keywords
from adjudge.cli._run import CommandRun
from adjudge.cli.qe._files import COMPANIONS, JUDGED, judged_files
from adjudge.errors import UsageError

if TYPE_CHECKING:
    pass


@subcommand(
    "evaluate",
    "Hold estimators against what people said.",
    *JUDGED,
    *COMPANIONS,
    keywords(good="Default: the median.", lower_is_better="Where no model says so."),
    "threads quiet",
    format_option(("text", "json", "tsv", "markdown", "html")),
    "output",
)
def command(
    run: CommandRun,
    *,
    tables: tuple[str, ...],
    models: tuple[str, ...] = (),
    estimates: tuple[str, ...] = (),
    good: float | None = None,
    lower_is_better: bool = False,
    draws: int = 1000,
    seed: int = 12345,
    **files: Any,
) -> None:
    """Hold estimators against what people said.

    Pearson, Spearman, Kendall, MAE, RMSE, MCC, AUC and DeltaAvg with intervals; several estimators are compared by
    swapping their estimates at random.

    \b
    adjudge qe evaluate test.tsv -m en-de.json
    adjudge qe evaluate test.tsv -m black.json -m glass.json --log-probs probabilities
    adjudge qe evaluate test.tsv -m en-de.json --estimates other=scores.txt
    """
    from adjudge.qe.companions import Companions
    from adjudge.qe.evaluation import EvaluationOptions, evaluate
    from adjudge.qe.predictions import Predictions
    from adjudge.qe.reading import read_judged

    companions = group_of(Companions, files)
    if not models and not estimates:
        raise UsageError("no estimator: -m MODEL_FILE, or --estimates NAME=FILE with a number a line")
    segments = read_judged(tables, doing="evaluate", **judged_files(files))
    inputs = list(segments.inputs)
    with run.working():
        known = Predictions(segments, inputs)
        for path in models:
            known.add_model(path, companions, run.threads)
        for text in estimates:
            known.add_file(text)
        _outputs.check_not_read(inputs)
        options = EvaluationOptions(good, known.higher(lower_is_better), draws, seed=seed)
        result = evaluate(segments.scores, known.predictions, options, known.intervals, units=segments.units)
    run.show(result, inputs)
