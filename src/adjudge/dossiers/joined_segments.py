"""The segments of several test sets in one table, so that all of them can be looked at together."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from adjudge.data.languages import pair, tag
from adjudge.dossiers.segment_table import Indices, ScoreColumn, SegmentTable

if TYPE_CHECKING:
    from adjudge.dossiers.study_dossier import SetDossier

SET, PAIR = "test set", "language pair"
"""The labels that say which set a segment is of, and in which languages."""
NO_COUNT = -(2**31)
"""Of a class of errors that nobody looked for in a set."""
Value = TypeVar("Value")


def identifier(test_set: str, own: str) -> str:
    """What a segment of a set is called among those of all sets."""
    return f"{test_set}:{own}"


def joined_segments(sets: Sequence[SetDossier], name: str, systems: Sequence[str]) -> SegmentTable:
    """All segments, set by set. A score has its own column for each way of computing it: by tokenizers, say.

    A system without an output for a set has none there; named sets of segments are those of all test sets together.
    """
    tables = [loaded_set.dossier.segments for loaded_set in sets]
    sizes = [len(table) for table in tables]
    known = [system for system in systems if any(system in table.outputs for table in tables)]
    most = max(len(table.references) for table in tables)
    languages = [
        table.language or loaded_set.language for loaded_set, table in zip(sets, tables, strict=True)
    ]
    return SegmentTable(
        identifiers=tuple(
            identifier(loaded_set.name, i)
            for loaded_set, t in zip(sets, tables, strict=True)
            for i in t.identifiers
        ),
        outputs={s: _column(tables, lambda t, s=s: t.outputs.get(s), None) for s in known},  # type: ignore[misc]
        sources=_column(tables, lambda t: t.sources, None)
        if any(t.sources is not None for t in tables)
        else None,
        references=tuple(
            _column(tables, lambda t, n=n: t.references[n] if n < len(t.references) else None, None)  # type: ignore[misc]
            for n in range(most)
        ),
        labels=_labels(sets, tables, languages),
        scores=_scores(tables),
        counts=_by_system(tables, known, lambda t: t.counts, _no_counts),
        spans={
            s: _column(tables, lambda t, s=s: t.spans.get(s), ())  # type: ignore[misc]
            for s in known
            if any(s in t.spans for t in tables)
        },
        marks=_marks(tables, sizes),
        alignments=_by_system(tables, known, lambda t: t.alignments, lambda size: (None,) * size),
        language=languages[0] if len(set(languages)) == 1 else "",
        languages=_by_segment(languages, sizes) if len(set(languages)) > 1 else None,
        name=name,
    )


def _column(
    tables: Sequence[SegmentTable], of: Callable[[SegmentTable], Sequence[Any] | None], missing: Any
) -> tuple[Any, ...]:
    parts = ((of(table), len(table)) for table in tables)
    return tuple(chain.from_iterable((missing,) * size if part is None else part for part, size in parts))


def _by_segment(values: Iterable[Value], sizes: Iterable[int]) -> tuple[Value, ...]:
    return tuple(chain.from_iterable((value,) * size for value, size in zip(values, sizes, strict=True)))


def _labels(
    sets: Sequence[SetDossier], tables: Sequence[SegmentTable], languages: Sequence[str]
) -> dict[str, tuple[str, ...]]:
    sizes = [len(table) for table in tables]
    labels = {SET: _by_segment([loaded_set.name for loaded_set in sets], sizes)}
    if len(set(languages)) > 1:
        labels[PAIR] = _by_segment(languages, sizes)
    for name in dict.fromkeys(name for table in tables for name in table.labels):
        if name not in ("id", "segment"):  # which identifiers have
            labels.setdefault(name, _column(tables, lambda t, name=name: t.labels.get(name), ""))  # type: ignore[misc]
    return labels


def _scores(tables: Sequence[SegmentTable]) -> tuple[ScoreColumn, ...]:
    """Columns by name; where sets mean different things by it, no direction is better."""
    joined = []
    for key in dict.fromkeys(score.key for table in tables for score in table.scores):
        parts = [next((score for score in table.scores if score.key == key), None) for table in tables]
        known = [part for part in parts if part is not None]
        titles = list(dict.fromkeys(entry.title for entry in known))
        directions = {entry.higher_better for entry in known}
        systems = dict.fromkeys(system for entry in known for system in entry.values)
        values = {
            system: np.concatenate(
                [
                    np.full(len(table), np.nan)
                    if part is None or system not in part.values
                    else part.values[system]
                    for part, table in zip(parts, tables, strict=True)
                ]
            )
            for system in systems
        }
        better = known[0].higher_better if len(directions) == 1 else None
        joined.append(replace(known[0], title=", ".join(titles), higher_better=better, values=values))
    return tuple(joined)


def _no_counts(size: int) -> Any:
    return np.full(size, NO_COUNT, np.int64)


def _by_system(
    tables: Sequence[SegmentTable],
    systems: Sequence[str],
    of: Callable[[SegmentTable], Mapping[str, Mapping[str, Any]]],
    missing: Callable[[int], Any],
) -> dict[str, dict[str, Any]]:
    """Columns by name and system; a set that lacks one has `missing` there."""
    joined: dict[str, dict[str, Any]] = {}
    for name in dict.fromkeys(name for table in tables for name in of(table)):
        for system in systems:
            parts = [of(table).get(name, {}).get(system) for table in tables]
            if any(part is not None for part in parts):
                whole = [
                    missing(len(table)) if part is None else part
                    for part, table in zip(parts, tables, strict=True)
                ]
                arrays = isinstance(whole[0], np.ndarray)
                joined.setdefault(name, {})[system] = (
                    np.concatenate(whole) if arrays else tuple(chain(*whole))
                )
    return joined


def _marks(tables: Sequence[SegmentTable], sizes: Sequence[int]) -> dict[str, Indices]:
    """Sets of segments by name: a condition on the test set tells them apart."""
    parts: dict[str, list[Indices]] = {}
    start = 0
    for table, size in zip(tables, sizes, strict=True):
        for name, members in table.marks.items():
            parts.setdefault(name, []).append(members + start)
        start += size
    return {name: np.concatenate(part) for name, part in parts.items()}


def language_tags(languages: Sequence[str]) -> list[list[str]]:
    """Source and target of every pair, as browsers know them."""
    return [[tag(part) if part else "" for part in pair(language)] for language in languages]
