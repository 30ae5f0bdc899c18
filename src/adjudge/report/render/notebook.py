"""Results in a notebook: rich display, tables of pandas and Polars, charts."""

from __future__ import annotations

import base64
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any

from adjudge.analysis.xray import Xray
from adjudge.comparison import Comparison, Scores
from adjudge.display import Data, Displayable, Section
from adjudge.dossiers import Analysis, LanguagePairAnalyses
from adjudge.errors import MissingExtraError, UsageError, unknown_name
from adjudge.report.charts.plot import HALF
from adjudge.report.pages.comparison import one_set as comparison
from adjudge.report.pages.comparison import scores as score
from adjudge.report.pages.comparison import study
from adjudge.report.pages.comparison.tables import ComparisonView
from adjudge.report.pages.human import analysis, language_pairs
from adjudge.report.pages.report import charts as dossier_charts
from adjudge.report.pages.xray import xray
from adjudge.report.render import page
from adjudge.report.render.html import NO_DRAWING, Drawing, html_section
from adjudge.report.render.markup import NEW_LINE, Html, html

STYLES = ("page.css", "analysis.css")
Parts = tuple[Sequence[Section], Mapping[str, Drawing]]


def html_of(result: Displayable) -> Html:
    """The sections and drawings of a result, in a frame that keeps its looks to itself; all text in it is escaped."""
    sections, drawings = (result.sections(), {}) if declares(result) else PARTS[type(result)](result)
    body = NEW_LINE.join(
        html_section(section, drawings.get(section.key, NO_DRAWING)) for section in sections if _has(section)
    )
    return html('<div class="adjudge"><style>{}</style>{}</div>', page.framed_style(STYLES), body)


def declares(result: Displayable) -> bool:
    """Whether a result says itself how it is shown."""
    return type(result).sections is not Displayable.sections


def _has(section: Section) -> bool:
    """Whether a page has anything of it: what is drawn for screens alone is left out."""
    return bool(section.tables or section.sentences or section.notes or section.lead or section.printed)


def _xray_parts(result: Xray) -> Parts:
    """The tables, and the picture of the alignments as an image, so that its own style stays in it."""
    from adjudge.report.pages.xray import picture as alignment_picture

    first, *_ = xray.sections(result)
    picture = base64.b64encode(alignment_picture.picture(result).encode("utf-8")).decode("ascii")
    drawn = html('<img alt="{}" src="data:image/svg+xml;base64,{}">', xray.title(result), picture)
    shown = Section(xray.title(result), notes=(result.signature,), key="alignments")
    return [first, shown], {"alignments": Drawing(drawn)}


def _score_parts(result: Scores) -> Parts:
    """The systems; segments, which may be thousands, are for tables."""
    sections = [section for section in score.sections(result) if section.key != "segments"]
    if score.has_segments(result):
        sections.append(
            Section(notes=("Scores of segments: to_pandas('segments') or to_polars('segments').",))
        )
    return sections, {}


def _comparison_parts(result: Comparison) -> Parts:
    """As on its page: what may be claimed below the systems; of a study, its verdict and measure by measure."""
    if result.tables:
        return [study.verdict_section(result), *study.sections(result)], study.drawings(result)
    from adjudge.report.render.section_page import claims_beside_systems

    return claims_beside_systems(comparison.sections(result)), comparison.drawings(result)


PARTS: dict[type, Callable[[Any], Parts]] = {
    Analysis: lambda result: (analysis.sections(result), analysis.drawings(result)),
    Comparison: _comparison_parts,
    LanguagePairAnalyses: lambda result: (language_pairs.sections(result), language_pairs.drawings(result)),
    Scores: _score_parts,
    Xray: _xray_parts,
}
"""Results that do not say themselves how they are shown."""


def _systems(result: Analysis | LanguagePairAnalyses) -> list[Any]:
    return [system for group in result.groups for system in group.systems]


RECORDS: dict[type, Mapping[str, Callable[[Any], Sequence[Any]]]] = {
    Analysis: {"systems": _systems},
    LanguagePairAnalyses: {"systems": _systems},
    Comparison: {"results": lambda result: result.results, "pairs": lambda result: result.pairs},
    Scores: {"results": lambda result: result.results},
    Xray: {"systems": lambda result: result.systems},
}
"""Results with several tables, each of records whose fields are its columns; the first is meant unless one is named."""


def table_of(result: Displayable, table: str = "") -> Data:
    """The head of a table and its rows."""
    if isinstance(result, Scores) and table == "segments":
        return _segments(result)
    only: Callable[[Any], Data] | None = type(result).data if declares(result) else None
    if isinstance(result, Comparison) and result.tables:
        only = study.data
    if only is not None:
        if table:
            raise UsageError(f"{type(result).__name__} has one table: leave {table!r} out")
        head, rows = only(result)
        return Data(_unlike([str(name) for name in head]), rows)
    tables = RECORDS[type(result)]
    if table and table not in tables:
        known = (*tables, "segments") if isinstance(result, Scores) else tuple(tables)
        raise unknown_name("table", table, known)
    records = tables[table or next(iter(tables))](result)
    return _columns(records)


def _segments(result: Scores) -> Data:
    """A row a segment, a column a system and metric."""
    known = [own for own in result.results if own.segments is not None]
    if not known:
        raise UsageError("there are no segment scores; ask for them: score(..., segments=True)")
    head = _unlike(["segment", *(f"{own.title}:{own.metric}" for own in known)])
    columns = zip(*(own.segments or () for own in known), strict=True)
    return Data(head, [[place, *values] for place, values in enumerate(columns, 1)])


def _columns(records: Sequence[Any]) -> Data:
    """The fields of records that are text, numbers or a pair of numbers, which makes two columns."""
    if not records:
        return Data([], [])
    names = [own.name for own in fields(records[0]) if own.repr]
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
    return SvgFigure(tuple(_painted(own.plot(HALF).svg(kind="any", label=own.title)) for own in charts))


def _painted(svg: Html) -> Html:
    """A drawing whose colours are those of light pages, for it stands on no page of ours."""
    light, _ = page.colours("analysis.css")
    return Html(re.sub(r"var\(--(\w+)\)", lambda match: light[match[1]], svg))
