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
    """A file's bytes, and lazy views on them by which its format is recognised."""

    path: str
    data: bytes
    """Decompressed, in UTF-8."""
    book: CellGrid | None = None
    """The table of an Excel or Parquet file, of which `data` is the CSV."""
    protocol: str | None = None
    """The protocol, if the user named it."""
    column: str | Sequence[str] | None = None
    """The column of the scores, if the user named it."""
    shape: str | None = None
    """tsv, csv or jsonl, if the user named it."""

    @classmethod
    def of(cls, path: str, data: bytes, **known: Any) -> InputFile:
        """The file as text, also where it is an Excel or Parquet file."""
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
        """The first line of a text; the rest is not decoded."""
        return sheet.text_rows(self.path, self.data[: self.data.find(b"\n") + 1] or self.data)[0]

    @cached_property
    def separator(self) -> str:
        """The separator of the columns in the first line; '' for a single column, and for JSON."""
        first = "" if self.is_json else self.first_line
        if " " not in first.strip() and not any(sign in first for sign in "\t,;"):
            return ""
        return sheet.separator_of(self.first_line, self.path)

    @cached_property
    def first_cells(self) -> list[str]:
        """The cells of the first line if commas separate them."""
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
        """How the file was read, where that was ambiguous."""
        of_sheet = self.sheet.notes if "sheet" in vars(self) else ()
        return tuple(dict.fromkeys((*(self.book.notes if self.book is not None else ()), *of_sheet)))

    @cached_property
    def value(self) -> Any:
        """The value of a file that is one piece of JSON over several lines; None for any other file."""
        first = self.data.split(b"\n", 1)[0]
        if first.strip() not in (b"[", b"{", b"[{") and not first.lstrip().startswith(b"["):
            return None
        try:
            return json.loads(self.data)
        except (ValueError, RecursionError):
            return None  # not JSON: reading the lines will name the one that is wrong


@dataclass(frozen=True, eq=False)
class FileContent:
    """Judgements of one file, and warnings about how they were read."""

    judgements: Judgements
    warnings: tuple[str, ...] = ()
    format: str = ""
    """The actual format, where it is not the one that was recognised at first."""

    def warned(self, *warnings: str) -> FileContent:
        """The content with further warnings."""
        return replace(self, warnings=(*self.warnings, *warnings))
