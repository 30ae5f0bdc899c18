"""HTML that escapes by construction: whatever is put into it is text, unless it is HTML itself."""

from __future__ import annotations

import re
from collections.abc import Iterable
from html import escape
from typing import SupportsIndex

from adjudge.display import visible

TOGETHER = re.compile(r"\d %|\b[pnN] (?:&lt;|&gt;|=|≤) \d")


class Html(str):
    """HTML (or SVG), made by `html`, `text` and `prose`; what is added to it or joined by it is escaped."""

    __slots__ = ()

    def __add__(self, other: str) -> Html:
        return Html(str.__add__(self, text(other)))

    def __radd__(self, other: str) -> Html:
        return Html(str.__add__(text(other), self))

    def join(self, parts: Iterable[str]) -> Html:
        """The parts with this between them."""
        return Html(str.join(self, map(text, parts)))

    def __mul__(self, count: SupportsIndex) -> Html:
        return Html(str.__mul__(self, count))


NOTHING = Html("")
NEW_LINE = Html("\n")
LINE_BREAK = Html("&#10;")
"""A new line in a text, where that of the page itself would get lost."""


def html(template: str, *values: object) -> Html:
    """The template, which stands in the code and is HTML, with the values in its braces as `str.format` puts them."""
    return Html(template.format(*(_Escaped(value) for value in values)))


def text(raw: str) -> Html:
    """Any text as HTML that shows it, in attributes as well; HTML as it is."""
    return raw if isinstance(raw, Html) else Html(escape(visible(raw), quote=True))


def prose(raw: str) -> Html:
    """A sentence as HTML, in which `80 %` and `p < 0.001` are not torn apart."""
    return Html(TOGETHER.sub(lambda match: match[0].replace(" ", "\u00a0"), text(raw)))


def anchor(inner: str, link: str) -> Html:
    """Text or HTML that leads somewhere, where there is an address."""
    return html('<a href="{}">{}</a>', link, inner) if link and inner else text(inner)


class _Escaped:
    """A value that is escaped when it is formatted."""

    def __init__(self, value: object) -> None:
        self._value = value

    def __format__(self, spec: str) -> str:
        return text(self._value if isinstance(self._value, Html) else format(self._value, spec))
