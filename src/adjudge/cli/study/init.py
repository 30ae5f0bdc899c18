"""Write a study from the files of a folder, and say what was guessed."""

from __future__ import annotations

import os

from adjudge.cli import _outputs
from adjudge.cli._command import subcommand
from adjudge.cli._options import argument
from adjudge.cli._run import CommandRun
from adjudge.errors import UsageError


@subcommand(
    "init",
    "Write a study from the files of a folder, and say what was guessed.",
    argument("folder", metavar="FOLDER"),
)
def command(run: CommandRun, *, folder: str) -> None:
    """Write FOLDER/study.toml from the files of a folder, and say what was guessed.

    Looked for are folders with reference.LANGUAGE, source.LANGUAGE, labels.tsv and systems/NAME.LANGUAGE; WMT's
    sources/, references/ and system-outputs/; files called NAME.src-tgt.LANGUAGE; and files that hold all of a set.

    \b
    adjudge study init evaluation/
    adjudge study run evaluation/study.toml
    """
    from adjudge.io.study_layouts import guess, study_text
    from adjudge.wording import pluralise, some_of

    guessed = guess(folder)
    path = os.path.join(folder, "study.toml")
    name = os.path.basename(os.path.abspath(folder))
    if os.path.lexists(path):
        raise UsageError(f"{path} is there already; take it away, or write into it by hand")
    _outputs.write(path, study_text(name, guessed.sets).encode())
    for loaded_set in guessed.sets:
        run.say(f"{loaded_set.name}: {', '.join(loaded_set.described())}")
    if guessed.unused:
        run.say(f"not used: {some_of(guessed.unused)}")
    run.say(f"{path} has {pluralise(len(guessed.sets), 'test set')}; adjudge study run {path}")
