"""A table before anyone decides how it looks: columns, rows and which cells are best."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from adjudge.wording import MISSING, number

UP, DOWN = "↑", "↓"
LONGEST = 80
"""Characters of a label or a category in a report."""


@dataclass(frozen=True)
class Column:
    """A heading; numbers stand to the right. `better` is the arrow that says which way is better.

    A `joined` column stays beside the one before it, however narrow the screen. A column of sentences is `wide`: in
    print it takes that share of a line.
    """

    label: str
    numeric: bool = False
    better: str = ""
    joined: bool = False
    wide: float = 0.0

    @property
    def heading(self) -> str:
        """Label and arrow on one line."""
        return f"{self.label} {self.better}".rstrip()

    def lines(self) -> list[str]:
        """The heading in a narrow column: a metric's options below its name."""
        name, bracket, options = self.label.partition("(")
        if not bracket or not self.numeric:
            return [self.heading]
        return [f"{name} {self.better}".rstrip(), *options.removesuffix(")").split(",")]


@dataclass(frozen=True)
class Cell:
    """What one cell says; `marks` are raised in print, `style` colours a screen only, a `link` is for pages."""

    text: str
    best: bool = False
    style: str = ""
    marks: str = ""
    link: str = ""


@dataclass(frozen=True)
class Row:
    """Cells; `detail` rows belong to the row above them, and `rule` draws a line above."""

    cells: tuple[Cell, ...]
    detail: bool = False
    rule: bool = False


@dataclass(frozen=True)
class Table:
    """Columns, of which those that are not numeric come first, and rows."""

    columns: tuple[Column, ...]
    rows: tuple[Row, ...]

    @property
    def keys(self) -> int:
        """How many columns say what a row is about."""
        return sum(not column.numeric for column in self.columns)


def linked(table: Table, address: Callable[[int, int], str]) -> Table:
    """The same table, each cell with the address that a row and a column (from 0) have; '' for none."""
    rows = (
        replace(row, cells=tuple(replace(cell, link=address(r, c)) for c, cell in enumerate(row.cells)))
        for r, row in enumerate(table.rows)
    )
    return replace(table, rows=tuple(rows))


SPARKS = "▁▂▃▄▅▆▇█"


def sparkline(counts: Sequence[int]) -> str:
    """Counts as bars; the least bar is for no segment at all."""
    most = max(counts, default=0)
    if not most:
        return SPARKS[0] * len(counts)
    return "".join(SPARKS[0] if c == 0 else SPARKS[1 + (c * (len(SPARKS) - 2)) // most] for c in counts)


def around(value: float, low: float, high: float, decimals: int) -> str:
    """A score and half of its interval, where it has one."""
    half = (high - low) / 2
    return number(value, decimals) + ("" if math.isnan(half) else f" ± {number(half, decimals)}")


def share(value: float) -> str:
    """A share in two digits, without the 0 that every one begins with."""
    return MISSING if math.isnan(value) else f".{round(value * 100):02d}" if value < 0.995 else "1"


def span(ranks: tuple[int, int] | None) -> str:
    """Ranks from the best to the worst."""
    if ranks is None:
        return MISSING
    low, high = ranks
    return str(low) if low == high else f"{low}–{high}"


def group_name(by: Mapping[str, str]) -> str:
    """The labels of a group in a row; nothing for everything."""
    return ", ".join(f"{label}={value}" for label, value in by.items())


def arrow(higher_is_better: bool | None) -> str:
    """The sign for the better direction; none where there is no such thing."""
    return "" if higher_is_better is None else UP if higher_is_better else DOWN


def best_of(values: list[float], decimals: int, *, higher_is_better: bool | None) -> list[bool]:
    """Which values look best once rounded; none where all look alike or no direction is better."""
    known = [value for value in values if not math.isnan(value)]
    shown = {number(value, decimals) for value in known}
    if len(shown) < 2 or higher_is_better is None:
        return [False] * len(values)
    best = number(max(known) if higher_is_better else min(known), decimals)
    return [number(value, decimals) == best for value in values]


def brief(text: str) -> str:
    """A name that may be a text: its beginning, visibly."""
    return visible(text) if len(text) <= LONGEST else f"{visible(text[: LONGEST - 1])}…"


def visible(text: str) -> str:
    """Text without line breaks, escape sequences and other characters that do not print."""
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode("ascii") for c in text)
