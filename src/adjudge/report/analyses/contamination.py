"""What of a test set stands in a training text, shown; as TSV it is a file of labels."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from adjudge.checks.contamination import KINDS, MUCH, WORDS, SeenSegments, worst_kinds
from adjudge.display import Cell, Column, Row, Section, Table, visible
from adjudge.report.render.analysis_forms import Lines, analysis_forms, facts
from adjudge.report.render.formats import Forms
from adjudge.wording import counted, percent, percent_of

if TYPE_CHECKING:
    from adjudge.io import Input


def forms(seen: dict[str, SeenSegments], *, version: str, inputs: Sequence[Input] = ()) -> Forms:
    """By text, in every format."""
    return analysis_forms(
        "What of the test set stands in the training text",
        lambda: sections(seen),
        lambda: {"texts": {name: facts(own) | {"kinds": own.kinds} for name, own in seen.items()}},
        lambda: lines(seen),
        version=version,
        inputs=inputs,
    )


def sections(seen: dict[str, SeenSegments]) -> list[Section]:
    """How many segments of each text are seen, and how."""
    head = (Column("Text"), Column("segments", True), *(Column(kind, True) for kind in KINDS))
    rows = []
    for name, own in seen.items():
        kinds = own.kinds
        cells = [
            Cell(f"{kinds.count(kind):,} ({percent_of(kinds.count(kind) / max(1, len(kinds)))})")
            for kind in KINDS
        ]
        rows.append(Row((Cell(visible(name)), Cell(f"{len(kinds):,}"), *cells)))
    lines = next(iter(seen.values())).lines
    notes = (
        f"{counted(lines, 'line')} of training text. exact: a line is the segment; alike: but for case, spaces and "
        f"punctuation; overlap: at least {percent(MUCH)} of its words stand in runs of {WORDS} that the text has.",
    )
    return [Section("Segments that the training text has", (Table(head, tuple(rows)),), notes=notes)]


def lines(seen: dict[str, SeenSegments]) -> Lines:
    """A line a segment: the worst kind of its texts, and the largest share of its words."""
    yield ["contamination", "covered"]
    shares = zip(*(own.covered for own in seen.values()), strict=True)
    for kind, own in zip(worst_kinds(seen), shares, strict=True):
        yield [kind, round(max(own), 4)]
