"""Scores of whole systems in a table: test set, system, people's score, and a column a metric.

test_set  year  language  protocol  system    human  bleu  chrf
wmt23     2023  en-de     MQM       ONLINE-B  -4.7   41.2  67.1

A column `source` says where a row comes from and is not read.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from adjudge.data.score_tables import MetaSet
from adjudge.data.system_scores import SystemScores
from adjudge.errors import DataError, UsageError
from adjudge.io.files import read_bytes, shown
from adjudge.io.segment_scores import ABSENT
from adjudge.io.sheet import Sheet, as_text, of_book, read
from adjudge.io.table import Input

TEST_SET = ("testset", "set", "dataset")
LANGUAGE = ("language", "languages", "languagepair", "langpair", "lp")
PROTOCOL = ("protocol",)
YEAR = ("year",)
SYSTEM = ("system", "systemid", "sys")
SOURCE = ("source",)
HUMAN = ("human", "people", "humanscore", "gold")


@dataclass(frozen=True)
class LoadedSystems:
    """Test sets, and the files they came from."""

    test_sets: tuple[SystemScores, ...]
    inputs: tuple[Input, ...]


def read_system_scores(paths: Sequence[str]) -> LoadedSystems:
    """The test sets of some tables; a test set is one name and one language."""
    if not paths:
        raise UsageError("no scores of systems: adjudge meta --fit-differences FILE...")
    test_sets: list[SystemScores] = []
    inputs = []
    for path in paths:
        data, digest = read_bytes(path)
        inputs.append(Input("systems", path, digest))
        text, book = as_text(path, data)
        test_sets += _of_sheet(read(path, text) if book is None else of_book(path, book))
    return LoadedSystems(tuple(test_sets), tuple(inputs))


def of_meta_set(meta_set: MetaSet, gold: str) -> SystemScores:
    """The same from a folder of scores: systems that people and metrics both scored, references left out."""
    people = meta_set.gold[gold].systems
    chosen = [
        place
        for place, name in enumerate(meta_set.systems)
        if not np.isnan(people[place]) and name not in meta_set.references
    ]
    return SystemScores(
        meta_set.name,
        meta_set.language,
        gold,
        tuple(meta_set.systems[place] for place in chosen),
        people[chosen],
        {name: table.systems[chosen] for name, table in meta_set.metrics.items()},
    )


def _of_sheet(sheet: Sheet) -> list[SystemScores]:
    systems, people = _column(sheet, SYSTEM), _column(sheet, HUMAN)
    known = {systems, people, *(sheet.find(names) for names in (TEST_SET, LANGUAGE, PROTOCOL, YEAR, SOURCE))}
    names = [name for name in sheet.columns if name not in known]
    if not names:
        raise DataError(
            f"{shown(sheet.path)}: no metric; every column is one but test_set, year, language, protocol, system, "
            "human and source"
        )
    scores = {name: sheet.numbers(name, absent=ABSENT) for name in names}
    gold = sheet.numbers(people)
    labels = [
        sheet.columns[column] if (column := sheet.find(words)) else [""] * len(sheet)
        for words in (TEST_SET, LANGUAGE, PROTOCOL, YEAR)
    ]
    rows: dict[tuple[str, str], list[int]] = {}
    for row, key in enumerate(zip(labels[0], labels[1], strict=True)):
        rows.setdefault(key, []).append(row)
    return [
        _test_set(sheet, key, own, labels[2:], sheet.columns[systems], gold, scores)
        for key, own in rows.items()
    ]


def _test_set(
    sheet: Sheet,
    key: tuple[str, str],
    rows: Sequence[int],
    labels: Sequence[Sequence[str]],
    systems: Sequence[str],
    gold: np.ndarray,
    scores: Mapping[str, np.ndarray],
) -> SystemScores:
    names = [systems[row].strip() for row in rows]
    for place, name in enumerate(names):
        if name in names[:place]:
            raise DataError(f"{sheet.place(rows[place])}: {name} stands in this test set already")
    own = list(rows)
    protocols, years = labels
    return SystemScores(
        key[0],
        key[1],
        protocols[own[0]],
        tuple(names),
        gold[own],
        {metric: values[own] for metric, values in scores.items()},
        _year(sheet, own[0], years[own[0]]),
    )


def _year(sheet: Sheet, row: int, text: str) -> int | None:
    if not text.strip():
        return None
    if not (text.strip().isdecimal() and 1900 <= int(text) < 2100):
        raise DataError(f"{sheet.place(row)}: {text!r} is not a year; write it as 2023, or leave it empty")
    return int(text)


def _column(sheet: Sheet, names: Sequence[str]) -> str:
    column = sheet.find(names)
    if column is None:
        raise sheet.lacks(
            names, "a table of systems has test_set, language, system, human and a column a metric"
        )
    return column
