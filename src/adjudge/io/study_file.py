"""A study: one file that says what is evaluated, where it lies and by what.

    name = "spring"
    metrics = ["bleu", "chrf"]

    [[test_set]]
    name = "news"
    language = "pt-en"
    source = "news/source.pt"
    references = ["news/reference.en"]
    labels = "news/labels.tsv"
    systems = ["news/systems/*.en"]

Paths are relative to the file's own folder.
"""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from glob import glob
from typing import Any

from adjudge.errors import AdjudgeError, DataError
from adjudge.io import fields
from adjudge.io.files import read_bytes, shown, whole
from adjudge.io.load import Loaded, load
from adjudge.io.table import Input

SET = "test_set"
KINDS: dict[str, type] = {
    "name": str,
    "language": str,
    "domain": str,
    "source": str,
    "references": list,
    "labels": str,
    "systems": list,
    "test_set": str,
    "format": str,
}
"""Fields of a test set; `test_set` is a file that holds all of it."""
_SECTION = re.compile(r"^\s*\[\[\s*test_set\s*\]\]")


@dataclass(frozen=True)
class StudySet:
    """One test set of a study, with paths as they can be opened."""

    name: str
    language: str = ""
    domain: str = ""
    source: str = ""
    references: tuple[str, ...] = ()
    labels: str = ""
    systems: tuple[str, ...] = ()
    test_set: str = ""
    format: str = ""
    place: str = ""
    """File and line, for messages."""

    def load(self) -> Loaded:
        """The test set and the outputs there are for it."""
        try:
            return load(
                systems=self.systems,
                references=self.references,
                source=self.source or None,
                test_set=self.test_set or None,
                labels=self.labels or None,
                input_format=self.format or None,
                language=self.language or None,
            )
        except AdjudgeError as error:
            raise type(error)(f"{self.place}: {error}") from None


@dataclass(frozen=True)
class Study:
    """What is evaluated."""

    name: str
    metrics: tuple[str, ...]
    sets: tuple[StudySet, ...]
    baseline: str = ""
    """The system that others are held against; empty: every two."""
    input: Input | None = None


def is_study(path: str) -> bool:
    """Whether a name is that of a study, and not of an output."""
    return path.lower().endswith(".toml")


def read_study(path: str) -> Study:
    """A study from its file; what is wrong with it is said with field and line."""
    data, digest = read_bytes(path)
    text = whole(path, data)
    try:
        document = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise DataError(f"{shown(path)}: no TOML: {error}") from None
    _check(document, ["name", "metrics", "baseline", SET], shown(path))
    entries = document.get(SET)
    if not isinstance(entries, list) or not entries:
        raise DataError(f"{shown(path)}: no test set; each begins with a line [[{SET}]]")
    starts = [number for number, line in enumerate(text.split("\n"), 1) if _SECTION.match(line)]
    folder = os.path.dirname(path)
    sets = [
        _set(entry, f"{shown(path)}, line {start}", folder)
        for entry, start in zip(entries, _padded(starts, len(entries)), strict=True)
    ]
    names = [own.name for own in sets]
    for own in sets:
        if names.count(own.name) > 1:
            raise DataError(f"{own.place}: name: two test sets are called {own.name!r}")
    where = shown(path)
    return Study(
        name=fields.text(document.get("name", os.path.basename(path)), f"{where}: name"),
        metrics=tuple(fields.texts(document.get("metrics", ["bleu", "chrf"]), f"{where}: metrics", fewest=1)),
        sets=tuple(sets),
        baseline=fields.typed(document.get("baseline", ""), str, f"{where}: baseline"),
        input=Input("study", path, digest),
    )


def _padded(starts: list[int], count: int) -> Iterator[int]:
    """Where each test set begins; where they are not written as sections, all at the first line."""
    return iter(starts if len(starts) == count else [1] * count)


def _set(entry: Any, place: str, folder: str) -> StudySet:
    values = fields.table(entry, place)
    _check(values, KINDS, place)
    for name, value in values.items():
        fields.typed(value, KINDS[name], f"{place}: {name}")
    if "name" not in values:
        raise DataError(f"{place}: name: missing; what the test set is called")
    if not values.get("references") and "test_set" not in values and "source" not in values:
        raise DataError(
            f"{place}: references: missing; the files of the references, or test_set with all of it"
        )

    def paths(name: str) -> tuple[str, ...]:
        return tuple(_inside(folder, text) for text in fields.texts(values.get(name, []), f"{place}: {name}"))

    single = {name: values[name] for name in ("name", "language", "domain", "format") if name in values}
    files = {
        name: _inside(folder, values[name]) for name in ("source", "labels", "test_set") if name in values
    }
    return StudySet(
        **single,
        **files,
        references=paths("references"),
        systems=_found(paths("systems"), place),
        place=place,
    )


def _found(patterns: tuple[str, ...], place: str) -> tuple[str, ...]:
    """The files that patterns mean; a pattern that means none is a mistake."""
    files = []
    for pattern in patterns:
        path = pattern.partition("=")[2] or pattern
        if not any(c in path for c in "*?["):
            files.append(pattern)
            continue
        matching = sorted(glob(path))
        if not matching:
            raise DataError(f"{place}: systems: no file is called {path}")
        files += matching
    return tuple(files)


def _inside(folder: str, text: str) -> str:
    """A path of the file as seen from here; NAME=FILE keeps its name."""
    name, equals, path = (
        text.rpartition("=")
        if "=" in text and not os.path.exists(os.path.join(folder, text))
        else ("", "", text)
    )
    return f"{name}{equals}{path if os.path.isabs(path) else os.path.join(folder, path)}"


def _check(held: Any, known: Any, where: str) -> None:
    try:
        fields.check_keys(held, known)
    except AdjudgeError as error:
        raise DataError(f"{where}: {error}") from None
