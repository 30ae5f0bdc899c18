"""Plain text: one segment a line."""

from __future__ import annotations

from adjudge.io.files import lines
from adjudge.io.names import stem
from adjudge.io.table import Table


def read(path: str, data: bytes, language: str | None) -> Table:
    """One column, taken for whatever the file was given as; alone, for the output of a system."""
    return Table(path, outputs={stem(path): tuple(lines(path, data))}, language=language or "")
