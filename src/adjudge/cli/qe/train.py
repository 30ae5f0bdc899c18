"""Train an estimator on what people said of translations."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from adjudge.cli import _outputs
from adjudge.cli._command import subcommand
from adjudge.cli._options import format_option, group_of, keywords, output_option
from adjudge.cli._run import CommandRun
from adjudge.cli.qe._files import COMPANIONS, JUDGED, judged_files
from adjudge.errors import UsageError

if TYPE_CHECKING:
    from adjudge.qe.fitting import ParallelText


@subcommand(
    "train",
    "Train an estimator on what people said of translations.",
    *JUDGED,
    *COMPANIONS,
    keywords(gold_kind="Default: by the column.", lower_is_better="Whatever the kind."),
    "threads quiet",
    output_option("save", "The model.", holds=("json",), required=True),
    format_option(("text", "json", "markdown")),
    "output",
)
def command(
    run: CommandRun,
    *,
    tables: tuple[str, ...],
    gold_kind: str = "",
    lower_is_better: bool = False,
    language: str | None = None,
    parallel_source: str | None = None,
    parallel_target: str | None = None,
    calibration: str | None = None,
    folds: int = 5,
    seed: int = 12345,
    **files: Any,
) -> None:
    """Train an estimator on what people said of translations.

    TABLE_FILE is a table with a header: a source, a translation and a score for each segment, as MLQE has them. The
    model is one file of JSON; `adjudge qe score`, and `qe(model=FILE)` as a metric, take it.

    \b
    adjudge qe train train.tsv --column z_mean -l en-de --save en-de.json
    adjudge qe train -s src --translation mt --gold-scores hter -l en-de --tags tags --save hter.json
    adjudge qe train train.tsv dev.tsv --log-probs dev.tsv=probabilities --save glass.json
    """
    from adjudge.qe.companions import Companions
    from adjudge.qe.estimator import recalibrate
    from adjudge.qe.fitting import TrainingOptions, train
    from adjudge.qe.model_file import model_bytes
    from adjudge.qe.reading import pair_of, read_judged, read_table
    from adjudge.qe.results import TrainedEstimator

    companions = group_of(Companions, files)
    segments = read_judged(tables, doing="train", **judged_files(files))
    text = _parallel(parallel_source, parallel_target)
    held_out = None if calibration is None else read_table(calibration, files["column"])
    inputs = [*segments.inputs, *(text.inputs if text else ()), *(held_out.inputs if held_out else ())]
    _outputs.check_not_read(inputs)
    options = TrainingOptions(
        gold_kind, pair_of(language), folds, seed, run.threads, True if lower_is_better else None, companions
    )
    with run.working():
        model = train(segments, text, options)
        if held_out is not None:
            model = recalibrate(model, held_out, companions)
    assert run.save is not None
    _outputs.write(run.save, model_bytes(model))
    run.show(TrainedEstimator(model, run.save), inputs)


def _parallel(source: str | None, target: str | None) -> ParallelText | None:
    from adjudge.qe.fitting import ParallelText
    from adjudge.qe.reading import check_length, read_text

    if source is None and target is None:
        return None
    if source is None or target is None:
        raise UsageError("parallel text has two sides: --parallel-source FILE and --parallel-target FILE")
    if source == target:
        raise UsageError(
            f"parallel text: {source} is named as the source and as the target; they are two texts"
        )
    inputs: list[Any] = []
    sources, targets = (read_text(path, "parallel", inputs) for path in (source, target))
    check_length(target, len(targets), source, len(sources))
    return ParallelText(sources, targets, tuple(inputs))
