"""All files of a call as one table of judgements."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import BinaryIO

import numpy as np

from adjudge.data.controls import with_labelled_controls
from adjudge.data.crossing import with_distinct_items
from adjudge.data.joint_systems import for_each_system
from adjudge.data.judgements import Judgements
from adjudge.data.resubmissions import without_resubmissions
from adjudge.errors import DataError, UsageError, unknown_name
from adjudge.io.column_names import PROTOCOLS
from adjudge.io.files import read_bytes, shown
from adjudge.io.judgements.content import FileContent
from adjudge.io.judgements.formats import FORMATS, READERS, SHAPES, recognised
from adjudge.io.judgements.input_file import InputFile
from adjudge.io.names import parse
from adjudge.io.table import Input
from adjudge.wording import counted, some_of

RESUBMISSIONS = ("last", "all")
_SCALED = ("da", "sqm", "esa")
_LARGEST_Z = 10.0
_ROUNDING = 1e-9  # a mean of hundreds may be a hair more than that


@dataclass(frozen=True, eq=False)
class LoadedJudgements:
    """Judgements, the files they came from, and what the user should know of how they were read."""

    judgements: Judgements
    inputs: tuple[Input, ...]
    warnings: tuple[str, ...]
    format: str
    planned: str = ""
    """Who was to judge how much, with which control items, where a campaign's record says so."""


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
    """What people said of translations, from one file or several of a kind.

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
        judgements, again = without_resubmissions(
            judgements, changeable=changeable, keep_all=resubmissions == "all"
        )
        warnings += [again] if again else []
        judgements = with_labelled_controls(_by_time(judgements))
    return LoadedJudgements(judgements, tuple(inputs), (*warnings, *_doubts(judgements)), ", ".join(formats))


def _files(paths: str | os.PathLike[str] | Sequence[str | os.PathLike[str]]) -> list[str]:
    """All files, each once: a path is a file whatever it is called, a text may be a pattern."""
    files: list[str] = []
    for path in [paths] if isinstance(paths, str | os.PathLike) else paths:
        files += [os.fspath(path)] if isinstance(path, os.PathLike) else [match.path for match in parse(path)]
    if not files:
        raise UsageError("no file with judgements was given")
    for name in files:
        if files.count(name) > 1:
            raise UsageError(f"{shown(name)} is given {files.count(name)} times; once is enough")
    return files


def _content(file: InputFile, named: str | None) -> FileContent:
    """What a file holds, with its format and all that is to be said of it."""
    form = recognised(file, named)
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
        raise DataError(f"{shown(file.path)}: {unknown_name('protocol', protocol, PROTOCOLS)}")
    warnings = tuple(dict.fromkeys((*file.notes, *content.warnings)))
    return replace(content, warnings=warnings, format=content.format or form)


def _by_time(judgements: Judgements) -> Judgements:
    """As they were given, where that is known of all."""
    start = judgements.start
    if start is None or np.isnan(start).any() or not (np.diff(start) < 0).any():
        return judgements
    return judgements[np.argsort(start, kind="stable")]


def _doubts(judgements: Judgements) -> list[str]:
    """What looks odd, but may be meant."""
    doubts = []
    score = judgements.score
    if judgements.protocol in _SCALED and not judgements.is_ranking and (score > _LARGEST_Z).any():
        beyond = np.flatnonzero((score < 0) | (score > 100 + _ROUNDING))
        if len(beyond):
            doubts.append(
                f"{counted(len(beyond), 'score')} not between 0 and 100 (first: {judgements.place(int(beyond[0]))}: "
                f"{score[beyond[0]]:g})"
            )
    pairs = judgements.labels.get("languages")
    if pairs is not None and len(pairs.names) > 1:
        doubts.append(
            f"the judgements are of {len(pairs.names)} language pairs ({some_of(pairs.names)}): they are never "
            "ranked together, but for a mean over them (--pool-languages)"
        )
    return doubts
