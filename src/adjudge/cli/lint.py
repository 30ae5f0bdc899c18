"""Find what is wrong with the files before anyone trusts a score."""

from __future__ import annotations

from typing import Any

from adjudge.cli import _outputs
from adjudge.cli._command import subcommand
from adjudge.cli._files import stdin_bytes, study_of
from adjudge.cli._options import format_option, keywords
from adjudge.cli._run import CommandRun
from adjudge.errors import UsageError

FORMATS = ("text", "json", "tsv", "markdown")
FOUND_ERRORS = 1


@subcommand(
    "lint",
    "Find what is wrong with the files before anyone trusts a score.",
    "files",
    keywords(training="What of the test set stands in it?", listing="All checks and what they find."),
    "quiet",
    format_option(FORMATS),
    "output allow_programs",
)
def command(
    run: CommandRun,
    *,
    systems: tuple[str, ...],
    skip: tuple[str, ...] = (),
    training: tuple[str, ...] = (),
    strict: bool = False,
    listing: bool = False,
    **files: Any,
) -> int:
    """Find what is wrong with the files before anyone trusts a score.

    Takes the same files as `adjudge score`, also those that it refuses. The exit code is 0 whatever is found,
    with --strict 1 on errors; with --quiet, notes are left out.

    \b
    adjudge lint -r reference.en -s source.pt systems/*.en
    adjudge lint -r reference.en --strict --skip language neural.en
    adjudge lint study.toml
    """
    from adjudge import checks

    skipped = [name for text in skip for name in text.split(",") if name]
    if listing:
        from adjudge.checks.registry import CheckList

        run.show(CheckList(list(checks.checks().values())))
        return 0
    if not (systems or any(files[name] for name in ("references", "source", "test_set", "labels"))):
        raise UsageError("no files to look at: adjudge lint -r REFERENCE [-s SOURCE] SYS...")
    study = study_of(systems, files)
    if study is not None:
        from adjudge.checks.studies import lint_study  # late: few name a study

        allowed = run.workspace["allow_programs"]
        report = lint_study(study, skip=skipped, training=training, allow_programs=allowed)
    else:
        report = checks.lint(systems=systems, skip=skipped, training=training, stdin=stdin_bytes(), **files)
    _outputs.check_not_read(report.inputs)
    run.show(checks.without_notes(report) if run.quiet else report)
    return FOUND_ERRORS if strict and report.count("error") else 0
