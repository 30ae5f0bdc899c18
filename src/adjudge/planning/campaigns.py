"""How many judgements a campaign of ours takes: its design, read from its own file, behind every command that plans.

`human new` says whether a campaign is large enough, `power --campaign-file` by how much, and the checklist of `human
analyse` whether it was: all three by a `CampaignPlan` of the same kind, for the same difference and the same power.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from adjudge.campaigns.assignment import AssignmentPlan
from adjudge.campaigns.campaign import Campaign
from adjudge.campaigns.items import CampaignMaterial
from adjudge.planning.campaign_plan import EFFECT, CampaignPlan
from adjudge.stats.power import POWER
from adjudge.stats.tests.systems import UNPAIRED
from adjudge.wording import percent

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
