"""Tables of levels as files, and the one that comes along."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Any

from adjudge.comparison.documents import plain
from adjudge.errors import DataError
from adjudge.io import fields
from adjudge.io.files import path_text
from adjudge.meta.levels import HumanLevel, LevelTables, MetricLevels, ScoreBand
from adjudge.wording import pluralise

FORMAT = "adjudge levels 1"
SHIPPED = Path(__file__).parent / "tables" / "wmt-levels.json"
WHAT = "a table of levels (adjudge meta levels)"
DIGITS = 4


def shipped_levels() -> LevelTables:
    """Those fitted to WMT's data."""
    return read_levels(str(SHIPPED))


def document(tables: LevelTables) -> dict[str, Any]:
    """As it stands in a file; numbers with four digits behind the point."""
    document: dict[str, Any] = _round(plain(asdict(tables)))
    return {"format": FORMAT, **document}


def _round(value: Any) -> Any:
    if isinstance(value, float):
        return round(value, DIGITS)
    if isinstance(value, dict):
        return {key: _round(entry) for key, entry in value.items()}
    return [_round(entry) for entry in value] if isinstance(value, list) else value


def read_levels(path: str) -> LevelTables:
    """Tables from a file, each field checked."""
    document, where = fields.read_object(path, WHAT), path_text(path)
    if document.get("format") != FORMAT:
        raise DataError(f"{where} is not {WHAT}: no format {FORMAT!r}")
    metrics = fields.check_type(document.get("metrics"), list, f"{where}: metrics")
    if not metrics:
        raise DataError(f"{where}: no metric")
    scale = _numbers(document.get("scale"), 2, f"{where}: scale")
    used = fields.check_type(document.get("test_sets"), list, f"{where}: test_sets")
    return LevelTables(
        fields.text(document.get("name"), f"{where}: name"),
        (scale[0], scale[1]),
        tuple((str(name), str(language), int(count)) for name, language, count in used),
        tuple(_metric(metric, f"{where}: metric {n}") for n, metric in enumerate(metrics, 1)),
        str(document.get("made_by", "")),
    )


def _metric(entry: Any, where: str) -> MetricLevels:
    document = fields.table(entry, where, "an object")
    scores = _numbers(document.get("scores"), 2, f"{where}: scores")
    levels = fields.check_type(document.get("levels"), list, f"{where}: levels")
    bands = fields.check_type(document.get("bands"), list, f"{where}: bands")
    if len(bands) < 2:
        raise DataError(f"{where}: bands: two or more were expected")
    return MetricLevels(
        fields.text(document.get("metric"), f"{where}: metric"),
        fields.text(document.get("family"), f"{where}: family"),
        _whole_number(document, "test_sets", where),
        _whole_number(document, "outputs", where),
        (scores[0], scores[1]),
        tuple(_level(level, f"{where}: level {n}") for n, level in enumerate(levels, 1)),
        tuple(_band(band, f"{where}: band {n}") for n, band in enumerate(bands, 1)),
    )


def _level(entry: Any, where: str) -> HumanLevel:
    document = fields.table(entry, where, "an object")
    bars = fields.check_type(document.get("histogram"), list, f"{where}: histogram")
    return HumanLevel(
        _number(document, "low", where),
        _number(document, "high", where),
        _whole_number(document, "outputs", where),
        _number(document, "mean", where),
        _quartiles(document, where),
        tuple(int(fields.check_type(bar, int, f"{where}: histogram")) for bar in bars),
    )


def _band(entry: Any, where: str) -> ScoreBand:
    document = fields.table(entry, where, "an object")
    score, people, low, high = (_number(document, name, where) for name in ("score", "people", "low", "high"))
    return ScoreBand(
        score, _whole_number(document, "outputs", where), people, low, high, _quartiles(document, where)
    )


def _quartiles(document: dict[str, Any], where: str) -> tuple[float, float, float]:
    low, middle, high = _numbers(document.get("quartiles"), 3, f"{where}: quartiles")
    return low, middle, high


def _numbers(value: Any, count: int, where: str) -> list[float]:
    if not isinstance(value, list) or len(value) != count:
        raise fields.wrong(where, f"{pluralise(count, 'number')}", value)
    return [_or_nan(entry, where) for entry in value]


def _number(document: dict[str, Any], name: str, where: str) -> float:
    return _or_nan(document.get(name), f"{where}: {name}")


def _or_nan(value: Any, where: str) -> float:
    """A number; NaN for null, which stands where a level has no outputs."""
    return float("nan") if value is None else float(fields.check_type(value, float, where))


def _whole_number(document: dict[str, Any], name: str, where: str) -> int:
    return int(fields.check_type(document.get(name), int, f"{where}: {name}"))
