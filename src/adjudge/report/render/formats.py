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
class Forms:
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


def renderer_of(result: Displayable, *, version: str, inputs: Sequence[Input] = ()) -> Forms:
    """A result that says itself how it is shown, in every format."""
    from adjudge.comparison.documents import plain as documented
    from adjudge.comparison.documents import result_document

    def document() -> Mapping[str, Any]:
        own = result.document()
        given = {"version": version, "inputs": [asdict(item) for item in inputs]}
        return documented({**given, **(result_document(result) if own is None else own)})  # type: ignore[no-any-return]

    def page() -> Html:
        from adjudge.report.render.section_page import section_page

        return section_page(result.title, result.about, result.sections(), {}, version=version, inputs=inputs)

    return Forms(result.sections, document, tsv=lambda: tsv_text(result.data()), html=page)


def render(forms: Forms, form: str) -> str:
    """The result in the format of that name."""
    makers: dict[str, Callable[[], str] | None] = {
        TEXT: lambda: plain(forms.lines()),
        "json": lambda: _json(forms),
        "markdown": lambda: markdown_of((forms.markdown or forms.sections)()),
        "latex": lambda: latex_of((forms.latex or forms.markdown or forms.sections)()),
        "tsv": forms.tsv,
        "html": forms.html,
        "svg": forms.svg,
    }
    make = makers[form]
    assert make is not None, f"no {form} of this"  # commands offer only what there is
    return make()


def _json(forms: Forms) -> str:
    from adjudge.report.render.json import (
        json_text,  # late: a list of records is shown before numpy is loaded
    )

    return json_text(forms.document(), ascii_only=forms.ascii_only)
