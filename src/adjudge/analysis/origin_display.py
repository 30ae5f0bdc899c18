"""The forward and the reverse half of a test set, shown beside each other."""

from __future__ import annotations

import math
from dataclasses import asdict
from typing import Any

from adjudge.analysis.origins import Translationese
from adjudge.analysis.translationese import Half, Halves
from adjudge.charts import PairedDots
from adjudge.comparison.documents import plain
from adjudge.display import Cell, Column, Row, Section, Table, arrow, sparkline, visible
from adjudge.wording import join_names, number, pluralise, with_sign

MOST_FLIPS = 6
MANY_PAIRS = 15
"""Beyond so many pairs (six systems) only JSON has each."""


def sections(result: Translationese) -> list[Section]:
    """A table a measure, what the halves have in common, and how long their segments are."""
    ways = ", ".join(f"{pluralise(count, 'segment')} {way}" for way, count in result.segments.items())
    sections = []
    for measure in result.measures:
        title = f"Forward and reverse by {measure.measure}"
        tables = [_systems(measure)]
        if len(measure.systems) > 1 and len(measure.pairs) <= MANY_PAIRS:
            tables.append(_pairs(measure))
        key = f"halves {measure.measure}"
        sections.append(
            Section(title, tuple(tables), tuple(_sentences(measure)), key=key, charts=(_chart(measure),))
        )
    notes = [f"Forward: first written in the source language; reverse: in the target language ({ways})."]
    if any(math.isfinite(measure.mean_difference) for measure in result.measures):
        notes.append(
            "R−F compares different sentences and is moved by their length as well; differences between systems on "
            "each half are the safer evidence."
        )
    if result.lengths:
        widths = {lengths.text: f"{lengths.text} {lengths.width}" for lengths in result.lengths}
        notes.append(
            f"distribution: segments by length, a bar for so many words each: {', '.join(widths.values())}."
        )
    shown = (_lengths(result),) if result.lengths else ()
    sections.append(Section("Lengths in words" if shown else "", shown, notes=tuple(notes)))
    return sections


def _chart(measure: Halves) -> PairedDots:
    """Both halves of every system beside each other."""
    rows = [(s.system, s.forward, s.reverse) for s in _in_order(measure)]
    label = f"{measure.measure} {arrow(measure.higher_is_better)}".strip()
    return PairedDots(rows, label, "forward", "reverse", measure.decimals)


def _in_order(measure: Halves) -> list[Half]:
    return sorted(measure.systems, key=lambda s: -s.forward if measure.higher_is_better else s.forward)


def _systems(measure: Halves) -> Table:
    head = (
        Column("System"),
        Column(visible(f"{measure.measure} forward"), True, arrow(measure.higher_is_better)),
        Column("reverse", True),
        Column("both", True),
        Column("R−F", True),
    )
    rows = tuple(
        Row(
            (
                Cell(visible(s.system)),
                Cell(number(s.forward, measure.decimals)),
                Cell(number(s.reverse, measure.decimals)),
                Cell(number(s.both, measure.decimals)),
                Cell(with_sign(s.difference, measure.decimals)),
            )
        )
        for s in _in_order(measure)
    )
    return Table(head, rows)


def _pairs(measure: Halves) -> Table:
    """Every two systems on both halves; the better one of the forward half first."""
    head = [Column("System"), Column("against"), Column("Δ forward", True), Column("Δ reverse", True)]
    relative = math.isfinite(measure.forward_relative)
    head += [Column("% forward", True), Column("% reverse", True)] if relative else []
    rows = []
    worse = measure.higher_is_better is not False
    for pair in measure.pairs:
        turned = pair.forward != 0 and (pair.forward < 0) == worse
        sign = -1.0 if turned else 1.0
        names = (pair.b, pair.a) if turned else (pair.a, pair.b)
        cells = [visible(name) for name in names]
        cells += [with_sign(sign * gap, measure.decimals) for gap in (pair.forward, pair.reverse)]
        if relative:
            cells += [
                with_sign(100 * sign * gap, 1) for gap in (pair.forward_relative, pair.reverse_relative)
            ]
        rows.append(Row(tuple(map(Cell, cells))))
    return Table(tuple(head), tuple(rows))


def _sentences(measure: Halves) -> list[str]:
    if len(measure.systems) < 2:
        return []
    higher, lower = f"{measure.reverse_higher:.0%}", f"{measure.forward_higher:.0%}"
    sentences = [
        f"{higher} of systems score higher on the reverse half, {lower} lower; R−F is "
        f"{with_sign(measure.mean_difference, measure.decimals + 1)} on average "
        f"(standard deviation {number(measure.deviation, measure.decimals + 1)})."
    ]
    if math.isfinite(measure.forward_relative) and math.isfinite(measure.reverse_relative):
        sentences.append(
            f"Two systems differ by {measure.forward_relative:.1%} of their score on the forward half and by "
            f"{measure.reverse_relative:.1%} on the reverse one, on average over "
            f"{pluralise(len(measure.pairs), 'pair')}."
        )
    flips = [pair for pair in measure.pairs if pair.flips]
    correlations = (
        f"Between the halves' system scores: Pearson {number(measure.pearson, 3)}, Spearman "
        f"{number(measure.spearman, 3)}, Kendall {number(measure.kendall, 3)}"
    )
    if not flips:
        sentences.append(f"{correlations}; no pair of systems changes its order.")
    else:
        names = join_names([f"{visible(p.a)} and {visible(p.b)}" for p in flips], MOST_FLIPS)
        sentences.append(
            f"{correlations}; {len(flips)} of {pluralise(len(measure.pairs), 'pair')} ({measure.flips:.0%}) change "
            f"their order: {names}."
        )
    return sentences


def _lengths(result: Translationese) -> Table:
    head = (
        Column("Text"),
        Column("half"),
        Column("segments", True),
        Column("mean", True),
        Column("sd", True),
        Column("quartiles", True),
        Column("distribution"),
    )
    rows = tuple(
        Row(
            (
                Cell(lengths.text),
                Cell(lengths.direction),
                Cell(f"{lengths.segments:,}"),
                Cell(number(lengths.mean, 1)),
                Cell(number(lengths.deviation, 1)),
                Cell(" ".join(f"{q:g}" for q in lengths.quartiles)),
                Cell(sparkline(lengths.histogram)),
            )
        )
        for lengths in result.lengths
    )
    return Table(head, rows)


def document(result: Translationese) -> dict[str, Any]:
    """For JSON: all of it, unrounded."""
    return plain(  # type: ignore[no-any-return]
        {
            "directions": dict(result.directions),
            "segments": dict(result.segments),
            "measures": [
                asdict(m)
                | {
                    "systems": [asdict(s) | {"difference": s.difference} for s in m.systems],
                    "pairs": [asdict(p) | {"flips": p.flips} for p in m.pairs],
                }
                for m in result.measures
            ],
            "lengths": [asdict(lengths) for lengths in result.lengths],
        }
    )
