"""Charts that results declare: what is drawn and with which words; `report.charts` draws them."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from adjudge.display import Cell, Column, Row, Table, share, visible
from adjudge.wording import MISSING, p_number, pluralise

if TYPE_CHECKING:
    from numpy import float64
    from numpy.typing import NDArray

    Array = NDArray[float64]


class Bar(NamedTuple):
    """One system's score with its interval."""

    name: str
    score: float
    low: float
    high: float
    cluster: int | None
    shown: str
    """The score as tables show it."""


class IntervalChart(NamedTuple):
    """A chart with a row a system: its score as a dot, its interval as a line; shades part clusters."""

    bars: Sequence[Bar]
    label: str
    better: str
    interval: str


class Boxes(NamedTuple):
    """A chart with a row a group: the least value, the quartiles and the largest."""

    rows: Sequence[tuple[str, Sequence[float]]]
    label: str
    decimals: int


class Points(NamedTuple):
    """Scores of a metric (across) and of people (up)."""

    across: Array
    up: Array
    names: tuple[str, ...] = ()


class Scatter(NamedTuple):
    """A chart of points, with histograms above and to the right."""

    points: Points
    caption: str
    below: str
    up: str
    on_screen: bool = False
    """Whether screens have it too, drawn in letters below the tables."""


class Histograms(NamedTuple):
    """Histograms on one scale, one under the other."""

    rows: Sequence[tuple[str, Array]]
    caption: str
    below: str


class Curve(NamedTuple):
    """Points (x, y, low, high) in the order of x; low and high are None where nothing is known of them."""

    name: str
    points: Sequence[tuple[float, float, float | None, float | None]]


class ReferenceLevel(NamedTuple):
    """A value of y that curves are held to; its name stands left or right."""

    name: str
    value: float
    name_left: bool = False


class MarkedPoint(NamedTuple):
    """A point with a ring about it."""

    name: str
    x: float
    y: float


class LineChart(NamedTuple):
    """Several curves over one scale, each with its band."""

    curves: Sequence[Curve]
    caption: str
    below: str
    levels: Sequence[ReferenceLevel] = ()
    marked: MarkedPoint | None = None
    diagonal: bool = False
    """Whether it shows where y is x."""
    whole: bool = False
    """Whether y goes from 0 to 1."""


class CurveChart(NamedTuple):
    """One line with its band; where y is None there is a gap."""

    points: Sequence[tuple[float, float | None, float | None, float | None]]
    caption: str
    across: str


class ChartRow(NamedTuple):
    """Charts beside each other, where a screen is wide enough."""

    charts: Sequence[Histograms | LineChart | Scatter]


class PairedDots(NamedTuple):
    """A chart with two values a row, joined by a line: a full dot and a ring."""

    rows: Sequence[tuple[str, float, float]]
    label: str
    first: str
    second: str
    decimals: int


class SetShades(NamedTuple):
    """A cell for every test set and system, the bluer the better."""

    label: str
    systems: Sequence[str]
    rows: Sequence[tuple[str, Sequence[float]]]
    """By test set, a score for each system."""
    decimals: int
    higher_is_better: bool | None
    ranked: bool
    """Whether test sets stand from the best to the worst."""


class CorrelationShades(NamedTuple):
    """A cell for every metric and task, the bluer the closer to 1; averages first."""

    columns: Sequence[str]
    rows: Sequence[tuple[str, Sequence[float]]]


class PowerGrid(NamedTuple):
    """A map of power: a cell for every n (row) and effect (column)."""

    title: str
    across: str
    """What stands at the head of the columns."""
    columns: tuple[str, ...]
    rows: tuple[int, ...]
    power: tuple[tuple[float, ...], ...]
    wanted: float
    enough: tuple[int | None, ...]


class LevelBars(NamedTuple):
    """A histogram a row, one below the other on one scale: scores of a metric by what people gave."""

    title: str
    metric: str
    low: float
    high: float
    """Of the scores."""
    rows: Sequence[tuple[str, Sequence[int]]]
    """What people gave, and how many outputs have each score."""


class Remarks(NamedTuple):
    """Sentences that stand among charts: as a list, or as a paragraph each."""

    sentences: Sequence[str]
    listed: bool = True


class Folded(NamedTuple):
    """A chart or a table that is opened by whoever wants it."""

    summary: str
    content: Chart | Table
    label: str = ""
    """Of a table, for those who do not see it."""


class Picture(NamedTuple):
    """An SVG with a style of its own, shown as an image."""

    title: str
    svg: Callable[[], str]


FEWEST_ITEMS = 10
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
        return self.items >= FEWEST_ITEMS


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
            else f", nothing of fewer than {FEWEST_ITEMS}"
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


Chart: TypeAlias = (
    "IntervalChart | Boxes | Scatter | Histograms | LineChart | CurveChart | ChartRow | PairedDots | SetShades"
    " | CorrelationShades | PowerGrid | LevelBars | Remarks | Folded | Picture | Matrix"
)


STEPS = (1.0, 2.0, 2.5, 5.0, 10.0)


@dataclass(frozen=True)
class Scale:
    """From the least to the largest value, with round numbers between them."""

    low: float
    high: float
    ticks: tuple[float, ...]
    decimals: int

    @classmethod
    def over(cls, values: Sequence[float], most: int = 5) -> Scale:
        """A scale that holds all values."""
        finite = [value for value in values if math.isfinite(value)]
        low, high = (min(finite), max(finite)) if finite else (0.0, 1.0)
        if high - low < 1e-12 * max(1.0, abs(high)):
            low, high = low - 0.5, high + 0.5
        rough = (high - low) / most
        power = 10.0 ** math.floor(math.log10(rough))
        step = next((factor * power for factor in STEPS if factor * power >= rough), 10 * power)
        first, last = math.floor(low / step + 1e-9), math.ceil(high / step - 1e-9)
        decimals = max(0, -math.floor(math.log10(step) + 1e-9))
        decimals += round(step * 10**decimals, 9) != round(step * 10**decimals)  # a step of 2.5, 0.25, …
        ticks = tuple(round(step * k, 12) for k in range(first, last + 1))
        return cls(ticks[0], ticks[-1], ticks, decimals)

    def at(self, value: float) -> float:
        """Where a value stands, in percent."""
        return 100 * (value - self.low) / (self.high - self.low)
