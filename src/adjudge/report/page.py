"""Pages for a browser: one file that needs nothing else, light and dark, on any width and on paper."""

from __future__ import annotations

import re
from collections.abc import Sequence
from html import escape
from importlib.resources import files

from adjudge.report.table import visible

TOGETHER = re.compile(r"\d %|\b[pnN] (?:&lt;|&gt;|=|≤) \d")


def page(title: str, body: Sequence[str], *, styles: Sequence[str] = (), script: str = "") -> str:
    """A whole page of the style sheets and the script that are shipped; the title is text, the body is HTML."""
    policy = "default-src 'none'; style-src 'unsafe-inline'" + (
        "; script-src 'unsafe-inline'" if script else ""
    )
    parts = [
        "<!doctype html>",
        '<html lang="en">',
        "<head>",
        '<meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">',
        f"<title>{text(title)}</title>",
        f"<style>\n{''.join(map(_shipped, ('page.css', *styles)))}</style>",
        "</head>",
        "<body>",
        *body,
        f"<script>\n{_shipped(script)}</script>" if script else "",
        "</body>",
        "</html>",
    ]
    return "\n".join(part for part in parts if part) + "\n"


def text(raw: str) -> str:
    """Any text as HTML that shows it, in attributes as well."""
    return escape(visible(raw), quote=True)


def prose(raw: str) -> str:
    """A sentence as HTML, in which `80 %` and `p < 0.001` are not torn apart."""
    return TOGETHER.sub(lambda match: match[0].replace(" ", "\u00a0"), escape(visible(raw), quote=True))


def colours(*styles: str) -> tuple[dict[str, str], dict[str, str]]:
    """The colours that pages of these style sheets have by name, light and dark."""
    light: dict[str, str] = {}
    dark: dict[str, str] = {}
    for name in ("page.css", *styles):
        blocks = re.findall(r":root \{(.*?)\}", _shipped(name), re.DOTALL)
        for found, block in zip((light, dark), blocks, strict=False):
            found.update(re.findall(r"--(\w+): (#\w+)", block))
    return light, dark


def _shipped(name: str) -> str:
    return files("adjudge.report").joinpath("pages", name).read_text(encoding="utf-8")
