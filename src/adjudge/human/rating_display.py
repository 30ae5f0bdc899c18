"""What people's judgements say, shown: systems with clusters, who beats whom, annotators, what may be claimed."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import asdict, replace
from typing import TYPE_CHECKING, Any

from adjudge.charts import IntervalChart, Matrix, Meeting, matrix_table
from adjudge.comparison.comparison_tables import ComparisonView, is_many, pair_tables, system_table
from adjudge.comparison.comparison_words import CLAIMS, columns, method
from adjudge.comparison.documents import design_document, plain
from adjudge.display import Cell, Column, Data, Row, Section, Table, around, arrow, brief, group_name, visible
from adjudge.human.agreement import RatingAgreement
from adjudge.human.annotator_display import (
    agreement_section,
    annotator_data,
    annotator_documents,
    annotator_sections,
    page_annotators,
)
from adjudge.human.group_display import bar, drawn_group, pair_data, system_data
from adjudge.human.mqm import ErrorType
from adjudge.human.results import RatedSystem, RatingAnalysis, RatingFacts, RatingGroup, decimals_of
from adjudge.wording import MISSING, number, percent, pluralise

if TYPE_CHECKING:
    from adjudge.comparison import Pair

PROTOCOLS = {
    "da": "Direct Assessment",
    "sqm": "Direct Assessment with SQM's labels",
    "esa": "Error Span Annotation",
    "mqm": "Multidimensional Quality Metrics",
    "hter": "HTER",
}
KINDS = {"ordinary": "ordinary one", "tutorial": "tutorial item"}


def sections(
    analysis: RatingAnalysis, *, decimals: int | None = None, on_page: bool = False
) -> list[Section]:
    """All of it for people to read; on a page with intervals, and who beats whom."""
    facts = analysis.facts
    shown = [Section(what(facts), key="what")]
    for place, group in enumerate(analysis.groups):
        own = _group_part(group, place, facts, decimals)
        shown += _drawn(own, group, facts, decimals) if on_page else own
    if facts.whole_systems:
        return shown
    shown += error_sections(analysis)
    shown.append(agreement_section(analysis.agreement, _values(analysis)) if facts.annotators else NAMELESS)
    annotators = page_annotators if on_page else annotator_sections
    return [*shown, *annotators(analysis.annotators, analysis.controls)]


def _group_part(group: RatingGroup, place: int, facts: RatingFacts, decimals: int | None) -> list[Section]:
    """All that is said of the whole, and the systems of a group."""
    if not place:
        return _group_sections(group, facts, decimals)
    table = _systems(group, facts, decimals)
    return [Section(_title(group), (table,), sentences=group.claims, key=f"group {place}")]


def _drawn(
    shown: Sequence[Section], group: RatingGroup, facts: RatingFacts, decimals: int | None
) -> list[Section]:
    """A group on a page."""
    titles = {"systems": "Systems", "pairs": "Every pair"}
    shown = [replace(section, title=titles.get(section.key, section.title)) for section in shown]
    if group.comparison is None:
        return shown
    standings = {s.system: s for s in group.comparison.results}
    first = group.comparison.results[0]
    places = first.decimals if decimals is None else decimals
    bars = [bar(s, standings[s.system].score, places) for s in group.systems]
    level = f"{percent(group.comparison.test.confidence)} intervals"
    chart = IntervalChart(bars, first.label, arrow(facts.higher_is_better), level)
    return drawn_group(shown, chart, _matrix(group), "Who beats whom")


def _values(analysis: RatingAnalysis) -> str:
    """What agreement is on; answers yes and no are what they are."""
    return analysis.facts.score if isinstance(analysis.agreement, RatingAgreement) else ""


def _title(group: RatingGroup) -> str:
    known = [s.n_judgements for s in group.systems if s.n_judgements is not None]
    number = f": {pluralise(sum(known), 'judgement')}" if len(known) == len(group.systems) else ""
    return brief(group_name(group.by)) + number


def what(facts: RatingFacts) -> str:
    """What was judged, in a line."""
    name = PROTOCOLS.get(facts.protocol, facts.protocol)
    kinds = (
        [pluralise(n, KINDS.get(kind, kind)) for kind, n in facts.kinds.items()]
        if len(facts.kinds) > 1
        else []
    )
    inside = f" ({', '.join(kinds)})" if kinds else ""
    people = f" by {pluralise(facts.annotators, 'annotator')}" if facts.annotators else ""
    if facts.whole_systems:
        number = f" {pluralise(facts.judgements, 'score')} of" if facts.judgements > facts.systems else ""
        return f"{name}:{number} {pluralise(facts.systems, 'whole system')}{people}"
    return (
        f"{name}: {pluralise(facts.judgements, 'judgement')}{inside} of {pluralise(facts.systems, 'system')} "
        f"on {pluralise(facts.items, 'item')}{people}"
    )


def _group_sections(group: RatingGroup, facts: RatingFacts, decimals: int | None) -> list[Section]:
    tables = [_systems(group, facts, decimals)]
    own = (OWN_Z,) if facts.own_z else ()
    if group.comparison is None:
        unknown = (UNKNOWN_NUMBERS,) if any(s.n_judgements is None for s in group.systems) else ()
        return [Section("", tuple(tables), group.claims, (*unknown, *own), key="systems")]
    comparison = group.comparison
    view = ComparisonView.of(comparison, comparison.test, decimals)
    pairs = () if is_many(view) else tuple(pair_tables(view))
    matrix = _matrix(group)
    notes = [
        f"n: distinct translations that were judged{_unit(facts)}; N: judgements.",
        *own,
        *((facts.design,) if facts.design else ()),
        *method(comparison.test),
        *(() if is_many(view) else columns(view)),
        matrix.note,
    ]
    return [
        Section("", tuple(tables), key="systems"),
        *((Section("", pairs, key="pairs"),) if pairs else ()),
        Section("", (matrix_table(matrix),), notes=tuple(notes), key="matrix"),
        Section(CLAIMS, sentences=comparison.claims, key="claims"),
    ]


def _unit(facts: RatingFacts) -> str:
    return ", the unit of every test" if facts.unit == "translation" else ""


NAMELESS = Section("Agreement", sentences=("Cannot be told: the files do not name the annotators.",))
UNKNOWN = "unknown"
UNKNOWN_NUMBERS = "n: distinct translations that were judged; N: judgements. Unknown: the files do not say."
OWN_Z = "z: as the files have it, which do not name the annotators."


def _systems(group: RatingGroup, facts: RatingFacts, decimals: int | None) -> Table:
    """The table of a comparison, with raw means (where others were tested), n and N; without tests the scores alone."""
    by_name = {s.system: s for s in group.systems}
    places = decimals_of(facts.protocol, [s.mean for s in group.systems]) if decimals is None else decimals
    numbers = (Column("n", True), Column("N", True))

    def cells(s: RatedSystem) -> tuple[Cell, ...]:
        return (Cell(_count(s.n_translations)), Cell(_count(s.n_judgements)))

    if group.comparison is None:
        better = arrow(facts.higher_is_better)
        has_z = facts.score == "z"
        scores = (Column("z", True, better),) if has_z else ()
        raw = Column("raw" if has_z else facts.protocol.upper(), True, "" if has_z else better)
        rows = []
        for s in group.systems:
            shown = [around(s.mean, s.low, s.high, places)]
            if has_z:
                z = math.nan if s.z is None else s.z
                shown = [around(z, s.low, s.high, 3), number(s.mean, places)]
            rows.append(Row((Cell(visible(s.system)), *map(Cell, shown), *cells(s))))
        return Table((Column("System"), *scores, raw, *numbers), tuple(rows))
    raw_column = () if facts.score == "raw" else (Column("raw", True),)
    view = ComparisonView.of(group.comparison, group.comparison.test, decimals)
    table = system_table(view)
    extended = []
    for row, name in zip(table.rows, view.systems, strict=True):
        own = by_name[name]
        mean = (Cell(number(own.mean, places)),) if raw_column else ()
        extended.append(Row((*row.cells, *mean, *cells(own)), row.detail, row.rule))
    return Table((*table.columns, *raw_column, *numbers), tuple(extended))


def _count(value: int | None) -> str:
    return UNKNOWN if value is None else f"{value:,}"


def _matrix(group: RatingGroup) -> Matrix:
    assert group.comparison is not None
    return Matrix.of(
        tuple(s.system for s in group.systems),
        {
            (p.a, p.b): Meeting(p.p_adjusted, p.significant, p.better_on, p.worse_on, p.common)
            for p in group.pairs
        },
        alpha=group.comparison.test.alpha,
        corrected=group.comparison.test.correction != "none" and len(group.pairs) > 1,
        corner="P(row beats column)",
        share="the share of items judged for both on which the row beats the column (ties are neither's)",
    )


def document(analysis: RatingAnalysis) -> dict[str, Any]:
    """All that is known, unrounded."""
    return {
        "judgements": asdict(analysis.facts) | {"kinds": dict(analysis.facts.kinds)},
        "groups": [_group_document(group) for group in analysis.groups],
        "agreement": plain(asdict(analysis.agreement)),
        "annotators": annotator_documents(analysis.annotators, analysis.controls),
        "controls": [plain(asdict(control)) for control in analysis.controls],
        "errors": [plain(asdict(error)) for error in analysis.errors],
        "warnings": list(analysis.warnings),
    }


def _group_document(group: RatingGroup) -> dict[str, Any]:
    comparison = group.comparison
    return {
        "by": dict(group.by),
        "method": comparison.test.method if comparison else None,
        "systems": [plain(asdict(s)) for s in group.systems],
        "pairs": [_pair_document(pair) for pair in group.pairs],
        "test": asdict(comparison.test) if comparison else None,
        "claims": list(group.claims),
        "remarks": [],
        "design": design_document(comparison.design) if comparison else None,
    }


def _pair_document(pair: Pair) -> dict[str, Any]:
    document: dict[str, Any] = plain(
        {
            "a": pair.a,
            "b": pair.b,
            "delta": pair.delta,
            "low": pair.low,
            "high": pair.high,
            "p": pair.p,
            "p_adjusted": pair.p_adjusted,
            "effect": pair.better_on,
            "effect_reversed": pair.worse_on,
            "common": pair.common,
            "significant": pair.significant,
            "detectable": pair.detectable,
            "share": pair.share,
            "detectable_share": pair.detectable_share,
        }
    )
    if pair.margin is not None:
        document["margin"] = plain(asdict(pair.margin))
    return document


SYSTEM_COLUMNS = ("system", "mean", "z", "low", "high", "n_translations", "n_judgements", "cluster")
SEGMENT_COLUMNS = ("system", "item", "mean", "z", "n_judgements")
PAIR_COLUMNS = (
    *("a", "b", "delta", "low", "high", "p", "p_adjusted"),
    *("effect", "effect_reversed", "significant", "detectable", "share", "detectable_share"),
)


def data(analysis: RatingAnalysis, table: str = "systems") -> Data:
    """A row a system, a pair, a translation, an annotator or a kind of error; unrounded."""
    if table == "annotators":
        return annotator_data(analysis.annotators, analysis.controls)
    if table == "segments":
        return _fields(analysis.segments(), SEGMENT_COLUMNS)
    if table == "errors":
        return _fields(analysis.errors, COLUMNS)
    if table == "pairs":
        pairs = ((g.by, [_pair_document(p) for p in g.pairs]) for g in analysis.groups)
        return pair_data(pairs, PAIR_COLUMNS)
    return system_data(((g.by, g.systems) for g in analysis.groups), SYSTEM_COLUMNS)


def _fields(records: Iterable[Any], names: Sequence[str]) -> Data:
    return Data(names, [[getattr(record, name) for name in names] for record in records])


MOST = 10
"""Kinds of errors that are shown on a screen; -f tsv --table errors has all."""
COLUMNS = ("system", "category", "severity", "count", "rate", "weight")


def error_sections(analysis: RatingAnalysis) -> list[Section]:
    """How often each kind of error was marked in a hundred judgements of each system."""
    if not analysis.errors:
        return []
    systems = [s.system for s in analysis.groups[0].systems]
    kinds: dict[tuple[str, str], float] = {}
    cells: dict[tuple[str, str, str], ErrorType] = {}
    for error in analysis.errors:
        key = error.category, error.severity
        kinds[key] = kinds.get(key, 0.0) + error.weight
        cells[(*key, error.system)] = error
    order = sorted(kinds, key=lambda key: (-kinds[key], key))
    head = [Column("Error"), Column("severity"), *(Column(str(i), True) for i in range(1, len(systems) + 1))]
    rows = []
    for category, severity in order[:MOST]:
        own = [cells.get((category, severity, system)) for system in systems]
        rates = [Cell(MISSING if error is None else number(error.rate, 1)) for error in own]
        rows.append(Row((Cell(brief(category)), Cell(brief(severity)), *rates)))
    names = ", ".join(f"{i} {visible(name)}" for i, name in enumerate(systems, 1))
    notes = [f"Errors in a hundred judgements of each system ({names})."]
    if analysis.facts.weights:
        notes.append(f"What an error weighs: {analysis.facts.weights}.")
    if len(order) > MOST:
        notes.append(f"{len(order) - MOST} more kinds: -f tsv --table errors.")
    return [Section("Errors", (Table(tuple(head), tuple(rows)),), notes=tuple(notes), key="errors")]
