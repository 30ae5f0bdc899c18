"""The pool of a campaign: the chosen segments or documents, with every system's translation."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from adjudge.campaigns.campaign import Campaign
from adjudge.campaigns.items import CampaignMaterial, Candidate, Item, generator, item_key
from adjudge.campaigns.protocols import Protocol
from adjudge.errors import DataError

Questions = Mapping[str, Sequence[Mapping[str, Any]]]
"""What is asked about each document, by its name."""


@dataclass(frozen=True)
class ItemGroup:
    """A segment, or a document where context matters: all systems translated it, and tests are paired by it."""

    number: int
    segments: tuple[int, ...]
    document: str = ""
    """The name of the document, '' where the test set knows none."""


@dataclass(frozen=True)
class WorkUnit:
    """A piece of work: an item, or the items of one system's document in order."""

    group: int
    items: tuple[Item, ...]
    systems: tuple[str, ...]
    weight: int
    """How many segments are to be read."""

    @classmethod
    def of(cls, group: int, items: Iterable[Item]) -> WorkUnit:
        """A piece of these items, for the systems of the first one."""
        items = tuple(items)
        return cls(group, items, items[0].systems, sum(len(item.segments) for item in items))


@dataclass(frozen=True)
class GroupOrder:
    """The groups that are judged, in random order, and which of them everyone judges."""

    groups: tuple[ItemGroup, ...]
    common: frozenset[int]

    @property
    def segments(self) -> int:
        """How many translations of each system that makes."""
        return sum(len(group.segments) for group in self.groups)


def by_documents(protocol: Protocol) -> bool:
    """Whether documents stay whole."""
    return protocol.context == "document" or protocol.unit == "document"


def is_comparison(protocol: Protocol) -> bool:
    """Whether several translations stand side by side."""
    return protocol.candidates[1] > 1


def choose(campaign: Campaign, material: CampaignMaterial, questions: Questions | None = None) -> GroupOrder:
    """The chosen groups; later additions get the same choice."""
    groups = _groups(campaign, material, questions)
    order = generator(campaign.assignment.seed, "groups").permutation(len(groups))
    shuffled = [groups[place] for place in order]
    if campaign.assignment.translations:
        shuffled = _up_to(shuffled, campaign.assignment.translations)
    return GroupOrder(tuple(shuffled), _common(campaign, shuffled))


def _groups(campaign: Campaign, material: CampaignMaterial, questions: Questions | None) -> list[ItemGroup]:
    labels = material.test_set.labels.get("document")
    if not by_documents(campaign.protocol):
        names = labels or ("",) * len(material.test_set)
        return [ItemGroup(number, (number,), name) for number, name in enumerate(names)]
    documents = [
        ItemGroup(number, segments, name if labels else "")
        for number, (name, segments) in enumerate(material.documents())
    ]
    if campaign.protocol.name != "comprehension":
        return documents
    if not questions:
        raise DataError("rules.questions: missing; comprehension needs questions on the documents")
    named = {name: group for group, (name, _) in zip(documents, material.documents(), strict=True)}
    for name in questions:
        if name not in named:
            raise DataError(f"rules.questions: there is no document {name!r} in the test set")
    return [
        ItemGroup(group.number, group.segments, name) for name, group in named.items() if name in questions
    ]


def _up_to(groups: list[ItemGroup], most: int) -> list[ItemGroup]:
    """The first groups that fit into a number of segments, at least one."""
    chosen, room = [], most
    for group in groups:
        if len(group.segments) <= room:
            chosen.append(group)
            room -= len(group.segments)
    return chosen or sorted(groups, key=lambda group: len(group.segments))[:1]


def _common(campaign: Campaign, groups: list[ItemGroup]) -> frozenset[int]:
    """The first groups, up to the share that comes nearest to the one asked for."""
    if campaign.annotators.crowd or campaign.protocol.name == "comprehension":
        return frozenset()
    target = campaign.assignment.common * sum(len(group.segments) for group in groups)
    chosen, size = [], 0
    for group in groups:
        if size + len(group.segments) / 2 > target:
            break
        chosen.append(group.number)
        size += len(group.segments)
    return frozenset(chosen)


def rating_pieces(
    campaign: Campaign,
    material: CampaignMaterial,
    groups: Iterable[ItemGroup],
    systems: Container[str],
    *,
    questions: Questions | None = None,
    taken: Container[str] = (),
) -> list[WorkUnit]:
    """A piece for every translation of every group; systems that agree on all of a group share it.

    The order is that of the groups, and within one that of the keys: it knows nothing of the systems' names.
    """
    made = [outputs for outputs in material.outputs if outputs.title in systems]
    pieces: list[WorkUnit] = []
    for group in groups:
        merged: dict[tuple[str, ...], list[str]] = {}
        for outputs in made:
            merged.setdefault(tuple(outputs.segments[n] for n in group.segments), []).append(outputs.title)
        extra = {"questions": [dict(q) for q in questions[group.document]]} if questions else {}
        new = [
            _piece(campaign, group, Candidate(tuple(names), texts), extra, taken)
            for texts, names in merged.items()
        ]
        pieces += sorted(new, key=lambda piece: piece.items[0].key)
    return pieces


def _piece(
    campaign: Campaign,
    group: ItemGroup,
    candidate: Candidate,
    extra: Mapping[str, Any],
    taken: Container[str],
) -> WorkUnit:
    seed, texts = campaign.assignment.seed, candidate.texts
    if campaign.protocol.unit == "document":
        key = free_key(seed, group.segments, texts, taken)
        return WorkUnit.of(
            group.number, [Item(key, group.segments, (candidate,), document=group.document, extra=extra)]
        )
    # A segment that two systems translate alike is two items where the rest of the document is not alike.
    context = texts if len(texts) > 1 else ()
    return WorkUnit.of(
        group.number,
        [
            Item(
                free_key(seed, (segment,), (text, *context), taken),
                (segment,),
                (Candidate(candidate.systems, (text,)),),
                document=group.document,
            )
            for segment, text in zip(group.segments, texts, strict=True)
        ],
    )


def free_key(seed: int, segments: Sequence[int], texts: Sequence[str], keys: Container[str]) -> str:
    """The key of an ordinary item, distinct from all earlier ones."""
    number = 0
    while (key := item_key(seed, "ordinary", segments, texts, number=number)) in keys:
        number += 1
    return key
