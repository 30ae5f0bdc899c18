"""Studies in place of files: what score, compare and lint do with a STUDY.toml."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from adjudge.cli import _cache, _outputs, _show
from adjudge.errors import UsageError

if TYPE_CHECKING:
    from adjudge.checks import Report
    from adjudge.evaluate.studies import StudyPlan


def study_of(systems: Sequence[str], files: Mapping[str, Any]) -> str | None:
    """The study that was named in place of files; None where there are files."""
    from adjudge.io.study_file import is_study

    studies = [text for text in systems if is_study(text)]
    if not studies:
        return None
    given = [name for name in ("references", "source", "test_set", "labels") if files.get(name)]
    if len(systems) > 1 or given:
        raise UsageError(f"{studies[0]} is a study, which names all files itself: give it alone")
    return studies[0]


def show_study(
    file: str,
    specs: Sequence[str],
    plan: StudyPlan,
    form: str,
    output: str | None,
    *,
    caching: bool,
    quiet: bool,
) -> None:
    """Run a study and show it; the study says metrics and baseline where nothing else does."""
    from dataclasses import replace

    from adjudge import __version__
    from adjudge.cli._progress import progress
    from adjudge.evaluate.studies import StudyMaterial, run_study
    from adjudge.io.study_file import read_study
    from adjudge.report.study import forms

    study = read_study(file)
    inputs, notes, material = [study.input] if study.input else [], [], []
    with progress(quiet=quiet) as report_progress:
        for place, own in enumerate(study.sets):
            if report_progress:
                report_progress(f"reading {own.name}", place, len(study.sets))
            loaded = own.load()
            inputs += loaded.inputs
            notes += [f"{own.name}: {note}" for note in loaded.notes]
            language = own.language or loaded.test_set.language
            material.append(StudyMaterial(own.name, loaded.test_set, loaded.outputs, language, own.domain))
        _outputs.check_not_read(inputs)
        result = run_study(
            material,
            specs or study.metrics,
            replace(plan, baseline=plan.baseline or study.baseline),
            cache=_cache.row_cache(caching),
            progress=report_progress,
        )
    _show.warn(notes, quiet=quiet)
    _show.show(forms(result, name=study.name, version=__version__, inputs=inputs), form, output)


def lint_study(file: str, skip: Sequence[str], training: Sequence[str]) -> Report:
    """What is wrong with the files of any test set of a study."""
    from dataclasses import replace

    from adjudge.checks import Report, checks, lint
    from adjudge.checks.findings import by_severity
    from adjudge.io.study_file import read_study
    from adjudge.wording import counted

    study = read_study(file)
    findings, inputs = [], [study.input] if study.input else []
    for own in study.sets:
        report = lint(
            own.test_set or None,
            systems=own.systems,
            references=own.references,
            source=own.source or None,
            labels=own.labels or None,
            input_format=own.format or None,
            language=own.language or None,
            skip=skip,
            training=training,
        )
        findings += [replace(f, message=f"{own.name}: {f.message}") for f in report.findings]
        inputs += report.inputs
    looked_at = f"the files of {counted(len(study.sets), 'test set')}"
    return Report(by_severity(findings, list(checks())), tuple(dict.fromkeys(inputs)), looked_at)
