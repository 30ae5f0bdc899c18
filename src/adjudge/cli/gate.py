"""Hold a new output against a stored run: exit 3 on a significant drop."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from adjudge.cli import _options, _outputs, _record, _show, _workspace
from adjudge.cli._options import plan_options, study_of
from adjudge.cli._studies import Destination, GateRequest, gate_study_against
from adjudge.cli._vocabulary import Whole
from adjudge.cli._workspace import allow_programs_option, model_options
from adjudge.errors import UsageError

if TYPE_CHECKING:
    from adjudge.history.gate_result import Gate
    from adjudge.history.looks import GateQuestion
    from adjudge.history.records import Evaluation
    from adjudge.io import Loaded
    from adjudge.stats.looks import Look

FAILED = 3
TESTING = ("test", "trials", "seed", "unit", "strata", "correction", "alpha")


@click.command(
    "gate",
    cls=_record.RecordingCommand,
    short_help="Hold a new output against a stored run: exit 3 on a significant drop.",
)
@_options.file_options
@_options.level_option
@_options.option("against", required=True)
@_options.keywords(
    metrics="May be repeated. Default: those of the run.",
    system="The one of the run, where names do not tell which.",
)
@_options.options("realign")
@_options.structure_options
@_options.option("look", "All looks share alpha. With --record looks are counted.", type=Whole(1, 1000))
@_options.options("max_looks")
@plan_options(*TESTING)
@_options.format_option(("text", "json", "markdown"))
@_options.results_option
@_options.save_option
@_record.record_options
@allow_programs_option
@model_options
def command(
    *,
    systems: tuple[str, ...],
    against: str,
    metrics: tuple[str, ...] = (),
    system: str | None = None,
    tolerance: float = 0.0,
    form: str,
    output: str | None,
    save: str | None,
    recording: _record.Recording | None,
    threads: int = 0,
    cache: bool = True,
    quiet: bool = False,
    **others: Any,
) -> int:
    """Hold a new output against a stored run: exit 3 on a significant drop.

    Exit 0 means that no metric dropped significantly, 1 and 2 that the question could not be answered. The
    references are those the run was made with, as long as their files are there and unchanged, or -r.
    A build that runs again and again says so (--look, --max-looks or --record), so that all its looks
    together raise a false alarm with a chance of alpha at most.

    \b
    adjudge score -r reference.en --save baseline.json neural.en
    adjudge gate --against baseline.json new/neural.en
    adjudge gate --against baseline.json --record new/neural.en
    adjudge gate --against spring.json study.toml
    """
    from adjudge.stats.looks import Look

    specs = tuple(_options.metric_specs(metrics))
    request = GateRequest(
        against, specs, system, tolerance, Look(others.pop("look"), others.pop("max_looks"))
    )
    destination = Destination(form, output, save, quiet, recording)
    if (study := study_of(systems, others)) is not None:
        passed = gate_study_against(study, request, TESTING, destination, threads, cache=cache)
    else:
        passed = _gate_outputs(systems, request, destination, others, threads, cache=cache)
    return 0 if passed else FAILED


def _gate_outputs(
    systems: tuple[str, ...],
    request: GateRequest,
    shown: Destination,
    options: dict[str, Any],
    threads: int,
    *,
    cache: bool,
) -> bool:
    """Show what has become worse since the stored run, and whether nothing has."""
    from adjudge.comparison import Plan

    plan = Plan(**{name: options.pop(name) for name in TESTING})
    if not systems:
        raise UsageError("no new output to hold against the run: adjudge gate --against RUN.json SYS...")
    from adjudge.cli._workspace import progress
    from adjudge.comparison.study_material import StudyMaterial
    from adjudge.history import stored
    from adjudge.history.gate import gate
    from adjudge.history.looks import GateQuestion
    from adjudge.history.reload import files_of

    with progress(quiet=shown.quiet) as report_progress:
        run = stored.read(request.against, study=False)
        files = files_of(run, **options)
        loaded = _options.load_material(systems, files)
        _outputs.check_not_read(loaded.inputs)
        question = GateQuestion.of(run, loaded.outputs, plan, request.specs or run.metrics, request.system)
        result = gate(
            run,
            [StudyMaterial(loaded.test_set.name, loaded.test_set, loaded.outputs)],
            request.specs or None,
            plan,
            system=request.system,
            tolerance=request.tolerance,
            look=_look(request.look, shown.recording, question),
            threads=threads,
            cache=_workspace.row_cache(cache),
            progress=report_progress,
        )
    _report(result, question, loaded, shown, systems, files)
    return result.passed


def _look(
    look: Look, recording: _record.Recording | None, question: GateQuestion
) -> Look | Callable[[], Look]:
    """The look that the options name; a history in which it is recorded counts it."""
    if recording is None:
        return look
    from adjudge.history.looks import take_look

    place = recording.place
    return lambda: take_look(place, question, look)


def _report(
    result: Gate,
    question: GateQuestion,
    loaded: Loaded,
    shown: Destination,
    systems: tuple[str, ...],
    files: dict[str, Any],
) -> None:
    from adjudge import __version__
    from adjudge.report.render.formats import renderer_of

    _show.warn((*loaded.notes, *result.warnings), quiet=shown.quiet)
    scores = result.scores
    assert scores is not None
    specs = list(dict.fromkeys(score.metric for score in scores.results))
    arguments = _options.arguments(systems, specs, **files)
    extra = {"gate": question.as_document(result.look)}

    def evaluation() -> Evaluation:
        from adjudge.history.evaluations import of_scores

        own = of_scores(scores, inputs=loaded.inputs, arguments=arguments)
        return replace(own, document={**own.document, **extra})

    with _record.kept(shown.recording, evaluation):
        _show.show(renderer_of(result, version=__version__, inputs=loaded.inputs), shown.form, shown.output)
        if shown.save is not None:
            _record.save_scores(shown.save, scores, inputs=loaded.inputs, arguments=arguments, extra=extra)
