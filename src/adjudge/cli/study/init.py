"""Write a study from the files of a folder, and say what was guessed."""

from __future__ import annotations

import os

import click

from adjudge.cli import _outputs, _show
from adjudge.errors import UsageError


@click.command("init", short_help="Write a study from the files of a folder, and say what was guessed.")
@click.argument("folder", metavar="FOLDER")
def command(*, folder: str) -> None:
    """Write FOLDER/study.toml from the files of a folder, and say what was guessed.

    Looked for are folders with reference.LANGUAGE, source.LANGUAGE, labels.tsv and systems/NAME.LANGUAGE.

    \b
    adjudge study init evaluation/
    adjudge study run evaluation/study.toml
    """
    from adjudge.io.study_guess import guess, study_text
    from adjudge.wording import counted

    sets = guess(folder)
    path = os.path.join(folder, "study.toml")
    name = os.path.basename(os.path.abspath(folder))
    if os.path.lexists(path):
        raise UsageError(f"{path} is there already; take it away, or write into it by hand")
    _outputs.write(path, study_text(name, sets).encode())
    for own in sets:
        told = [
            counted(own.outputs, "output"),
            counted(len(own.references), "reference"),
            "a source" if own.source else "no source",
            f"language {own.language}"
            if own.language
            else 'no language pair: say it, as in language = "de-en"',
        ]
        _show.say(f"{own.name}: {', '.join(told)}")
    _show.say(f"{path} has {counted(len(sets), 'test set')}; adjudge study run {path}")
