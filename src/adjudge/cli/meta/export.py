"""Write scores and texts as a folder of mt-metrics-eval, with metrics computed here among them."""

from __future__ import annotations

import os
from typing import Any

import click

from adjudge.cli import _options, _outputs, _show
from adjudge.cli._workspace import model_options
from adjudge.cli.meta import _scores
from adjudge.errors import UsageError
from adjudge.wording import counted


@click.command("export", short_help="Write a folder of mt-metrics-eval.")
@click.argument("folder", metavar="FOLDER")
@_outputs.output_argument("target", metavar="NEW")
@_scores.score_options
@_options.keywords(golds="Of a table; may be repeated.")
@model_options
def command(
    *, folder: str, target: str, golds: tuple[str, ...] = (), quiet: bool = False, **scores: Any
) -> None:
    """Write the scores and texts of FOLDER to the folder NEW, as mt-metrics-eval has them.

    FOLDER is a folder of another layout, or a table with a row for each system and segment; -m adds metrics.

    \b
    adjudge meta export wmt23 wmt23-more -m chrf -r refA
    adjudge meta export scores.tsv my-set -l en-de --gold right
    """
    from adjudge.cli._progress import progress
    from adjudge.io.metric_folders import folder_files

    with progress(quiet=quiet) as report_progress:
        read = _scores.read_scores(folder, gold=golds, progress=report_progress, **scores)
    files = folder_files(read.meta_set, read.texts)
    for name, data in files.items():
        path = os.path.join(target, *name.split("/"))
        try:
            os.makedirs(os.path.dirname(path), exist_ok=True)
        except OSError as error:
            raise UsageError(f"cannot write {os.path.dirname(path)}: {error.strerror}") from None
        _outputs.check_file(path)
        _outputs.write(path, data)
    if not quiet:
        _show.say(f"{counted(len(files), 'file')} in {target}")
