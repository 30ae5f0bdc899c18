"""Files of tables that relate differences to agreement with people, and the shipped ones."""

from __future__ import annotations

from dataclasses import asdict
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from adjudge.data.difference_tables import DifferenceCurve, DifferenceTables, UsedTestSet
from adjudge.errors import DataError
from adjudge.io import fields
from adjudge.io.files import path_text
from adjudge.stats.agreement_curve import AgreementCurve

FORMAT = "adjudge differences 2"
OLDER = "adjudge differences 1"
SHIPPED = Path(__file__).parent / "tables" / "differences.json"
WHAT = "a table of differences (adjudge meta --fit-differences)"
DIGITS = 6
"""Significant digits."""


@cache
def shipped_tables() -> DifferenceTables:
    """The tables fitted to WMT data, read once per process."""
    return read_tables(str(SHIPPED))


def document(tables: DifferenceTables) -> dict[str, Any]:
    """The JSON document of the tables."""
    return {
        "format": FORMAT,
        "name": tables.name,
        "made_by": tables.made_by,
        "confidence": tables.confidence,
        "resamples": 0,  # of format 1; nothing is drawn since
        "seed": None,
        "test_sets": [asdict(test_set) for test_set in tables.test_sets],
        "curves": [_curve_document(curve) for curve in tables.curves],
        "missing": list(tables.missing),
    }


def _curve_document(curve: DifferenceCurve) -> dict[str, Any]:
    points = curve.points
    lines = zip(points.delta, points.agreement, points.low, points.high, points.pairs, strict=True)
    return {
        "metric": curve.metric,
        "family": curve.family,
        "higher_is_better": curve.higher_is_better,
        "test_sets": curve.test_sets,
        "systems": curve.systems,
        "pairs": curve.pairs,
        "first_year": curve.years and curve.years[0],
        "last_year": curve.years and curve.years[1],
        "like": curve.like,
        "points": [[*(float(f"{value:.{DIGITS}g}") for value in line[:4]), int(line[4])] for line in lines],
    }


def read_tables(path: str) -> DifferenceTables:
    """Tables from a file, each field checked."""
    document = fields.read_object(path, WHAT)
    where = path_text(path)
    if document.get("format") == OLDER:
        raise DataError(
            f"{where} was fitted by an earlier adjudge, whose intervals were not for a new test set: fit it again with "
            "adjudge meta --fit-differences"
        )
    if document.get("format") != FORMAT:
        raise DataError(f"{where} is not {WHAT}: no format {FORMAT!r}")
    curves = [
        _curve(curve, f"{where}: curve {n}") for n, curve in enumerate(_list(document, "curves", where), 1)
    ]
    if not curves:
        raise DataError(f"{where}: no curve")
    used = [
        _read_test_set(entry, f"{where}: test set {n}")
        for n, entry in enumerate(_list(document, "test_sets", where), 1)
    ]
    return DifferenceTables(
        fields.text(document.get("name"), f"{where}: name"),
        float(fields.check_type(document.get("confidence"), float, f"{where}: confidence")),
        tuple(used),
        tuple(curves),
        tuple(fields.texts(document.get("missing", []), f"{where}: missing")),
        str(document.get("made_by", "")),
    )


def _list(document: dict[str, Any], key: str, where: str) -> list[Any]:
    entries: list[Any] = fields.check_type(document.get(key), list, f"{where}: {key}")
    return entries


def _read_test_set(entry: Any, where: str) -> UsedTestSet:
    values = fields.table(entry, where, "an object")
    kinds = {"test_set": str, "language": str, "protocol": str, "systems": int, "pairs": int}
    known = {
        name: fields.check_type(values.get(name), kind, f"{where}: {name}") for name, kind in kinds.items()
    }
    return UsedTestSet(**known, year=_year(values.get("year"), f"{where}: year"))


def _year(value: Any, where: str) -> int | None:
    return None if value is None else int(fields.check_type(value, int, where))


def _curve(entry: Any, where: str) -> DifferenceCurve:
    values = fields.table(entry, where, "an object")
    points = _list(values, "points", where)
    numbers = []
    for n, point in enumerate(points, 1):
        row = [fields.finite(value) for value in point] if isinstance(point, list) else []
        if len(row) != 5 or None in row:
            raise DataError(
                f"{where}: point {n}: five numbers were expected (difference, agreement, low, high, pairs)"
            )
        numbers.append(row)
    table = np.array(numbers, np.float64).reshape(-1, 5)
    if (
        len(table) < 2
        or (np.diff(table[:, 0]) <= 0).any()
        or (np.diff(table[:, 1]) < 0).any()
        or table[0, 0] != 0
    ):
        raise DataError(f"{where}: a curve that rises from a difference of 0 was expected")
    if (table[:, 1:4] < 0.5).any() or (table[:, 1:4] > 1).any() or table[0, 1] != 0.5:
        raise DataError(f"{where}: agreement must go from 0.5 at no difference to 1 at most")
    counts = {
        name: int(fields.check_type(values.get(name), int, f"{where}: {name}"))
        for name in ("test_sets", "systems", "pairs")
    }
    first, last = (_year(values.get(name), f"{where}: {name}") for name in ("first_year", "last_year"))
    return DifferenceCurve(
        fields.text(values.get("metric"), f"{where}: metric"),
        fields.text(values.get("family"), f"{where}: family"),
        bool(fields.check_type(values.get("higher_is_better"), bool, f"{where}: higher_is_better")),
        **counts,
        points=AgreementCurve(
            table[:, 0], table[:, 1], table[:, 2], table[:, 3], pairs=table[:, 4].astype(np.intp)
        ),
        years=None if first is None or last is None else (first, last),
        like=str(values.get("like", "")),
    )
