"""What people said of translations, from tables: a row a judgement (or a ranking, as WMT has them).

Tabs, commas or spaces part the columns below a header line, as the header shows; JSON lines are read as well, and bare
numbers, one a segment. The names that columns may have are those in use: see `COLUMNS`.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches

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
    "da": ("score", "human", "z", "z_score", "z.scr", "z_mean", "da", "mean", "rating", "raw.scr"),
    "hter": ("hter", "score", "human"),
    "rank": ("rank",),
}
"""Columns that hold the judgement itself, by protocol; the first that is there is taken."""
NOT_JUDGED = "None"
"""What mt-metrics-eval and its kin write where nobody judged."""
KINDS = {"da": "scores", "hter": "HTER", "rank": "ranks"}
_RANKED = re.compile(r"system(\d+)(id|rank)")

Table = Mapping[str, Sequence[str]]
Found = tuple[int, Judgement]
"""The line it stands in, and what it says."""


@dataclass(frozen=True)
class Judgements:
    """The judgements of one file."""

    path: str
    column: str
    """Where the scores or ranks stood; empty where the file has nothing else."""
    judgements: tuple[Judgement, ...]
    lines: tuple[int, ...]
    """Where each stands in the file."""
    input: Input

    def place(self, number: int) -> str:
        """Where one of them stands, for errors that come later."""
        return f"{shown(self.path)}, line {self.lines[number]}"


def read_judgements(
    path: str, protocol: str = "da", *, column: str | None = None, first_segment: int = 1
) -> Judgements:
    """Scores (`da`, `hter`) or ranks (`rank`, 1 is best) of systems on segments; `column` says where they stand.

    Where there is but one system, its name may be left out (and is empty). Bare numbers are those of the segments from
    `first_segment` on.
    """
    if protocol not in SCORES:
        raise unknown_name("kind of judgements", protocol, SCORES)
    data, digest = read_bytes(path)
    jsonl = suffix(path) in (".jsonl", ".ndjson", ".json")
    if not jsonl and protocol != "rank" and column is None and _is_bare(path, data):
        cells = lines(path, data)
        table: Table = {
            "segment": [str(first_segment + row) for row in range(len(cells))],
            SCORES[protocol][0]: cells,
        }
        first_line = 1
    else:
        table = _json_columns(path, data) if jsonl else _columns(path, data)
        first_line = 1 if jsonl else 2
    names = {name.lower(): name for name in table}
    if protocol == "rank" and column is None and "system1id" in names:
        found = list(_ranked_together(path, table, names, first_line))
        column = "system1rank"
    else:
        column = _score_column(path, table, names, protocol, column)
        found = list(_one_a_row(path, table, names, column, protocol, first_line))
    where, judgements = zip(*found, strict=True) if found else ((), ())
    return Judgements(path, column, judgements, where, Input("judgements", path, digest))


def _first_line(path: str, data: bytes) -> str:
    return lines(path, data[: data.find(b"\n") + 1] or data)[0]


def _is_bare(path: str, data: bytes) -> bool:
    """Whether the first line is a number and nothing else, which no header is."""
    try:
        float(_first_line(path, data))
    except ValueError:
        return False
    return True


def _columns(path: str, data: bytes) -> Table:
    header = _first_line(path, data)
    separator = next((sign for sign in "\t, " if sign in header), "\t")
    if separator == " ":
        # WMT's: spaces at the ends of lines, or tabs below a header with spaces.
        data = "\n".join(" ".join(line.split()) for line in lines(path, data)).encode()
    columns = columns_of(path, data, separator)
    if separator == "," and (at := data.find(b'"')) >= 0:
        number = data.count(b"\n", 0, at) + 1
        raise DataError(
            f"{shown(path)}, line {number}: quotes in CSV are not read, for nobody agrees on them; "
            "make it TSV or JSONL"
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
            raise DataError(f"{shown(path)}, line 1: {unknown_name('column', column, table)}")
        return column
    found = next((names[name] for name in SCORES[protocol] if name in names), None)
    if found is None:
        others = [kind for kind, known in SCORES.items() if kind != protocol and set(known) & set(names)]
        hint = f"; are they {KINDS[others[0]]}? --target {others[0]}" if others else ""
        raise _no_column(
            path, table, SCORES[protocol], f"--column NAME says where the {KINDS[protocol]} are{hint}"
        )
    return found


def _no_column(path: str, table: Table, wanted: Sequence[str], remedy: str) -> DataError:
    """What to say where none of some names is there; a name that is nearly one of them is pointed out."""
    near = [(name, get_close_matches(name.lower(), wanted, n=1, cutoff=0.7)) for name in table]
    guess = next((f"; is {name!r} meant for {found[0]!r}?" for name, found in near if found), "")
    shown_names = " or ".join(map(repr, wanted[:3]))
    return DataError(
        f"{shown(path)}, line 1: no column {shown_names} among {', '.join(table)}{guess}; {remedy}"
    )


def _column_of(table: Table, names: Mapping[str, str], what: str) -> Sequence[str] | None:
    name = next((names[name] for name in COLUMNS[what] if name in names), None)
    return None if name is None else table[name]


def _one_a_row(
    path: str, table: Table, names: Mapping[str, str], column: str, protocol: str, first_line: int
) -> Iterator[Found]:
    systems, items = _column_of(table, names, "system"), _column_of(table, names, "item")
    if systems is None and (items is None or protocol == "rank"):
        raise _no_column(path, table, COLUMNS["system"], "whose output was judged?")
    if protocol == "rank" and items is None:
        raise _no_column(path, table, COLUMNS["item"], "which segment was ranked?")
    others = {what: _column_of(table, names, what) for what in ("annotator", "document", "ranking")}
    for row, cell in enumerate(table[column]):
        line = first_line + row
        place = f"{shown(path)}, line {line}"
        if systems is not None and not systems[row].strip():
            raise DataError(f"{place}: no system; whose output was judged?")
        if items is not None and not items[row].strip():
            raise DataError(f"{place}: no segment; which one was judged?")
        if cell.strip() == NOT_JUDGED:
            continue
        value = number(cell, f"{place}, column {column!r}")
        if protocol == "hter" and value < 0:
            raise DataError(
                f"{place}, column {column!r}: HTER is {value:g}, but a share of edits is 0 or more; "
                "are they scores? --target da"
            )
        if protocol == "rank" and value < 1:
            raise DataError(
                f"{place}, column {column!r}: rank {value:g}, but 1 is best; leave out what was not ranked"
            )
        yield (
            line,
            Judgement(
                system="" if systems is None else systems[row].strip(),
                item="" if items is None else items[row].strip(),
                score=math.nan if protocol == "rank" else value,
                rank=value if protocol == "rank" else math.nan,
                protocol=protocol,
                **{what: "" if values is None else values[row] for what, values in others.items()},
            ),
        )


def _ranked_together(path: str, table: Table, names: Mapping[str, str], first_line: int) -> Iterator[Found]:
    """Rows of two or more systems with a rank each; rows of one ranking may repeat a system."""
    numbers = sorted({int(match[1]) for name in names if (match := _RANKED.fullmatch(name))})
    for at in numbers:
        for what in ("id", "rank"):
            if f"system{at}{what}" not in names:
                wanted = [f"system{at}{what}"]
                raise _no_column(path, table, wanted, "every ranked system has its name and its rank")
    items = _column_of(table, names, "item")
    if items is None:
        raise _no_column(path, table, ["segmentId"], "which segment was ranked?")
    rankings, annotators = _column_of(table, names, "ranking"), _column_of(table, names, "annotator")
    seen: dict[tuple[str, str, str, str], tuple[float, int]] = {}
    for row, item in enumerate(items):
        line = first_line + row
        place = f"{shown(path)}, line {line}"
        if not item.strip():
            raise DataError(f"{place}: no segment; which one was ranked?")
        ranking = rankings[row] if rankings is not None else str(line)
        annotator = annotators[row] if annotators is not None else ""
        for at in numbers:
            rank = number(table[names[f"system{at}rank"]][row], f"{place}, column 'system{at}rank'")
            if rank < 1:  # WMT's -1: not ranked
                continue
            system = table[names[f"system{at}id"]][row].strip()
            if not system:
                raise DataError(f"{place}, column 'system{at}Id': no system, but it has rank {rank:g}")
            key = ranking, annotator, item.strip(), system
            known, first = seen.setdefault(key, (rank, line))
            if known != rank:
                raise DataError(
                    f"{place}: {system} has rank {rank:g}, but {known:g} in line {first} of the same ranking"
                )
    for (ranking, annotator, item, system), (rank, line) in seen.items():
        whole = f"{ranking} {annotator}"
        yield line, Judgement(system, item, rank=rank, ranking=whole, annotator=annotator, protocol="rank")


def number(text: str, where: str) -> float:
    """A finite number, or an error that says where there is none."""
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        point = text.replace(",", ".")
        comma = point != text and re.fullmatch(r"\s*-?\d*\.\d+\s*", point)
        remedy = f"write {point.strip()}" if comma else "leave out rows without a judgement"
        raise DataError(f"{where}: {text!r} is no finite number; {remedy}")
    return value
