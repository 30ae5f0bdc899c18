"""TMX: translation memories, a unit a segment, in two languages or more."""

from __future__ import annotations

from typing import Any, TypeVar

from adjudge.errors import DataError, UsageError
from adjudge.io.documents import language_pair
from adjudge.io.localisation import opened, plain, units
from adjudge.io.table import Column, Table, check_single, numbered

Value = TypeVar("Value")
_LANGUAGE = "{http://www.w3.org/XML/1998/namespace}lang"


def read(path: str, data: bytes, language: str | None) -> Table:
    """The source and target language asked for, or the two there are; others can be had as PATH:LANGUAGE."""
    elements = units(path, opened(path, data, "tmx")[0], "TMX", "tmx.tmxfile")
    rows = [_variants(path, number, element) for number, element in enumerate(elements, 1)]
    names = list(dict.fromkeys(name for row in rows for name in row))
    columns, further = _columns(rows, names)
    source, target = _chosen(path, language, names, _source_language(elements[0]))
    complete = columns[source] if source else ()
    if None in complete:
        number = complete.index(None) + 1
        raise DataError(
            f"{path}: unit {number} has no {source!r}, the source; it has {', '.join(rows[number - 1])}"
        )
    if source:
        check_single(path, source, further[source])
    return Table(
        path,
        source=complete or None,  # type: ignore[arg-type]  # nothing is missing in it
        references=numbered(target, columns[target], further[target]) if target else {},
        language=language_pair(source, target),
        columns={**_short(names, columns), **columns},
        further={**_short(names, further), **further},
    )


def _columns(
    rows: list[dict[str, list[str]]], names: list[str]
) -> tuple[dict[str, Column], dict[str, tuple[Column, ...]]]:
    """The first variant of each unit in each language, and further columns of those that have more."""

    def column(name: str, at: int) -> Column:
        return tuple(row[name][at] if at < len(row.get(name, ())) else None for row in rows)

    width = {name: max(len(row.get(name, ())) for row in rows) for name in names}
    further = {name: tuple(column(name, at) for at in range(1, width[name])) for name in names}
    return {name: column(name, 0) for name in names}, further


def _variants(path: str, number: int, unit: Any) -> dict[str, list[str]]:
    variants: dict[str, list[str]] = {}
    for variant in unit.iterchildren("{*}tuv"):
        name = variant.get(_LANGUAGE) or variant.get("lang")
        segment = next(variant.iterchildren("{*}seg"), None)
        if not name or segment is None:
            raise DataError(f"{path}: unit {number} has a <tuv> without language or <seg>")
        variants.setdefault(name, []).append(plain(path, segment))
    return variants


def _source_language(unit: Any) -> str | None:
    header = unit.getroottree().getroot().find("{*}header")
    name = None if header is None else header.get("srclang")
    return None if name == "*all*" else name


def _chosen(
    path: str, language: str | None, names: list[str], declared: str | None
) -> tuple[str | None, str | None]:
    """Source and target: as asked for, else as the header says and the only other one."""
    source = _match(declared, names) if declared else None
    if language is None:
        others = [name for name in names if name != source]
        return (source, others[0]) if source and len(others) == 1 else (None, None)
    if target := _match(language, names):
        return (source if source != target else None), target
    parts = language.split("-")  # en-de, but also en-GB-pt-BR
    for at in range(1, len(parts)):
        pair = _match("-".join(parts[:at]), names), _match("-".join(parts[at:]), names)
        if pair[0] and pair[1] and pair[0] != pair[1]:
            return pair
    raise UsageError(
        f"{path} has no {language!r}; it has {', '.join(names)}: say SOURCE-TARGET, such as en-de"
    )


def _match(wanted: str, names: list[str]) -> str | None:
    """The language meant: the very one, else the only one of its region or case (de for de-DE)."""
    if wanted in names:
        return wanted
    wanted = wanted.replace("_", "-").lower()
    folded = {name: name.replace("_", "-").lower() for name in names}
    same = [name for name, other in folded.items() if other == wanted]
    close = same or [name for name, other in folded.items() if other.split("-")[0] == wanted]
    return close[0] if len(close) == 1 else None


def _short(names: list[str], columns: dict[str, Value]) -> dict[str, Value]:
    """Languages by their first part where that is unique, so that PATH:de finds de-DE."""
    short = {name.replace("_", "-").split("-")[0].lower() for name in names}
    return {name: columns[full] for name in sorted(short) if (full := _match(name, names))}
