"""What people said, as a part of a report: the sections of their own page, with numbers that lead to segments."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from adjudge.display import Section, Table, brief, link_cells
from adjudge.dossiers.analysis import Analysis
from adjudge.dossiers.analysis_display import analysis_sections
from adjudge.dossiers.dossier_segments import PEOPLE
from adjudge.dossiers.evaluation_dossier import Dossier
from adjudge.dossiers.marks import JUDGED, SEVERAL_TIMES, annotator_mark, error_mark, preferred_mark
from adjudge.dossiers.segment_table import ScoreColumn
from adjudge.dossiers.soundness import judged_systems
from adjudge.human.annotator_display import AGREEMENT
from adjudge.human.results import RatingAnalysis
from adjudge.report.charts import Addresses
from adjudge.report.pages.exhibits import section_blocks
from adjudge.report.pages.report.browser import View, of_label, of_mark
from adjudge.report.pages.report.links import DELTA, Links, systems_in
from adjudge.report.render.markup import NOTHING, Html

KNOWN = f"{PEOPLE} != missing"


def people_part(dossier: Dossier, links: Links) -> Html:
    """The judgements of people as their own page has them, without the checklist."""
    if dossier.people is None:
        return NOTHING
    own = PeopleLinks(dossier, links)
    return section_blocks(
        "people",
        analysis_sections(dossier.people, on_page=True),
        own.table,
        own.sentence,
        lambda section: Addresses(own.system, own.pair),
    )


@dataclass(frozen=True)
class PeopleLinks:
    """Where what people said leads."""

    dossier: Dossier
    links: Links

    @property
    def people(self) -> Analysis:
        """What they said."""
        assert self.dossier.people is not None
        return self.dossier.people

    @cached_property
    def scores(self) -> ScoreColumn | None:
        """The scores that people gave, beside the segments; None of rankings, and of segments that are not here."""
        return next((score for score in self.dossier.segments.scores if score.key == PEOPLE), None)

    def system(self, name: str, where: str = "") -> str:
        """The segments of a system that were judged, the worst by people first."""
        if self.scores is not None and name in self.scores.values:
            both = " and ".join(filter(None, (KNOWN, where)))
            return self.links.by_score(name, PEOPLE, where=both)
        both = " and ".join(filter(None, (of_mark(JUDGED), where)))
        return self.links.of_view(View(system=name, where=both)) if self._known(JUDGED) else ""

    def pair(self, a: str, b: str) -> str:
        """The segments on which people put a before b; where there are none, those judged of both."""
        if a == b or not {a, b} <= {*self.dossier.systems}:
            return ""
        if self.scores is None:
            ways = [mark for mark in (preferred_mark(a, b), preferred_mark(b, a)) if self._known(mark)]
            where = of_mark(ways[0]) if ways else ""
            return self.links.of_view(View(system=a, baseline=b, where=where)) if ways else ""
        if not {a, b} <= {*self.scores.values}:
            return ""
        lead = self.scores.values[a] - self.scores.values[b]
        lower = self.scores.higher_better is False
        won = bool(np.any(lead < 0 if lower else lead > 0))
        where = f"{DELTA}{PEOPLE} {'<' if lower else '>'} 0"
        if not won:
            where = f"{KNOWN} and baseline.{KNOWN}"
        return self.links.of_view(View(system=a, baseline=b, sort=DELTA + PEOPLE, where=where))

    def sentence(self, section: Section, sentence: str) -> str:
        """Of two systems their segments, of agreement those that several people judged."""
        if section.key == AGREEMENT:
            return self.links.of_mark(SEVERAL_TIMES)
        named = systems_in(sentence, self.dossier.systems)
        return self.pair(named[0], named[1]) if len(named) == 2 else ""

    def table(self, section: Section, table: Table) -> Table:
        """Rows of a system, of two of them, of an annotator and of a kind of error, each with its own segments."""
        where = self._group(section)
        texts = [[cell.text for cell in row.cells] for row in table.rows]
        order = judged_systems(self.people)

        def of_cell(row: int, column: int) -> str:
            first, second = (*texts[row], "")[:2]
            if section.key == "errors":
                return self._error(texts[row], order[column - 2]) if column > 1 else ""
            if section.key == "annotators":
                return self.links.of_mark(annotator_mark(first))
            if section.key == "matrix":
                return self.pair(order[row], order[column - 2]) if column > 1 else ""
            if first in self.dossier.systems:
                return (
                    self.pair(first, second) if second in self.dossier.systems else self.system(first, where)
                )
            return ""

        return link_cells(table, of_cell)

    def _known(self, mark: str) -> bool:
        return mark in self.dossier.segments.marks

    def _error(self, texts: list[str], system: str) -> str:
        """Names of errors may stand shortened in a table."""
        view = View(system=system)
        results = self.people.results
        for error in results.errors if isinstance(results, RatingAnalysis) else ():
            if (brief(error.category), brief(error.severity)) == (texts[0], texts[1]):
                return self.links.of_mark(error_mark(system, error.category, error.severity), view)
        return ""

    def _group(self, section: Section) -> str:
        """The condition that a segment is of the group that a section is about."""
        kind, _, place = section.key.partition(" ")
        if kind != "group":
            return ""
        by: Mapping[str, str] = self.people.groups[int(place)].by
        known = self.dossier.segments.labels
        return " and ".join(
            of_label(name, value) for name, value in by.items() if value in known.get(name, ())
        )
