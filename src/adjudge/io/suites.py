"""Test suites without references, which WMT's files hold beside the test set proper: left out, and told."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

from adjudge.io.files import shown
from adjudge.io.table import Column, Table
from adjudge.wording import counted, some_of

Text = TypeVar("Text", str, str | None)
_NAMES = 3  # files named in a note before the rest is only counted


@dataclass(frozen=True)
class Kept:
    """Which segments remain of the files that have all of them; files that have only these are as they are."""

    path: str = ""
    total: int = -1
    """Segments before any was left out; -1 where none is."""
    rows: tuple[int, ...] = ()
    notes: tuple[str, ...] = ()

    def fit(self, column: tuple[Text, ...]) -> tuple[Text, ...]:
        """The kept segments of a column."""
        return tuple(column[row] for row in self.rows) if len(column) == self.total else column

    def number(self, at: int, column: Column) -> int:
        """Which segment of its file, from 1, the kept segment `at` of a column is."""
        return (self.rows[at] if len(column) == self.total else at) + 1


def without_suites(tables: Sequence[Table], references: Sequence[Column]) -> Kept:
    """Leave out the documents that a file calls test suites and for which none of the references is there.

    The references taken decide; where they are of another length (someone has left the test suites out of
    them), those of the file itself do, or the documents of the file that has references.
    """
    whole = next((t for t in tables if t.keys is not None and any(t.labels.get("testsuite", ()))), None)
    if whole is None or not references:
        return Kept()
    documents, suites = whole.labels["document"], whole.labels["testsuite"]
    columns = [c for c in references if len(c) == len(whole)] or list(whole.references.values())
    referenced = {
        document
        for column in columns
        for document, text in zip(documents, column, strict=True)
        if text is not None
    }
    if not columns:  # a file without references beside another of documents that has them
        others = (t for t in tables if t.keys is not None and t.references)
        referenced = {document for table in others for document in table.labels["document"]}
    rows = tuple(
        row
        for row, (document, suite) in enumerate(zip(documents, suites, strict=True))
        if document in referenced or not suite
    )
    if not (referenced and rows) or len(rows) == len(whole):
        return Kept()
    return Kept(whole.path, len(whole), rows, (_note(whole, rows, tables),))


def _note(whole: Table, rows: tuple[int, ...], tables: Sequence[Table]) -> str:
    kept = set(rows)
    out = [row for row in range(len(whole)) if row not in kept]
    documents = len({whole.labels["document"][row] for row in out})
    suites = sorted({whole.labels["testsuite"][row] for row in out})
    others = [shown(table.path) for table in tables if table is not whole and len(table) == len(whole)]
    return (
        f"{shown(whole.path)}: left out {counted(documents, 'document')} ({counted(len(out), 'segment')}) "
        f"of test suites without references: {', '.join(suites)}"
        + (f"; the same segments were left out of {some_of(others, _NAMES)}" if others else "")
    )
