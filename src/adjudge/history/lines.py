"""A system over its versions: scores with intervals, and the steps that chance does not explain.

Each version is held against the last one before it that it can be compared with: on the same test set, to the last
character, and by the same signature. Where there is none, the line breaks and says why.

Every record that brings something to test is a look. Its tests are corrected together at the look's own share of alpha
(`stats.looks`), so all marks that all looks ever make hold together: who looks every night has one alpha, not one each
night, and a step is tested at the same level whenever it is shown.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from adjudge.comparison.comparing import plan_for_level
from adjudge.comparison.groups import label_column
from adjudge.comparison.plan import Plan, options_of_tests
from adjudge.comparison.testing import rows_to_test
from adjudge.errors import UsageError, unknown_name
from adjudge.history.gate import check_tolerance, verdict_of
from adjudge.history.merge import differences
from adjudge.history.points import (
    Key,
    LinePoint,
    LineQuery,
    check_names,
    measured_of,
    points_by_line,
    rows_of,
)
from adjudge.history.records import Content, History, one_or_more
from adjudge.history.version_lines import HistoryLine, Lines, Step, Version
from adjudge.metrics.base import Rows
from adjudge.stats import multiple
from adjudge.stats.looks import MOST_LOOKS, ONLY_LOOK, Look
from adjudge.stats.significance import significant
from adjudge.stats.systems import PairStatistics, SystemTests, compare_systems
from adjudge.stats.tests.systems.base import TRIALS
from adjudge.stats.units import Units
from adjudge.wording import pluralise

AGAINST = ("previous", "first")
PROMISING = 20
"""Steps with at most so many of the first trials as far as what was seen get more trials, where their look needs them.

Stopping the others is exact: below (PROMISING + 2) / (trials + 1) only the larger number of trials can give a p, and
from there on a p is no smaller than that of the first trials alone (Besag and Clifford 1991)."""


def lines(
    history: History,
    wanted: LineQuery | None = None,
    plan: Plan | None = None,
    *,
    base_version: str = "previous",
    tolerance: float = 0.0,
    threads: int = 0,
) -> Lines:
    """Lines of systems over their versions, with the steps that are significant.

    With `base_version` "first", a decline in small steps shows; a worsening below `tolerance` is tolerated.
    """
    wanted, plan = wanted or LineQuery(), plan or Plan()
    _check_question(plan, base_version, tolerance)
    records = one_or_more(history.records(), history.name)
    if wanted.since is not None:
        first = history.find(wanted.since)
        records = records[[record.id for record in records].index(first.id) :]
    contents = history.contents()
    drafts = [
        _Draft(history, key, points, wanted.last, plan, base_version, contents)
        for key, points in points_by_line(records, wanted).items()
    ]
    looks = _Looks.of([part for draft in drafts for part in draft.parts], plan)
    plan = replace(plan, trials=plan.trials or TRIALS).with_numbers(1)
    tested = {part: part.tested(plan, looks, threads) for draft in drafts for part in draft.parts}
    adjusted = looks.adjusted(tested)
    made = tuple(draft.line(tested, adjusted, looks, tolerance) for draft in drafts)
    warnings = [*(warning for draft in drafts for warning in draft.warnings()), *looks.warnings()]
    return Lines(
        history.name,
        made,
        sum(len(part.pairs) for part in tested),
        len(looks.numbers),
        max([plan.trials or 0, *(part.most_trials for part in tested)]),
        plan,
        base_version,
        tolerance,
        tuple(dict.fromkeys(part.plan.unit for part in tested)),
        tuple(dict.fromkeys(warnings)),
    )


def _check_question(plan: Plan, base_version: str, tolerance: float) -> None:
    if base_version not in AGAINST:
        raise unknown_name("version to hold others against", base_version, AGAINST)
    if plan.baseline is not None or plan.by or plan.margin is not None:
        raise UsageError("a line has its own earlier versions to be held against, and looks at all segments")
    if not plan.system_test.by_trials:
        raise UsageError(f"steps of a line are tested by randomisation or bootstrap, not by {plan.test}")
    check_tolerance(tolerance)


@dataclass(frozen=True)
class _Looks:
    """The records that bring something to test, in the order they were recorded, and how many tests each has."""

    numbers: Mapping[int, int]
    """Of every such record, from 1."""
    tests: Mapping[int, int]
    plan: Plan

    @classmethod
    def of(cls, parts: Sequence[_Part], plan: Plan) -> _Looks:
        tests = Counter(record for part in parts for record in part.changed)
        return cls({record: k for k, record in enumerate(sorted(tests), 1)}, tests, plan)

    def look(self, record: int) -> Look:
        """A record's look; without a correction each is the only one."""
        return ONLY_LOOK if self.plan.correction == "none" else Look(self.numbers[record], counted=True)

    def together(self, record: int) -> int:
        """How many tests are corrected together at a look."""
        return 1 if self.plan.correction == "none" else self.tests[record]

    def trials(self, record: int) -> int:
        """How many trials a step of a record needs, where it may be significant."""
        if self.plan.trials:
            return self.plan.trials
        look = self.look(record)
        if not look.only and self.numbers[record] > MOST_LOOKS:
            return TRIALS
        needed = look.trials(self.plan.alpha, self.together(record))
        return min(needed, self.plan.system_test.trial_limit or needed)

    def detectable(self, record: int, difference: PairStatistics, tests: SystemTests) -> float:
        """The smallest change that a look catches with 80 % power; NaN where its units cannot show any."""
        alpha = self.plan.alpha * self.look(record).share / self.together(record)
        if not significant(tests.test.smallest_p(tests.rows.drawn.count), alpha):
            return math.nan
        return tests.detectable(difference, alpha)

    def warnings(self) -> list[str]:
        """Why nothing can be significant at the newest look, if that is so."""
        if not self.numbers:
            return []
        newest = max(self.numbers)
        limit = self.plan.alpha * self.look(newest).share / self.together(newest)
        if self.plan.trials and not significant(1 / (self.plan.trials + 1), limit):
            return [
                f"{self.plan.trials:,} trials give no p below {limit:.2g}, which the newest look asks for: give more"
            ]
        if self.plan.correction != "none" and len(self.numbers) > MOST_LOOKS:
            return [
                f"{len(self.numbers):,} looks: after {MOST_LOOKS:,} next to nothing of alpha is left; begin anew with "
                "a later version (--since NAME)"
            ]
        return []

    def adjusted(self, tested: Mapping[_Part, SystemTests]) -> dict[tuple[_Part, int], float]:
        """The p of every step for all looks together, by its part and the place of its version there.

        Steps of a look that are not shown, because their line shows fewer versions, count as if they had a p of 1.
        """
        by_record: dict[int, list[tuple[_Part, int, float]]] = {}
        for part, tests in tested.items():
            for (new, _), p in zip(part.pairs, tests.p_values, strict=True):
                by_record.setdefault(part.points[new].record.id, []).append((part, new, p))
        made = {}
        for record, group in by_record.items():
            p_values = [p for *_, p in group] + [1.0] * (self.tests[record] - len(group))
            corrected = multiple.adjust_p_values(p_values, self.plan.correction)
            for (part, new, _), p in zip(group, corrected.tolist(), strict=False):
                made[part, new] = self.look(record).over_looks(p)
        return made


class _Part:
    """A run of versions that can be compared, and the pairs of shown versions that are tested."""

    def __init__(
        self,
        history: History,
        points: Sequence[LinePoint],
        shown: Sequence[LinePoint],
        metric: str,
        plan: Plan,
        base_version: str,
        contents: Mapping[Content, tuple[str, ...]],
    ) -> None:
        self.points = shown
        self.rows = [rows_of(history, point) for point in shown]
        plan = plan_for_level(plan, points[0].scores[0].level)
        self.plan, _ = plan.resolved(history.labels(shown[0].record), len(self.rows[0][0]))
        self.measured = measured_of(shown, metric, self.rows)
        self.columns = [self._label(history, point) for point in shown]
        if any(columns != self.columns[0] for columns in self.columns):
            raise UsageError(
                f"labels to draw by differ between records of {points[0].scores[0].system}: leave older ones out "
                "(--last), or draw segments"
            )
        self.against = {new: (0 if base_version == "first" else new - 1) for new in range(1, len(shown))}
        judged = self.measured.higher_is_better is not None
        self.changed = _changed_records(points, base_version, contents) if judged else []
        """Records of all versions that have something to test, shown or not."""
        same = [new for new, old in self.against.items() if _same_rows(self.rows[new], self.rows[old])]
        self.unchanged = set(same) if judged else set()
        self.pairs = [pair for pair in self.against.items() if judged and pair[0] not in self.unchanged]
        columns = iter(self.columns[0])
        unit = next(columns) if self.plan.unit != "segment" else None
        self.units = Units.of(len(self.rows[0][0]), unit, next(columns) if self.plan.strata else None)
        self.most_trials = 0

    def _label(self, history: History, point: LinePoint) -> tuple[Sequence[str], ...]:
        """The columns that units and strata are of."""
        wanted = [name for name in (self.plan.unit, self.plan.strata) if name not in (None, "segment")]
        if not wanted:
            return ()
        labels = history.labels(point.record)
        return tuple(
            label_column(labels, str(name), f"draw by in record {point.record.id}") for name in wanted
        )

    def tested(self, plan: Plan, looks: _Looks, threads: int) -> SystemTests:
        """Intervals of all versions, and p of the pairs; from more trials where a small p needs them."""
        # Each step is corrected with the others of its record, so none may stop early by the correction of this line.
        plan_alone = replace(
            plan, unit=self.plan.unit, strata=self.plan.strata, family="all", correction="none"
        )
        rows = rows_to_test(self.measured, plan_alone, self.pairs, self.units)
        tests = compare_systems(plan.system_test, rows, options_of_tests(plan_alone, threads))
        assert plan_alone.trials is not None
        needed = {pair: looks.trials(self.points[pair[0]].record.id) for pair in self.pairs}
        retested = [
            pair
            for pair, p in zip(self.pairs, tests.p_values, strict=True)
            if p <= (PROMISING + 1) / (plan_alone.trials + 1) and needed[pair] > plan_alone.trials
        ]
        if not retested:
            return tests
        self.most_trials = max(needed[pair] for pair in retested)
        p_of = {pair: self._p(pair, replace(plan_alone, trials=needed[pair]), threads) for pair in retested}
        return replace(
            tests,
            differences=tuple(
                replace(difference, p=p_of.get(pair, difference.p))
                for pair, difference in zip(self.pairs, tests.differences, strict=True)
            ),
        )

    def _p(self, pair: tuple[int, int], plan: Plan, threads: int) -> float:
        """The p of one step, independent of what else is shown."""
        rows = {str(version): self.rows[version] for version in pair}
        two_versions = replace(self.measured, rows=rows)
        tested = rows_to_test(two_versions, plan, [(0, 1)], self.units)
        return compare_systems(plan.system_test, tested, options_of_tests(plan, threads)).p_values[0]


class _Draft:
    """A line before its steps are tested."""

    def __init__(
        self,
        history: History,
        key: Key,
        points: Sequence[LinePoint],
        last: int,
        plan: Plan,
        base_version: str,
        contents: Mapping[Content, tuple[str, ...]],
    ) -> None:
        by_kind: dict[tuple[object, ...], list[LinePoint]] = {}
        for point in points:
            by_kind.setdefault(point.kind, []).append(point)
        newest = {id(point) for point in points[-last:]}
        shown = {kind: [p for p in of_kind if id(p) in newest] for kind, of_kind in by_kind.items()}
        if base_version == "first":  # what the others are compared with stays, however old it is
            shown = {
                kind: [by_kind[kind][0], *(p for p in of_kind if p is not by_kind[kind][0])]
                for kind, of_kind in shown.items()
                if of_kind
            }
        self.key, self.kinds = key, [kind for kind, of_kind in shown.items() if of_kind]
        chosen = {id(point) for kind in self.kinds for point in shown[kind]}
        self.points = [point for point in points if id(point) in chosen]
        check_names(self.points)
        self.parts = [
            _Part(history, by_kind[kind], shown[kind], key[2], plan, base_version, contents)
            for kind in self.kinds
        ]

    def line(
        self,
        tested: Mapping[_Part, SystemTests],
        adjusted: Mapping[tuple[_Part, int], float],
        looks: _Looks,
        tolerance: float,
    ) -> HistoryLine:
        """The line, once all p of all lines were corrected."""
        made: dict[int, Version] = {}
        for stretch, part in enumerate(self.parts):
            for place, (point, own) in enumerate(zip(part.points, tested[part].systems(), strict=True)):
                made[id(point)] = Version(
                    record=point.record,
                    name=point.record.name,
                    made=point.record.made,
                    score=own.score,
                    low=own.low,
                    high=own.high,
                    runs=len(own.run_scores),
                    stretch=stretch,
                    step=_step(part, place, tested[part], adjusted, looks, tolerance),
                    broken=self._why(point) if place == 0 else "",
                )
        last = self.parts[self.kinds.index(self.points[-1].kind)].measured
        return HistoryLine(
            *self.key,
            label=last.label,
            higher_is_better=last.higher_is_better,
            decimals=last.decimals,
            segments=self.points[-1].scores[0].segments,
            versions=tuple(made[id(point)] for point in self.points),
        )

    def _why(self, point: LinePoint) -> str:
        """What has changed since the previous version; empty for the first one."""
        place = self.points.index(point)
        if place == 0:
            return ""
        new, old = point.scores[0], self.points[place - 1].scores[0]
        reasons = []
        if new.fingerprint != old.fingerprint:
            sizes = (
                f" ({pluralise(old.segments, 'segment')} then, {new.segments:,} now)"
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
        """Versions of adjudge that made the compared rows."""
        messages = []
        for part in self.parts:
            versions = dict.fromkeys(point.record.version for point in part.points)
            if len(versions) > 1:
                messages.append(f"rows that adjudge {' and '.join(versions)} made are compared all the same")
        return messages


def _changed_records(
    points: Sequence[LinePoint], base_version: str, contents: Mapping[Content, tuple[str, ...]]
) -> list[int]:
    """Records of versions whose rows differ from those of the version they are compared with."""

    def content(point: LinePoint) -> tuple[str, ...]:
        score = point.scores[0]
        return contents[point.record.id, score.test_set, score.system, score.metric]

    pairs = (
        (points[new], points[0 if base_version == "first" else new - 1]) for new in range(1, len(points))
    )
    return [new.record.id for new, old in pairs if content(new) != content(old)]


def _step(
    part: _Part,
    place: int,
    tests: SystemTests,
    adjusted: Mapping[tuple[_Part, int], float],
    looks: _Looks,
    tolerance: float,
) -> Step | None:
    """The change of a version, if it can be compared with an earlier one."""
    if place not in part.against or part.measured.higher_is_better is None:
        return None
    old = part.against[place]
    against, record = part.points[old].record.id, part.points[place].record.id
    if place in part.unchanged:
        return Step(against, 0.0, 1.0, 1.0, "same", unchanged=True)
    difference, p = tests.differences[part.pairs.index((place, old))], adjusted[part, place]
    verdict = verdict_of(
        difference.delta,
        part.measured.higher_is_better,
        tolerance,
        significant=significant(p, looks.plan.alpha),
    )
    return Step(
        against,
        difference.delta,
        difference.p,
        p,
        verdict,
        look=looks.numbers[record],
        detectable=looks.detectable(record, difference, tests),
    )


def _same_rows(rows: Sequence[Rows], other: Sequence[Rows]) -> bool:
    return len(rows) == len(other) and all(map(np.array_equal, rows, other))
