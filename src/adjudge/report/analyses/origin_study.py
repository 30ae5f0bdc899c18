"""Forward and reverse over many test sets, shown: by language pair, between the halves, and pair by pair."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import numpy as np

from adjudge.analysis.origin_study import LanguageHalves, OriginMeasure, OriginStudy, SetHalves
from adjudge.analysis.translationese import PairOfHalves
from adjudge.data.origins import FORWARD, OTHER, REVERSE
from adjudge.display import Cell, Column, Points, Row, Section, Table, visible
from adjudge.report.charts.intervals import boxes
from adjudge.report.charts.scatter import scatter
from adjudge.report.render.analysis_forms import Lines, analysis_forms
from adjudge.report.render.formats import Forms
from adjudge.report.render.html import Drawing
from adjudge.report.render.markup import Html, html
from adjudge.stats.design import units_of
from adjudge.stats.flips import Bounded
from adjudge.wording import MISSING, are, counted, listed, number, percent, percent_of, signed

if TYPE_CHECKING:
    from adjudge.io import Input

MANY = 30
"""Test sets beyond which a screen has only those with the most pairs that change their order."""
MOST_NAMES = 6


def forms(result: OriginStudy, *, version: str, inputs: Sequence[Input] = ()) -> Forms:
    """Forward and reverse in every format."""
    return analysis_forms(
        f"Forward and reverse: {counted(len(result.sets), 'test set')}",
        lambda: sections(result),
        lambda: document(result),
        lambda: lines(result),
        version=version,
        inputs=inputs,
        drawings=lambda: drawings(result),
        about=f"{sum(sum(own.segments.values()) for own in result.sets):,} segments",
    )


def sections(result: OriginStudy) -> list[Section]:
    """Per measure by language pair and by test set, then lengths."""
    parts = []
    for own in result.measures:
        label = visible(own.measure)
        parts += [
            Section(
                f"{label} forward and reverse",
                (_languages(own),),
                tuple(_sentences(own)),
                key=f"languages {own.measure}",
            ),
            Section(
                f"{label}: do the halves agree?", (_sets(own),), _left_out(own), key=f"pairs {own.measure}"
            ),
        ]
    parts.append(Section("Segments by origin, and their lengths in words", (_lengths(result),)))
    return [*parts, Section(notes=tuple(_notes(result)))]


def _languages(own: OriginMeasure) -> Table:
    head = (
        Column("Language pair"),
        *(
            Column(name, True)
            for name in ("sets", "systems", "R > F", "F > R", "R−F", "interval", "sd", "order changes")
        ),
    )
    rows = [
        Row(
            (
                Cell(visible(entry.language) if entry.language else "all"),
                Cell(str(len(entry.sets))),
                Cell(str(entry.systems)),
                Cell(percent_of(entry.reverse_higher)),
                Cell(percent_of(entry.forward_higher)),
                Cell(signed(entry.mean.value, own.decimals)),
                Cell(_limits(entry.mean, own.decimals)),
                Cell(number(entry.deviation, own.decimals)),
                Cell(_share(entry)),
            )
        )
        for entry in own.languages
    ]
    return Table(head, tuple(rows))


def _limits(bounded: Bounded, decimals: int) -> str:
    if math.isnan(bounded.low):
        return MISSING
    return f"{signed(bounded.low, decimals)} … {signed(bounded.high, decimals)}"


def _share(entry: LanguageHalves | SetHalves) -> str:
    share = entry.flips
    if math.isnan(share.value):
        return MISSING
    return f"{percent_of(share.value)} ({100 * share.low:.0f}–{100 * share.high:.0f})"


def _sets(own: OriginMeasure) -> Table:
    head = (
        Column("Test set"),
        *(Column(name, True) for name in ("systems", "r", "ρ", "τ", "pairs", "order changes", "surely")),
    )
    rows = [
        Row(
            (
                Cell(visible(entry.test_set)),
                Cell(str(len(entry.halves.systems))),
                *(Cell(_correlation(value)) for value in (entry.pearson, entry.spearman, entry.kendall)),
                Cell(str(len(entry.pairs))),
                Cell(_share(entry)),
                Cell(str(entry.sure_flips)),
            )
        )
        for entry in _shown(own)
    ]
    return Table(head, tuple(rows))


def _shown(own: OriginMeasure) -> list[SetHalves]:
    if len(own.sets) <= MANY:
        return list(own.sets)
    most = sorted(own.sets, key=lambda entry: (-entry.sure_flips, -entry.flips.value))[:MANY]
    return [entry for entry in own.sets if entry in most]


def _left_out(own: OriginMeasure) -> tuple[str, ...]:
    more = len(own.sets) - MANY
    return (f"{counted(more, 'test set')} with fewer changes: -f tsv.",) if more > 0 else ()


def _correlation(value: Bounded) -> str:
    if math.isnan(value.value):
        return MISSING
    limits = "" if math.isnan(value.low) else f" ({number(value.low, 2)} … {number(value.high, 2)})"
    return f"{number(value.value, 2)}{limits}"


def _sentences(own: OriginMeasure) -> list[str]:
    every = own.languages[0]
    decimals = own.decimals + 1
    sentences = [
        f"{percent_of(every.reverse_higher)} of {counted(every.systems, 'system')} score higher on the reverse half, "
        f"{percent_of(every.forward_higher)} lower; R−F is {signed(every.mean.value, decimals)} on average "
        f"({_limits(every.mean, decimals)}), standard deviation {number(every.deviation, decimals)} over systems."
    ]
    if not every.pairs:
        return sentences
    share = every.flips
    sentences.append(
        f"{percent_of(share.value)} of {counted(every.pairs, 'pair')} of systems have another order on the other half; "
        f"{counted(every.sure_flips, 'pair')} surely, both differences being significant."
        + (
            f" The share lies between {percent_of(share.low)} and {percent_of(share.high)}: the rest is not told apart "
            "on one half or both."
            if share.low < share.high
            else ""
        )
    )
    sure = [
        f"{visible(pair.pair.a)} and {visible(pair.pair.b)} ({visible(entry.test_set)})"
        for entry in own.sets
        for pair in entry.pairs
        if pair.sure_flip
    ]
    if sure:
        sentences.append(f"Surely another order: {listed(sure, MOST_NAMES)}.")
    return sentences


def _lengths(result: OriginStudy) -> Table:
    head = (
        Column("Test set"),
        Column("text"),
        *(Column(name, True) for name in ("forward", "mean", "sd", "reverse", "mean", "sd")),
    )
    rows = []
    for own in result.sets:
        texts = list(dict.fromkeys(entry.text for entry in own.lengths))
        for text in texts:
            by_way = {entry.direction: entry for entry in own.lengths if entry.text == text}
            cells = [Cell(visible(own.test_set)), Cell(text)]
            for way in (FORWARD, REVERSE):
                entry = by_way.get(way)
                cells += (
                    [Cell(MISSING)] * 3
                    if entry is None
                    else [
                        Cell(f"{entry.segments:,}"),
                        Cell(number(entry.mean, 1)),
                        Cell(number(entry.deviation, 1)),
                    ]
                )
            rows.append(Row(tuple(cells)))
    return Table(head, tuple(rows))


def _drawn(result: OriginStudy) -> str:
    """What was drawn: `documents`, or each unit that some measure has on some test set."""
    units = dict.fromkeys(unit for measure in result.measures for unit in measure.drawn.values())
    return listed([visible(units_of(unit)) for unit in units], last="or")


def _notes(result: OriginStudy) -> list[str]:
    options = result.options
    others = sum(own.segments.get(OTHER, 0) for own in result.sets)
    notes = [
        "Forward: first written in the source language; reverse: in the target language"
        + (
            f" ({counted(others, 'segment')} from elsewhere {are(others)} in neither half)."
            if others
            else "."
        ),
        f"Intervals of R−F: {percent(1 - options.alpha)}, from {counted(options.resamples, 'resample')} of "
        f"{_drawn(result)} within each half, seed {options.seed}; of r, ρ and τ: for other systems of this "
        "kind (Fisher's z). A difference is significant by Student's t with the standard error of these resamples, "
        "corrected after Holm over all pairs of a measure and both halves. The interval of the share of pairs with "
        "another order is what these tests leave open: it holds the true share in "
        f"{percent(1 - options.alpha)} of all cases at least.",
        "R−F compares different sentences and is moved by their length as well; differences between systems on each "
        "half are the safer evidence.",
    ]
    notes += [
        f"{visible(name)} is left out: {why}{'' if why.endswith('?') else '.'}"
        for name, why in result.left_out.items()
    ]
    return notes


def drawings(result: OriginStudy) -> Mapping[str, Drawing]:
    """Box plots of R−F by language pair, and pair differences forward against reverse."""
    figures: dict[str, Drawing] = {}
    for own in result.measures:
        rows = [(visible(entry.language) or "all", entry.quartiles) for entry in own.languages]
        figures[f"languages {own.measure}"] = Drawing(
            boxes(rows, label=f"R−F by {visible(own.measure)}", decimals=own.decimals)
        )
        pairs = [(entry, pair.pair) for entry in own.sets for pair in entry.pairs]
        if pairs:
            figures[f"pairs {own.measure}"] = Drawing(_scatter(own, pairs))
    return figures


def _scatter(own: OriginMeasure, pairs: Sequence[tuple[SetHalves, PairOfHalves]]) -> Html:
    """Every pair with the system first that is ahead on the forward half: below 0 is another order."""
    turned = np.array([-1.0 if pair.forward < 0 else 1.0 for _, pair in pairs])
    points = Points(
        turned * np.array([pair.forward for _, pair in pairs]),
        turned * np.array([pair.reverse for _, pair in pairs]),
        tuple(f"{visible(pair.a)}, {visible(pair.b)}: {visible(entry.test_set)}" for entry, pair in pairs),
    )
    caption = f"Differences of two systems by {visible(own.measure)}"
    below = "forward across, reverse upwards: below 0 the order is another one"
    return html('<div class="figures">{}</div>', scatter(points, caption=caption, below=below, up="reverse"))


def document(result: OriginStudy) -> dict[str, Any]:
    """For JSON: all of it, unrounded."""
    return {
        "sets": [asdict(own) for own in result.sets],
        "measures": [
            asdict(own)
            | {
                "sets": [
                    asdict(entry)
                    | {
                        "sure_flips": entry.sure_flips,
                        "pairs": [
                            asdict(pair.pair)
                            | {
                                "flips": pair.pair.flips,
                                "p_forward": pair.p_forward,
                                "p_reverse": pair.p_reverse,
                                "sure_flip": pair.sure_flip,
                            }
                            for pair in entry.pairs
                        ],
                    }
                    for entry in own.sets
                ]
            }
            for own in result.measures
        ],
        "options": asdict(result.options),
        "left_out": dict(result.left_out),
    }


def lines(result: OriginStudy) -> Lines:
    """A line a measure, test set and system."""
    yield ["measure", "test_set", "language", "system", "forward", "reverse", "both", "difference"]
    for own in result.measures:
        for entry in own.sets:
            for system in entry.halves.systems:
                scores = [system.forward, system.reverse, system.both, system.difference]
                yield [own.measure, entry.test_set, entry.language, system.system, *scores]
