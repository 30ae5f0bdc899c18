"""Fit a metric's parameters to judgements of people."""

from __future__ import annotations

from shlex import quote
from typing import TYPE_CHECKING, Any, cast

import click

from adjudge.cli import _options, _outputs, _rows, _show, _workspace
from adjudge.cli._options import plan_options
from adjudge.errors import UsageError, unknown_name

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from adjudge.io import Input, Loaded
    from adjudge.io.judgements import LoadedJudgements
    from adjudge.metrics.meteor import Meteor
    from adjudge.tuning import Tuning, TuningOptions

TARGETS = ("da", "rank", "hter")


@click.command("parameters", short_help="Fit a metric's parameters to judgements of people.")
@click.argument("metric", metavar="METRIC")
@_options.file_options
@_options.keywords()
@_options.options(
    "judgements",
    "column",
    "skip_unknown_systems",
    "fold_by",
    gold_kind="da",
    first_segment=1,
    min_gap=0.0,
    folds=5,
)
@_options.option("level", "segment or system.", default="segment")
@_options.option("correlation", "Or tau within segments. Default: pearson; of ranks tau.")
@plan_options("resamples", "seed")
@_options.format_option()
@_options.output_option("output", "For meteor(parameters=FILE).", holds=("toml",), metavar="FILE.toml")
def command(
    *,
    metric: str,
    systems: tuple[str, ...],
    form: str,
    output: str | None,
    threads: int = 0,
    cache: bool = True,
    quiet: bool = False,
    **options: Any,
) -> None:
    """Fit a metric's parameters to judgements of people.

    METRIC is meteor, with options if you like: 'meteor(matchers=exact+stem)'. The judgements have a header (system,
    segment, score) and a row each. The new parameters are shown beside the defaults, both on folds they were not
    fitted to.

    \b
    adjudge tune meteor -r reference.en -j judgements.tsv -o tuned.toml systems/*.en
    adjudge score -r reference.en -m 'meteor(parameters=tuned.toml)' systems/*.en
    """
    if options["gold_kind"] not in TARGETS:
        raise unknown_name("kind of gold", options["gold_kind"], TARGETS)
    chosen = _meteor(metric)
    if options["judgements"] is None:
        raise UsageError("no judgements to fit to: adjudge tune meteor -r REFERENCE -j JUDGEMENTS SYS...")
    files = {name: options[name] for name in _options.FILES}
    if not systems and files["test_set"] is None:
        raise UsageError("no system output: adjudge tune meteor -r REFERENCE -j JUDGEMENTS SYS...")
    _options.check_files(systems, doing="tune", **files)
    from adjudge.cli._workspace import progress

    with progress(quiet=quiet) as report_progress:
        loaded = _options.load_files(systems, doing="tune", **files)
        judged = _judgements(options)
        inputs = (*loaded.inputs, *judged.inputs)
        _outputs.check_not_read(inputs)
        rows = _rows.RowSource(threads, _workspace.row_cache(cache), report_progress)
        chosen, result, warnings = _tuned(chosen, loaded, judged, options, rows)
    _show.warn((*loaded.notes, *warnings, *judged.warnings, *result.warnings), quiet=quiet)
    _report(result, chosen.spec, inputs, form)
    if output is not None:
        from adjudge.tuning import spec_with_file

        use = spec_with_file(chosen, output)
        _write(output, result, chosen.spec, use, inputs)
        if not quiet:
            _show.say(f"adjudge: wrote {output}; use it: adjudge score -m {quote(use)} ...")


def _judgements(options: Mapping[str, Any]) -> LoadedJudgements:
    """What people said, of the kind that is fitted to."""
    from adjudge.io.judgements import read
    from adjudge.tuning import COLUMNS

    target = options["gold_kind"]
    return read(
        [options["judgements"]], protocol=target, column=options["column"] or COLUMNS[target], joint=True
    )


def _tuned(
    metric: Meteor,
    loaded: Loaded,
    judged: LoadedJudgements,
    options: Mapping[str, Any],
    rows: _rows.RowSource,
) -> tuple[Meteor, Tuning, list[str]]:
    """The metric as it is on this test set, its parameters fitted, and warnings about its language."""
    from adjudge import comparison, tuning
    from adjudge.comparison.scoring import check

    (resolved,), test_set = comparison.resolved(metric, loaded.test_set)
    chosen = cast("Meteor", resolved)
    check(test_set, loaded.outputs, [chosen])
    result = tuning.tune(
        judged.judgements,
        tuning.rows_of(
            chosen,
            loaded.test_set,
            loaded.outputs,
            threads=rows.threads,
            cache=rows.cache,
            progress=rows.progress,
        ),
        loaded.test_set,
        chosen.in_force,
        _tuning_options(options, numbered=judged.format == "numbers"),
        threads=rows.threads,
        progress=rows.progress,
    )
    return chosen, result, comparison.language_warnings([chosen], test_set)


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


def _meteor(spec: str) -> Meteor:
    import os

    from adjudge import metrics
    from adjudge.metrics.meteor import Meteor

    if os.path.exists(spec):
        raise UsageError(
            f"{spec} is a file, but a metric was expected: adjudge tune meteor -r FILE -j FILE SYS..."
        )
    chosen = metrics.metric(spec)
    if not isinstance(chosen, Meteor) or chosen.form != "1.5":
        raise UsageError(f"{chosen.spec} has no parameters that can be fitted; meteor has")
    return chosen


def _report(result: Tuning, spec: str, inputs: Sequence[Input], form: str) -> None:
    from adjudge import __version__
    from adjudge.report.render.formats import renderer_of

    _show.show(renderer_of(result, version=__version__, inputs=inputs, facts={"metric": spec}), form)


def _write(path: str, result: Tuning, spec: str, use: str, inputs: Sequence[Input]) -> None:
    from adjudge import __version__
    from adjudge.metrics.meteor_parameters import parameter_file

    notes = result.file_remarks(version=__version__, metric=spec, use=use, inputs=inputs)
    _show.show_text(parameter_file(result.parameters, notes), path)
