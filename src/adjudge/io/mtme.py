"""Folders of mt-metrics-eval: where their texts lie, and how their lines are read.

    sources/en-de.txt   references/en-de.refA.txt   system-outputs/en-de/SYSTEM.txt   documents/en-de.docs
    en-de/src.en        en-de/ref.refA.de           en-de/hyp/SYSTEM.de

Every file has one segment per line; a line of `.docs` is domain and document. A reference that is also among the
outputs is scored as a system there, and stays one here. A file of scores has a system and a number (or None) on each
line, one system after the other.
"""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass

import numpy as np

from adjudge.data.judgements import NameColumn
from adjudge.errors import DataError, UsageError, unknown_name
from adjudge.io.files import lines, path_text, read_bytes
from adjudge.io.sheet import Sheet
from adjudge.io.table import Input, TextTable

_RATED = re.compile(r"\s*(?:[{\[].*|None|[-+]?[0-9.].*)", re.DOTALL)


@dataclass(frozen=True)
class TextPaths:
    """Where the texts of one language pair lie."""

    source: str | None
    references: Mapping[str, str]
    outputs: Mapping[str, str]

    @classmethod
    def flat(cls, path: str, pair: str) -> TextPaths:
        """The layout of mt-metrics-eval: one folder per kind of file, with the language pair in file names."""
        source = os.path.join(path, "sources", f"{pair}.txt")
        references = _files(os.path.join(path, "references"), f"{pair}.", ".txt")
        outputs = _files(os.path.join(path, "system-outputs", pair), "", ".txt")
        return cls(source if os.path.isfile(source) else None, references, outputs)

    @classmethod
    def nested(cls, path: str, pair: str) -> TextPaths:
        """One folder per language pair: src.en, ref.refA.de, hyp/SYSTEM.de."""
        source_language, _, target = pair.partition("-")
        source = os.path.join(path, f"src.{source_language}")
        references = _files(path, "ref.", f".{target}")
        outputs = _files(os.path.join(path, "hyp"), "", f".{target}")
        return cls(source if os.path.isfile(source) else None, references, outputs)


def _files(folder: str, prefix: str, suffix: str) -> dict[str, str]:
    """Files of a folder by the part of their names between a prefix and a suffix."""
    return {
        name[len(prefix) : -len(suffix)]: os.path.join(folder, name)
        for name in names_in(folder)
        if name.startswith(prefix) and name.endswith(suffix) and len(name) > len(prefix) + len(suffix)
    }


def names_in(*parts: str) -> list[str]:
    """The names in a folder, sorted, without hidden files; none if there is no such folder."""
    folder = os.path.join(*parts)
    try:
        return sorted(name for name in os.listdir(folder) if not name.startswith("."))
    except (FileNotFoundError, NotADirectoryError):
        return []
    except OSError as error:
        raise DataError(f"{folder} cannot be read: {error.strerror}") from None


def choose_pair(path: str, pairs: Collection[str], language: str | None) -> str:
    """The language pair that was asked for, or the only one."""
    if language is None and len(pairs) > 1:
        raise UsageError(
            f"{path_text(path)} has several language pairs, say which one with -l: {', '.join(sorted(pairs))}"
        )
    pair = language or next(iter(pairs))
    if pair not in pairs:
        raise unknown_name("language pair", pair, pairs, f"in {path_text(path)}")
    return pair


def read(path: str, data: bytes, language: str | None) -> TextTable:
    """The texts and labels of one language pair; it must be named where there are several."""
    pairs = {
        *(name.removesuffix(".txt") for name in names_in(path, "sources") if name.endswith(".txt")),
        *(name.split(".")[0] for name in names_in(path, "references") if name.endswith(".txt")),
        *names_in(path, "system-outputs"),
    }
    if not pairs:
        raise DataError(
            f"{path} is no mt-metrics-eval folder: no sources, references or system-outputs in it"
        )
    pair = choose_pair(path, pairs, language)
    for name in names_in(path, "system-outputs", pair):
        if not name.endswith(".txt"):
            raise DataError(f"{os.path.join(path, 'system-outputs', pair, name)}: expected was SYSTEM.txt")
    paths = TextPaths.flat(path, pair)
    inputs: list[Input] = []
    lengths: dict[str, int] = {}

    def column(role: str, file: str) -> tuple[str, ...]:
        segments, item = read_segments(file, role)
        inputs.append(item)
        first = next(iter(lengths), None)
        lengths[file] = len(segments)
        if first is not None and lengths[first] != len(segments):
            raise DataError(f"{first} has {lengths[first]} segments, but {file} has {len(segments)}")
        return segments

    source = None if paths.source is None else column("source", paths.source)
    references = {name: column("reference", file) for name, file in paths.references.items()}
    outputs = {name: column("system", file) for name, file in paths.outputs.items()}
    labels = {}
    documents = os.path.join(path, "documents", f"{pair}.docs")
    if os.path.isfile(documents):
        rows = [row.split(maxsplit=1) for row in column("labels", documents)]
        for number, row in enumerate(rows, 1):
            if len(row) != 2:
                raise DataError(f"{documents}, line {number}: domain and document were expected")
        labels = {"document": tuple(row[1].strip() for row in rows), "domain": tuple(row[0] for row in rows)}
    return TextTable(path, source, references, outputs, labels, pair, inputs=tuple(inputs))


def read_segments(path: str, role: str) -> tuple[tuple[str, ...], Input]:
    """The segments of a file with one per line, and the record of the file as an input."""
    content, sha256 = read_bytes(path)
    return tuple(lines(path, content)), Input(role, path, sha256)


def is_score_line(first: str) -> bool:
    """Whether a line is a name and a number (or None, or errors as JSON), and no header."""
    cells = first.split("\t")
    return (
        len(cells) in (2, 3) and _RATED.fullmatch(cells[-1]) is not None and not _RATED.fullmatch(cells[-2])
    )


def segment_numbers(sheet: Sheet, systems: NameColumn) -> NameColumn:
    """The number of the segment of each line, from 1: the lines of a system are its segments in order."""
    if (systems.codes < 0).any():
        raise DataError(f"{sheet.place(int(np.argmax(systems.codes < 0)))}: no system is named")
    counts = np.bincount(systems.codes, minlength=len(systems.names))
    if (counts != counts[0]).any():
        other = int(np.argmax(counts != counts[0]))
        raise DataError(
            f"{path_text(sheet.path)}: {systems.names[0]} has {counts[0]:,} lines, but {systems.names[other]} "
            f"{counts[other]:,}; there should be one for every segment (None where there is no score)"
        )
    order = np.argsort(systems.codes, kind="stable")
    codes = np.empty(len(systems), np.int32)
    codes[order] = np.tile(np.arange(counts[0], dtype=np.int32), len(counts))
    return NameColumn(tuple(map(str, range(1, int(counts[0]) + 1))), codes)
