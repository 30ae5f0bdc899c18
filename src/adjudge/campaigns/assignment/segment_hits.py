"""Hits of single items, with the control items of WMT's Direct Assessment.

A hit of 100 is ten blocks of seven outputs. Block i gets three more, made from three different outputs of block
i ± 5: one damaged, one repeated, one replaced by its reference. So an output and what was made from it are never near
each other, and no stretch of the hit is without control. Other sizes and shares make other numbers of blocks.
"""

from __future__ import annotations

import random
from bisect import bisect_left, bisect_right
from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass
from itertools import chain, pairwise

from adjudge.campaigns.assignment.control_items import REFERENCE, ControlMaker
from adjudge.campaigns.assignment.order import Mark, swap_apart, too_near
from adjudge.campaigns.assignment.pool import WorkUnit
from adjudge.campaigns.items import Item

DRAWS = 500


@dataclass(frozen=True)
class HitItems:
    """The items of a hit without an owner."""

    items: tuple[Item, ...]
    origins: frozenset[str] = frozenset()
    """The keys of items that control items were made from: they keep their places."""


def marks_of(items: Sequence[Item]) -> list[Mark]:
    """What is seen at each place; a document is as many places as it has segments."""
    return [(segment, item.candidates[0].systems) for item in items for segment in item.segments]


def segment_hits(
    pieces: Sequence[WorkUnit],
    size: int,
    distance: int,
    control_maker: ControlMaker,
    draw: random.Random,
    *,
    before: Sequence[Mark] = (),
    alone: bool = False,
) -> tuple[list[HitItems], int]:
    """Hits of these pieces, each of one item, in this order; and how often a segment comes again too soon.

    With distance 0 it may come again any time. `before` is what was seen last; with `alone` each hit may be another
    person's.
    """
    items = _swap_outputs([piece.items[0] for piece in pieces], distance, draw, () if alone else before)
    near = _SeenNear(items, size, distance, control_maker, draw)
    near.remember(before)
    made, used, places = [], 0, 0
    for number, controls in control_maker.shares.hit_sizes(len(items), size):
        hit = _hit_items(items[used : used + number], controls, control_maker, draw, near, places)
        made.append(hit)
        used, places = used + number, places + len(hit.items)
    if not distance:
        return made, 0
    if not alone:
        return _separate(made, distance, draw, before)
    separated = [_separate([hit], distance, draw, ()) for hit in made]
    return [hit for hits, _ in separated for hit in hits], sum(count for _, count in separated)


class _SeenNear:
    """Where each segment is shown, as far as known before all items have their places."""

    def __init__(
        self,
        items: Sequence[Item],
        size: int,
        distance: int,
        control_maker: ControlMaker,
        draw: random.Random,
    ) -> None:
        self._items, self._control_maker, self._draw = items, control_maker, draw
        largest = max((share for _, share in control_maker.shares.kinds), default=1.0)
        self._reach = distance + min(size, 1 / largest) + 3 if distance else 0
        """Places are known to within a block."""
        self._each = 1 / control_maker.shares.ordinary
        self._numbers: dict[int, list[int]] = {}
        """For each segment which of the items are its own, in order."""
        self._added: dict[int, list[tuple[float, tuple[str, ...]]]] = {}
        self._shown: set[str] = set()
        self._references: set[str] = set()
        for number, item in enumerate(items):
            segment = item.segments[0]
            if segment in self._numbers:
                self._numbers[segment].append(number)
            else:
                self._numbers[segment] = [number]

    def remember(self, before: Sequence[Mark]) -> None:
        """Note what was seen last, before the first place."""
        for place, (segment, systems) in enumerate(before, -len(before)):
            self._added.setdefault(segment, []).append((place, systems))

    def add(self, item: Item, place: float) -> None:
        """Note a control item near a place."""
        self._shown.add(item.key)
        if item.kind == REFERENCE:
            self._references.add(item.key)
            if len(self._references) >= len(self._numbers):  # all were shown: they begin again
                self._shown -= self._references
                self._references.clear()
        self._added.setdefault(item.segments[0], []).append((place, item.candidates[0].systems))

    def free(self, item: Item, place: float) -> bool:
        """Whether a control item is new, and its segment not seen near in another system's translation."""
        if item.key in self._shown:
            return False
        reach, segment, systems = self._reach, item.segments[0], item.candidates[0].systems
        if not reach:
            return True
        numbers = self._numbers[segment]
        low, high = (place - reach) / self._each, (place + reach) / self._each
        for number in numbers[bisect_left(numbers, low) : bisect_right(numbers, high)]:
            if self._items[number].candidates[0].systems != systems:
                return False
        for known, system in self._added.get(segment, ()):
            if system != systems and abs(place - known) <= reach:
                return False
        return True

    def elsewhere(self, place: float) -> Item | None:
        """A reference of any segment that is not seen near a place."""
        for item in self._draw.sample(self._items, min(len(self._items), DRAWS)):
            made = self._control_maker.make(REFERENCE, item)
            if made is not None and self.free(made, place):
                return made
        return None


def _hit_items(
    ordinary: Sequence[Item],
    controls: Sequence[int],
    control_maker: ControlMaker,
    draw: random.Random,
    near: _SeenNear,
    start: int,
) -> HitItems:
    count = min(len(ordinary), max(2, *controls)) if any(controls) and len(ordinary) > 1 else 1
    edges = [len(ordinary) * block // count for block in range(count + 1)]
    blocks = [list(ordinary[low:high]) for low, high in pairwise(edges)]
    length = (len(ordinary) + sum(controls)) / count
    # The block half the hit away comes first, the block itself last.
    away = sorted(range(count), key=lambda step: abs(step - count // 2))
    used: list[set[str]] = [set() for _ in blocks]
    added: list[list[Item]] = [[] for _ in blocks]
    for (kind, _), number in zip(control_maker.shares.kinds, controls, strict=True):
        first = draw.random()
        for turn in range(number if count > 1 else 0):
            block = int((turn + first) * count / number) if number < count else turn % count
            place = start + (block + 0.5) * length
            others = (blocks[(block + step) % count] for step in away)
            control = _control_item(kind, others, used[block], control_maker, draw, near, place)
            if control is not None:
                item, of = control
                added[block].append(item)
                used[block].add(of)
                near.add(item, place)
    items: list[Item] = []
    for outputs, more in zip(blocks, added, strict=True):
        # The outputs are in random order already: it is enough to put the others among them at random.
        for item in more:
            outputs.insert(int(draw.random() * (len(outputs) + 1)), item)
        items += outputs
    return HitItems(tuple(items), frozenset().union(*used))


def _control_item(
    kind: str,
    blocks: Iterable[Sequence[Item]],
    used: set[str],
    control_maker: ControlMaker,
    draw: random.Random,
    near: _SeenNear,
    place: float,
) -> tuple[Item, str] | None:
    """A control item and the key of the output it was made from, out of the first of these blocks that has one.

    One that would be too near to another system's translation is taken only where there is no other.
    """
    second: tuple[Item, str] | None = None
    for outputs in blocks:
        first = int(draw.random() * len(outputs))
        for item in chain(outputs[first:], outputs[:first]):
            made = None if item.key in used else control_maker.make(kind, item)
            if made is not None:
                if near.free(made, place):
                    return made, item.key
                second = second or (made, item.key)
    if kind == REFERENCE:  # in short hits; it need not be of a segment that is judged there
        far = near.elsewhere(place)
        return (far, "") if far is not None else second
    return second


def _swap_outputs(
    items: list[Item],
    distance: int,
    draw: random.Random,
    before: Sequence[Mark],
    pinned: Container[str] = (),
) -> list[Item]:
    """Items with outputs swapped where one is too near to another system's output of its segment."""
    marks = [*before, *marks_of(items)]
    if not distance or not too_near(marks, distance):
        return items
    movable = [
        place
        for place, item in enumerate(items, len(before))
        if item.kind == "ordinary" and item.key not in pinned
    ]
    order = swap_apart(marks, movable, distance, draw)
    return [items[place - len(before)] for place in order[len(before) :]]


def _separate(
    made: list[HitItems], distance: int, draw: random.Random, before: Sequence[Mark]
) -> tuple[list[HitItems], int]:
    """Hits with outputs swapped where control items are too near, and how many still are.

    Those that control items were made from keep their places.
    """
    items = [item for hit in made for item in hit.items]
    pinned = frozenset().union(*(hit.origins for hit in made))
    swapped = _swap_outputs(items, distance, draw, before, pinned)
    if swapped is items:
        return made, 0
    result, used = [], 0
    for hit in made:
        result.append(HitItems(tuple(swapped[used : used + len(hit.items)]), hit.origins))
        used += len(hit.items)
    return result, len(too_near([*before, *marks_of(swapped)], distance))
