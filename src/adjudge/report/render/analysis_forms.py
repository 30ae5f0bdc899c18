"""An analysis of texts in every format, from its sections, its lines and itself."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, fields, is_dataclass
from typing import TYPE_CHECKING, Any

from adjudge.comparison.documents import design_document, plain
from adjudge.display import Section
from adjudge.report.render.formats import Forms
from adjudge.report.render.html import Drawing
from adjudge.report.render.section_page import section_page
from adjudge.report.render.tsv import tsv_line
from adjudge.stats.design import Design

if TYPE_CHECKING:
    from adjudge.io import Input

Lines = Iterable[Sequence[str | int | float]]


def analysis_forms(
    title: str,
    sections: Callable[[], Sequence[Section]],
    document: Callable[[], Mapping[str, Any]],
    lines: Callable[[], Lines],
    *,
    version: str,
    inputs: Sequence[Input] = (),
    drawings: Callable[[], Mapping[str, Drawing]] = dict,
    about: str = "",
) -> Forms:
    """Sections for screens and print, a page with drawings, JSON, and lines of TSV of which the first is the head."""
    return Forms(
        sections,
        lambda: plain({"version": version, "inputs": [asdict(item) for item in inputs], **document()}),
        tsv=lambda: "".join(tsv_line([_spelled(cell) for cell in line]) for line in lines()),
        html=lambda: section_page(title, about, sections(), drawings(), version=version, inputs=inputs),
    )


def facts(result: Any) -> Any:
    """A result as JSON shows it: all its fields but those that `repr` leaves out."""
    if isinstance(result, Design):
        return design_document(result)
    if is_dataclass(result):
        return {own.name: facts(getattr(result, own.name)) for own in fields(result) if own.repr}
    if isinstance(result, Mapping):
        return {name: facts(value) for name, value in result.items()}
    if isinstance(result, (list, tuple)):
        return [facts(value) for value in result]
    return result


def design_notes(design: Design) -> tuple[str, ...]:
    """Why an analysis draws what it draws, and what must be said of it."""
    return (*filter(None, [design.reason]), *design.reservations())


def _spelled(cell: str | int | float) -> str:
    return repr(cell) if isinstance(cell, float) else str(cell)
