"""Errors that a program finds and errors that people mark, under one roof: the typology of Vilar et al. (2006).

A program's classes are counted in runs of words (blocks), people's errors in marks, so that both are things that went
wrong once; each is a share of words, and the table has what it is a share of.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from adjudge.analysis.base import Members, no_members
from adjudge.analysis.errors import ErrorClasses, classes_of
from adjudge.analysis.human_scores import judged_segments
from adjudge.comparison.judged_places import JudgedPlaces
from adjudge.data import Outputs, TestSet
from adjudge.data.judgements import ORDINARY, REPEAT, Judgements
from adjudge.display import DOWN, Cell, Column, Data, Displayable, Row, Section, Table, visible
from adjudge.errors import DataError
from adjudge.human.spans import UNWEIGHED
from adjudge.wording import MISSING, join_names, number, pluralise

MOST = 12
"""Categories that are named below a table."""
ROOF = {
    "missing": "missing words",
    "reordering": "word order",
    "inflection": "incorrect form",
    "lexical": "wrong choice",
    "extra": "extra words",
}
"""Where an automatic class stands; the other branches no program of this kind can see."""
BRANCHES = {
    "missing words": "missing words",
    "word order": "word order",
    "wrong choice": "incorrect words",
    "incorrect form": "incorrect words",
    "extra words": "incorrect words",
    "style": "incorrect words",
    "unknown words": "unknown words",
    "punctuation": "punctuation",
    "outside": "",
}
"""All branches in the order of the paper, each with what it is a part of; `outside`: what has no place there."""
CATEGORIES = (
    # What a category is called, in part and in small letters; the first that fits counts.
    (
        "source",
        "",
    ),  # an error of the source is none of the translation's; `source language fragment` is below
    ("omission", "missing words"),
    ("missing", "missing words"),
    ("word order", "word order"),
    ("sentence structure", "word order"),
    ("addition", "extra words"),
    ("extra", "extra words"),
    ("untranslated", "unknown words"),
    ("unknown", "unknown words"),
    ("punctuation", "punctuation"),
    ("incorrect form", "incorrect form"),
    ("word form", "incorrect form"),
    ("grammar", "incorrect form"),
    ("spelling", "incorrect form"),
    ("mistranslation", "wrong choice"),
    ("reinterpretation", "wrong choice"),
    ("lexical choice", "wrong choice"),
    ("disambiguation", "wrong choice"),
    ("terminology", "wrong choice"),
    ("style", "style"),
    ("idiom", "style"),
    ("register", "style"),
    ("inconsisten", "style"),
)
OUTSIDE = "outside"


@dataclass(frozen=True)
class BranchRate:
    """Errors of one branch in one system, by a program or by people."""

    errors: int
    of: int
    """Words: of the output, or of the reference for what a program calls missing."""
    rate: float
    """Errors in a hundred words; NaN where there was nothing to see."""
    members: Members = field(default_factory=no_members, repr=False, compare=False)


@dataclass(frozen=True)
class Branch:
    """One branch of the typology, in all systems."""

    name: str
    above: str
    """The branch that it is a part of; empty for what is outside of the typology."""
    classes: tuple[str, ...]
    """The automatic classes in it."""
    automatic: tuple[BranchRate | None, ...]
    """By system; None where no program of this kind can see it."""
    human: tuple[BranchRate, ...]


@dataclass(frozen=True)
class ErrorTypology(Displayable):
    """Both kinds of errors of several systems by branch."""

    systems: tuple[str, ...]
    judgements: tuple[int, ...]
    """How many outputs of each system people looked at, those that they found without error among them."""
    branches: tuple[Branch, ...]
    categories: tuple[tuple[str, str, int], ...]
    """What people called errors, the branch that it was put under, and how often; '' for errors of the source."""

    @property
    def title(self) -> str:
        """Of its page."""
        return "Errors that the program finds and errors that people mark"

    def sections(self) -> list[Section]:
        """One table: branches down, and for each system what the program found and what people marked."""
        head = [Column("Branch"), Column("part of")]
        for name in self.systems:
            head += [
                Column(f"{visible(name)}, program", True, DOWN),
                Column(f"{visible(name)}, people", True, DOWN, joined=True),
            ]
        rows = []
        for branch in self.branches:
            cells = [Cell(branch.name), Cell("" if branch.above == branch.name else branch.above)]
            for automatic, human in zip(branch.automatic, branch.human, strict=True):
                cells += [Cell(_rate(automatic)), Cell(_rate(human))]
            rows.append(Row(tuple(cells), rule=not branch.above))
        judged = [
            f"{visible(name)} {pluralise(times, 'output')}"
            for name, times in zip(self.systems, self.judgements, strict=True)
        ]
        notes = [
            "Errors in a hundred words, and in brackets errors and words: the program's are runs of words, people's "
            "are marks. Words are the output's, as often as people looked at it, and the reference's for what the "
            f"program calls missing. {MISSING}: no program of this kind can see it.",
            f"People looked at {join_names(judged)}.",
            "What people called errors, and where it stands here: " + _categories(self),
        ]
        return [
            Section(
                "Errors that the program finds and errors that people mark (typology of Vilar et al.)",
                (Table(tuple(head), tuple(rows)),),
                notes=tuple(notes),
                key="typology",
            )
        ]

    def data(self) -> Data:
        """One row per branch and system."""
        head = [
            "branch",
            "part_of",
            "system",
            "program_errors",
            "program_words",
            "people_errors",
            "people_words",
        ]
        rows: list[list[Any]] = []
        for branch in self.branches:
            for name, automatic, human in zip(self.systems, branch.automatic, branch.human, strict=True):
                counts = (automatic.errors, automatic.of) if automatic is not None else (0, 0)
                rows.append([branch.name, branch.above, name, *counts, human.errors, human.of])
        return Data(head, rows)


def branch_of(category: str) -> str:
    """The branch that a category of MQM, or of any other typology, belongs to; '' for errors of the source."""
    name = category.lower()
    if "source language" in name:  # words left as they were
        return "unknown words"
    return next((branch for part, branch in CATEGORIES if part in name), OUTSIDE)


def error_typology(
    classes: ErrorClasses, test_set: TestSet, outputs: Sequence[Outputs], judgements: Judgements
) -> ErrorTypology:
    """Automatic classes of errors and what people marked in the same outputs, branch by branch."""
    if judgements.spans is None:
        raise DataError(
            f"{judgements.place(0)}: no errors are marked in these judgements; MQM, ESA and files with spans have some"
        )
    marks = _marks(judgements, test_set, outputs, classes)
    systems = tuple(system.system for system in classes.systems)
    branches = []
    for name, above in BRANCHES.items():
        own = tuple(errors for errors, branch in ROOF.items() if branch == name)
        automatic = tuple(_automatic(classes, place, own) if own else None for place in range(len(systems)))
        human = tuple(marks.rate(place, name) for place in range(len(systems)))
        branches.append(Branch(name, above, own, automatic, human))
    shown = tuple(
        (category, branch_of(category), count) for category, count in marks.categories.most_common()
    )
    return ErrorTypology(systems, tuple(marks.judgements), tuple(branches), shown)


def _automatic(classes: ErrorClasses, place: int, own: Sequence[str]) -> BranchRate:
    system = classes.systems[place]
    parts = [classes_of([system], errors)[0] for errors in own]
    of = system.reference_words if own == ("missing",) else system.hypothesis_words
    blocks = sum(part.blocks for part in parts)
    members = np.unique(np.concatenate([part.members for part in parts]))
    return BranchRate(blocks, of, 100 * blocks / of if of else math.nan, members)


@dataclass(frozen=True, eq=False)
class _Marks:
    """What people marked, by system."""

    judgements: list[int]
    words: list[int]
    """Of the outputs that people looked at, as often as they did."""
    counts: list[Counter[str]]
    segments: list[dict[str, set[int]]]
    categories: Counter[str]

    def rate(self, place: int, branch: str) -> BranchRate:
        """Marks of a branch in a hundred words."""
        number, of = self.counts[place][branch], self.words[place]
        members = np.array(sorted(self.segments[place].get(branch, ())), np.intp)
        return BranchRate(number, of, 100 * number / of if of else math.nan, members)


def _marks(
    judgements: Judgements, test_set: TestSet, outputs: Sequence[Outputs], classes: ErrorClasses
) -> _Marks:
    places = JudgedPlaces([output.system for output in outputs], test_set)
    segments = judged_segments(judgements, places)
    titles: dict[str, int] = {}
    for place, output in enumerate(outputs):
        titles.setdefault(output.system, place)  # of several training runs, people judged the first
    whose = [[titles[name] for name in places.systems(judged) or ()] for judged in judgements.system.names]
    marks = _Marks(
        [0] * len(outputs),
        [0] * len(outputs),
        [Counter() for _ in outputs],
        [{} for _ in outputs],
        Counter(),
    )
    usable = np.isin(judgements.kind, (ORDINARY, REPEAT)) & (judgements.system.codes >= 0)
    assert judgements.spans is not None
    for row in np.flatnonzero(usable).tolist():
        segment = int(segments[row])
        spans = [span for span in judgements.spans[row] if span.severity.lower() not in UNWEIGHED]
        systems = whose[judgements.system.codes[row]]
        marks.categories.update(span.category or "(no category)" for span in spans if systems)
        for place in systems:
            marks.judgements[place] += 1
            marks.words[place] += int(classes.systems[place].words[segment])
            for branch in filter(None, (branch_of(span.category) for span in spans)):
                marks.counts[place][branch] += 1
                marks.segments[place].setdefault(branch, set()).add(segment)
    if not any(marks.judgements):
        known = ", ".join(judgements.system.names[:5])
        raise DataError(f"no judgement of any of these outputs; judged were {known}, …")
    return marks


def _categories(typology: ErrorTypology) -> str:
    named = [
        f"{visible(category)} {times:,} → {branch or 'left out'}"
        for category, branch, times in typology.categories[:MOST]
    ]
    rest = len(typology.categories) - MOST
    return "; ".join([*named, *([f"{rest} more in JSON"] if rest > 0 else [])]) + "."


def _rate(branch_rate: BranchRate | None) -> str:
    if branch_rate is None or not branch_rate.of:
        return MISSING
    return f"{number(branch_rate.rate, 2)} ({branch_rate.errors:,}/{branch_rate.of:,})"
