"""Options of files that several commands of `adjudge qe` share."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from adjudge.cli._options import argument, option

if TYPE_CHECKING:
    pass

JUDGED = (
    argument("tables", metavar="TABLE_FILE...", nargs=-1),
    option("source", "Where there is no table."),
    "translation",
    "gold_scores",
    option("column", "Of a table: z_mean, hter."),
    option("log_probs", repeated=True),
    "black_box",
    option("tags", repeated=True),
)
"""TABLE_FILE..., or a file each for sources, translations and scores: what `read_judged` takes."""
COMPANIONS = (
    option("source_lm", default=""),
    option("target_lm", default=""),
    option("encoder", default=""),
)
"""Larger models that stay in their own files."""


def judged_files(options: Mapping[str, Any]) -> dict[str, Any]:
    """Those of a command's options that `read_judged` takes."""
    names = ("source", "translation", "gold_scores", "column", "log_probs", "black_box", "tags")
    return {name: options[name] for name in names}
