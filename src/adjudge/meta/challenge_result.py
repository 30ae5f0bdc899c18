"""Planted errors: how often metrics prefer the good translation, error by error, and which metric more often."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from adjudge.charts import Bar, IntervalChart
from adjudge.display import UP, Cell, Column, Data, Displayable, Records, Row, Section, Table, best_of
from adjudge.meta.results import SENTINELS, MetricPair
from adjudge.wording import MISSING, join_names, number, p_number, percent, pluralise, with_sign

if TYPE_CHECKING:
    pass

DECIMALS = 1
COLUMNS = (
    Column.of("kind", value=lambda own: own.part.kind),
    Column.of("name", value=lambda own: own.part.name),
    Column.of("severity", value=lambda own: own.part.severity or None),
    *(Column.of(name) for name in ("metric", "value", "low", "high")),
    Column.of("n", value=lambda own: own.part.items),
    *(Column.of(name) for name in ("wins", "ties", "losses")),
)
"""What data have of every metric and part."""
TITLES = {"all": "All errors", "severity": "By severity", "phenomenon": "By phenomenon"}


@dataclass(frozen=True)
class ChallengePart:
    """Some items of a challenge set: all errors, those of a severity, or one phenomenon."""

    kind: str
    """`all`, `severity` or `phenomenon`."""
    name: str
    items: int
    severity: str = ""


@dataclass(frozen=True)
class ChallengePreference:
    """How often one metric prefers the good translation, in one part."""

    metric: str
    part: ChallengePart
    wins: int
    ties: int
    losses: int
    value: float
    """Wins by items; a tie is no win."""
    low: float
    high: float


@dataclass(frozen=True)
class ChallengeResult(Displayable):
    """All metrics on all parts, the best metric first."""

    name: str
    metrics: tuple[str, ...]
    parts: tuple[ChallengePart, ...]
    preferences: tuple[ChallengePreference, ...]
    pairs: tuple[tuple[ChallengePart, MetricPair], ...]
    notes: tuple[str, ...] = ()
    alpha: float = 0.05
    sentinels: tuple[str, ...] = ()
    """Those of `metrics` that are none, and there to be beaten; they stand last and are not tested."""

    def of(self, part: ChallengePart, metric: str) -> ChallengePreference:
        """One metric on one part."""
        return next(
            preference
            for preference in self.preferences
            if preference.part == part and preference.metric == metric
        )

    @property
    def title(self) -> str:
        """Of its page."""
        return f"Planted errors: {join_names([name for name in self.metrics if name not in self.sentinels])}"

    @property
    def about(self) -> str:
        """How many pairs there are, and where they come from."""
        return f"{pluralise(self.parts[0].items, 'pair')} of a good and a bad translation, {self.name}"

    def sections(self) -> list[Section]:
        """A table for all errors, for severities and for phenomena, then the metrics against each other."""
        shown: list[Section] = []
        for kind, title in TITLES.items():
            if parts := [part for part in self.parts if part.kind == kind]:
                notes = tuple(self._notes()) if not shown else ()
                shown.append(
                    Section(title, (self._table(parts),), notes=notes, charts=self._charts(kind, parts))
                )
        return [*shown, *self._comparisons()]

    def data(self) -> Data:
        """One row per metric and part."""
        return Records(COLUMNS, self.preferences).data()

    def document(self) -> dict[str, Any]:
        """For other programs, unrounded."""
        return {
            "name": self.name,
            "alpha": self.alpha,
            "results": Records(COLUMNS, self.preferences).document(),
            "pairs": [
                {"kind": part.kind, "name": part.name, "severity": part.severity or None, **asdict(pair)}
                for part, pair in self.pairs
            ],
            "sentinels": list(self.sentinels),
            "notes": list(self.notes),
        }

    def _charts(self, kind: str, parts: Sequence[ChallengePart]) -> tuple[IntervalChart, ...]:
        """All metrics in one chart for all errors, a chart for each metric by phenomenon."""
        interval = f"{percent(1 - self.alpha)} intervals"
        if kind == "all":
            bars = [_bar(self.of(parts[0], metric), self._label(metric)) for metric in self.metrics]
            return (IntervalChart(bars, "wins in %", UP, interval),)
        if kind != "phenomenon":
            return ()
        return tuple(
            IntervalChart([_bar(self.of(part, metric), part.name) for part in parts], metric, UP, interval)
            for metric in self.metrics
            if metric not in self.sentinels
        )

    def _table(self, parts: Sequence[ChallengePart]) -> Table:
        """A row a part; of every metric the share of wins with its interval, and of ties."""
        severe = any(part.severity for part in parts)
        columns = [Column("Error"), *([Column("Severity")] if severe else []), Column("Items", True)]
        for metric in self.metrics:
            columns += [Column(self._label(metric), True, UP), Column("ties", True, joined=True)]
        rows = []
        for part in parts:
            cells = [Cell(part.name), *([Cell(part.severity)] if severe else []), Cell(f"{part.items:,}")]
            preferences = [self.of(part, metric) for metric in self.metrics]
            metrics = [
                100 * preference.value
                for preference in preferences
                if preference.metric not in self.sentinels
            ]
            best = [*best_of(metrics, DECIMALS, higher_is_better=True), *(False for _ in self.sentinels)]
            for preference, is_best in zip(preferences, best, strict=True):
                cells += [
                    Cell(_displayed_name(preference), is_best),
                    Cell(_rate(preference.ties, part.items)),
                ]
            rows.append(Row(tuple(cells)))
        return Table(tuple(columns), tuple(rows))

    def _label(self, metric: str) -> str:
        return f"{metric} †" if metric in self.sentinels else metric

    def _notes(self) -> list[str]:
        level = percent(1 - self.alpha)
        notes = [
            "How often the good translation scores better than the bad one, in percent, with "
            f"{level} intervals (Wilson's; items of one source count as one cluster). A tie is no win."
        ]
        notes += [f"{note[0].upper()}{note[1:]}." for note in self.notes]
        return [*notes, SENTINELS] if self.sentinels else notes

    def _comparisons(self) -> list[Section]:
        if not self.pairs:
            return []
        columns = (
            Column("Error"),
            Column("Metrics"),
            Column("Δ", True),
            Column("p", True),
            Column("corrected", True),
        )
        whole = [(part, pair) for part, pair in self.pairs if part.kind != "phenomenon"]
        rows = tuple(
            Row(
                (
                    Cell(part.name),
                    Cell(f"{pair.a} − {pair.b}"),
                    Cell(with_sign(100 * pair.delta, DECIMALS), style="win" if pair.significant else ""),
                    Cell(p_number(pair.p, self.alpha)),
                    Cell(p_number(pair.p_adjusted, self.alpha), marks="*" if pair.significant else ""),
                )
            )
            for part, pair in whole
        )
        note = (
            "Δ: percentage points of wins. p: paired randomisation in which the metrics' verdicts on whole sources are "
            "swapped, two-sided; corrected by Holm over all pairs of metrics, and over severities or phenomena."
        )
        return [
            Section(
                "Metrics against each other",
                (Table(columns, rows),),
                sentences=tuple(self._sentences()),
                notes=(note,),
                key="pairs",
            )
        ]

    def _sentences(self) -> list[str]:
        """Where one metric is significantly better than another, phenomenon by phenomenon."""
        better: dict[tuple[str, str], list[str]] = {}
        for part, pair in self.pairs:
            if part.kind == "phenomenon" and pair.significant:
                first, second = _sort_pair(pair)
                better.setdefault((first, second), []).append(part.name)
        phenomena = len({part.name for part, _ in self.pairs if part.kind == "phenomenon"})
        return [
            f"{first} prefers the good translation significantly more often than {second} in "
            f"{len(names)} of {pluralise(phenomena, 'phenomenon').replace('phenomenons', 'phenomena')}: "
            f"{join_names(names)}."
            for (first, second), names in better.items()
        ]


def _displayed_name(preference: ChallengePreference) -> str:
    value, low, high = (
        number(100 * share, DECIMALS) for share in (preference.value, preference.low, preference.high)
    )
    return f"{value} ({low}–{high})"


def _rate(count: int, items: int) -> str:
    return number(100 * count / items, DECIMALS)


def _sort_pair(pair: MetricPair) -> tuple[str, str]:
    return (pair.a, pair.b) if pair.delta > 0 else (pair.b, pair.a)


def _bar(preference: ChallengePreference, name: str) -> Bar:
    shown = MISSING if math.isnan(preference.value) else number(100 * preference.value, DECIMALS)
    return Bar(name, 100 * preference.value, 100 * preference.low, 100 * preference.high, None, shown)
