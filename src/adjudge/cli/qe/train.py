"""Train an estimator on what people said of translations."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from adjudge.cli import _options, _outputs, _show
from adjudge.cli.qe import _files
from adjudge.errors import UsageError

if TYPE_CHECKING:
    from adjudge.qe.fitting import ParallelText


@click.command("train", short_help="Train an estimator on what people said of translations.")
@_files.judged_options
@_files.companion_options
@_options.keywords(gold_kind="Default: by the column.", lower_is_better="Whatever the kind.")
@_options.output_option("save", "The model.", holds=("json",), required=True)
@_options.format_option(("text", "json", "markdown"))
@_options.results_option
def command(
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
    threads: int = 0,
    save: str,
    form: str,
    output: str | None,
    quiet: bool = False,
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
    from adjudge import __version__
    from adjudge.cli._workspace import progress
    from adjudge.qe.estimator import recalibrate
    from adjudge.qe.fitting import TrainingOptions, train
    from adjudge.qe.model_file import model_bytes
    from adjudge.qe.reading import pair_of, read_table
    from adjudge.qe.results import TrainedEstimator
    from adjudge.report.render.formats import renderer_of

    companions = _files.companions(*(files.pop(name) for name in ("source_lm", "target_lm", "encoder")))
    segments = _files.read_judged(tables, doing="train", **files)
    text = _parallel(parallel_source, parallel_target)
    held_out = None if calibration is None else read_table(calibration, files["column"])
    inputs = [*segments.inputs, *(text.inputs if text else ()), *(held_out.inputs if held_out else ())]
    _outputs.check_not_read(inputs)
    options = TrainingOptions(
        gold_kind, pair_of(language), folds, seed, threads, True if lower_is_better else None, companions
    )
    with progress(quiet=quiet):
        model = train(segments, text, options)
        if held_out is not None:
            model = recalibrate(model, held_out, companions)
    _outputs.write(save, model_bytes(model))
    _show.show(renderer_of(TrainedEstimator(model, save), version=__version__, inputs=inputs), form, output)


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
