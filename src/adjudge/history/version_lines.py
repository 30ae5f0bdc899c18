"""Lines of systems over their versions: every score with its interval, and the steps that are significant."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass, field
from typing import Any

from adjudge.charts import Scale
from adjudge.comparison.plan import Plan
from adjudge.comparison.relevance import size_words
from adjudge.display import (
    FLUSH,
    Cell,
    Column,
    Data,
    Displayable,
    Row,
    Section,
    Table,
    arrow,
    shorten,
    visible,
)
from adjudge.history.gate_result import Outcome, detectable_drop
from adjudge.history.record_list import identity, when
from adjudge.history.records import Record
from adjudge.stats.looks import Look
from adjudge.wording import (
    CORRECTIONS,
    MISSING,
    digits,
    join_names,
    number,
    p_number,
    p_text,
    percent,
    pluralise,
    with_sign,
)

TRACK = 25
"""Characters that an interval is drawn in."""
NAME = 20
VERDICTS = {
    "better": "▲ better",
    "worse": "▼ WORSE",
    "tolerated": "▼ within tolerance",
    "same": "",
    "neutral": "",
}
COLOURS = {"better": "win", "worse": "loss"}
COLUMNS: tuple[str, ...] = (
    "test_set",
    "system",
    "metric",
    "record",
    "made",
    "label",
    "revision",
    "changed",
    "score",
    "low",
    "high",
)
COLUMNS += ("runs", "stretch", "against", "delta", "p", "p_adjusted", "verdict", "broken")


@dataclass(frozen=True)
class Step:
    """The change from one version to the version it is compared with."""

    against: int
    """The record of the earlier version."""
    delta: float
    """New − old as scored."""
    p: float
    """The p of this step alone."""
    p_adjusted: float
    """Corrected for all tests of all looks."""
    verdict: Outcome
    unchanged: bool = False
    """Whether the rows are the same, so that there was nothing to test."""
    look: int | None = None
    """Which look the record is, from 1; None where nothing was tested."""
    detectable: float = math.nan
    """The smallest change that this look catches with 80 % power."""


@dataclass(frozen=True)
class Version:
    """One record on a line."""

    record: Record = field(repr=False)
    name: str
    made: float
    score: float
    low: float
    high: float
    runs: int
    stretch: int
    """The number of the comparable run, from 0; versions within one run can be compared."""
    step: Step | None = None
    """None for the first version of a comparable run, and for metrics without a better direction."""
    broken: str = ""
    """Why it cannot be compared with any earlier version."""

    @property
    def tolerated(self) -> bool:
        """Whether it became worse, by less than the tolerance."""
        return self.step is not None and self.step.verdict == "tolerated"

    def full_name(self) -> str:
        """A version as it is named in sentences and tables: with its number, which is its own."""
        name = shorten(visible(self.name), NAME)
        return name if name == f"#{self.record.id}" else f"{name} (#{self.record.id})"

    def _drawn_interval(self, scale: Scale) -> str:
        """The interval as a line, the score as a dot on it."""

        def at(value: float) -> int:
            return round(scale.at(value) / 100 * (TRACK - 1))

        marks = [" "] * TRACK
        if math.isfinite(self.low) and math.isfinite(self.high):
            for place in range(at(self.low), at(self.high) + 1):
                marks[place] = "─"
        marks[at(self.score)] = "●"
        # A table's cells have no space at their ends.
        return "".join(marks).replace(" ", "·")

    def document(self) -> dict[str, Any]:
        """All that is known of it, unrounded."""
        return {
            **identity(self.record),
            "score": self.score,
            "low": self.low,
            "high": self.high,
            "runs": self.runs,
            "stretch": self.stretch,
            "broken": self.broken or None,
            "step": None if self.step is None else asdict(self.step),
        }


@dataclass(frozen=True)
class HistoryLine:
    """One system by one metric on the test sets of one name, the oldest version first."""

    test_set: str
    system: str
    metric: str
    label: str
    higher_is_better: bool | None
    decimals: int
    segments: int
    """Number of segments in the newest version's test set."""
    versions: tuple[Version, ...]

    @property
    def marked(self) -> tuple[Version, ...]:
        """Versions that differ significantly from the one they are compared with."""
        return tuple(
            v for v in self.versions if v.step and v.step.verdict in ("better", "worse", "tolerated")
        )

    @property
    def regressions(self) -> tuple[Version, ...]:
        """Versions that became worse, by the tolerance or more."""
        return tuple(v for v in self.versions if v.step and v.step.verdict == "worse")

    def identity(self) -> dict[str, str]:
        """Whose line, by what, on what."""
        return {"test_set": self.test_set, "system": self.system, "metric": self.metric}

    def caught_sentence(self) -> str:
        """What the newest look at a line would have caught, where it found no drop."""
        newest = self.versions[-1]
        if newest.step is None or newest.step.verdict != "same" or math.isnan(newest.step.detectable):
            return ""
        drop = "drop" if self.higher_is_better else "rise"
        power = detectable_drop(drop, newest.step.detectable, newest.step.delta, self.decimals, by_now=True)
        whose = f"{visible(self.system)} by {visible(self.label)}"
        return f"{whose}: no evidence of a {drop} in {newest.full_name()}; {power}."

    def title(self) -> str:
        """Whose line, by what, on what."""
        on = f" on {self.test_set}" if self.test_set else ""
        better = f" {arrow(self.higher_is_better)}".rstrip()
        return visible(f"{self.system} by {self.label}{better}{on}, {pluralise(self.segments, 'segment')}")

    def _version_table(self, result: Lines) -> Table:
        """A row a version, the newest at the bottom as on a time line."""
        ends = [value for v in self.versions for value in (v.low, v.score, v.high)]
        scale = Scale.over(ends)
        head = (
            Column("Version"),
            Column("When (UTC)"),
            Column(f"{percent(result.plan.confidence)} interval"),
            Column("Step"),
        )
        rows = []
        for version in self.versions:
            texts = [version.full_name(), when(version.made)[:10], version._drawn_interval(scale)]
            verdict = VERDICTS[version.step.verdict] if version.step else ""
            if version.broken:
                verdict = "not compared"
            elif version.step is not None and version.step.unchanged:
                verdict = "unchanged"
            style = COLOURS.get(version.step.verdict, "") if version.step else ""
            cells = (
                *map(Cell, texts),
                Cell(verdict, style=style),
                *map(Cell, self._numbers(version, result)),
            )
            rows.append(Row(cells, rule=bool(version.broken)))
        return Table((*head, *(Column(name, True) for name in ("Score", "Change", "p"))), tuple(rows))

    def _numbers(self, version: Version, result: Lines) -> list[str]:
        step = version.step
        if step is None or step.unchanged:
            return [number(version.score, self.decimals), MISSING, MISSING]
        places = digits([step.delta], self.decimals)
        return [
            number(version.score, self.decimals),
            with_sign(step.delta, places),
            p_number(step.p_adjusted, result.plan.alpha),
        ]

    def sentences(self, result: Lines) -> list[str]:
        """What is significant on a line, where it breaks, and what became of it as a whole."""
        points = []
        for version in self.marked:
            assert version.step is not None
            change = with_sign(version.step.delta, digits([version.step.delta], self.decimals))
            verdict = {"better": "better", "worse": "WORSE"}.get(version.step.verdict, "worse")
            tolerance = ", within the tolerance" if version.tolerated else ""
            p = p_text(version.step.p_adjusted, result.plan.alpha)
            size = "" if version.tolerated else f"; {self._size_words(version.step.delta, result.tolerance)}"
            points.append(
                f"{version.full_name()}: {verdict} than {self.base_name(version)}{tolerance} ({change}, {p}){size}."
            )
        for version in self.versions:
            if version.broken:
                points.append(f"{version.full_name()}: the line breaks, {visible(version.broken)}.")
        compared = [v for v in self.versions if v.step is not None]
        if compared and not self.marked:
            unchanged = all(v.step is not None and v.step.unchanged for v in self.versions[1:])
            points.insert(0, "Nothing has changed." if unchanged else "No significant change.")
        if not compared and self.higher_is_better is not None and not any(v.broken for v in self.versions):
            points.append("One version: there is nothing to compare it with yet.")
        if self.higher_is_better is None:
            points.append("No direction is better, so nothing is tested.")
        return points

    def _size_words(self, delta: float, margin: float) -> str:
        """Whether a change matters, to go on with a sentence."""
        size = size_words(self.metric, delta, margin=margin or None)
        return size or f"how large a difference in {visible(self.label)} must be to matter is not known"

    def base_name(self, version: Version) -> str:
        """The version that it is held against."""
        assert version.step is not None
        return next(own.full_name() for own in self.versions if own.record.id == version.step.against)


@dataclass(frozen=True)
class Lines(Displayable):
    """All lines that were asked for, tested together."""

    place: str
    lines: tuple[HistoryLine, ...]
    tests: int
    """Steps that were tested, on all lines."""
    looks: int
    """Records that brought something to test, from the first one of the history or of `since` on."""
    most_trials: int
    """Trials for steps close to significance, where these are more than the plan has."""
    plan: Plan
    base_version: str
    tolerance: float
    units: tuple[str, ...]
    """The unit of resampling: whole documents for sliding windows, whatever the plan says."""
    warnings: tuple[str, ...] = ()

    @property
    def tolerated(self) -> int:
        """How many versions became worse by less than the tolerance."""
        return sum(version.tolerated for line in self.lines for version in line.versions)

    @property
    def regressions(self) -> tuple[tuple[HistoryLine, Version], ...]:
        """All versions that became worse."""
        return tuple((line, version) for line in self.lines for version in line.regressions)

    @property
    def title(self) -> str:
        """The whole in a sentence."""
        return self.summary()

    def data(self) -> Data:
        """One row per version."""
        rows: list[list[Any]] = []
        for line in self.lines:
            for version in line.versions:
                named: dict[str, Any] = {**line.identity(), **version.document()}
                named |= dict.fromkeys(("against", "delta", "p", "p_adjusted", "verdict"))
                named |= asdict(version.step) if version.step else {}
                rows.append([named[column] for column in COLUMNS])
        return Data(COLUMNS, rows)

    def document(self) -> dict[str, Any]:
        """All that is known, unrounded."""
        plan = self.plan
        test = ("trials", "resamples", "seed", "strata", "correction", "alpha", "confidence")
        return {
            "history": self.place,
            "lines": [
                {
                    **line.identity(),
                    "higher_is_better": line.higher_is_better,
                    "versions": [version.document() for version in line.versions],
                }
                for line in self.lines
            ],
            "regressions": [
                {**line.identity(), "record": regression.record.id} for line, regression in self.regressions
            ],
            "test": {
                "method": plan.test,
                **{name: getattr(plan, name) for name in test},
                "units": list(self.units),
                "tests": self.tests,
                "base_version": self.base_version,
                "tolerance": self.tolerance,
                "looks": self.looks,
                "alpha_spent": self._alpha_spent(),
                "most_trials": self.most_trials,
            },
            "warnings": list(self.warnings),
        }

    def sections(self) -> list[Section]:
        """A section a line, what is significant on it in words, and how that was tested at the end."""
        parts = [
            Section(line.title(), (line._version_table(self),), tuple(line.sentences(self)), key=str(place))
            for place, line in enumerate(self.lines)
        ]
        return [*parts, Section(notes=(self.how(), *self.warnings))]

    def regression_sections(self) -> list[Section]:
        """A row a version that became worse, and the decision."""
        worse = self.regressions
        head = (
            Column("System"),
            Column("Metric"),
            Column("Test set"),
            Column("Version"),
            Column("held against"),
        )
        rows = [
            Row(
                tuple(
                    Cell(visible(text))
                    for text in (
                        line.system,
                        line.label,
                        line.test_set,
                        version.full_name(),
                        line.base_name(version),
                    )
                )
                + tuple(map(Cell, line._numbers(version, self)))
            )
            for line, version in worse
        ]
        table = Table((*head, *(Column(name, True) for name in ("Score", "Change", "p"))), tuple(rows))
        if not self.tests:
            lead = "Nothing to compare: no line has two versions that can be compared and differ."
        else:
            on = f"on {pluralise(len(self.lines), 'line')}"
            small = f" by {self.tolerance:g} or more ({self.tolerated:,} smaller)" if self.tolerated else ""
            lead = (
                f"{pluralise(len(worse), 'step')} for the worse{small} {on}, significantly."
                if worse
                else f"No evidence of a step for the worse{small} {on}."
            )
        return [
            Section(tables=(table,) if worse else ()),
            Section(
                sentences=tuple(filter(None, (line.caught_sentence() for line in self.lines))), layout=FLUSH
            ),
            Section(lead=lead, style="loss" if worse else "heading", notes=(self.how(), *self.warnings)),
        ]

    def how(self) -> str:
        """The tests in a line."""
        plan = self.plan
        if not self.tests:
            return f"{self.place}: no two versions that differ can be compared yet."
        which = "the one before it" if self.base_version == "previous" else "the first one"
        tolerance = f", tolerance {self.tolerance:g}" if self.tolerance else ""
        more = (
            f" (up to {self.most_trials:,} where p is small)" if self.most_trials > (plan.trials or 0) else ""
        )
        over = self._alpha_sharing()
        return (
            f"Each version against {which} on the same test set by the same signature; {plan.system_test.title}, "
            f"{plan.trials:,} trials{more}, unit {visible(join_names(self.units))}, {over}{tolerance}, "
            f"seed {plan.seed}; intervals of scores are not corrected"
        )

    def _alpha_sharing(self) -> str:
        """How alpha is shared out: between the tests of a look, and between looks."""
        plan, looks = self.plan, self.looks
        tests = f"{pluralise(self.tests, 'test')} on {pluralise(len(self.lines), 'line')}"
        if plan.correction == "none":
            return f"{tests}, not corrected, alpha {plan.alpha:g} each"
        within = f"{CORRECTIONS[plan.correction]} within each look, " if self.tests > 1 else ""
        return (
            f"{tests}, {within}alpha {plan.alpha:g} for all looks that there will ever be "
            f"({self._alpha_spent():.2g} spent in {pluralise(looks, 'look')})"
        )

    def _alpha_spent(self) -> float | None:
        """What all looks so far have spent; None without a correction, where each test has an alpha of its own."""
        if self.plan.correction == "none":
            return None
        return self.plan.alpha * (Look(self.looks).spent or 0.0) if self.looks else 0.0

    def summary(self) -> str:
        """The whole in a sentence, for the top of a page."""
        verdicts: list[str] = [v.step.verdict for line in self.lines for v in line.marked if v.step]
        if not verdicts:
            return f"No significant change on {pluralise(len(self.lines), 'line')}."
        told = {"better": "the better", "worse": "the worse", "tolerated": "the worse within the tolerance"}
        numbers = {words: verdicts.count(verdict) for verdict, words in told.items()}
        parts = [f"{pluralise(times, 'step')} for {words}" for words, times in numbers.items() if times]
        return f"Significant: {join_names(parts)}, on {pluralise(len(self.lines), 'line')}."


@dataclass(frozen=True)
class Regressions(Displayable):
    """What became worse on lines: the decision, and the versions behind it."""

    lines: Lines

    @property
    def title(self) -> str:
        """The whole in a sentence."""
        return self.lines.summary()

    def sections(self) -> list[Section]:
        """One row per version that became worse, and the decision."""
        return self.lines.regression_sections()

    def document(self) -> dict[str, Any]:
        """All lines."""
        return self.lines.document()
