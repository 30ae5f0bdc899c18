"""Workloads: equal loads for all annotators, with equal shares of each system."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from adjudge.campaigns.assignment.pool import WorkUnit

Counts = NDArray[np.int64]


class Workloads:
    """The load of each person: how many segments, of which systems and groups."""

    def __init__(self, people: Sequence[str], chance: np.random.Generator) -> None:
        self.people = tuple(people)
        self.pieces_of: dict[str, list[WorkUnit]] = {name: [] for name in people}
        """The pieces assigned here, without earlier ones."""
        self.load: Counts = np.zeros(len(people), np.int64)
        self._place = {name: place for place, name in enumerate(people)}
        self._groups: dict[int, Counts] = {}
        self._systems: dict[str, Counts] = {}
        self._chance = chance

    def add_earlier(self, name: str, piece: WorkUnit) -> None:
        """Count a piece that a person already had."""
        if name in self._place:
            self._count(piece, [self._place[name]])

    def assign(
        self, piece: WorkUnit, count: int, *, barred: Collection[str] = (), once: bool = False
    ) -> list[str]:
        """Give a piece to so many people: those who hold least, then least of the group, then of the systems.

        `barred` people do not get it; with `once` neither does anyone who holds some of the group. Says who got it.
        """
        groups = self._groups.get(piece.group)
        zeros = np.zeros_like(self.load)
        systems = sum((self._systems.get(name, zeros) for name in piece.systems), zeros)
        random = self._chance.random(len(self.people))
        of_group = zeros if groups is None else groups
        order = np.lexsort((random, systems, of_group, self.load))
        if barred or (once and groups is not None):
            out = {self._place[name] for name in barred if name in self._place}
            order = np.array(
                [p for p in order if p not in out and not (once and of_group[p])], dtype=np.int64
            )
        chosen = order[:count]
        self._count(piece, chosen)
        names = [self.people[place] for place in chosen]
        for name in names:
            self.pieces_of[name].append(piece)
        return names

    def assign_to_all(self, pieces: Iterable[WorkUnit], people: Iterable[str] | None = None) -> None:
        """Give everyone (or some) every piece."""
        names = list(self.people if people is None else people)
        places = [self._place[name] for name in names]
        for piece in pieces:
            self._count(piece, places)
            for name in names:
                self.pieces_of[name].append(piece)

    def load_of(self, name: str) -> int:
        """How many segments somebody is to read, what was there before included."""
        return int(self.load[self._place[name]])

    def loads(self, names: Iterable[str]) -> list[int]:
        """How many segments each of several people is to read."""
        return [self.load_of(name) for name in names]

    def _count(self, piece: WorkUnit, places: Sequence[int] | Counts) -> None:
        self.load[places] += piece.weight
        self._groups.setdefault(piece.group, np.zeros_like(self.load))[places] += 1
        for name in piece.systems:
            self._systems.setdefault(name, np.zeros_like(self.load))[places] += piece.weight


def largest_first(pieces: Iterable[WorkUnit], chance: np.random.Generator) -> list[WorkUnit]:
    """The order in which loads come out even: the largest first, a group's pieces one after the other."""
    pieces = list(pieces)
    groups = list(dict.fromkeys(piece.group for piece in pieces))
    place = dict(zip(groups, chance.permutation(len(groups)).tolist(), strict=True))
    within = chance.random(len(pieces))
    order = sorted(range(len(pieces)), key=lambda i: (-pieces[i].weight, place[pieces[i].group], within[i]))
    return [pieces[i] for i in order]
