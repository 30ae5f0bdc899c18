"""Classes of errors by part of speech, and beside what people marked, shown."""

from __future__ import annotations

from adjudge.analysis.error_classes import CLASSES, ErrorClasses
from adjudge.analysis.error_typology import BranchRate, ErrorTypology
from adjudge.display import DOWN, Cell, Column, Row, Section, Table, visible
from adjudge.report.render.analysis_forms import Lines
from adjudge.wording import MISSING, counted, listed, number

MOST = 12
"""Categories that are named below a table."""


def tag_sections(result: ErrorClasses) -> list[Section]:
    """A table a system: parts of speech down, classes across, in percent of the words of each part of speech."""
    sections = []
    for system in result.systems:
        if not system.parts_of_speech:
            continue
        head = [Column("Part of speech"), Column("words", True), Column("of the reference", True)]
        head += [Column(errors, True, DOWN) for errors in CLASSES]
        rows = [
            Row(
                (
                    Cell(visible(own.pos)),
                    Cell(f"{own.hypothesis_words:,}"),
                    Cell(f"{own.reference_words:,}"),
                    *(Cell(number(own.rates[errors], 1)) for errors in CLASSES),
                )
            )
            for own in system.parts_of_speech
        ]
        title = f"{visible(system.system)} by part of speech, in percent"
        notes = ("Words are those of the trees; what is missing has the part of speech in the reference.",)
        key = f"pos {system.system}"
        sections.append(Section(title, (Table(tuple(head), tuple(rows)),), notes=notes, key=key))
    return sections


def typology_sections(typology: ErrorTypology) -> list[Section]:
    """One table: branches down, and for each system what the program found and what people marked."""
    head = [Column("Branch"), Column("part of")]
    for name in typology.systems:
        head += [
            Column(f"{visible(name)}, program", True, DOWN),
            Column(f"{visible(name)}, people", True, DOWN, joined=True),
        ]
    rows = []
    for branch in typology.branches:
        cells = [Cell(branch.name), Cell("" if branch.above == branch.name else branch.above)]
        for automatic, human in zip(branch.automatic, branch.human, strict=True):
            cells += [Cell(_rate(automatic)), Cell(_rate(human))]
        rows.append(Row(tuple(cells), rule=not branch.above))
    judged = [
        f"{visible(name)} {counted(times, 'output')}"
        for name, times in zip(typology.systems, typology.judgements, strict=True)
    ]
    notes = [
        "Errors in a hundred words, and in brackets errors and words: the program's are runs of words, people's are "
        "marks. Words are the output's, as often as people looked at it, and the reference's for what the program "
        f"calls missing. {MISSING}: no program of this kind can see it.",
        f"People looked at {listed(judged)}.",
        "What people called errors, and where it stands here: " + _categories(typology),
    ]
    return [
        Section(
            "Errors that the program finds and errors that people mark (typology of Vilar et al.)",
            (Table(tuple(head), tuple(rows)),),
            notes=tuple(notes),
            key="typology",
        )
    ]


def _categories(typology: ErrorTypology) -> str:
    named = [
        f"{visible(category)} {times:,} → {branch or 'left out'}"
        for category, branch, times in typology.categories[:MOST]
    ]
    rest = len(typology.categories) - MOST
    return "; ".join([*named, *([f"{rest} more in JSON"] if rest > 0 else [])]) + "."


def _rate(own: BranchRate | None) -> str:
    if own is None or not own.of:
        return MISSING
    return f"{number(own.rate, 2)} ({own.errors:,}/{own.of:,})"


def lines(typology: ErrorTypology) -> Lines:
    """A line a branch and system."""
    yield ["branch", "part_of", "system", "program_errors", "program_words", "people_errors", "people_words"]
    for branch in typology.branches:
        for name, automatic, human in zip(typology.systems, branch.automatic, branch.human, strict=True):
            own = (automatic.errors, automatic.of) if automatic is not None else (0, 0)
            yield [branch.name, branch.above, name, *own, human.errors, human.of]
