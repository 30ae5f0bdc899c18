"""Results in a notebook: rich display, tables of pandas and Polars, charts."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Any

from adjudge.analysis.xray import Xray
from adjudge.comparison import Comparison
from adjudge.comparison.comparison_tables import ComparisonView
from adjudge.display import Data, Displayable, Section
from adjudge.errors import MissingExtraError, UsageError, unknown_name
from adjudge.report.charts.plot import HALF
from adjudge.report.pages.report import charts as dossier_charts
from adjudge.report.pages.xray.xray import XrayDisplay
from adjudge.report.render import page
from adjudge.report.render.html import html_section
from adjudge.report.render.markup import NEW_LINE, Html, html

STYLES = ("page.css", "analysis.css")


def html_of(result: Displayable) -> Html:
    """The sections of a result, in a frame that keeps its looks to itself; all text in it is escaped."""
    sections = _declared(result).notebook_sections()
    body = NEW_LINE.join(html_section(section) for section in sections if _has(section))
    return html('<div class="adjudge"><style>{}</style>{}</div>', page.framed_style(STYLES), body)


def _declared(result: Displayable) -> Displayable:
    """What declares the result: of alignments a room above them, for their picture is drawn there."""
    return XrayDisplay(result) if isinstance(result, Xray) else result.display()


def _has(section: Section) -> bool:
    """Whether a page has anything of it: what is drawn for screens alone is left out."""
    return bool(section.tables or section.sentences or section.notes or section.lead or section.printed)


def table_of(result: Displayable, table: str = "") -> Data:
    """The head of a table and its rows."""
    declared = _declared(result)
    frames = declared.frames()
    if not frames:
        if table:
            raise UsageError(f"{type(result).__name__} has one table: leave {table!r} out")
        known = declared.data()
    elif table and table not in frames:
        raise unknown_name("table", table, tuple(frames))
    else:
        made = frames[table or next(iter(frames))]()
        known = made if isinstance(made, Data) else _columns(made)
    return Data(_unlike([str(name) for name in known.head]), known.rows)


def _columns(records: Sequence[Any]) -> Data:
    """The fields of records that are text, numbers or a pair of numbers, which makes two columns."""
    if not records:
        return Data([], [])
    names = [field.name for field in fields(records[0]) if field.repr]
    columns: dict[str, list[Any]] = {}
    for name in names:
        values = [getattr(record, name) for record in records]
        if all(value is None or isinstance(value, (str, int, float)) for value in values):
            columns[name] = values
        elif all(value is None or (isinstance(value, tuple) and len(value) == 2) for value in values):
            for place, end in enumerate(("from", "to")):
                columns[f"{name}_{end}"] = [None if value is None else value[place] for value in values]
    return Data(list(columns), list(zip(*columns.values(), strict=True)))


def _unlike(names: Sequence[str]) -> list[str]:
    """Names of columns that may be those of systems: the second of a name has a number."""
    seen: dict[str, int] = {}
    unlike = []
    for name in names:
        seen[name] = seen.get(name, 0) + 1
        unlike.append(name if seen[name] == 1 else f"{name} ({seen[name]})")
    return unlike


def pandas_of(result: Displayable, table: str = "") -> Any:
    """A table of pandas, where that is installed."""
    try:
        import pandas
    except ImportError:
        raise MissingExtraError("a table of pandas", "notebook") from None
    head, rows = table_of(result, table)
    return pandas.DataFrame(list(rows), columns=list(head))


def polars_of(result: Displayable, table: str = "") -> Any:
    """A table of Polars, where that is installed."""
    try:
        import polars
    except ImportError:
        raise MissingExtraError("a table of Polars", "notebook") from None
    head, rows = table_of(result, table)
    columns = list(zip(*rows, strict=True)) or [()] * len(head)
    return polars.DataFrame(
        {name: list(column) for name, column in zip(head, columns, strict=True)}, strict=False
    )


@dataclass(frozen=True)
class SvgFigure:
    """Drawings for a notebook, one below the other; `svgs` can be written to files."""

    svgs: tuple[Html, ...]

    def _repr_html_(self) -> str:
        return str(NEW_LINE.join(self.svgs))


def chart_of(result: Comparison, metric: str = "") -> SvgFigure:
    """The chart of a report: dots and intervals of every system, by one metric or by each."""
    view = ComparisonView.of(result, result.test, None)
    known = list(view.pairwise.metrics)
    if metric and metric not in known:
        raise unknown_name("metric", metric, known)
    charts = [dossier_charts.interval_chart(view, name, None) for name in ([metric] if metric else known)]
    return SvgFigure(
        tuple(_fix_colours(chart.plot(HALF).svg(kind="any", label=chart.title)) for chart in charts)
    )


def _fix_colours(svg: Html) -> Html:
    """A drawing whose colours are those of light pages, for it stands on no page of ours."""
    light, _ = page.colours("analysis.css")
    return Html(re.sub(r"var\(--(\w+)\)", lambda match: light[match[1]], svg))
