"""Power as a page for a browser: the answer, a shaded map or a curve, and what it rests on."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from adjudge.planning.pilot_power import PilotAnswer, PilotMap
from adjudge.planning.power import PowerMap
from adjudge.report.charts import curve
from adjudge.report.html import html_list, html_table
from adjudge.report.page import page, prose, text
from adjudge.report.power import grid, parts
from adjudge.report.power_map import Grid, cell_text, count_text, shade
from adjudge.report.power_words import Result, notes, verdict, warnings

if TYPE_CHECKING:
    from adjudge.io import Input


def power_page(result: Result, *, version: str, inputs: Sequence[Input] = ()) -> str:
    """The whole page."""
    body = [f"<header><h1>{prose(verdict(result))}</h1>"]
    told = warnings(result)
    body += [html_list(told, "warnings")] if told else []
    body += ["</header>", "<main>"]
    if isinstance(result, (PowerMap, PilotMap)):
        body.append(_map(grid(result)))
    if isinstance(result, PilotAnswer):
        points = [(p.n, p.power, p.power - p.error, p.power + p.error) for p in result.curve]
        body.append(curve(sorted(points), caption="power", across="across: n"))
    for part in parts(result):
        heading = f"<p>{prose(part.heading)}</p>" if part.heading else ""
        body.append(f"<section>{heading}{html_table(part.table, label='power')}</section>")
    body.append(f'<div class="notes">{"".join(f"<p>{prose(note)}</p>" for note in notes(result))}</div>')
    files = "".join(f"<li>{text(item.path)} <code>{text(item.sha256[:12])}</code></li>" for item in inputs)
    body += [
        "</main>",
        f"<footer><p>adjudge {text(version)}</p>{f'<ul>{files}</ul>' if files else ''}</footer>",
    ]
    return page(f"Power: {verdict(result)}", body, styles=["analysis.css"])


def _map(found: Grid) -> str:
    """A cell a power, shaded by it; bold where it is enough."""
    head = "".join(f'<th scope="col">{text(column)}</th>' for column in found.columns)
    rows = []
    for n, powers in zip(found.rows, found.power, strict=True):
        cells = "".join(
            f'<td class="power{shade(power, found.wanted)}">{cell_text(power)}</td>' for power in powers
        )
        rows.append(f'<tr><th scope="row" class="number">{n:,}</th>{cells}</tr>')
    enough = "".join(f"<td>{text(count_text(n))}</td>" for n in found.enough)
    last = f'<tr class="enough"><th scope="row" class="number">n for {found.wanted:g}</th>{enough}</tr>'
    return (
        f'<div class="scroll" role="region" aria-label="{text(found.title)}" tabindex="0"><table class="shades">'
        f'<thead><tr><td></td><th colspan="{len(found.columns)}" scope="colgroup">{prose(found.across)}</th></tr>'
        f'<tr><th scope="col" class="number">n</th>{head}</tr></thead>'
        f"<tbody>{''.join(rows)}{last}</tbody></table></div>"
        f'<div class="notes"><p>Bold: a power of {found.wanted:g} or more.</p></div>'
    )
