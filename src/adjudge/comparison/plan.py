"""How systems are to be compared: every option of a test, checked once, also where it stands in a file."""

from __future__ import annotations

import dataclasses
import types
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING, Any, TypedDict, get_args, get_origin, get_type_hints

from adjudge.data.label_names import meant
from adjudge.errors import AdjudgeError, DataError, UsageError, unknown_name
from adjudge.io.fields import Fields, check_keys
from adjudge.stats.design import AUTO, SEGMENT, choose_unit
from adjudge.stats.equivalence import check_margin
from adjudge.stats.multiple import CORRECTIONS, FAMILIES, adjust_p_values
from adjudge.stats.resampling import INTERVALS, SAMPLINGS
from adjudge.stats.significance import significant
from adjudge.stats.tests.systems import DEFAULT
from adjudge.stats.tests.systems.base import SystemTest, TestOptions, system_test

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from adjudge.io.study_file import Study
    from adjudge.stats.many_pairs import Tick

ALTERNATIVES = ("two-sided", "one-sided", "better-score")
"""One-sided: that others are better than the baseline, or systems better than those behind them in an order that was
fixed beforehand. Better-score: that the system with the better score is the better one, as WMT asks; the scores choose
the side then, so equal systems are told apart twice as often as alpha says."""
KINDS_OF_INTERVAL = ("test", *INTERVALS)
"""`test`: of differences, those that the test would not reject; of scores, percentiles; of means, Student's t."""
SEED = 12345


class SignificanceOptions(TypedDict, total=False):
    """Keywords that say how differences are tested, whatever is drawn: fields of a `Plan`."""

    baseline: str | None
    trials: int | None
    resamples: int | None
    sampling: str
    interval: str
    confidence: float
    seed: int
    strata: str | None
    correction: str
    family: str
    alpha: float
    alternative: str
    expected: Sequence[str]
    margin: float | Mapping[str, float] | None


class PlanOptions(SignificanceOptions, total=False):
    """All fields of a `Plan`, as keywords."""

    test: str
    unit: str
    by: str | Sequence[str]


@dataclass(frozen=True)
class Plan:
    """The options of `compare`; None for trials or resamples means as many as the number of tests asks for.

    Every other list of them is read from these fields: files of results, the facts of a test.
    """

    baseline: str | None = None
    test: str = DEFAULT
    """The name of a test of systems (`stats.tests.systems`)."""
    trials: int | None = None
    resamples: int | None = None
    sampling: str = "bootstrap"
    interval: str = "test"
    confidence: float = 0.95
    seed: int = SEED
    unit: str = AUTO
    """What is drawn: a label, two of them, `segment`, or `auto`: the coarsest that the labels name."""
    strata: str | None = None
    correction: str = "holm"
    family: str = "metric"
    alpha: float = 0.05
    by: tuple[str, ...] = ()
    alternative: str = "two-sided"
    expected: tuple[str, ...] = ()
    """All systems in the order that was expected beforehand, the best first; for one-sided tests."""
    margin: float | Mapping[str, float] | None = None
    """A difference that would not matter, in the units of the score: pairs are tested for equivalence within it. With
    several metrics, one for each that has one, by its name."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "by", (self.by,) if isinstance(self.by, str) else tuple(self.by))
        system_test(self.test)  # refuses a name that is none
        for kind, value, known in (
            ("sampling", self.sampling, SAMPLINGS),
            ("interval", self.interval, KINDS_OF_INTERVAL),
            ("correction", self.correction, CORRECTIONS),
            ("family", self.family, FAMILIES),
            ("alternative", self.alternative, ALTERNATIVES),
        ):
            if value not in known:
                raise unknown_name(kind, str(value), known)
        object.__setattr__(self, "expected", tuple(self.expected))
        if self.alternative != "two-sided" or self.expected:
            self._check_sides()
        self._check_units()
        for name, number in (("trials", self.trials), ("resamples", self.resamples)):
            if number is not None and not (_is_whole(number) and number >= 1):
                raise UsageError(f"{name}={number}: must be a whole number from 1 up")
        for margin in self.margin.values() if isinstance(self.margin, Mapping) else (self.margin,):
            if margin is not None:
                check_margin(margin)
        if not (_is_whole(self.seed) and 0 <= self.seed < 2**64):
            raise UsageError(f"seed={self.seed}: must be a whole number from 0 to 2^64 - 1")
        for name, share in (("alpha", self.alpha), ("confidence", self.confidence)):
            if not 0 < share < 1:
                raise UsageError(f"{name}={share}: must lie between 0 and 1")

    def _check_sides(self) -> None:
        if self.alternative == "better-score" and not self.system_test.scores_may_choose_side:
            raise UsageError(
                f"a {self.test} is not made for a side that the scores choose; WMT's tests are of ranks"
            )
        if self.expected and self.alternative != "one-sided":
            raise UsageError("an expected order of systems is for one-sided tests (--one-sided)")
        if self.expected and self.baseline is not None:
            raise UsageError(
                "an expected order and a baseline: give one of them, for either fixes the side of a test"
            )
        if self.alternative == "one-sided" and self.baseline is None and not self.expected:
            raise UsageError(
                "a one-sided test asks about a side that was fixed before anyone saw scores: --baseline SYSTEM tests "
                "that others are better than it, --expected BEST,…,WORST that systems are better than those behind "
                "them; without one, two-sided tests are right"
            )

    def _check_units(self) -> None:
        names = self.unit.split(",")
        if len(names) > 2 or len(set(names)) < len(names) or not all(names):
            raise UsageError(
                f"unit {self.unit!r}: one label, or two with a comma between them (document,annotator)"
            )
        if why := self.system_test.refusal_of_units(len(names), unit=self.unit, strata=bool(self.strata)):
            raise UsageError(why)

    @property
    def crossed(self) -> bool:
        """Whether what is drawn is of two kinds at once."""
        return "," in self.unit

    @property
    def sides(self) -> int:
        """On how many sides of no difference chance may lie."""
        return 2 if self.alternative == "two-sided" else 1

    @property
    def system_test(self) -> SystemTest:
        """The test that `test` names."""
        return system_test(self.test)

    def resolved(self, labels: Mapping[str, Sequence[str]], segments: int) -> tuple[Plan, str]:
        """The plan with its unit, chosen by the labels where it is `auto`, and the reason for that choice."""
        if self.unit not in (AUTO, SEGMENT) and self.system_test.single_segments:
            raise UsageError(
                f"a {self.test} test ranks single segments: --unit {self.unit} goes with --test randomisation or "
                "bootstrap"
            )
        if self.unit != AUTO:
            return self, ""
        if self.system_test.single_segments:
            return replace(self, unit=SEGMENT), ""
        strata = None if self.strata is None else labels.get(meant(self.strata, labels))
        unit, reason = choose_unit(labels, segments, strata)
        return replace(self, unit=unit), reason

    def margins(self, metrics: Sequence[str]) -> list[float | None]:
        """The margin of each of these metrics, None where it has none."""
        if not isinstance(self.margin, Mapping):
            if self.margin is not None and len(metrics) > 1:
                raise UsageError(
                    f"a margin of {self.margin:g} is in the units of one metric, and there are {len(metrics)}: say of "
                    f"which (--margin {metrics[0].partition('(')[0]}={self.margin:g}), or name one metric (-m)"
                )
            return [self.margin] * len(metrics)
        by_metric: dict[str, float] = {}
        for name, margin in self.margin.items():
            meant = [m for m in metrics if m == name] or [m for m in metrics if m.partition("(")[0] == name]
            if not meant:
                raise unknown_name("metric of a margin", name, [m.partition("(")[0] for m in metrics])
            if len(meant) > 1 or meant[0] in by_metric:
                raise UsageError(
                    f"the margin {name}={margin:g} could be of {' and '.join(meant)}: give each its own"
                )
            by_metric[meant[0]] = margin
        return [by_metric.get(metric) for metric in metrics]

    def tests_together(self, pairs: int, metrics: int) -> int:
        """How many tests are corrected together."""
        return pairs * metrics if self.family == "all" else pairs

    def with_numbers(self, comparisons: int) -> Plan:
        """The plan with the numbers of trials and resamples that so many tests ask for.

        The smallest p that sampling can give is 1 in (trials + 1); correction multiplies it by the number of tests.
        """
        asked = self.trials, self.resamples
        trials, resamples = self.system_test.numbers(*asked, comparisons, self.alpha, self.correction)
        return replace(self, trials=trials, resamples=resamples)

    def cannot_be_significant(self, lower: NDArray[np.float64]) -> NDArray[np.bool_]:
        """Which pairs cannot be significant, their p being no smaller.

        With the pairs of other metrics Holm's correction only grows, but Benjamini and Hochberg's may become smaller.
        """
        correction = "none" if self.correction == "bh" and self.family == "all" else self.correction
        return ~significant(adjust_p_values(lower, correction), self.alpha)


def options_of_tests(plan: Plan, threads: int = 0, tick: Tick | None = None) -> TestOptions:
    """What a test of systems is to draw, once the plan has its numbers and its unit."""
    assert plan.resamples is not None
    return TestOptions(
        plan.trials,
        plan.seed,
        sides=plan.sides,
        scores_choose_side=plan.alternative == "better-score",
        decided=plan.cannot_be_significant,
        resamples=plan.resamples,
        sampling=plan.sampling,
        interval=plan.interval,
        confidence=plan.confidence,
        unit=plan.unit,
        threads=threads,
        tick=tick,
    )


def plan_of(plan: Plan | None, options: SignificanceOptions) -> Plan:
    """The plan that was given, or the usual one, with the fields that were named beside it."""
    known = {field.name for field in fields(Plan)}
    for name in options:
        if name not in known:
            raise unknown_name("option of compare", name, known)
    return replace(plan or Plan(), **options)  # type: ignore[arg-type]  # a Plan makes tuples of what it is given


def check_mean_plan(plan: Plan) -> Plan:
    """The plan itself; what it asks for and no mean over test sets can give is refused."""
    if why := plan.system_test.refusal_of_sets():
        raise UsageError(why)
    if plan.alternative != "two-sided":
        raise UsageError("means over test sets are tested on both sides: leave out the alternative")
    if plan.by:
        raise UsageError("a study groups whole test sets, by language pair and by domain: leave out by")
    return plan


def _is_whole(number: object) -> bool:
    return isinstance(number, int) and not isinstance(number, bool)


MOST = 10**9
"""Trials that anyone would wait for."""


def checked_options(fields: Fields) -> dict[str, Any]:
    """Fields of a `Plan` from an object that holds them, perhaps among others."""
    kinds = get_type_hints(Plan)
    names = [field.name for field in dataclasses.fields(Plan) if field.name in fields.values]
    return {name: _value(fields, name, kinds[name]) for name in names}


def study_plan(study: Study, given: Mapping[str, Any] | None = None) -> Plan:
    """What the study's `[plan]` says, with what was `given` in place of it; faults are said with field and line."""
    options: dict[str, Any] = {}
    for name, value in study.plan.items():
        line = study.where("plan", name).rpartition(": ")[0]
        try:
            check_keys([name], [field.name for field in dataclasses.fields(Plan) if field.name != "baseline"])
        except AdjudgeError as error:
            raise DataError(f"{line}: {error}") from None
        option = checked_options(Fields(line, {name: value}, "plan."))
        options |= option
        try:
            check_mean_plan(Plan(**option))
        except AdjudgeError as error:
            raise DataError(f"{line}: plan.{name}: {error}") from None
    if study.baseline:
        options["baseline"] = study.baseline
    try:
        check_mean_plan(Plan(**options))
    except AdjudgeError as error:
        raise DataError(f"{study.where('plan')}: {error}") from None
    return check_mean_plan(Plan(**options | dict(given or {})))


def _value(fields: Fields, name: str, kind: Any) -> Any:
    union = get_origin(kind) is types.UnionType
    kinds = [get_origin(option) or option for option in (get_args(kind) if union else [kind])]
    if name not in fields:
        if types.NoneType not in kinds:
            raise fields.fault(name, "null, but a value was expected")
        return None
    if Mapping in kinds and isinstance(fields.values[name], dict):
        numbers = fields.object(name)
        return {key: numbers.number(key) for key in numbers.values}
    if tuple in kinds:
        return fields.texts(name)
    if str in kinds:
        return fields.take(name, str)
    if int in kinds:
        return fields.whole(name, 0, 2**64 - 1 if name == "seed" else MOST)
    return fields.number(name)
