"""A gate: what has changed since the stored result, by which metric, and whether that may be believed.

Of a study, the mean over test sets and every set stand in the table.
"""

from __future__ import annotations

import math
import os
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import TYPE_CHECKING, Any, Literal

from adjudge.comparison.documents import design_document
from adjudge.comparison.pairwise_view import too_few
from adjudge.comparison.plan import Plan
from adjudge.comparison.relevance import size_words
from adjudge.comparison.results import TestFacts
from adjudge.comparison.scoring import Scores, TestSetFacts
from adjudge.comparison.verdict import Verdict, verdict_document
from adjudge.display import FLUSH, Cell, Column, Displayable, Row, Section, Table, arrow, visible
from adjudge.stats.design import Design, drawn_words, join_designs, reservation_sentences
from adjudge.stats.looks import ONLY_LOOK
from adjudge.wording import (
    CORRECTIONS,
    MISSING,
    digits,
    join_names,
    number,
    p_number,
    p_text,
    pluralise,
    with_sign,
)

if TYPE_CHECKING:
    from adjudge.stats.looks import Look

Outcome = Literal["better", "same", "worse", "tolerated", "neutral"]
"""`tolerated` is a significant drop below the tolerance, `neutral` a metric without a better direction."""
MEAN = ""
"""The test set of a finding about the mean over all test sets."""
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


@dataclass(frozen=True)
class GateFinding:
    """A new system compared with a stored one by one metric."""

    system: str
    against: str
    metric: str
    label: str
    old: float
    new: float
    delta: float
    """new − old as scored; the sign is not changed where lower is better."""
    p: float
    """The p of this look alone."""
    p_adjusted: float
    """Corrected for all metrics, systems, test sets and looks; NaN where a test set was not tested by itself."""
    significant: bool
    verdict: Outcome
    higher_is_better: bool | None
    decimals: int
    low: float = math.nan
    high: float = math.nan
    """Interval of delta, on one test set."""
    detectable: float = math.nan
    """The smallest change that this look catches with 80 % power, on one test set; NaN where nothing varies."""
    signature: str = ""
    test_set: str = MEAN
    """The test set, where there are several; empty for the mean over them."""
    sets: int = 1
    """How many test sets both systems have."""

    def place(self) -> str:
        """The metric, the system and the test set."""
        where = f"on {visible(self.test_set)}" if self.test_set != MEAN else "in the mean"
        return f"{visible(self.label)} of {visible(self.system)} {where}"

    def size(self, gate: Gate) -> str:
        """How large a change is, and whether that matters."""
        change = with_sign(self.delta, digits([self.delta], self.decimals))
        size = self._size_words(gate)
        return f"{change}; {size}" if size else f"{change}; how large it must be to matter is not known"

    def _size_words(self, gate: Gate) -> str:
        """Whether the change is one that matters; '' where that is not known."""
        facts = gate.facts.get(self.test_set) if len(gate.facts) > 1 else gate.test_set
        verdicts = [verdict for verdict in gate.verdicts if self.system in verdict.order]
        too_short = facts is not None and too_few(facts.segments)
        if too_short or any(verdict.certainty == "short" for verdict in verdicts):
            return "so few segments do not tell how large it is"
        language = "" if facts is None else facts.language
        return size_words(self.metric, self.delta, margin=gate.tolerance or None, language=language)

    def sentence(self, gate: Gate) -> str:
        """What has changed, and whether that may be believed."""
        label = visible(self.label)
        places = digits([self.delta], self.decimals)
        change = f"{number(self.old, places)} then, {number(self.new, places)} now"
        p = p_text(self.p_adjusted, gate.test.alpha)
        if self.verdict == "neutral":
            return f"{label}: {change}; no direction is better, so it is not judged."
        if self.verdict == "same":
            if self.delta == 0 and math.isnan(self.detectable):
                return f"{label}: nothing has changed."
            power = "this test set is too small to show any"
            if not math.isnan(self.detectable):
                power = detectable_drop(
                    self.drop_word(),
                    self.detectable,
                    self.delta,
                    self.decimals,
                    by_now=not gate.look.only,
                )
            return f"{label}: no evidence of a {self.drop_word()} ({p}); {power}."
        if self.verdict == "tolerated":
            return f"{label}: worse ({change}, {p}), but by less than the tolerance of {gate.tolerance:g}."
        size = self._size_words(gate) or f"how large a difference in {label} must be to matter is not known"
        return f"{label}: {'better' if self.verdict == 'better' else 'WORSE'} ({change}, {p}); {size}."

    def drop_word(self) -> str:
        """What a change for the worse is called."""
        return "drop" if self.higher_is_better else "rise"


@dataclass(frozen=True)
class Gate(Displayable):
    """The findings of a gate, and whether the new outputs pass."""

    against: str
    """The file of the stored result."""
    facts: Mapping[str, TestSetFacts]
    """By test set."""
    findings: tuple[GateFinding, ...]
    test: TestFacts
    tolerance: float
    scores: Scores | None = None
    """The scores of new outputs on one test set, with rows: the next stored run."""
    warnings: tuple[str, ...] = ()
    verdicts: tuple[Verdict, ...] = ()
    """For each new system and the stored one, which is better, in the mean where there are several test sets."""
    look: Look = ONLY_LOOK
    """Which look at the stored result this is; findings are tested at its share of alpha."""
    study: str = ""
    """The name of the study, where a study is compared with its earlier result."""
    plan: Plan = field(default_factory=Plan)
    """The plan, with the numbers of trials and resamples that were drawn."""
    designs: Mapping[str, Design] = field(default_factory=dict)
    """The design on each test set, by the first metric."""

    @property
    def sets(self) -> tuple[str, ...]:
        """The test sets that were compared with the stored result."""
        return tuple(self.facts)

    @property
    def test_set(self) -> TestSetFacts:
        """The only test set."""
        [only] = self.facts.values()
        return only

    @property
    def design(self) -> Design | None:
        """The design of the tests on one set; all new systems share it."""
        return next((verdict.evidence.design for verdict in self.verdicts), None)

    @property
    def passed(self) -> bool:
        """Whether no metric shows a significant drop of the tolerance or more."""
        return all(finding.verdict != "worse" for finding in self.findings)

    @property
    def title(self) -> str:
        """The decision."""
        return self.decision()

    def printed(self) -> list[Section]:
        """The decision first, for the summary page of a build."""
        *seen, decided = self.sections()
        return [replace(decided, notes=()), *seen, Section(lead=self.how())]

    def document(self) -> dict[str, Any]:
        """All that is known, unrounded; of a study, the mean over test sets has no `test_set`."""
        decided = {
            "passed": self.passed,
            "verdicts": [verdict_document(verdict) for verdict in self.verdicts],
            "tolerance": self.tolerance,
        }
        look = {"look": self.look.as_document(self.test.alpha)}
        if not self.study:
            return {
                "against": self.against,
                "test_set": self.test_set.as_document(),
                **decided,
                "results": [
                    {name: getattr(finding, name) for name in RUN_FIELDS} for finding in self.findings
                ],
                "test": {k: v for k, v in asdict(self.test).items() if k != "baseline"},
                **look,
                "design": None if self.design is None else design_document(self.design),
                "warnings": list(self.warnings),
            }
        return {
            "against": self.against,
            "study": self.study,
            "sets": self.sets,
            **decided,
            "results": [
                {name: getattr(finding, name) for name in STUDY_FIELDS}
                | {"test_set": finding.test_set or None}
                for finding in self.findings
            ],
            "plan": asdict(self.plan),
            "comparisons": self.test.comparisons,
            **look,
            "designs": {name: design_document(design) for name, design in self.designs.items()},
            "design": design_document(join_designs(list(self.designs.values()))),
            "warnings": self.warnings,
        }

    def sections(self) -> list[Section]:
        """The table, on one test set a sentence a metric, the decision."""
        shown = self._displayed_findings()
        decided = Section(
            lead=self.decision(),
            style="heading" if self.passed else "loss",
            sentences=tuple(reservation_sentences(self.designs)),
            notes=(self.how(),),
            layout=FLUSH,
        )
        if not self.study:
            seen = Section(sentences=tuple(self.sentences()), layout=FLUSH)
            return [Section(tables=(self._table(shown),)), seen, decided]
        left = len(self.findings) - len(shown)
        more = (f"{pluralise(left, 'row')} without a significant change: -f json has all.",) if left else ()
        return [Section(tables=(self._table(shown),), sentences=more, layout=FLUSH), decided]

    def _displayed_findings(self) -> list[GateFinding]:
        """The findings that a table has room for: of many, means and what has changed."""
        if not self.study or len(self.findings) <= MANY:
            return list(self.findings)
        return [finding for finding in self.findings if finding.test_set == MEAN or finding.verdict != "same"]

    def _table(self, shown: Sequence[GateFinding]) -> Table:
        """A row a metric, and one for each new system and test set where there are several."""
        several = len({finding.system for finding in self.findings}) > 1
        rows = []
        for finding in shown:
            places = digits([finding.delta], finding.decimals)
            names = [finding.system] * several + [
                f"{finding.label} {arrow(finding.higher_is_better)}".rstrip()
            ]
            names += [finding.test_set or f"mean of {pluralise(finding.sets, 'set')}"] if self.study else []
            numbers = [
                number(finding.old, places),
                number(finding.new, places),
                with_sign(finding.delta, places),
            ]
            untested = bool(self.study) and math.isnan(finding.p_adjusted)
            numbers.append(MISSING if untested else p_number(finding.p_adjusted, self.test.alpha))
            verdict = Cell(VERDICTS[finding.verdict], style=COLOURS.get(finding.verdict, ""))
            rows.append(Row((*(Cell(visible(name)) for name in names), verdict, *map(Cell, numbers))))
        headings = [Column("System")] * several + [Column("Metric")]
        headings += [Column("Test set")] if self.study else []
        headings.append(Column("Verdict"))
        return Table(
            (*headings, *(Column(label, True) for label in ("Old", "New", "Change", "p"))), tuple(rows)
        )

    def sentences(self) -> list[str]:
        """What was seen, a sentence a metric and system."""
        several = len({finding.system for finding in self.findings}) > 1
        return [
            (f"{visible(finding.system)}, " if several else "") + finding.sentence(self)
            for finding in self.findings
        ]

    def decision(self) -> str:
        """Whether the new outputs pass, and why."""
        where = visible(os.path.basename(self.against))
        if self.passed:
            return f"Gate passed: no evidence of a drop against {where}."
        worse = [finding for finding in self.findings if finding.verdict == "worse"]
        if self.study:
            drops = [f"{finding.place()} ({finding.size(self)})" for finding in worse]
            return f"Gate failed: significantly worse than in {where}: {join_names(drops, 6)}."
        names = list(dict.fromkeys(visible(finding.label) for finding in worse))
        systems = list(dict.fromkeys(finding.system for finding in self.findings))
        whose = join_names([visible(s) for s in systems if any(f.system == s for f in worse)])
        who = f" of {whose}" if len(systems) > 1 else ""
        verb = "is" if len(names) == 1 else "are"
        return f"Gate failed: {join_names(names)}{who} {verb} significantly worse than in {where}."

    def how(self) -> str:
        """The test in one line."""
        test = self.test
        tolerance = f", tolerance {self.tolerance:g}" if self.tolerance else ""
        over = (
            f"{CORRECTIONS[test.correction]} over {pluralise(test.comparisons, 'test')}"
            if test.comparisons > 1
            else "one test"
        )
        ways = "--look N or --max-looks N" if self.study else "--look N, --max-looks N or --record"
        rest = f"{over}, alpha {test.alpha:g}{tolerance}, seed {test.seed}; {look_words(self.look, test.alpha, ways)}"
        if self.study:
            return (
                f"{pluralise(len(self.sets), 'test set')}; {test.system_test.title} within each, {test.trials:,} "
                f"trials, {drawn_words(self.designs)} drawn, {rest}"
            )
        pairs = dict.fromkeys((finding.system, finding.against) for finding in self.findings)
        held = join_names([f"{visible(a)} against {visible(b)}" for a, b in pairs], 3)
        return (
            f"{held} on {pluralise(self.test_set.segments, 'segment')}; {test.system_test.title}, {test.trials:,} "
            f"trials, unit {visible(test.unit)}, {rest}"
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


def detectable_drop(drop: str, detectable: float, delta: float, decimals: int, *, by_now: bool) -> str:
    """Which drop would have been caught, and why a change as large as that was not, where there is one."""
    places = digits([detectable, delta], decimals)
    sentence = (
        f"a {drop} of {number(detectable, places)} would have been caught{' by now' if by_now else ''} "
        "with 80 % probability"
    )
    if abs(delta) < detectable:
        return sentence
    return f"{sentence} (the change seen is {number(abs(delta), places)}, but one in five such changes is missed)"
