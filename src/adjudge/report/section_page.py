"""Sections as a page for a browser: contents at its top, each part with its drawing, the files at its end."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from adjudge.report.html import NO_DRAWING, Drawing, html_list, html_section
from adjudge.report.page import page, prose, text
from adjudge.report.sections import Section

if TYPE_CHECKING:
    from adjudge.io import Input


def section_page(
    title: str,
    about: str,
    sections: Sequence[Section],
    drawings: Mapping[str, Drawing],
    *,
    version: str,
    inputs: Sequence[Input] = (),
    warnings: Sequence[str] = (),
) -> str:
    """The sections in their order."""
    parts = []
    contents = []
    for place, section in enumerate(sections, 1):
        drawing = drawings.get(section.key, NO_DRAWING)
        heading = drawing.title or section.title
        if heading:
            contents.append(f'<li><a href="#part-{place}">{text(heading)}</a></li>')
        parts.append(html_section(section, drawing, anchor=f"part-{place}"))
    files = "".join(f"<li>{text(item.path)} <code>{text(item.sha256[:12])}</code></li>" for item in inputs)
    body = [
        f"<header><h1>{prose(title)}</h1>" + (f'<p class="soft">{text(about)}</p>' if about else ""),
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


def claims_beside_systems(sections: Sequence[Section]) -> list[Section]:
    """What may be claimed belongs beside the systems; how every pair did comes after it."""
    claims = [section for section in sections if section.key == "claims"]
    found: list[Section] = []
    for section in sections:
        found += [section] if section.key != "claims" else []
        found += claims if section.key == "systems" else []
    return found
