"""Tables of scores: test set, system or segment, people's score, and one column per metric.

test_set  year  language  protocol  system    human  bleu  chrf
wmt23     2023  en-de     MQM       ONLINE-B  -4.7   41.2  67.1

test_set  language  segment  human  bleu  chrf
wmt23     en-de     17       88     41.2  67.1

A column `source` of a table of systems says where a row comes from and is not read.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

import numpy as np

from adjudge.data.score_tables import MetaSet, ScoredSegments, SystemScores
from adjudge.errors import DataError, UsageError
from adjudge.io.column_names import ITEM, LANGUAGES, SYSTEM
from adjudge.io.files import path_text
from adjudge.io.sheet import ABSENT, Sheet, read_file
from adjudge.io.table import Input

TEST_SET = ("testset", "set", "dataset")
LANGUAGE = ("language", "langpair", *LANGUAGES)
PROTOCOL = ("protocol",)
YEAR = ("year",)
SOURCE = ("source",)
HUMAN = ("human", "people", "humanscore", "gold")


Scored = TypeVar("Scored", SystemScores, ScoredSegments)


@dataclass(frozen=True)
class LoadedTables(Generic[Scored]):
    """Test sets with scores of systems or segments, and the files they came from."""

    test_sets: tuple[Scored, ...]
    inputs: tuple[Input, ...]


def read_system_scores(paths: Sequence[str]) -> LoadedTables[SystemScores]:
    """The test sets of tables with scores of systems; a test set is one name and one language."""
    if not paths:
        raise UsageError("no scores of systems: adjudge meta --fit-differences FILE...")
    return _load(paths, "systems", _systems)


def read_scored_segments(paths: Sequence[str]) -> LoadedTables[ScoredSegments]:
    """The test sets of tables with scores of segments; a test set is one name and one language."""
    if not paths:
        raise UsageError("no scores of segments: adjudge meta levels FILE...")
    return _load(paths, "segments", _segments)


def _load(
    paths: Sequence[str], role: str, test_sets: Callable[[Sheet], list[Scored]]
) -> LoadedTables[Scored]:
    files = [read_file(path, role) for path in paths]
    sets = [test_set for sheet, _ in files for test_set in test_sets(sheet)]
    return LoadedTables(tuple(sets), tuple(item for _, item in files))


def of_meta_set(meta_set: MetaSet, gold: str) -> SystemScores:
    """The scores of systems in a folder, except references and systems that people did not score."""
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


def of_judged_cells(meta_set: MetaSet, gold: str) -> ScoredSegments:
    """The scores of segments in a folder, except references and outputs that nobody judged."""
    systems = [place for place, name in enumerate(meta_set.systems) if name not in meta_set.references]
    people = meta_set.gold[gold].segments[systems]
    judged = ~np.isnan(people)
    segments = np.broadcast_to(np.arange(people.shape[1]), people.shape)[judged]
    return ScoredSegments(
        meta_set.name,
        meta_set.language,
        tuple(map(str, segments)),
        people[judged],
        {
            name: table.segments[systems][judged]
            for name, table in meta_set.metrics.items()
            if table.segments.shape[1] == people.shape[1]
        },
    )


def _systems(sheet: Sheet) -> list[SystemScores]:
    expected = "a table of systems has test_set, language, system, human and a column a metric"
    system_column = sheet.require(SYSTEM, expected)
    gold, scores = _scores(
        sheet,
        expected,
        (SYSTEM, TEST_SET, LANGUAGE, PROTOCOL, YEAR, SOURCE),
        "no metric; every column is one but test_set, year, language, protocol, system, human and source",
    )
    protocols, years = map(sheet.cells, (PROTOCOL, YEAR))
    test_sets = []
    for key, rows in _rows(sheet).items():
        names = [sheet.columns[system_column][row].strip() for row in rows]
        for place, name in enumerate(names):
            if name in names[:place]:
                raise DataError(f"{sheet.place(rows[place])}: {name} stands in this test set already")
        test_sets.append(
            SystemScores(
                *key,
                protocols[rows[0]],
                tuple(names),
                gold[rows],
                {metric: values[rows] for metric, values in scores.items()},
                _year(sheet, rows[0], years[rows[0]]),
            )
        )
    return test_sets


def _segments(sheet: Sheet) -> list[ScoredSegments]:
    gold, scores = _scores(
        sheet,
        "a table of segments has test_set, language, segment, human and a column a metric",
        (TEST_SET, LANGUAGE, ITEM, SYSTEM),
        "no metric; every column beside test_set, language, system, segment and human is one",
    )
    segments = sheet.cells(ITEM)
    return [
        ScoredSegments(
            *key,
            tuple(segments[row] or str(row) for row in rows),
            gold[rows],
            {name: values[rows] for name, values in scores.items()},
        )
        for key, rows in _rows(sheet).items()
    ]


def _scores(
    sheet: Sheet, expected: str, others: Sequence[Sequence[str]], without_metrics: str
) -> tuple[np.ndarray, dict[str, np.ndarray]]:
    """Scores by people, and by metrics: all columns without another meaning."""
    people = sheet.require(HUMAN, expected)
    known = {people, *(sheet.find(words) for words in others)}
    names = [name for name in sheet.columns if name not in known]
    if not names:
        raise DataError(f"{path_text(sheet.path)}: {without_metrics}")
    scores = {name: sheet.numbers(name, absent=ABSENT) for name in names}
    return sheet.numbers(people), scores


def _rows(sheet: Sheet) -> dict[tuple[str, str], list[int]]:
    """The rows of each test set and language."""
    rows: dict[tuple[str, str], list[int]] = {}
    for row, key in enumerate(zip(sheet.cells(TEST_SET), sheet.cells(LANGUAGE), strict=True)):
        rows.setdefault(key, []).append(row)
    return rows


def _year(sheet: Sheet, row: int, text: str) -> int | None:
    if not text.strip():
        return None
    if not (text.strip().isdecimal() and 1900 <= int(text) < 2100):
        raise DataError(f"{sheet.place(row)}: {text!r} is not a year; write it as 2023, or leave it empty")
    return int(text)
