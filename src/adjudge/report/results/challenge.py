"""Planted errors, shown: how often metrics prefer the good translation, error by error, and which metric more often."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from adjudge.display import UP, Bar, Cell, Column, Row, Section, Table, best_of
from adjudge.meta.challenge import ChallengePart, ChallengePreference, ChallengeResult
from adjudge.meta.results import MetricPair
from adjudge.report.charts.intervals import intervals
from adjudge.report.render.formats import Forms
from adjudge.report.render.html import Drawing
from adjudge.report.render.markup import NOTHING, Html
from adjudge.report.render.section_page import section_page
from adjudge.report.render.tsv import tsv_line
from adjudge.report.results.meta_layouts import SENTINELS
from adjudge.wording import MISSING, join_names, number, p_number, percent, pluralise, signed

if TYPE_CHECKING:
    from adjudge.io import Input

DECIMALS = 1
TITLES = {"all": "All errors", "severity": "By severity", "phenomenon": "By phenomenon"}


def forms(result: ChallengeResult, *, version: str, inputs: Sequence[Input] = ()) -> Forms:
    """A challenge in every format."""
    return Forms(
        lambda: sections(result),
        lambda: document(result, version=version, inputs=inputs),
        tsv=lambda: as_tsv(result),
        html=lambda: _page(result, version, inputs),
    )


def sections(result: ChallengeResult) -> list[Section]:
    """A table for all errors, for severities and for phenomena, then the metrics against each other."""
    shown: list[Section] = []
    for kind, title in TITLES.items():
        parts = [part for part in result.parts if part.kind == kind]
        if parts:
            notes = tuple(_notes(result)) if not shown else ()
            shown.append(Section(title, (_table(result, parts),), notes=notes, key=kind))
    return [*shown, *_comparisons(result)]


def document(result: ChallengeResult, *, version: str, inputs: Sequence[Input] = ()) -> dict[str, Any]:
    """For other programs, unrounded."""
    return {
        "version": version,
        "inputs": [asdict(item) for item in inputs],
        "name": result.name,
        "alpha": result.alpha,
        "results": [
            {
                **_part(own.part),
                "metric": own.metric,
                "value": own.value,
                "low": own.low,
                "high": own.high,
                "n": own.part.items,
                "wins": own.wins,
                "ties": own.ties,
                "losses": own.losses,
            }
            for own in result.preferences
        ],
        "pairs": [{**_part(part), **asdict(pair)} for part, pair in result.pairs],
        "sentinels": list(result.sentinels),
        "notes": list(result.notes),
    }


def as_tsv(result: ChallengeResult) -> str:
    """A line a metric and part."""
    head = ["kind", "name", "severity", "metric", "value", "low", "high", "n", "wins", "ties", "losses"]
    lines = [tsv_line(head)]
    for own in result.preferences:
        part = own.part
        shares = [repr(value) for value in (own.value, own.low, own.high)]
        counts = [str(count) for count in (part.items, own.wins, own.ties, own.losses)]
        lines.append(tsv_line([part.kind, part.name, part.severity, own.metric, *shares, *counts]))
    return "".join(lines)


def _part(part: ChallengePart) -> dict[str, Any]:
    return {"kind": part.kind, "name": part.name, "severity": part.severity or None}


def _table(result: ChallengeResult, parts: Sequence[ChallengePart]) -> Table:
    """A row a part; of every metric the share of wins with its interval, and of ties."""
    severe = any(part.severity for part in parts)
    columns = [Column("Error"), *([Column("Severity")] if severe else []), Column("Items", True)]
    for metric in result.metrics:
        columns += [Column(_name(result, metric), True, UP), Column("ties", True, joined=True)]
    rows = []
    for part in parts:
        cells = [Cell(part.name), *([Cell(part.severity)] if severe else []), Cell(f"{part.items:,}")]
        preferences = [result.of(part, metric) for metric in result.metrics]
        metrics = [100 * own.value for own in preferences if own.metric not in result.sentinels]
        best = [*best_of(metrics, DECIMALS, higher_is_better=True), *(False for _ in result.sentinels)]
        for own, is_best in zip(preferences, best, strict=True):
            cells += [Cell(_shown(own), is_best), Cell(_rate(own.ties, part.items))]
        rows.append(Row(tuple(cells)))
    return Table(tuple(columns), tuple(rows))


def _name(result: ChallengeResult, metric: str) -> str:
    return f"{metric} †" if metric in result.sentinels else metric


def _shown(own: ChallengePreference) -> str:
    value, low, high = (number(100 * share, DECIMALS) for share in (own.value, own.low, own.high))
    return f"{value} ({low}–{high})"


def _rate(count: int, items: int) -> str:
    return number(100 * count / items, DECIMALS)


def _notes(result: ChallengeResult) -> list[str]:
    level = percent(1 - result.alpha)
    notes = [
        "How often the good translation scores better than the bad one, in percent, with "
        f"{level} intervals (Wilson's; items of one source count as one cluster). A tie is no win."
    ]
    notes += [f"{note[0].upper()}{note[1:]}." for note in result.notes]
    return [*notes, SENTINELS] if result.sentinels else notes


def _comparisons(result: ChallengeResult) -> list[Section]:
    if not result.pairs:
        return []
    columns = (
        Column("Error"),
        Column("Metrics"),
        Column("Δ", True),
        Column("p", True),
        Column("corrected", True),
    )
    whole = [(part, pair) for part, pair in result.pairs if part.kind != "phenomenon"]
    rows = tuple(
        Row(
            (
                Cell(part.name),
                Cell(f"{pair.a} − {pair.b}"),
                Cell(signed(100 * pair.delta, DECIMALS), style="win" if pair.significant else ""),
                Cell(p_number(pair.p, result.alpha)),
                Cell(p_number(pair.p_adjusted, result.alpha), marks="*" if pair.significant else ""),
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
            sentences=tuple(_sentences(result)),
            notes=(note,),
            key="pairs",
        )
    ]


def _sentences(result: ChallengeResult) -> list[str]:
    """Where one metric is significantly better than another, phenomenon by phenomenon."""
    better: dict[tuple[str, str], list[str]] = {}
    for part, pair in result.pairs:
        if part.kind == "phenomenon" and pair.significant:
            first, second = _ordered(pair)
            better.setdefault((first, second), []).append(part.name)
    phenomena = len({part.name for part, _ in result.pairs if part.kind == "phenomenon"})
    return [
        f"{first} prefers the good translation significantly more often than {second} in "
        f"{len(names)} of {pluralise(phenomena, 'phenomenon').replace('phenomenons', 'phenomena')}: "
        f"{join_names(names)}."
        for (first, second), names in better.items()
    ]


def _ordered(pair: MetricPair) -> tuple[str, str]:
    return (pair.a, pair.b) if pair.delta > 0 else (pair.b, pair.a)


def _page(result: ChallengeResult, version: str, inputs: Sequence[Input]) -> Html:
    metrics = [name for name in result.metrics if name not in result.sentinels]
    title = f"Planted errors: {join_names(metrics)}"
    about = f"{pluralise(result.parts[0].items, 'pair')} of a good and a bad translation, {result.name}"
    drawings = {"all": Drawing(_bars(result, [result.parts[0]])), "phenomenon": Drawing(_by_metric(result))}
    return section_page(title, about, sections(result), drawings, version=version, inputs=inputs, warnings=())


def _by_metric(result: ChallengeResult) -> Html:
    """A drawing a metric, with a row a phenomenon."""
    parts = [part for part in result.parts if part.kind == "phenomenon"]
    return NOTHING.join(
        intervals(
            [_bar(result.of(part, metric), part.name) for part in parts],
            label=_name(result, metric),
            better=UP,
            interval=f"{percent(1 - result.alpha)} intervals",
        )
        for metric in result.metrics
        if metric not in result.sentinels
    )


def _bars(result: ChallengeResult, parts: Sequence[ChallengePart]) -> Html:
    return intervals(
        [_bar(result.of(part, metric), _name(result, metric)) for part in parts for metric in result.metrics],
        label="wins in %",
        better=UP,
        interval=f"{percent(1 - result.alpha)} intervals",
    )


def _bar(own: ChallengePreference, name: str) -> Bar:
    shown = MISSING if math.isnan(own.value) else number(100 * own.value, DECIMALS)
    return Bar(name, 100 * own.value, 100 * own.low, 100 * own.high, None, shown)
