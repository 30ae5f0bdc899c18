"""Which column is which, for files whose columns have names."""

from __future__ import annotations

import re
from collections.abc import Mapping

from adjudge.data.label_names import SYNONYMS
from adjudge.errors import DataError
from adjudge.io.longform import SYSTEM, widened
from adjudge.io.names import stem
from adjudge.io.table import Column, Table

SOURCE = ("src", "source")
OUTPUT = ("mt", "hyp", "hypothesis", "target", "translation", "output")
# ref, refA, ref_2, reference1, ref.anything; but not ref_length
REFERENCE = re.compile(r"(?:ref|reference)(?:[-_]?(?:[A-Za-z]|\d+)|[.:].+)?", re.IGNORECASE)
_SYSTEM = re.compile(rf"(?:{'|'.join(OUTPUT)})[.:](.+)", re.IGNORECASE | re.DOTALL)


def role_of(name: str) -> str:
    """What a column is by its name: source, reference, output or label."""
    if name.lower() in SOURCE:
        return "source"
    if REFERENCE.fullmatch(name):
        return "reference"
    return "output" if name.lower() in OUTPUT or _SYSTEM.fullmatch(name) else "label"


def table_of(path: str, columns: Mapping[str, Column], language: str | None, *, first_line: int = 1) -> Table:
    """A table from named columns; `mt` is the output of the system the file is named after, `mt.X` of X.

    With a column `system` beside `mt`, there is a row for each system and segment.
    """
    columns, notes = _one_row_a_segment(path, columns, first_line)
    by_role: dict[str, list[str]] = {"source": [], "reference": [], "output": [], "label": []}
    for name in columns:
        by_role[role_of(name)].append(name)
    if len(by_role["source"]) > 1:
        raise DataError(f"{path} has two sources: columns {' and '.join(map(repr, by_role['source']))}")
    outputs: dict[str, tuple[str, ...]] = {}
    for name in by_role["output"]:
        match = _SYSTEM.fullmatch(name)
        system = match[1] if match else stem(path)
        if system in outputs:
            raise DataError(f"{path} has two outputs of one system; call the columns mt.NAME, mt.OTHER")
        outputs[system] = _complete(path, name, columns[name])
    words = _words(by_role["label"])
    return Table(
        path,
        source=_complete(path, by_role["source"][0], columns[by_role["source"][0]])
        if by_role["source"]
        else None,
        references={name: columns[name] for name in by_role["reference"]},
        outputs=outputs,
        labels={word: _complete(path, name, columns[name]) for word, name in words.items()},
        language=language or "",
        columns=columns,
        notes=notes,
    )


def _one_row_a_segment(
    path: str, columns: Mapping[str, Column], first_line: int
) -> tuple[Mapping[str, Column], tuple[str, ...]]:
    system = next((name for wanted in SYSTEM for name in columns if name.lower() == wanted), None)
    outputs = [name for name in columns if name.lower() in OUTPUT]
    if system is None or len(outputs) != 1:
        return columns, ()
    return widened(
        path,
        columns,
        output=outputs[0],
        system=system,
        document=[name for name in columns if name.lower() in SYNONYMS["document"]],
        texts=[name for name in columns if role_of(name) != "label" and name != outputs[0]],
        first_line=first_line,
    )


def _words(names: list[str]) -> dict[str, str]:
    """Label columns by the field's words for them; of several synonyms in a file the first has the word."""
    chosen: dict[str, str] = {}
    for word, synonyms in SYNONYMS.items():
        mine = [name for name in names if name.lower() in synonyms]
        if mine and word not in mine[1:]:
            chosen.setdefault(mine[0], word)
    return {chosen.get(name, name): name for name in names}


def _complete(path: str, name: str, column: Column) -> tuple[str, ...]:
    if None in column:
        first = column.index(None) + 1
        raise DataError(f"{path}: segment {first} has no {name!r}; only references may be missing")
    # same object if nothing is missing: PATH:COLUMN finds its system by identity
    return column  # type: ignore[return-value]
