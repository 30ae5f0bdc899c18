"""An analysis of judgements as a page for a browser."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from adjudge.evaluate.wording import counted
from adjudge.report.html import NO_DRAWING, Drawing, html_list, html_section
from adjudge.report.page import page, text
from adjudge.report.sections import Section

if TYPE_CHECKING:
    from adjudge.io import Input


def analysis_page(
    sections: Sequence[Section],
    drawings: Mapping[str, Drawing],
    *,
    systems: int,
    annotators: int,
    version: str,
    inputs: Sequence[Input] = (),
    warnings: Sequence[str] = (),
) -> str:
    """The sections in their order, claims next to the systems, each with its drawing."""
    who = counted(annotators, "annotator") if annotators else "people"
    title = f"What {who} said of {counted(systems, 'system')}"
    about = next((section.title for section in sections if section.key == "what"), "")
    shown = _ordered([section for section in sections if section.key != "what"])
    parts = []
    contents = []
    for place, section in enumerate(shown, 1):
        drawing = drawings.get(section.key, NO_DRAWING)
        heading = drawing.title or section.title
        if heading:
            contents.append(f'<li><a href="#part-{place}">{text(heading)}</a></li>')
        parts.append(html_section(section, drawing, anchor=f"part-{place}"))
    files = "".join(f"<li>{text(item.path)} <code>{text(item.sha256[:12])}</code></li>" for item in inputs)
    body = [
        f'<header><h1>{text(title)}</h1><p class="soft">{text(about)}</p>',
        html_list(warnings, "warnings") if warnings else "",
        f'<nav aria-label="Contents"><ul class="contents">{"".join(contents)}</ul></nav>'
        if len(contents) > 1
        else "",
        "</header>",
        "<main>",
        *parts,
        "</main>",
        f"<footer><p>adjudge {text(version)}</p>{f'<ul>{files}</ul>' if files else ''}</footer>",
    ]
    return page(title, body, styles=["analysis.css"])


def _ordered(sections: Sequence[Section]) -> list[Section]:
    """What may be claimed belongs beside the systems; how every pair did comes after it."""
    claims = [section for section in sections if section.key == "claims"]
    found: list[Section] = []
    for section in sections:
        found += [section] if section.key != "claims" else []
        found += claims if section.key == "systems" else []
    return found
