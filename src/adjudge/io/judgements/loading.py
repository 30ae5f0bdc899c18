"""Which format a file of judgements has, and all files of a call as one table."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import BinaryIO

import numpy as np
from numpy.typing import NDArray

from adjudge.data.judgements import Judgements, Names
from adjudge.errors import DataError, UsageError, unknown_name
from adjudge.io.cells import Grid
from adjudge.io.files import read_bytes, shown
from adjudge.io.judgements import (
    appraise,
    events,
    mqm,
    mturk,
    own,
    pearmut,
    rankings,
    scores,
    sheet,
    tables,
    texts,
    units,
    words,
)
from adjudge.io.judgements.labels import controlled
from adjudge.io.judgements.part import Part
from adjudge.io.judgements.sheet import Sheet
from adjudge.io.names import parse
from adjudge.io.table import Input
from adjudge.wording import counted, some_of

RESUBMISSIONS = ("last", "all")
FORMATS = {
    "adjudge": "adjudge's own export, JSON lines or CSV, taken as it is",
    "table": "named columns: a row a judgement (TSV, CSV, JSON lines, columns parted by spaces)",
    "tsv": "the same, parted by tabs",
    "csv": "the same, parted by commas",
    "jsonl": "the same, a JSON object a line",
    "appraise": "exports of Appraise, with and without a header",
    "pearmut": "pearmut's log of annotations",
    "rankings": "WMT's rankings: systems beside each other, or one a row with its rank",
    "choices": "which of two systems is better",
    "mqm": "MQM as Google publishes it: a row an error",
    "scores": "mt-metrics-eval: system and score without a header",
    "numbers": "one number a line (HTER)",
    "lists": "MLQE: a list of scores a segment",
    "mturk": "results of a Mechanical Turk batch of direct assessment",
}
_SHAPES = ("table", "tsv", "csv", "jsonl")
_SCALED = ("da", "sqm", "esa")
_LARGEST_Z = 10.0
_ROUNDING = 1e-9  # a mean of hundreds may be a hair more than that


@dataclass(frozen=True, eq=False)
class Loaded:
    """Judgements, the files they came from, and what the user should know of how they were read."""

    judgements: Judgements
    inputs: tuple[Input, ...]
    warnings: tuple[str, ...]
    format: str


def read(
    paths: str | os.PathLike[str] | Sequence[str | os.PathLike[str]],
    *,
    input_format: str | None = None,
    protocol: str | None = None,
    column: str | Sequence[str] | None = None,
    joint: bool = False,
    resubmissions: str = "last",
    stdin: BinaryIO | None = None,
) -> Loaded:
    """What people said of translations, from one file or several of a kind.

    The format is guessed from what a file holds unless `input_format` names it; `protocol` says how it was asked where
    the file does not, `column` which one has the scores: its name, or words of which the first that is there is taken.
    `joint` keeps ratings of an output that several systems share (`a+b`) as one. Of what annotators went back to and
    changed, the `last` answer counts, or `all` of them (`resubmissions`).
    """
    if resubmissions not in RESUBMISSIONS:
        raise unknown_name("choice for resubmissions", resubmissions, RESUBMISSIONS)
    if input_format is not None and input_format not in FORMATS:
        raise unknown_name("format of judgements", input_format, FORMATS)
    if protocol is not None and protocol not in words.PROTOCOLS:
        raise unknown_name("protocol", protocol, words.PROTOCOLS)
    given = [paths] if isinstance(paths, str | os.PathLike) else paths
    files: list[str] = []
    for one in given:  # a path is a file whatever it is called; a text may be a pattern
        files += [os.fspath(one)] if isinstance(one, os.PathLike) else [found.path for found in parse(one)]
    if not files:
        raise UsageError("no file with judgements was given")
    for path in files:
        if files.count(path) > 1:
            raise UsageError(f"{shown(path)} is given {files.count(path)} times; once is enough")
    parts, inputs, formats = [], [], []
    for path in files:
        data, sha256 = read_bytes(path, stdin if path == "-" else None)
        inputs.append(Input("judgements", path, sha256))
        data, book = sheet.as_text(path, data)
        form = input_format or detected(path, data)
        try:
            part, form = _read(path, data, form, protocol, column, book)
        except DataError as error:
            if input_format is not None or form != "numbers":
                raise
            raise DataError(
                f"{error}; the file was taken for a list of numbers, one a line: name its format if it has another one "
                "(--input-format)"
            ) from None
        if (told := part.judgements.protocol) not in words.PROTOCOLS:
            raise DataError(f"{shown(path)}: {unknown_name('protocol', told, words.PROTOCOLS)}")
        if book is not None:
            part = replace(part, warnings=tuple(dict.fromkeys((*book.notes, *part.warnings))))
        parts.append(part)
        formats.append(form)
    warnings = tuple(warning for part in parts for warning in part.warnings)
    together = Part(Judgements.joined([part.judgements for part in parts]), warnings)
    if set(formats) == {"adjudge"}:  # nothing in it is to be guessed
        return Loaded(
            together.judgements, tuple(inputs), (*warnings, *_doubts(together.judgements)), "adjudge"
        )
    changeable = (
        resubmissions == "last" and set(formats) == {"appraise"} and "document" in together.judgements.labels
    )
    together = events.once(_qualified(together if joint else _apart(together)), changeable=changeable)
    judgements = controlled(_in_order(together.judgements))
    return Loaded(
        judgements,
        tuple(inputs),
        (*together.warnings, *_doubts(judgements)),
        ", ".join(dict.fromkeys(formats)),
    )


def detected(path: str, data: bytes) -> str:
    """The format of a file, by what it holds."""
    if own.is_own(data):
        return "adjudge"
    if sheet.looks_like_json(data):
        if pearmut.is_log(data):
            return "pearmut"
        _refuse_campaign(path, data)
        return "jsonl"
    first = sheet.text_rows(path, data[: data.find(b"\n") + 1] or data)[0]
    if "\t" not in first and "," not in first and " " not in first.strip() and ";" not in first:
        return "numbers"
    separator = sheet.separator_of(first, path)
    if separator == ",":
        try:
            _, cells = next(sheet.records_of(path, [first], ","))
        except DataError:  # a header cell that goes on in the next line
            cells = first.split(",")
        if appraise.is_row(cells):
            return "appraise"
        if mturk.is_batch(cells):
            return "mturk"
    elif (separator == "\t" and scores.is_scores(first)) or scores.is_result(first):
        return "scores"
    return "table"


Column = str | Sequence[str] | None


def _read(
    path: str, data: bytes, form: str, protocol: str | None, column: Column, book: Grid | None
) -> tuple[Part, str]:
    """The judgements of one file, and its format as it turned out to be."""
    if form == "adjudge" or (form in _SHAPES and own.is_own(data)):
        part = own.read(path, data, column=column)
        named = protocol or part.judgements.protocol
        up = part.judgements.higher_is_better
        if named != part.judgements.protocol:
            up = tables.higher_is_better(named, part.judgements.score)
        judgements = replace(part.judgements, protocol=named, higher_is_better=up)
        return replace(part, judgements=judgements), "adjudge"
    if form == "pearmut":
        return pearmut.read(path, data, protocol=protocol, column=column), form
    if form == "mturk":
        return mturk.read(path, data), form
    if form == "numbers":
        return scores.one_a_line(path, data, protocol=protocol), form
    if form == "scores":
        return scores.read(path, sheet.text_rows(path, data), protocol=protocol), form
    if form == "appraise" and not sheet.looks_like_json(data):
        lines = sheet.text_rows(path, data)
        if sheet.separator_of(lines[0]) != "," or words.find(lines[0].split(","), words.SYSTEM) is None:
            return _appraise(appraise.rows(path, lines), protocol, column), form
    shape = form if form in ("tsv", "csv", "jsonl") else None
    read = sheet.read(path, data, shape=shape) if book is None else sheet.of_book(path, book)
    part, form = _table(read, form, protocol, column)
    return replace(part, warnings=(*read.notes, *part.warnings)), form


def _appraise(read: Sheet, protocol: str | None, column: Column) -> Part:
    part = tables.ratings(read, protocol=protocol, column=column)
    judgements = appraise.tidied(part.judgements)
    return replace(part, judgements=units.in_code_points(judgements, texts.texts_of(judgements, read)))


def _table(read: Sheet, form: str, protocol: str | None, column: Column) -> tuple[Part, str]:
    names = list(read.columns)
    guess = form in _SHAPES
    ranked = rankings.is_wide(names) or (read.find(words.RANK) and not read.find(words.RATINGS))
    asked = form == "rankings" or (guess and protocol == "rank")
    if asked or (guess and column is None and ranked):
        if asked and column is None and rankings.is_choice(read) and not ranked:
            return rankings.choices(read), "choices"
        return rankings.read(read, column if isinstance(column, str) else None), "rankings"
    if form == "choices" or (guess and column is None and rankings.is_choice(read)):
        return rankings.choices(read), "choices"
    if form == "lists" or (guess and column is None and scores.is_lists(names)):
        return scores.lists(read, protocol=protocol), "lists"
    if form == "mqm" or (guess and column is None and mqm.is_mqm(names)):
        return mqm.read(read), "mqm"
    if form == "appraise" or (guess and appraise.is_export(read)):
        return _appraise(read, protocol, column), "appraise"
    return tables.ratings(read, protocol=protocol, column=column), form


def _refuse_campaign(path: str, data: bytes) -> None:
    """Say of files that go into a campaign of another tool that nobody has judged them yet."""
    if pearmut.is_campaign(data):
        raise DataError(
            f"{shown(path)} holds a pearmut campaign, not what people said; that is in its folder data/annotations "
            "(or data/outputs)"
        )
    first = data.split(b"\n", 1)[0]
    if first.strip() not in (b"[", b"{", b"[{") and not first.lstrip().startswith(b"["):
        return
    try:
        held = json.loads(data)
    except (ValueError, RecursionError):
        return  # no JSON: the line that is wrong is told where lines are read
    batches = (
        isinstance(held, list) and held and all(isinstance(one, dict) and "items" in one for one in held)
    )
    if batches or (isinstance(held, dict) and any(key.startswith("CAMPAIGN") for key in held)):
        what = "the items" if batches else "the settings"
        raise DataError(
            f"{shown(path)} holds {what} of an Appraise campaign, not what people said; export that: "
            "python manage.py ExportSystemScoresToCSV CAMPAIGN"
        )
    raise DataError(f"{shown(path)} is one piece of JSON; one object a line was expected")


def _apart(part: Part) -> Part:
    """Ratings of outputs that several systems share (`a+b`) count for each, if each is also there on its own."""
    judgements = part.judgements
    names = judgements.system.names
    if judgements.is_ranking or not any("+" in name for name in names):
        return part
    alone = {name for name in names if "+" not in name}
    pieces = [pieces if set(pieces := name.split("+")) <= alone else [name] for name in names]
    width = np.array([len(one) for one in pieces])
    rows = np.repeat(np.arange(len(judgements)), width[judgements.system.codes])
    turn = np.arange(len(rows)) - np.repeat(
        np.cumsum(width[judgements.system.codes]) - width[judgements.system.codes],
        width[judgements.system.codes],
    )
    places = np.cumsum([0, *width])[judgements.system.codes[rows]] + turn
    listed_names = Names.of([name for one in pieces for name in one])
    apart = replace(judgements[rows], system=Names(listed_names.names, listed_names.codes[places]))
    return replace(part, judgements=apart)


def _qualified(part: Part) -> Part:
    """Items whose number means several segments, told apart by document and language pair."""
    judgements = part.judgements
    for label in ("document", "languages"):
        column = judgements.labels.get(label)
        if column is None or len(column.names) < 2:
            continue
        named = {name: code for code, name in enumerate(column.names)}
        whole = np.array([*(named.get(name, -2) for name in judgements.item.names), -2])[
            judgements.item.codes
        ]
        part_of = whole != column.codes  # and not the document itself
        if _ambiguous(judgements.item, column, part_of):
            both = tables.crossed(column, judgements.item, ":")
            told = part_of & (both.codes >= 0)
            codes = np.where(told, both.codes + len(judgements.item.names), judgements.item.codes)
            own = Names((*judgements.item.names, *both.names), codes.astype(np.int32))
            judgements = replace(judgements, item=own[np.arange(len(own))])
    return replace(part, judgements=judgements)


def _ambiguous(item: Names, column: Names, which: NDArray[np.bool_]) -> bool:
    """Whether an item goes with several names."""
    there = which & (item.codes >= 0) & (column.codes >= 0)
    first = np.full(len(item.names), -1, np.int32)
    first[item.codes[there]] = column.codes[there]
    return bool((first[item.codes[there]] != column.codes[there]).any())


def _in_order(judgements: Judgements) -> Judgements:
    """As they were given, where that is known of all."""
    start = judgements.start
    if start is None or np.isnan(start).any() or not (np.diff(start) < 0).any():
        return judgements
    return judgements[np.argsort(start, kind="stable")]


def _doubts(judgements: Judgements) -> list[str]:
    """What looks odd, but may be meant."""
    found = []
    score = judgements.score
    if judgements.protocol in _SCALED and not judgements.is_ranking and (score > _LARGEST_Z).any():
        beyond = np.flatnonzero((score < 0) | (score > 100 + _ROUNDING))
        if len(beyond):
            found.append(
                f"{counted(len(beyond), 'score')} not between 0 and 100 (first: {judgements.place(int(beyond[0]))}: "
                f"{score[beyond[0]]:g})"
            )
    pairs = judgements.labels.get("languages")
    if pairs is not None and len(pairs.names) > 1:
        found.append(
            f"judgements of {len(pairs.names)} language pairs ({some_of(pairs.names)}) are taken together; "
            "--by languages shows each"
        )
    return found
