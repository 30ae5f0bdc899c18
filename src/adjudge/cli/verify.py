"""Compute a result file again, and say what no longer holds."""

from __future__ import annotations

from adjudge.cli import BAD_DATA, _outputs
from adjudge.cli._command import subcommand
from adjudge.cli._options import argument, format_option
from adjudge.cli._run import CommandRun


@subcommand(
    "verify",
    "Compute a result file again, and say what no longer holds.",
    argument("result", metavar="RESULT.json"),
    format_option(("text", "json")),
    "output threads quiet allow_programs models",
)
def command(run: CommandRun, *, result: str) -> int:
    """Compute a result file again, and say what no longer holds.

    RESULT.json is what score, compare or study run printed with -f json, or wrote with --save. Files are looked for
    from the working directory and from the folder of the result. Exit 0: everything holds; 1: something does not.
    Programs, models and services that the file names are used again only with --allow-programs.

    \b
    adjudge verify baseline.json
    """
    from adjudge.history.reload import found_inputs
    from adjudge.history.stored import read
    from adjudge.history.verify import verify

    stored = read(result)
    _outputs.check_not_read(found_inputs(stored))
    with run.working() as work:
        verification = verify(stored, threads=run.threads, progress=work.progress)
    run.show(verification)
    return 0 if verification.holds else BAD_DATA
