"""Annotators and systems that join later: they get new hits, and existing hits stay unchanged."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from adjudge.campaigns.assignment import plan_advice
from adjudge.campaigns.assignment.comparisons import SystemPairCounts, comparison_pieces
from adjudge.campaigns.assignment.control_items import ControlMaker
from adjudge.campaigns.assignment.plan import AssignmentPlan, HitMaker, assign_pieces, name_hits
from adjudge.campaigns.assignment.pool import (
    GroupOrder,
    Questions,
    WorkUnit,
    choose,
    is_comparison,
    rating_pieces,
)
from adjudge.campaigns.assignment.segment_hits import marks_of
from adjudge.campaigns.assignment.workloads import Workloads, largest_first
from adjudge.campaigns.campaign import Campaign
from adjudge.campaigns.items import CampaignMaterial, Hit, Item, generator
from adjudge.errors import DataError
from adjudge.wording import pluralise


def extend_plan(
    campaign: Campaign,
    material: CampaignMaterial,
    hits: Sequence[Hit],
    *,
    annotators: Sequence[str] = (),
    systems: Sequence[str] = (),
    withdrawn: Sequence[str] = (),
    questions: Questions | None = None,
    tutorial: Sequence[Item] = (),
) -> AssignmentPlan:
    """Return the new hits for annotators and systems that join a campaign; `hits` are all that were given out before.

    `material` knows the new systems already. New annotators judge the common pool, what nobody judges since others
    were withdrawn, and as much more as those who are there judge on average. Without new annotators, what is missing
    goes to those who are left. New systems are judged on the same segments by everybody as if they had been there
    from the start, after what each person has to do.
    """
    _check(campaign, material, hits, annotators, systems)
    choice = choose(campaign, material, questions)
    earlier = EarlierHits.of(choice, hits, withdrawn)
    purpose = f"after {pluralise(len(hits), 'hit')}"
    advice = plan_advice.PlanAdvice(campaign, material)
    control_maker = ControlMaker(campaign, material)
    new = _new_pieces(campaign, material, choice, earlier, set(systems), questions) if systems else []
    advice.about_again(_count_known(new, earlier))
    if campaign.annotators.crowd:
        assigned: Mapping[str, Sequence[WorkUnit]] = {"": new}
    else:
        known = (*campaign.annotators.all_names(), *(hit.annotator for hit in hits))
        present = [name for name in dict.fromkeys(known) if name and name not in (*annotators, *withdrawn)]
        workloads = Workloads([*present, *annotators], generator(campaign.assignment.seed, "deal", purpose))
        for piece in earlier.pieces.values():
            for name in earlier.judges(piece):
                workloads.add_earlier(name, piece)
        short = _assign_earlier(campaign, choice, earlier, workloads, present, annotators)
        short += assign_pieces(campaign, choice, new, workloads)
        advice.about_workloads(workloads, short, [*annotators] if not systems else workloads.people)
        assigned = workloads.pieces_of
    maker = HitMaker(campaign, choice, control_maker, purpose)
    made = {
        name: maker.hits_of(name, pieces, earlier.marks(name)) for name, pieces in assigned.items() if pieces
    }
    advice.about_order(maker.near, choice)
    advice.about_controls(control_maker)
    first = 1 + max((int(number) for hit in hits for number in _NUMBER.findall(hit.name)), default=0)
    copies = campaign.assignment.judgements if campaign.annotators.crowd else 1
    new_hits = name_hits(made, first=first, copies=copies, tutorial=tutorial, learners=set(annotators))
    return AssignmentPlan(new_hits, (*control_maker.notes, *advice.sentences))


_NUMBER = re.compile(r"^hit-(\d+)")


def _check(
    campaign: Campaign,
    material: CampaignMaterial,
    hits: Sequence[Hit],
    annotators: Sequence[str],
    systems: Sequence[str],
) -> None:
    if annotators and campaign.annotators.crowd:
        raise DataError("annotators: a crowd has no annotators to add; whoever comes takes a hit")
    for name in annotators:
        if any(hit.annotator == name for hit in hits):
            raise DataError(f"annotators: {name!r} takes part already")
    if len(set(annotators)) < len(annotators):
        raise DataError("annotators: two new annotators have the same name")
    judged = {name for hit in hits for item in hit.items if item.kind == "ordinary" for name in item.systems}
    for name in systems:
        if name not in material.systems:
            raise DataError(f"systems.{name}: there are no outputs of this system")
        if name in judged:
            raise DataError(f"systems.{name}: this system is judged already")


@dataclass(frozen=True)
class EarlierHits:
    """Existing work: the pieces, who judges them, and what each person has seen."""

    pieces: Mapping[str, WorkUnit]
    """By the key of the first item."""
    keys: frozenset[str]
    """Of all items there are."""
    _judges: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    _seen: Mapping[str, Sequence[Item]] = field(default_factory=dict)

    @classmethod
    def of(cls, choice: GroupOrder, hits: Iterable[Hit], withdrawn: Sequence[str]) -> EarlierHits:
        """The existing work in these hits; those of withdrawn annotators belong to nobody."""
        groups = {segment: group.number for group in choice.groups for segment in group.segments}
        runs: dict[tuple[int, tuple[str, ...], str], dict[str, Item]] = {}
        judges: dict[str, dict[str, None]] = {}
        seen: dict[str, list[Item]] = {}
        keys = set()
        for hit in hits:
            seen.setdefault(hit.annotator, []).extend(hit.items)
            for item in hit.items:
                keys.add(item.key)
                if item.kind != "ordinary" or item.segments[0] not in groups:
                    continue
                group = groups[item.segments[0]]
                # The items of a document are one piece; anything else is a piece by itself.
                single_key = item.key if len(item.candidates) > 1 else ""
                runs.setdefault((group, item.systems, single_key), {})[item.key] = item
                if hit.annotator not in withdrawn:
                    judges.setdefault(item.key, {})[hit.annotator] = None
        pieces = {}
        for (group, _, _), items in runs.items():
            piece = WorkUnit.of(group, sorted(items.values(), key=lambda item: item.segments))
            pieces[piece.items[0].key] = piece
        return cls(pieces, frozenset(keys), {key: tuple(names) for key, names in judges.items()}, seen)

    def judges(self, piece: WorkUnit) -> tuple[str, ...]:
        """Who judges a piece."""
        return self._judges.get(piece.items[0].key, ())

    def marks(self, name: str) -> list[tuple[int, tuple[str, ...]]]:
        """What a person will have seen before new items come."""
        return marks_of(self._seen.get(name, ()))


def _new_pieces(
    campaign: Campaign,
    material: CampaignMaterial,
    choice: GroupOrder,
    earlier: EarlierHits,
    systems: set[str],
    questions: Questions | None,
) -> list[WorkUnit]:
    if not is_comparison(campaign.protocol):
        return rating_pieces(
            campaign, material, choice.groups, systems, questions=questions, taken=earlier.keys
        )
    pairs = SystemPairCounts()
    for piece in earlier.pieces.values():
        pairs.add(piece.items[0].candidates)
    return comparison_pieces(campaign, material, choice.groups, pairs=pairs, new=systems, taken=earlier.keys)


def _count_known(new: Iterable[WorkUnit], earlier: EarlierHits) -> int:
    """How many new pieces say what an old one says."""
    old = {(piece.group, _texts(piece)) for piece in earlier.pieces.values()}
    return sum((piece.group, _texts(piece)) in old for piece in new)


def _texts(piece: WorkUnit) -> tuple[tuple[str, ...], ...]:
    return tuple(candidate.texts for item in piece.items for candidate in item.candidates)


def _assign_earlier(
    campaign: Campaign,
    choice: GroupOrder,
    earlier: EarlierHits,
    workloads: Workloads,
    present: Sequence[str],
    annotators: Sequence[str],
) -> int:
    """Give new annotators the common pool, what is missing, and as much as the others have; says what is missing."""
    chance = generator(campaign.assignment.seed, "order of dealing", str(len(earlier.keys)), *annotators)
    judgements, once = campaign.assignment.judgements, campaign.protocol.name == "comprehension"
    loads = workloads.loads(present)
    workloads.assign_to_all(
        (piece for piece in earlier.pieces.values() if piece.group in choice.common), annotators
    )
    others = [piece for piece in earlier.pieces.values() if piece.group not in choice.common]
    order, short = largest_first(others, chance), 0
    for piece in order:
        missing = max(0, judgements - len(earlier.judges(piece)))
        barred = (*earlier.judges(piece), *(present if annotators else ()))
        got = workloads.assign(piece, missing, barred=barred, once=once) if missing else []
        short += missing - len(got)
    if loads and annotators:
        _fill_up(workloads, order, earlier, sum(loads) / len(loads), annotators, once)
    return short


def _fill_up(
    workloads: Workloads,
    pieces: Iterable[WorkUnit],
    earlier: EarlierHits,
    load: float,
    annotators: Sequence[str],
    once: bool,
) -> None:
    """Give annotators more of what the fewest people judge, up to a load."""
    keys = {name: {piece.items[0].key for piece in workloads.pieces_of[name]} for name in annotators}
    order = sorted(pieces, key=lambda piece: len(earlier.judges(piece)))
    for _ in annotators:
        for piece in order:
            key = piece.items[0].key
            free = [
                n for n in annotators if workloads.load_of(n) + piece.weight <= load and key not in keys[n]
            ]
            barred = set(workloads.people) - set(free)
            for name in workloads.assign(piece, 1, barred=barred, once=once) if free else ():
                keys[name].add(key)
