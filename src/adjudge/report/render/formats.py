"""The formats that results are shown in: the one place that knows their names and how each is made."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from adjudge.display import Line, Section
from adjudge.report.render.markup import Html
from adjudge.report.render.sections import latex_of, markdown_of, text_of
from adjudge.report.render.text import plain

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
