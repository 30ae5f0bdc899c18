"""What of a test set stands in a training text, also as labels to group by."""

from __future__ import annotations

from typing import Any

import click

from adjudge.cli import _options, _outputs, _show
from adjudge.errors import UsageError


@click.command(
    "contamination", short_help="What of a test set stands in a training text, also as labels to group by."
)
@_options.file_options
@_options.keywords()
@_options.format_option(_options.PAGES)
@_options.results_option
def command(
    *,
    systems: tuple[str, ...],
    training: tuple[str, ...] = (),
    form: str,
    output: str | None,
    threads: int = 0,
    quiet: bool = False,
    **files: Any,
) -> None:
    """Show what of source and references stands in a training text: as it is, nearly, or in large part.

    With -f tsv, a label a segment, for -L and --by: scores of seen and unseen segments beside each other.

    \b
    adjudge analyse contamination -s source.pt -r reference.en --training train.en
    adjudge analyse contamination -r reference.en --training train.en.gz -o seen.tsv
    adjudge compare -r reference.en -L seen.tsv --by contamination rulebased.en neural.en
    """
    from adjudge import __version__
    from adjudge.checks.contamination import seen_texts
    from adjudge.report.analyses.contamination import forms

    if not training:
        raise UsageError("no training text to look into: --training FILE")
    if not (files["references"] or files["source"] or files["test_set"]):
        raise UsageError("no test set to look for: -r FILE, -s FILE or -t FILE")
    loaded = _options.load_material(systems, files)
    _outputs.check_not_read(loaded.inputs)
    seen = seen_texts(loaded.test_set, training, threads=threads)
    _show.warn(loaded.notes, quiet=quiet)
    _show.show(forms(seen, version=__version__, inputs=loaded.inputs), form, output)
