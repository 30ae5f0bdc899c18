"""WMT09's second stage: what editors made of outputs is judged by others, yes or no, in the context of its document."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from adjudge.campaigns import controls, protocols
from adjudge.campaigns.assignment import plan_advice
from adjudge.campaigns.assignment.control_items import REFERENCE, REPEAT, ControlMaker, Shares
from adjudge.campaigns.assignment.plan import AssignmentPlan, HitMaker, name_hits
from adjudge.campaigns.assignment.pool import WorkUnit, choose
from adjudge.campaigns.assignment.workloads import Workloads, largest_first
from adjudge.campaigns.campaign import Annotators, Assignment, Campaign
from adjudge.campaigns.items import CampaignMaterial, Item, generator, item_key, randomness
from adjudge.errors import DataError


@dataclass(frozen=True)
class EditedText:
    """The edited text of an output."""

    item: Item
    annotator: str
    text: str
    """The output itself where nothing was to be corrected, or nothing could be."""
    unable: bool = False


@dataclass(frozen=True)
class _Version:
    """One of the texts that editors made of an output, and who did."""

    item: Item
    number: int
    """Number of this text among those of the output."""
    editors: tuple[str, ...]


def second_stage(
    campaign: Campaign,
    material: CampaignMaterial,
    edits: Sequence[EditedText],
    judges: Sequence[str] = (),
    *,
    judgements: int | None = None,
) -> AssignmentPlan:
    """Hits of edited texts for `acceptability`; nobody judges what they edited.

    The judges are the campaign's annotators where none are named. An output that several people edited alike is
    judged once. As in WMT09, outputs in which nothing was to be corrected or could be are judged as they are, and so
    are references that were edited among the outputs. The item that was edited is named in `extra`, as `edited`.
    """
    people = tuple(judges) or campaign.annotators.all_names()
    if not people:
        raise DataError("judges: a crowd cannot be kept from judging what it edited; name the judges")
    stage = _stage(campaign, people)
    wanted = min(judgements or campaign.assignment.judgements, len(people))
    advice = plan_advice.PlanAdvice(stage, material)
    choice = choose(stage, material)
    groups = {segment: group.number for group in choice.groups for segment in group.segments}
    versions = _versions(campaign, edits)
    editors = {version.item.key: version.editors for version in versions}
    workloads = Workloads(people, generator(campaign.assignment.seed, "deal", "second stage"))
    short = 0
    order = largest_first(_documents(versions, groups), generator(campaign.assignment.seed, "second stage"))
    for piece in order:
        everyone = len(people) if piece.group in choice.common else wanted
        barred = {name for item in piece.items for name in editors[item.key]}
        whole = len(set(people) - barred) >= wanted
        for part in [piece] if whole else [WorkUnit.of(piece.group, [item]) for item in piece.items]:
            own = {name for item in part.items for name in editors[item.key]}
            short += max(0, wanted - len(workloads.assign(part, everyone, barred=own)))
    control_maker = ControlMaker(stage, material)
    maker = HitMaker(stage, choice, control_maker, "second stage")
    numbers = {version.item.key: version.number for version in versions}
    made = {
        name: maker.hits_of(name, _join_documents(own, numbers)) for name, own in workloads.pieces_of.items()
    }
    advice.about_edits(sum(edit.unable for edit in edits), short)
    advice.about_workloads(workloads, 0, people)
    advice.about_order(maker.near, choice)
    return AssignmentPlan(name_hits(made), (*control_maker.notes, *advice.sentences))


def _stage(campaign: Campaign, people: Sequence[str]) -> Campaign:
    return replace(
        campaign,
        protocol=protocols.make(campaign.protocol.next_stage or "acceptability"),
        annotators=Annotators(tuple(people)),
        assignment=replace(campaign.assignment, translations=0),
    )


def judges_needed(
    campaign: Campaign, material: CampaignMaterial, edits: Sequence[EditedText], judges: Sequence[str]
) -> dict[str, int]:
    """How many of the judges are to see each edited text, by the key of its item: as many as the plan gives it to."""
    choice = choose(_stage(campaign, judges), material)
    common = {
        segment for group in choice.groups if group.number in choice.common for segment in group.segments
    }
    needed = {}
    for version in _versions(campaign, edits):
        others = len(set(judges) - set(version.editors))
        everyone = version.item.segments[0] in common
        needed[version.item.key] = others if everyone else min(others, campaign.assignment.judgements)
    return needed


def _versions(campaign: Campaign, edits: Iterable[EditedText]) -> list[_Version]:
    """Every distinct edited text of every output."""
    editors_of: dict[str, dict[str, list[str]]] = {}
    items: dict[str, Item] = {}
    for edit in edits:
        items[edit.item.key] = edit.item
        editors_of.setdefault(edit.item.key, {}).setdefault(edit.text, []).append(edit.annotator)
    return [
        _Version(_item(campaign, items[key], text), number, tuple(editors))
        for key, texts in editors_of.items()
        for number, (text, editors) in enumerate(texts.items())
    ]


def _item(campaign: Campaign, edited: Item, text: str) -> Item:
    (candidate,) = edited.candidates
    return replace(
        edited,
        key=edited_item_key(campaign, edited, text),
        candidates=(replace(candidate, texts=(text,)),),
        kind=REFERENCE if edited.kind == REFERENCE else "ordinary",
        of="",
        extra={"edited": edited.key},
    )


def edited_item_key(campaign: Campaign, edited: Item, text: str) -> str:
    """The key of the item that asks about an edited text."""
    return item_key(campaign.assignment.seed, "ordinary", edited.segments, (text,), edited.key)


def next_items(campaign: Campaign, judge: str, seen: Sequence[Item], waiting: Sequence[Item]) -> list[Item]:
    """The next hit of a judge who has seen some items, out of those that wait: whole documents, then repeats.

    Documents that were not just seen in another system's words come first. What is repeated was seen longer ago,
    in this hit or an earlier one, and comes in the order in which it was seen.
    """
    assignment = campaign.assignment
    shares = Shares(((REPEAT, assignment.repeats),) if assignment.repeats else ())
    near = _recent_segments(assignment, seen)
    runs = [list(run) for _, run in groupby(waiting, key=_document_of)]
    runs.sort(key=lambda run: any(segment in near for item in run for segment in item.segments))
    hit: list[Item] = []
    for run in runs:
        if hit and len(hit) + len(run) > assignment.hit_size * shares.ordinary:
            break
        hit += run
    return [*hit, *_repeats(campaign, judge, shares, [*seen, *hit])] if hit else []


def _recent_segments(assignment: Assignment, seen: Sequence[Item]) -> set[int]:
    """The segments of the last items seen, which nobody should see in another system's words yet."""
    last = seen[-assignment.distance :] if assignment.distance else ()
    return {segment for item in last for segment in item.segments}


def _document_of(item: Item) -> tuple[str, ...]:
    """Items that are read together: those of one system's document, or else single items."""
    return (item.document, *item.systems) if item.document else (item.key,)


def _repeats(campaign: Campaign, judge: str, shares: Shares, seen: Sequence[Item]) -> list[Item]:
    """Repeats that are due after all items seen: consecutive items from long ago."""
    assignment = campaign.assignment
    repeated = {item.of for item in seen if item.kind == REPEAT}
    owed = sum(shares.for_ordinary(len(seen) - len(repeated))) - len(repeated)
    left = [item for item in seen if item.kind != REPEAT and item.key not in repeated]
    recent = _recent_segments(assignment, seen)
    far = [item for item in left if not recent & set(item.segments)]
    sources = far if len(far) >= owed else left[: max(owed, len(left) // 2)]
    first = randomness(assignment.seed, "repeats", judge, str(len(seen))).randrange(
        max(1, len(sources) - owed + 1)
    )
    return [controls.repeated_item(item, assignment.seed) for item in sources[first : first + max(0, owed)]]


def _documents(versions: Sequence[_Version], groups: dict[int, int]) -> list[WorkUnit]:
    """The edited texts of each document of each system, in order."""
    return _join_documents(
        [WorkUnit.of(groups[version.item.segments[0]], [version.item]) for version in versions],
        {version.item.key: version.number for version in versions},
    )


def _join_documents(pieces: Iterable[WorkUnit], numbers: dict[str, int]) -> list[WorkUnit]:
    """The parts of a document, as one piece."""
    documents: dict[tuple[int, tuple[str, ...], int], list[Item]] = {}
    for piece in pieces:
        for item in piece.items:
            documents.setdefault((piece.group, piece.systems, numbers[item.key]), []).append(item)
    return [
        WorkUnit.of(group, sorted(items, key=lambda item: item.segments))
        for (group, _, _), items in documents.items()
    ]
