"""Notes for the organiser about a plan."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from adjudge.campaigns.assignment.control_items import BAD, ControlMaker
from adjudge.campaigns.assignment.pool import GroupOrder, WorkUnit, by_documents, is_comparison
from adjudge.campaigns.assignment.segment_hits import HitItems
from adjudge.campaigns.assignment.workloads import Workloads
from adjudge.campaigns.campaign import Campaign
from adjudge.campaigns.items import CampaignMaterial
from adjudge.human.quality import FEWEST
from adjudge.wording import pluralise, some_of


class PlanAdvice:
    """Sentences for the organiser."""

    def __init__(self, campaign: Campaign, material: CampaignMaterial) -> None:
        self._campaign, self._material = campaign, material
        self.sentences: list[str] = []

    def about_texts(self, choice: GroupOrder, pieces: Sequence[WorkUnit]) -> None:
        """Notes about missing documents, empty outputs and equal outputs."""
        protocol = self._campaign.protocol
        if by_documents(protocol) and "document" not in self._material.test_set.labels:
            self.sentences.append(
                f"{protocol.name} shows documents, but the test set names none (test_set.labels, a column `document`): "
                "each segment stands alone."
            )
        numbers = [n for group in choice.groups for n in group.segments]
        empty = sum(not outputs.segments[n].strip() for outputs in self._material.outputs for n in numbers)
        if empty:
            self.sentences.append(f"{_count(empty, 'output')} of systems {_is(empty)} empty.")
        if is_comparison(protocol):
            alike = len(numbers) - len({piece.group for piece in pieces})
            if alike:
                self.sentences.append(
                    f"On {_count(alike, 'segment')} all systems say the same; there is nothing to compare."
                )
            return
        alike = sum(len(piece.systems) - 1 for piece in pieces)
        if alike:
            what = "document" if by_documents(protocol) else "output"
            self.sentences.append(
                f"{_count(alike, what)} {_is(alike)} the same as another system's; judged once, they count for all."
            )

    def about_workloads(self, workloads: Workloads, short: int, people: Sequence[str]) -> None:
        """Notes about people without work, and judgements without people."""
        idle = [name for name in people if not workloads.pieces_of[name]]
        if idle:
            self.sentences.append(
                f"There is nothing to judge for {_names(idle)}; raise assignment.judgements or assignment.common."
            )
        if short:
            once = self._campaign.protocol.name == "comprehension"
            why = "nobody may see a document twice" if once else "nobody judges the same thing twice"
            self.sentences.append(
                f"{_count(short, 'judgement')} cannot be given to anyone: {why}, and there are {len(workloads.people)} "
                f"annotators for {pluralise(len(self._material.systems), 'system')}."
            )

    def about_stages(self, choice: GroupOrder) -> None:
        """A note about texts that everybody edits, so that nobody is left to judge them."""
        if self._campaign.protocol.next_stage and choice.common and not self._campaign.annotators.judges:
            everyone = sum(len(group.segments) for group in choice.groups if group.number in choice.common)
            self.sentences.append(
                f"assignment.common: everyone edits {_count(everyone, 'segment')}: what all leave as it is, or change "
                "alike, has no judge left; name annotators.judges, or write common = 0."
            )

    def about_edits(self, unable: int, short: int) -> None:
        """Notes about texts that nobody could correct, or nobody may judge."""
        if unable:
            self.sentences.append(
                f"{_count(unable, 'output')} could not be corrected; {_it(unable)} judged without a correction."
            )
        if short:
            self.sentences.append(
                f"{_count(short, 'judgement')} of edited texts cannot be given to anyone: too few judges did not edit "
                "them themselves."
            )

    def about_again(self, count: int) -> None:
        """A note about outputs that equal those of earlier systems."""
        if count:
            self.sentences.append(
                f"{_count(count, 'output')} of new systems {_is(count)} the same as one judged before; what was given "
                "out stays as it is, so they are judged again."
            )

    def about_order(self, near: Mapping[str, int], choice: GroupOrder) -> None:
        """A note about segments that return too soon."""
        bad = {name: count for name, count in near.items() if count}
        if not bad:
            return
        distance = self._campaign.assignment.distance
        names = "" if self._campaign.annotators.crowd else f" ({_names(list(bad))})"
        self.sentences.append(
            f"{_count(sum(bad.values()), 'time')} a segment comes again in another system's translation within "
            f"{distance} items{names}: {_count(choice.segments, 'segment')} are too few to keep them apart; they are "
            "spread as far as they can be."
        )

    def about_controls(self, control_maker: ControlMaker) -> None:
        """Notes about outputs that could not be damaged, and hits without room for control items."""
        for reason, count in control_maker.failures.items():
            self.sentences.append(
                f"{_count(count, 'output')} could not be damaged ({reason}); others were taken instead."
            )
        size, shares = self._campaign.assignment.hit_size, control_maker.shares
        if shares.kinds and size * shares.ordinary < 2:
            self.sentences.append(f"assignment.hit_size: hits of {size} have no room for control items.")

    def about_hits(self, made: Mapping[str, Sequence[HitItems]]) -> None:
        """Notes about work that fills no hit, and documents that fill more than one."""
        size = self._campaign.assignment.hit_size
        most = max(
            (sum(len(i.segments) for i in hit.items) for those in made.values() for hit in those), default=0
        )
        if most < size and all(len(those) < 2 for those in made.values()):
            self.sentences.append(
                f"There is less to judge than fills a hit of {size}: the largest one has {most}."
            )
        if by_documents(self._campaign.protocol):
            longest = max(len(segments) for _, segments in self._material.documents())
            if longest > size:
                self.sentences.append(
                    f"The longest document has {longest} segments, more than a hit of {size}; it is not cut."
                )
        if self._campaign.annotators.crowd:
            self._about_codes([hit for those in made.values() for hit in those])
        asked = self._campaign.stored.get("assignment", {})
        single_hits = self._campaign.annotators.crowd or self._campaign.protocol.name == "comprehension"
        if single_hits and asked.get("common"):
            why = (
                "a crowd shares no pool"
                if self._campaign.annotators.crowd
                else "nobody sees a document twice"
            )
            self.sentences.append(f"assignment.common: not used here; {why}.")

    def _about_codes(self, made: Sequence[HitItems]) -> None:
        """A note about hits with too few control items to detect careless work."""
        few = sum(sum(item.kind == BAD for item in hit.items) < FEWEST for hit in made)
        if few:
            where = "each hit" if few == len(made) else f"{few} of {_count(len(made), 'hit')}"
            self.sentences.append(
                f"Fewer than {FEWEST} translations are damaged in {where}: nobody can fail quality control there, and "
                "every completion code says passed."
            )


def _count(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"


def _is(number: int) -> str:
    return "is" if number == 1 else "are"


def _it(number: int) -> str:
    return "it is" if number == 1 else "they are"


def _names(names: Sequence[str]) -> str:
    return some_of(names, 5)
