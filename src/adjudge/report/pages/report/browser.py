"""The segment browser: every segment of a report, to sort, filter, search, compare and mark, as a part of a page.

The part is used so: `page(title, [..., segment_browser(table), ...], styles=[..., *STYLES], modules=[..., *MODULES])`.
"""

from __future__ import annotations

from adjudge.dossiers.segment_table import SegmentTable
from adjudge.report.pages.report.browser_data import packed
from adjudge.report.pages.report.segment_links import (
    View,
    name_in_condition,
    of_any_label,
    of_label,
    of_mark,
    of_present_label,
    segment_link,
)
from adjudge.report.render.markup import Html, html
from adjudge.report.render.page import shipped_script

__all__ = [
    "MODULES",
    "STYLES",
    "View",
    "name_in_condition",
    "of_any_label",
    "of_label",
    "of_mark",
    "of_present_label",
    "segment_browser",
    "segment_link",
]

STYLES = ("segments.css",)
"""Style sheets of `pages/` that a page with a browser needs."""
MODULES = ("segments/main.js",)
"""Its scripts."""


def segment_browser(table: SegmentTable, *, title: str = "Segments") -> Html:
    """The part of the page, a section `#segments`; a page has no more than one.

    No text of the table is in it as text: all of it is packed, and the script sets it as text.
    """
    data = packed(table)
    return html(
        '<section id="segments" class="segments" aria-labelledby="segments-title">\n'
        '<h2 id="segments-title">{}</h2>\n'
        '<noscript><p class="soft">The segments need a browser that runs the script of this page.</p></noscript>\n'
        '<div class="browser" aria-busy="true"><p class="soft" role="status">Unpacking the segments …</p></div>\n'
        '<script type="application/octet-stream" id="segments-columns">{}</script>\n'
        '<script type="application/octet-stream" id="segments-texts">{}</script>\n'
        '<script type="text/plain" id="segments-worker">{}</script>\n'
        "</section>",
        title,
        data.columns,  # base64, in which nothing needs escaping
        data.texts,
        shipped_script("segments/worker.js"),
    )
