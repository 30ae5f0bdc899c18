"""What the differences of a comparison are worth, in sentences or a table beside the claims."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

from adjudge.comparison import Comparison, Standing
from adjudge.comparison.comparison_display import ExtraSections
from adjudge.comparison.relevance import in_hundred
from adjudge.display import Cell, Column, Row, Section, Table
from adjudge.meta.worth import PairWorth, Worth
from adjudge.wording import digits, join_names, with_sign

TITLE = "What people said of such differences elsewhere"
FEW = 6
"""Up to so many differences each has a sentence; of more there is a table."""


def worth_sections(worth: Worth, comparison: Comparison) -> ExtraSections:
    """A section of its own, and `differences` in JSON."""
    standings = {standing.metric: standing for standing in comparison.results}
    shown = _neighbours(worth, comparison) if len(worth.pairs) > FEW else worth.pairs
    if not shown and not worth.unknown:
        return ExtraSections()
    section = Section(
        TITLE,
        tables=(_table(shown, standings),) if len(shown) > FEW else (),
        sentences=tuple(_sentence(entry, standings) for entry in shown) if len(shown) <= FEW else (),
        notes=tuple(_notes(worth, shown)),
        key="differences",
    )
    return ExtraSections([section], {"differences": document(worth)})


def document(worth: Worth) -> dict[str, Any]:
    """For other programs, unrounded."""
    return {
        "table": worth.table,
        "confidence": worth.confidence,
        "pairs": [dict(vars(pair)) for pair in worth.pairs],
        "unknown": list(worth.unknown),
    }


def _neighbours(worth: Worth, comparison: Comparison) -> tuple[PairWorth, ...]:
    """By each metric, the best against the second, that against the third, and so on; with a baseline, all pairs."""
    if comparison.test.baseline is not None:
        return worth.pairs
    shown = []
    for metric in dict.fromkeys(pair.metric for pair in worth.pairs):
        standings = [s for s in comparison.results if s.metric == metric]
        down = standings[0].higher_is_better is not False
        ordered = [s.system for s in sorted(standings, key=lambda s: s.score, reverse=down)]
        by_names = {(pair.better, pair.worse): pair for pair in worth.pairs if pair.metric == metric}
        shown += [by_names[couple] for couple in pairwise(ordered) if couple in by_names]
    return tuple(shown)


def _sentence(pair_worth: PairWorth, standings: Mapping[str, Standing]) -> str:
    """The size, how often people agree by the curve, and what the test here says of it."""
    sentence = (
        f"{pair_worth.better} against {pair_worth.worse}, {_delta(pair_worth, standings)}: on test sets "
        f"like those of {pair_worth.data}, such a "
        f"difference went with people's preference in about {in_hundred(pair_worth.agreement)} % of system "
        "pairs (fitted "
        f"curve; for a new test set {_interval(pair_worth)} %)."
    )
    return sentence if pair_worth.significant else f"{sentence} Here the difference is not significant."


def _interval(pair_worth: PairWorth) -> str:
    return f"{in_hundred(pair_worth.low)}–{in_hundred(pair_worth.high)}"


def _delta(pair_worth: PairWorth, standings: Mapping[str, Standing]) -> str:
    standing = standings[pair_worth.metric]
    places = digits([pair_worth.delta], max(1, standing.decimals - 1))
    return f"{with_sign(pair_worth.delta, places)} {standing.label.partition('(')[0]}"


def _table(shown: Sequence[PairWorth], standings: Mapping[str, Standing]) -> Table:
    columns = (
        Column("Better"),
        Column("Worse"),
        Column("Δ", True),
        Column("people agree, %", True),
        Column("on a new test set", True),
        Column("test sets"),
    )
    rows = []
    above = ""
    for entry in shown:
        star = "*" if entry.significant else ""
        texts = (in_hundred(entry.agreement), _interval(entry), entry.data)
        cells = (Cell(entry.better), Cell(entry.worse), Cell(_delta(entry, standings), marks=star))
        rows.append(Row((*cells, *map(Cell, texts)), rule=bool(above) and entry.metric != above))
        above = entry.metric
    return Table(columns, tuple(rows))


def _notes(worth: Worth, shown: Sequence[PairWorth]) -> list[str]:
    notes = []
    if shown:
        notes.append(
            "The shares are values of a curve fitted over test sets, not counts; of 100 new test sets about "
            f"{100 * worth.confidence:g} lie in the intervals. They say what such a difference is worth elsewhere, and "
            "nothing about these outputs."
        )
    if len(shown) < len(worth.pairs):
        notes.append("Neighbours only; -f json has every pair.")
    if worth.unknown:
        notes.append(
            f"How often people agree with a difference in {join_names(worth.unknown)} is not known: too few data."
        )
    return notes
