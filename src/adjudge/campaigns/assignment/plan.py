"""The hits of a new campaign."""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import dataclass, replace

from adjudge.campaigns.assignment import plan_advice
from adjudge.campaigns.assignment.comparisons import SystemPairCounts, comparison_pieces
from adjudge.campaigns.assignment.control_items import ControlMaker
from adjudge.campaigns.assignment.document_hits import (
    DocumentHitOptions,
    document_hits,
    separate_translations,
)
from adjudge.campaigns.assignment.order import Mark, mean_gap, spread, too_near
from adjudge.campaigns.assignment.pool import (
    GroupOrder,
    Questions,
    WorkUnit,
    by_documents,
    choose,
    is_comparison,
    rating_pieces,
)
from adjudge.campaigns.assignment.segment_hits import HitItems, marks_of, segment_hits
from adjudge.campaigns.assignment.workloads import Workloads, largest_first
from adjudge.campaigns.campaign import Campaign
from adjudge.campaigns.items import CampaignMaterial, Hit, Item, generator, randomness
from adjudge.errors import DataError


@dataclass(frozen=True)
class AssignmentPlan:
    """Hits to be given out, and notes for the organiser."""

    hits: tuple[Hit, ...]
    notes: tuple[str, ...] = ()
    judged: int = 0
    """Distinct translations (or documents) a system, or comparisons of the two systems that have fewest."""
    unit: str = "translation"
    """What is counted: `translation`, `document` or `comparison`."""


def plan_hits(
    campaign: Campaign,
    material: CampaignMaterial,
    *,
    questions: Questions | None = None,
    tutorial: Sequence[Item] = (),
    report: Callable[[str, int, int], None] | None = None,
) -> AssignmentPlan:
    """Return the hits of all annotators; of nobody ('') where a crowd takes them.

    `questions` are those of `rules.questions`, by document; `tutorial` items open everyone's first hit (every hit
    of a crowd, where nobody knows who comes). `report` is told how many people's hits are made.
    """
    seed, people = campaign.assignment.seed, campaign.annotators.all_names()
    crowd = campaign.annotators.crowd
    control_maker = ControlMaker(campaign, material)
    choice = choose(campaign, material, questions)
    pairs = SystemPairCounts()
    if is_comparison(campaign.protocol):
        pieces = comparison_pieces(campaign, material, choice.groups, pairs=pairs)
    else:
        pieces = rating_pieces(campaign, material, choice.groups, set(material.systems), questions=questions)
    if not pieces:
        raise DataError("systems: all of them say the same on every segment; there is nothing to compare")
    advice = plan_advice.PlanAdvice(campaign, material)
    advice.about_texts(choice, pieces)
    advice.about_stages(choice)
    if crowd:
        assigned: Mapping[str, Sequence[WorkUnit]] = {"": pieces}
    else:
        workloads = Workloads(people, generator(seed, "deal"))
        short = assign_pieces(campaign, choice, pieces, workloads)
        advice.about_workloads(workloads, short, people)
        assigned = workloads.pieces_of
    maker = HitMaker(campaign, choice, control_maker)
    made = {}
    for done, (name, pieces_of_person) in enumerate(assigned.items()):
        if report is not None:
            report("planning", done, len(assigned))
        made[name] = maker.hits_of(name, pieces_of_person)
    advice.about_order({name: maker.near[name] for name in made}, choice)
    advice.about_controls(control_maker)
    advice.about_hits(made)
    copies = campaign.assignment.judgements if crowd else 1
    return AssignmentPlan(
        name_hits(made, copies=copies, tutorial=tutorial),
        (*control_maker.notes, *advice.sentences),
        *_judging_amount(campaign, material, choice, pairs),
    )


def _judging_amount(
    campaign: Campaign, material: CampaignMaterial, choice: GroupOrder, pairs: SystemPairCounts
) -> tuple[int, str]:
    """How much is judged of each system, and what is counted."""
    if is_comparison(campaign.protocol):
        return pairs.fewest(material.systems), "comparison"
    if campaign.protocol.unit == "document":
        return len(choice.groups), "document"
    return choice.segments, "translation"


def assign_pieces(
    campaign: Campaign, choice: GroupOrder, pieces: Sequence[WorkUnit], workloads: Workloads
) -> int:
    """Give everyone the common pool and each other piece to as many people as asked; says how many are missing."""
    judgements = campaign.assignment.judgements
    once = campaign.protocol.name == "comprehension"
    workloads.assign_to_all(piece for piece in pieces if piece.group in choice.common)
    others = [piece for piece in pieces if piece.group not in choice.common]
    order = largest_first(others, generator(campaign.assignment.seed, "order of dealing"))
    return sum(judgements - len(workloads.assign(piece, judgements, once=once)) for piece in order)


class HitMaker:
    """Makes hits for one person, and counts segments that return too soon."""

    def __init__(
        self, campaign: Campaign, choice: GroupOrder, control_maker: ControlMaker, purpose: str = ""
    ) -> None:
        self._campaign, self._choice, self._control_maker = campaign, choice, control_maker
        self._purpose = purpose
        """Distinguishes the random numbers of later additions from those of the first hits."""
        self.near: dict[str, int] = {}

    def hits_of(self, name: str, pieces: Sequence[WorkUnit], before: Sequence[Mark] = ()) -> list[HitItems]:
        """The hits of one person, who has just seen `before`."""
        self.near[name] = 0
        if not pieces:
            return []
        assignment, protocol = self._campaign.assignment, self._campaign.protocol
        chance = generator(assignment.seed, "spread", self._purpose, name)
        draw = randomness(assignment.seed, "hits", self._purpose, name)
        weight = sum(piece.weight for piece in pieces) / len(pieces)
        before = list(before)[-assignment.distance :] if assignment.distance else []
        order = spread(pieces, mean_gap(assignment.distance, weight), chance)
        crowd = self._campaign.annotators.crowd
        if by_documents(protocol):
            order = separate_translations(order, assignment.distance, draw, before)
            made = document_hits(order, self._document_options(name), draw)
            seen = [hit.items for hit in made] if crowd else [[item for hit in made for item in hit.items]]
            near = sum(len(too_near([*before, *marks_of(items)], assignment.distance)) for items in seen)
        else:
            distance = 0 if is_comparison(protocol) else assignment.distance
            made, near = segment_hits(
                order, assignment.hit_size, distance, self._control_maker, draw, before=before, alone=crowd
            )
        self.near[name] = near
        return made

    def _document_options(self, name: str) -> DocumentHitOptions:
        assignment, protocol = self._campaign.assignment, self._campaign.protocol
        return DocumentHitOptions(
            size=assignment.hit_size,
            distance=assignment.distance,
            control_maker=self._control_maker,
            groups=self._choice.groups,
            whole=protocol.unit == "document",
            once=protocol.name == "comprehension",
            alone=not name,
        )


def name_hits(
    made: Mapping[str, Sequence[HitItems]],
    *,
    first: int = 1,
    copies: int = 1,
    tutorial: Sequence[Item] = (),
    learners: Container[str] | None = None,
) -> tuple[Hit, ...]:
    """The hits with their names: numbers, so that they tell nothing.

    For a crowd each comes as often as it is to be judged; `copies` of hit-0007 are called hit-0007-2, hit-0007-3, …,
    and nobody should get two of them. The tutorial opens the first hit of everyone, or of the `learners`.
    """
    hits, number = [], first
    for name, those in made.items():
        for place, hit in enumerate(those):
            new = not name or (not place and (learners is None or name in learners))
            hits.append(Hit(f"hit-{number:04d}", (*tutorial, *hit.items) if new else hit.items, name))
            number += 1
    more = range(2, copies + 1)
    return (*hits, *(replace(hit, name=f"{hit.name}-{copy}") for copy in more for hit in hits))
