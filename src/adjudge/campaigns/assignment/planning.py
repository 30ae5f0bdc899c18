"""A campaign's hits, from the beginning."""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import dataclass, replace

from adjudge.campaigns.assignment import noting
from adjudge.campaigns.assignment.comparing import Pairs, compared
from adjudge.campaigns.assignment.dealing import Hands, largest_first
from adjudge.campaigns.assignment.documents import Bench, apart, document_sittings
from adjudge.campaigns.assignment.making import Workshop
from adjudge.campaigns.assignment.ordering import Mark, comfortable, spread, too_near
from adjudge.campaigns.assignment.pool import (
    Choice,
    Piece,
    Questions,
    by_documents,
    choose,
    is_comparison,
    rated,
)
from adjudge.campaigns.assignment.sittings import Sitting, marks_of, sittings
from adjudge.campaigns.campaign import Campaign
from adjudge.campaigns.items import Hit, Item, Material
from adjudge.campaigns.keys import generator, randomness
from adjudge.errors import DataError


@dataclass(frozen=True)
class Plan:
    """Hits to be given out, and what the organiser should know about them."""

    hits: tuple[Hit, ...]
    notes: tuple[str, ...] = ()


def plan(
    campaign: Campaign,
    material: Material,
    *,
    questions: Questions | None = None,
    tutorial: Sequence[Item] = (),
    report: Callable[[str, int, int], None] | None = None,
) -> Plan:
    """All hits of all annotators; of nobody ('') where a crowd takes them.

    `questions` are those of `rules.questions`, by document; `tutorial` items open everyone's first hit (every hit
    of a crowd, where nobody knows who comes). `report` is told how many people's hits are made.
    """
    seed, people = campaign.assignment.seed, campaign.annotators.all_names()
    crowd = campaign.annotators.crowd
    workshop = Workshop(campaign, material)
    choice = choose(campaign, material, questions)
    pairs = Pairs()
    if is_comparison(campaign.protocol):
        pieces = compared(campaign, material, choice.groups, pairs=pairs)
    else:
        pieces = rated(campaign, material, choice.groups, set(material.systems), questions=questions)
    if not pieces:
        raise DataError("systems: all of them say the same on every segment; there is nothing to compare")
    notes = noting.Notes(campaign, material)
    notes.about_texts(choice, pieces)
    notes.about_power(choice, pairs)
    notes.about_stages(choice)
    if crowd:
        held: Mapping[str, Sequence[Piece]] = {"": pieces}
    else:
        hands = Hands(people, generator(seed, "deal"))
        short = deal(campaign, choice, pieces, hands)
        notes.about_dealing(hands, short, people)
        held = hands.held
    maker = Maker(campaign, choice, workshop)
    made = {}
    for done, (name, own) in enumerate(held.items()):
        if report is not None:
            report("planning", done, len(held))
        made[name] = maker.sittings(name, own)
    notes.about_order({name: maker.near[name] for name in made}, choice)
    notes.about_controls(workshop)
    notes.about_hits(made)
    copies = campaign.assignment.judgements if crowd else 1
    return Plan(named(made, copies=copies, tutorial=tutorial), (*workshop.notes, *notes.said))


def deal(campaign: Campaign, choice: Choice, pieces: Sequence[Piece], hands: Hands) -> int:
    """Give everyone the common pool and each other piece to as many people as asked; says how many are missing."""
    wanted = campaign.assignment.judgements
    once = campaign.protocol.name == "comprehension"
    hands.deal_to_all(piece for piece in pieces if piece.group in choice.common)
    others = [piece for piece in pieces if piece.group not in choice.common]
    order = largest_first(others, generator(campaign.assignment.seed, "order of dealing"))
    return sum(wanted - len(hands.deal(piece, wanted, once=once)) for piece in order)


class Maker:
    """Makes hits of what somebody holds, and counts where a segment comes again too soon."""

    def __init__(self, campaign: Campaign, choice: Choice, workshop: Workshop, purpose: str = "") -> None:
        self._campaign, self._choice, self._workshop = campaign, choice, workshop
        self._purpose = purpose
        """Keeps the chance of later additions apart from that of the beginning."""
        self.near: dict[str, int] = {}

    def sittings(self, name: str, pieces: Sequence[Piece], before: Sequence[Mark] = ()) -> list[Sitting]:
        """The hits of one person, who has just seen what `before` says."""
        self.near[name] = 0
        if not pieces:
            return []
        plan, protocol = self._campaign.assignment, self._campaign.protocol
        chance = generator(plan.seed, "spread", self._purpose, name)
        draw = randomness(plan.seed, "hits", self._purpose, name)
        weight = sum(piece.weight for piece in pieces) / len(pieces)
        before = list(before)[-plan.distance :] if plan.distance else []
        order = spread(pieces, comfortable(plan.distance, weight), chance)
        crowd = self._campaign.annotators.crowd
        if by_documents(protocol):
            order = apart(order, plan.distance, draw, before)
            made = document_sittings(order, self._bench(name), draw)
            seen = [one.items for one in made] if crowd else [[item for one in made for item in one.items]]
            near = sum(len(too_near([*before, *marks_of(items)], plan.distance)) for items in seen)
        else:
            distance = 0 if is_comparison(protocol) else plan.distance
            made, near = sittings(
                order, plan.hit_size, distance, self._workshop, draw, before=before, alone=crowd
            )
        self.near[name] = near
        return made

    def _bench(self, name: str) -> Bench:
        plan, protocol = self._campaign.assignment, self._campaign.protocol
        return Bench(
            size=plan.hit_size,
            distance=plan.distance,
            workshop=self._workshop,
            groups=self._choice.groups,
            whole=protocol.unit == "document",
            once=protocol.name == "comprehension",
            alone=not name,
        )


def named(
    made: Mapping[str, Sequence[Sitting]],
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
        for place, one in enumerate(those):
            new = not name or (not place and (learners is None or name in learners))
            hits.append(Hit(f"hit-{number:04d}", (*tutorial, *one.items) if new else one.items, name))
            number += 1
    more = range(2, copies + 1)
    return (*hits, *(replace(hit, name=f"{hit.name}-{copy}") for copy in more for hit in hits))
