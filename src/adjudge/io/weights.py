"""Weights of features in small files: TOML as `adjudge tune weights` writes it, or its JSON."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from adjudge.errors import DataError
from adjudge.io import toml_places
from adjudge.io.fields import finite, kind_of
from adjudge.io.files import read_bytes, shown, whole
from adjudge.wording import listed

TABLE = "weights"


def read_weights(path: str) -> dict[str, float]:
    """Weights by the names of their features."""
    text = whole(path, read_bytes(path)[0])
    try:
        document = json.loads(text) if text.lstrip().startswith("{") else toml_places.loads(text)
    except (ValueError, RecursionError) as error:
        raise DataError(f"{shown(path)}: neither TOML nor JSON: {error}") from None
    weights = document.get(TABLE)
    if not isinstance(weights, dict) or not weights:
        raise DataError(
            f"{shown(path)} has no table [{TABLE}] with a line 'feature = number' for each feature"
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
        raise DataError(f"{shown(path)}: the weight of {name} is {what}; a finite number was expected")
    return number


def weight_text(weights: Mapping[str, float], remarks: Sequence[str] = ()) -> str:
    """The text of such a file; the remarks, which say how they were found, stand above as comments."""
    comments = ["# " + "".join(c if c.isprintable() else " " for c in remark) for remark in remarks]
    lines = [f"{json.dumps(name, ensure_ascii=False)} = {float(value)!r}" for name, value in weights.items()]
    return "\n".join([*comments, f"[{TABLE}]", *lines]) + "\n"


def weights_of(weights: Mapping[str, float], names: Sequence[str], where: str) -> NDArray[np.float64]:
    """Weights in the order of the features, of which each must have one; others are of no use."""
    missing = [name for name in names if name not in weights]
    unknown = [name for name in weights if name not in names]
    if not names:
        raise DataError(f"{where}: the hypotheses have no features, so weights say nothing of them")
    if missing or unknown:
        parts = [f"no weight of {listed(missing, 3)}"] if missing else []
        parts += [f"a weight of {listed(unknown, 3)}, which no hypothesis has"] if unknown else []
        raise DataError(f"{where}: {' and '.join(parts)}; the features are {listed(names, 6)}")
    return np.array([weights[name] for name in names])
