"""The mixed model of ratings, shown."""

from __future__ import annotations

import math
from dataclasses import asdict
from typing import Any

from adjudge.charts import Bar, IntervalChart
from adjudge.comparison.documents import plain
from adjudge.display import Cell, Column, Row, Section, Table, arrow, rank_range, visible
from adjudge.human.rater_model import KINDS, RaterModel
from adjudge.wording import CORRECTIONS, are, join_names, number, percent

FEW = 10
"""Degrees of freedom below which it is said how few they are."""


def sections(model: RaterModel) -> list[Section]:
    """Systems with their standard errors, and where the variance lies."""
    head = (
        Column("System"),
        Column("score", True),
        Column("standard error", True),
        Column(f"{percent(model.confidence)} interval", True),
        Column("cluster (ranks)", True),
    )
    rows = []
    above = 1
    for s in model.systems:
        cells = (
            visible(s.system),
            number(s.score, 2),
            number(s.error, 2),
            f"{number(s.low, 2)} to {number(s.high, 2)}",
            f"{s.cluster} ({rank_range(s.rank)})",
        )
        rows.append(Row(tuple(map(Cell, cells)), rule=s.cluster != above))
        above = s.cluster
    total = sum(model.variances.values())
    shares = (
        [f"{_words(name)} {value / total:.0%}" for name, value in model.variances.items()] if total else []
    )
    told = sum(pair.significant for pair in model.pairs)
    correction = CORRECTIONS.get(model.correction, model.correction)
    sentences = [
        f"Of what varies beside the systems: {', '.join(shares)}.",
        _told_apart(told, len(model.pairs), f"(p ≤ {model.alpha:g}, {correction})"),
        *(f"Not in the model: {_words(name)} ({_words(why)})." for name, why in model.left_out.items()),
        *_reach(model),
        *(() if model.converged else ("THE FIT DID NOT SETTLE: take its figures for rough ones.",)),
    ]
    effects = [*(_words(name) for name in model.variances if name != "error"), "error"]
    note = (
        f"score = system + {' + '.join(effects)}, fitted by REML; tests are Student's t with "
        "Satterthwaite's degrees of freedom."
    )
    title = "By a mixed model: systems freed of their annotators' severity"
    return [Section(title, (Table(head, tuple(rows)),), tuple(sentences), (note,), charts=(_chart(model),))]


def _words(name: str) -> str:
    return name.replace("_", " × ").replace("rater", "annotator")


def _told_apart(told: int, pairs: int, how: str) -> str:
    if pairs == 1:
        return f"The two systems are {'' if told else 'not '}told apart {how}."
    return f"Of {pairs:,} pairs, {told:,} {are(told)} told apart {how}."


def _reach(model: RaterModel) -> list[str]:
    """What the errors hold for, and where that rests on few."""
    these = [kind for kind in KINDS if kind not in model.holds_for and kind != "documents"]
    held = f"Errors hold for other {join_names(model.holds_for)} of their kind" if model.holds_for else ""
    alone = f"{'they say' if held else 'Errors say'} nothing of other {join_names(these)}" if these else ""
    sentences = [f"{'; '.join(part for part in (held, alone) if part)}."]
    if any(math.isinf(pair.error) for pair in model.pairs):
        sentences.append("Systems that share no annotator, or no item, cannot be compared: their p is 1.")
    least = min((pair.degrees for pair in model.pairs), default=math.inf)
    if least < FEW:
        sentences.append(
            f"Some pairs have only {number(least, 1)} degrees of freedom: annotators or texts are few."
        )
    return sentences


def _chart(model: RaterModel) -> IntervalChart:
    bars = [Bar(s.system, s.score, s.low, s.high, s.cluster, number(s.score, 2)) for s in model.systems]
    return IntervalChart(
        bars, "score", arrow(model.higher_is_better), f"{percent(model.confidence)} intervals"
    )


def document(model: RaterModel) -> dict[str, Any]:
    """For JSON, unrounded."""
    written: dict[str, Any] = plain(asdict(model))
    return written
