"""Which translations are shown side by side, with systems and pairs of systems balanced."""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Container, Iterable, Sequence
from itertools import combinations

from adjudge.campaigns.assignment.pool import ItemGroup, WorkUnit, free_key
from adjudge.campaigns.campaign import Campaign
from adjudge.campaigns.items import CampaignMaterial, Candidate, Item, item_key, randomness

TRIES = 5
"""Number of random groupings per segment; the one that balances pairs best is used."""
SPARE = 2
"""How many times more candidates than needed are considered when a screen is filled."""


class SystemPairCounts:
    """How often any two systems were compared."""

    def __init__(self) -> None:
        self._counts: dict[tuple[str, str], int] = {}
        self._shown: Counter[str] = Counter()

    def count(self, first: str, second: str) -> int:
        """The number of comparisons of two systems, in either order."""
        return self._counts.get((first, second), 0)

    def mean_count(self, first: Candidate, second: Candidate) -> float:
        """The number of comparisons of two candidates: the mean over their systems."""
        total = sum(self.count(a, b) for a in first.systems for b in second.systems)
        return total / (len(first.systems) * len(second.systems))

    def mean_screens(self, candidate: Candidate) -> float:
        """On how many screens a candidate's systems were, on average."""
        return sum(self._shown[name] for name in candidate.systems) / len(candidate.systems)

    def add(self, candidates: Sequence[Candidate]) -> None:
        """Count one screen; systems that say the same are compared too, and tie."""
        systems = [name for candidate in candidates for name in candidate.systems]
        self._shown.update(systems)
        for a, b in combinations(systems, 2):
            self._counts[a, b] = self._counts[b, a] = self.count(a, b) + 1

    def fewest(self, systems: Iterable[str]) -> int:
        """The number of comparisons of the pair that was compared least."""
        return min((self.count(a, b) for a, b in combinations(systems, 2)), default=0)


def comparison_pieces(
    campaign: Campaign,
    material: CampaignMaterial,
    groups: Iterable[ItemGroup],
    *,
    pairs: SystemPairCounts,
    new: Container[str] | None = None,
    taken: Container[str] = (),
) -> list[WorkUnit]:
    """Screens on which each system's translation of each segment stands once; `new` systems beside any.

    Segments on which all systems agree make no screen: there is nothing to compare.
    """
    seed, size = campaign.assignment.seed, campaign.protocol.candidates[1]
    pieces = []
    for group in groups:
        (segment,) = group.segments
        merged: dict[str, list[str]] = {}
        for output in material.outputs:
            merged.setdefault(output.segments[segment], []).append(output.title)
        if len(merged) < 2:
            continue
        candidates = sorted(
            (Candidate(tuple(names), (text,)) for text, names in merged.items()),
            key=lambda candidate: item_key(seed, "candidate", group.segments, candidate.texts),
        )
        draw = randomness(seed, "compare", str(segment), "" if new is None else "new")
        required = [
            i for i, c in enumerate(candidates) if new is None or any(name in new for name in c.systems)
        ]
        fill = 2 if new is None else min(size, len(candidates))
        counts = [[pairs.mean_count(candidate, other) for other in candidates] for candidate in candidates]
        shown = [pairs.mean_screens(candidate) for candidate in candidates]
        for numbers in _screens(required, counts, shown, size, fill, draw) if required else ():
            screen = [candidates[i] for i in numbers]
            pairs.add(screen)
            draw.shuffle(screen)
            key = free_key(seed, group.segments, [c.texts[0] for c in screen], taken)
            item = Item(key, group.segments, tuple(screen), document=group.document)
            pieces.append(WorkUnit.of(group.number, [item]))
    return pieces


def _screens(
    required: list[int],
    counts: list[list[float]],
    shown: list[float],
    size: int,
    fill: int,
    draw: random.Random,
) -> list[list[int]]:
    """The wanted candidates on as few screens as can be, each with `fill` candidates at least.

    `beside` says how often any two of all candidates' systems were compared before, `shown` how often each one was
    on a screen.
    """
    best, least = list[list[int]](), math.inf
    for _ in range(TRIES if len(counts) > 2 else 1):
        left = draw.sample(required, len(required))
        screens = []
        for room in _even_sizes(len(left), math.ceil(len(left) / size)):
            screen = [left.pop()]
            _move_rarest(screen, left, room - 1, counts)
            if len(screen) < fill:
                others = [i for i in range(len(counts)) if i not in screen]
                others.sort(key=lambda i: (shown[i], draw.random()))
                _move_rarest(screen, others[: SPARE * (fill - len(screen))], fill - len(screen), counts)
            screens.append(screen)
        # Squares: it is the pair that was compared most often that should not come again.
        cost = sum(counts[a][b] ** 2 for screen in screens for a, b in combinations(screen, 2))
        if cost < least:
            best, least = screens, cost
    return best


def _even_sizes(count: int, parts: int) -> list[int]:
    """Split a number into parts of almost equal size, the larger ones first."""
    return [count // parts + (part < count % parts) for part in range(parts)]


def _move_rarest(screen: list[int], others: list[int], count: int, counts: list[list[float]]) -> None:
    """Move the candidates that were compared least often with those on the screen."""
    for _ in range(min(count, len(others))):
        cost = [sum(counts[other][on] for on in screen) for other in others]
        screen.append(others.pop(cost.index(min(cost))))
