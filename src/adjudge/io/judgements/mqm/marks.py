"""Errors that `<v>` marks in a text."""

from __future__ import annotations

import re

from adjudge.data.judgements import Span

MARK = re.compile(r"</?v>")


def from_marks(target: str, source: str, category: str, severity: str) -> Span:
    """The error that `<v>` marks in the target or the source; without a mark, something is missing."""
    side = "source" if "<v>" in source and "<v>" not in target else "target"
    text = source if side == "source" else target
    start: int | None = text.find("<v>")
    if start == -1:
        return Span(None, None, severity.lower(), category, side)
    end = text.rfind("</v>")
    marked = text[start:] if end == -1 else text[start:end]
    length = len(marked.replace("<v>", "").replace("</v>", ""))
    return Span(start, (start or 0) + length, severity.lower(), category, side)
