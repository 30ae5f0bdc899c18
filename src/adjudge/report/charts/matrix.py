"""Every system against every other one: how likely chance is, and how often the one beats the other."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from adjudge.display import Cell, Column, Row, Table, share, visible
from adjudge.wording import MISSING, p_number, pluralise

FEWEST = 10
"""Common items, below which no share is shown."""


@dataclass(frozen=True)
class Meeting:
    """Two systems, seen from the first."""

    p: float
    """Corrected for the number of pairs, where that was asked for."""
    significant: bool
    wins: float
    """Share of items or comparisons that the first one wins."""
    losses: float
    items: int
    """On how many items both were judged."""

    @property
    def turned(self) -> Meeting:
        """Seen from the second."""
        return Meeting(self.p, self.significant, self.losses, self.wins, self.items)

    @property
    def enough(self) -> bool:
        """Whether a share of so few items says anything."""
        return self.items >= FEWEST


@dataclass(frozen=True)
class Matrix:
    """All pairs of systems that met."""

    systems: tuple[str, ...]
    """The best first."""
    meetings: Mapping[tuple[str, str], Meeting]
    """Of every pair in both orders."""
    alpha: float
    corrected: bool
    """Whether p is, for the number of pairs."""
    corner: str
    """What p and shares are of, in a few words."""
    share: str
    """What a share is, in a sentence's end."""

    @classmethod
    def of(
        cls,
        systems: tuple[str, ...],
        pairs: Mapping[tuple[str, str], Meeting],
        *,
        alpha: float,
        corrected: bool,
        corner: str,
        share: str,
    ) -> Matrix:
        """From every pair in one order."""
        both = {**pairs, **{(b, a): meeting.turned for (a, b), meeting in pairs.items()}}
        return cls(systems, both, alpha, corrected, corner, share)

    @property
    def note(self) -> str:
        """How to read the table."""
        corrected = ", as corrected" if self.corrected else ""
        return (
            f"Above the diagonal: p of row against column{corrected}. Below it: {self.share}{self.numbers}."
        )

    @property
    def items(self) -> int | None:
        """On how many items any two were judged; None where that differs."""
        numbers = {meeting.items for meeting in self.meetings.values()}
        return numbers.pop() if len(numbers) == 1 else None

    @property
    def numbers(self) -> str:
        """How many items shares are of, in a sentence's end."""
        few = (
            ""
            if all(meeting.enough for meeting in self.meetings.values())
            else f", nothing of fewer than {FEWEST}"
        )
        if self.items is not None:
            return f", of {pluralise(self.items, 'common item')}{few}"
        return f", with the number of common items{few}"

    def told(self, meeting: Meeting) -> str:
        """A share with its number of items, where that is not the same for all; nothing of a few."""
        if not meeting.enough:
            return MISSING
        return share(meeting.wins) if self.items is not None else f"{share(meeting.wins)} ({meeting.items:,})"


def matrix_table(matrix: Matrix) -> Table:
    """P above the diagonal, the share that the row wins below it."""
    head = [Column("#"), Column(f"p \\ {matrix.corner}")]
    head += [Column(str(place), True) for place in range(1, len(matrix.systems) + 1)]
    rows = []
    for i, a in enumerate(matrix.systems):
        cells = [Cell(str(i + 1)), Cell(visible(a))]
        for j, b in enumerate(matrix.systems):
            meeting = matrix.meetings.get((a, b))
            if meeting is None:
                cells.append(Cell("" if i == j else MISSING))
            elif j > i:
                star = "*" if meeting.significant else " "
                style = "win" if meeting.significant else ""
                cells.append(Cell(p_number(meeting.p, matrix.alpha) + star, style=style))
            else:
                cells.append(Cell(matrix.told(meeting), style="detail"))
        rows.append(Row(tuple(cells)))
    return Table(tuple(head), tuple(rows))
