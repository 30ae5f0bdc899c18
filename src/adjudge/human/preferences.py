"""Two systems side by side: how often each was preferred, and whether chance would do as much."""

from __future__ import annotations

from dataclasses import dataclass

from adjudge.data.judgements import Judgements


@dataclass(frozen=True)
class Preference:
    """What people said of two systems when they saw both."""

    system: str
    other: str
    wins: int
    ties: int
    losses: int
    p_value: float
    """Of the two-sided sign test, to which ties say nothing; 1 where all are ties."""

    @property
    def count(self) -> int:
        """How often the two were compared."""
        return self.wins + self.ties + self.losses

    @property
    def shares(self) -> tuple[float, float, float]:
        """Percentages of wins, ties and losses."""
        return 100 * self.wins / self.count, 100 * self.ties / self.count, 100 * self.losses / self.count


def preferences(judgements: Judgements) -> tuple[Preference, ...]:
    """Every pair of systems that was compared, in the order of their first appearance.

    Each comparison counts as one, also where several people made it of the same item.
    """
