"""What a test of systems is asked, and what it is given."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, ClassVar

import numpy as np
from numpy.typing import NDArray

from adjudge.errors import UsageError
from adjudge.stats.design import SEGMENT
from adjudge.stats.intervals import Interval
from adjudge.stats.multiple import enough_trials
from adjudge.stats.resampling import Aggregate, Rows
from adjudge.stats.runs import Resampled, Runs
from adjudge.stats.tests import Test, all_of, find_test
from adjudge.stats.tests.systems import DEFAULT, TWO_KINDS
from adjudge.stats.units import Units

if TYPE_CHECKING:
    from adjudge.stats.common_items import ItemScores
    from adjudge.stats.crossed import Clustered, Crossed
    from adjudge.stats.macro import MacroPairs, SetRows
    from adjudge.stats.many_pairs import Tick
    from adjudge.stats.ranktests import PairTests
    from adjudge.stats.stopping import Decided

Floats = NDArray[np.float64]
TRIALS = 10_000
"""Behind each p, at least."""
RESAMPLES = 1_000
"""Behind intervals, where the test itself needs none."""


@dataclass(frozen=True, eq=False)
class SystemRows:
    """Systems on the same segments by one measure, and which pairs of them are tested."""

    systems: Sequence[Runs]
    """Rows (segments × k) of every run of every system."""
    aggregate: Aggregate
    """From sums of rows to scores."""
    pairs: Sequence[tuple[int, int]]
    units: Units | None = None
    """What is drawn; None for single segments."""
    higher_is_better: bool = True
    segment_scores: Aggregate | None = None
    """From rows to the scores of segments, where those are known."""
    is_mean: bool = False
    """Whether a score is the mean of its segments' scores, so that their ranks can be tested."""
    from_errors: bool = False
    """Whether intervals come from the standard error of such a mean, not from resamples."""
    crossed: Crossed | None = None
    """Where units of two kinds are drawn: how they lie across each other; `units` are their cells."""
    items: ItemScores | None = None
    """Scores by items, where two systems are compared on the items that both have."""
    comparable: NDArray[np.bool_] | None = None
    """Systems × systems: which pairs the design connects; None where it connects all."""
    item_scores: Sequence[Rows] = ()
    """Every system's scores by item, NaN where it has none: where rows are parts of items, shares are of items."""
    part: Callable[[Rows], Rows] | None = None
    """Picks the rows of the segments that are looked at; None for all."""
    estimates: Sequence[Clustered] = ()
    """The difference of every pair with its standard error, where intervals come from those."""

    @property
    def direction(self) -> float:
        """1 where higher is better, else −1."""
        return 1.0 if self.higher_is_better else -1.0

    @cached_property
    def drawn(self) -> Units:
        """What is drawn, single segments included."""
        return self.units or Units.of(len(self.systems[0][0]))


@dataclass(frozen=True, eq=False)
class TestOptions:
    """How often something is drawn, for p and for intervals, and on how many sides chance may lie."""

    __test__ = False

    trials: int | None
    seed: int
    sides: int = 2
    """With one, whether the first of a pair is the better one."""
    scores_choose_side: bool = False
    """With one side: whether the system with the better score is the better one, as WMT asks."""
    decided: Decided | None = None
    """Which pairs more trials would not change; only tests that can stop early ask."""
    resamples: int = RESAMPLES
    sampling: str = "bootstrap"
    interval: str = "test"
    """`test`: what the test would not reject; else `percentile` or `basic`, of resamples."""
    confidence: float = 0.95
    unit: str = SEGMENT
    """The name of what is drawn."""
    resampled: Resampled | None = None
    """The systems on resamples of the units, where these are there already."""
    threads: int = 0
    tick: Tick | None = None

    @property
    def score_interval(self) -> str:
        """How intervals of scores come from resamples: no test tells them."""
        return "percentile" if self.interval == "test" else self.interval


@dataclass(frozen=True, eq=False)
class Outcome:
    """What a test says of every pair, before anything is corrected."""

    p_values: list[float]
    """One a pair."""
    trials: NDArray[np.int64] | None = None
    """Behind each p, where it comes from trials."""
    drawn: Floats | None = None
    """Scores that intervals are made of, samples × systems: on halves of the units, or on resamples."""
    ranks: PairTests | None = None
    """What was tested, where that is not the difference of scores but a share of ranks."""

    def ahead(self, pair: tuple[int, int], delta: float) -> float:
        """How far the first system is ahead in what was tested; `delta` is positive where its score is better."""
        return delta if self.ranks is None else float(self.ranks.share[pair] - 0.5)


@dataclass(frozen=True)
class ShareWords:
    """How a share of ranks is called that is tested in place of the difference of scores."""

    column: str
    """What it is a share of, in the head of a table."""
    claim: str
    """The same in a sentence, with {} for the percentage."""
    note: str
    """What P in a table means, and what would show."""


class SystemTest(Test):
    """A test of systems on the same segments: what it applies to, p, intervals, and what it says of itself.

    A new one writes `run`, and all else where it differs from a test of differences that comes from no trials.
    """

    short_title: ClassVar[str] = ""
    """The title where space is short; empty: the title."""
    needs_means: ClassVar[bool] = True
    """Whether it is for means of segment scores only; else for any score that comes from sums of rows."""
    several_runs: ClassVar[bool] = False
    """Whether systems may have several training runs."""
    paired: ClassVar[bool] = True
    """Whether scores of the same segment are compared with each other."""
    kinds: ClassVar[int] = 1
    """How many kinds of units are drawn at once."""
    single_segments: ClassVar[bool] = False
    """Whether it takes every segment for itself, whatever else belongs together."""
    by_trials: ClassVar[bool] = False
    """Whether p comes from trials."""
    swaps: ClassVar[bool] = False
    """Whether units are swapped, so that few of them allow few p-values only."""
    trial_limit: ClassVar[int | None] = None
    """Of tests by trials, how many are made at most where nobody says how many; None: any number."""
    scores_may_choose_side: ClassVar[bool] = False
    """Whether there is a one-sided test whose side the scores choose."""
    share: ClassVar[ShareWords | None] = None
    """What it tests where that is not the difference of scores."""

    def describe(self, unit: str) -> str:
        """The test in words that follow on `two-sided`, where such units are drawn."""
        return self.title

    def refusal_of_units(self, kinds: int, *, unit: str, strata: bool) -> str:
        """Why units of so many kinds are nothing for this test; empty where they are."""
        if kinds > self.kinds:
            return (
                f"{unit}: units of two kinds lie across each other, and cannot be swapped or drawn at once; "
                f"--test {TWO_KINDS} is for them"
            )
        if kinds < self.kinds or (kinds > 1 and strata):
            return (
                f"{self.name} is for units of two kinds, without strata: --unit document,annotator; of one kind, "
                "randomisation and bootstrap ask for less"
            )
        return ""

    def refusal_of_scores(self, label: str, *, mean: bool, several_runs: bool, unit: str) -> str:
        """Why scores of this metric are nothing for this test; empty where they are."""
        if self.kinds > 1 and (not mean or several_runs):
            return (
                f"units of two kinds are for means of segment scores of one run each, which {label} is not: --unit "
                + unit.partition(",")[0]
            )
        if self.needs_means and not mean:
            return f"a {self.name} test is for means of segment scores, which {label} is not: --test randomisation"
        if several_runs and not self.several_runs:
            return f"a {self.name} test takes one run of each system: --test randomisation"
        return ""

    def numbers(
        self, trials: int | None, resamples: int | None, tests: int, alpha: float, correction: str
    ) -> tuple[int | None, int]:
        """How many trials and resamples there are: those asked for, else enough for so many corrected tests."""
        if self.by_trials and not trials:
            trials = max(TRIALS, enough_trials(tests, alpha, correction))
        return (trials if self.by_trials else None), resamples or RESAMPLES

    def risk(self, pairs: int) -> float:
        """The chance that any pair which was decided before the last trial would have been decided otherwise."""
        return 0.0

    def smallest_p(
        self, units: int, *, sides: int = 2, vary: bool = True, several_runs: bool = False
    ) -> float:
        """The smallest p that so many units allow, however large a difference is; 0 where they set no limit.

        Units `vary` where there are enough of them for one sample to differ from another.
        """
        return 0.0 if vary else 1.0

    def run(self, rows: SystemRows, options: TestOptions) -> Outcome:
        """Test every pair."""
        raise NotImplementedError

    def interval(
        self, rows: SystemRows, outcome: Outcome, number: int, delta: float, error: float
    ) -> Interval | None:
        """The differences of a pair that the test would not reject, missing the truth so often; None: it has none."""
        return None

    @property
    def has_interval(self) -> bool:
        """Whether there are differences that the test would not reject."""
        return type(self).interval is not SystemTest.interval

    def detectable(
        self,
        deviation: float,
        alpha: float,
        *,
        sides: int,
        units: float,
        kurtosis: float,
        farthest: float = math.nan,
        mean: bool,
        unit: str,
    ) -> float:
        """The smallest difference that the test finds with 80 % power; NaN where its units cannot show any."""
        from adjudge.stats import power  # late: commands that test nothing start faster

        tails = power.TEXTS
        if mean:
            tails = power.SCORES if unit == SEGMENT else power.GROUPED_SCORES
        if self.kinds > 1:  # errors by two kinds of units say nothing of tails
            tails = power.NORMAL
        return power.detectable_difference(
            deviation,
            alpha,
            sides=sides,
            units=units,
            swapped=self.swaps,
            tails=tails,
            kurtosis=kurtosis,
            farthest=farthest,
        )

    def detectable_share(
        self, ranks: PairTests, pair: tuple[int, int], alpha: float, *, sides: int, levels: Floats | None
    ) -> float:
        """Of a test of ranks, the smallest share above 0.5 that it finds with 80 % power; NaN where not even 1."""
        return math.nan

    def over_sets(
        self,
        sets: Sequence[SetRows],
        groups: Sequence[Sequence[int]],
        means: Sequence[MacroPairs],
        pairs: Sequence[tuple[int, int]],
        options: TestOptions,
    ) -> list[Floats]:
        """P of every pair in the mean over every group of test sets."""
        raise UsageError(self.refusal_of_sets())

    @property
    def takes_sets(self) -> bool:
        """Whether it tests means over test sets."""
        return type(self).over_sets is not SystemTest.over_sets

    def refusal_of_sets(self) -> str:
        """Why this is no test of a mean over test sets; empty where it is one."""
        if self.takes_sets:
            return ""
        known = [name for name, test in all_of(SystemTest).items() if test.takes_sets]
        return f"{self.name} is no test of a mean over test sets; {' and '.join(sorted(known, key=_default_first))} are"


def _default_first(name: str) -> tuple[bool, str]:
    return name != DEFAULT, name


def system_test(name: str) -> SystemTest:
    """The test of systems that has this name."""
    return find_test(SystemTest, name)
