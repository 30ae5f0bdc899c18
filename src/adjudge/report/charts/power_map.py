"""Power for many n and effects as a map: coloured in SVG and on pages."""

from __future__ import annotations

from adjudge.charts import PowerGrid
from adjudge.planning.power_map import cell_text, count_text, shade
from adjudge.report.render.markup import NEW_LINE, NOTHING, Html, html, prose

COLOURS = ("#fde0dd", "#fee8c8", "#fff7bc", "#e0f3db", "#7fc97f")
WIDE, HIGH, LEFT, TOP = 62, 30, 110, 64


def power_svg(grid: PowerGrid) -> Html:
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


def power_table(grid: PowerGrid) -> Html:
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


def _text(x: float, y: float, text: str, anchor: str, *, bold: bool = False) -> Html:
    weight = html(' font-weight="bold"') if bold else ""
    return html('<text x="{:g}" y="{:g}" text-anchor="{}"{}>{}</text>', x, y, anchor, weight, text)
