"""Hits of whole documents of one system, in order, with WMT's control items for documents.

The end of a hit shows some of its documents once more, from their beginning on. Of the segments of such a copy some
are damaged, the others are exact repeats; how many of each, the shares say. References come as documents of one more
system. Where a document is judged as a whole, the copy is either repeated or damaged.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from adjudge.campaigns.assignment.control_items import BAD, REFERENCE, REPEAT, REST, ControlMaker
from adjudge.campaigns.assignment.order import Mark
from adjudge.campaigns.assignment.pool import ItemGroup, WorkUnit
from adjudge.campaigns.assignment.segment_hits import HitItems, marks_of
from adjudge.campaigns.items import Item

TRIES = 300


@dataclass(frozen=True)
class DocumentHitOptions:
    """The settings for hits of documents."""

    size: int
    """Segments in a hit."""
    distance: int
    control_maker: ControlMaker
    groups: Sequence[ItemGroup]
    whole: bool
    """Whether a document is one item."""
    once: bool = False
    """Whether nobody may see two translations of a document."""
    alone: bool = False
    """Whether each hit may go to another person, so that copies must be of documents in the same hit."""


def document_hits(
    pieces: Sequence[WorkUnit], options: DocumentHitOptions, draw: random.Random
) -> list[HitItems]:
    """Hits of these documents in this order."""
    shares = options.control_maker.shares
    packed = _pack(pieces, options.size * shares.ordinary, options.once)
    kinds = [kind for kind, _ in shares.kinds]
    made: list[HitItems] = []
    used: dict[int, int] = {}
    ordinary = 0
    for number, here in enumerate(packed):
        before = shares.for_ordinary(ordinary)
        ordinary += len(here) if options.whole else sum(piece.weight for piece in here)
        more = (b - a for a, b in zip(before, shares.for_ordinary(ordinary), strict=True))
        counts = dict(zip(kinds, more, strict=True))
        past = packed[number - 1] if number and not options.alone else []
        after = packed[number + 1] if number + 1 < len(packed) and not options.alone else []
        shown = [list(piece.items) for piece in here]
        tail = marks_of(made[-1].items)[-options.distance :] if past else []
        _put_references(shown, [*past, *here, *after], counts.get(REFERENCE, 0), options, used, tail, draw)
        copies = _copies(here, past if len(here) < 2 else [], after, counts, options, draw)
        made.append(HitItems(tuple(item for run in [*shown, *copies] for item in run)))
    return made


def _pack(pieces: Sequence[WorkUnit], room: float, once: bool) -> list[list[WorkUnit]]:
    """Hits as near to their size as whole documents allow."""
    hits: list[list[WorkUnit]] = []
    size = 0
    for piece in pieces:
        over = size + piece.weight - room
        repeats_group = once and hits and any(piece.group == other.group for other in hits[-1])
        if not hits or repeats_group or over > room - size:
            hits.append([])
            size = 0
        hits[-1].append(piece)
        size += piece.weight
    if len(hits) > 1 and size <= room / REST and not once:
        rest = hits.pop()
        hits[-1] += rest
    return hits


def separate_translations(
    pieces: Sequence[WorkUnit], distance: int, draw: random.Random, before: Sequence[Mark] = ()
) -> list[WorkUnit]:
    """The documents with some swapped, so that no two translations of one are neighbours or too near."""
    order = list(pieces)
    bad = _too_near(order, distance, before)
    for _ in range(TRIES):
        if not bad:
            break
        place, other = draw.choice(bad), draw.randrange(len(order))
        order[place], order[other] = order[other], order[place]
        now = _too_near(order, distance, before)
        if len(now) < len(bad):
            bad = now
        else:
            order[place], order[other] = order[other], order[place]
    return order


def _too_near(pieces: Sequence[WorkUnit], distance: int, before: Sequence[Mark]) -> list[int]:
    """The places of documents that follow another translation of themselves too soon."""
    tail = {segment: (place - len(before), systems) for place, (segment, systems) in enumerate(before)}
    last: dict[int, tuple[int, int, tuple[str, ...]]] = {}
    places, start = [], 0
    for place, piece in enumerate(pieces):
        known, seen = last.get(piece.group), tail.get(piece.items[0].segments[0])
        if (
            known is not None
            and (known[0] == place - 1 or (start - known[1] <= distance and known[2] != piece.systems))
        ) or (seen is not None and start - seen[0] <= distance and seen[1] != piece.systems):
            places.append(place)
        last[piece.group] = place, start, piece.systems
        start += piece.weight
    return places


def _copies(
    here: Sequence[WorkUnit],
    earlier: Sequence[WorkUnit],
    after: Sequence[WorkUnit],
    counts: dict[str, int],
    options: DocumentHitOptions,
    draw: random.Random,
) -> list[list[Item]]:
    """Repeats of documents: early ones, and none with another system's translation nearby."""
    bad, repeats = counts.get(BAD, 0), counts.get(REPEAT, 0)
    sources = list(earlier) or list(here)
    half = (len(sources) + 1) // 2
    order = [*draw.sample(sources[:half], half), *sources[half:]]
    near = [*_take_until(reversed(here), options.distance), *_take_until(after, options.distance)]
    order.sort(key=lambda piece: any(p.group == piece.group and p.systems != piece.systems for p in near))
    if options.whole:
        return _whole_copies(order, bad, repeats, options.control_maker)
    copies: list[list[Item]] = []
    for piece in order:
        left = bad + repeats - sum(map(len, copies))
        if left <= 0:
            break
        copies.append(list(piece.items[:left]))
    places = [(run, place) for run, items in enumerate(copies) for place in range(len(items))]
    for run, place in draw.sample(places, len(places)):
        item = copies[run][place]
        damaged = options.control_maker.make(BAD, item) if bad else None
        bad -= damaged is not None
        copies[run][place] = damaged or _repeat(item, options.control_maker)
    return copies


def _whole_copies(
    order: Sequence[WorkUnit], bad: int, repeats: int, control_maker: ControlMaker
) -> list[list[Item]]:
    copies: list[list[Item]] = []
    left = [piece.items[0] for piece in order]
    for item in list(left):
        made = control_maker.make(BAD, item) if bad else None
        if made is not None:
            copies.append([made])
            left.remove(item)
            bad -= 1
    return copies + [
        [_repeat(item, control_maker)] for item in (left or [piece.items[0] for piece in order])[:repeats]
    ]


def _repeat(item: Item, control_maker: ControlMaker) -> Item:
    made = control_maker.make(REPEAT, item)
    assert made is not None  # anything can be shown again
    return made


def _take_until(pieces: Iterable[WorkUnit], distance: int) -> list[WorkUnit]:
    """The first documents that fit into a number of segments."""
    near, length = [], 0
    for piece in pieces:
        if length > distance:
            break
        near.append(piece)
        length += piece.weight
    return near


def _put_references(
    shown: list[list[Item]],
    near: Sequence[WorkUnit],
    count: int,
    options: DocumentHitOptions,
    used: dict[int, int],
    tail: Sequence[Mark],
    draw: random.Random,
) -> None:
    """Put documents of the references between the others, where the same one is not near.

    `near` are the documents of this hit and of those before and after it, `tail` is what was seen last.
    """
    around = {piece.group for piece in near}
    left = count
    groups = draw.sample(options.groups, len(options.groups)) if count else []
    for group in sorted(groups, key=lambda group: (group.number in around, used.get(group.number, 0))):
        if left <= 0:
            break
        run = _reference(group, left, options)
        if not run:
            continue
        places = [p for p in range(len(shown) + 1) if _fits(shown, p, run, options.distance, tail)]
        shown.insert(draw.choice(places or range(len(shown) + 1)), run)
        used[group.number] = used.get(group.number, 0) + 1
        left -= len(run)


def _reference(group: ItemGroup, left: int, options: DocumentHitOptions) -> list[Item]:
    if options.whole:
        references = [options.control_maker.reference(group.segments, group.document)]
    else:
        references = [options.control_maker.reference((n,), group.document) for n in group.segments[:left]]
    return [item for item in references if item is not None]


def _fits(
    shown: Sequence[Sequence[Item]], place: int, run: Sequence[Item], distance: int, tail: Sequence[Mark]
) -> bool:
    """Whether a document can be placed there, away from other translations of it."""
    first, length = run[0].segments[0], sum(len(item.segments) for item in run)
    starts = [0]
    for other in shown:
        starts.append(starts[-1] + sum(len(item.segments) for item in other))
    before = [starts[place] + len(tail) - at for at, (segment, _) in enumerate(tail) if segment == first]
    within = [
        starts[place] - starts[i] if i < place else starts[i] + length - starts[place]
        for i, other in enumerate(shown)
        if other[0].segments[0] == first
    ]
    return all(away > distance for away in (*before, *within))
