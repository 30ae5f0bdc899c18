"""Hold a new output against a stored run: exit 3 on a significant drop."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from adjudge.cli import _cache, _options, _outputs, _record, _save, _show, _testing
from adjudge.cli._studies import Destination, GatedStudy, gate_against, study_of
from adjudge.cli._workspace import allow_programs_option, model_options
from adjudge.errors import UsageError

if TYPE_CHECKING:
    from adjudge.history.looks import GateQuestion
    from adjudge.history.records import Evaluation
    from adjudge.io import Loaded
    from adjudge.runs.gate import Gate
    from adjudge.stats.looks import Look

FAILED = 3
MOST_LOOKS = 1_000
TESTING = ("method", "trials", "seed", "unit", "strata", "correction", "alpha")


@click.command(
    "gate",
    cls=_record.RecordingCommand,
    short_help="Hold a new output against a stored run: exit 3 on a significant drop.",
)
@_options.file_options
@_options.level_option
@_options.realign_option
@_options.structure_options
@click.option(
    "--against", metavar="RUN.json", required=True, help="The run to hold it against, as --save wrote it."
)
@_options.metric_option("those of the run")
@click.option("--system", metavar="NAME", help="The system of the run, where names do not tell which.")
@click.option(
    "--margin", metavar="X", type=_options.Real(), default=0.0, help="A smaller drop than this never fails."
)
@click.option(
    "--look",
    metavar="N",
    type=_options.Whole(1, MOST_LOOKS),
    help="Which look at this run it is, from 1: all looks share alpha. With --record looks are counted.",
)
@click.option(
    "--looks",
    metavar="N",
    type=_options.Whole(1, MOST_LOOKS),
    help="How many looks at this run there will be at most: each has an equal share of alpha.",
)
@_testing.options(*TESTING)
@_options.format_option(("text", "json", "markdown"))
@_options.output_option
@_options.save_option
@_record.record_options
@_options.threads_option
@_cache.cache_option
@allow_programs_option
@model_options
@_options.quiet_option
def command(
    *,
    systems: tuple[str, ...],
    against: str,
    metrics: tuple[str, ...],
    system: str | None,
    margin: float,
    look: int | None,
    looks: int | None,
    form: str,
    output: str | None,
    save: str | None,
    recording: _record.Recording | None,
    threads: int,
    caching: bool,
    quiet: bool,
    **others: Any,
) -> int:
    """Hold a new output against a stored run: exit 3 on a significant drop.

    Exit 0 means that no metric dropped significantly, 1 and 2 that the question could not be answered. The
    references are those the run was made with, as long as their files are there and unchanged, or -r.
    A build that runs again and again says so (--look, --looks or --record), so that all its looks
    together raise a false alarm with a chance of alpha at most.

    \b
    adjudge score -r reference.en --save baseline.json neural.en
    adjudge gate --against baseline.json new/neural.en
    adjudge gate --against baseline.json --record new/neural.en
    adjudge gate --against spring.json study.toml
    """
    from adjudge.evaluate import Plan
    from adjudge.stats.looks import Look

    said = Look(look, looks)
    destination = Destination(form, output, save, quiet, recording)
    if (study := study_of(systems, others)) is not None:
        gated = GatedStudy(study, against, tuple(_options.metric_specs(metrics)), system, margin, said)
        return 0 if gate_against(gated, TESTING, destination, threads, caching=caching) else FAILED
    plan = Plan(**{name: others.pop(name) for name in TESTING})
    if not systems:
        raise UsageError("no new output to hold against the run: adjudge gate --against RUN.json SYS...")
    from adjudge.cli._progress import progress
    from adjudge.history.looks import GateQuestion
    from adjudge.runs import stored
    from adjudge.runs.gate import gate
    from adjudge.runs.reload import files_of

    with progress(quiet=quiet) as report_progress:
        run = stored.read(against)
        files = files_of(run, **others)
        loaded = _options.load_material(systems, files)
        _outputs.check_not_read(loaded.inputs)
        specs = _options.metric_specs(metrics)
        asked = GateQuestion.of(run, loaded.outputs, plan, specs or run.metrics, system)
        result = gate(
            run,
            loaded.test_set,
            loaded.outputs,
            specs or None,
            plan,
            system=system,
            margin=margin,
            look=_look(said, recording, asked),
            threads=threads,
            cache=_cache.row_cache(caching),
            progress=report_progress,
        )
    _report(result, asked, loaded, destination, systems, files)
    return 0 if result.passed else FAILED


def _look(said: Look, recording: _record.Recording | None, asked: GateQuestion) -> Look:
    """The look that was said; else the next one of the history that it is recorded in."""
    if recording is None or said.number is not None:
        return said
    from adjudge.history.looks import counted_look

    return counted_look(recording.place, asked, said.planned)


def _report(
    result: Gate,
    asked: GateQuestion,
    loaded: Loaded,
    shown: Destination,
    systems: tuple[str, ...],
    files: dict[str, Any],
) -> None:
    from adjudge import __version__
    from adjudge.report.gate import forms

    _show.warn((*loaded.notes, *result.warnings), quiet=shown.quiet)
    specs = list(dict.fromkeys(score.metric for score in result.scores.results))
    arguments = _options.arguments(systems, specs, **files)
    extra = {"gate": asked.as_document(result.look)}

    def evaluation() -> Evaluation:
        from adjudge.history.evaluations import of_scores

        own = of_scores(result.scores, inputs=loaded.inputs, arguments=arguments)
        return replace(own, document={**own.document, **extra})

    with _record.kept(shown.recording, evaluation):
        _show.show(forms(result, version=__version__, inputs=loaded.inputs), shown.form, shown.output)
        if shown.save is not None:
            _save.save_scores(
                shown.save, result.scores, inputs=loaded.inputs, arguments=arguments, extra=extra
            )
