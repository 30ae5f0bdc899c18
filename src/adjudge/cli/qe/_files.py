"""Options of files that several commands of `adjudge qe` share."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from adjudge.cli import _options
from adjudge.errors import UsageError

if TYPE_CHECKING:
    from adjudge.qe.companions import Companions
    from adjudge.qe.labelled import LabelledSegments

judged_options = _options.options(
    click.argument("tables", metavar="TABLE_FILE...", nargs=-1),
    _options.option("source", "Where there is no table."),
    _options.options("translation", "gold_scores"),
    _options.option("column", "Of a table: z_mean, hter."),
    _options.option("log_probs", repeated=True),
    _options.options("black_box"),
    _options.option("tags", repeated=True),
)
"""TABLE_FILE..., or a file each for sources, translations and scores: what `read_judged` takes."""
companion_options = _options.options(source_lm="", target_lm="", encoder="")
"""Larger models that stay in their own files."""


def companions(source_lm: str, target_lm: str, encoder: str) -> Companions:
    """These models by the names of options."""
    from adjudge.qe.companions import Companions

    return Companions(source_lm, target_lm, encoder)


def read_judged(
    tables: Sequence[str],
    *,
    doing: str,
    source: str | None,
    translation: str | None,
    gold_scores: str | None,
    column: str | None,
    log_probs: Sequence[str],
    black_box: bool,
    tags: Sequence[str],
) -> LabelledSegments:
    """The judged segments of all files that were named."""
    from dataclasses import replace

    from adjudge.qe import reading
    from adjudge.qe.labelled import join_labelled

    lines = [path for path in (source, translation, gold_scores) if path]
    if lines and (tables or len(lines) < 3):
        raise UsageError(
            "give tables with a header, or --source, --translation and --gold-scores together, with a line a segment"
        )
    if not tables and not lines:
        raise UsageError(
            f"nothing to {doing}: adjudge qe {doing} TABLE.tsv, with a source, an output and a score for each segment, "
            "or --source FILE --translation FILE --gold-scores FILE"
        )
    parts = {path: reading.read_table(path, column) for path in tables}
    if lines:
        parts = {lines[0]: reading.read_lines(lines[0], lines[1], lines[2])}
    for option, given, add in (
        ("--log-probs", log_probs, reading.with_log_probabilities),
        ("--tags", tags, reading.with_tags),
    ):
        for text in given:
            table, file = _owner(text, list(parts), option)
            parts[table] = add(parts[table], file)
    segments = join_labelled(list(parts.values()))
    return replace(segments, log_probabilities=None) if black_box else segments


def _owner(text: str, tables: Sequence[str], option: str) -> tuple[str, str]:
    """Whose segments the lines of a file belong to."""
    name, equals, file = text.partition("=")
    if equals and name in tables:
        return name, file
    if len(tables) == 1:
        return tables[0], text
    raise UsageError(
        f"{option} {text}: which table do its lines belong to? {option} {tables[0]}={file or text}, or another of "
        f"{', '.join(tables)}"
    )
