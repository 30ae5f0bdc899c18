"""The languages of files: from tags inside them, or else from suffixes of their names."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from adjudge.data import languages
from adjudge.errors import AdjudgeError
from adjudge.io.compression import COMPRESSION
from adjudge.io.table import TextTable

if TYPE_CHECKING:
    from adjudge.io.input_files import PickedColumn

# What a file of segments may end in and still have its language before it: ref.de.txt, test.en-de.tsv.
_PLAIN = (".txt", ".tsv", ".csv", ".xlsx", ".jsonl", ".ndjson", ".json")
# Codes that are another ending much more often: machine translation, shell.
_NO_SUFFIX = ("mt", "sh")


def language_of(
    tables: Iterable[TextTable], texts: Mapping[str, Sequence[PickedColumn]]
) -> tuple[str, str, tuple[str, ...]]:
    """The language pair or target language of files, how it is known, and warnings.

    A column that was asked for by its language tells most, then come tags inside the files, then the suffixes of their
    names. `texts` are those of each role: reference, source, system.
    """
    if any(text.column for of_role in texts.values() for text in of_role):
        language, by = _agreed(texts, lambda text: _of_column(text.column), "the column")
        if language:
            return language, by, ()
    tagged = [(table, _code(table.language)) for table in tables if table.language]
    notes = tuple(
        f"{table.path}: its language {table.language!r} is none that is known here; not believed"
        for table, code in tagged
        if not code
    )
    known = [(table, code) for table, code in tagged if code]
    if known:
        table, code = known[0]
        others = [f"{other.path} says {its}" for other, its in known[1:] if its != code]
        if others:
            notes += (f"{table.path} says that the target language is {code}, {others[0]}; taken: {code}",)
        return table.language, f"the tags of {os.path.basename(table.path)}", notes
    language, by = _agreed(texts, lambda text: of_suffix(text.path), "the suffix")
    return language, by, notes


def of_suffix(path: str) -> str:
    """The language, or pair, that the end of a file's name tells: `ref.de`, `ref.pt-BR.gz`, `set.en-de.tsv`, or ""."""
    name = os.path.basename(path)
    base, ending = os.path.splitext(name)
    if ending.lower() in COMPRESSION:
        base, ending = os.path.splitext(base)
    if ending.lower() in _PLAIN:
        ending = os.path.splitext(base)[1]
    text = ending.removeprefix(".")
    if text.lower() in _NO_SUFFIX:
        return ""
    if country := languages.of_country(text):
        return country
    first, sign, last = text.partition("-")
    if sign and text.islower() and languages.is_code(first) and languages.is_code(last):
        return "-".join(part for part in languages.pair(text) if part)
    return languages.known_tag(text)


def _agreed(
    texts: Mapping[str, Sequence[PickedColumn]], tell: Callable[[PickedColumn], str], what: str
) -> tuple[str, str]:
    """The languages by the names of the references if they agree, else of the outputs; and of the source."""
    for role in ("reference", "system"):
        named = [tell(text) for text in texts[role]]
        if not named or not all(named) or len({languages.target(language) for language in named}) > 1:
            continue
        first, target = languages.pair(named[0])
        names = [os.path.basename(texts[role][0].path)]
        if not first and texts["source"] and (first := tell(texts["source"][0])):
            first = languages.pair(first)[1]
            names.insert(0, os.path.basename(texts["source"][0].path))
        names = list(dict.fromkeys(names))
        plural = {"the suffix": "the suffixes", "the column": "the columns"}[what] if len(names) > 1 else what
        return "-".join(part for part in (first, target) if part), f"{plural} of {' and '.join(names)}"
    return "", ""


def _of_column(name: str) -> str:
    return languages.known_tag(name) if name.lower() not in _NO_SUFFIX else ""


def _code(language: str) -> str:
    try:
        return languages.target(language)
    except AdjudgeError:
        return ""
