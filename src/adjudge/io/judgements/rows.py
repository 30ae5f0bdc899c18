"""What people said of translations, from tables: a row a judgement (or a ranking, as WMT has them).

Tabs, commas or single spaces part the columns below a header line, as the header shows; JSON lines are read as well.
The names that columns may have are those in use: see `COLUMNS`.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from adjudge.data import Judgement
from adjudge.errors import DataError, unknown_name
from adjudge.io.files import lines, read_bytes, shown
from adjudge.io.jsonl import MISSING, gathered
from adjudge.io.names import suffix
from adjudge.io.table import Input
from adjudge.io.tsv import columns_of

COLUMNS = {
    "system": ("system", "sys", "system_id", "systemid", "system_name"),
    "item": (
        "segment",
        "segment_id",
        "segmentid",
        "seg_id",
        "segid",
        "seg",
        "sid",
        "index",
        "line",
        "item",
        "id",
    ),
    "annotator": ("annotator", "annotator_id", "judge", "judgeid", "judge_id", "rater", "rater_id", "user"),
    "document": ("document", "doc", "docid", "doc_id", "document_id"),
    "ranking": ("ranking", "rankingid", "ranking_id"),
}
SCORES = {
    "da": ("score", "human", "z", "z_score", "z_mean", "da", "mean", "rating"),
    "hter": ("hter", "score", "human"),
    "rank": ("rank",),
}
"""Columns that hold the judgement itself, by protocol; the first that is there is taken."""
_RANKED = re.compile(r"system(\d+)(id|rank)")

Table = Mapping[str, Sequence[str]]


@dataclass(frozen=True)
class Judgements:
    """The judgements of one file."""

    path: str
    column: str
    """Where the scores or ranks stood."""
    judgements: tuple[Judgement, ...]
    input: Input


def read_judgements(path: str, protocol: str = "da", *, column: str | None = None) -> Judgements:
    """Scores (`da`, `hter`) or ranks (`rank`, 1 is best) of systems on segments; `column` says where they stand."""
    if protocol not in SCORES:
        raise unknown_name("kind of judgements", protocol, SCORES)
    data, digest = read_bytes(path)
    jsonl = suffix(path) in (".jsonl", ".ndjson", ".json")
    table = _json_columns(path, data) if jsonl else _columns(path, data)
    first_line = 1 if jsonl else 2
    names = {name.lower(): name for name in table}
    if protocol == "rank" and column is None and "system1id" in names:
        found = list(_ranked_together(path, table, names, first_line))
        column = "system1rank"
    else:
        column = _score_column(path, table, names, protocol, column)
        found = list(_one_a_row(path, table, names, column, protocol, first_line))
    return Judgements(path, column, tuple(found), Input("judgements", path, digest))


def _columns(path: str, data: bytes) -> Table:
    header = lines(path, data[: data.find(b"\n") + 1] or data)[0]
    separator = next((sign for sign in "\t, " if sign in header), "\t")
    columns = columns_of(path, data, separator)
    if separator == "," and b'"' in data:
        raise DataError(
            f"{path}: quotes in CSV are not read, for nobody agrees on them; make it TSV or JSONL"
        )
    return {name.strip(): [cell or "" for cell in column] for name, column in columns.items()}


def _json_columns(path: str, data: bytes) -> Table:
    found = gathered(path, lines(path, data))
    return {
        name: ["" if value is MISSING or value is None else str(value) for value in values]
        for name, values in found.items()
    }


def _score_column(
    path: str, table: Table, names: Mapping[str, str], protocol: str, column: str | None
) -> str:
    if column is not None:
        if column not in table:
            raise DataError(f"{shown(path)}: {unknown_name('column', column, table)}")
        return column
    found = next((names[name] for name in SCORES[protocol] if name in names), None)
    if found is None:
        wanted = " or ".join(map(repr, SCORES[protocol]))
        raise DataError(
            f"{shown(path)} has no column {wanted} with the judgements, but {', '.join(table)}; "
            "name the one that has them"
        )
    return found


def _column_of(table: Table, names: Mapping[str, str], what: str) -> Sequence[str] | None:
    name = next((names[name] for name in COLUMNS[what] if name in names), None)
    return None if name is None else table[name]


def _one_a_row(
    path: str, table: Table, names: Mapping[str, str], column: str, protocol: str, first_line: int
) -> Iterator[Judgement]:
    systems, items = _column_of(table, names, "system"), _column_of(table, names, "item")
    if systems is None:
        raise DataError(
            f"{shown(path)} has no column 'system', but {', '.join(table)}; whose output was judged?"
        )
    if protocol == "rank" and items is None:
        raise DataError(f"{shown(path)} has no column 'segment', but {', '.join(table)}; which was ranked?")
    count = len(systems)
    others = {
        what: _column_of(table, names, what) or [""] * count for what in ("annotator", "document", "ranking")
    }
    for row, (system, cell) in enumerate(zip(systems, table[column], strict=True)):
        place = f"{shown(path)}, line {first_line + row}"
        if not system.strip():
            raise DataError(f"{place}: no system")
        if items is not None and not items[row].strip():
            raise DataError(f"{place}: no segment")
        value = number(cell, f"{place}, column {column!r}")
        yield Judgement(
            system=system.strip(),
            item="" if items is None else items[row].strip(),
            score=math.nan if protocol == "rank" else value,
            rank=value if protocol == "rank" else math.nan,
            protocol=protocol,
            **{what: values[row] for what, values in others.items()},
        )


def _ranked_together(
    path: str, table: Table, names: Mapping[str, str], first_line: int
) -> Iterator[Judgement]:
    """Rows of two or more systems with a rank each; rows of one ranking may repeat a system."""
    numbers = sorted({int(match[1]) for name in names if (match := _RANKED.fullmatch(name))})
    for at in numbers:
        for what in ("id", "rank"):
            if f"system{at}{what}" not in names:
                raise DataError(f"{shown(path)} has no column 'system{at}{what}', but others of its kind")
    items = _column_of(table, names, "item")
    if items is None:
        raise DataError(f"{shown(path)} has no column 'segmentId', but {', '.join(table)}; which was ranked?")
    rankings, annotators = _column_of(table, names, "ranking"), _column_of(table, names, "annotator")
    seen: dict[tuple[str, str, str, str], float] = {}
    for row, item in enumerate(items):
        ranking = rankings[row] if rankings is not None else str(first_line + row)
        annotator = annotators[row] if annotators is not None else ""
        for at in numbers:
            place = f"{shown(path)}, line {first_line + row}"
            rank = number(table[names[f"system{at}rank"]][row], f"{place}, column 'system{at}rank'")
            if rank < 1:  # WMT's -1: not ranked
                continue
            system = table[names[f"system{at}id"]][row].strip()
            key = ranking, annotator, item, system
            known = seen.setdefault(key, rank)
            if known != rank:
                raise DataError(
                    f"{place}: {system} has rank {rank:g}, but {known:g} before in the same ranking"
                )
    for (ranking, annotator, item, system), rank in seen.items():
        yield Judgement(
            system, item, rank=rank, ranking=f"{ranking} {annotator}", annotator=annotator, protocol="rank"
        )


def number(text: str, where: str) -> float:
    """A finite number, or an error that says where there is none."""
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise DataError(f"{where}: {text!r} is no finite number; leave out rows without a judgement")
    return value
