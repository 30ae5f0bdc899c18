"""Lists of hypotheses with their features, and weights of these features, in files.

A list is a JSON object per segment, or lines as Moses writes them, one per hypothesis: `id ||| hypothesis ||| LM0=
-12.3 TM0= -1 -2 ||| score`. All hypotheses have features of the same names. Weights are TOML as `adjudge tune weights`
writes it, or its JSON.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from adjudge.data.nbest import NBestLists
from adjudge.errors import DataError
from adjudge.io import jsonl, toml_places
from adjudge.io.fields import finite, kind_of
from adjudge.io.files import lines, path_text, read_bytes, whole_text
from adjudge.io.mtme import read_segments
from adjudge.io.table import Input
from adjudge.wording import join_names, pluralise

Features = Mapping[str, float]
TABLE = "weights"
BAR = "|||"
LINE = "id ||| hypothesis ||| name= number ... ||| score"


@dataclass(frozen=True)
class LoadedNBest:
    """N-best lists, and the files they came from."""

    lists: NBestLists
    inputs: tuple[Input, ...]


def read_nbest(
    path: str, *, references: Sequence[str] = (), source: str | None = None, stdin: BinaryIO | None = None
) -> LoadedNBest:
    """The lists of a file; references and sources may come from separate files, one line per segment."""
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
    texts, item = read_segments(path, role)
    inputs.append(item)
    if max(numbers) >= len(texts):
        raise DataError(
            f"{path_text(path)} has {len(texts):,} lines, but there is a list of hypotheses for line "
            f"{max(numbers) + 1:,}"
        )
    if numbers == list(range(len(numbers))) and len(texts) != len(numbers):
        raise DataError(
            f"{path_text(path)} has {pluralise(len(texts), 'line')}, but there are lists of hypotheses for "
            f"{pluralise(len(numbers), 'segment')}"
        )
    return tuple(texts[number] for number in numbers)


def _json_lists(path: str, rows: Sequence[Mapping[str, Any]]) -> NBestLists:
    places = tuple(f"{path_text(path)}, line {at}" for at in range(1, len(rows) + 1))
    hypotheses = tuple(_hypotheses(row, place) for row, place in zip(rows, places, strict=True))
    sources = [_text(row, "source", place) for row, place in zip(rows, places, strict=True)]
    references = tuple(_references(row, place) for row, place in zip(rows, places, strict=True))
    table = FeatureTable()
    scores: list[float] = []
    for row, texts, place in zip(rows, hypotheses, places, strict=True):
        if row.get("features") is not None:
            table.add(features_of_json(row["features"], len(texts), place), place)
        scores += _scores(row, len(texts), place)
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
        what = f"{pluralise(len(values), 'score')}" if isinstance(values, list) else kind_of(values)
        raise DataError(f"{place}: 'scores' must be a list of {count} numbers, one a hypothesis, not {what}")
    numbers = [finite(value) for value in values]
    if None in numbers:
        at = numbers.index(None)
        raise DataError(f"{place}: score {at + 1} is {values[at]!r}; a finite number was expected")
    return [float(number) for number in numbers if number is not None]


def _check_all(path: str, key: str, having: Sequence[str], places: Sequence[str]) -> None:
    """Refuse keys that only some lines have."""
    if having and len(having) != len(places):
        missing = next(place for place in places if place not in set(having))
        raise DataError(f"{missing} has no {key!r}, but other lines have")


def read_moses(path: str, rows: Sequence[str]) -> tuple[NBestLists, list[int]]:
    """The lists, and the number that the file gives each, which is the line of its reference, counted from 0."""
    hypotheses: dict[int, list[str]] = {}
    begun: dict[int, str] = {}
    table, scores = FeatureTable(), []
    last = -1
    for at, row in enumerate(rows, 1):
        place = f"{path_text(path)}, line {at}"
        parts = [part.strip() for part in row.split(BAR)]
        if len(parts) < 2:
            raise DataError(f"{place}: {row[:40]!r} is no line of an n-best list: {LINE}")
        segment = _segment(parts[0], place)
        if segment != last and segment in hypotheses:
            raise DataError(
                f"{place}: list {segment} began in {begun[segment]}; its lines must stand together"
            )
        last = segment
        begun.setdefault(segment, place)
        hypotheses.setdefault(segment, []).append(parts[1])
        if len(parts) > 2:
            table.add([_features(parts[2], place)], place)
        if len(parts) > 3:
            scores.append(feature_value(_float(parts[3], place), "score", place))
    for what, count in (("features", len(table.places)), ("score", len(scores))):
        if count and count != len(rows):
            raise DataError(
                f"{path_text(path)}: {count} of {len(rows)} lines have {what}, the others have none: {LINE}"
            )
    lists = NBestLists(
        tuple(map(tuple, hypotheses.values())),
        feature_names=table.names,
        features=table.array(),
        scores=np.array(scores) if scores else None,
        places=tuple(begun.values()),
    )
    return lists, list(hypotheses)


def _segment(text: str, place: str) -> int:
    if not text.isdecimal() or len(text) > 15:
        raise DataError(f"{place}: {text[:20]!r} is no number of a segment, from 0 up: {LINE}")
    return int(text)


def _float(text: str, place: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise DataError(f"{place}: {text[:20]!r} is no number: {LINE}") from None


def _features(text: str, place: str) -> Features:
    """`LM0= -1 TM0= -2 -3` (or `lm: -1`) as LM0, TM0_1 and TM0_2; numbers without a name as f1, f2, …"""
    groups: list[tuple[str, list[float]]] = []
    for token in text.split():
        if token[-1] in "=:":
            groups.append((token[:-1], []))
            continue
        if not groups:
            groups.append(("", []))
        groups[-1][1].append(_float(token, place))
    values: dict[str, float] = {}
    for name, numbers in groups:
        for at, value in enumerate(numbers, 1):
            feature = name if len(numbers) == 1 and name else f"{name}_{at}" if name else f"f{at}"
            if feature in values:
                raise DataError(f"{place}: feature {feature} stands there twice")
            values[feature] = feature_value(value, feature, place)
    return values


def read_weights(path: str) -> dict[str, float]:
    """Weights by the names of their features."""
    text = whole_text(path, read_bytes(path)[0])
    try:
        document = json.loads(text) if text.lstrip().startswith("{") else toml_places.loads(text)
    except (ValueError, RecursionError) as error:
        raise DataError(f"{path_text(path)}: neither TOML nor JSON: {error}") from None
    weights = document.get(TABLE)
    if not isinstance(weights, dict) or not weights:
        raise DataError(
            f"{path_text(path)} has no table [{TABLE}] with a line 'feature = number' for each feature"
        )
    return {name: _weight(path, name, value) for name, value in weights.items()}


def _weight(path: str, name: str, value: Any) -> float:
    number = finite(value)
    if number is None:
        what = (
            value
            if isinstance(value, float)
            else kind_of(value)
            if type(value) in (str, bool)
            else repr(value)
        )
        raise DataError(f"{path_text(path)}: the weight of {name} is {what}; a finite number was expected")
    return number


def weight_text(weights: Mapping[str, float], remarks: Sequence[str] = ()) -> str:
    """The text of a file of weights; remarks become comments at the top."""
    comments = ["# " + "".join(c if c.isprintable() else " " for c in remark) for remark in remarks]
    lines = [f"{json.dumps(name, ensure_ascii=False)} = {float(value)!r}" for name, value in weights.items()]
    return "\n".join([*comments, f"[{TABLE}]", *lines]) + "\n"


def weights_of(weights: Mapping[str, float], names: Sequence[str], where: str) -> NDArray[np.float64]:
    """Weights in the order of the features; each feature must have one, and unknown weights are refused."""
    missing = [name for name in names if name not in weights]
    unknown = [name for name in weights if name not in names]
    if not names:
        raise DataError(f"{where}: the hypotheses have no features, so weights say nothing of them")
    if missing or unknown:
        parts = [f"no weight of {join_names(missing, 3)}"] if missing else []
        parts += [f"a weight of {join_names(unknown, 3)}, which no hypothesis has"] if unknown else []
        raise DataError(f"{where}: {' and '.join(parts)}; the features are {join_names(names, 6)}")
    return np.array([weights[name] for name in names])


class FeatureTable:
    """Collects features hypothesis by hypothesis; all must have the names of the first one."""

    def __init__(self) -> None:
        self.names: tuple[str, ...] = ()
        self.places: list[str] = []
        """The places from which features were added."""
        self._rows: list[list[float]] = []

    def add(self, hypotheses: Sequence[Features], place: str) -> None:
        """The features of hypotheses that stand at one place of a file."""
        if not self.places:
            self.names = tuple(hypotheses[0])
        for features in hypotheses:
            if features.keys() != set(self.names):
                raise DataError(
                    f"{place}: {self._difference(features)} {self.places[0] if self.places else 'the first hypothesis'}"
                )
            self._rows.append([features[name] for name in self.names])
        self.places.append(place)

    def array(self) -> NDArray[np.float64] | None:
        """One row per hypothesis and one column per feature; None if there are no features."""
        return np.array(self._rows, np.float64) if self._rows and self.names else None

    def _difference(self, features: Features) -> str:
        missing = [name for name in self.names if name not in features]
        if missing:
            return f"feature {join_names(missing, 3)} is missing, which is there in"
        return f"feature {join_names([name for name in features if name not in self.names], 3)} is there, but not in"


def feature_value(value: Any, name: str, place: str) -> float:
    """The value of a feature."""
    result = finite(value)
    if result is None:
        raise DataError(f"{place}: feature {name} is {value!r}; a finite number was expected")
    return result


def features_of_json(value: Any, count: int, place: str) -> list[Features]:
    """Features under one key: lists by name, or a list with an object or a list of numbers for each hypothesis."""
    if isinstance(value, dict):
        columns = {name: _feature_column(name, entry, count, place) for name, entry in value.items()}
        return [{name: entry[at] for name, entry in columns.items()} for at in range(count)]
    if not isinstance(value, list) or len(value) != count:
        what = f"{len(value)} of them" if isinstance(value, list) else kind_of(value)
        raise DataError(
            f"{place}: 'features' must be an object with a list of {count} numbers for each name, or a list with an "
            f"object for each of the {count} hypotheses, not {what}"
        )
    return [_feature_row(entry, f"{place}, hypothesis {at}") for at, entry in enumerate(value, 1)]


def _feature_column(name: str, values: Any, count: int, place: str) -> list[float]:
    if not isinstance(values, list) or len(values) != count:
        what = f"{pluralise(len(values), 'number')}" if isinstance(values, list) else kind_of(values)
        raise DataError(f"{place}: feature {name} has {what}, but there are {count} hypotheses")
    return [feature_value(value, name, place) for value in values]


def _feature_row(value: Any, place: str) -> Features:
    if isinstance(value, list):
        value = {f"f{at}": number for at, number in enumerate(value, 1)}
    if not isinstance(value, dict):
        raise DataError(
            f"{place}: its features are {kind_of(value)}; an object or a list of numbers was expected"
        )
    return {name: feature_value(number, name, place) for name, number in value.items()}
