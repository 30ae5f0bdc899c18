"""The test sets of a study, as parts of a report: means in which all of them count alike, whom people prefer in the
mean, and each set by itself, of many folded into one line.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from adjudge.comparison.comparison_tables import ComparisonView, system_table
from adjudge.comparison.ranked_sets import TestedPreference
from adjudge.comparison.relevance import unknown_size
from adjudge.comparison.results import Comparison, MeasureTable
from adjudge.comparison.study_display import drawn_sections
from adjudge.comparison.verdict import verdict_sentence
from adjudge.display import Cell, Column, Row, Section, Table, link_cells, visible
from adjudge.dossiers.checklist import FAIL, UNKNOWN
from adjudge.dossiers.joined_segments import SET
from adjudge.dossiers.marks import preferred_mark
from adjudge.dossiers.study_dossier import SetDossier, StudyDossier
from adjudge.report.charts import NOWHERE, Addresses
from adjudge.report.pages.exhibits import leading_list, section_blocks, table_block
from adjudge.report.pages.report.believe import findings_list, point_link
from adjudge.report.pages.report.browser import View, of_any_label, of_mark
from adjudge.report.pages.report.links import Links, linked_systems, systems_in
from adjudge.report.pages.report.parts import claims_list
from adjudge.report.pages.report.people import people_part
from adjudge.report.render.html import html_list
from adjudge.report.render.markup import NEW_LINE, NOTHING, Html, html, prose
from adjudge.wording import CORRECTIONS, join_names, p_number, p_text, pluralise, with_sign

RANKED = "ranked"
"""The key of the section."""
MOST = 8
"""Pairs that get a sentence."""
WORDS = {FAIL: "does not pass", UNKNOWN: "not known"}
MORE = "All there is to see of this set: adjudge report STUDY.toml --set {}"


def sets_part(dossier: StudyDossier, links: Links) -> Html:
    """Sets and means of every measure, the numbers leading to the segments of the sets."""
    result = dossier.study
    own = SetLinks(result, links)
    return section_blocks(
        "sets",
        [*rankings_sections(dossier), *drawn_sections(result)],
        own.table,
        own.sentence,
        own.addresses,
    )


@dataclass(frozen=True)
class SetLinks:
    """Where numbers of test sets and of means over them lead."""

    result: Comparison
    links: Links

    def addresses(self, section: Section) -> Addresses:
        """Of one measure: systems lead to all of their segments, a cell to those of one set."""
        table = self._measure(section)
        if table is None:
            return NOWHERE
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
            return link_cells(table, lambda row, column: self.of_preferences(*names[row]))
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

        return link_cells(table, of_cell)

    def _measure(self, section: Section) -> MeasureTable | None:
        metric = section.key.partition(" ")[2]
        return next((table for table in self.result.tables if table.metric == metric), None)


def rankings_sections(dossier: StudyDossier) -> list[Section]:
    """Every two systems that were compared, and who is preferred; nothing where people ranked nothing."""
    own = dossier.study.rankings
    if own is None:
        return []
    alpha = dossier.study.plan.alpha
    head = ("System", "against"), ("preference", "p", "sets", "ahead on")
    rows = tuple(Row(_cells(pair, alpha)) for pair in own.pairs)
    table = Table((*map(Column, head[0]), *(Column(name, True) for name in head[1])), rows)
    apart = sorted((pair for pair in own.pairs if pair.winner), key=lambda pair: -abs(pair.preference.mean))
    sentences = [_sentence(pair, alpha) for pair in apart[:MOST]] or [
        "Nobody is shown to be preferred in the mean."
    ]
    correction = dossier.study.plan.correction
    corrected = "" if correction == "none" else f", corrected ({CORRECTIONS[correction]})"
    sentences += [unknown_size(["preference"], option="")] if apart else []
    note = (
        "Preference: the share of items on which people put the first before the second less the share on which they "
        "put it behind, from \u22121 to 1; each test set counts alike. p: exact sign-flip test, documents (else items) "
        f"turning within each set{corrected}. By expected wins in the mean: "
        f"{join_names([visible(s) for s in own.scores])}."
    )
    return [
        Section("People’s rankings: mean over test sets", (table,), tuple(sentences), (note,), key=RANKED)
    ]


def _cells(pair: TestedPreference, alpha: float) -> tuple[Cell, ...]:
    own = pair.preference
    style = "" if not pair.winner else "win" if pair.winner == own.a else "loss"
    star = " *" if pair.significant else ""
    return (
        Cell(visible(own.a)),
        Cell(visible(own.b)),
        Cell(with_sign(own.mean, 3), style=style),
        Cell(p_number(pair.p_adjusted, alpha) + star),
        Cell(str(own.sets)),
        Cell(str(own.ahead_on)),
    )


def _sentence(pair: TestedPreference, alpha: float) -> str:
    own = pair.preference
    a, b, on = (own.a, own.b, own.ahead_on) if own.mean > 0 else (own.b, own.a, own.behind_on)
    return (
        f"{visible(a)} is preferred to {visible(b)} in the mean of {pluralise(own.sets, 'test set')} "
        f"({with_sign(abs(own.mean), 3)}, {p_text(pair.p_adjusted, alpha)}), ahead on {on}."
    )


def every_set(dossier: StudyDossier, decimals: int | None) -> Html:
    """A line a set that opens: the best systems' order, what may be claimed, which points do not pass, and why."""
    return NEW_LINE.join(
        _set(place, set_dossier, decimals) for place, set_dossier in enumerate(dossier.sets, 1)
    )


def _set(place: int, set_dossier: SetDossier, decimals: int | None) -> Html:
    dossier = set_dossier.dossier
    links = Links(dossier.segments, f"set-{place}-", set_dossier.name)
    view = ComparisonView.of(dossier.comparison, dossier.comparison.test, decimals)
    parts = [
        html('<div id="{}">', links.of_part("systems")[1:]),
        table_block(
            linked_systems(system_table(view), view, links), f"systems-{set_dossier.name}", "Systems"
        ),
        claims_list(dossier, links),
        html_list(dossier.comparison.warnings, "warnings") if dossier.comparison.warnings else NOTHING,
        html('</div><div id="{}">', links.of_part("believe")[1:]),
        leading_list(
            [
                (f"{point.name}: {WORDS[point.verdict]}; {point.evidence}", point_link(point, dossier, links))
                for point in dossier.soundness.points
                if point.verdict in WORDS
            ],
            "more",
        ),
        html('</div><div id="{}">{}</div>', links.of_part("lint")[1:], findings_list(dossier.lint, links)),
        html('<div id="{}">{}</div>', links.of_part("people")[1:], people_part(dossier, links))
        if dossier.people is not None
        else NOTHING,
        html('<p class="soft">{}</p>', prose(MORE.format(set_dossier.name))),
    ]
    return html(
        '<details class="set"><summary><b>{}</b> {}</summary>{}</details>',
        prose(set_dossier.title),
        prose(verdict_sentence(dossier.verdict)),
        NOTHING.join(parts),
    )
