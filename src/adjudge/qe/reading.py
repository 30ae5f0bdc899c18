"""Judged segments from files: tables with a header as MLQE has them, or a file each for sources, outputs and scores."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from adjudge.errors import DataError, UsageError
from adjudge.io import column_names
from adjudge.io.files import lines, path_text, read_bytes
from adjudge.io.sheet import numbers, read
from adjudge.io.table import Input
from adjudge.qe.features import LogProbabilities
from adjudge.qe.labelled import BAD, OK, LabelledSegments, join_labelled
from adjudge.wording import pluralise

SOURCE = ("source", "src", "sourcetext", "original", "input")
SCORE = ("zmean", "score", "hter", "da", "mqm", "z", "mean", "rating", "raw")
"""The first that is there is taken, unless --column names another."""
POST_EDIT = ("postedit", "postedited", "pe", "edited")
LOG_PROBABILITIES = ("logprobs", "logprobabilities", "tokenlogprobs", "wordprobas", "modelscores")


def read_table(path: str, score: str | None = None) -> LabelledSegments:
    """The segments of a table; columns are found by what people call them."""
    data, digest = read_bytes(path)
    sheet = read(path, data)
    remedy = "a table needs a source, an output and a score for each segment"
    columns = {}
    for what, known in (("source", SOURCE), ("output", column_names.TRANSLATION)):
        column = sheet.find(known)
        if column is None:
            raise sheet.lacks(known, remedy)
        columns[what] = column
    gold = sheet.find([column_names.plain(score)] if score else SCORE)
    if gold is None:
        wanted = (score,) if score else SCORE
        raise sheet.lacks(wanted, f"{remedy}; --column NAME says which column is the score")
    edits, document = sheet.find(POST_EDIT), sheet.find(column_names.DOCUMENT)
    known_log = sheet.find(LOG_PROBABILITIES)
    given = None
    if known_log is not None:
        cells = sheet.columns[known_log]
        given = tuple(_log_probabilities(cell, sheet.place(row)) for row, cell in enumerate(cells))
    return LabelledSegments(
        tuple(sheet.columns[columns["source"]]),
        tuple(sheet.columns[columns["output"]]),
        sheet.numbers(gold),
        tuple(sheet.columns[edits]) if edits else None,
        tuple(sheet.columns[document]) if document else None,
        given,
        None,
        gold,
        (Input("judgements", path, digest),),
    )


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
    parts = {path: read_table(path, column) for path in tables}
    if lines:
        parts = {lines[0]: read_lines(lines[0], lines[1], lines[2])}
    for spelled, given, add in (
        ("--log-probs", log_probs, with_log_probabilities),
        ("--tags", tags, with_tags),
    ):
        for text in given:
            table, file = _owner(text, list(parts), spelled)
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


def read_lines(source: str, output: str, gold: str) -> LabelledSegments:
    """The segments of three files with a line a segment."""
    inputs: list[Input] = []
    sources, outputs = (
        read_text(path, role, inputs) for path, role in ((source, "source"), (output, "output"))
    )
    scores = read_text(gold, "scores", inputs)
    for path, column in ((output, outputs), (gold, scores)):
        check_length(path, len(column), source, len(sources))
    values = numbers(scores, (), lambda row: f"{path_text(gold)}, line {row + 1}")
    name = "hter" if "hter" in gold.rsplit("/", 1)[-1].lower() else "score"
    return LabelledSegments(sources, outputs, values, score_name=name, inputs=tuple(inputs))


def read_text(path: str, role: str, inputs: list[Input]) -> tuple[str, ...]:
    """The lines of a file, which is added to the inputs."""
    data, digest = read_bytes(path)
    inputs.append(Input(role, path, digest))
    return tuple(lines(path, data))


def check_length(path: str, count: int, other: str, expected: int) -> None:
    """Refuse files that do not go line by line."""
    if count != expected:
        raise DataError(
            f"{path_text(path)} has {pluralise(count, 'segment')}, but {path_text(other)} has {expected:,}: "
            "both need a line for each"
        )


def with_log_probabilities(segments: LabelledSegments, path: str) -> LabelledSegments:
    """The segments with the log-probabilities of their tokens, a line each."""
    inputs: list[Input] = []
    given = read_log_probabilities(path, inputs)
    check_length(path, len(given), segments.inputs[0].path, len(segments))
    return replace(segments, log_probabilities=given, inputs=(*segments.inputs, *inputs))


def read_log_probabilities(path: str, inputs: list[Input]) -> tuple[LogProbabilities, ...]:
    """Numbers parted by spaces, a line a segment; an empty line where nothing is known."""
    rows = read_text(path, "log_probabilities", inputs)
    return tuple(_log_probabilities(row, f"{path_text(path)}, line {n}") for n, row in enumerate(rows, 1))


def with_tags(segments: LabelledSegments, path: str) -> LabelledSegments:
    """The segments with OK or BAD for each word of their outputs, a line each.

    WMT's files also have a tag for every gap between words, 2n + 1 in all: those of words are taken.
    """
    inputs: list[Input] = []
    rows = read_text(path, "tags", inputs)
    check_length(path, len(rows), segments.inputs[0].path, len(segments))
    tags = tuple(
        word_tags(row.split(), output.split(), f"{path_text(path)}, line {n}")
        for n, (row, output) in enumerate(zip(rows, segments.outputs, strict=True), 1)
    )
    return replace(segments, tags=tags, inputs=(*segments.inputs, *inputs))


def word_tags(tags: Sequence[str], words: Sequence[str], place: str) -> tuple[str, ...]:
    """The tags of the words alone."""
    for tag in tags:
        if tag not in (OK, BAD):
            raise DataError(f"{place}: {tag!r} is no tag; OK or BAD was expected for each word")
    if len(tags) == 2 * len(words) + 1:
        return tuple(tags[1::2])
    if len(tags) != len(words):
        raise DataError(
            f"{place}: {len(tags)} tags for {len(words)} words (cut at spaces); a tag for each word was expected, or "
            f"{2 * len(words) + 1} with the gaps between them. Tags belong to tokenized outputs: give these"
        )
    return tuple(tags)


def _log_probabilities(cell: str, place: str) -> LogProbabilities:
    parts = cell.replace(",", " ").replace("[", " ").replace("]", " ").split()
    if not parts:
        return None
    try:
        values = tuple(map(float, parts))
    except ValueError:
        raise DataError(
            f"{place}: log-probabilities are numbers parted by spaces, not {cell[:40]!r}"
        ) from None
    if not np.isfinite(values).all() or max(values) > 1e-6:
        raise DataError(
            f"{place}: log-probabilities are at most 0, and none of {cell[:40]!r} may be larger; are these "
            "probabilities? Give their logarithms"
        )
    return values


def pair_of(language: str | None) -> tuple[str, str]:
    """Source and target language of a pair as people write it, each "" where it is not said."""
    from adjudge.data import languages

    if not language:
        return "", ""
    source, target = languages.pair(language)
    if source and source == target:
        raise UsageError(f"-l {language}: source and target are one language; say the pair, as in -l en-de")
    return source, target
