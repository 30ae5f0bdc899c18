"""Power for many n and effects as a map: shaded on a screen, coloured in SVG."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from adjudge.display import Cell, Column, Line, Row, StyledText, Table
from adjudge.report.render.markup import NEW_LINE, NOTHING, Html, html, prose
from adjudge.wording import MINUS, number

BARS = "▁▂▃▄▅▆▇█"
STEPS = (0.2, 0.4, 0.6)
"""Where shades change, below the wanted power."""
COLOURS = ("#fde0dd", "#fee8c8", "#fff7bc", "#e0f3db", "#7fc97f")
WIDE, HIGH, LEFT, TOP = 62, 30, 110, 64


@dataclass(frozen=True)
class Grid:
    """A map before anyone decides how it looks."""

    title: str
    across: str
    """What stands at the head of the columns."""
    columns: tuple[str, ...]
    rows: tuple[int, ...]
    power: tuple[tuple[float, ...], ...]
    wanted: float
    enough: tuple[int | None, ...]


def map_lines(grid: Grid, *, width: int | None = None, rule: bool = False) -> list[Line]:
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


def map_table(grid: Grid) -> Table:
    """The same for print: what is enough is bold."""
    rows = [
        Row((Cell(f"{n:,}"), *(Cell(cell_text(power), best=power >= grid.wanted) for power in powers)))
        for n, powers in zip(grid.rows, grid.power, strict=True)
    ]
    rows.append(Row((Cell(f"n for {grid.wanted:g}"), *(Cell(count_text(n)) for n in grid.enough)), rule=True))
    return Table((Column("n"), *(Column(text, True) for text in grid.columns)), tuple(rows))


def svg(grid: Grid) -> Html:
    """A picture of the map that needs nothing but a browser."""
    wide = LEFT + WIDE * len(grid.columns) + 20
    high = TOP + HIGH * (len(grid.rows) + 1) + 20
    parts = [
        html(
            '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {} {}" width="{}" height="{}" role="img" '
            'aria-label="{}" font-family="sans-serif" font-size="13" fill="#222">',
            wide,
            high,
            wide,
            high,
            grid.title,
        ),
        html('<rect width="{}" height="{}" fill="#fff"/>', wide, high),
        html('<text x="12" y="20" font-weight="bold">{}</text>', grid.title),
        html('<text x="{}" y="40" fill="#555">{}</text>', LEFT, grid.across),
        _text(LEFT - 12, TOP - 6, "n", "end", bold=True),
    ]
    parts += [
        _text(LEFT + WIDE * (i + 0.5), TOP - 6, text, "middle", bold=True)
        for i, text in enumerate(grid.columns)
    ]
    for r, (n, powers) in enumerate(zip(grid.rows, grid.power, strict=True)):
        y = TOP + HIGH * r
        parts.append(_text(LEFT - 12, y + 20, f"{n:,}", "end"))
        for c, power in enumerate(powers):
            x = LEFT + WIDE * c
            told = f"n {n:,}, {grid.columns[c]}: power {power:.3f}"
            parts.append(
                html(
                    '<g><title>{}</title><rect x="{}" y="{}" width="{}" height="{}" fill="{}"/>',
                    told,
                    x + 1,
                    y + 1,
                    WIDE - 2,
                    HIGH - 2,
                    COLOURS[shade(power, grid.wanted)],
                )
                + _text(x + WIDE / 2, y + 20, cell_text(power), "middle", bold=power >= grid.wanted)
                + html("</g>")
            )
    y = TOP + HIGH * len(grid.rows) + 20
    parts.append(_text(LEFT - 12, y, f"n for {grid.wanted:g}", "end"))
    parts += [_text(LEFT + WIDE * (i + 0.5), y, count_text(n), "middle") for i, n in enumerate(grid.enough)]
    return NEW_LINE.join([*parts, html("</svg>")]) + NEW_LINE


def html_map(grid: Grid) -> Html:
    """A cell a power, shaded by it; bold where it is enough."""
    head = NOTHING.join(html('<th scope="col">{}</th>', column) for column in grid.columns)
    rows = []
    for n, powers in zip(grid.rows, grid.power, strict=True):
        cells = NOTHING.join(
            html('<td class="power{}">{}</td>', shade(power, grid.wanted), cell_text(power))
            for power in powers
        )
        rows.append(html('<tr><th scope="row" class="number">{:,}</th>{}</tr>', n, cells))
    enough = NOTHING.join(html("<td>{}</td>", count_text(n)) for n in grid.enough)
    last = html(
        '<tr class="enough"><th scope="row" class="number">n for {:g}</th>{}</tr>', grid.wanted, enough
    )
    return html(
        '<div class="scroll" role="region" aria-label="{}" tabindex="0"><table class="shades"><thead><tr>'
        '<td></td><th colspan="{}" scope="colgroup">{}</th></tr><tr>'
        '<th scope="col" class="number">n</th>{}</tr></thead><tbody>{}{}</tbody></table></div>'
        '<div class="notes"><p>Bold: a power of {:g} or more.</p></div>',
        grid.title,
        len(grid.columns),
        prose(grid.across),
        head,
        NOTHING.join(rows),
        last,
        grid.wanted,
    )


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


def _text(x: float, y: float, text: str, anchor: str, *, bold: bool = False) -> Html:
    weight = html(' font-weight="bold"') if bold else ""
    return html('<text x="{:g}" y="{:g}" text-anchor="{}"{}>{}</text>', x, y, anchor, weight, text)


def columns_of(values: Sequence[float], decimals: int) -> tuple[str, ...]:
    """Numbers as heads of columns, with as many decimals as it takes to tell them apart."""
    while len({f"{value:.{decimals}f}" for value in values}) < len(set(values)) and decimals < 12:
        decimals += 1
    return tuple(number(value, decimals, minus=MINUS) for value in values)
