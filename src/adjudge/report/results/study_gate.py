"""A study's gate shown: what has changed since the earlier result, in the mean and on every test set."""

from __future__ import annotations

import math
import os
from collections.abc import Sequence
from dataclasses import asdict, replace
from typing import TYPE_CHECKING, Any

from adjudge.comparison.documents import design_document, plain
from adjudge.comparison.relevance import size_words
from adjudge.comparison.verdict_words import verdict_document
from adjudge.history.study_gate import MEAN, StudyFinding, StudyGate
from adjudge.report.render.formats import Forms
from adjudge.report.render.sections import FLUSH, Section
from adjudge.report.render.table import Cell, Column, Row, Table, arrow, visible
from adjudge.report.results.gate import COLOURS, METHODS, VERDICTS, look_words
from adjudge.report.results.study import drawn_words, reservation_sentences
from adjudge.stats.design import join_designs
from adjudge.wording import CORRECTIONS, MISSING, counted, digits, listed, number, p_number, signed

if TYPE_CHECKING:
    from adjudge.io import Input

MANY = 30
"""Rows beyond which only means and what has changed are shown; JSON has all."""


def forms(gate: StudyGate, *, version: str, inputs: Sequence[Input] = ()) -> Forms:
    """A gate in every format: in print the decision comes first, for the summary page of a build."""

    def printed() -> list[Section]:
        table, decided = sections(gate)
        return [replace(decided, notes=()), table, Section(lead=how(gate))]

    return Forms(lambda: sections(gate), lambda: document(gate, version, inputs), markdown=printed)


def sections(gate: StudyGate) -> tuple[Section, Section]:
    """The table and the decision."""
    shown = _shown(gate)
    left = len(gate.findings) - len(shown)
    more = (f"{counted(left, 'row')} without a significant change: -f json has all.",) if left else ()
    return (
        Section(tables=(_table(gate, shown),), sentences=more, layout=FLUSH),
        Section(
            lead=decision(gate),
            style="heading" if gate.passed else "loss",
            sentences=tuple(reservation_sentences(gate.designs)),
            notes=(how(gate),),
            layout=FLUSH,
        ),
    )


def document(gate: StudyGate, version: str, inputs: Sequence[Input] = ()) -> dict[str, Any]:
    """All that is known, unrounded; the mean over test sets has no `test_set`."""
    held: dict[str, Any] = plain(
        {
            "version": version,
            "inputs": [asdict(item) for item in inputs],
            "against": gate.against,
            "study": gate.study,
            "sets": gate.sets,
            "passed": gate.passed,
            "verdicts": [verdict_document(verdict) for verdict in gate.verdicts],
            "tolerance": gate.tolerance,
            "results": [
                {k: v for k, v in asdict(own).items() if k not in ("label", "decimals")}
                | {"test_set": own.test_set or None}
                for own in gate.findings
            ],
            "plan": asdict(gate.plan),
            "comparisons": gate.comparisons,
            "look": gate.look.as_document(gate.plan.alpha),
            "designs": {name: design_document(design) for name, design in gate.designs.items()},
            "design": design_document(join_designs(list(gate.designs.values()))),
            "warnings": gate.warnings,
        }
    )
    return held


def decision(gate: StudyGate) -> str:
    """Whether the study passes, and why."""
    where = visible(os.path.basename(gate.against))
    if gate.passed:
        return f"Gate passed: no evidence of a drop against {where}."
    worse = [f"{_place(own)} ({_size(own, gate)})" for own in gate.findings if own.verdict == "worse"]
    return f"Gate failed: significantly worse than in {where}: {listed(worse, 6)}."


def how(gate: StudyGate) -> str:
    """The test in one line."""
    plan = gate.plan
    over = (
        f"{CORRECTIONS[plan.correction]} over {counted(gate.comparisons, 'test')}"
        if gate.comparisons > 1
        else "one test"
    )
    tolerance = f", tolerance {gate.tolerance:g}" if gate.tolerance else ""
    return (
        f"{counted(len(gate.sets), 'test set')}; {METHODS[plan.method]} within each, {plan.trials:,} trials, "
        f"{drawn_words(gate.designs)} drawn, {over}, alpha {plan.alpha:g}{tolerance}, seed {plan.seed}; "
        f"{look_words(gate.look, plan.alpha, '--look N or --max-looks N')}"
    )


def _place(own: StudyFinding) -> str:
    where = f"on {visible(own.test_set)}" if own.test_set != MEAN else "in the mean"
    return f"{visible(own.label)} of {visible(own.system)} {where}"


def _size(own: StudyFinding, gate: StudyGate) -> str:
    """How large a change is, and whether that matters."""
    change = signed(own.delta, digits([own.delta], own.decimals))
    size = size_words(own.metric, own.delta, margin=gate.tolerance or None)
    return f"{change}; {size}" if size else f"{change}; how large it must be to matter is not known"


def _shown(gate: StudyGate) -> list[StudyFinding]:
    if len(gate.findings) <= MANY:
        return list(gate.findings)
    return [own for own in gate.findings if own.test_set == MEAN or own.verdict != "same"]


def _table(gate: StudyGate, shown: Sequence[StudyFinding]) -> Table:
    several = len({own.system for own in gate.findings}) > 1
    rows = []
    for own in shown:
        places = digits([own.delta], own.decimals)
        names = [own.system] * several + [f"{own.label} {arrow(own.higher_is_better)}".rstrip()]
        names.append(own.test_set or f"mean of {counted(own.sets, 'set')}")
        p = MISSING if math.isnan(own.p_adjusted) else p_number(own.p_adjusted, gate.plan.alpha)
        numbers = [number(own.old, places), number(own.new, places), signed(own.delta, places), p]
        verdict = Cell(VERDICTS[own.verdict], style=COLOURS.get(own.verdict, ""))
        rows.append(Row((*(Cell(visible(name)) for name in names), verdict, *map(Cell, numbers))))
    headings = [Column("System")] * several + [Column("Metric"), Column("Test set"), Column("Verdict")]
    return Table((*headings, *(Column(label, True) for label in ("Old", "New", "Change", "p"))), tuple(rows))
