"""Files of challenge sets: DEMETR's JSON, the TSV of ACES, and any table with the same columns.

A row is a good and a bad translation. Columns that end in `-good` and `-bad`, as ACES has them, are a metric's scores.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from adjudge.data.challenges import ChallengeSet, PairScores
from adjudge.errors import DataError, UsageError
from adjudge.io import column_names
from adjudge.io.compression import COMPRESSION
from adjudge.io.files import path_text
from adjudge.io.sheet import Sheet, read_file
from adjudge.io.table import Input
from adjudge.wording import pluralise

GOOD = ("good", "goodtranslation", "correct", "correcttranslation", "mtsent")
BAD = ("bad", "incorrecttranslation", "badtranslation", "incorrect", "wrong", "pertsent")
SOURCE = (*column_names.SOURCE, "srcsent")
REFERENCE = (*column_names.REFERENCE_TEXT, "engsent")
PHENOMENON = ("phenomenon", "phenomena", "pertname", "category")
SEVERITY = ("severity",)
LANGUAGE = ("langpair", *column_names.LANGUAGES, *column_names.TARGET_LANGUAGE)
DEMETR = "pertsent"
REVERSED = "35"
"""The id of the DEMETR file whose "perturbed" texts are the references, and so the better ones."""
PARTS = ("good", "bad")
SIGNS = "-_.: "
TABLES = (".json", ".tsv", ".csv", ".xlsx")
EXPECTED = "a challenge set has source, reference, good, bad, phenomenon and, perhaps, severity"


@dataclass(frozen=True)
class LoadedChallenge:
    """A challenge set, and the files it came from."""

    challenge: ChallengeSet
    inputs: tuple[Input, ...]


def read_challenges(paths: Sequence[str]) -> LoadedChallenge:
    """All files as one challenge set; sources, references and scores must be in all files or in none."""
    if not paths:
        raise UsageError("no challenge set: adjudge meta challenge FILE...")
    paths = [file for path in paths for file in _files(path)]
    files = [read_file(path, "challenge") for path in paths]
    sets = [_challenge(sheet) for sheet, _ in files]
    return LoadedChallenge(_join(sets, paths), tuple(item for _, item in files))


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


def _challenge(sheet: Sheet) -> ChallengeSet:
    good, bad = (tuple(sheet.columns[sheet.require(words, EXPECTED)]) for words in (GOOD, BAD))
    for row, text in enumerate(good):
        if not text.strip():
            raise DataError(f"{sheet.place(row)}: no good translation; leave the row out, or write it")
    phenomena = _optional(sheet, PHENOMENON) or (_stem(sheet.path),) * len(sheet)
    languages = tuple(map(_target, _optional(sheet, LANGUAGE)))
    if sheet.find((DEMETR,)) is not None:
        languages = ("en",) * len(sheet)
        good, bad = _as_demetr_means(sheet, good, bad)
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


def _as_demetr_means(
    sheet: Sheet, good: tuple[str, ...], bad: tuple[str, ...]
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Good and bad texts swapped where DEMETR's "perturbed" text is the reference."""
    numbers = sheet.cells(("pertid",))
    pairs = [
        (b, g) if number.strip() == REVERSED else (g, b)
        for g, b, number in zip(good, bad, numbers, strict=True)
    ]
    return tuple(g for g, _ in pairs), tuple(b for _, b in pairs)


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
                f"{path_text(sheet.path)}: a column {present!r}, but none {name + '-' + missing!r}; a "
                "metric's scores are "
                "two columns, NAME-good and NAME-bad"
            )
        scores[name] = PairScores(*(sheet.numbers(columns[part]) for part in PARTS))
    return scores


def _join(sets: Sequence[ChallengeSet], paths: Sequence[str]) -> ChallengeSet:
    first = sets[0]
    for part, path in zip(sets, paths, strict=True):
        for what, missing in (
            ("sources", (part.sources is None) != (first.sources is None)),
            ("references", (part.references is None) != (first.references is None)),
            ("the same scores", set(part.scores) != set(first.scores)),
        ):
            if missing:
                raise DataError(
                    f"{path_text(path)} and {path_text(paths[0])}: only one of them has {what}; give them apart"
                )
    severities: tuple[str, ...] = ()
    if any(part.severities for part in sets):
        severities = tuple(s for part in sets for s in part.severities or ("",) * len(part))
    return ChallengeSet(
        tuple(text for part in sets for text in part.good),
        tuple(text for part in sets for text in part.bad),
        tuple(name for part in sets for name in part.phenomena),
        None if first.sources is None else tuple(t for part in sets for t in part.sources or ()),
        None if first.references is None else tuple(t for part in sets for t in part.references or ()),
        severities,
        tuple(name for part in sets for name in part.languages or ("",) * len(part)),
        {
            name: PairScores(
                np.concatenate([part.scores[name].good for part in sets]),
                np.concatenate([part.scores[name].bad for part in sets]),
            )
            for name in first.scores
        },
        first.name if len(sets) == 1 else f"{pluralise(len(sets), 'file')}",
    )


def _stem(path: str) -> str:
    """A file's name without suffixes."""
    name = os.path.basename(path)
    for ending in COMPRESSION:
        name = name.removesuffix(ending)
    return os.path.splitext(name)[0]
