"""A system over its versions: scores with intervals, and the steps that chance does not explain.

Each version is held against the last one before it that it can be compared with: on the same test set, to the last
character, and by the same signature. Where there is none, the line breaks and says why. All steps of all lines that are
asked for together are corrected together, so that with the chance the level says none of the marks is a false one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from adjudge.errors import UsageError, unknown_name
from adjudge.evaluate.comparing import plan_for_level
from adjudge.evaluate.groups import label_column
from adjudge.evaluate.metric_tests import MetricTests, nobody, tests_by
from adjudge.evaluate.plan import Plan
from adjudge.history.points import Key, Point, Wanted, gathered, measured_of, rows_of
from adjudge.history.records import History, Record, one_or_more
from adjudge.metrics.base import Rows
from adjudge.runs.gate import Outcome, check_gate_margin, verdict_of
from adjudge.runs.merge import differences
from adjudge.showing import Shown
from adjudge.stats import multiple
from adjudge.stats.units import Units

AGAINST = ("previous", "first")


@dataclass(frozen=True)
class Step:
    """A version beside the one that it is held against."""

    against: int
    """The record of that one."""
    delta: float
    """New less old as scored."""
    p: float
    p_adjusted: float
    verdict: Outcome
    unchanged: bool = False
    """Whether the rows are the same, so that there was nothing to test."""


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
    """From 0: versions of one stretch can be compared with each other."""
    step: Step | None = None
    """None for the first of a stretch, and by metrics of which no direction is better."""
    broken: str = ""
    """Why it can be compared with no version before it, where there are any."""

    @property
    def tolerated(self) -> bool:
        """Whether it became worse, by less than the margin."""
        return self.step is not None and self.step.verdict == "tolerated"


@dataclass(frozen=True)
class Line:
    """One system by one metric on the test sets of one name, the oldest version first."""

    test_set: str
    system: str
    metric: str
    label: str
    higher_is_better: bool | None
    decimals: int
    segments: int
    """Of the newest version's test set."""
    versions: tuple[Version, ...]

    @property
    def marked(self) -> tuple[Version, ...]:
        """Versions that differ significantly from the one they are held against."""
        return tuple(
            v for v in self.versions if v.step and v.step.verdict in ("better", "worse", "tolerated")
        )

    @property
    def regressions(self) -> tuple[Version, ...]:
        """Versions that became worse, by the margin or more."""
        return tuple(v for v in self.versions if v.step and v.step.verdict == "worse")


@dataclass(frozen=True)
class Lines(Shown):
    """All lines that were asked for, tested together."""

    place: str
    lines: tuple[Line, ...]
    tests: int
    """Steps that were tested, on all lines."""
    plan: Plan
    against: str
    margin: float
    units: tuple[str, ...]
    """What was drawn and exchanged: whole documents where windows slide, whatever the plan says."""
    warnings: tuple[str, ...] = ()

    @property
    def tolerated(self) -> int:
        """How many versions became worse by less than the margin."""
        return sum(version.tolerated for line in self.lines for version in line.versions)

    @property
    def regressions(self) -> tuple[tuple[Line, Version], ...]:
        """All versions that became worse."""
        return tuple((line, version) for line in self.lines for version in line.regressions)


def lines(
    history: History,
    wanted: Wanted | None = None,
    plan: Plan | None = None,
    *,
    against: str = "previous",
    margin: float = 0.0,
    threads: int = 0,
) -> Lines:
    """Lines of systems over their versions, with the steps that are significant.

    `against` the first version of a stretch, a decline in small steps shows; a worsening below `margin` is tolerated.
    """
    wanted, plan = wanted or Wanted(), plan or Plan()
    if against not in AGAINST:
        raise unknown_name("version to hold others against", against, AGAINST)
    if plan.baseline is not None or plan.by or plan.margin is not None:
        raise UsageError("a line has its own earlier versions to be held against, and looks at all segments")
    if plan.ranks or plan.crossed:
        raise UsageError(f"steps of a line are tested by randomisation or bootstrap, not by {plan.method}")
    check_gate_margin(margin)
    records = one_or_more(history.records(), history.name)
    drafts = [
        _Draft(history, key, points, plan, against) for key, points in gathered(records, wanted).items()
    ]
    number = sum(len(part.pairs) for draft in drafts for part in draft.parts)
    plan = plan.with_numbers(max(number, 1))
    tested = [[part.tested(plan, threads) for part in draft.parts] for draft in drafts]
    p_values = [p for parts in tested for tests in parts for p in tests.p_values]
    adjusted = iter(multiple.adjusted(p_values, plan.correction).tolist())
    made = tuple(
        draft.line(parts, adjusted, plan.alpha, margin) for draft, parts in zip(drafts, tested, strict=True)
    )
    warnings = tuple(dict.fromkeys(warning for draft in drafts for warning in draft.warnings()))
    units = tuple(dict.fromkeys(part.plan.unit for draft in drafts for part in draft.parts))
    return Lines(history.name, made, number, plan, against, margin, units, warnings)


class _Part:
    """A stretch of a line: versions that can be compared, and the pairs of them that are."""

    def __init__(
        self, history: History, points: Sequence[Point], metric: str, plan: Plan, against: str
    ) -> None:
        self.points = points
        self.rows = [rows_of(history, point) for point in points]
        plan = plan_for_level(plan, points[0].scores[0].level)
        self.plan, _ = plan.resolved(history.labels(points[0].record), len(self.rows[0][0]))
        self.measured = measured_of(points, metric, self.rows)
        self.columns = [self._label(history, point) for point in points]
        if any(columns != self.columns[0] for columns in self.columns):
            raise UsageError(
                f"labels to draw by differ between records of {points[0].scores[0].system}: leave older ones out "
                "(--last), or draw segments"
            )
        self.pairs: list[tuple[int, int]] = []
        self.unchanged: set[int] = set()
        self.against = {new: (0 if against == "first" else new - 1) for new in range(1, len(points))}
        for new, old in self.against.items() if self.measured.higher_is_better is not None else ():
            if _same_rows(self.rows[new], self.rows[old]):
                self.unchanged.add(new)
            else:
                self.pairs.append((new, old))

    def _label(self, history: History, point: Point) -> tuple[Sequence[str], ...]:
        """The columns that units and strata are of."""
        wanted = [name for name in (self.plan.unit, self.plan.strata) if name not in (None, "segment")]
        if not wanted:
            return ()
        labels = history.labels(point.record)
        return tuple(
            label_column(labels, str(name), f"draw by in record {point.record.id}") for name in wanted
        )

    def tested(self, plan: Plan, threads: int) -> MetricTests:
        """Intervals of all versions, and p of the pairs."""
        # Steps of other lines are corrected with these.
        own = replace(plan, unit=self.plan.unit, strata=self.plan.strata, family="all")
        columns = iter(self.columns[0])
        unit = next(columns) if own.unit != "segment" else None
        units = Units.of(len(self.rows[0][0]), unit, next(columns) if own.strata else None)
        return tests_by(self.measured, own, self.pairs, units, None, None, threads, nobody)


class _Draft:
    """A line before its steps are tested."""

    def __init__(self, history: History, key: Key, points: Sequence[Point], plan: Plan, against: str) -> None:
        self.key, self.points = key, points
        by_kind: dict[tuple[object, ...], list[Point]] = {}
        for point in points:
            by_kind.setdefault(point.kind, []).append(point)
        self.parts = [_Part(history, own, key[2], plan, against) for own in by_kind.values()]
        self.kinds = list(by_kind)

    def line(
        self, tested: Sequence[MetricTests], adjusted: Iterator[float], alpha: float, margin: float
    ) -> Line:
        """The line, once all p of all lines were corrected."""
        made: dict[int, Version] = {}
        for stretch, (part, tests) in enumerate(zip(self.parts, tested, strict=True)):
            p_of = {
                new: (difference, next(adjusted))
                for (new, _), difference in zip(part.pairs, tests.differences, strict=True)
            }
            for place, (point, standing) in enumerate(zip(part.points, tests.standings, strict=True)):
                step = None
                if place in p_of:
                    difference, p = p_of[place]
                    verdict = verdict_of(
                        difference.delta, part.measured.higher_is_better, margin, significant=p < alpha
                    )
                    old = part.points[part.against[place]].record.id
                    step = Step(old, difference.delta, difference.p, p, verdict)
                elif place in part.unchanged:
                    step = Step(
                        part.points[part.against[place]].record.id, 0.0, 1.0, 1.0, "same", unchanged=True
                    )
                made[id(point)] = Version(
                    record=point.record,
                    name=point.record.name,
                    made=point.record.made,
                    score=standing.score,
                    low=standing.low,
                    high=standing.high,
                    runs=standing.runs,
                    stretch=stretch,
                    step=step,
                    broken=self._why(point) if place == 0 else "",
                )
        last = self.parts[self.kinds.index(self.points[-1].kind)].measured
        return Line(
            *self.key,
            label=last.label,
            higher_is_better=last.higher_is_better,
            decimals=last.decimals,
            segments=self.points[-1].scores[0].segments,
            versions=tuple(made[id(point)] for point in self.points),
        )

    def _why(self, point: Point) -> str:
        """What is not as it was in the version before; nothing for the first of all."""
        place = self.points.index(point)
        if place == 0:
            return ""
        new, old = point.scores[0], self.points[place - 1].scores[0]
        reasons = []
        if new.fingerprint != old.fingerprint:
            sizes = (
                f" ({old.segments:,} segments then, {new.segments:,} now)"
                if new.segments != old.segments
                else ""
            )
            reasons.append(f"the test set is another one{sizes}")
        if new.level != old.level:
            reasons.append(
                f"what is scored at once is {new.level or 'a segment'}, not {old.level or 'a segment'}"
            )
        changed = differences(old.signature, new.signature)
        changed.pop("version", None)
        reasons += [f"{name} was {a} and is {b}" for name, (a, b) in changed.items()]
        return "; ".join(reasons) or "it was measured in another way"

    def warnings(self) -> list[str]:
        """Versions of adjudge that made rows which were compared all the same."""
        messages = []
        for part in self.parts:
            versions = dict.fromkeys(point.record.version for point in part.points)
            if len(versions) > 1:
                messages.append(f"rows that adjudge {' and '.join(versions)} made are compared all the same")
        return messages


def _same_rows(rows: Sequence[Rows], other: Sequence[Rows]) -> bool:
    return len(rows) == len(other) and all(map(np.array_equal, rows, other))
