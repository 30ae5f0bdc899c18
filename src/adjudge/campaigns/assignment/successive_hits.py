"""Which hit somebody of a crowd may take after what they have seen: plans know of no order there."""

from __future__ import annotations

from collections.abc import Sequence

from adjudge.campaigns.assignment.order import Mark, too_near
from adjudge.campaigns.assignment.pool import is_comparison
from adjudge.campaigns.campaign import Campaign
from adjudge.campaigns.items import Item

_NOTHING: Mark = (-1, ())


def may_follow(campaign: Campaign, seen: Sequence[Item], hit: Sequence[Item]) -> bool:
    """Whether these items may come after those, in the order in which they were seen.

    Nobody is asked about a document twice, and nobody sees one segment of two systems within `distance` items. A hit
    that cannot keep that distance by itself (there are too few segments) need not keep it here either.
    """
    if campaign.protocol.name == "comprehension":
        return {item.document for item in seen}.isdisjoint(item.document for item in hit)
    distance = 0 if is_comparison(campaign.protocol) else campaign.assignment.distance
    if not distance or not seen:
        return True
    before, after = _marks(seen)[-distance:], _marks(hit)
    if too_near([mark for mark in after if mark != _NOTHING], distance):
        return True
    known: dict[int, list[tuple[int, tuple[str, ...]]]] = {}
    for place, (segment, systems) in enumerate(before, -len(before)):
        known.setdefault(segment, []).append((place, systems))
    return not any(
        place - earlier <= distance and systems != others
        for place, (segment, systems) in enumerate(after[:distance])
        if segment >= 0
        for earlier, others in known.get(segment, ())
    )


def _marks(items: Sequence[Item]) -> list[Mark]:
    """What is seen at each place; tutorials come again in every hit, and are about nothing."""
    return [
        _NOTHING if item.kind == "tutorial" else (segment, item.candidates[0].systems)
        for item in items
        for segment in item.segments
    ]
