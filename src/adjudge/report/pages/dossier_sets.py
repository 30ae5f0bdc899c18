"""The test sets of a study, as a part of a report: each by itself, and means in which all of them count alike."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from adjudge.comparison.results import Comparison, MeasureTable
from adjudge.dossiers.joined_segments import SET
from adjudge.dossiers.marks import preferred_mark
from adjudge.dossiers.study_dossier import StudyDossier
from adjudge.report.pages.addresses import Addresses
from adjudge.report.pages.browser import View, of_any_label, of_mark
from adjudge.report.pages.dossier_links import Links, systems_in
from adjudge.report.pages.exhibits import section_blocks
from adjudge.report.pages.study_rankings import RANKED, rankings_sections
from adjudge.report.render.markup import Html
from adjudge.report.render.sections import Section
from adjudge.report.render.table import Table, linked
from adjudge.report.results import study as study_report


def sets_part(dossier: StudyDossier, links: Links) -> Html:
    """Sets and means of every measure, the numbers leading to the segments of the sets."""
    result = dossier.study
    own = SetLinks(result, links)
    return section_blocks(
        "sets",
        [*rankings_sections(dossier), *study_report.sections(result)],
        study_report.drawings(result, own.addresses),
        own.table,
        own.sentence,
    )


@dataclass(frozen=True)
class SetLinks:
    """Where numbers of test sets and of means over them lead."""

    result: Comparison
    links: Links

    def addresses(self, table: MeasureTable) -> Addresses:
        """Of one measure: systems lead to all of their segments, a cell to those of one set."""
        return Addresses(
            system=lambda system: self.of_system(table, system),
            cell=lambda name, system: self.of_system(table, system, (name,)),
        )

    def of_system(self, table: MeasureTable, system: str, sets: Sequence[str] = ()) -> str:
        """The segments of a system in some sets (all), the worst by this measure first."""
        chosen = sets or table.sets
        where = of_any_label(SET, chosen) if tuple(chosen) != self.result.sets else ""
        return self.links.by_score(system, table.specs.get(chosen[0], table.metric), where=where)

    def of_sets(self, names: Sequence[str]) -> str:
        """All segments of some sets."""
        return self.links.of_view(View(where=of_any_label(SET, names)))

    def sentence(self, section: Section, sentence: str) -> str:
        """What is said of two systems leads to the segments in which they differ."""
        if section.key == RANKED:
            named = systems_in(sentence, self.result.systems)
            return self.of_preferences(named[0], named[1]) if len(named) == 2 else ""
        table = self._measure(section)
        named = systems_in(sentence, self.result.systems)
        return self.links.by_difference(named[0], named[1], table.metric) if table and len(named) == 2 else ""

    def of_preferences(self, a: str, b: str) -> str:
        """The segments on which people put one of two systems before the other, the one that is named first if any."""
        ways = [
            mark for mark in (preferred_mark(a, b), preferred_mark(b, a)) if mark in self.links.table.marks
        ]
        return self.links.of_view(View(system=a, baseline=b, where=of_mark(ways[0]))) if ways else ""

    def table(self, section: Section, table: Table) -> Table:
        """Rows that begin with a system, with two of them, with a test set or a group of sets."""
        if section.key == RANKED:
            names = [[cell.text for cell in row.cells[:2]] for row in table.rows]
            return linked(table, lambda row, column: self.of_preferences(*names[row]))
        measure = self._measure(section)
        if measure is None:
            return table
        systems = self.result.systems
        groups = {(group.by, group.name): group.sets for group in measure.groups}
        kind = section.key.partition(" ")[0]

        def of_cell(row: int, column: int) -> str:
            first, second = (*(cell.text for cell in table.rows[row].cells), "")[:2]
            if first in systems and kind in ("means", "pairs"):
                if second in systems:
                    return self.links.by_difference(first, second, measure.metric)
                return self.of_system(measure, first)
            sets = (first,) if kind == "sets" else groups.get((kind, first), ())
            if not sets:
                return ""
            place = column - 2
            return (
                self.of_system(measure, systems[place], sets)
                if 0 <= place < len(systems)
                else self.of_sets(sets)
            )

        return linked(table, of_cell)

    def _measure(self, section: Section) -> MeasureTable | None:
        metric = section.key.partition(" ")[2]
        return next((table for table in self.result.tables if table.metric == metric), None)
