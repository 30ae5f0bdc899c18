"""Scores of the same systems and segments by people and by metrics, as meta-evaluation needs them.

Scores of whole systems and of single segments without a matrix, test set by test set, are here too.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from adjudge.errors import DataError
from adjudge.wording import pluralise

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class ScoreTable:
    """One measure's scores of systems and of their segments; NaN where one is missing."""

    name: str
    segments: Array
    """systems × segments."""
    systems: Array
    """One score per system: from a file, or the mean over its scored segments."""
    reference: str = ""
    """The reference that a metric was given (`refA`), several with dots between them, '' for none."""
    sentinel: bool = False
    """Whether it is a trivial baseline rather than a metric."""

    @property
    def references(self) -> tuple[str, ...]:
        """The references that a metric was given, one by one."""
        return tuple(self.reference.split(".")) if self.reference else ()

    @classmethod
    def of_segments(cls, name: str, segments: Array, reference: str = "") -> ScoreTable:
        """A table whose systems score the mean of their segments."""
        return cls(name, segments, means(segments), reference)


@dataclass(frozen=True, eq=False)
class MetaSet:
    """A test set for meta-evaluation: systems, with scores by people and by metrics."""

    name: str
    language: str
    systems: tuple[str, ...]
    gold: Mapping[str, ScoreTable]
    metrics: Mapping[str, ScoreTable]
    labels: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Documents, domains and other labels of the segments."""
    references: tuple[str, ...] = ()
    """Systems that are references: translations by people, which the metrics that were given them cannot score."""
    notes: tuple[str, ...] = ()
    """Notes about missing scores."""

    def __post_init__(self) -> None:
        for table in (*self.gold.values(), *self.metrics.values()):
            if len(table.segments) != len(self.systems) or len(table.systems) != len(self.systems):
                raise DataError(
                    f"{table.name}: scores of {pluralise(len(table.systems), 'system')}, not {len(self.systems)}"
                )

    @property
    def segments(self) -> int:
        """How many segments there are."""
        tables = (*self.gold.values(), *self.metrics.values())
        return max((table.segments.shape[1] for table in tables), default=0)

    def with_gold(self, names: Iterable[str]) -> MetaSet:
        """The set with some of the metrics as the standard that the others are compared with."""
        moved = {name: self.metrics[name] for name in names if name in self.metrics and name not in self.gold}
        metrics = {name: table for name, table in self.metrics.items() if name not in moved}
        return replace(self, gold={**self.gold, **moved}, metrics=metrics)

    def with_signs_changed(self, names: Iterable[str]) -> MetaSet:
        """The set with the signs of some measures changed, of which low numbers are the good ones."""
        chosen = set(names)

        def turn(tables: Mapping[str, ScoreTable]) -> dict[str, ScoreTable]:
            return {
                name: replace(table, segments=-table.segments, systems=-table.systems)
                if name in chosen
                else table
                for name, table in tables.items()
            }

        return replace(self, gold=turn(self.gold), metrics=turn(self.metrics))

    def with_systems(self, names: Iterable[str]) -> MetaSet:
        """The set with some of the systems, in the order asked for."""
        chosen = tuple(names)
        places = [self.systems.index(name) for name in chosen]

        def pick(tables: Mapping[str, ScoreTable]) -> dict[str, ScoreTable]:
            return {
                name: replace(table, segments=table.segments[places], systems=table.systems[places])
                for name, table in tables.items()
            }

        references = tuple(name for name in self.references if name in chosen)
        return replace(
            self, systems=chosen, gold=pick(self.gold), metrics=pick(self.metrics), references=references
        )


@dataclass(frozen=True)
class MetaTexts:
    """The texts behind the scores, as far as they are available."""

    sources: tuple[str, ...] | None = None
    references: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    outputs: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """By system; references that were judged are among them."""
    partial: Mapping[str, tuple[str | None, ...]] = field(default_factory=dict)
    """Of systems that translated some segments only, None for the others."""


def means(segments: Array) -> Array:
    """The mean of each row's numbers, NaN where a row has none."""
    known = ~np.isnan(segments)
    count = known.sum(1)
    total = np.where(known, segments, 0.0).sum(1)
    return np.asarray(np.where(count > 0, total / np.maximum(count, 1), np.nan))


@dataclass(frozen=True, eq=False)
class ScoredSegments:
    """The outputs of one test set, in rows."""

    test_set: str
    language: str
    segment: tuple[str, ...]
    """The segment of each output."""
    people: NDArray[np.float64]
    """Higher is better."""
    metrics: Mapping[str, NDArray[np.float64]]


@dataclass(frozen=True, eq=False)
class SystemScores:
    """The systems of one test set."""

    test_set: str
    language: str
    """The language pair, or the target language; '' where it is not known."""
    protocol: str
    """How people were asked, where that is known."""
    systems: tuple[str, ...]
    people: NDArray[np.float64]
    """Higher is better."""
    metrics: Mapping[str, NDArray[np.float64]]
    """As they are scored; NaN where a system has no score."""
    year: int | None = None
    """Of the campaign in which people judged; None where it is not known."""
