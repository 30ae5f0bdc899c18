"""How a campaign will be run and tested: everything that power depends on but the number of judgements."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from adjudge.campaigns.assignment import AssignmentPlan
from adjudge.campaigns.campaign import Campaign
from adjudge.campaigns.items import CampaignMaterial
from adjudge.comparison.plan import SEED
from adjudge.errors import UsageError, unknown_name
from adjudge.stats import power as formulas
from adjudge.stats import sequential
from adjudge.stats.design import Design
from adjudge.stats.distributions import normal_cdf, normal_quantile
from adjudge.stats.power import POWER
from adjudge.stats.tests.planned import PlannedTest, planned_test
from adjudge.stats.tests.systems import UNPAIRED
from adjudge.wording import join_names, percent

CORRECTIONS = ("holm", "none")
EFFECT = 0.45
"""The difference that a campaign should find: of two translations the worse system's is the better one in 45 of 100."""
SIMULATIONS = 10_000


@dataclass(frozen=True)
class CampaignDesign:
    """How many systems are judged how, and what counts as a finding."""

    alpha: float = 0.05
    one_sided: bool = False
    systems: int = 2
    comparisons: int | None = None
    """Pairs that will be tested; None for all of them."""
    correction: str = "holm"
    annotators_per_item: int = 1
    """Judgements of each translation."""
    controls: float = 0.0
    """The share of all judgements that goes to control items."""
    simulations: int = SIMULATIONS
    seed: int = SEED

    def __post_init__(self) -> None:
        if not 0 < self.alpha < 1:
            raise UsageError(f"alpha {self.alpha:g}: must lie between 0 and 1; 0.05 is usual")
        if self.correction not in CORRECTIONS:
            raise unknown_name("correction", self.correction, CORRECTIONS)
        for name, value, least in (
            ("systems", self.systems, 2),
            ("comparisons", self.comparisons, 1),
            ("annotators per item", self.annotators_per_item, 1),
            ("simulations", self.simulations, 100),
        ):
            if value is not None and value < least:
                raise UsageError(f"{name} {value}: must be a whole number from {least} up")
        check_share("controls", self.controls)

    @property
    def sides(self) -> int:
        """Of the test."""
        return 1 if self.one_sided else 2

    @property
    def tests(self) -> int:
        """How many pairs of systems are tested."""
        return self.comparisons or self.systems * (self.systems - 1) // 2

    @property
    def alpha_each(self) -> float:
        """The level that the hardest of the pairs must reach: Holm's first step is Bonferroni's."""
        return self.alpha if self.correction == "none" else self.alpha / self.tests

    def judgements(self, n: int) -> int:
        """N: all judgements of n distinct translations a system, those of control items included."""
        return math.ceil(self.translations(n) * self.annotators_per_item / (1 - self.controls) - 1e-9)

    def translations(self, n: int) -> int:
        """Of all systems together."""
        return self.systems * n

    def n_for_budget(self, judgements: int) -> int:
        """Distinct translations a system that so many judgements buy."""
        n = max(0, math.floor(judgements * (1 - self.controls) / self.annotators_per_item / self.systems))
        while self.judgements(n + 1) <= judgements:
            n += 1
        while n and self.judgements(n) > judgements:
            n -= 1
        if n < 2:
            raise UsageError(
                f"budget {judgements}: buys {n} translations a system; {self.judgements(2)} judgements are the least "
                f"for {self.systems} systems and {self.annotators_per_item} a translation"
            )
        return n

    def check_wanted(self, wanted: float) -> None:
        """Refuse a power that no campaign has, or every one."""
        if not 0 < wanted < 1:
            raise UsageError(f"power {wanted:g}: must lie between 0 and 1; 0.8 is usual")
        if wanted <= self.alpha_each:
            raise UsageError(
                f"power {wanted:g}: is no more than alpha ({self.alpha_each:g}), which every test reaches by chance; "
                "0.8 is usual"
            )


@dataclass(frozen=True)
class CampaignPlan(CampaignDesign):
    """A campaign whose power is calculated: everything but the number of translations and the effect."""

    test: str = UNPAIRED
    method: str = ""
    """How power is found; empty for the test's best."""
    ratio: float = 1.0
    """Translations of the second system for each of the first (rank-sum)."""
    paired_correlation: float = 0.0
    """Of the two systems' scores of the same segment (paired tests)."""
    tie_share: float = 0.0
    """The share of segments on which neither is better (sign test)."""
    icc: float | None = None
    """The share of the variance of judgements that lies between translations; None: as if it were 1."""
    document_icc: float = 0.0
    """How much what is tested of the segments of one document correlates: their scores, or in paired tests their
    differences."""
    document_size: float = 1.0
    """Segments of a document that are judged of each system."""
    annotator_icc: float = 0.0
    """Intraclass correlation of what one annotator judges."""
    annotator_load: float = 1.0
    """Translations of each system that an annotator judges."""
    looks: tuple[float, ...] = (1.0,)
    """Shares of all judgements after which results are looked at."""
    spending: str = "obrien-fleming"

    def __post_init__(self) -> None:
        super().__post_init__()
        known = self.planned_test.power_methods
        object.__setattr__(self, "method", self.method or known[0])
        if self.method not in known:
            raise UsageError(
                f"the {self.test} test's power is not found by {self.method!r}: {', '.join(known)}"
            )
        if self.spending not in sequential.SPENDINGS:
            raise unknown_name("spending of alpha", self.spending, sequential.SPENDINGS)
        self._check_numbers()
        self._check_together()

    def _check_numbers(self) -> None:
        if not 0.01 <= self.ratio <= 100:
            raise UsageError(
                f"ratio {self.ratio:g}: must lie between 0.01 and 100; 1 for as many of either system"
            )
        if not -1 < self.paired_correlation < 1:
            raise UsageError(f"paired correlation {self.paired_correlation:g}: must lie between -1 and 1")
        check_share("tie share", self.tie_share)
        if self.icc is not None and not 0 <= self.icc <= 1:
            raise UsageError(f"icc {self.icc:g}: must be a share from 0 to 1")
        for what, icc, size in (
            ("document", self.document_icc, self.document_size),
            ("annotator", self.annotator_icc, self.annotator_load),
        ):
            if not 0 <= icc < 1:
                raise UsageError(f"{what} icc {icc:g}: must be a share from 0 up to, but not, 1")
            if not 1 <= size < math.inf:
                raise UsageError(f"{size:g} translations a {what}: must be 1 or more")
            if (icc > 0) != (size > 1):
                raise UsageError(
                    f"what a {what} has in common takes both its intraclass correlation and how many translations: "
                    f"--{what}-icc 0.1 --{'document-size' if what == 'document' else 'annotator-load'} 10"
                )

    def _check_together(self) -> None:
        if self.paired and self.ratio != 1:
            raise UsageError(f"ratio {self.ratio:g}: the {self.test} test is of pairs; --test rank-sum")
        if self.ratio != 1 and self.systems > 2:
            raise UsageError(f"ratio {self.ratio:g}: for two systems only, but {self.systems} were given")
        if not self.paired and self.paired_correlation:
            raise UsageError(
                f"paired correlation {self.paired_correlation:g}: the rank-sum test is of translations of "
                "different segments; where both systems' are judged on the same ones, the paired test is right: "
                "--test signed-rank"
            )
        if not self.planned_test.leaves_out_ties and self.tie_share:
            raise UsageError(f"ties {self.tie_share:g}: for the sign test only: --test sign")
        if self.icc is not None and self.paired_correlation > self.icc:
            raise UsageError(
                f"paired correlation {self.paired_correlation:g}: cannot be more than the icc ({self.icc:g}), for what "
                "two translations of one segment share lies between translations"
            )
        if self.several_looks and self.method == "simulation":
            raise UsageError(
                f"looks on the way have no simulation: --method {self.planned_test.power_methods[0]}"
            )
        if self.icc is not None and self.annotators_per_item == 1 and self.icc != 1:
            raise UsageError(
                "icc says what more judgements of one translation are worth; --annotators-per-item 2 or more"
            )
        sequential.boundaries(self.looks)  # refuses what is no plan

    @property
    def planned_test(self) -> PlannedTest:
        """The test that `test` names."""
        return planned_test(self.test)

    @property
    def paired(self) -> bool:
        """Whether both systems' translations of the same segments are judged."""
        return self.planned_test.paired

    @property
    def variance(self) -> float:
        """Of a translation's score, in variances of one judgement."""
        return 1.0 if self.icc is None else formulas.averaged_variance(self.annotators_per_item, self.icc)

    @property
    def design_effect(self) -> float:
        """How many translations that hang together are worth one by itself (Kish 1965)."""
        documents, annotators = self.document_size - 1, self.annotator_load - 1
        return 1 + documents * self.document_icc + annotators * self.annotator_icc

    def sample(self, n: int) -> Design:
        """What n translations a system rest on: themselves, and what documents and annotators have in common."""
        kinds = [
            name
            for name, icc in (("document", self.document_icc), ("annotator", self.annotator_icc))
            if icc > 0
        ]
        each = f"each translation is worth {1 / self.design_effect:.2f} of one by itself"
        reason = f"n allows for what {join_names([f'{name}s' for name in kinds])} have in common: {each}."
        return Design(",".join(["translation", *kinds]), n, reason if kinds else "")

    def effective_n(self, n: int) -> int:
        """As many translations of documents and annotators of their own would show as much as n of these."""
        return max(2, math.floor(n / self.design_effect + 1e-9))

    @property
    def several_looks(self) -> bool:
        """Whether results are looked at before all are in."""
        return len(self.looks) > 1

    @cached_property
    def limits(self) -> sequential.Boundaries:
        """The critical values of all looks, for one pair of systems."""
        return sequential.boundaries(self.looks, self.alpha_each, sides=self.sides, spending=self.spending)

    def translations(self, n: int) -> int:
        """Of all systems together."""
        return n + self.second(n) if self.systems == 2 else self.systems * n

    def second(self, n: int) -> int:
        """Translations of the second system."""
        return max(2, round(self.ratio * n))

    def tested_effect(self, effect: float) -> float:
        """The effect as the test meets it: of means over judgements, and on one segment where it is paired."""
        left = self.variance - (self.paired_correlation if self.paired else 0.0)
        return float(normal_cdf(normal_quantile(effect) / math.sqrt(left)))

    def normal(self, n: int, effect: float) -> formulas.Normal:
        """The test's statistic when all judgements are in."""
        seen, n = self.tested_effect(effect), self.effective_n(n)
        method = "noether" if self.method == "noether" else "shieh"
        return self.planned_test.normal(n, seen, other=self.second(n), ties=self.tie_share, method=method)

    def drift(self, n: int, effect: float) -> float:
        """The z to be expected when all judgements are in."""
        return self.normal(n, effect).drift(self.alpha_each, self.sides)

    def power(self, n: int, effect: float) -> float:
        """The chance that the campaign finds the difference."""
        check_n(n)
        self.check_effect(effect)
        if self.several_looks:
            return sequential.crossings(self.limits, self.drift(n, effect)).total
        level: dict[str, Any] = {"alpha": self.alpha_each, "sides": self.sides}
        if self.method == "exact":
            return formulas.sign_power(
                self.effective_n(n), self.tested_effect(effect), ties=self.tie_share, **level
            )
        if self.method == "simulation":
            return self._simulate_power(self.effective_n(n), effect, **level)
        return self.normal(n, effect).power(**level)

    def _simulate_power(self, n: int, effect: float, **level: Any) -> float:
        level |= {"simulations": self.simulations, "seed": self.seed}
        seen = self.tested_effect(effect)
        return self.planned_test.simulated(n, seen, other=self.second(n), **level).power

    def n(self, wanted: float, effect: float) -> int:
        """The smallest number of distinct translations a system with the wanted power."""
        self.check_wanted(wanted)
        self.check_effect(effect)
        if abs(effect - 0.5) < 1e-9:
            raise UsageError(
                "effect 0.5 is no difference at all: no number of judgements finds it; give the smallest effect "
                "that would matter, such as 0.45"
            )
        if self.method == "exact" and not self.several_looks:
            level: dict[str, Any] = {"alpha": self.alpha_each, "sides": self.sides}
            alone = formulas.sign_n(wanted, self.tested_effect(effect), ties=self.tie_share, **level)
            return math.ceil(alone * self.design_effect - 1e-9)
        about = 4
        if self.method == "simulation":  # no step is to be wasted
            about = replace(self, method="").n(wanted, effect)
        return formulas.smallest_n(lambda n: self.power(n, effect), wanted, about=about)

    def effect(self, wanted: float, n: int) -> float:
        """The effect, below 0.5, that n translations a system find with the wanted power."""
        check_n(n)
        self.check_wanted(wanted)
        low, high = self.least_effect, 0.5
        if self.power(n, low) < wanted:
            raise UsageError(
                f"n {n}: too few for a power of {wanted:g}, however large the effect; take more translations"
            )
        precise = 1e-4 if self.method == "simulation" else 1e-12
        while high - low > precise:
            middle = (low + high) / 2
            low, high = (middle, high) if self.power(n, middle) >= wanted else (low, middle)
        return low

    @property
    def least_effect(self) -> float:
        """The largest effect there can be, below 0.5: with ties one system cannot win everywhere."""
        widest = self.tie_share / 2 + 1e-6
        left = self.variance - (self.paired_correlation if self.paired else 0.0)
        return float(normal_cdf(normal_quantile(widest) * math.sqrt(left)))

    def check_effect(self, effect: float) -> None:
        """Refuse an effect that cannot be."""
        if not 0 < effect < 1:
            raise UsageError(
                f"effect {effect:g}: must lie between 0 and 1; it is the chance that of two translations, one of each "
                "system, the second one's is better, and 0.5 is no difference"
            )
        seen = self.tested_effect(effect)
        if self.tie_share and not self.tie_share / 2 < seen < 1 - self.tie_share / 2:
            raise UsageError(
                f"effect {effect:g}: with {self.tie_share:g} of all segments tied it must lie between "
                f"{self.least_effect:.3g} and {1 - self.least_effect:.3g}; a tie counts half"
            )


def check_n(n: int) -> None:
    """Refuse a number of translations that no test can work with."""
    if n < 2:
        raise UsageError(f"n {n}: must be 2 translations a system or more")


def check_share(name: str, share: float) -> None:
    """Refuse what is no share, or all there is."""
    if not 0 <= share < 1:
        raise UsageError(f"{name} {share:g}: must be a share from 0 up to, but not, 1")


def read_looks(text: str | None) -> tuple[tuple[float, ...], int | None]:
    """Shares of all judgements, and the n of the last look where looks were given as numbers of translations."""
    if text is None:
        return (1.0,), None
    try:
        numbers = [float(part) for part in text.split(",")]
        if not all(abs(number) <= 1e9 and not 0 < abs(number) < 1e-9 for number in numbers):  # nor nan
            raise ValueError
    except ValueError:
        raise UsageError(
            f"--looks {text}: must be their number (4), or when they are: 0.5,0.75,1 or 100,200,400"
        ) from None
    if len(numbers) == 1:
        count = numbers[0]
        if count != int(count) or not 1 <= count <= 100:
            raise UsageError(
                f"--looks {text}: must be a whole number from 1 to 100, or 0.5,1 for two at these shares"
            )
        return tuple((k + 1) / count for k in range(int(count))), None
    if max(numbers) > 1:
        return tuple(number / numbers[-1] for number in numbers), round(numbers[-1])
    return tuple(numbers), None


UNITS = {
    "comparison": ("comparison of two systems", "comparisons of two systems"),
    "document": ("document a system", "documents a system"),
    "translation": ("translation a system", "translations a system"),
}


@dataclass(frozen=True)
class CampaignSize:
    """What a campaign can find with what it has to judge."""

    design: CampaignPlan
    n: int
    """Distinct translations (or documents) a system, or comparisons of every two systems."""
    unit: str
    effect: float = EFFECT

    @property
    def power(self) -> float:
        """The chance of finding the effect."""
        return self.design.power(self.n, self.effect) if self.n > 1 else 0.0

    @property
    def needed(self) -> int:
        """The n that finds it with a chance of 80 %."""
        return self.design.n(POWER, self.effect)

    def remark(self) -> str:
        """What the organiser should know where n is too small; else nothing."""
        if self.power >= POWER:
            return ""
        tests = self.design.tests
        corrected = f", {tests} pairs corrected together" if tests > 1 else ""
        verb = "is" if self.n == 1 else "are"
        return (
            f"{self.n:,} {UNITS[self.unit][self.n != 1]} {verb} few: a difference of {self.effect} (P(A < B)) is found "
            f"with a chance of {100 * self.power:.0f} %{corrected}; for {percent(POWER)} it takes {self.needed:,} "
            "(adjudge power --campaign-file FILE)."
        )


def campaign_size(campaign: Campaign, systems: Sequence[str], plan: AssignmentPlan) -> CampaignSize | None:
    """How large a campaign is; None where there are no two systems to compare.

    Its test is the rank-sum test, as everywhere where nothing is known of the scores yet: tests of means and paired
    tests find a little more. What documents and annotators have in common is not known either, and makes n worth less.
    """
    if len(systems) < 2:
        return None
    test = "sign" if plan.unit == "comparison" else UNPAIRED
    design = CampaignPlan(systems=len(systems), test=test, annotators_per_item=campaign.assignment.judgements)
    return CampaignSize(design, plan.judged, plan.unit)


def shared_sizes(campaign: Campaign, material: CampaignMaterial, plan: AssignmentPlan) -> dict[str, float]:
    """How many translations of a system a document has, and how many an annotator judges, on average."""
    documents = len(material.test_set) / len(material.documents())
    people = max(1, len(campaign.annotators.all_names()))
    loads = plan.judged * campaign.assignment.judgements / people
    return {"document_size": documents, "annotator_load": loads}
