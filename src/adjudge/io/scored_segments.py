"""Scores of single outputs in a table: test set, segment, people's score, and a column a metric.

test_set  language  segment  human  bleu  chrf
wmt23     en-de     17       88     41.2  67.1
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from adjudge.data.score_tables import MetaSet
from adjudge.data.scored_segments import ScoredSegments
from adjudge.errors import DataError, UsageError
from adjudge.io.files import read_bytes, shown
from adjudge.io.segment_scores import ABSENT
from adjudge.io.sheet import Sheet, as_text, of_book, read
from adjudge.io.system_scores import HUMAN, LANGUAGE, SYSTEM, TEST_SET
from adjudge.io.table import Input

SEGMENT = ("segment", "segmentid", "seg", "item", "line", "sid")


@dataclass(frozen=True)
class LoadedSegments:
    """Test sets, and the files they came from."""

    test_sets: tuple[ScoredSegments, ...]
    inputs: tuple[Input, ...]


def read_scored_segments(paths: Sequence[str]) -> LoadedSegments:
    """The test sets of some tables; a test set is one name and one language."""
    if not paths:
        raise UsageError("no scores of segments: adjudge meta levels FILE...")
    test_sets: list[ScoredSegments] = []
    inputs = []
    for path in paths:
        data, digest = read_bytes(path)
        inputs.append(Input("segments", path, digest))
        text, book = as_text(path, data)
        test_sets += _of_sheet(read(path, text) if book is None else of_book(path, book))
    return LoadedSegments(tuple(test_sets), tuple(inputs))


def of_judged_cells(meta_set: MetaSet, gold: str) -> ScoredSegments:
    """The same from a folder of scores: all outputs that somebody judged, references left out."""
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


def _of_sheet(sheet: Sheet) -> list[ScoredSegments]:
    people = sheet.find(HUMAN)
    if people is None:
        raise sheet.lacks(
            HUMAN, "a table of segments has test_set, language, segment, human and a column a metric"
        )
    known = {people, *(sheet.find(words) for words in (TEST_SET, LANGUAGE, SEGMENT, SYSTEM))}
    names = [name for name in sheet.columns if name not in known]
    if not names:
        raise DataError(
            f"{shown(sheet.path)}: no metric; every column beside test_set, language, system, segment and human is one"
        )
    scores = {name: sheet.numbers(name, absent=ABSENT) for name in names}
    gold = sheet.numbers(people)
    sets, languages, segments = (_cells(sheet, words) for words in (TEST_SET, LANGUAGE, SEGMENT))
    rows: dict[tuple[str, str], list[int]] = {}
    for row, key in enumerate(zip(sets, languages, strict=True)):
        rows.setdefault(key, []).append(row)
    return [
        ScoredSegments(
            *key,
            tuple(segments[row] or str(row) for row in own),
            gold[own],
            {name: values[own] for name, values in scores.items()},
        )
        for key, own in rows.items()
    ]


def _cells(sheet: Sheet, names: Sequence[str]) -> Sequence[str]:
    column = sheet.find(names)
    return sheet.columns[column] if column else [""] * len(sheet)
