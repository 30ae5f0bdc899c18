"""The formats that results are shown in: the one place that knows their names and how each is made."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from adjudge.display import Line, Section
from adjudge.report.render.sections import latex_of, markdown_of, text_of
from adjudge.report.render.text import plain
from adjudge.report.render.tsv import tsv_text

if TYPE_CHECKING:
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
    version: str,
    inputs: Sequence[Input] | None = None,
    facts: Mapping[str, Any] | None = None,
) -> Renderer:
    """A result that says itself how it is shown, in every format.

    `inputs` are the files that it was made from, None where it was not made from files; `facts` stand before its own
    fields in JSON.
    """
    from adjudge.comparison.documents import plain as documented
    from adjudge.comparison.documents import result_document

    def document() -> Mapping[str, Any]:
        own = result.document()
        own = result_document(result) if own is None else own
        files = {} if inputs is None else {"inputs": [asdict(item) for item in inputs]}
        return documented({"version": version, **files, **(facts or {}), **own})  # type: ignore[no-any-return]

    def page() -> Html:
        from adjudge.report.render.section_page import section_page

        return section_page(
            result.title, result.about, result.page_sections(), {}, version=version, inputs=inputs or ()
        )

    return Renderer(
        result.sections,
        document,
        tsv=lambda: tsv_text(result.data()),
        markdown=result.printed,
        latex=result.paper,
        html=page,
    )


def render(renderer: Renderer, name: str) -> str:
    """The result in the format of that name."""
    makers: dict[str, Callable[[], str] | None] = {
        TEXT: lambda: plain(renderer.lines()),
        "json": lambda: _json(renderer),
        "markdown": lambda: markdown_of((renderer.markdown or renderer.sections)()),
        "latex": lambda: latex_of((renderer.latex or renderer.markdown or renderer.sections)()),
        "tsv": renderer.tsv,
        "html": renderer.html,
        "svg": renderer.svg,
    }
    make = makers[name]
    assert make is not None, f"no {name} of this"  # commands offer only what there is
    return make()


def _json(renderer: Renderer) -> str:
    from adjudge.report.render.json import (
        json_text,  # late: a list of records is shown before numpy is loaded
    )

    return json_text(renderer.document(), ascii_only=renderer.ascii_only)
