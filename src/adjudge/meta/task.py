"""Tasks that compare metrics with people, the files that list them, and how they are run."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal, TypeAlias, cast

from adjudge.errors import AdjudgeError, DataError, UsageError, unknown_name
from adjudge.io.toml_places import read_tables
from adjudge.stats.item_pairs import Grouping, TieRule
from adjudge.stats.metric_swaps import SWAPS
from adjudge.stats.multiple import CORRECTIONS
from adjudge.stats.tests.metrics import DEFAULT, NO_TEST

if TYPE_CHECKING:
    from adjudge.stats.tests.metrics.base import MetricTest

Level: TypeAlias = Literal["segment", "document", "system"]
LEVELS = ("segment", "document", "system")
GROUPINGS = ("none", "item", "system")
CORRELATIONS = {
    "pearson": "Pearson's r",
    "spearman": "Spearman's rho",
    "kendall": "Kendall's tau-b",
    "kendall_c": "Kendall's tau-c",
    "accuracy": "pairwise accuracy",
    "acc_eq": "accuracy with ties, calibrated",
    "spa": "soft pairwise accuracy",
    "darr": "WMT's tau on pairs that people order",
    "pdp": "Pearson's r of differences between systems",
}
"""What agreement is measured by."""
OF_SYSTEMS = ("accuracy", "spa")
"""Measures of how pairs of systems are ordered."""
OF_PAIRS = ("acc_eq", "darr")
"""Measures of how pairs of segments are ordered."""
DEFAULT_GROUPING = cast("Grouping", "")
"""Stands for the grouping that a measure usually has, until a task knows its measure."""
WITHIN_ITEMS = ("darr", "pdp")
"""Measures that compare the systems of one item, unless another grouping is asked for."""
TIES = ("discordant", "dropped", "denominator")
"""Of WMT12 and from WMT17 on; of WMT13; of WMT14 to 16."""
SHARES = ("accuracy", "acc_eq", "spa")
"""Measures from 0 to 1; the others go from −1 to 1."""


@dataclass(frozen=True)
class Task:
    """What is asked: which scores of people, at which level, by which measure, within which groups."""

    gold: str
    level: Level = "segment"
    correlation: str = "pearson"
    grouping: Grouping = DEFAULT_GROUPING
    """Segments all together (`none`), the systems of one `item`, or the items of one `system` at a time.

    Without it, `item` for `darr`, as at WMT, and for `pdp`, else `none`."""
    weight: float = 1.0
    """In the average of several tasks."""
    test_set: str = ""
    """The folder or table of the scores, '' for the one that all tasks share."""
    language: str = ""
    """The language pair in it, '' for the one that all tasks share."""
    excluded: tuple[str, ...] = ()
    """Systems left out."""
    outliers: bool = True
    """Whether systems count that people found far better or worse than most (`tables.outlier_systems`)."""
    humans: bool = False
    """Whether references that were judged count as systems, for metrics that read another one or none."""
    threshold: float = 25.0
    """For `darr`: the least difference between people's scores that orders a pair."""
    ties: TieRule = "discordant"
    """For `darr`: what becomes of pairs that the metric ties."""

    def __post_init__(self) -> None:
        if not self.grouping:
            object.__setattr__(self, "grouping", "item" if self.correlation in WITHIN_ITEMS else "none")
        for what, value, known in (
            ("level", self.level, LEVELS),
            ("grouping", self.grouping, GROUPINGS),
            ("correlation", self.correlation, CORRELATIONS),
            ("rule for ties", self.ties, TIES),
        ):
            if value not in known:
                raise unknown_name(what, value, known)
        if self.correlation in OF_SYSTEMS and self.level != "system":
            raise UsageError(f"{CORRELATIONS[self.correlation]} is of systems: level must be system")
        if self.correlation in OF_PAIRS and self.level == "system":
            raise UsageError(
                f"{CORRELATIONS[self.correlation]} is of segments: level must be segment or document"
            )
        if self.correlation == "pdp" and (self.level == "system" or self.grouping != "item"):
            raise UsageError(
                f"{CORRELATIONS['pdp']} is of the systems of one item: level must be segment or document, grouping item"
            )
        if self.level == "system" and self.grouping != "none":
            raise UsageError("scores of whole systems are in one group: grouping must be none")
        if not self.weight > 0:
            raise UsageError(f"a task's weight must be above 0, not {self.weight:g}")

    @property
    def measured(self) -> Task:
        """The task as it is computed on its tables: r of differences is r of scores about the means of their items."""
        return replace(self, correlation="pearson", grouping="none") if self.correlation == "pdp" else self

    @property
    def data(self) -> tuple[str, str]:
        """Which scores it is about: test set and language."""
        return self.test_set, self.language

    @property
    def name(self) -> str:
        """What the task is called in tables: gold, level, measure and groups."""
        grouping = "" if self.grouping == "none" else f" by {self.grouping}"
        outliers = "" if self.outliers else " without outliers"
        ties = f" ties {self.ties}" if self.correlation == "darr" and self.ties != "discordant" else ""
        test_set = os.path.basename(os.path.normpath(self.test_set)) if self.test_set else ""
        where = "".join(f"{part} " for part in (test_set, self.language) if part)
        return f"{where}{self.gold} {self.level} {self.correlation}{grouping}{ties}{outliers}"


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
    """The tasks of a TOML file, in their order.

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
    folder, tasks = os.path.dirname(path), []
    for where, values in read_tables(path, "task", KINDS, {"gold": "the name of the scores of people"}):
        if values.get("test_set"):
            values["test_set"] = os.path.join(folder, values["test_set"])
        try:
            tasks.append(Task(**values))
        except AdjudgeError as error:
            raise DataError(f"{where}: {error}") from None
    return tuple(tasks)


INTERVALS = ("bootstrap", "fisher", "modern", "none")


@dataclass(frozen=True)
class RunSettings:
    """What is computed beside the agreement itself."""

    interval: str = "bootstrap"
    """`bootstrap` over items, and at system level what holds for few systems (`intervals.system_interval`); `fisher`
    as NIST printed it; `modern`, Fisher's with the errors that rho and tau have; or `none`."""
    test: str = DEFAULT
    """Between metrics: the name of a test of metrics (`stats.tests.metrics`), or `none`."""
    swap: str | None = None
    """What permutations swap: `cells`, `systems`, `items` or `both`; None for systems at system level, items
    for measures of pairs, else cells."""
    correction: str = "holm"
    """Of the p-values of all pairs of a task."""
    draws: int = 1000
    alpha: float = 0.05
    seed: int = 12345

    def __post_init__(self) -> None:
        for what, value, known in (
            ("interval", self.interval, INTERVALS),
            ("swap", self.swap or "cells", SWAPS),
            ("correction", self.correction, CORRECTIONS),
        ):
            if value not in known:
                raise unknown_name(what, value, known)
        if self.test not in (DEFAULT, NO_TEST):
            self._check_test()
        if self.draws < 1:
            raise UsageError(f"draws must be 1 at least, not {self.draws}")
        if not 0 < self.alpha < 1:
            raise UsageError(f"alpha must lie between 0 and 1, not {self.alpha:g}")

    def _check_test(self) -> None:
        from adjudge.stats.tests import all_of  # late: few ask for another test than the default
        from adjudge.stats.tests.metrics.base import MetricTest

        known = (*all_of(MetricTest), DEFAULT, NO_TEST)
        if self.test not in known:
            raise unknown_name("test", self.test, set(known))
        if why := self.metric_test.refusal_of_swap(self.swap):
            raise UsageError(why)

    @property
    def metric_test(self) -> MetricTest:
        """The test that `test` names, where it names one."""
        from adjudge.stats.tests.metrics.base import metric_test  # late: only those who test load it

        return metric_test(self.test)


def tasks_of(
    usual: Callable[[str], Sequence[Task]],
    known: Sequence[str],
    *,
    gold: str | None = None,
    tasks: str | None = None,
    level: str | None = None,
    correlation: str | None = None,
    grouping: str | None = None,
    exclude: Sequence[str] = (),
    without_outliers: bool = False,
    humans: bool = False,
) -> list[Task]:
    """The tasks of a file, the one that is described here, or the usual ones for the scores of people.

    `known` are the scores of people that are there; `tasks` is a file.
    """
    kind = {"level": level, "correlation": correlation, "grouping": grouping}
    chosen = {name: value for name, value in kind.items() if value}
    if tasks is not None:
        if gold is not None or chosen:
            raise UsageError(
                "--tasks says all of it: leave --gold, --level, --correlation and --grouping out"
            )
        chosen_tasks = list(read_tasks(tasks))
    else:
        if gold is None and not known:
            raise UsageError("say which measure metrics are held against: --gold NAME")
        if gold is None and len(known) > 1:
            raise UsageError(f"several people's scores are there, say which with --gold: {', '.join(known)}")
        name = gold or known[0]
        chosen_tasks = [Task(name, **chosen)] if chosen else list(usual(name))  # type: ignore[arg-type]
    return [
        replace(
            task,
            excluded=(*task.excluded, *exclude),
            outliers=task.outliers and not without_outliers,
            humans=task.humans or humans,
        )
        for task in chosen_tasks
    ]
