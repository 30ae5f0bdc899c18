"""Features of hypotheses: the same names for all of them, and numbers that can be reckoned with."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from adjudge.errors import DataError
from adjudge.io.fields import finite, kind_of
from adjudge.wording import counted, listed

Features = Mapping[str, float]


class FeatureTable:
    """Features gathered hypothesis by hypothesis, all with the names that the first one has."""

    def __init__(self) -> None:
        self.names: tuple[str, ...] = ()
        self.places: list[str] = []
        """What added some, once for each call."""
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
        """A line a hypothesis, a column a feature; None where there are none."""
        return np.array(self._rows, np.float64) if self._rows and self.names else None

    def _difference(self, features: Features) -> str:
        missing = [name for name in self.names if name not in features]
        if missing:
            return f"feature {listed(missing, 3)} is missing, which is there in"
        return (
            f"feature {listed([name for name in features if name not in self.names], 3)} is there, but not in"
        )


def number(value: Any, name: str, place: str) -> float:
    """The value of a feature."""
    result = finite(value)
    if result is None:
        raise DataError(f"{place}: feature {name} is {value!r}; a finite number was expected")
    return result


def of_json(value: Any, count: int, place: str) -> list[Features]:
    """Features under one key: lists by name, or a list with an object or a list of numbers for each hypothesis."""
    if isinstance(value, dict):
        columns = {name: _column(name, own, count, place) for name, own in value.items()}
        return [{name: own[at] for name, own in columns.items()} for at in range(count)]
    if not isinstance(value, list) or len(value) != count:
        what = f"{len(value)} of them" if isinstance(value, list) else kind_of(value)
        raise DataError(
            f"{place}: 'features' must be an object with a list of {count} numbers for each name, or a list with an "
            f"object for each of the {count} hypotheses, not {what}"
        )
    return [_row(own, f"{place}, hypothesis {at}") for at, own in enumerate(value, 1)]


def _column(name: str, values: Any, count: int, place: str) -> list[float]:
    if not isinstance(values, list) or len(values) != count:
        what = f"{counted(len(values), 'number')}" if isinstance(values, list) else kind_of(values)
        raise DataError(f"{place}: feature {name} has {what}, but there are {count} hypotheses")
    return [number(value, name, place) for value in values]


def _row(value: Any, place: str) -> Features:
    if isinstance(value, list):
        value = {f"f{at}": own for at, own in enumerate(value, 1)}
    if not isinstance(value, dict):
        raise DataError(
            f"{place}: its features are {kind_of(value)}; an object or a list of numbers was expected"
        )
    return {name: number(own, name, place) for name, own in value.items()}
