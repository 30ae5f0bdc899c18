"""Where the numbers of a report lead: the segments that each of them is made of, as addresses of the browser."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from adjudge.analysis.base import REFERENCE
from adjudge.analysis.buckets import BucketScores, BucketTable
from adjudge.analysis.changes import Change, Changes
from adjudge.analysis.errors import CLASSES, ErrorClasses
from adjudge.analysis.faults import Faults
from adjudge.analysis.ngrams import NgramDifference, NgramDifferences
from adjudge.analysis.words import WordAccuracy
from adjudge.comparison.comparison_tables import ComparisonView
from adjudge.display import Table, link_cells
from adjudge.dossiers import marks
from adjudge.dossiers.grids import ScoreGrid
from adjudge.dossiers.joined_segments import SET, identifier
from adjudge.dossiers.segment_table import SegmentTable
from adjudge.report.pages.report.browser import View, name_in_condition, of_label, of_mark, segment_link

DELTA = "Δ"


@dataclass(frozen=True)
class Links:
    """Addresses of segments; '' where a table of segments has nothing to show."""

    table: SegmentTable
    prefix: str = ""
    """Before the names of parts, where a page has several of a kind."""
    test_set: str = ""
    """What the table is of, where the page has the segments of several sets."""

    def of_part(self, name: str) -> str:
        """A part of the page: `systems`, `people`, `lint`."""
        return f"#{self.prefix}{name}"

    def by_score(self, system: str, key: str, **more: str) -> str:
        """The segments of a system, the worst by a score first."""
        known = any(scores.key == key and system in scores.values for scores in self.table.scores)
        return self.of_view(View(system=system, sort=key if known else "", **more))  # type: ignore[arg-type]

    def by_difference(self, system: str, other: str, key: str, **more: str) -> str:
        """The segments of two systems, the greatest losses of the first one first."""
        view = View(system=system, baseline=other, sort=DELTA + key, show="different", **more)  # type: ignore[arg-type]
        return self.of_view(view)

    def of_mark(self, mark: str, view: View | None = None) -> str:
        """The segments of a named set."""
        if mark not in self.table.marks:
            return ""
        return self.of_view(replace(view or View(), where=of_mark(mark)))

    def of_label(self, name: str, value: str) -> str:
        """The segments whose label has a value."""
        return self.of_view(View(where=of_label(name, value)))

    def of_count(self, name: str, system: str, other: str = "") -> str:
        """The segments of a system that have an error or a fault, those with most of them first; all where none has."""
        if name == "all":
            known = [errors for errors in CLASSES if errors in self.table.counts]
            where = " or ".join(f"{name_in_condition(errors)} > 0" for errors in known)
            return self.of_view(View(where=where, system=system, baseline=other))
        if name not in self.table.counts:
            return self.of_view(View(system=system, baseline=other))
        where = f"{name_in_condition(name)} > 0"
        return self.of_view(View(where=where, sort=name, order="down", system=system, baseline=other))

    def of_band(self, key: str, system: str, low: float, high: float, *, last: bool) -> str:
        """The segments of a system whose score lies between two numbers."""
        name = name_in_condition(key)
        end = "<=" if last else "<"
        where = f"{name} >= {low:.10g} and {name} {end} {high:.10g}"
        return self.of_view(View(where=where, system=system, sort=key))

    def of_cell(self, grid: ScoreGrid, x: int, y: int) -> str:
        """The segments of a cell of two scores."""
        name, other = name_in_condition(grid.x.key), name_in_condition(grid.y.key)
        two = grid.x.system != grid.y.system
        parts = []
        for axis, place, term in ((grid.x, x, name), (grid.y, y, f"baseline.{other}" if two else other)):
            low, high = axis.bounds(place)
            parts.append(f"{low:.10g} <= {term} {'<=' if axis.is_last(place) else '<'} {high:.10g}")
        baseline = grid.y.system if two else ""
        return self.of_view(View(where=" and ".join(parts), system=grid.x.system, baseline=baseline))

    def of_segment(self, place: int, system: str = "", other: str = "") -> str:
        """One segment, by its place from 0."""
        return self.of_view(View(segment=self.table.identifiers[place], system=system, baseline=other))

    def of_view(self, view: View) -> str:
        """Any view; '' where its system is not here."""
        if view.system and view.system not in self.table.outputs:
            return ""
        if view.baseline and view.baseline not in self.table.outputs:
            view = replace(view, baseline="")
        if self.test_set:
            inside = of_label(SET, self.test_set)
            view = replace(
                view,
                where=f"{inside} and ({view.where})" if view.where else inside,
                segment=identifier(self.test_set, view.segment) if view.segment else "",
            )
        return segment_link(view)


def systems_in(sentence: str, systems: Iterable[str]) -> list[str]:
    """The systems that a sentence names, as they come; of names within each other the longest is meant."""
    names = sorted(map(re.escape, systems), key=len, reverse=True)
    named = re.findall(rf"(?<!\w)(?:{'|'.join(names)})(?!\w)", sentence) if names else []
    return list(dict.fromkeys(named))


def linked_systems(table: Table, view: ComparisonView, links: Links) -> Table:
    """A row a system: a score leads to its segments, a difference to those that differ."""
    columns: list[Callable[[str], str]] = []
    for metric in view.pairwise.metrics:
        columns.append(lambda system, metric=metric: links.by_score(system, metric))  # type: ignore[misc]
        if view.has_clusters(metric):
            columns.append(lambda system, metric=metric: links.by_score(system, metric))  # type: ignore[misc]
        elif (baseline := view.test.baseline) is not None:
            columns.append(
                lambda system, metric=metric, baseline=baseline: links.by_difference(system, baseline, metric)  # type: ignore[misc]
            )
    return link_cells(
        table,
        lambda row, column: columns[column - 1](view.systems[row]) if column else _all(links, view, row),
    )


def _all(links: Links, view: ComparisonView, row: int) -> str:
    return links.by_score(view.systems[row], next(iter(view.pairwise.metrics)))


def linked_pairs(table: Table, view: ComparisonView, metric: str, links: Links, *, triangle: bool) -> Table:
    """A row a pair, or a triangle of differences: the segments in which two systems differ."""
    if triangle:

        def of_cell(row: int, column: int) -> str:
            if column < 2 or not table.rows[row].cells[column].text:
                return ""
            return links.by_difference(view.systems[row], view.systems[column - 1], metric)

        return link_cells(table, of_cell)
    pairs = view.tested(metric)
    return link_cells(table, lambda row, _: links.by_difference(pairs[row].a, pairs[row].b, metric))


def linked_buckets(table: Table, result: BucketScores, own: BucketTable, links: Links) -> Table:
    """A row a bucket; of every system but the first three columns, of that one."""
    first = result.systems[0]

    def of_cell(row: int, column: int) -> str:
        mark = marks.bucket_mark(result.by, own.buckets[row].name)
        if column < 2:
            return links.of_mark(mark)
        if column == 2:
            return links.of_mark(mark, View(system=first, sort=own.metric))
        place, part = divmod(column - 3, 3)
        system = result.systems[place + 1]
        view = View(system=system, baseline=first, sort=own.metric if part == 0 else DELTA + own.metric)
        return links.of_mark(mark, view)

    return link_cells(table, of_cell)


def linked_error_rates(table: Table, result: ErrorClasses, links: Links) -> Table:
    """A row a class of errors, a column a system behind two."""
    names = [*CLASSES, "all"]
    systems = [system.system for system in result.systems]
    return link_cells(
        table, lambda row, column: links.of_count(names[row], systems[column - 2]) if column > 1 else ""
    )


def linked_error_differences(table: Table, result: ErrorClasses, links: Links) -> Table:
    """A row a class of errors, two columns a system but the first."""
    names = [*CLASSES, "all"]
    first, *others = [system.system for system in result.systems]
    return link_cells(
        table,
        lambda row, column: links.of_count(names[row], others[(column - 1) // 2], first) if column else "",
    )


def linked_error_words(table: Table, result: ErrorClasses, links: Links) -> Table:
    """A row a class of errors, a column a system."""
    systems = [system.system for system in result.systems]
    return link_cells(
        table, lambda row, column: links.of_count(CLASSES[row], systems[column - 1]) if column else ""
    )


def linked_faults(table: Table, result: Faults, links: Links) -> Table:
    """A row a kind of fault, a column a text behind three; none leads to where there could have been some."""

    def of_cell(row: int, column: int) -> str:
        kind = result.kinds[row]
        if column < 3:
            return ""
        own = kind.systems[column - 3]
        view = View(against="reference") if own.system == REFERENCE else View(system=own.system)
        if own.faults and own.system == REFERENCE:
            return links.of_mark(marks.fault_mark(kind.name, REFERENCE), view)
        if own.faults:
            return links.of_count(kind.name, own.system)
        return links.of_mark(marks.possible_mark(kind.name), view) or links.of_view(view)

    return link_cells(table, of_cell)


def linked_places(table: Table, places: Sequence[tuple[str, int]], links: Links) -> Table:
    """A row a segment of a system, by its number from 1."""
    return link_cells(table, lambda row, _: links.of_segment(places[row][1] - 1, places[row][0]))


def linked_ngrams(
    table: Table, result: NgramDifferences, chosen: Sequence[NgramDifference], links: Links
) -> Table:
    """A row an n-gram: its count of either system, and the segments of both."""

    def of_cell(row: int, column: int) -> str:
        both = [marks.ngram_mark(name, result.kind, chosen[row].words) for name in (result.a, result.b)]
        view = View(system=result.a, baseline=result.b)
        if column in (1, 2) and both[column - 1] in links.table.marks:
            return links.of_mark(both[column - 1], view)
        known = [mark for mark in both if mark in links.table.marks]
        where = " or ".join(map(of_mark, known))
        return links.of_view(replace(view, where=where)) if known else ""

    return link_cells(table, of_cell)


def linked_words(table: Table, result: WordAccuracy, links: Links) -> Table:
    """A row a bucket of words, three columns a system behind two."""

    def of_cell(row: int, column: int) -> str:
        name = result.buckets[row].name
        if column < 2:
            return links.of_mark(marks.words_mark(result.by, name))
        system = result.systems[(column - 2) // 3]
        wrong = links.of_mark(marks.words_mark(result.by, name, system), View(system=system))
        return wrong or links.of_mark(marks.words_mark(result.by, name), View(system=system))

    return link_cells(table, of_cell)


def linked_texts(table: Table, texts: Sequence[str], links: Links) -> Table:
    """A row a text: all segments of a system."""
    return link_cells(
        table,
        lambda row, _: links.of_view(
            View(against="reference") if texts[row] == REFERENCE else View(system=texts[row])
        ),
    )


def linked_verdicts(table: Table, result: Changes, links: Links) -> Table:
    """A row a verdict on segments that changed."""
    verdicts = list(result.counts)
    view = View(system=result.new, baseline=result.old)
    return link_cells(
        table,
        lambda row, _: (
            links.of_mark(marks.change_mark(result.old, result.new, verdicts[row]), view)
            or links.of_view(view)
        ),
    )


def linked_changes(table: Table, result: Changes, rows: Mapping[int, Change], links: Links) -> Table:
    """Some rows a segment; those below are its texts."""
    return link_cells(
        table,
        lambda row, _: links.of_segment(rows[row].segment - 1, result.new, result.old) if row in rows else "",
    )


def finding_link(place: int, check: str, system: str, links: Links) -> str:
    """The segments of a finding of lint, by its place from 1."""
    known = system if system in links.table.outputs else ""
    return links.of_mark(marks.finding_mark(place, check), View(system=known))
