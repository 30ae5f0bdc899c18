"""The mixed model of ratings, shown."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from adjudge.evaluate.documents import plain
from adjudge.people.rater_model import RaterModel
from adjudge.report.charts import Bar, intervals
from adjudge.report.html import Drawing
from adjudge.report.sections import Section
from adjudge.report.table import Cell, Column, Row, Table, arrow, span, visible
from adjudge.wording import CORRECTIONS, counted, number, percent


def sections(model: RaterModel) -> list[Section]:
    """Systems with their standard errors, and where the variance lies."""
    head = (
        Column("System"),
        Column("score", True),
        Column("standard error", True),
        Column(f"{percent(model.level)} interval", True),
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
            f"{s.cluster} ({span(s.rank)})",
        )
        rows.append(Row(tuple(map(Cell, cells)), rule=s.cluster != above))
        above = s.cluster
    total = sum(model.variances.values())
    shares = [f"{name} {value / total:.0%}" for name, value in model.variances.items()] if total else []
    told = sum(pair.significant for pair in model.pairs)
    correction = CORRECTIONS.get(model.correction, model.correction)
    sentences = [
        f"Of what varies beside the systems: {', '.join(shares)}.",
        f"{told} of {counted(len(model.pairs), 'pair')} are told apart (p < {model.alpha:g}, {correction}).",
        *(f"Not in the model: {name}, for {why}." for name, why in model.left_out.items()),
        *(() if model.converged else ("THE FIT DID NOT SETTLE: take its figures for rough ones.",)),
    ]
    note = (
        "score = system + annotator + item + translation + error, fitted by REML; errors hold for other annotators and "
        "other items of their kind."
    )
    title = "By a mixed model: systems freed of their annotators' severity"
    return [Section(title, (Table(head, tuple(rows)),), tuple(sentences), (note,), key="model")]


def drawings(model: RaterModel) -> dict[str, Drawing]:
    """For a page: intervals."""
    bars = [Bar(s.system, s.score, s.low, s.high, s.cluster, number(s.score, 2)) for s in model.systems]
    better = arrow(model.higher_is_better)
    return {
        "model": Drawing(
            intervals(bars, label="score", better=better, interval=f"{percent(model.level)} intervals")
        )
    }


def document(model: RaterModel) -> dict[str, Any]:
    """For JSON, unrounded."""
    written: dict[str, Any] = plain(asdict(model))
    return written
