"""Sections as a page for a browser: contents at its top, each part with its charts, the files at its end."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from adjudge.display import Section
from adjudge.report.render.html import html_list, html_section
from adjudge.report.render.markup import NOTHING, Html, html, prose
from adjudge.report.render.page import page

if TYPE_CHECKING:
    from adjudge.io import Input


def section_page(
    title: str,
    about: str,
    sections: Sequence[Section],
    *,
    version: str,
    inputs: Sequence[Input] = (),
    warnings: Sequence[str] = (),
) -> Html:
    """The sections in their order."""
    parts = []
    contents = []
    for place, section in enumerate(sections, 1):
        if section.title:
            contents.append(html('<li><a href="#part-{}">{}</a></li>', place, section.title))
        parts.append(html_section(section, anchor=f"part-{place}"))
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
