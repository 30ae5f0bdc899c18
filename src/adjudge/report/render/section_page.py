"""Sections as a page for a browser: contents at its top, each part with its drawing, the files at its end."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from adjudge.display import Section
from adjudge.report.render.html import NO_DRAWING, Drawing, html_list, html_section
from adjudge.report.render.markup import NOTHING, Html, html, prose
from adjudge.report.render.page import page

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
) -> Html:
    """The sections in their order."""
    parts = []
    contents = []
    for place, section in enumerate(sections, 1):
        drawing = drawings.get(section.key, NO_DRAWING)
        heading = drawing.title or section.title
        if heading:
            contents.append(html('<li><a href="#part-{}">{}</a></li>', place, heading))
        parts.append(html_section(section, drawing, anchor=f"part-{place}"))
    files = NOTHING.join(html("<li>{} <code>{}</code></li>", item.path, item.sha256[:12]) for item in inputs)
    body = [
        html("<header><h1>{}</h1>", prose(title)) + (html('<p class="soft">{}</p>', about) if about else ""),
        html_list(warnings, "warnings") if warnings else NOTHING,
        html('<nav aria-label="Contents"><ul class="contents">{}</ul></nav>', NOTHING.join(contents))
        if len(contents) > 1
        else NOTHING,
        html("</header>"),
        html("<main>"),
        *parts,
        html("</main>"),
        html("<footer><p>adjudge {}</p>{}</footer>", version, html("<ul>{}</ul>", files) if files else ""),
    ]
    return page(title, body, styles=["analysis.css"])


def claims_beside_systems(sections: Sequence[Section]) -> list[Section]:
    """What may be claimed belongs beside the systems; how every pair did comes after it."""
    claims = [section for section in sections if section.key == "claims"]
    ordered: list[Section] = []
    for section in sections:
        ordered += [section] if section.key != "claims" else []
        ordered += claims if section.key == "systems" else []
    return ordered
