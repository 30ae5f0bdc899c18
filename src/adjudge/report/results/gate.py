"""A gate shown: what has changed since the stored run, by which metric, and whether that may be believed."""

from __future__ import annotations

import math
import os
from collections.abc import Sequence
from dataclasses import asdict, replace
from typing import TYPE_CHECKING, Any

from adjudge.comparison.documents import design_document
from adjudge.comparison.relevance import size_words
from adjudge.comparison.verdict_words import verdict_document
from adjudge.history.gate import Finding, Gate
from adjudge.report.render.formats import Forms
from adjudge.report.render.sections import FLUSH, Section
from adjudge.report.render.table import Cell, Column, Row, Table, arrow, visible
from adjudge.wording import CORRECTIONS, counted, digits, listed, number, p_number, p_text, signed

if TYPE_CHECKING:
    from adjudge.io import Input
    from adjudge.stats.looks import Look

VERDICTS = {
    "better": "better",
    "same": "no significant change",
    "worse": "WORSE",
    "tolerated": "worse, within margin",
    "neutral": "not judged",
}
COLOURS = {"better": "win", "worse": "loss"}


def forms(gate: Gate, *, version: str, inputs: Sequence[Input] = ()) -> Forms:
    """A gate in every format: in print the decision comes first, for the summary page of a build."""

    def printed() -> list[Section]:
        table, seen, decided = sections(gate)
        return [replace(decided, notes=()), table, seen, Section(lead=how(gate))]

    return Forms(lambda: sections(gate), lambda: document(gate, version, inputs), markdown=printed)


def sections(gate: Gate) -> tuple[Section, Section, Section]:
    """The table, a sentence a metric, the decision."""
    return (
        Section(tables=(gate_table(gate),)),
        Section(sentences=tuple(sentences(gate)), layout=FLUSH),
        Section(
            lead=decision(gate),
            style="heading" if gate.passed else "loss",
            notes=(how(gate),),
            layout=FLUSH,
        ),
    )


def document(gate: Gate, version: str, inputs: Sequence[Input] = ()) -> dict[str, Any]:
    """All that is known, unrounded."""
    return {
        "version": version,
        "inputs": [asdict(item) for item in inputs],
        "against": gate.against,
        "test_set": gate.test_set.as_document(),
        "passed": gate.passed,
        "verdicts": [verdict_document(verdict) for verdict in gate.verdicts],
        "margin": gate.margin,
        "results": [
            {k: v for k, v in asdict(finding).items() if k not in ("label", "decimals")}
            for finding in gate.findings
        ],
        "test": {k: v for k, v in asdict(gate.test).items() if k != "baseline"},
        "look": gate.look.as_document(gate.test.alpha),
        "design": None if gate.design is None else design_document(gate.design),
        "warnings": list(gate.warnings),
    }


def gate_table(gate: Gate) -> Table:
    """A row a metric, and one for each new system where there are several."""
    several = len({finding.system for finding in gate.findings}) > 1
    rows = []
    for finding in gate.findings:
        places = digits([finding.delta], finding.decimals)
        names = [finding.system] * several + [f"{finding.label} {arrow(finding.higher_is_better)}".rstrip()]
        numbers = [number(finding.old, places), number(finding.new, places), signed(finding.delta, places)]
        numbers.append(p_number(finding.p_adjusted, gate.test.alpha))
        verdict = Cell(VERDICTS[finding.verdict], style=COLOURS.get(finding.verdict, ""))
        rows.append(Row((*(Cell(visible(name)) for name in names), verdict, *map(Cell, numbers))))
    headings = [Column("System")] * several + [Column("Metric"), Column("Verdict")]
    return Table((*headings, *(Column(label, True) for label in ("Old", "New", "Change", "p"))), tuple(rows))


def sentences(gate: Gate) -> list[str]:
    """What was seen, a sentence a metric and system."""
    several = len({finding.system for finding in gate.findings}) > 1
    return [
        (f"{visible(finding.system)}, " if several else "") + _sentence(finding, gate)
        for finding in gate.findings
    ]


def decision(gate: Gate) -> str:
    """Whether the new output passes, and why."""
    where = visible(os.path.basename(gate.against))
    if gate.passed:
        return f"Gate passed: no evidence of a drop against {where}."
    worse = [finding for finding in gate.findings if finding.verdict == "worse"]
    names = list(dict.fromkeys(visible(finding.label) for finding in worse))
    systems = list(dict.fromkeys(finding.system for finding in gate.findings))
    whose = listed([visible(s) for s in systems if any(f.system == s for f in worse)])
    who = f" of {whose}" if len(systems) > 1 else ""
    verb = "is" if len(names) == 1 else "are"
    return f"Gate failed: {listed(names)}{who} {verb} significantly worse than in {where}."


def how(gate: Gate) -> str:
    """The test in one line."""
    test = gate.test
    pairs = dict.fromkeys((finding.system, finding.against) for finding in gate.findings)
    held = listed([f"{visible(a)} against {visible(b)}" for a, b in pairs], 3)
    margin = f", margin {gate.margin:g}" if gate.margin else ""
    over = (
        f"{CORRECTIONS[test.correction]} over {counted(test.comparisons, 'test')}"
        if test.comparisons > 1
        else "one test"
    )
    return (
        f"{held} on {counted(gate.test_set.segments, 'segment')}; {test.system_test.title}, {test.trials:,} trials, "
        f"unit {visible(test.unit)}, {over}, "
        f"alpha {test.alpha:g}{margin}, seed {test.seed}; {look_words(gate.look, test.alpha)}"
    )


def look_words(look: Look, alpha: float, ways: str = "--look N, --looks N or --record") -> str:
    """Which look at the baseline this is, and what it spends of alpha; `ways` are options that say so."""
    if look.only:
        return f"taken for the only look at this baseline (for builds that look again: {ways})"
    own = f"alpha {alpha * look.share:.2g}"
    if look.number is None:
        return f"one of {look.planned:,} looks at this baseline, each with {own}; p counts all of them"
    which = f"look {look.number:,}" + (f" of {look.planned:,}" if look.planned else "")
    assert look.spent is not None
    return f"{which} at this baseline, with {own} ({alpha * look.spent:.2g} spent so far); p counts all looks"


def caught(drop: str, detectable: float, delta: float, decimals: int, *, by_now: bool) -> str:
    """Which drop would have been caught, and why a change as large as that was not, where there is one."""
    places = digits([detectable, delta], decimals)
    sentence = (
        f"a {drop} of {number(detectable, places)} would have been caught{' by now' if by_now else ''} "
        "with 80 % probability"
    )
    if abs(delta) < detectable:
        return sentence
    return f"{sentence} (the change seen is {number(abs(delta), places)}, but one in five such changes is missed)"


def _sentence(finding: Finding, gate: Gate) -> str:
    label = visible(finding.label)
    places = digits([finding.delta], finding.decimals)
    change = f"{number(finding.old, places)} then, {number(finding.new, places)} now"
    p = p_text(finding.p_adjusted, gate.test.alpha)
    if finding.verdict == "neutral":
        return f"{label}: {change}; no direction is better, so it is not judged."
    if finding.verdict == "same":
        if finding.delta == 0 and math.isnan(finding.detectable):
            return f"{label}: nothing has changed."
        power = "this test set is too small to show any"
        if not math.isnan(finding.detectable):
            power = caught(
                _drop(finding),
                finding.detectable,
                finding.delta,
                finding.decimals,
                by_now=not gate.look.only,
            )
        return f"{label}: no evidence of a {_drop(finding)} ({p}); {power}."
    if finding.verdict == "tolerated":
        return f"{label}: worse ({change}, {p}), but by less than the margin of {gate.margin:g}."
    size = size_words(
        finding.metric, finding.delta, margin=gate.margin or None, language=gate.test_set.language
    )
    size = size or f"how large a difference in {label} must be to matter is not known"
    return f"{label}: {'better' if finding.verdict == 'better' else 'WORSE'} ({change}, {p}); {size}."


def _drop(finding: Finding) -> str:
    return "drop" if finding.higher_is_better else "rise"
