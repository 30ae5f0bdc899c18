"""A gate shown: what has changed since the stored run, by which metric, and whether that may be believed."""

from __future__ import annotations

import json
import math
import os
from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from adjudge.evaluate.documents import finite
from adjudge.report.markdown import escape, markdown_table
from adjudge.report.table import Cell, Column, Row, Table, arrow, number, visible
from adjudge.report.text import Line, Span, table_lines, wrapped
from adjudge.runs.gate import Finding, Gate
from adjudge.wording import CORRECTIONS, counted, digits, listed, p_number, p_text, signed

if TYPE_CHECKING:
    from adjudge.io import Input

VERDICTS = {
    "better": "better",
    "same": "no significant change",
    "worse": "WORSE",
    "tolerated": "worse, within margin",
    "neutral": "not judged",
}
COLOURS = {"better": "win", "worse": "loss"}
METHODS = {"randomisation": "paired approximate randomisation", "bootstrap": "paired bootstrap"}


def text_lines(gate: Gate, *, width: int | None = None, rule: bool = False) -> list[Line]:
    """All of it for people: the table, a sentence a metric, the decision."""
    lines = table_lines(gate_table(gate), width=width, rule=rule)
    lines.append([])
    for sentence in sentences(gate):
        lines += wrapped(sentence.split(" "), width=width, indent="")
    lines.append([])
    lines.append([Span(decision(gate), "heading" if gate.passed else "loss")])
    lines += [[Span(line[0].text, "note")] for line in wrapped(how(gate).split(" "), width=width, indent="")]
    return lines


def as_markdown(gate: Gate) -> str:
    """The decision first, for the summary page of a build; then the table and a sentence a metric."""
    parts = [f"**{escape(decision(gate))}**\n", markdown_table(gate_table(gate))]
    parts.append("\n".join(f"- {escape(sentence)}" for sentence in sentences(gate)) + "\n")
    parts.append(f"{escape(how(gate))}\n")
    return "\n".join(parts)


def as_json(gate: Gate, *, version: str, inputs: Sequence[Input] = ()) -> str:
    """All that is known, unrounded; what is not a finite number is null."""

    def result(finding: Finding) -> dict[str, Any]:
        fields = {k: v for k, v in asdict(finding).items() if k not in ("label", "decimals")}
        return {k: finite(v) if isinstance(v, float) else v for k, v in fields.items()}

    document = {
        "version": version,
        "inputs": [asdict(item) for item in inputs],
        "against": gate.against,
        "test_set": gate.test_set.as_document(),
        "passed": gate.passed,
        "margin": gate.margin,
        "results": [result(finding) for finding in gate.findings],
        "test": {k: v for k, v in asdict(gate.test).items() if k != "baseline"},
        "warnings": list(gate.warnings),
    }
    return json.dumps(document, indent=2, allow_nan=False) + "\n"


def gate_table(gate: Gate) -> Table:
    """A row a metric, and one for each new system where there are several."""
    several = len({finding.system for finding in gate.findings}) > 1
    rows = []
    for found in gate.findings:
        places = digits([found.delta], found.decimals)
        names = [found.system] * several + [f"{found.label} {arrow(found.higher_is_better)}".rstrip()]
        numbers = [number(found.old, places), number(found.new, places), signed(found.delta, places)]
        numbers.append(p_number(found.p_adjusted, gate.test.alpha))
        verdict = Cell(VERDICTS[found.verdict], style=COLOURS.get(found.verdict, ""))
        rows.append(Row((*(Cell(visible(name)) for name in names), verdict, *map(Cell, numbers))))
    headings = [Column("System")] * several + [Column("Metric"), Column("Verdict")]
    return Table((*headings, *(Column(label, True) for label in ("Old", "New", "Change", "p"))), tuple(rows))


def sentences(gate: Gate) -> list[str]:
    """What was seen, a sentence a metric and system."""
    several = len({finding.system for finding in gate.findings}) > 1
    return [
        (f"{visible(found.system)}, " if several else "") + _sentence(found, gate) for found in gate.findings
    ]


def decision(gate: Gate) -> str:
    """Whether the new output passes, and why."""
    where = visible(os.path.basename(gate.against))
    if gate.passed:
        return f"Gate passed: no significant drop against {where}."
    worse = [found for found in gate.findings if found.verdict == "worse"]
    names = list(dict.fromkeys(visible(found.label) for found in worse))
    systems = list(dict.fromkeys(found.system for found in gate.findings))
    whose = listed([visible(s) for s in systems if any(f.system == s for f in worse)])
    who = f" of {whose}" if len(systems) > 1 else ""
    verb = "is" if len(names) == 1 else "are"
    return f"Gate failed: {listed(names)}{who} {verb} significantly worse than in {where}."


def how(gate: Gate) -> str:
    """The test in one line."""
    test = gate.test
    pairs = dict.fromkeys((found.system, found.against) for found in gate.findings)
    held = listed([f"{visible(a)} against {visible(b)}" for a, b in pairs], 3)
    margin = f", margin {gate.margin:g}" if gate.margin else ""
    over = (
        f"{CORRECTIONS[test.correction]} over {test.comparisons} tests"
        if test.comparisons > 1
        else "one test"
    )
    return (
        f"{held} on {counted(gate.test_set.segments, 'segment')}; {METHODS[test.method]}, {test.trials:,} trials, "
        f"unit {visible(test.unit)}, {over}, "
        f"alpha {test.alpha:g}{margin}, seed {test.seed}"
    )


def _sentence(found: Finding, gate: Gate) -> str:
    label = visible(found.label)
    places = digits([found.delta], found.decimals)
    change = f"{number(found.old, places)} then, {number(found.new, places)} now"
    p = p_text(found.p_adjusted, gate.test.alpha)
    if found.verdict == "neutral":
        return f"{label}: {change}; no direction is better, so it is not judged."
    if found.verdict == "same":
        if found.delta == 0 and math.isnan(found.detectable):
            return f"{label}: nothing has changed."
        power = (
            "this test set is too small to show any"
            if math.isnan(found.detectable)
            else f"a {_drop(found)} of {number(found.detectable, digits([found.detectable], found.decimals))} "
            "would have been seen with 80 % power"
        )
        return f"{label}: no significant change ({p}); {power}."
    if found.verdict == "tolerated":
        return f"{label}: worse ({change}, {p}), but by less than the margin of {gate.margin:g}."
    return f"{label}: {'better' if found.verdict == 'better' else 'WORSE'} ({change}, {p})."


def _drop(found: Finding) -> str:
    return "drop" if found.higher_is_better else "rise"
