"""Hold estimators against what people said."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from adjudge.cli import _options, _outputs, _show
from adjudge.cli.qe import _files
from adjudge.errors import UsageError

if TYPE_CHECKING:
    from adjudge.io import Input
    from adjudge.qe.labelled import LabelledSegments


@click.command("evaluate", short_help="Hold estimators against what people said.")
@_files.judged_options
@_files.companion_options
@_options.keywords(good="Default: the median.", lower_is_better="Where no model says so.")
@_options.format_option(("text", "json", "tsv", "markdown", "html"))
@_options.results_option
def command(
    *,
    tables: tuple[str, ...],
    models: tuple[str, ...] = (),
    estimates: tuple[str, ...] = (),
    good: float | None = None,
    lower_is_better: bool = False,
    draws: int = 1000,
    seed: int = 12345,
    threads: int = 0,
    form: str,
    output: str | None,
    quiet: bool = False,
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
    from adjudge import __version__
    from adjudge.cli._workspace import progress
    from adjudge.qe.evaluation import EvaluationOptions, evaluate
    from adjudge.report.render.formats import renderer_of

    companions = _files.companions(*(files.pop(name) for name in ("source_lm", "target_lm", "encoder")))
    if not models and not estimates:
        raise UsageError("no estimator: -m MODEL_FILE, or --estimates NAME=FILE with a number a line")
    segments = _files.read_judged(tables, doing="evaluate", **files)
    inputs = list(segments.inputs)
    with progress(quiet=quiet):
        known = _Predictions(segments, inputs)
        for path in models:
            known.add_model(path, companions, threads)
        for text in estimates:
            known.add_file(text)
        _outputs.check_not_read(inputs)
        options = EvaluationOptions(good, known.higher(lower_is_better), draws, seed=seed)
        result = evaluate(segments.scores, known.predictions, options, known.intervals, units=segments.units)
    _show.show(renderer_of(result, version=__version__, inputs=inputs), form, output)


class _Predictions:
    """What each estimator says of the judged segments."""

    def __init__(self, segments: LabelledSegments, inputs: list[Input]) -> None:
        self._segments, self._inputs = segments, inputs
        self.predictions: dict[str, Any] = {}
        self.intervals: dict[str, Any] = {}
        self._directions: dict[str, bool] = {}

    def add_model(self, path: str, companions: Any, threads: int) -> None:
        """A model's estimates and intervals."""
        from adjudge.io.names import stem
        from adjudge.io.table import Input
        from adjudge.qe.estimator import estimate
        from adjudge.qe.model_file import read_model

        learnt, digest = read_model(path)
        self._inputs.append(Input("model", path, digest))
        own = estimate(
            learnt,
            self._segments.sources,
            self._segments.outputs,
            self._segments.log_probabilities,
            companions=companions,
            threads=threads,
        )
        name = self._new(stem(path))
        self.predictions[name], self.intervals[name] = own.scores, own.intervals
        self._directions[name] = learnt.higher_is_better

    def add_file(self, text: str) -> None:
        """Estimates of somebody else."""
        from adjudge.io.files import shown
        from adjudge.io.names import stem
        from adjudge.io.sheet import numbers
        from adjudge.qe.reading import check_length, read_text

        name, equals, path = text.partition("=")
        if not equals:
            name, path = stem(text), text
        rows = read_text(path, "estimates", self._inputs)
        check_length(path, len(rows), self._segments.inputs[0].path, len(self._segments))
        self.predictions[self._new(name)] = numbers(rows, (), lambda row: f"{shown(path)}, line {row + 1}")

    def higher(self, lower_is_better: bool) -> bool:
        """Which way scores go; models of different kinds cannot stand beside each other."""
        if len(set(self._directions.values())) > 1:
            raise UsageError(
                "models of scores that are better high and of such that are better low cannot be held against the same "
                f"scores: {', '.join(self._directions)}"
            )
        return next(iter(self._directions.values()), not lower_is_better)

    def _new(self, name: str) -> str:
        if name in self.predictions:
            raise UsageError(f"two estimators are called {name}: rename a file, or --estimates NAME=FILE")
        return name
