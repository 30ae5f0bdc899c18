"""A file that may hold judgements, what the user said about it, and what was read from it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from adjudge.data.judgements import Judgements
from adjudge.errors import DataError
from adjudge.io import sheet
from adjudge.io.cells import CellGrid
from adjudge.io.sheet import Sheet


@dataclass(frozen=True, eq=False)
class InputFile:
    """A file's bytes, and the views on them that formats are told by; each is made when it is asked for."""

    path: str
    data: bytes
    """Decompressed, in UTF-8."""
    book: CellGrid | None = None
    """The sheet of Excel's book, of which `data` is the CSV."""
    protocol: str | None = None
    """How it was asked, if the user said so."""
    column: str | Sequence[str] | None = None
    """Which column has the scores, if the user said so."""
    shape: str | None = None
    """tsv, csv or jsonl, if the user said so."""

    @classmethod
    def of(cls, path: str, data: bytes, **known: Any) -> InputFile:
        """The file as other readers take it, whatever Excel made of it."""
        return cls(path, *sheet.as_text(path, data), **known)

    @property
    def is_json(self) -> bool:
        """Whether it begins as JSON does."""
        return sheet.looks_like_json(self.data)

    @cached_property
    def lines(self) -> list[str]:
        """All lines of a text."""
        return sheet.text_rows(self.path, self.data)

    @cached_property
    def first_line(self) -> str:
        """The first line of a text, without a look at the rest."""
        return sheet.text_rows(self.path, self.data[: self.data.find(b"\n") + 1] or self.data)[0]

    @cached_property
    def separator(self) -> str:
        """What parts the columns of the first line; '' where there is but one, and of JSON."""
        first = "" if self.is_json else self.first_line
        if " " not in first.strip() and not any(sign in first for sign in "\t,;"):
            return ""
        return sheet.separator_of(self.first_line, self.path)

    @cached_property
    def first_cells(self) -> list[str]:
        """The cells of the first line if commas part them."""
        if self.separator != ",":
            return []
        try:
            _, cells = next(sheet.records_of(self.path, [self.first_line], ","))
        except DataError:  # a header cell that goes on in the next line
            cells = self.first_line.split(",")
        return cells

    @cached_property
    def sheet(self) -> Sheet:
        """The columns below a header line, or the keys of JSON lines."""
        if self.book is not None:
            return sheet.of_book(self.path, self.book)
        return sheet.read(self.path, self.data, shape=self.shape)

    @property
    def notes(self) -> tuple[str, ...]:
        """How it was read where it could have been read otherwise."""
        made = self.sheet.notes if "sheet" in vars(self) else ()
        return tuple(dict.fromkeys((*(self.book.notes if self.book is not None else ()), *made)))

    @cached_property
    def value(self) -> Any:
        """The value of a file that is one piece of JSON over several lines; None for every other one."""
        first = self.data.split(b"\n", 1)[0]
        if first.strip() not in (b"[", b"{", b"[{") and not first.lstrip().startswith(b"["):
            return None
        try:
            return json.loads(self.data)
        except (ValueError, RecursionError):
            return None  # no JSON: the line that is wrong is told where lines are read


@dataclass(frozen=True, eq=False)
class FileContent:
    """Judgements of one file, and what the user should know of how they were read."""

    judgements: Judgements
    warnings: tuple[str, ...] = ()
    format: str = ""
    """The format that it turned out to have, where that is another one than it was taken for."""

    def warned(self, *warnings: str) -> FileContent:
        """The content with further warnings."""
        return replace(self, warnings=(*self.warnings, *warnings))
