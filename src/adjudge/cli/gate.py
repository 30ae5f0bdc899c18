"""Hold a new output against a stored run: exit 3 on a significant drop."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from adjudge.cli._command import subcommand
from adjudge.cli._files import arguments, load_material, metric_specs, study_of
from adjudge.cli._options import TESTED_FILES, format_option, keywords, option, plan_options
from adjudge.cli._run import CommandRun
from adjudge.cli._studies import GateRequest, gate_study
from adjudge.cli._vocabulary import Whole
from adjudge.errors import UsageError

if TYPE_CHECKING:
    from adjudge.comparison.documents import Arguments
    from adjudge.history.gate_result import Gate
    from adjudge.history.looks import GateQuestion
    from adjudge.history.records import Evaluation
    from adjudge.io import Loaded
    from adjudge.stats.looks import Look

FAILED = 3
TESTING = ("test", "trials", "seed", "unit", "strata", "correction", "alpha")


@subcommand(
    "gate",
    "Hold a new output against a stored run: exit 3 on a significant drop.",
    "files level",
    option("against", required=True),
    keywords(
        metrics="May be repeated. Default: those of the run.",
        system="The one of the run, where names do not tell which.",
    ),
    "threads cache quiet realign structure",
    option("look", "All looks share alpha. With --record looks are counted.", type=Whole(1, 1000)),
    "max_looks",
    *plan_options(*TESTING),
    format_option(("text", "json", "markdown")),
    "output save recording allow_programs models",
)
def command(
    run: CommandRun,
    *,
    systems: tuple[str, ...],
    against: str,
    metrics: tuple[str, ...] = (),
    system: str | None = None,
    tolerance: float = 0.0,
    look: int | None,
    max_looks: int | None,
    **options: Any,
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

    specs = tuple(metric_specs(metrics))
    request = GateRequest(against, specs, system, tolerance, Look(look, max_looks))
    if (study := study_of(systems, options)) is not None:
        passed = gate_study(run, study, request, TESTING)
    else:
        passed = _gate_outputs(run, systems, request, options)
    return 0 if passed else FAILED


def _gate_outputs(
    run: CommandRun, systems: tuple[str, ...], request: GateRequest, options: Mapping[str, Any]
) -> bool:
    """Show what has become worse since the stored run, and whether nothing has."""
    from adjudge.comparison import Plan

    plan = Plan(**{name: options[name] for name in TESTING})
    if not systems:
        raise UsageError("no new output to hold against the run: adjudge gate --against RUN.json SYS...")
    from adjudge.comparison.study_material import StudyMaterial
    from adjudge.history import stored
    from adjudge.history.gate import gate
    from adjudge.history.looks import GateQuestion
    from adjudge.history.reload import files_of

    with run.working() as work:
        earlier = stored.read(request.against, study=False)
        files = files_of(earlier, **{name: options[name] for name in TESTED_FILES})
        loaded = load_material(systems, files)
        specs = request.specs or earlier.metrics
        question = GateQuestion.of(earlier, loaded.outputs, plan, specs, request.system)
        result = gate(
            earlier,
            [StudyMaterial(loaded.test_set.name, loaded.test_set, loaded.outputs)],
            request.specs or None,
            plan,
            system=request.system,
            tolerance=request.tolerance,
            look=_look(run, request.look, question),
            **work.options,
        )
    assert result.scores is not None
    measured = list(dict.fromkeys(score.metric for score in result.scores.results))
    _show(run, result, question, loaded, arguments(systems, measured, **files))
    return result.passed


def _look(run: CommandRun, look: Look, question: GateQuestion) -> Look | Callable[[], Look]:
    """The look that the options name; a history in which it is recorded counts it."""
    if run.recording is None:
        return look
    from adjudge.history.looks import take_look

    place = run.recording.place
    return lambda: take_look(place, question, look)


def _show(run: CommandRun, result: Gate, question: GateQuestion, loaded: Loaded, named: Arguments) -> None:
    run.warn((*loaded.notes, *result.warnings))
    scores = result.scores
    assert scores is not None
    extra = {"gate": question.as_document(result.look)}

    def evaluation() -> Evaluation:
        from adjudge.history.evaluations import of_scores

        own = of_scores(scores, inputs=loaded.inputs, arguments=named)
        return replace(own, document={**own.document, **extra})

    with run.recorded(evaluation):
        run.show(result, loaded.inputs)
        if run.save is not None:
            from adjudge.cli._record import save_scores

            save_scores(run.save, scores, inputs=loaded.inputs, arguments=named, extra=extra)
