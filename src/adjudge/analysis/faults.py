"""Faults that need no judge: numbers lost, words untranslated, text in circles.

Each kind is counted in rows (faulty, all), so that it has an interval and can be tested like a score. The references go
through the same: what they "get wrong" is what the kind mistakes for a fault.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from heapq import nsmallest
from typing import NamedTuple

import numpy as np

from adjudge.analysis.base import (
    REFERENCE,
    UNTESTED,
    AnalysisInputs,
    Contrast,
    Members,
    columns_within,
    compare_shares,
    contrasts,
    design_notes,
    first_reference,
    interval_chart,
    no_members,
    percentage,
    texts_with_reference,
)
from adjudge.analysis.fault_kinds import KINDS, FaultKind, named_entities
from adjudge.analysis.seen_text import SeenText
from adjudge.charts import IntervalChart
from adjudge.comparison.groups import units_to_draw
from adjudge.data import Outputs, TestSet
from adjudge.display import (
    DOWN,
    Cell,
    Column,
    Data,
    Displayable,
    Records,
    Row,
    Section,
    Table,
    brief,
    visible,
)
from adjudge.errors import UsageError
from adjudge.metrics.base import Rows
from adjudge.stats.design import AUTO, Design, units_of
from adjudge.stats.ratios import RatioTest
from adjudge.stats.resampling import Estimate, estimate, resampled_scores
from adjudge.stats.units import Units
from adjudge.text.parsers import named_entities_of
from adjudge.wording import MISSING, family, number, p_text, pluralise, with_sign

EXAMPLES = 5


EXAMPLES_SHOWN = 2


@dataclass(frozen=True)
class FaultExample:
    """One segment with a fault."""

    segment: int
    """From 1."""
    what: tuple[str, ...]


@dataclass(frozen=True)
class SystemFault:
    """One kind of fault in one text."""

    system: str
    faults: int
    of: int
    rate: float
    """In percent; NaN where there is nothing that could be faulty."""
    low: float
    high: float
    segments: int
    """Segments with at least one."""
    delta: float
    """Against the first system; NaN of that and of the reference."""
    p: float
    p_adjusted: float
    significant: bool
    examples: tuple[FaultExample, ...]
    members: Members = field(default_factory=no_members, repr=False, compare=False)
    """Segments with at least one."""


@dataclass(frozen=True)
class Fault:
    """One kind of fault in all texts, the reference last."""

    name: str
    meaning: str
    of: str
    systems: tuple[SystemFault, ...]


@dataclass(frozen=True)
class Faults(Displayable):
    """All kinds of faults."""

    systems: tuple[str, ...]
    kinds: tuple[Fault, ...]
    segments: int
    alpha: float
    design: Design
    """What intervals and tests draw."""
    family: int = field(default=0, repr=False)
    """How many tests p was corrected over, with those of other analyses; 0: its own alone."""

    @property
    def title(self) -> str:
        """Of its page."""
        return f"Faults of {pluralise(len(self.systems), 'system')}"

    @property
    def about(self) -> str:
        """Below the title of its page."""
        return pluralise(self.segments, "segment")

    def sections(self) -> list[Section]:
        """Rates, differences in words, and examples."""
        notes = (
            "Each in percent of what stands under “of”. What the reference seems to get wrong, as numbers written in "
            "words or names that stay as they are, is what this way of looking mistakes for a fault.",
            f"Differences to {visible(self.systems[0])}: tested by turning signs of {units_of(self.design.unit)}, "
            f"p corrected after Holm over {family(self.family, 'them')}.",
            *design_notes(self.design),
        )
        rates = self._records().by_system()
        return [
            Section(
                "Faults, in percent", (rates,), tuple(_sentences(self)), key="rates", charts=_charts(self)
            ),
            Section("Where to look", (_examples(self),)) if _has_examples(self) else Section(),
            Section(notes=notes),
        ]

    def data(self) -> Data:
        """One row per kind and text."""
        return self._records().data()

    def _records(self) -> Records:
        def rate(fault_row: FaultRow) -> Cell:
            counts = fault_row.counts
            return Cell(
                f"{number(counts.rate, 1)} ({counts.faults:,}/{counts.of:,})" if counts.of else MISSING,
                fault_row.best,
            )

        columns = (
            Column.of("fault", "Fault", value=lambda row: row.kind.name, key=True),
            Column("which is", value=lambda row: row.kind.meaning, key=True),
            Column("of", value=lambda row: row.kind.of, key=True),
            Column.of("system"),
            *columns_within("counts", ("faults", "of")),
            Column("{}", True, DOWN, text=rate),
            *columns_within("counts", ("rate", "low", "high", "segments", "delta", "p", "p_adjusted")),
        )
        rows = []
        for kind in self.kinds:
            known = [s.rate for s in kind.systems if s.system != REFERENCE and math.isfinite(s.rate)]
            best = min(known, default=math.nan) if len(set(known)) > 1 else math.nan
            rows += [
                FaultRow(kind, system.system, system, system.system != REFERENCE and system.rate == best)
                for system in kind.systems
            ]
        return Records(columns, rows)


class FaultRow(NamedTuple):
    """One text's faults of a kind, as a row of data."""

    kind: Fault
    system: str
    counts: SystemFault
    best: bool


@dataclass(frozen=True, eq=False)
class FaultCounts:
    """What is faulty in every segment of every text, the reference's last."""

    systems: tuple[str, ...]
    texts: tuple[str, ...]
    """The systems, and the reference where there is one."""
    rows: Mapping[tuple[str, str], Rows]
    """By kind and text: faults and how many there could be, a row a segment."""
    places: Mapping[tuple[str, str], Sequence[FaultExample]]
    """By kind and text: the first segments that have any."""
    kinds: tuple[FaultKind, ...] = KINDS


def fault_counts(
    test_set: TestSet, outputs: Sequence[Outputs], kinds: Sequence[FaultKind] = KINDS
) -> FaultCounts:
    """The faults of every output and of the first reference that can be seen from the source, segment by segment."""
    if test_set.sources is None:
        raise UsageError("faults are seen beside the source: -s FILE")
    sources = SeenText(test_set.sources)
    texts = texts_with_reference(test_set, outputs)
    rows: dict[tuple[str, str], Rows] = {}
    places: dict[tuple[str, str], list[FaultExample]] = {}
    for name, segments in texts.items():
        text = SeenText(segments)
        for kind in kinds:
            faulty = kind.find(sources, text)
            rows[kind.name, name] = counts = np.zeros((len(sources), 2))
            counts[:, 1] = faulty.of
            counts[list(faulty.what), 0] = list(map(len, faulty.what.values()))
            places[kind.name, name] = [
                FaultExample(place + 1, tuple(faulty.what[place]))
                for place in nsmallest(EXAMPLES, faulty.what)
            ]
    systems = tuple(dict.fromkeys(output.title for output in outputs))
    return FaultCounts(systems, tuple(texts), rows, places, tuple(kinds))


def faults(
    test_set: TestSet,
    outputs: Sequence[Outputs],
    *,
    kinds: Sequence[FaultKind] = KINDS,
    resamples: int = 1000,
    seed: int = 12345,
    alpha: float = 0.05,
    unit: str = AUTO,
) -> Faults:
    """The faults of every output and of the first reference that can be seen from the source.

    `kinds` are those that need nothing else; `named_entities` makes one more of a pipeline that knows names. `unit` is
    what is drawn: a label, `segment`, or `auto`: whole documents where they are labelled.
    """
    counts = fault_counts(test_set, outputs, kinds)
    return faults_of(counts, *units_to_draw(test_set, unit), resamples=resamples, seed=seed, alpha=alpha)


def faults_of(
    counts: FaultCounts,
    units: Units,
    design: Design,
    *,
    resamples: int = 1000,
    seed: int = 12345,
    alpha: float = 0.05,
) -> Faults:
    """Rates of the faults that were counted, with intervals, and tests against the first system."""
    systems, rows = counts.systems, counts.rows
    tests: dict[tuple[str, str], RatioTest] = {}
    for kind in counts.kinds:
        for name in systems[1:]:
            test = compare_shares(rows[kind.name, name], rows[kind.name, systems[0]], units)
            if math.isfinite(test.p):
                tests[kind.name, name] = test
    tested = contrasts(tests, alpha)
    keys = list(rows)
    drawn = np.full((1, len(keys)), np.nan)
    if units.vary:
        each = [rows[key] for key in keys]
        drawn = resampled_scores(each, percentage, resamples=resamples, seed=seed, units=units)
    kinds = []
    for kind in counts.kinds:
        shown = []
        for name in counts.texts:
            key = (kind.name, name)
            interval = estimate(
                float(percentage(rows[key].sum(0))), drawn[:, keys.index(key)], confidence=1 - alpha
            )
            contrast = tested.get(key, UNTESTED)
            shown.append(_system_fault(name, rows[key], interval, counts.places[key], contrast))
        kinds.append(Fault(kind.name, kind.meaning, kind.of, tuple(shown)))
    segments = len(next(iter(rows.values())))
    return Faults(systems, tuple(kinds), segments, alpha, design)


def _system_fault(
    name: str,
    rows: Rows,
    interval: Estimate,
    examples: Sequence[FaultExample],
    contrast: Contrast,
) -> SystemFault:
    number, of = (int(value) for value in rows.sum(0))
    members = np.flatnonzero(rows[:, 0])
    return SystemFault(
        system=name,
        faults=number,
        of=of,
        rate=float(percentage(rows.sum(0))) if of else math.nan,
        low=interval.low if of else math.nan,
        high=interval.high if of else math.nan,
        segments=len(members),
        delta=100 * contrast.delta,
        p=contrast.p,
        p_adjusted=contrast.p_adjusted,
        significant=contrast.significant,
        examples=tuple(examples),
        members=members,
    )


def analyse(
    inputs: AnalysisInputs,
    *,
    entities: str | None = None,
    unit: str = "auto",
    resamples: int = 1000,
    seed: int = 12345,
) -> Faults:
    """Count faults that can be seen beside the source.

    Numbers, dates, units, addresses, tags, placeholders and names that are lost, numbers that are new, words left
    untranslated, phrases again and again, the same text for different sources; and what the reference has of each.

    \b
    adjudge analyse faults -s source.pt -r reference.en rulebased.en neural.en
    adjudge analyse faults -s source.pt -r reference.en --entities en_core_web_sm neural.en
    """
    loaded = inputs.load()
    kinds = [*KINDS, *([_lost_names(entities, loaded.test_set)] if entities else [])]
    return faults(loaded.test_set, loaded.outputs, kinds=kinds, resamples=resamples, seed=seed, unit=unit)


def _lost_names(pipeline: str, test_set: TestSet) -> FaultKind:
    """The kind of fault that a pipeline sees: names of the first reference that an output has not."""
    if not test_set.references:
        raise UsageError("names are those of the reference, and there is none: -r FILE")
    return named_entities(named_entities_of(pipeline, first_reference(test_set)), REFERENCE)


def _sentences(result: Faults) -> list[str]:
    first = visible(result.systems[0])
    return [
        f"{visible(system.system)}: {'fewer' if system.delta < 0 else 'more'} {kind.name} than {first} "
        f"({with_sign(system.delta, 1)}, {p_text(system.p_adjusted, result.alpha)})."
        for kind in result.kinds
        for system in kind.systems
        if system.significant
    ]


def _has_examples(result: Faults) -> bool:
    return any(
        system.examples for kind in result.kinds for system in kind.systems if system.system != REFERENCE
    )


def _examples(result: Faults) -> Table:
    rows = []
    for kind in result.kinds:
        for system in kind.systems:
            if system.system == REFERENCE:
                continue
            for example in system.examples[:EXAMPLES_SHOWN]:
                what = brief(", ".join(example.what))
                cells = (kind.name, visible(system.system), str(example.segment), what)
                rows.append(Row(tuple(map(Cell, cells))))
    return Table((Column("Fault"), Column("System"), Column("Segment"), Column("What")), tuple(rows))


def _charts(result: Faults) -> tuple[IntervalChart, ...]:
    """A chart a kind that anybody has."""
    return tuple(
        interval_chart(
            [
                (system.system, system.rate, system.low, system.high)
                for system in kind.systems
                if math.isfinite(system.rate)
            ],
            kind.name,
            DOWN,
            1 - result.alpha,
        )
        for kind in result.kinds
        if any(system.faults for system in kind.systems)
    )
