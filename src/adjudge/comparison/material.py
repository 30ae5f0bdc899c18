"""What is compared over test sets: each with its outputs, and with scores that no metric made."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from adjudge.comparison.results import Measured, Rows
from adjudge.data import Outputs, TestSet

if TYPE_CHECKING:
    from adjudge.data.judgements import Judgements
    from adjudge.stats.crossed import Crossed
    from adjudge.stats.design import Design


@dataclass(frozen=True, eq=False)
class JudgedParts:
    """What every annotator said of every item, in rows whose weighted mean is the mean over translations."""

    crossed: Crossed
    rows: Mapping[str, Rows]
    """By system."""
    design: Design
    """Of documents or items and annotators, drawn together."""


@dataclass(frozen=True, eq=False)
class FurtherScores:
    """Scores of one test set that no metric made: people's, or a file's."""

    measured: Measured
    labels: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """Of its segments, which need not be all of the test set's."""
    design: Design | None = None
    """Who gave these scores, for where annotators are not drawn."""
    by_people: bool = False
    parts: JudgedParts | None = None
    """The judgements behind them, where annotators can be drawn."""


@dataclass(frozen=True, eq=False)
class StudyMaterial:
    """One test set of a study, and the outputs there are for it."""

    name: str
    test_set: TestSet
    outputs: tuple[Outputs, ...]
    language: str = ""
    domain: str = ""
    further: tuple[FurtherScores, ...] = ()
    rankings: Judgements | None = None
    """Rankings of its outputs, where people ranked them."""
