"""Power for many n and effects as a map: its cells, and how a screen and print show them."""

from __future__ import annotations

from collections.abc import Sequence

from adjudge.charts import PowerGrid
from adjudge.display import Cell, Column, Line, Row, StyledText, Table
from adjudge.wording import MINUS, number

BARS = "▁▂▃▄▅▆▇█"
STEPS = (0.2, 0.4, 0.6)
"""Where shades change, below the wanted power."""


def map_lines(grid: PowerGrid, *, width: int | None = None, rule: bool = False) -> list[Line]:
    """A cell a power, shaded by it and with a bar that shows it without colours; below, the n that is enough."""
    label = f"n for {grid.wanted:g}"
    first = max(len(label), *(len(str(n)) for n in grid.rows))
    last = [count_text(n) for n in grid.enough]
    wide = max(5, *(len(text) for text in (*grid.columns, *last)))
    room = len(grid.columns) if width is None else max(1, (width - first) // (wide + 2))
    lines: list[Line] = []
    for start in range(0, len(grid.columns), room):
        part = slice(start, start + room)
        if lines:
            lines.append([])
        indent = first + 1 if width is None else max(0, min(first + 1, width - len(grid.across)))
        lines.append([StyledText(" " * indent), StyledText(grid.across, "note")])
        heads = [StyledText(f"{text:>{wide}}  ", "heading") for text in grid.columns[part]]
        lines.append([StyledText(f"{'n':>{first}} ", "heading"), *heads])
        if rule:
            lines.append([StyledText("─" * (first + len(heads) * (wide + 2)), "rule")])
        for n, powers in zip(grid.rows, grid.power, strict=True):
            line = [StyledText(f"{n:>{first}} ")]
            for power in powers[part]:
                line += [
                    StyledText(f"{cell_text(power):>{wide}}{bar(power)}", _style(power, grid.wanted)),
                    StyledText(" "),
                ]
            lines.append(line[:-1])
        below = [StyledText(f"{text:>{wide}}  ", "detail") for text in last[part]]
        lines.append([StyledText(f"{label:>{first}} ", "detail"), *below])
    return lines


def map_table(grid: PowerGrid) -> Table:
    """The same for print: what is enough is bold."""
    rows = [
        Row((Cell(f"{n:,}"), *(Cell(cell_text(power), best=power >= grid.wanted) for power in powers)))
        for n, powers in zip(grid.rows, grid.power, strict=True)
    ]
    rows.append(Row((Cell(f"n for {grid.wanted:g}"), *(Cell(count_text(n)) for n in grid.enough)), rule=True))
    return Table((Column("n"), *(Column(text, True) for text in grid.columns)), tuple(rows))


def cell_text(power: float) -> str:
    """A power in three decimals, as tables of the field print it."""
    text = f"{power:.3f}"
    return "1" if text == "1.000" else text.removeprefix("0")


def bar(power: float) -> str:
    """A power as the height of a bar."""
    return BARS[min(len(BARS) - 1, int(power * len(BARS)))]


def count_text(n: int | None) -> str:
    """An n, or that there is none."""
    return "∞" if n is None else str(n)


def shade(power: float, wanted: float) -> int:
    """Which of the five shades a power has; the last one is enough."""
    return len(STEPS) + 1 if power >= wanted else sum(power >= step for step in STEPS)


def _style(power: float, wanted: float) -> str:
    return f"power{shade(power, wanted)}"


def columns_of(values: Sequence[float], decimals: int) -> tuple[str, ...]:
    """Numbers as heads of columns, with as many decimals as it takes to tell them apart."""
    while len({f"{value:.{decimals}f}" for value in values}) < len(set(values)) and decimals < 12:
        decimals += 1
    return tuple(number(value, decimals, minus=MINUS) for value in values)
