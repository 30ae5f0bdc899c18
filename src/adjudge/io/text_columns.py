"""The columns of a file that an argument means: PATH:COLUMN, or those of the role that the file has in a test set."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import cast

from adjudge.errors import DataError, UsageError, unknown_name
from adjudge.io.columns import OUTPUT, SOURCE
from adjudge.io.names import Argument, stem
from adjudge.io.suites import Kept
from adjudge.io.table import Column, Table, check_single, numbered

_ALL = Kept()


@dataclass(frozen=True)
class Taken:
    """A column taken from a file."""

    name: str
    segments: Column
    path: str
    column: str = ""
    """The name it was asked for by, as in PATH:COLUMN."""

    def complete(self, kept: Kept = _ALL) -> tuple[str, ...]:
        """The segments that are kept, all of which must be there."""
        segments = kept.fit(self.segments)
        if None in segments:
            first = kept.number(segments.index(None), self.segments)
            raise DataError(
                f"{self.path}: segment {first} of {self.name!r} is missing; "
                "an empty text was expected at least (only references may be missing)"
            )
        return cast("tuple[str, ...]", segments)


def named_column(table: Table, column: str) -> Column:
    """The column of that name, or an error with the nearest one."""
    known = dict(reversed(list(table.named())))
    if column not in known:
        raise unknown_name("column", column, known, f"in {table.path}")
    return known[column]


def pick(table: Table, argument: Argument, role: str) -> list[Taken]:
    """The columns an argument means: the one it names, else those of its role, else the only one there is."""
    own: Mapping[str, Column]
    if argument.column:
        chosen = named_column(table, argument.column)
        name = next((name for name, output in table.outputs.items() if output is chosen), argument.column)
        further = table.further.get(argument.column, ())
        if role != "reference":
            check_single(table.path, argument.column, further)
        own = numbered(name, chosen, further)
    else:
        texts = table.texts()
        own, other = {
            "reference": (table.references, table.outputs),
            "system": (table.outputs, table.references),
            "source": ({} if table.source is None else {"source": table.source}, {}),
        }[role]
        # a translation is a translation: the target of an XLIFF file can be reference or output
        only = other if len(other) == 1 else texts if len(texts) == 1 else {}
        own = own or {stem(table.path): column for column in only.values()}
        if not own:
            raise _which(table, role)
    if argument.name:
        if len(own) > 1:
            raise UsageError(
                f"{argument.name}={table.path} names {len(own)} outputs at once ({', '.join(own)}); "
                f"say which one: {argument.name}={table.path}:COLUMN"
            )
        own = {argument.name: next(iter(own.values()))}
    return [Taken(name, column, table.path, argument.column) for name, column in own.items()]


def _which(table: Table, role: str) -> UsageError:
    held = ", ".join(table.texts() or dict(table.named())) or "nothing"
    return UsageError(
        f"{table.path} holds no {role}, but {held}; say which one is meant: {table.path}:COLUMN"
        f"{expected_names(table, role)}"
    )


def expected_names(table: Table, role: str) -> str:
    """The names by which columns are known, for files whose columns have names."""
    if not table.columns:
        return ""
    names = {"source": SOURCE, "reference": ("ref", "refA", "reference"), "system": (*OUTPUT, "mt.NAME")}[
        role
    ]
    return f", or call it one of {', '.join(names)}"
