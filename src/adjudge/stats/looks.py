"""Repeated looks at one baseline: how much of alpha each look may spend, so that all of them together keep it.

Builds look again and again, on the same segments and against the same baseline, so their p-values depend on each other
in ways nobody knows. A share of alpha for each look needs nothing but a valid p at each (the union bound), and every
alarm is about the version of its own look. Products of e-values would need segments that no earlier look has seen.
Averages of e-values hold as well, but find less and speak of all versions together (docs/gate.md has the figures).
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from adjudge.errors import UsageError
from adjudge.stats.multiple import FLOOR

HALF = 10
"""Looks that spend half of alpha together. After k looks k / (k + HALF) is spent, so there is no last look."""
MOST_LOOKS = 1_000
"""Later looks have so little of alpha that trials for so small a p take minutes."""
TRIALS = (10_000, 1_000_000)
"""So many trials at least; beyond the larger number, p needs to be measured only well enough to pass its limit."""
LEAST = 2
"""How many times smaller than its limit the smallest p is then."""


@dataclass(frozen=True)
class Look:
    """One look at a baseline. Without a number and without a plan it is the only one, and all of alpha is its own."""

    number: int | None = None
    """From 1."""
    planned: int | None = None
    """How many looks there will be at most; each has an equal share of alpha, whatever its number."""
    counted: bool = False
    """Whether a history counted it; else somebody said so."""

    def __post_init__(self) -> None:
        for name, value in (("look", self.number), ("looks", self.planned)):
            if value is not None and value < 1:
                raise UsageError(f"{name}={value}: must be a whole number from 1 up")
        if self.number is not None and self.planned is not None and self.number > self.planned:
            raise UsageError(
                f"look {self.number} of {self.planned}: all of alpha is spent; start anew with another baseline"
            )

    @property
    def only(self) -> bool:
        """Whether there are no other looks."""
        return self.number is None and self.planned is None

    @property
    def share(self) -> float:
        """The share of alpha that this look may spend; the shares of all looks add up to 1 at most."""
        if self.planned is not None:
            return 1 / self.planned
        if self.number is None:
            return 1.0
        return HALF / ((HALF + self.number - 1) * (HALF + self.number))

    @property
    def spent(self) -> float | None:
        """The share of alpha that is spent after this look; None where the number of earlier looks is unknown."""
        if self.only:
            return 1.0
        if self.number is None:
            return None
        return self.number * self.share if self.planned is not None else self.number / (self.number + HALF)

    def trials(self, alpha: float, tests: int) -> int:
        """How many randomisations so many tests of this look need."""
        inverse = tests / (alpha * self.share)
        least, most = TRIALS
        return max(least, min(math.ceil(FLOOR * inverse), max(most, math.ceil(LEAST * inverse))))

    def check(self) -> None:
        """Refuse a look that has next to nothing of alpha left."""
        if max(self.number or 1, self.planned or 1) > MOST_LOOKS:
            raise UsageError(
                f"more than {MOST_LOOKS:,} looks at one baseline: next to nothing of alpha is left; save a new "
                "baseline and start again with look 1"
            )

    def over_looks(self, p: float) -> float:
        """A p of this look, to be held against the alpha of all looks together."""
        return min(1.0, p / self.share)

    def as_document(self, alpha: float) -> dict[str, float | int | bool | None]:
        """As it stands in JSON."""
        return {
            "number": self.number,
            "planned": self.planned,
            "only": self.only,
            "counted": self.counted,
            "alpha": alpha * self.share,
            "alpha_spent": None if self.spent is None else alpha * self.spent,
        }


ONLY_LOOK = Look()
