"""Forward and reverse: systems on text first written in the source language, and on text translated into it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from adjudge.cli._command import subcommand
from adjudge.cli._files import load_files, metric_specs, read_judgements, study_of
from adjudge.cli._options import PAGES, format_option, keywords
from adjudge.cli._run import CommandRun
from adjudge.cli._studies import given_options, loaded_study
from adjudge.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from adjudge.comparison.scoring import Progress
    from adjudge.comparison.study_material import StudyMaterial
    from adjudge.io import Input

METRICS = ("bleu", "chrf")


@subcommand(
    "origins",
    "Forward and reverse: systems on text written in the source language, and on text translated into it.",
    "files",
    keywords(
        metrics="May be repeated. Default: those of the study, or bleu and chrf; unigram precision always."
    ),
    "threads cache quiet",
    format_option(PAGES),
    "output allow_programs",
)
def command(
    run: CommandRun,
    *,
    systems: tuple[str, ...],
    metrics: tuple[str, ...] = (),
    judgements: tuple[str, ...] = (),
    unit: str = "auto",
    resamples: int = 1000,
    seed: int = 12345,
    **files: Any,
) -> None:
    """Show systems on forward and on reverse text, over one test set or all of a study.

    Labels say where segments were first written (a column origin). By language pair: how many systems score higher on
    the reverse half and by how much; by test set: whether both halves agree about systems; by pair: whose order
    changes, and whose surely does. For every metric, unigram precision, people's judgements and other scores.

    \b
    adjudge analyse origins study.toml -o origins.html
    adjudge analyse origins -r reference.en -s source.pt -L labels.tsv -l pt-en rulebased.en neural.en
    """
    from adjudge import workspace
    from adjudge.analysis.origin_study import OriginOptions, origin_study

    specs = metric_specs(metrics)
    asked: dict[str, Any] = {}
    with run.working() as work:
        if (study := study_of(systems, files | {"judgements": judgements})) is not None:
            material, inputs, notes, own = _of_study(study, work.progress)
            asked = _plan_defaults(study)
        else:
            material, inputs, notes, own = _of_files(systems, judgements, files)
        with workspace.use(workspace.with_settings(named_by_file=study is not None and not specs)):
            result = origin_study(
                material,
                specs or own,
                replace(OriginOptions(resamples=resamples, seed=seed, unit=unit), **asked),
                **work.options,
            )
    run.warn(notes)
    run.show(result, inputs)


Material = tuple["Sequence[StudyMaterial]", "Sequence[Input]", "Sequence[str]", "Sequence[str]"]
"""Test sets, the files they came from, what is to be said of these, and metrics."""


def _of_study(study: str, progress: Progress | None) -> Material:
    from adjudge.analysis.origin_study import check_language
    from adjudge.human.study_scores import notes_on, study_material

    loaded = loaded_study(study, progress)
    for loaded_set in loaded.sets:
        check_language(loaded_set)
    return (
        study_material(loaded),
        loaded.inputs,
        (*loaded.notes, *notes_on(loaded)),
        loaded.study.metrics,
    )


def _plan_defaults(study: str) -> dict[str, Any]:
    """What the study's plan says of what is drawn, unless it was typed."""
    from adjudge.comparison.plan import study_plan
    from adjudge.io.study_file import read_study

    read = read_study(study)
    plan = study_plan(read)
    typed = given_options(("resamples", "seed", "unit"))
    names = [name for name in ("resamples", "seed", "unit") if name in read.plan and name not in typed]
    return {name: getattr(plan, name) for name in names}


def _of_files(systems: tuple[str, ...], judgements: tuple[str, ...], files: dict[str, Any]) -> Material:
    from adjudge.comparison.study_material import StudyMaterial
    from adjudge.human.study_scores import in_lines, people_measure

    loaded = load_files(systems, doing="analyse origins", **files)
    inputs, notes = [*loaded.inputs], [*loaded.notes]
    further = []
    if judgements:
        people = read_judgements(judgements)
        inputs += people.inputs
        notes += people.warnings
        names = [output.system for output in loaded.outputs]
        scores = in_lines(people_measure(people.judgements), loaded.test_set, names)
        if scores is None:
            raise UsageError("people judged none of these systems: names of systems are those of their files")
        further.append(scores)
    own = loaded.test_set
    material = StudyMaterial(own.name, own, loaded.outputs, own.language, further=tuple(further))
    return (material,), inputs, notes, METRICS
