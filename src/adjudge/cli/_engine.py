"""Where rows are computed, and files that are read in chunks: options of score and compare."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from adjudge.cli._options import output_option
from adjudge.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from adjudge.io.streams import FileStream

rows_option = output_option("rows", holds=("parquet",))
WHOLE = {
    "test_set": ("-t", "name its columns instead: -r FILE.parquet:REFERENCE FILE.parquet:OUTPUT"),
    "level": (
        "--level",
        "documents and windows are put together from segments; --unit document draws whole documents",
    ),
    "realign": ("--realign", "outputs are cut anew from their first word to their last"),
    "trees": ("--trees", "trees are looked up by their text; let the metric parse: ptk(parser=…)"),
    "back_translations": ("--back-translation", "texts are looked up in it"),
    "translator": ("--translator", "translate first, and give the result with --pseudo-reference"),
    "back_translator": ("--back-translator", "translate first, and leave --stream away"),
    "levels": ("--levels", "people gave scores to outputs of test sets, not of corpora"),
    "scores": ("--scores", "scores of segments are small: leave --stream away"),
    "runs": ("a stored run", "its rows are read into memory: leave --stream away"),
}
"""Options that need all segments at once, and what to do instead."""


def opened_stream(systems: Sequence[str], files: Mapping[str, Any]) -> FileStream:
    """The files that options name, to be read in chunks; what needs them whole is refused."""
    from adjudge.io.streams import open_stream
    from adjudge.stats.sums import BLOCK

    for name, (option, instead) in WHOLE.items():
        if files.get(name):
            raise UsageError(f"{option} needs all segments at once, and --stream never has them: {instead}")
    known = ("references", "source", "pseudo_references", "labels", "input_format", "language")
    return open_stream(systems=systems, rows=BLOCK, **{name: files[name] for name in known})
