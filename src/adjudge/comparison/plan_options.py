"""The plan of a comparison as it stands in files: in results, and in the `[plan]` of a study."""

from __future__ import annotations

import dataclasses
import types
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, get_args, get_origin, get_type_hints

from adjudge.comparison.plan import Plan, check_mean_plan
from adjudge.errors import AdjudgeError, DataError
from adjudge.io.fields import Fields, check_keys

if TYPE_CHECKING:
    from adjudge.io.study_file import Study

MOST = 10**9
"""Trials that anyone would wait for."""


def checked_options(fields: Fields) -> dict[str, Any]:
    """Fields of a `Plan` from an object that holds them, perhaps among others."""
    kinds = get_type_hints(Plan)
    names = [field.name for field in dataclasses.fields(Plan) if field.name in fields.values]
    return {name: _value(fields, name, kinds[name]) for name in names}


def study_plan(study: Study, given: Mapping[str, Any] | None = None) -> Plan:
    """What the study's `[plan]` says, with what was `given` in place of it; faults are said with field and line."""
    options: dict[str, Any] = {}
    for name, value in study.plan.items():
        line = study.where("plan", name).rpartition(": ")[0]
        try:
            check_keys([name], [field.name for field in dataclasses.fields(Plan) if field.name != "baseline"])
        except AdjudgeError as error:
            raise DataError(f"{line}: {error}") from None
        option = checked_options(Fields(line, {name: value}, "plan."))
        options |= option
        try:
            check_mean_plan(Plan(**option))
        except AdjudgeError as error:
            raise DataError(f"{line}: plan.{name}: {error}") from None
    if study.baseline:
        options["baseline"] = study.baseline
    try:
        check_mean_plan(Plan(**options))
    except AdjudgeError as error:
        raise DataError(f"{study.where('plan')}: {error}") from None
    return check_mean_plan(Plan(**options | dict(given or {})))


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
