"""Options of files that several commands of `adjudge qe` share."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

import click

from adjudge.errors import UsageError

if TYPE_CHECKING:
    from adjudge.qe.companions import Companions
    from adjudge.qe.labelled import LabelledSegments

Command = TypeVar("Command", bound=Callable[..., Any])

_JUDGED = (
    click.argument("tables", metavar="TABLE_FILE...", nargs=-1),
    click.option("-s", "--source", metavar="FILE", help="Sources, a line each, where there is no table."),
    click.option("--translation", metavar="FILE", help="What was judged, a line each."),
    click.option("--gold", metavar="FILE", help="What people said, a number a line."),
    click.option(
        "--score", "score", metavar="NAME", help="The column of a table that is the score: z_mean, hter."
    ),
    click.option(
        "--log-probs",
        "log_probs",
        metavar="FILE",
        multiple=True,
        help="The MT system's log-probabilities of its tokens, a line a segment; TABLE=FILE for several tables.",
    ),
    click.option("--black-box", is_flag=True, help="Use no log-probabilities, though a table has them."),
    click.option(
        "--tags",
        metavar="FILE",
        multiple=True,
        help="OK or BAD for each word, a line a segment; TABLE=FILE for several tables.",
    ),
)
_COMPANIONS = (
    click.option("--source-lm", metavar="FILE", default="", help="A language model of the source for KenLM."),
    click.option("--target-lm", metavar="FILE", default="", help="A language model of the target for KenLM."),
    click.option(
        "--encoder",
        metavar="MODEL_FOLDER",
        default="",
        help="An encoder that knows both languages, to compare texts.",
    ),
)


def judged_options(command: Command) -> Command:
    """TABLE_FILE..., or a file each for sources, translations and scores: what `read_judged` takes."""
    return _with(command, _JUDGED)


def companion_options(command: Command) -> Command:
    """Larger models that stay in their own files."""
    return _with(command, _COMPANIONS)


def _with(command: Command, options: Sequence[Callable[[Command], Command]]) -> Command:
    for option in reversed(options):
        command = option(command)
    return command


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
    gold: str | None,
    score: str | None,
    log_probs: Sequence[str],
    black_box: bool,
    tags: Sequence[str],
) -> LabelledSegments:
    """The judged segments of all files that were named."""
    from dataclasses import replace

    from adjudge.qe import reading
    from adjudge.qe.labelled import join_labelled

    lines = [path for path in (source, translation, gold) if path]
    if lines and (tables or len(lines) < 3):
        raise UsageError(
            "give tables with a header, or --source, --translation and --gold together, with a line a segment"
        )
    if not tables and not lines:
        raise UsageError(
            f"nothing to {doing}: adjudge qe {doing} TABLE.tsv, with a source, an output and a score for each segment, "
            "or --source FILE --translation FILE --gold FILE"
        )
    parts = {path: reading.read_table(path, score) for path in tables}
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
