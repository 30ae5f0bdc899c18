"""Challenge sets: pairs of translations, one of them with an error, and what kind of error it is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from adjudge.errors import DataError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

BASELINE = "base"
"""The severity of sanity checks in DEMETR, which are not errors."""


@dataclass(frozen=True, eq=False)
class PairScores:
    """One metric's scores of the good and of the bad translations, as another program gave them."""

    good: NDArray[np.float64]
    bad: NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class ChallengeSet:
    """Good and bad translations of the same sources, in columns."""

    good: tuple[str, ...]
    bad: tuple[str, ...]
    phenomena: tuple[str, ...]
    """The kind of error in the bad translation."""
    sources: tuple[str, ...] | None = None
    references: tuple[str, ...] | None = None
    severities: tuple[str, ...] = ()
    """Empty where nothing is said of them."""
    languages: tuple[str, ...] = ()
    """The severity of each error; empty if unknown."""
    scores: Mapping[str, PairScores] = field(default_factory=dict)
    """By metric."""
    name: str = ""

    def __post_init__(self) -> None:
        columns: list[Sequence[str] | None] = [self.bad, self.phenomena, self.sources, self.references]
        columns += [column or None for column in (self.severities, self.languages)]
        if any(column is not None and len(column) != len(self.good) for column in columns):
            raise DataError(f"{len(self.good)} good translations, but not so many of everything else")

    def __len__(self) -> int:
        return len(self.good)

    def units(self) -> tuple[str, ...]:
        """What groups items: their source, reference or good translation."""
        return self.sources or self.references or self.good

    def take(self, rows: Sequence[int]) -> ChallengeSet:
        """The challenge set with some of its items."""

        def some(column: tuple[str, ...]) -> tuple[str, ...]:
            return tuple(column[row] for row in rows) if column else ()

        chosen = list(rows)
        return ChallengeSet(
            some(self.good),
            some(self.bad),
            some(self.phenomena),
            None if self.sources is None else some(self.sources),
            None if self.references is None else some(self.references),
            some(self.severities),
            some(self.languages),
            {
                name: PairScores(scores.good[chosen], scores.bad[chosen])
                for name, scores in self.scores.items()
            },
            self.name,
        )
