"""Find what is wrong with the files before anyone trusts a score."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from adjudge.cli import _options, _outputs, _show
from adjudge.cli._workspace import allow_programs_option
from adjudge.errors import UsageError

if TYPE_CHECKING:
    from adjudge.checks import LintReport

FORMATS = ("text", "json", "tsv", "markdown")
FOUND_ERRORS = 1


@click.command("lint", short_help="Find what is wrong with the files before anyone trusts a score.")
@_options.file_options
@_options.keywords(training="What of the test set stands in it?", listing="All checks and what they find.")
@_options.format_option(FORMATS)
@_options.results_option
@allow_programs_option
def command(
    *,
    systems: tuple[str, ...],
    skip: tuple[str, ...] = (),
    training: tuple[str, ...] = (),
    strict: bool = False,
    form: str,
    output: str | None,
    listing: bool = False,
    quiet: bool = False,
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
        _list(form, output)
        return 0
    given = (
        *systems,
        *files["references"],
        *filter(None, (files["source"], files["test_set"], files["labels"])),
    )
    if not given:
        raise UsageError("no files to look at: adjudge lint -r REFERENCE [-s SOURCE] SYS...")
    study = _options.study_of(systems, files)
    if study is not None:
        from adjudge.cli._studies import lint_study  # late: few name a study

        report = lint_study(study, skipped, training)
    else:
        stdin = _options.stdin_bytes()
        report = checks.lint(systems=systems, skip=skipped, training=training, stdin=stdin, **files)
    _outputs.check_not_read(report.inputs)
    _report(checks.without_notes(report) if quiet else report, form, output)
    return FOUND_ERRORS if strict and report.count("error") else 0


def _report(report: LintReport, form: str, output: str | None) -> None:
    from adjudge import __version__
    from adjudge.report.render.formats import renderer_of

    _show.show(renderer_of(report, version=__version__), form, output)


def _list(form: str, output: str | None) -> None:
    from adjudge import __version__, checks
    from adjudge.checks.registry import CheckList
    from adjudge.report.render.formats import renderer_of

    _show.show(renderer_of(CheckList(list(checks.checks().values())), version=__version__), form, output)
