"""The order of items: random, but with translations of one segment far apart.

Crowd workers take hits in any order; `may_follow` says which one they may take next.
"""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Sequence

import numpy as np

from adjudge.campaigns.assignment.pool import WorkUnit, is_comparison
from adjudge.campaigns.campaign import Campaign
from adjudge.campaigns.items import Item

_NOTHING: Mark = (-1, ())
Mark = tuple[int, tuple[str, ...]]
"""What is shown at a place: the segment, and the system that translated it."""
TRIES = 5_000
"""Limits for the number of swaps per person, and per place."""
TRIES_EACH = 40


def spread(pieces: Sequence[WorkUnit], distance: float, chance: np.random.Generator) -> list[WorkUnit]:
    """The pieces in random order, those of one group as evenly spread as `apart` pieces between them demand.

    A group of c pieces has one in each c-th part of the whole, at a place that is the more random the more room
    there is. With equal groups no order keeps them further apart.
    """
    shuffled = chance.permutation(len(pieces))
    codes = np.unique([piece.group for piece in pieces], return_inverse=True)[1][shuffled]
    counts = np.bincount(codes)
    # The position of each piece within its group.
    by_group = np.argsort(codes, kind="stable")
    rank = np.empty(len(pieces), np.int64)
    rank[by_group] = np.arange(len(pieces)) - np.repeat(np.cumsum(counts) - counts, counts)
    offset = chance.random(len(counts))
    tolerance = np.clip((1 - distance * counts / len(pieces)) / 2, 0, 0.5)[codes]
    wobble = chance.uniform(-1, 1, len(pieces)) * tolerance
    place = (rank + offset[codes] + wobble) / counts[codes]
    return [pieces[i] for i in shuffled[np.argsort(place, kind="stable")]]


def mean_gap(distance: int, weight: float) -> float:
    """How many pieces of some weight must lie between on average, so that chance seldom leaves too few."""
    return (distance + 3 * math.sqrt(distance)) / weight + 4


def too_near(marks: Sequence[Mark], distance: int) -> list[int]:
    """The places where a segment returns within `distance` places in another system's translation."""
    last: dict[int, tuple[int, tuple[str, ...]]] = {}
    places = []
    for place, (segment, systems) in enumerate(marks):
        known = last.get(segment)
        if known is not None and place - known[0] <= distance and known[1] != systems:
            places.append(place)
        last[segment] = place, systems
    return places


def swap_apart(
    marks: Sequence[Mark], movable: Sequence[int], distance: int, draw: random.Random
) -> list[int]:
    """An order of the places in which some of the movable ones are swapped, so that fewer are too near.

    Where no order keeps the distance nothing is touched: an even spread is then the best there is.
    """
    order, seen, free = list(range(len(marks))), list(marks), set(movable)
    left = TRIES if free and distance_is_possible(marks, distance) else 0
    while left > 0 and (bad := [place for place in _all_too_near(seen, distance) if place in free]):
        swapped = False
        for place in bad:
            for _ in range(min(left, TRIES_EACH)):
                left -= 1
                other = movable[draw.randrange(len(movable))]
                before = _conflicts(seen, place, distance) + _conflicts(seen, other, distance)
                seen[place], seen[other] = seen[other], seen[place]
                if _conflicts(seen, place, distance) + _conflicts(seen, other, distance) < before:
                    order[place], order[other] = order[other], order[place]
                    swapped = True
                    break
                seen[place], seen[other] = seen[other], seen[place]
        if not swapped:
            break
    return order


def _all_too_near(marks: Sequence[Mark], distance: int) -> list[int]:
    """All places that are too near to another one."""
    size = len(marks)
    back = [size - 1 - place for place in too_near(marks[::-1], distance)]
    return sorted({*too_near(marks, distance), *back})


def _conflicts(marks: Sequence[Mark], place: int, distance: int) -> int:
    segment, systems = marks[place]
    return sum(
        other == segment and system != systems
        for other, system in marks[max(0, place - distance) : place + distance + 1]
    )


def distance_is_possible(marks: Sequence[Mark], distance: int) -> bool:
    """Whether any order can keep the distance; there is none if a segment occurs too often."""
    counts = Counter(segment for segment, _ in marks).values()
    most = max(counts, default=0)
    rows = sum(count == most for count in counts)
    return (most - 1) * (distance + 1) + rows <= len(marks)


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
    """What is shown at each place; tutorials are left out, since every hit has them."""
    return [
        _NOTHING if item.kind == "tutorial" else (segment, item.candidates[0].systems)
        for item in items
        for segment in item.segments
    ]
