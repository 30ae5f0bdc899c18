"""Tasks in a TOML file:

[[task]]
gold = "mqm"
level = "segment"        # segment, document or system
correlation = "acc_eq"   # pearson, spearman, kendall, kendall_c, accuracy, acc_eq, spa, darr or pdp
grouping = "item"        # none, item or system; without it item for darr and pdp, else none
weight = 1
test_set = "../wmt23"    # a folder or table, from where this file lies; without it, the one that is given
language = "en-de"
excluded = ["online-A"]
outliers = false         # leave out systems that people found far from the others
"""

from __future__ import annotations

import os
from dataclasses import fields as fields_of
from dataclasses import replace
from typing import Any

from adjudge.errors import AdjudgeError, DataError
from adjudge.io import fields, toml_places
from adjudge.io.files import read_bytes, shown
from adjudge.meta.task import Task

KINDS: dict[str, type] = {
    "gold": str,
    "test_set": str,
    "language": str,
    "level": str,
    "correlation": str,
    "grouping": str,
    "weight": float,
    "excluded": list,
    "outliers": bool,
    "humans": bool,
    "threshold": float,
    "ties": str,
}


def read_tasks(path: str) -> tuple[Task, ...]:
    """The tasks of a file, in their order."""
    data, _ = read_bytes(path)
    try:
        document = toml_places.loads(data.decode("utf-8"))
    except ValueError as error:
        raise DataError(f"{shown(path)}: no TOML: {error}") from None
    fields.check_keys(document, ["task"])
    entries = document.get("task")
    if not isinstance(entries, list) or not entries:
        raise DataError(f"{shown(path)}: no task; each begins with a line [[task]]")
    tasks = [_task(entry, f"{shown(path)}: task {n}") for n, entry in enumerate(entries, 1)]
    folder = os.path.dirname(path)
    return tuple(
        replace(task, test_set=os.path.join(folder, task.test_set)) if task.test_set else task
        for task in tasks
    )


def _task(entry: Any, where: str) -> Task:
    values = fields.table(entry, where)
    known = [field.name for field in fields_of(Task)]
    try:
        fields.check_keys(values, known)
    except AdjudgeError as error:
        raise DataError(f"{where}: {error}") from None
    if "gold" not in values:
        raise DataError(f"{where}: gold: missing; the name of the scores of people")
    for name, value in values.items():
        fields.typed(value, KINDS[name], f"{where}: {name}")
    if "excluded" in values:
        values = values | {"excluded": tuple(fields.texts(values["excluded"], f"{where}: excluded"))}
    try:
        return Task(**values)
    except AdjudgeError as error:
        raise DataError(f"{where}: {error}") from None
