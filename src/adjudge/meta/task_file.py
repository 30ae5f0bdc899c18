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

from adjudge.errors import AdjudgeError, DataError
from adjudge.io.toml_places import read_tables
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
    folder, tasks = os.path.dirname(path), []
    for where, values in read_tables(path, "task", KINDS, {"gold": "the name of the scores of people"}):
        if values.get("test_set"):
            values["test_set"] = os.path.join(folder, values["test_set"])
        try:
            tasks.append(Task(**values))
        except AdjudgeError as error:
            raise DataError(f"{where}: {error}") from None
    return tuple(tasks)
