"""The options of a comparison as they stand in files: the fields of a `Plan`, each of the kind it has there."""

from __future__ import annotations

import dataclasses
import types
from collections.abc import Mapping
from typing import Any, get_args, get_origin, get_type_hints

from adjudge.comparison.plan import Plan
from adjudge.io.fields import Fields

MOST = 10**9
"""Trials that anyone would wait for."""


def checked_options(fields: Fields) -> dict[str, Any]:
    """Fields of a `Plan` from an object that holds them, perhaps among others."""
    kinds = get_type_hints(Plan)
    names = [field.name for field in dataclasses.fields(Plan) if field.name in fields.values]
    return {name: _value(fields, name, kinds[name]) for name in names}


def _value(fields: Fields, name: str, kind: Any) -> Any:
    union = get_origin(kind) is types.UnionType
    kinds = [get_origin(option) or option for option in (get_args(kind) if union else [kind])]
    if name not in fields:
        if types.NoneType not in kinds:
            raise fields.fault(name, "null, but a value was expected")
        return None
    if Mapping in kinds and isinstance(fields.values[name], dict):
        numbers = fields.object(name)
        return {key: numbers.number(key) for key in numbers.values}
    if tuple in kinds:
        return fields.texts(name)
    if str in kinds:
        return fields.take(name, str)
    if int in kinds:
        return fields.whole(name, 0, 2**64 - 1 if name == "seed" else MOST)
    return fields.number(name)
