"""A gate shown: what has changed since the stored result, by which metric, and whether that may be believed.

Of a study, the mean over test sets and every set stand in the table.
"""

from __future__ import annotations

import math
import os
from collections.abc import Sequence
from dataclasses import asdict, replace
from typing import TYPE_CHECKING, Any

from adjudge.comparison.documents import design_document, plain
from adjudge.comparison.relevance import size_words
from adjudge.comparison.verdict import verdict_document
from adjudge.display import FLUSH, Cell, Column, Row, Section, Table, arrow, visible
from adjudge.history.gate import MEAN, Gate, GateFinding
from adjudge.report.render.formats import Forms
from adjudge.report.results.notes import drawn_words, reservation_sentences
from adjudge.stats.design import join_designs
from adjudge.wording import (
    CORRECTIONS,
    MISSING,
    digits,
    join_names,
    number,
    p_number,
    p_text,
    pluralise,
    signed,
)

if TYPE_CHECKING:
    from adjudge.io import Input
    from adjudge.stats.looks import Look

VERDICTS = {
    "better": "better",
    "same": "no significant change",
    "worse": "WORSE",
    "tolerated": "worse, within tolerance",
    "neutral": "not judged",
}
COLOURS = {"better": "win", "worse": "loss"}


MANY = 30
"""Rows beyond which only means and what has changed are shown; JSON has all."""
COMMON_FIELDS = ("system", "against", "metric", "old", "new", "delta")
RUN_FIELDS = (
    *COMMON_FIELDS,
    *("low", "high", "p", "p_adjusted", "significant", "detectable", "verdict", "higher_is_better"),
    "signature",
)
"""What JSON has of a finding on one test set."""
STUDY_FIELDS = (
    *("test_set", "sets", *COMMON_FIELDS),
    *("p", "p_adjusted", "significant", "verdict", "higher_is_better"),
)
"""What it has of a mean over test sets, and of one of them."""


def forms(gate: Gate, *, version: str, inputs: Sequence[Input] = ()) -> Forms:
    """A gate in every format: in print the decision comes first, for the summary page of a build."""

    def printed() -> list[Section]:
        *seen, decided = sections(gate)
        return [replace(decided, notes=()), *seen, Section(lead=how(gate))]

    return Forms(lambda: sections(gate), lambda: document(gate, version, inputs), markdown=printed)


def sections(gate: Gate) -> tuple[Section, ...]:
    """The table, on one test set a sentence a metric, the decision."""
    shown = _shown(gate)
    decided = Section(
        lead=decision(gate),
        style="heading" if gate.passed else "loss",
        sentences=tuple(reservation_sentences(gate.designs)),
        notes=(how(gate),),
        layout=FLUSH,
    )
    if not gate.study:
        seen = Section(sentences=tuple(sentences(gate)), layout=FLUSH)
        return Section(tables=(gate_table(gate, shown),)), seen, decided
    left = len(gate.findings) - len(shown)
    more = (f"{pluralise(left, 'row')} without a significant change: -f json has all.",) if left else ()
    return Section(tables=(gate_table(gate, shown),), sentences=more, layout=FLUSH), decided


def document(gate: Gate, version: str, inputs: Sequence[Input] = ()) -> dict[str, Any]:
    """All that is known, unrounded; of a study, the mean over test sets has no `test_set`."""
    head = {"version": version, "inputs": [asdict(item) for item in inputs], "against": gate.against}
    decided = {
        "passed": gate.passed,
        "verdicts": [verdict_document(verdict) for verdict in gate.verdicts],
        "tolerance": gate.tolerance,
    }
    look = gate.look.as_document(gate.test.alpha)
    if not gate.study:
        return {
            **head,
            "test_set": gate.test_set.as_document(),
            **decided,
            "results": [{name: getattr(own, name) for name in RUN_FIELDS} for own in gate.findings],
            "test": {k: v for k, v in asdict(gate.test).items() if k != "baseline"},
            "look": look,
            "design": None if gate.design is None else design_document(gate.design),
            "warnings": list(gate.warnings),
        }
    of_study: dict[str, Any] = plain(
        {
            **head,
            "study": gate.study,
            "sets": gate.sets,
            **decided,
            "results": [
                {name: getattr(own, name) for name in STUDY_FIELDS} | {"test_set": own.test_set or None}
                for own in gate.findings
            ],
            "plan": asdict(gate.plan),
            "comparisons": gate.test.comparisons,
            "look": look,
            "designs": {name: design_document(design) for name, design in gate.designs.items()},
            "design": design_document(join_designs(list(gate.designs.values()))),
            "warnings": gate.warnings,
        }
    )
    return of_study


def _shown(gate: Gate) -> list[GateFinding]:
    """The findings that a table has room for: of many, means and what has changed."""
    if not gate.study or len(gate.findings) <= MANY:
        return list(gate.findings)
    return [own for own in gate.findings if own.test_set == MEAN or own.verdict != "same"]


def gate_table(gate: Gate, shown: Sequence[GateFinding]) -> Table:
    """A row a metric, and one for each new system and test set where there are several."""
    several = len({finding.system for finding in gate.findings}) > 1
    rows = []
    for finding in shown:
        places = digits([finding.delta], finding.decimals)
        names = [finding.system] * several + [f"{finding.label} {arrow(finding.higher_is_better)}".rstrip()]
        names += [finding.test_set or f"mean of {pluralise(finding.sets, 'set')}"] if gate.study else []
        numbers = [number(finding.old, places), number(finding.new, places), signed(finding.delta, places)]
        untested = bool(gate.study) and math.isnan(finding.p_adjusted)
        numbers.append(MISSING if untested else p_number(finding.p_adjusted, gate.test.alpha))
        verdict = Cell(VERDICTS[finding.verdict], style=COLOURS.get(finding.verdict, ""))
        rows.append(Row((*(Cell(visible(name)) for name in names), verdict, *map(Cell, numbers))))
    headings = [Column("System")] * several + [Column("Metric")]
    headings += [Column("Test set")] if gate.study else []
    headings.append(Column("Verdict"))
    return Table((*headings, *(Column(label, True) for label in ("Old", "New", "Change", "p"))), tuple(rows))


def sentences(gate: Gate) -> list[str]:
    """What was seen, a sentence a metric and system."""
    several = len({finding.system for finding in gate.findings}) > 1
    return [
        (f"{visible(finding.system)}, " if several else "") + _sentence(finding, gate)
        for finding in gate.findings
    ]


def decision(gate: Gate) -> str:
    """Whether the new outputs pass, and why."""
    where = visible(os.path.basename(gate.against))
    if gate.passed:
        return f"Gate passed: no evidence of a drop against {where}."
    worse = [finding for finding in gate.findings if finding.verdict == "worse"]
    if gate.study:
        drops = [f"{_place(finding)} ({_size(finding, gate)})" for finding in worse]
        return f"Gate failed: significantly worse than in {where}: {join_names(drops, 6)}."
    names = list(dict.fromkeys(visible(finding.label) for finding in worse))
    systems = list(dict.fromkeys(finding.system for finding in gate.findings))
    whose = join_names([visible(s) for s in systems if any(f.system == s for f in worse)])
    who = f" of {whose}" if len(systems) > 1 else ""
    verb = "is" if len(names) == 1 else "are"
    return f"Gate failed: {join_names(names)}{who} {verb} significantly worse than in {where}."


def _place(own: GateFinding) -> str:
    where = f"on {visible(own.test_set)}" if own.test_set != MEAN else "in the mean"
    return f"{visible(own.label)} of {visible(own.system)} {where}"


def _size(own: GateFinding, gate: Gate) -> str:
    """How large a change is, and whether that matters."""
    change = signed(own.delta, digits([own.delta], own.decimals))
    size = size_words(own.metric, own.delta, margin=gate.tolerance or None)
    return f"{change}; {size}" if size else f"{change}; how large it must be to matter is not known"


def how(gate: Gate) -> str:
    """The test in one line."""
    test = gate.test
    tolerance = f", tolerance {gate.tolerance:g}" if gate.tolerance else ""
    over = (
        f"{CORRECTIONS[test.correction]} over {pluralise(test.comparisons, 'test')}"
        if test.comparisons > 1
        else "one test"
    )
    ways = "--look N or --max-looks N" if gate.study else "--look N, --max-looks N or --record"
    rest = f"{over}, alpha {test.alpha:g}{tolerance}, seed {test.seed}; {look_words(gate.look, test.alpha, ways)}"
    if gate.study:
        return (
            f"{pluralise(len(gate.sets), 'test set')}; {test.system_test.title} within each, {test.trials:,} trials, "
            f"{drawn_words(gate.designs)} drawn, {rest}"
        )
    pairs = dict.fromkeys((finding.system, finding.against) for finding in gate.findings)
    held = join_names([f"{visible(a)} against {visible(b)}" for a, b in pairs], 3)
    return (
        f"{held} on {pluralise(gate.test_set.segments, 'segment')}; {test.system_test.title}, {test.trials:,} trials, "
        f"unit {visible(test.unit)}, {rest}"
    )


def look_words(look: Look, alpha: float, ways: str = "--look N, --max-looks N or --record") -> str:
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


def _sentence(finding: GateFinding, gate: Gate) -> str:
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
        return f"{label}: worse ({change}, {p}), but by less than the tolerance of {gate.tolerance:g}."
    size = size_words(
        finding.metric, finding.delta, margin=gate.tolerance or None, language=gate.test_set.language
    )
    size = size or f"how large a difference in {label} must be to matter is not known"
    return f"{label}: {'better' if finding.verdict == 'better' else 'WORSE'} ({change}, {p}); {size}."


def _drop(finding: GateFinding) -> str:
    return "drop" if finding.higher_is_better else "rise"
