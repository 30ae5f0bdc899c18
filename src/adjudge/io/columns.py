"""Which column is which in files with named columns, with one row per segment or per system and segment."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from adjudge.data.label_names import SYNONYMS
from adjudge.errors import DataError
from adjudge.io.files import path_text
from adjudge.io.names import stem
from adjudge.io.table import Column, TextTable
from adjudge.wording import pluralise

SYSTEM = ("system", "sys", "system_id")
SEGMENT = ("segment_id", "seg_id", "segid", "seg", "segment", "id")
Key = tuple[str | None, ...]
SOURCE = ("src", "source")
OUTPUT = ("mt", "hyp", "hypothesis", "target", "translation", "output")
# ref, refA, ref_2, reference1, ref.anything; but not ref_length
REFERENCE = re.compile(r"(?:ref|reference)(?:[-_]?(?:[A-Za-z]|\d+)|[.:].+)?", re.IGNORECASE)
_SYSTEM = re.compile(rf"(?:{'|'.join(OUTPUT)})[.:](.+)", re.IGNORECASE | re.DOTALL)


def role_of(name: str) -> str:
    """The role of a column by its name: source, reference, output or label."""
    if name.lower() in SOURCE:
        return "source"
    if REFERENCE.fullmatch(name):
        return "reference"
    return "output" if name.lower() in OUTPUT or _SYSTEM.fullmatch(name) else "label"


def table_of(
    path: str, columns: Mapping[str, Column], language: str | None, *, first_line: int = 1
) -> TextTable:
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
    return TextTable(
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
    return widen_rows(
        path,
        columns,
        output=outputs[0],
        system=system,
        document=[name for name in columns if name.lower() in SYNONYMS["document"]],
        texts=[name for name in columns if role_of(name) != "label" and name != outputs[0]],
        first_line=first_line,
    )


def _words(names: list[str]) -> dict[str, str]:
    """Label columns by standard name; among synonyms in a file, the first one gets it."""
    chosen: dict[str, str] = {}
    for word, synonyms in SYNONYMS.items():
        matching = [name for name in names if name.lower() in synonyms]
        if matching and word not in matching[1:]:
            chosen.setdefault(matching[0], word)
    return {chosen.get(name, name): name for name in names}


def _complete(path: str, name: str, column: Column) -> tuple[str, ...]:
    if None in column:
        first = column.index(None) + 1
        raise DataError(f"{path}: segment {first} has no {name!r}; only references may be missing")
    # same object if nothing is missing: PATH:COLUMN finds its system by identity
    return column  # type: ignore[return-value]


def widen_rows(
    path: str,
    columns: Mapping[str, Column],
    *,
    output: str,
    system: str,
    document: Sequence[str],
    texts: Sequence[str],
    first_line: int,
) -> tuple[dict[str, Column], tuple[str, ...]]:
    """One row per segment, with one `output` column per system; and notes about columns left out.

    Segments come in the order in which they are first there. `document` and `texts` name the columns that
    must be the same for all systems; others that are not cannot be labels of a segment, and are left out.
    """
    path = path_text(path)
    rows = _rows_of_systems(path, columns[system], system, first_line)
    segment = _segment_column(columns, len(rows))
    if segment is None and len(rows) > 1 and not texts:
        raise DataError(
            f"{path} has {pluralise(len(rows), 'system')}, but nothing tells which lines are the same segment; "
            f"add a column '{SEGMENT[0]}', the source or the reference"
        )
    keys = _keys(columns, rows, (*document, segment) if segment else ())
    first: dict[Key, int] = {}
    for row, key in enumerate(keys):
        first.setdefault(key, row)
    aligned = {
        name: _align(path, name, of_system, keys, first, columns[system], first_line)
        for name, of_system in rows.items()
    }
    wide: dict[str, Column] = {}
    differing = []
    for name, column in columns.items():
        if name == output:
            for each, of_system in aligned.items():
                wide[f"{output}.{each}"] = tuple(column[row] for row in of_system)
        if name in (output, system):
            continue
        common = tuple(column[row] for row in first.values())
        other = next(
            (o for o, of_system in aligned.items() if tuple(column[row] for row in of_system) != common), None
        )
        if other is None:
            wide[name] = common
        elif name in texts or name in document:
            pairs = zip(first.values(), aligned[other], strict=True)
            known, row = next((a, b) for a, b in pairs if column[a] != column[b])
            raise DataError(
                f"{path}, line {first_line + row}: {name!r} of segment {_show_key(keys[row])} is another one for "
                f"system {other!r} than in line {first_line + known} for system {columns[system][known]!r}"
            )
        else:
            differing.append(repr(name))
    if len(wide) != len(columns) - 2 - len(differing) + len(rows):
        raise DataError(f"{path} has a column {system!r}, but also a column of one of the systems it names")
    what = "column" if len(differing) == 1 else "columns"
    notes = (f"{path}: left out the {what} {', '.join(differing)}: not the same for all systems",)
    return wide, notes if differing else ()


def _rows_of_systems(path: str, names: Column, column: str, first_line: int) -> dict[str, list[int]]:
    rows: dict[str, list[int]] = {}
    for row, name in enumerate(names):
        if not name or not name.strip():
            raise DataError(f"{path}, line {first_line + row}: no system in the column {column!r}")
        rows.setdefault(name, []).append(row)
    return rows


def _segment_column(columns: Mapping[str, Column], systems: int) -> str | None:
    column = next((name for wanted in SEGMENT for name in columns if name.lower() == wanted), None)
    if column is None or column.lower() != "id" or systems == 1:
        return column
    # an id that no line shares with another is that of the line
    return column if len(set(columns[column])) < len(columns[column]) else None


def _keys(columns: Mapping[str, Column], rows: Mapping[str, list[int]], names: Sequence[str]) -> list[Key]:
    """The segment of each row: from the columns, or else its position among the rows of its system."""
    if names:
        return list(zip(*(columns[name] for name in names), strict=True))
    place = {row: at for of_system in rows.values() for at, row in enumerate(of_system, 1)}
    return [(str(place[row]),) for row in range(len(place))]


def _align(
    path: str,
    system: str,
    of_system: list[int],
    keys: list[Key],
    first: Mapping[Key, int],
    systems: Column,
    first_line: int,
) -> list[int]:
    """The rows of one system in the order of segments; it must have each segment once."""
    place: dict[Key, int] = {}
    for row in of_system:
        if (known := place.setdefault(keys[row], row)) != row:
            raise DataError(
                f"{path}, line {first_line + row}: segment {_show_key(keys[row])} of system {system!r} is there "
                f"already, in line {first_line + known}"
            )
    for key, row in first.items():
        if key not in place:
            raise DataError(
                f"{path}: system {system!r} has no segment {_show_key(key)}, but system {systems[row]!r} has it "
                f"in line {first_line + row}; every system must have every segment"
            )
    return [place[key] for key in first]


def _show_key(key: Key) -> str:
    return ":".join(part or "" for part in key)
