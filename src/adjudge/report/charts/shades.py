"""Tables of shades: every system against every other one, and test sets by systems."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from adjudge.charts import Matrix, Meeting, SetShades
from adjudge.display import share, shorten, visible
from adjudge.report.render.markup import NOTHING, Html, anchor, html
from adjudge.wording import MINUS, MISSING, number, p_number, p_text, pluralise

LONGEST = 28
"""Names beside a table of shades; what is left out stands in its title."""
PIECE = 50
"""Rows of a table below each other."""


def shades(matrix: Matrix, address: Callable[[str, str], str] = lambda a, b: "") -> Html:
    """A cell for every system (row) against every other (column): the share it wins, p below, shaded by who wins.

    `address` says where the number of two systems leads.
    """
    head = NOTHING.join(
        html(
            '<th scope="col" title="{}"><span aria-hidden="true">{}</span><span class="sr">{}</span></th>',
            name,
            place,
            name,
        )
        for place, name in enumerate(matrix.systems, 1)
    )
    corrected = ", as corrected" if matrix.corrected else ""
    rows = []
    for place, a in enumerate(matrix.systems, 1):
        cells = NOTHING.join(_shade(matrix, a, b, address(a, b)) for b in matrix.systems)
        name = html('<span class="place">{}</span> {}', place, shorten(visible(a), LONGEST))
        rows.append(html('<tr><th scope="row" title="{}">{}</th>{}</tr>', a, name, cells))
    return html(
        '<div class="scroll" role="region" aria-label="{}" tabindex="0"><table class="shades"><thead><tr>'
        '<th scope="col">{}</th>{}</tr></thead><tbody>{}</tbody></table></div><div class="notes">'
        "<p>Large: {}; small: p{}, with a star below {:g}. Blue: the row wins more often than the column, "
        "orange: less often.</p></div>",
        matrix.corner,
        matrix.corner,
        head,
        NOTHING.join(rows),
        matrix.share + matrix.numbers,
        corrected,
        matrix.alpha,
    )


def _shade(matrix: Matrix, a: str, b: str, link: str) -> Html:
    meeting = matrix.meetings.get((a, b))
    if a == b:
        return html('<td class="self"></td>')
    if meeting is None:
        return html('<td class="self">{}</td>', MISSING)
    shares = (
        f"wins {share(meeting.wins)}, loses {share(meeting.losses)} of {pluralise(meeting.items, 'item')}, "
    )
    told = f"{a} against {b}: {shares if meeting.enough else ''}{p_text(meeting.p)}"
    star = "*" if meeting.significant else ""
    shown = html("{}<small>{}{}</small>", matrix.told(meeting), p_number(meeting.p, matrix.alpha), star)
    return html(
        '<td{} title="{}"{}>{}</td>',
        _tint(meeting),
        told,
        html(' class="significant"') if meeting.significant else "",
        anchor(shown, link),
    )


def _tint(meeting: Meeting) -> Html:
    """Blue or orange, the more the further apart; translucent, so that it does on light and dark paper."""
    lead = meeting.wins - meeting.losses
    if math.isnan(lead) or not meeting.enough:
        return NOTHING
    colour = "0 114 178" if lead > 0 else "213 94 0"
    return html(' style="background:rgb({} / {}%)"', colour, round(8 + 52 * min(1.0, abs(lead))))


def set_shades(chart: SetShades, address: Callable[[str, str], str] = lambda name, system: "") -> Html:
    """A cell for every test set and system; `address` says where its number leads."""
    values = [score for _, scores in chart.rows for score in scores if math.isfinite(score)]
    limits = min(values, default=0.0), max(values, default=1.0)
    pieces = [chart.rows[i : i + PIECE] for i in range(0, len(chart.rows), PIECE)]
    return html(
        '<div class="scroll pieces" role="region" aria-label="{}" tabindex="0">{}</div><div class="notes">'
        "<p>The bluer, the better{}.</p></div>",
        f"{chart.label} by test set",
        NOTHING.join(_piece(chart, rows, limits, address) for rows in pieces),
        "; from the best test set to the worst" if chart.ranked else "",
    )


def _piece(
    chart: SetShades,
    rows: Sequence[tuple[str, Sequence[float]]],
    limits: tuple[float, float],
    address: Callable[[str, str], str],
) -> Html:
    head = NOTHING.join(html('<th scope="col">{}</th>', system) for system in chart.systems)
    body = []
    for name, scores in rows:
        cells = (
            _score_cell(chart, score, limits, address(name, system))
            for system, score in zip(chart.systems, scores, strict=True)
        )
        body.append(html('<tr><th scope="row">{}</th>{}</tr>', name, NOTHING.join(cells)))
    return html(
        '<table class="shades"><thead><tr><th scope="col">Test set</th>{}</tr></thead><tbody>{}</tbody></table>',
        head,
        NOTHING.join(body),
    )


def _score_cell(chart: SetShades, score: float, limits: tuple[float, float], link: str) -> Html:
    if math.isnan(score):
        return html('<td class="self">{}</td>', MISSING)
    low, high = limits
    part = (score - low) / (high - low) if high > low else 0.5
    return html(
        '<td style="background:rgb(0 114 178 / {}%)">{}</td>',
        round(6 + 50 * (part if chart.higher_is_better is not False else 1 - part)),
        anchor(number(score, chart.decimals, minus=MINUS), link),
    )
