"""Files of judgements and of other tools' campaigns, read and written in any format.

`campaigns/exchange.py` makes our campaigns from tasks, and tasks from our campaigns.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import BinaryIO

import numpy as np
from numpy.typing import NDArray

from adjudge.data.crossing import with_distinct_items
from adjudge.data.joint_systems import for_each_system
from adjudge.data.judgements import Judgements, with_labelled_controls
from adjudge.data.resubmissions import without_resubmissions
from adjudge.data.tasks import Tasks
from adjudge.data.texts import Texts
from adjudge.errors import DataError, UsageError, unknown_name
from adjudge.io.atomic_write import write_whole
from adjudge.io.column_names import PROTOCOLS
from adjudge.io.fields import value_of
from adjudge.io.files import path_text, read_bytes
from adjudge.io.judgements.columns import texts_of
from adjudge.io.judgements.formats import CAMPAIGNS, FORMATS, READERS, SHAPES, WRITERS, recognise_format
from adjudge.io.judgements.input_file import FileContent, InputFile
from adjudge.io.judgements.output import JudgementFile, WriteRequest
from adjudge.io.names import parse
from adjudge.io.table import Input
from adjudge.wording import pluralise, some_of

RESUBMISSIONS = ("last", "all")
_SCALED = ("da", "sqm", "esa")
_LARGEST_Z = 10.0
_ROUNDING = 1e-9  # a mean of hundreds may be a hair more than that


@dataclass(frozen=True, eq=False)
class LoadedJudgements:
    """Judgements, the files they came from, and warnings about how they were read."""

    judgements: Judgements
    inputs: tuple[Input, ...]
    warnings: tuple[str, ...]
    format: str
    planned: str = ""
    """The planned workload and control items, where a campaign's record has them."""


def read(
    paths: str | os.PathLike[str] | Sequence[str | os.PathLike[str]],
    *,
    input_format: str | None = None,
    protocol: str | None = None,
    column: str | Sequence[str] | None = None,
    joint: bool = False,
    resubmissions: str = "last",
    stdin: BinaryIO | None = None,
) -> LoadedJudgements:
    """Judgements of translations from one file, or several of the same kind.

    The format is guessed from what a file holds unless `input_format` names it; `protocol` says how it was asked where
    the file does not, `column` which one has the scores: its name, or words of which the first that is there is taken.
    `joint` keeps ratings of an output that several systems share (`a+b`) as one. Of judgements that were sent again,
    with the same answer or another, the `last` one counts, or `all` of them (`resubmissions`).
    """
    for kind, value, known in (
        ("choice for resubmissions", resubmissions, RESUBMISSIONS),
        ("format of judgements", input_format, FORMATS),
        ("protocol", protocol, PROTOCOLS),
    ):
        if value is not None and value not in known:
            raise unknown_name(kind, value, known)
    contents, inputs = [], []
    for path in _files(paths):
        data, sha256 = read_bytes(path, stdin if path == "-" else None)
        inputs.append(Input("judgements", path, sha256))
        shape = input_format if input_format in SHAPES[1:] else None
        file = InputFile.of(path, data, protocol=protocol, column=column, shape=shape)
        contents.append(_content(file, input_format))
    judgements = Judgements.joined([content.judgements for content in contents])
    warnings = [warning for content in contents for warning in content.warnings]
    formats = tuple(dict.fromkeys(content.format for content in contents))
    if formats != ("adjudge",):  # nothing in our own is to be guessed
        judgements = with_distinct_items(judgements if joint else for_each_system(judgements))
        changeable = formats == ("appraise",) and "document" in judgements.labels
        judgements, resubmitted = without_resubmissions(
            judgements, changeable=changeable, keep_all=resubmissions == "all"
        )
        warnings += [resubmitted] if resubmitted else []
        judgements = with_labelled_controls(_by_time(judgements))
    return LoadedJudgements(judgements, tuple(inputs), (*warnings, *_doubts(judgements)), ", ".join(formats))


def _files(paths: str | os.PathLike[str] | Sequence[str | os.PathLike[str]]) -> list[str]:
    """All files, each once: a path is a file whatever its name, a text may be a pattern."""
    files: list[str] = []
    for path in [paths] if isinstance(paths, str | os.PathLike) else paths:
        files += [os.fspath(path)] if isinstance(path, os.PathLike) else [match.path for match in parse(path)]
    if not files:
        raise UsageError("no file with judgements was given")
    for name in files:
        if files.count(name) > 1:
            raise UsageError(f"{path_text(name)} is given {files.count(name)} times; once is enough")
    return files


def _content(file: InputFile, named: str | None) -> FileContent:
    """The content of a file, with its format and warnings."""
    form = recognise_format(file, named)
    try:
        content = READERS[form].read(file)
    except DataError as error:
        if named is not None or form != "numbers":
            raise
        raise DataError(
            f"{error}; the file was taken for a list of numbers, one a line: name its format if it has another one "
            "(--input-format)"
        ) from None
    protocol = content.judgements.protocol
    if protocol not in PROTOCOLS:
        raise DataError(f"{path_text(file.path)}: {unknown_name('protocol', protocol, PROTOCOLS)}")
    warnings = tuple(dict.fromkeys((*file.notes, *content.warnings)))
    return replace(content, warnings=warnings, format=content.format or form)


def _by_time(judgements: Judgements) -> Judgements:
    """Judgements in order of time, if all times are known."""
    start = judgements.start
    if start is None or np.isnan(start).any() or not (np.diff(start) < 0).any():
        return judgements
    return judgements[np.argsort(start, kind="stable")]


def _doubts(judgements: Judgements) -> list[str]:
    """Warnings about what looks odd, but may be intended."""
    doubts = []
    score = judgements.score
    if judgements.protocol in _SCALED and not judgements.is_ranking and (score > _LARGEST_Z).any():
        beyond = np.flatnonzero((score < 0) | (score > 100 + _ROUNDING))
        if len(beyond):
            doubts.append(
                f"{pluralise(len(beyond), 'score')} not between 0 and 100 (first: {judgements.place(int(beyond[0]))}: "
                f"{score[beyond[0]]:g})"
            )
    pairs = judgements.labels.get("languages")
    if pairs is not None and len(pairs.names) > 1:
        doubts.append(
            f"the judgements are of {len(pairs.names)} language pairs ({some_of(pairs.names)}): they are never "
            "ranked together"
        )
    return doubts


def write(
    judgements: Judgements,
    texts: Texts | None = None,
    output_format: str = "jsonl",
    *,
    items: Sequence[str] = (),
    languages: tuple[str, str] | None = None,
    for_spreadsheet: bool = False,
    path: str | Path | None = None,
) -> JudgementFile:
    """Judgements as a file, which is also put at `path` if one is given; `texts` has a row a judgement.

    `items` are all that could have been judged, in their order, for formats with a line for each. `languages` says
    from which to which was translated where the judgements do not. `for_spreadsheet` keeps spreadsheets from taking
    cells for formulas (in our own CSV they never do) and tells them that it is UTF-8.
    """
    if output_format not in WRITERS:
        raise unknown_name("format of judgements", output_format, WRITERS)
    if not len(judgements):
        raise DataError("there are no judgements to write")
    texts = texts or Texts()
    texts.check(len(judgements))
    writer = WRITERS[output_format]
    file = writer.write(WriteRequest(judgements, texts, tuple(items), languages or ("", ""), for_spreadsheet))
    if not judgements.higher_is_better and not writer.says_direction:
        file = file.warned(
            f"lower is better here, which a file of this format cannot say: whoever reads it takes the highest score "
            f"for the best one (to adjudge, say --protocol {judgements.protocol} then)"
        )
    if path is not None:
        write_whole(path, file.data, private=True)  # it names annotators
    return file


def read_each(paths: Sequence[str]) -> list[LoadedJudgements]:
    """Every file by itself: they may be of different kinds."""
    return [read([argument.path]) for text in paths for argument in parse(text)]


def read_texts(judgements: Judgements) -> Texts:
    """The texts in files of judgements, on the lines of these judgements."""
    if judgements.file is None or judgements.line is None:
        return Texts()
    columns: dict[str, NDArray[np.object_]] = {}
    for code, path in enumerate(judgements.file.names):
        rows = np.flatnonzero(judgements.file.codes == code)
        here = _read(path, judgements[rows]) if path != "-" else Texts()
        for name, column in here.columns().items():
            columns.setdefault(name, np.full(len(judgements), None, object))[rows] = column
    return Texts(**{name: tuple(column) for name, column in columns.items()})


def _read(path: str, judgements: Judgements) -> Texts:
    file = InputFile.of(path, read_bytes(path)[0])
    readers = [reader for reader in READERS.values() if reader.texts is not None]
    for reader in readers:
        if reader.texts is not None and reader.is_file is not None and reader.is_file(file):
            return reader.texts(judgements, file)
    try:
        for reader in readers:
            if reader.texts is not None and reader.is_table is not None and reader.is_table(file):
                return reader.texts(judgements, file)
        return texts_of(judgements, file.sheet)
    except DataError:  # it was read as judgements: a file without a header has no column of texts
        return Texts()


def read_campaign(paths: str | Sequence[str]) -> Tasks:
    """The campaign in one file, or in several that belong together in any order."""
    files = {path: read_bytes(path)[0] for path in ([paths] if isinstance(paths, str) else paths)}
    document = [value_of(path, data) for path, data in files.items()]
    for campaign in CAMPAIGNS.values():
        if all(map(campaign.is_part, document)) and (tasks := campaign.read(files)) is not None:
            return tasks
    expected = [campaign.expected for campaign in CAMPAIGNS.values()]
    raise DataError(
        f"{', '.join(map(path_text, files))}: no campaign; {expected[0]} was expected, or {', or '.join(expected[1:])}"
    )


def is_campaign(path: str) -> bool:
    """Whether a file is of another tool's campaign, whole or a part of it."""
    if not path.endswith(".json"):
        return False
    try:
        document = value_of(path, read_bytes(path)[0])
    except DataError:
        return False
    return any(campaign.is_part(document) for campaign in CAMPAIGNS.values())


def write_campaign(tasks: Tasks, output_format: str) -> dict[str, bytes]:
    """The content of files, by name."""
    if output_format not in CAMPAIGNS:
        raise unknown_name("format of campaigns", output_format, CAMPAIGNS)
    if not tasks.batches:
        raise DataError("there is nothing to judge in this campaign")
    return CAMPAIGNS[output_format].write(tasks)
