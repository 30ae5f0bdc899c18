"""What is wrong with the files of a study."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from adjudge import workspace
from adjudge.checks import LintReport, checks, lint
from adjudge.checks.findings import by_severity
from adjudge.io.study_file import read_study
from adjudge.wording import pluralise


def lint_study(
    file: str, *, skip: Sequence[str] = (), training: Sequence[str] = (), allow_programs: bool = False
) -> LintReport:
    """What is wrong with the files of any test set of a study."""
    study = read_study(file)
    findings, inputs = [], [study.input]
    for loaded_set in study.sets:
        with workspace.use(workspace.with_settings(named_by_file=True, allow_programs=allow_programs)):
            report = lint(skip=skip, training=training, **loaded_set.arguments())
        findings += [replace(f, message=f"{loaded_set.name}: {f.message}") for f in report.findings]
        inputs += report.inputs
    looked_at = f"the files of {pluralise(len(study.sets), 'test set')}"
    return LintReport(by_severity(findings, list(checks())), tuple(dict.fromkeys(inputs)), looked_at)
