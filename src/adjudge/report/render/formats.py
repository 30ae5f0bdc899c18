"""The formats that results are shown in: the one place that knows their names and how each is made."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from adjudge.display import Line, Section
from adjudge.report.render.text import plain, text_of

if TYPE_CHECKING:
    from adjudge.comparison.documents import Arguments
    from adjudge.display import Displayable
    from adjudge.io import Input
    from adjudge.report.render.markup import Html

TEXT = "text"


@dataclass(frozen=True)
class Renderer:
    """A result in all formats that it has; each is made only when it is asked for."""

    sections: Callable[[], Sequence[Section]]
    """For screens, and for print where nothing else is said."""
    document: Callable[[], Mapping[str, Any]]
    """JSON."""
    tsv: Callable[[], str] | None = None
    markdown: Callable[[], Sequence[Section]] | None = None
    latex: Callable[[], Sequence[Section]] | None = None
    html: Callable[[], Html] | None = None
    svg: Callable[[], Html] | None = None
    ascii_only: bool = True
    """Of JSON."""

    def lines(self, *, width: int | None = None, rule: bool = False) -> list[Line]:
        """For a screen of some width, with rules below headings or without."""
        return text_of(self.sections(), width=width, rule=rule)


def renderer_of(
    result: Displayable,
    *,
    version: str | None,
    inputs: Sequence[Input] | None = None,
    facts: Mapping[str, Any] | None = None,
    arguments: Arguments | None = None,
    ascii_only: bool = True,
) -> Renderer:
    """A result that says itself how it is shown, in every format.

    `inputs` are the files that it was made from, None where it was not made from files; `facts` and `arguments` (how
    it can be made again) stand before its own fields in JSON.
    """
    from adjudge.comparison.documents import plain as documented
    from adjudge.comparison.documents import result_document

    declared = result.display()

    def document() -> Mapping[str, Any]:
        own = declared.document()
        own = result_document(declared) if own is None else own
        head: dict[str, Any] = {} if version is None else {"version": version}
        head |= {} if inputs is None else {"inputs": [asdict(item) for item in inputs]}
        head |= facts or {}
        head |= {} if arguments is None else {"arguments": arguments.as_document()}
        first = {name: value for name, value in head.items() if name not in own}
        return documented({**first, **own})  # type: ignore[no-any-return]

    return Renderer(
        declared.sections,
        document,
        tsv=lambda: _tsv(declared),
        markdown=declared.printed,
        latex=declared.paper,
        html=lambda: page_of(declared, version=version or "", inputs=inputs or ()),
        svg=lambda: _svg(declared),
        ascii_only=ascii_only,
    )


def page_of(
    result: Displayable, *, version: str, inputs: Sequence[Input] = (), warnings: Sequence[str] = ()
) -> Html:
    """A result as a page; `warnings` stand before its own."""
    from adjudge.report.render.section_page import section_page

    declared = result.display()
    return section_page(
        declared.title,
        declared.about,
        declared.page_sections(),
        version=version,
        inputs=inputs,
        warnings=(*warnings, *declared.page_warnings),
    )


def render(renderer: Renderer, name: str) -> str:
    """The result in the format of that name."""
    make = {
        TEXT: lambda: plain(renderer.lines()),
        "json": lambda: _json(renderer),
        "markdown": lambda: _markdown(renderer),
        "latex": lambda: _latex(renderer),
        "tsv": renderer.tsv,
        "html": renderer.html,
        "svg": renderer.svg,
    }[name]
    assert make is not None, f"no {name} of this"  # commands offer only what there is
    return make()


# Each format is loaded when it is asked for: most results are shown in one.


def _json(renderer: Renderer) -> str:
    from adjudge.report.render.json import json_text

    return json_text(renderer.document(), ascii_only=renderer.ascii_only)


def _markdown(renderer: Renderer) -> str:
    from adjudge.report.render.markdown import markdown_of

    return markdown_of((renderer.markdown or renderer.sections)())


def _latex(renderer: Renderer) -> str:
    from adjudge.report.render.latex import latex_of

    return latex_of((renderer.latex or renderer.markdown or renderer.sections)())


def _tsv(result: Displayable) -> str:
    from adjudge.report.render.tsv import tsv_text

    return tsv_text(result.data())


def _svg(result: Displayable) -> Html:
    """The picture of a result that is one."""
    from adjudge.charts import PowerGrid  # late: only maps are pictures
    from adjudge.report.charts.power_map import power_svg

    charts = [chart for section in result.page_sections() for chart in section.charts]
    return power_svg(next(chart for chart in charts if isinstance(chart, PowerGrid)))
