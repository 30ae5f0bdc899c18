"""Files of challenge sets: DEMETR's JSON, the TSV of ACES, and tables of anybody's with the same columns.

A row is a good and a bad translation. Columns that end in `-good` and `-bad`, as ACES has them, are a metric's scores.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from adjudge.data.challenges import ChallengeSet, PairScores
from adjudge.errors import DataError, UsageError
from adjudge.io import column_names, fields
from adjudge.io.compression import COMPRESSION
from adjudge.io.fields import kind_of
from adjudge.io.files import read_bytes, shown
from adjudge.io.sheet import Sheet, as_text, of_book, read
from adjudge.io.table import Input
from adjudge.wording import pluralise

GOOD = ("good", "goodtranslation", "correct", "correcttranslation", "mtsent")
BAD = ("bad", "incorrecttranslation", "badtranslation", "incorrect", "wrong", "pertsent")
SOURCE = ("source", "src", "sourcetext", "srcsent")
REFERENCE = ("reference", "ref", "engsent")
PHENOMENON = ("phenomenon", "phenomena", "pertname", "category")
SEVERITY = ("severity",)
LANGUAGE = ("langpair", *column_names.LANGUAGES, *column_names.TARGET_LANGUAGE)
DEMETR = "pertsent"
REVERSED = "35"
"""DEMETR's number of the file whose "perturbed" texts are the references, and so the better ones."""
PARTS = ("good", "bad")
SIGNS = "-_.: "
TABLES = (".json", ".tsv", ".csv", ".xlsx")


@dataclass(frozen=True)
class LoadedChallenge:
    """A challenge set, and the files it came from."""

    challenge: ChallengeSet
    inputs: tuple[Input, ...]


def read_challenges(paths: Sequence[str]) -> LoadedChallenge:
    """All files as one challenge set; what only some of them have must be in all."""
    if not paths:
        raise UsageError("no challenge set: adjudge meta challenge FILE...")
    paths = [file for path in paths for file in _files(path)]
    sets, inputs = [], []
    for path in paths:
        data, digest = read_bytes(path)
        inputs.append(Input("challenge", path, digest))
        sets.append(_challenge(_sheet(path, data)))
    return LoadedChallenge(_joined(sets, paths), tuple(inputs))


def _files(path: str) -> list[str]:
    """A file, or the tables of a folder."""
    if not os.path.isdir(path):
        return [path]
    kinds = tuple(kind + packed for kind in TABLES for packed in ("", *COMPRESSION))
    files = [os.path.join(path, name) for name in sorted(os.listdir(path)) if name.lower().endswith(kinds)]
    if not files:
        raise DataError(
            f"{path} is a folder without a challenge set: no file in it ends in {', '.join(TABLES)}"
        )
    return files


def _sheet(path: str, data: bytes) -> Sheet:
    if data[:64].lstrip(b"\xef\xbb\xbf \t\r\n")[:1] == b"[":
        return _listed(path, fields.value_of(path, data))
    text, book = as_text(path, data)
    return read(path, text) if book is None else of_book(path, book)


def _listed(path: str, items: list[Any]) -> Sheet:
    """A list of objects, as DEMETR has them."""
    if not items:
        raise DataError(f"{shown(path)}: an empty list; a list of items was expected")
    for place, item in enumerate(items, 1):
        if not isinstance(item, dict):
            raise DataError(f"{shown(path)}, item {place}: {kind_of(item)}, but an object was expected")
    names = dict.fromkeys(name for item in items for name in item)
    cells = {name: [_cell(item.get(name)) for item in items] for name in names}
    return Sheet(path, cells, np.arange(1, len(items) + 1), counted_in="item")


def _cell(value: Any) -> str:
    return "" if value is None else str(value)


def _challenge(sheet: Sheet) -> ChallengeSet:
    good, bad = _column(sheet, GOOD), _column(sheet, BAD)
    for row, text in enumerate(good):
        if not text.strip():
            raise DataError(f"{sheet.place(row)}: no good translation; leave the row out, or write it")
    phenomena = _optional(sheet, PHENOMENON) or (_stem(sheet.path),) * len(sheet)
    languages = tuple(map(_target, _optional(sheet, LANGUAGE)))
    if sheet.find((DEMETR,)) is not None:
        languages = ("en",) * len(sheet)
        good, bad = _turned(sheet, good, bad)
    return ChallengeSet(
        good,
        bad,
        tuple(name.strip() or _stem(sheet.path) for name in phenomena),
        _optional(sheet, SOURCE) or None,
        _optional(sheet, REFERENCE) or None,
        tuple(name.strip() for name in _optional(sheet, SEVERITY)),
        languages,
        _scores(sheet),
        _stem(sheet.path),
    )


def _turned(
    sheet: Sheet, good: tuple[str, ...], bad: tuple[str, ...]
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Good and bad the right way round, where DEMETR's "perturbed" text is the reference."""
    number = _optional(sheet, ("pertid",)) or ("",) * len(sheet)
    pairs = [
        (b, g) if own.strip() == REVERSED else (g, b) for g, b, own in zip(good, bad, number, strict=True)
    ]
    return tuple(g for g, _ in pairs), tuple(b for _, b in pairs)


def _column(sheet: Sheet, names: Sequence[str]) -> tuple[str, ...]:
    column = sheet.find(names)
    if column is None:
        raise sheet.lacks(
            names, "a challenge set has source, reference, good, bad, phenomenon and, perhaps, severity"
        )
    return tuple(sheet.columns[column])


def _optional(sheet: Sheet, names: Sequence[str]) -> tuple[str, ...]:
    column = sheet.find(names)
    return () if column is None else tuple(sheet.columns[column])


def _target(pair: str) -> str:
    """The target language of a pair."""
    return pair.strip().rpartition("-")[2] if pair.count("-") == 1 else pair.strip()


def _scores(sheet: Sheet) -> dict[str, PairScores]:
    """Columns NAME-good and NAME-bad."""
    parts: dict[str, dict[str, str]] = {}
    texts = {sheet.find(GOOD), sheet.find(BAD)}
    for column in sheet.columns:
        for part in PARTS:
            stem = column.removesuffix(part) if column.lower().endswith(part) else ""
            if stem.rstrip(SIGNS) and stem[-1] in SIGNS and column not in texts:
                parts.setdefault(stem.rstrip(SIGNS), {})[part] = column
    scores = {}
    for name, columns in parts.items():
        if len(columns) < len(PARTS):
            (missing,) = set(PARTS) - set(columns)
            (present,) = columns.values()
            raise DataError(
                f"{shown(sheet.path)}: a column {present!r}, but none {name + '-' + missing!r}; a metric's scores are "
                "two columns, NAME-good and NAME-bad"
            )
        scores[name] = PairScores(*(sheet.numbers(columns[part]) for part in PARTS))
    return scores


def _joined(sets: Sequence[ChallengeSet], paths: Sequence[str]) -> ChallengeSet:
    first = sets[0]
    for own, path in zip(sets, paths, strict=True):
        for what, missing in (
            ("sources", (own.sources is None) != (first.sources is None)),
            ("references", (own.references is None) != (first.references is None)),
            ("the same scores", set(own.scores) != set(first.scores)),
        ):
            if missing:
                raise DataError(
                    f"{shown(path)} and {shown(paths[0])}: only one of them has {what}; give them apart"
                )
    severities: tuple[str, ...] = ()
    if any(own.severities for own in sets):
        severities = tuple(s for own in sets for s in own.severities or ("",) * len(own))
    return ChallengeSet(
        tuple(text for own in sets for text in own.good),
        tuple(text for own in sets for text in own.bad),
        tuple(name for own in sets for name in own.phenomena),
        None if first.sources is None else tuple(t for own in sets for t in own.sources or ()),
        None if first.references is None else tuple(t for own in sets for t in own.references or ()),
        severities,
        tuple(name for own in sets for name in own.languages or ("",) * len(own)),
        {
            name: PairScores(
                np.concatenate([own.scores[name].good for own in sets]),
                np.concatenate([own.scores[name].bad for own in sets]),
            )
            for name in first.scores
        },
        first.name if len(sets) == 1 else f"{pluralise(len(sets), 'file')}",
    )


def _stem(path: str) -> str:
    """A file's name without what says how it is written."""
    name = os.path.basename(path)
    for ending in COMPRESSION:
        name = name.removesuffix(ending)
    return os.path.splitext(name)[0]
