"""Studies in place of files: what score, compare, lint, gate and verify do with a STUDY.toml."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from adjudge.cli import _outputs
from adjudge.errors import UsageError

if TYPE_CHECKING:
    from adjudge.cli._run import CommandRun
    from adjudge.comparison.scoring import Progress
    from adjudge.history.records import Evaluation
    from adjudge.io.studies import LoadedStudy
    from adjudge.stats.looks import Look


def given_options(names: Sequence[str]) -> dict[str, Any]:
    """Those of these options that were typed, for the study says the others."""
    context = click.get_current_context()
    return {
        name: context.params[name]
        for name in names
        if name in context.params and context.get_parameter_source(name) is not ParameterSource.DEFAULT
    }


def refuse_typed(study: str, names: Sequence[str]) -> None:
    """Refuse options that were typed and mean nothing for a study."""
    context = click.get_current_context()
    for name in given_options(names):
        option = next(p for p in context.command.params if p.name == name)
        raise UsageError(
            f"{option.opts[-1]} has no place beside a study: leave it out ({study} has several test sets)"
        )


def loaded_study(file: str, progress: Progress | None) -> LoadedStudy:
    """A study with its files, none of which is written over."""
    from adjudge.io.studies import load_study

    loaded = load_study(file, progress=progress)
    _outputs.check_not_read(loaded.inputs)
    return loaded


def show_study(
    run: CommandRun, file: str, specs: Sequence[str], given: Mapping[str, Any], *, refused: Sequence[str] = ()
) -> None:
    """Run a study and show it; `given` are the fields of its plan that were typed, the study says the others.

    `refused` are options that mean nothing for a study.
    """
    from adjudge import __version__
    from adjudge.comparison.documents import Arguments, study_document
    from adjudge.comparison.study_display import StudyDisplay
    from adjudge.history import stored
    from adjudge.human.studies import run_study
    from adjudge.human.study_scores import notes_on
    from adjudge.report.render.formats import renderer_of

    refuse_typed(file, refused)
    with run.working() as work:
        loaded = loaded_study(file, work.progress)
        study = loaded.study
        chosen = tuple(specs or study.metrics)
        result = run_study(loaded, specs, **work.options, **given)
    run.warn((*loaded.notes, *notes_on(loaded)))
    arguments = Arguments(study=file, metrics=chosen, options=given)
    facts: dict[str, Any] = {"version": __version__, "inputs": loaded.inputs, "arguments": arguments}
    if run.save is not None:
        stored.write(run.save, study_document(result, name=study.name, **facts), stored.rows_of(result))
    shown = renderer_of(StudyDisplay(result, study.name), facts={"study": study.name}, **facts)

    def evaluation() -> Evaluation:
        from adjudge.history.evaluations import of_comparison

        return of_comparison(result, inputs=loaded.inputs, arguments=arguments, study=study.name)

    with run.recorded(evaluation):
        run.show(shown)


@dataclass(frozen=True)
class GateRequest:
    """What is held against an earlier result, by which metrics, and which look at it this is."""

    against: str
    specs: tuple[str, ...]
    system: str | None
    tolerance: float
    look: Look


def gate_study(run: CommandRun, study: str, request: GateRequest, testing: Sequence[str]) -> bool:
    """Show what has become worse since the earlier result, and whether nothing has; `testing` are options of tests."""
    from adjudge.comparison.plan import study_plan
    from adjudge.history.gate import gate
    from adjudge.history.stored import read
    from adjudge.human.study_scores import study_material

    for option, asked in (("--save FILE.json", run.save), ("--record", run.recording)):
        if asked is not None:
            raise UsageError(
                f"{option.split()[0]}: keep the new result by itself: adjudge study run {study} {option}"
            )
    stored = read(request.against, study=True)
    with run.working() as work:
        loaded = loaded_study(study, work.progress)
        result = gate(
            stored,
            study_material(loaded),
            request.specs,
            study_plan(loaded.study, {"baseline": None, **given_options(testing)}),
            system=request.system,
            tolerance=request.tolerance,
            look=request.look,
            **work.options,
        )
    run.warn((*loaded.notes, *result.warnings))
    run.show(result, loaded.inputs)
    return result.passed
