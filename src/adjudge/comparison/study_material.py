"""Test sets that are compared, with the outputs and scores that there are for each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from adjudge.comparison.groups import labels_of
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
class SetMeasure:
    """One measure on one test set, and the labels of the segments that it is of."""

    measured: Measured
    labels: Mapping[str, Sequence[str]] = field(default_factory=dict)
    design: Design | None = None
    """Who gave these scores, for where annotators are not drawn."""
    by_people: bool = False
    parts: JudgedParts | None = None
    """The judgements behind them, where annotators can be drawn."""
    is_metric: bool = False
    """Whether a metric made its rows; people's scores need not be of all segments, nor those of a file."""


@dataclass(frozen=True, eq=False)
class StudyMaterial:
    """One test set of a study, and the outputs there are for it."""

    name: str
    test_set: TestSet
    outputs: tuple[Outputs, ...]
    language: str = ""
    domain: str = ""
    further: tuple[SetMeasure, ...] = ()
    """Scores that no metric made: people's, or a file's."""
    rankings: Judgements | None = None
    """Rankings of its outputs, where people ranked them."""

    def measures(self, measured: Sequence[Measured]) -> list[SetMeasure]:
        """Each with its labels: these of metrics, and further ones as they are."""
        further = {id(own.measured): own for own in self.further}
        labels = labels_of(self.test_set)
        return [
            further.get(id(metric_rows)) or SetMeasure(metric_rows, labels, is_metric=True)
            for metric_rows in measured
        ]


SetPlaces = tuple[str, str, list[int]]
"""By what, its name, and the places of its test sets."""


def study_groups(material: Sequence[StudyMaterial]) -> list[SetPlaces]:
    """All of these sets, and those of each language pair and domain where there are several, by their places."""
    groups: list[SetPlaces] = [("all", "all", list(range(len(material))))]
    for by in ("language", "domain"):
        values = [getattr(set_material, by) for set_material in material]
        present = list(dict.fromkeys(filter(None, values)))
        if len(present) > 1:
            groups += [(by, value, [i for i, own in enumerate(values) if own == value]) for value in present]
    return groups
