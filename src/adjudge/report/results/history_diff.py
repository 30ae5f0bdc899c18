"""Two records of a history beside each other, shown: scores, and the segments that got better or worse."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from adjudge.comparison.documents import plain, result_document
from adjudge.display import Cell, Column, Data, Row, Section, Table, arrow, visible
from adjudge.history.diff import Diff, SystemDiff
from adjudge.report.render.formats import Renderer
from adjudge.report.render.section_page import section_page
from adjudge.report.render.tsv import tsv_text
from adjudge.report.results.history_list import identity, when
from adjudge.wording import CORRECTIONS, digits, number, p_number, pluralise, signed

KEEPS = (
    "A history keeps rows, not texts: segments whose rows are the same count as the same, and texts are shown where "
    "files are still as they were."
)


def forms(diff: Diff, *, top: int, version: str) -> Renderer:
    """The two in every format; text has the `top` segments, JSON and TSV all."""
    title = f"From {diff.old.name} to {diff.new.name}"
    about = f"records {diff.old.id} ({when(diff.old.made)} UTC) and {diff.new.id} ({when(diff.new.made)} UTC)"
    return Renderer(
        lambda: sections(diff, top),
        lambda: document(diff, version),
        tsv=lambda: tsv_text(data(diff)),
        html=lambda: section_page(visible(title), about, sections(diff, top), {}, version=version),
    )


def sections(diff: Diff, top: int) -> list[Section]:
    """For each system its scores, then how many segments changed, and the largest gains and losses."""
    parts: list[Section] = []
    for own in diff.systems:
        on = f" on {own.test_set}" if own.test_set else ""
        parts.append(Section(visible(f"{own.system}{on}"), (_scores(own),), notes=(_how(own),)))
        parts += replace(own.changes, top=top).sections()
    return [*parts, Section(notes=(KEEPS,))]


def document(diff: Diff, version: str) -> dict[str, Any]:
    """All that is known, unrounded."""
    made: dict[str, Any] = plain(
        {
            "version": version,
            "old": identity(diff.old),
            "new": identity(diff.new),
            "systems": [
                {
                    "test_set": own.test_set,
                    "system": own.system,
                    "pairs": result_document(own.comparison.pairs),
                    **result_document(own.changes),
                }
                for own in diff.systems
            ],
            "warnings": list(diff.warnings),
        }
    )
    return made


def _scores(own: SystemDiff) -> Table:
    rows = []
    standings = {(s.system, s.metric): s for s in own.comparison.results}
    for pair in own.comparison.pairs:
        new, old = standings[pair.a, pair.metric], standings[pair.b, pair.metric]
        places = digits([pair.delta], new.decimals)
        verdict, style = "no significant change", ""
        if pair.significant:
            better = (pair.delta > 0) == new.higher_is_better
            verdict, style = ("better", "win") if better else ("WORSE", "loss")
        texts = (number(old.score, places), number(new.score, places), signed(pair.delta, places))
        numbers = (*texts, p_number(pair.p_adjusted, own.comparison.test.alpha))
        name = f"{new.label} {arrow(new.higher_is_better)}".rstrip()
        rows.append(Row((Cell(visible(name)), Cell(verdict, style=style), *map(Cell, numbers))))
    head = (Column("Metric"), Column("Verdict"))
    return Table((*head, *(Column(name, True) for name in ("Old", "New", "Change", "p"))), tuple(rows))


def _how(own: SystemDiff) -> str:
    test = own.comparison.test
    over = f"{CORRECTIONS[test.correction]} over {pluralise(test.comparisons, 'test')}"
    return (
        f"{pluralise(own.comparison.test_set.segments, 'segment')}, {test.method}, unit {visible(test.unit)}, {over}, "
        f"alpha {test.alpha:g}, seed {test.seed}"
    )


def data(diff: Diff) -> Data:
    """A row a segment that changed; columns are named alike for all systems."""
    head: list[str] = []
    rows: list[list[Any]] = []
    for own in diff.systems:
        changes = own.changes.data()
        head = head or ["test_set", "system", *changes.head[:-2], "old", "new"]
        rows += [[own.test_set, own.system, *row] for row in changes.rows]
    return Data(head, rows)
