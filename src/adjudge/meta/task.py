"""A task: one way of asking how well metrics agree with people."""

from __future__ import annotations

import os
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias, cast

from adjudge.errors import UsageError, unknown_name
from adjudge.stats.item_pairs import Grouping, TieRule

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
