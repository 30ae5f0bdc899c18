"""Folders as mt-metrics-eval has them.

    sources/en-de.txt   references/en-de.refA.txt   system-outputs/en-de/SYSTEM.txt   documents/en-de.docs

One segment a line everywhere; a line of `.docs` is domain and document. A reference that also lies among the
outputs is scored as a system there and stays one here.
"""

from __future__ import annotations

import os
import re

from adjudge.errors import DataError, UsageError, unknown_name
from adjudge.io.files import lines, read_bytes
from adjudge.io.table import Input, TextTable

_RATED = re.compile(r"\s*(?:[{\[].*|None|[-+]?[0-9.].*)", re.DOTALL)


def read(path: str, data: bytes, language: str | None) -> TextTable:
    """One language pair of a folder; the pair must be said where there are several."""
    pair = _pair(path, language)
    inputs: dict[str, Input] = {}

    def column(role: str, *parts: str) -> tuple[str, ...]:
        file = os.path.join(path, *parts)
        content, sha256 = read_bytes(file)
        inputs[file] = Input(role, file, sha256)
        segments = tuple(lines(file, content))
        first = next(iter(lengths), None)
        lengths[file] = len(segments)
        if first is not None and lengths[first] != len(segments):
            raise DataError(f"{first} has {lengths[first]} segments, but {file} has {len(segments)}")
        return segments

    lengths: dict[str, int] = {}
    source = column("source", "sources", f"{pair}.txt") if f"{pair}.txt" in _names(path, "sources") else None
    references = {
        name.removeprefix(f"{pair}.").removesuffix(".txt"): column("reference", "references", name)
        for name in _names(path, "references")
        if name.startswith(f"{pair}.") and name.endswith(".txt")
    }
    outputs = {}
    for name in _names(path, "system-outputs", pair):
        if not name.endswith(".txt"):
            raise DataError(f"{os.path.join(path, 'system-outputs', pair, name)}: expected was SYSTEM.txt")
        outputs[name.removesuffix(".txt")] = column("system", "system-outputs", pair, name)
    labels = {}
    if f"{pair}.docs" in _names(path, "documents"):
        file = os.path.join(path, "documents", f"{pair}.docs")
        rows = [row.split(maxsplit=1) for row in column("labels", "documents", f"{pair}.docs")]
        for number, row in enumerate(rows, 1):
            if len(row) != 2:
                raise DataError(f"{file}, line {number}: domain and document were expected")
        labels = {"document": tuple(row[1].strip() for row in rows), "domain": tuple(row[0] for row in rows)}
    return TextTable(path, source, references, outputs, labels, pair, inputs=tuple(inputs.values()))


def is_score_line(first: str) -> bool:
    """Whether a line is a name and a number (or None, or errors as JSON), with nothing that names them."""
    cells = first.split("\t")
    return (
        len(cells) in (2, 3) and _RATED.fullmatch(cells[-1]) is not None and not _RATED.fullmatch(cells[-2])
    )


def _names(*parts: str) -> list[str]:
    """What lies in a folder, sorted; nothing if there is no such folder."""
    folder = os.path.join(*parts)
    try:
        return sorted(name for name in os.listdir(folder) if not name.startswith("."))
    except FileNotFoundError:
        return []
    except OSError as error:
        raise DataError(f"{folder} cannot be read: {error.strerror}") from None


def _pair(path: str, language: str | None) -> str:
    pairs = {
        *(name.removesuffix(".txt") for name in _names(path, "sources") if name.endswith(".txt")),
        *(name.split(".")[0] for name in _names(path, "references") if name.endswith(".txt")),
        *_names(path, "system-outputs"),
    }
    if not pairs:
        raise DataError(
            f"{path} is no mt-metrics-eval folder: no sources, references or system-outputs in it"
        )
    if language is None and len(pairs) == 1:
        return pairs.pop()
    if language is None:
        raise UsageError(f"{path} has several language pairs, say which one: {', '.join(sorted(pairs))}")
    if language not in pairs:
        raise unknown_name("language pair", language, pairs, f"in {path}")
    return language
