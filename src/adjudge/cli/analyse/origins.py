"""Forward and reverse: systems on text first written in the source language, and on text translated into it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from adjudge.cli import _options, _outputs, _show, _workspace
from adjudge.cli._options import study_of
from adjudge.cli._studies import given_options, loaded_study
from adjudge.cli._workspace import allow_programs_option
from adjudge.errors import DataError, UsageError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from adjudge.comparison.scoring import Progress
    from adjudge.comparison.study_material import StudyMaterial
    from adjudge.io import Input
    from adjudge.io.studies import LoadedSet

METRICS = ("bleu", "chrf")


@click.command(
    "origins",
    short_help="Forward and reverse: systems on text written in the source language, and on text translated into it.",
)
@_options.file_options
@_options.keywords(
    metrics="May be repeated. Default: those of the study, or bleu and chrf; unigram precision always."
)
@_options.format_option(_options.PAGES)
@_options.results_option
@allow_programs_option
def command(
    *,
    systems: tuple[str, ...],
    metrics: tuple[str, ...] = (),
    judgements: tuple[str, ...] = (),
    unit: str = "auto",
    resamples: int = 1000,
    seed: int = 12345,
    form: str,
    output: str | None,
    threads: int = 0,
    cache: bool = True,
    quiet: bool = False,
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
    from adjudge import __version__, workspace
    from adjudge.analysis.origin_study import OriginOptions, origin_study
    from adjudge.cli._workspace import progress
    from adjudge.report.render.formats import renderer_of

    specs = _options.metric_specs(metrics)
    asked: dict[str, Any] = {}
    with progress(quiet=quiet) as report_progress:
        if (study := study_of(systems, files | {"judgements": judgements})) is not None:
            material, inputs, notes, own = _of_study(study, report_progress)
            asked = _asked(study)
        else:
            material, inputs, notes, own = _of_files(systems, judgements, files)
        with workspace.use(workspace.changed(named_by_file=study is not None and not specs)):
            result = origin_study(
                material,
                specs or own,
                replace(OriginOptions(resamples=resamples, seed=seed, unit=unit), **asked),
                threads=threads,
                cache=_workspace.row_cache(cache),
                progress=report_progress,
            )
    _show.warn(notes, quiet=quiet)
    _show.show(renderer_of(result, version=__version__, inputs=inputs), form, output)


Material = tuple["Sequence[StudyMaterial]", "Sequence[Input]", "Sequence[str]", "Sequence[str]"]
"""Test sets, the files they came from, what is to be said of these, and metrics."""


def _of_study(study: str, progress: Progress | None) -> Material:
    from adjudge.human.study_scores import notes_on, study_material

    loaded = loaded_study(study, progress)
    for own in loaded.sets:
        _check_language(own)
    return (
        study_material(loaded),
        loaded.inputs,
        (*loaded.notes, *notes_on(loaded)),
        loaded.study.metrics,
    )


def _asked(study: str) -> dict[str, Any]:
    """What the study's plan says of what is drawn, unless it was typed."""
    from adjudge.comparison.plan import study_plan
    from adjudge.io.study_file import read_study

    read = read_study(study)
    plan = study_plan(read)
    typed = given_options(("resamples", "seed", "unit"))
    names = [name for name in ("resamples", "seed", "unit") if name in read.plan and name not in typed]
    return {name: getattr(plan, name) for name in names}


def _check_language(own: LoadedSet) -> None:
    """Refuse a test set whose language pair does not tell which half a segment is in."""
    from adjudge.data import languages
    from adjudge.data.origins import ORIGIN, directions

    origins = own.test_set.labels.get(ORIGIN, ())
    try:
        directions(origins, languages.pair(own.language))
    except UsageError:
        names = ", ".join(dict.fromkeys(origins))
        fault = f"{own.language} is not the pair of these origins ({names})" if own.language else "missing"
        example = 'language = "de-en" says that segments written in German are forward'
        raise DataError(f"{own.place}: language: {fault}; {example}") from None


def _of_files(systems: tuple[str, ...], judgements: tuple[str, ...], files: dict[str, Any]) -> Material:
    from adjudge.comparison.study_material import StudyMaterial
    from adjudge.human.study_scores import in_lines, people_measure
    from adjudge.io.judgements import read

    _options.check_files(systems, doing="analyse origins", **files)
    loaded = _options.load_files(systems, doing="analyse origins", **files)
    inputs, notes = [*loaded.inputs], [*loaded.notes]
    further = []
    if judgements:
        people = read(judgements, stdin=_options.stdin_bytes())
        inputs += people.inputs
        notes += people.warnings
        names = [output.system for output in loaded.outputs]
        scores = in_lines(people_measure(people.judgements), loaded.test_set, names)
        if scores is None:
            raise UsageError("people judged none of these systems: names of systems are those of their files")
        further.append(scores)
    _outputs.check_not_read(inputs)
    own = loaded.test_set
    material = StudyMaterial(own.name, own, loaded.outputs, own.language, further=tuple(further))
    return (material,), inputs, notes, METRICS
