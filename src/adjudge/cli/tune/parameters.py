"""Fit a metric's parameters to judgements of people."""

from __future__ import annotations

import os
from shlex import quote
from typing import TYPE_CHECKING, Any

from adjudge.cli._command import subcommand
from adjudge.cli._files import load_files, read_judgements
from adjudge.cli._options import FILES, argument, format_option, option, output_option, plan_options
from adjudge.cli._run import CommandRun
from adjudge.errors import UsageError, unknown_name

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from adjudge.io import Input
    from adjudge.io.judgements import LoadedJudgements
    from adjudge.metrics.meteor import Meteor
    from adjudge.tuning import Tuning, TuningOptions

TARGETS = ("da", "rank", "hter")


@subcommand(
    "parameters",
    "Fit a metric's parameters to judgements of people.",
    argument("metric", metavar="METRIC"),
    "files threads cache quiet judgements column skip_unknown_systems fold_by",
    option("gold_kind", default="da"),
    option("first_segment", default=1),
    option("min_gap", default=0.0),
    option("folds", default=5),
    option("level", "segment or system.", default="segment"),
    option("correlation", "Or tau within segments. Default: pearson; of ranks tau."),
    *plan_options("resamples", "seed"),
    format_option(),
    output_option("output", "For meteor(parameters=FILE).", holds=("toml",), metavar="FILE.toml"),
)
def command(run: CommandRun, *, metric: str, systems: tuple[str, ...], **options: Any) -> None:
    """Fit a metric's parameters to judgements of people.

    METRIC is meteor, with options if you like: 'meteor(matchers=exact+stem)'. The judgements have a header (system,
    segment, score) and a row each. The new parameters are shown beside the defaults, both on folds they were not
    fitted to.

    \b
    adjudge tune meteor -r reference.en -j judgements.tsv -o tuned.toml systems/*.en
    adjudge score -r reference.en -m 'meteor(parameters=tuned.toml)' systems/*.en
    """
    from adjudge.tuning import tunable, tune_outputs

    if options["gold_kind"] not in TARGETS:
        raise unknown_name("kind of gold", options["gold_kind"], TARGETS)
    if os.path.exists(metric):
        raise UsageError(
            f"{metric} is a file, but a metric was expected: adjudge tune meteor -r FILE -j FILE SYS..."
        )
    chosen = tunable(metric)
    if options["judgements"] is None:
        raise UsageError("no judgements to fit to: adjudge tune meteor -r REFERENCE -j JUDGEMENTS SYS...")
    files = {name: options[name] for name in FILES}
    if not systems and files["test_set"] is None:
        raise UsageError("no system output: adjudge tune meteor -r REFERENCE -j JUDGEMENTS SYS...")
    with run.working() as work:
        loaded = load_files(systems, doing="tune", **files)
        judged = _judgements(options)
        inputs = (*loaded.inputs, *judged.inputs)
        how = _tuning_options(options, numbered=judged.format == "numbers")
        chosen, result, warnings = tune_outputs(
            chosen, loaded.test_set, loaded.outputs, judged.judgements, how, **work.options
        )
    run.warn((*loaded.notes, *warnings, *judged.warnings, *result.warnings))
    _show(run, result, chosen, inputs)


def _judgements(options: Mapping[str, Any]) -> LoadedJudgements:
    """What people said, of the kind that is fitted to."""
    from adjudge.tuning import COLUMNS

    target = options["gold_kind"]
    return read_judgements(
        [options["judgements"]], protocol=target, column=options["column"] or COLUMNS[target], joint=True
    )


def _tuning_options(options: Mapping[str, Any], *, numbered: bool) -> TuningOptions:
    from adjudge.tuning import TuningOptions

    return TuningOptions(
        level=options["level"],
        correlation=options["correlation"] or "",
        fold_by=options["fold_by"] or "",
        min_gap=options["min_gap"],
        folds=options["folds"],
        seed=options["seed"],
        resamples=options["resamples"] or 1000,
        first_segment=1 if numbered else options["first_segment"],  # bare numbers have those of their lines
        skip_unknown_systems=options["skip_unknown_systems"],
    )


def _show(run: CommandRun, result: Tuning, metric: Meteor, inputs: Sequence[Input]) -> None:
    """The result on the screen, and the parameters in a file."""
    from adjudge import __version__
    from adjudge.metrics.meteor_parameters import parameter_file
    from adjudge.report.render.formats import renderer_of
    from adjudge.tuning import spec_with_file

    facts = {"metric": metric.spec}
    run.show(renderer_of(result, version=__version__, inputs=inputs, facts=facts), on_screen=True)
    if run.output is not None:
        use = spec_with_file(metric, run.output)
        notes = result.file_remarks(version=__version__, metric=metric.spec, use=use, inputs=inputs)
        run.write(parameter_file(result.parameters, notes), use=f"adjudge score -m {quote(use)} ...")
