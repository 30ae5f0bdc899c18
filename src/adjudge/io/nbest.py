"""Lists of hypotheses in files: an object a segment in JSON lines, or a line a hypothesis as Moses writes them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from typing import Any, BinaryIO

import numpy as np

from adjudge.data.nbest import NBestLists
from adjudge.errors import DataError
from adjudge.io import jsonl
from adjudge.io.fields import finite, kind_of
from adjudge.io.files import lines, read_bytes, shown
from adjudge.io.moses_nbest import BAR, read_moses
from adjudge.io.nbest_features import FeatureTable, of_json
from adjudge.io.table import Input
from adjudge.wording import counted


@dataclass(frozen=True)
class LoadedNBest:
    """What was read, from which files."""

    lists: NBestLists
    inputs: tuple[Input, ...]


def read_nbest(
    path: str, *, references: Sequence[str] = (), source: str | None = None, stdin: BinaryIO | None = None
) -> LoadedNBest:
    """The lists of a file; references and sources from files of their own, a line a segment, where they are named."""
    data, digest = read_bytes(path, stdin if path == "-" else None)
    inputs = [Input("nbest", path, digest)]
    rows = lines(path, data)
    if BAR in rows[0] and not rows[0].lstrip().startswith("{"):
        lists, numbers = read_moses(path, rows)
    else:
        lists = _json_lists(path, [jsonl.row_of(path, at, row) for at, row in enumerate(rows, 1)])
        numbers = list(range(len(rows)))
    columns = [_column(file, "reference", numbers, inputs) for file in references]
    if columns:
        lists = replace(lists, references=tuple(zip(*columns, strict=True)))
    if source is not None:
        lists = replace(lists, sources=_column(source, "source", numbers, inputs))
    return LoadedNBest(lists, tuple(inputs))


def _column(path: str, role: str, numbers: Sequence[int], inputs: list[Input]) -> tuple[str, ...]:
    """The lines of another file that belong to the lists, by the lists' numbers."""
    data, digest = read_bytes(path)
    inputs.append(Input(role, path, digest))
    texts = lines(path, data)
    if max(numbers) >= len(texts):
        raise DataError(
            f"{shown(path)} has {len(texts):,} lines, but there is a list of hypotheses for line {max(numbers) + 1:,}"
        )
    if numbers == list(range(len(numbers))) and len(texts) != len(numbers):
        raise DataError(
            f"{shown(path)} has {counted(len(texts), 'line')}, but there are lists of hypotheses for "
            f"{counted(len(numbers), 'segment')}"
        )
    return tuple(texts[number] for number in numbers)


def _json_lists(path: str, rows: Sequence[Mapping[str, Any]]) -> NBestLists:
    places = tuple(f"{shown(path)}, line {at}" for at in range(1, len(rows) + 1))
    hypotheses = tuple(_hypotheses(row, place) for row, place in zip(rows, places, strict=True))
    sources = [_text(row, "source", place) for row, place in zip(rows, places, strict=True)]
    references = tuple(_references(row, place) for row, place in zip(rows, places, strict=True))
    table = FeatureTable()
    scores: list[float] = []
    for row, own, place in zip(rows, hypotheses, places, strict=True):
        if row.get("features") is not None:
            table.add(of_json(row["features"], len(own), place), place)
        scores += _scores(row, len(own), place)
    _check_all(path, "features", table.places, places)
    _check_all(path, "scores", [p for p, row in zip(places, rows, strict=True) if row.get("scores")], places)
    if None in sources and any(source is not None for source in sources):
        raise DataError(f"{places[sources.index(None)]} has no 'source', but other lines have")
    return NBestLists(
        hypotheses,
        references if any(references) else (),
        None if None in sources else tuple(map(str, sources)),
        table.names,
        table.array(),
        np.array(scores) if scores else None,
        places,
    )


def _hypotheses(row: Mapping[str, Any], place: str) -> tuple[str, ...]:
    if "hypotheses" not in row:
        nearest = get_close_matches("hypotheses", row, n=1)
        suggestion = f"; did you mean {nearest[0]!r}?" if nearest else ""
        raise DataError(f"{place} has no 'hypotheses', which is a list of texts{suggestion}")
    values = row["hypotheses"]
    if not isinstance(values, list):
        raise DataError(f"{place}: 'hypotheses' is {kind_of(values)}; a list of texts was expected")
    if not values:
        raise DataError(f"{place}: 'hypotheses' is empty; at least one was expected")
    for at, value in enumerate(values, 1):
        if not isinstance(value, str):
            raise DataError(f"{place}: hypothesis {at} is {kind_of(value)}; a text was expected")
    return tuple(values)


def _text(row: Mapping[str, Any], key: str, place: str) -> str | None:
    value = row.get(key)
    if value is not None and not isinstance(value, str):
        raise DataError(f"{place}: {key!r} is {kind_of(value)}; a text was expected")
    return value


def _references(row: Mapping[str, Any], place: str) -> tuple[str, ...]:
    single, several = _text(row, "reference", place), row.get("references")
    if several is None:
        return () if single is None else (single,)
    if not isinstance(several, list) or not all(isinstance(text, str) for text in several):
        raise DataError(f"{place}: 'references' must be a list of texts")
    if single is not None:
        raise DataError(f"{place} has 'reference' and 'references'; keep one of them")
    return tuple(several)


def _scores(row: Mapping[str, Any], count: int, place: str) -> list[float]:
    values = row.get("scores")
    if values is None:
        return []
    if not isinstance(values, list) or len(values) != count:
        what = f"{counted(len(values), 'score')}" if isinstance(values, list) else kind_of(values)
        raise DataError(f"{place}: 'scores' must be a list of {count} numbers, one a hypothesis, not {what}")
    numbers = [finite(value) for value in values]
    if None in numbers:
        at = numbers.index(None)
        raise DataError(f"{place}: score {at + 1} is {values[at]!r}; a finite number was expected")
    return [float(number) for number in numbers if number is not None]


def _check_all(path: str, key: str, having: Sequence[str], places: Sequence[str]) -> None:
    """Refuse what some lines have and others lack."""
    if having and len(having) != len(places):
        missing = next(place for place in places if place not in set(having))
        raise DataError(f"{missing} has no {key!r}, but other lines have")
