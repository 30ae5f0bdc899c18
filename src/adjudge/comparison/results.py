"""What a comparison holds, of one test set or several: intervals, paired tests, clusters, what may be claimed."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from adjudge.comparison.pairwise_view import PairwiseView
from adjudge.comparison.plan import Plan
from adjudge.comparison.scoring import TestSetFacts
from adjudge.display import Displayable, Plottable
from adjudge.metrics.base import MeanMetric, Metric
from adjudge.stats.design import Design, join_designs
from adjudge.stats.equivalence import Equivalence
from adjudge.stats.multiple import FLOOR
from adjudge.stats.resampling import quotient
from adjudge.stats.tests.systems.base import SystemTest, system_test

if TYPE_CHECKING:
    from adjudge.comparison.ranked_sets import RankedSets
    from adjudge.stats.common_items import ItemScores

Rows = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Measured:
    """What one metric (or people) saw in every system: the rows all decisions are made from."""

    metric: str
    """The spec that makes the metric again, or the name of a human score."""
    label: str
    signature: str
    higher_is_better: bool | None
    decimals: int
    aggregate: Callable[[Rows], Rows]
    segment_scores: Callable[[Rows], Rows]
    rows: Mapping[str, tuple[Rows, ...]]
    """Rows (segments × k) of every run of every system."""
    runs: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Names of the runs of every system ('' where there is only one)."""
    is_mean: bool = False
    """Whether a score is the mean of its segments' scores, so that their ranks can be tested."""
    interval_from_error: bool = False
    """Whether intervals come from the standard error of such a mean, as those of people's scores do."""
    items: ItemScores | None = None
    """Scores by items, where two systems are compared on the items that both have."""
    comparable: NDArray[np.bool_] | None = None
    """Systems × systems: which pairs the design connects; None where it connects all."""
    item_scores: Mapping[str, Rows] = field(default_factory=dict)
    """Every system's scores by item, NaN where it has none: where rows are parts of items, shares are of items."""

    def has_error(self, plan: Plan) -> bool:
        """Whether intervals come from the standard error of a mean; else they come from resamples."""
        single = all(len(runs) == 1 for runs in self.rows.values())
        return self.interval_from_error and single and plan.interval == "test" and not plan.strata

    @classmethod
    def by(
        cls,
        metric: Metric,
        signature: str,
        rows: Mapping[str, tuple[Rows, ...]],
        runs: Mapping[str, tuple[str, ...]],
    ) -> Measured:
        """Rows that a metric made."""
        return cls(
            metric=metric.spec,
            label=metric.label,
            signature=signature,
            higher_is_better=metric.direction.higher_is_better,
            decimals=metric.decimals,
            aggregate=metric.aggregate,
            segment_scores=metric.for_segments().aggregate,
            rows=rows,
            runs=runs,
            is_mean=isinstance(metric, MeanMetric),
        )


def measured_means(
    name: str,
    rows: Mapping[str, tuple[Rows, ...]],
    *,
    higher_is_better: bool = True,
    decimals: int | None = None,
) -> Measured:
    """Scores of segments that no metric made: rows are each score times its weight, and the weight.

    Without `decimals` there are as many as scores of such a size want: shares have more than percentages.
    """
    if decimals is None:
        largest = max(float(np.abs(run[:, 0]).max(initial=0.0)) for runs in rows.values() for run in runs)
        decimals = 4 if largest <= 1 else 2
    return Measured(
        name,
        name,
        name,
        higher_is_better,
        decimals,
        quotient,
        quotient,
        rows,
        is_mean=True,
        interval_from_error=True,
    )


@dataclass(frozen=True)
class Standing:
    """One system by one metric: its score, how sure that is, and where it stands among the others."""

    system: str
    metric: str
    label: str
    score: float
    """The mean over training runs where there are several."""
    low: float
    high: float
    deviation: float
    """Standard deviation over resamples of the test set (mean over runs): s_sel of Clark et al. 2011."""
    signature: str
    higher_is_better: bool | None
    decimals: int
    cluster: int | None = None
    """1 is the best; None where not all pairs were tested (a baseline), or no direction is better."""
    rank: tuple[int, int] | None = None
    """From the significance matrix: losses + 1 … systems − wins."""
    rank_interval: tuple[int, int] | None = None
    """Where the system's rank lies in 95 % of the resamples."""
    runs: int = 1
    run_deviation: float | None = None
    """Standard deviation over training runs (n − 1 below the line): s_opt of Clark et al. 2011."""
    run_scores: tuple[float, ...] = ()
    """The score of every run, where there are several."""
    sets: int = field(default=1, repr=False)
    """Test sets behind the score."""
    missing: tuple[str, ...] = field(default=(), repr=False)
    """Test sets without an output of the system, for which it has no mean."""


@dataclass(frozen=True)
class Pair:
    """Two systems by one metric: on one test set, or in the mean over all sets that both have."""

    metric: str
    a: str
    b: str
    delta: float
    """a − b as scored; not turned round where lower is better."""
    low: float
    high: float
    """Interval of delta, corrected as p is: see docs/statistics.md."""
    p: float
    p_adjusted: float
    wins: int = 0
    """Resamples in which a is the better one."""
    ties: int = 0
    losses: int = 0
    significant: bool = False
    effect: float = math.nan
    """Cohen's d of the paired difference, for any metric: delta over the standard deviation of a single unit's
    contribution to it; positive where a is better, NaN where nothing varies. Tables call it d, for where people are
    asked an effect is how often one system is better (`better_on` here)."""
    better_on: float = math.nan
    """Share of segments on which a is better (ties are neither's)."""
    worse_on: float = math.nan
    detectable: float = math.nan
    """The smallest difference this test set would have shown with 80 % power; NaN for tests of ranks."""
    share: float = math.nan
    """What a test of ranks tests, as the share that speaks for a (0.5: for neither): of pairs of scores, one of each
    system (rank-sum), or of the ranks of differences (signed-rank). NaN for tests of scores, which test delta."""
    detectable_share: float = math.nan
    """The smallest share above 0.5 that these segments would have shown with 80 % power."""
    common: int = 0
    """Segments on which both were scored: those that shares are of."""
    margin: Equivalence | None = None
    """Whether the two are the same within a margin, where one was given."""
    sets: int = field(default=1, repr=False)
    """Test sets that both have."""
    sets_better: int = field(default=0, repr=False)
    """Of several sets, those on which a is ahead."""
    sets_worse: int = field(default=0, repr=False)
    """Those on which b is; on the others both have the same score."""

    @property
    def exceeds_detectable(self) -> bool:
        """Whether what was seen is as large as what would have shown: not all that could show does."""
        share = max(self.share, 1 - self.share)
        return abs(self.delta) >= self.detectable or share >= self.detectable_share

    @property
    def probability(self) -> float:
        """How likely a is the better one, ties counting half."""
        return (self.wins + self.ties / 2) / max(1, self.wins + self.ties + self.losses)


@dataclass(frozen=True)
class TestFacts:
    """How differences were tested."""

    __test__ = False

    method: str
    """What p comes from: the name of a test of systems (`stats.tests.systems`)."""
    trials: int
    """Randomisations or resamples behind each p; 0 where it does not come from trials."""
    resamples: int
    """Resamples behind intervals, wins and rank intervals."""
    sampling: str
    """`bootstrap` (n of n with replacement) or `half` (half of them without)."""
    interval: str
    """`test`, `percentile` or `basic`."""
    confidence: float
    seed: int
    unit: str
    strata: str | None
    correction: str
    comparisons: int
    """How many tests are corrected together: the pairs of a metric, or those of all metrics (`family`)."""
    alpha: float
    baseline: str | None
    alternative: str = "two-sided"
    """`two-sided`, `one-sided` (fixed by the baseline or by `expected`) or `better-score` (as WMT: scores choose)."""
    expected: tuple[str, ...] = ()
    """All systems, the one that was expected to be best first; empty where nobody said."""
    family: str = "metric"
    """`metric`: corrected within each metric; `all`: over all of them."""
    risk: float = 0.0
    """Of many pairs, those that are decided stop before all trials are drawn: the chance that any of them would have
    been decided otherwise in the end."""
    by_people: bool = False
    """Whether people gave the scores."""
    intervals_from_errors: str = "none"
    """Which metrics have intervals from the standard errors of means, not from resamples: `all`, `some`, `none`."""

    @classmethod
    def of(
        cls, plan: Plan, pairs: int, comparisons: int, measured: Sequence[Measured], *, by_people: bool
    ) -> TestFacts:
        """What a plan asks for, where so many pairs are tested and so many tests corrected together."""
        from_errors = [measurement.has_error(plan) for measurement in measured]
        own = {field.name for field in fields(cls)}
        asked = {field.name: getattr(plan, field.name) for field in fields(plan) if field.name in own}
        return cls(
            **asked | {"trials": plan.trials or 0},
            method=plan.test,
            comparisons=comparisons,
            risk=plan.system_test.risk(pairs),
            by_people=by_people,
            intervals_from_errors="all"
            if from_errors and all(from_errors)
            else "some"
            if any(from_errors)
            else "none",
        )

    @property
    def level(self) -> float:
        """How often some of equal systems are told apart by one metric, at most, where units are independent."""
        each = min(1.0, 2 * self.alpha) if self.alternative == "better-score" else self.alpha
        return each if self.correction != "none" else 1 - (1 - each) ** max(1, self.comparisons)

    @property
    def system_test(self) -> SystemTest:
        """The test that `method` names."""
        return system_test(self.method)

    @property
    def smallest_p(self) -> float:
        """The smallest p that so many trials can give, after the correction; 0 where it does not come from trials."""
        if not self.trials:
            return 0.0
        tests = 1 if self.correction == "none" else max(1, self.comparisons)
        return min(1.0, tests / (self.trials + 1))

    @property
    def floor(self) -> float:
        """That smallest p where it is not far below alpha, so that a p may stop there; else 0."""
        return self.smallest_p if self.smallest_p >= self.alpha / FLOOR else 0.0

    @property
    def intervals_agree(self) -> bool:
        """Whether the interval of a difference leaves out 0 where p is significant, and only there."""
        if self.interval != "test" or self.alternative != "two-sided":
            return False
        return self.system_test.has_interval and math.isclose(1 - self.confidence, self.alpha)


@dataclass(frozen=True)
class SegmentGroup:
    """Systems compared on some of the segments of a test set."""

    by: Mapping[str, str]
    segments: int
    results: tuple[Standing, ...]
    pairs: tuple[Pair, ...]
    claims: tuple[str, ...]
    design: Design
    """What these segments are samples of."""
    pairwise: PairwiseView | None = field(default=None, repr=False, compare=False)
    """Who is better than whom: what the claims were made from."""


@dataclass(frozen=True)
class Comparison(Plottable):
    """All systems by all measures on one test set or several, all pairs, and what may be claimed in plain words."""

    facts: Mapping[str, TestSetFacts]
    """By test set."""
    results: tuple[Standing, ...]
    """Of several test sets, in the mean over them."""
    pairs: tuple[Pair, ...]
    test: TestFacts
    claims: tuple[str, ...]
    design: Design
    """What the result rests on: what was drawn, and what else belongs together in the data."""
    groups: tuple[SegmentGroup, ...] = ()
    """With `by`: everything first (by = {}), then a group a value."""
    warnings: tuple[str, ...] = ()
    pairwise: PairwiseView | None = field(default=None, repr=False, compare=False)
    """Who is better than whom: what the claims were made from."""
    measured_sets: Mapping[str, tuple[Measured, ...]] = field(default_factory=dict, repr=False, compare=False)
    """By test set, the rows that all of it was made from: those of metrics first."""
    labels: Mapping[str, Sequence[str]] = field(default_factory=dict, repr=False, compare=False)
    """Of the segments, `length` among them where their texts were there."""
    tables: tuple[MeasureTable, ...] = field(default=(), repr=False)
    """Of a study, every measure set by set and in the mean; empty where files were compared by themselves."""
    languages: Mapping[str, str] = field(default_factory=dict, repr=False)
    """By test set of a study, where it is known; so are domains."""
    domains: Mapping[str, str] = field(default_factory=dict, repr=False)
    plan: Plan = field(default_factory=Plan, repr=False)
    """With the numbers of trials and resamples that were drawn."""
    rankings: RankedSets | None = field(default=None, repr=False)
    """Whom people prefer in the mean, where they ranked the systems of every set."""

    @classmethod
    def over_sets(
        cls,
        facts: Mapping[str, TestSetFacts],
        tables: Sequence[MeasureTable],
        plan: Plan,
        *,
        measured: Mapping[str, tuple[Measured, ...]],
        languages: Mapping[str, str],
        domains: Mapping[str, str],
        rankings: RankedSets | None = None,
    ) -> Comparison:
        """The comparison that tables of one test set or several make."""
        pairs = tuple(pair for table in tables for pair in table.pairs)
        together = plan.tests_together(max((len(table.pairs) for table in tables), default=0), len(tables))
        design = next((table.design for table in tables if table.design is not None), Design(plan.unit, 0))
        return cls(
            facts,
            tuple(standing for table in tables for standing in table.results),
            pairs,
            TestFacts.of(plan, len(pairs), together, (), by_people=False),
            (),
            design,
            measured_sets=measured,
            tables=tuple(tables),
            languages=languages,
            domains=domains,
            plan=plan,
            rankings=rankings,
        )

    def display(self) -> Displayable:
        """The comparison as it is shown: of a study, its verdict and measure by measure."""
        if self.tables:
            from adjudge.comparison.study_display import StudyDisplay  # late: it may be shown nowhere

            return StudyDisplay(self)
        from adjudge.comparison.comparison_display import ComparisonDisplay

        return ComparisonDisplay(self)

    @property
    def sets(self) -> tuple[str, ...]:
        """The test sets."""
        return tuple(self.facts)

    @property
    def systems(self) -> tuple[str, ...]:
        """In the order in which they were given."""
        return tuple(dict.fromkeys(standing.system for standing in self.results))

    @property
    def test_set(self) -> TestSetFacts:
        """The only test set."""
        [only] = self.facts.values()
        return only

    @property
    def measured(self) -> tuple[Measured, ...]:
        """The rows on the only test set."""
        return next(iter(self.measured_sets.values()), ())

    @property
    def segments(self) -> dict[str, int]:
        """Of every test set."""
        return {name: facts.segments for name, facts in self.facts.items()}

    @property
    def designs(self) -> dict[str, Design]:
        """By test set, that of its first measure; every table has its own."""
        known = {name: design for table in reversed(self.tables) for name, design in table.designs.items()}
        return {name: known[name] for name in self.sets if name in known}

    @property
    def language(self) -> str:
        """The language pair of all test sets; '' where they have several or it is not known."""
        known = {
            self.languages.get(name, "") if self.tables else facts.language
            for name, facts in self.facts.items()
        }
        return known.pop() if len(known) == 1 else ""

    def with_warnings(self, first: Iterable[str]) -> Comparison:
        """The comparison with other warnings before its own."""
        return replace(self, warnings=(*first, *self.warnings))


@dataclass(frozen=True)
class SetScore:
    """One system on one test set; NaN where it has no output there."""

    test_set: str
    system: str
    score: float
    low: float
    high: float


@dataclass(frozen=True)
class SetGroup:
    """The mean over some of the test sets: all of them, those of a language pair, those of a domain."""

    by: str
    """all, language or domain."""
    name: str
    sets: tuple[str, ...]
    results: tuple[Standing, ...]
    pairs: tuple[Pair, ...] = ()


@dataclass(frozen=True)
class MeasureTable:
    """One measure over all test sets that have it."""

    metric: str
    label: str
    is_metric: bool
    """Whether it can be computed from texts; people's scores and those of files cannot."""
    specs: Mapping[str, str]
    """By test set what makes the measure again, for tokenizers follow the language; signatures as well."""
    signatures: Mapping[str, str]
    higher_is_better: bool | None
    decimals: int
    scores: tuple[SetScore, ...]
    groups: tuple[SetGroup, ...]
    """All sets first."""
    designs: Mapping[str, Design] = field(default_factory=dict)
    """By test set, what was drawn and what else belongs together."""
    by_people: bool = False
    """Whether people gave the scores."""
    design: Design | None = None
    """Of the mean over all sets, language pairs included; None in results that were kept without designs."""

    @property
    def results(self) -> tuple[Standing, ...]:
        """Systems in the mean over all sets."""
        return self.groups[0].results

    @property
    def pairs(self) -> tuple[Pair, ...]:
        """Those in the mean over all sets."""
        return self.groups[0].pairs

    @property
    def sets(self) -> tuple[str, ...]:
        """The test sets that have it."""
        return self.groups[0].sets

    def pair(self, a: str, b: str) -> Pair | None:
        """Two systems in the mean, seen from either; None where they share no test set."""
        return next((pair for pair in self.pairs if {pair.a, pair.b} == {a, b} and pair.sets), None)


def tables_of_set(
    name: str, results: Sequence[Standing], pairs: Sequence[Pair], design: Design
) -> tuple[MeasureTable, ...]:
    """The tables of a single test set: the mean over it is what was found on it."""
    by_metric: dict[str, list[Standing]] = {}
    for standing in results:
        by_metric.setdefault(standing.metric, []).append(standing)
    tables = []
    for metric, entry in by_metric.items():
        first = entry[0]
        sign = -1.0 if first.higher_is_better is False else 1.0
        of_set = tuple(
            replace(pair, sets_better=int(sign * pair.delta > 0), sets_worse=int(sign * pair.delta < 0))
            for pair in pairs
            if pair.metric == metric
        )
        tables.append(
            MeasureTable(
                metric=metric,
                label=first.label,
                is_metric=True,
                specs={name: metric},
                signatures={name: first.signature},
                higher_is_better=first.higher_is_better,
                decimals=first.decimals,
                scores=tuple(SetScore(name, s.system, s.score, s.low, s.high) for s in entry),
                groups=(SetGroup("all", "all", (name,), tuple(entry), of_set),),
                designs={name: design},
                design=join_designs([design]),
            )
        )
    return tuple(tables)
