"""The plan of a study's tests, from its file and from what was asked for beside it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields as fields_of
from typing import Any

from adjudge.comparison.plan import Plan
from adjudge.comparison.plan_options import checked_options
from adjudge.comparison.studies import checked_plan
from adjudge.errors import AdjudgeError, DataError
from adjudge.io.fields import Fields, check_keys
from adjudge.io.study_file import Study


def study_plan(study: Study, given: Mapping[str, Any] | None = None) -> Plan:
    """What the study's `[plan]` says, with what was `given` in place of it; faults are said with field and line."""
    options: dict[str, Any] = {}
    for name, value in study.plan.items():
        line = study.where("plan", name).rpartition(": ")[0]
        try:
            check_keys([name], [field.name for field in fields_of(Plan) if field.name != "baseline"])
        except AdjudgeError as error:
            raise DataError(f"{line}: {error}") from None
        option = checked_options(Fields(line, {name: value}, "plan."))
        options |= option
        try:
            checked_plan(Plan(**option))
        except AdjudgeError as error:
            raise DataError(f"{line}: plan.{name}: {error}") from None
    if study.baseline:
        options["baseline"] = study.baseline
    try:
        checked_plan(Plan(**options))
    except AdjudgeError as error:
        raise DataError(f"{study.where('plan')}: {error}") from None
    return checked_plan(Plan(**options | dict(given or {})))
