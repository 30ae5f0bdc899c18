"""Judgements beside the rows of what was judged."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from adjudge.data import Judgement, TestSet
from adjudge.errors import DataError, UsageError, unknown_name
from adjudge.evaluate.tuning.items import Items

Array = NDArray[np.float64]
Indices = NDArray[np.intp]

UNITS = ("segment", "document", "system")
LOWER_IS_BETTER = ("hter",)


@dataclass(frozen=True, eq=False)
class Gathered:
    """Items, and what was done to make them."""

    items: Items
    judgements: int
    systems: int
    segments: int
    left_out: int = 0
    """Judgements of systems whose outputs are not there."""


@dataclass(frozen=True)
class Kept:
    """A judgement with its place: systems whose output it is about (several where they are the same), and segment."""

    judgement: Judgement
    systems: tuple[str, ...]
    segment: int
    """−1 where the whole output was judged."""


def gather(
    judgements: Sequence[Judgement],
    rows: Mapping[str, Array],
    test_set: TestSet,
    *,
    level: str,
    unit: str,
    first: int = 1,
    margin: float = 0.0,
    known_only: bool = False,
    place: Callable[[int], str] | None = None,
) -> Gathered:
    """The items of some level, units being segments, documents or systems.

    `rows` are those of each system, segments × references × columns. Several judgements of one translation count by
    their mean. Segments are numbers from `first` on, or ids that a label of the test set has. Scores of one segment
    that differ by `margin` at least put its translations in an order. `place` says where a judgement stands.
    """
    known = Places(rows, test_set, first)
    kept, left_out = [], 0
    for number, judgement in enumerate(judgements):
        try:
            systems = known.systems(judgement.system)
            if systems is None:
                if not known_only:
                    raise DataError(known.unknown_system(judgement.system))
                left_out += 1
                continue
            kept.append(Kept(judgement, systems, known.segment(judgement.item) if judgement.item else -1))
        except DataError as error:
            raise DataError(f"{place(number)}: {error}" if place else str(error)) from None
    if not kept:
        raise DataError(
            "no judgement of any of the systems whose outputs were given "
            f"({', '.join(known.names)}); judged were {', '.join(sorted({j.system for j in judgements})[:5])}, …"
        )
    ranked = kept[0].judgement.protocol == "rank"
    if level == "system":
        items = _systems(kept, rows, ranked)
    else:
        if any(one.segment < 0 for one in kept):
            raise DataError(
                "the judgements name no segments, so they are of whole systems; fit to those: --level system"
            )
        items = _translations(kept, rows, _unit_labels(unit, test_set, kept), ranked, margin)
    systems_seen = {name for one in kept for name in one.systems}
    segments_seen = {one.segment for one in kept if one.segment >= 0}
    return Gathered(items, len(kept), len(systems_seen), len(segments_seen), left_out)


class Places:
    """Which system and which segment a judgement means."""

    def __init__(self, rows: Mapping[str, Array], test_set: TestSet, first: int) -> None:
        self.names = tuple(rows)
        self.count = len(test_set)
        self.first = first
        self.known: dict[str, tuple[str, ...] | None] = {}
        self.ids: dict[str, int] = {}
        self.label = next((n for n in ("segment_id", "seg_id", "segment", "id") if n in test_set.labels), "")
        if self.label:
            self.ids = {text: at for at, text in enumerate(test_set.labels[self.label])}

    def systems(self, name: str) -> tuple[str, ...] | None:
        """The systems of a name; several where outputs were the same (`a+b`), None where one is not there."""
        if not name:
            if len(self.names) > 1:
                raise DataError(
                    "the judgements name no system, but outputs of several were given "
                    f"({', '.join(self.names)}); add a column 'system'"
                )
            return self.names
        if name not in self.known:
            whole = self._system(name)
            parts = [whole] if whole else [self._system(part) for part in name.split("+")]
            there = tuple(part for part in parts if part is not None)
            self.known[name] = there if len(there) == len(parts) else None
        return self.known[name]

    def _system(self, name: str) -> str | None:
        if name in self.names:
            return name
        # WMT's rankings say newstest2013.fr-en.NAME or newstest2016.NAME.ro-en.
        within = [known for known in self.names if f".{known}." in f".{name}."]
        longest = [known for known in within if len(known) == max(map(len, within))]
        return longest[0] if len(longest) == 1 else None

    def unknown_system(self, name: str) -> str:
        """What to say of a system whose outputs are not there."""
        error = unknown_name("system", name, self.names)
        return f"{error} Give its outputs as NAME=FILE, or leave out such judgements: --known-only"

    def segment(self, text: str) -> int:
        """The place of a segment, from 0."""
        if self.ids:
            if text not in self.ids:
                raise DataError(f"no segment of the test set has {text!r} for its label {self.label!r}")
            return self.ids[text]
        try:
            at = int(text) - self.first
        except ValueError:
            raise DataError(
                f"segment {text!r} is no whole number; ids need labels of the segments (-L) with a column 'segment_id'"
            ) from None
        if not 0 <= at < self.count:
            last = self.first + self.count - 1
            other = "; do they count from 0? --first-segment 0" if at == -1 and self.first == 1 else ""
            raise DataError(f"segment {text}: the test set has {self.first} to {last}{other}")
        return at


def _unit_labels(unit: str, test_set: TestSet, kept: Sequence[Kept]) -> list[str]:
    """The unit of each judgement."""
    if unit == "segment":
        return [str(one.segment) for one in kept]
    if unit == "system":
        if kept[0].judgement.protocol == "rank":
            raise UsageError(
                "systems that were ranked together cannot be held apart: --unit segment or document"
            )
        return [one.systems[0] for one in kept]
    if unit in test_set.labels:
        labels = test_set.labels[unit]
        return [labels[one.segment] for one in kept]
    if unit == "document" and all(one.judgement.document for one in kept):
        # One a segment, whatever the rows say: what is compared must lie in one fold.
        of_segment: dict[int, str] = {}
        return [of_segment.setdefault(one.segment, one.judgement.document) for one in kept]
    raise unknown_name("unit", unit, {*UNITS[::2], *test_set.labels}, "labels: -L FILE")


def _translations(
    kept: Sequence[Kept], rows: Mapping[str, Array], units: list[str], ranked: bool, margin: float
) -> Items:
    """One item a translation that was judged; outputs that are the same were judged once and count once."""
    place: dict[tuple[str, int], int] = {}
    item = np.array([place.setdefault((one.systems[0], one.segment), len(place)) for one in kept])
    numbers: dict[str, int] = {}
    unit = np.zeros(len(place), dtype=np.intp)
    unit[item] = [numbers.setdefault(label, len(numbers)) for label in units]
    found = np.stack([rows[system][segment] for system, segment in place])
    if ranked:
        pairs = np.array(list(_ranked_pairs(kept, item)), dtype=np.intp).reshape(-1, 2)
        if not len(pairs):
            raise DataError("no two translations of a segment have different ranks in one ranking")
        return Items(found, np.zeros(len(place)), unit, pairs)
    human = _means(item, [_signed(one.judgement) for one in kept], len(place))
    segment = np.array([segment for _, segment in place])
    return Items(found, human, unit, _ordered_pairs(human, segment, unit, margin))


def _systems(kept: Sequence[Kept], rows: Mapping[str, Array], ranked: bool) -> Items:
    """One item a system: all of its translations, and the mean of its judgements (of ranks: the share of wins)."""
    judged = {name for one in kept for name in one.systems}
    names = [name for name in rows if name in judged]
    if next(iter(rows.values())).shape[1] == 1:  # no reference to be chosen: rows are added up once for all
        found, begins = np.stack([rows[name].sum(0) for name in names]), None
    else:
        found = np.concatenate([rows[name] for name in names])
        begins = np.cumsum([0, *(len(rows[name]) for name in names)])
    human = _win_shares(kept, names) if ranked else _system_means(kept, names)
    return Items(found, human, np.arange(len(names)), None, begins)


def _win_shares(kept: Sequence[Kept], names: Sequence[str]) -> Array:
    place = {name: at for at, name in enumerate(names)}
    wins, losses = np.zeros(len(names)), np.zeros(len(names))
    for better, worse in _ranked_pairs(kept, np.arange(len(kept))):
        for name in kept[better].systems:
            wins[place[name]] += 1
        for name in kept[worse].systems:
            losses[place[name]] += 1
    if not (wins + losses).all():
        lonely = names[int(np.flatnonzero(wins + losses == 0)[0])]
        raise DataError(f"{lonely} was never ranked above or below another system")
    return wins / (wins + losses)


def _system_means(kept: Sequence[Kept], names: Sequence[str]) -> Array:
    """Translations count alike, however often each was judged (as WMT averages them)."""
    scores: dict[str, dict[int, list[float]]] = {name: {} for name in names}
    for one in kept:
        for name in one.systems:
            scores[name].setdefault(one.segment, []).append(_signed(one.judgement))
    return np.array([np.mean([np.mean(values) for values in scores[name].values()]) for name in names])


def _signed(judgement: Judgement) -> float:
    return -judgement.score if judgement.protocol in LOWER_IS_BETTER else judgement.score


def _means(item: Indices, values: Iterable[float], count: int) -> Array:
    return np.bincount(item, np.fromiter(values, np.float64), count) / np.bincount(item, minlength=count)


def _ordered_pairs(human: Array, segment: Indices, unit: Indices, margin: float) -> Indices:
    """Pairs of translations of one segment that people scored apart, the better one first; none across units."""
    order = np.lexsort((-human, unit, segment))
    found = []
    for apart in range(1, len(order)):
        alike = order[apart:]
        before = order[:-apart]
        same = (segment[before] == segment[alike]) & (unit[before] == unit[alike])
        if not same.any():
            break
        better, worse = before[same], alike[same]
        gap = human[better] - human[worse]
        wide = (gap > 0) & (gap >= margin)
        found.append(np.stack([better[wide], worse[wide]], 1))
    return np.concatenate(found) if found else np.empty((0, 2), np.intp)


def _ranked_pairs(kept: Sequence[Kept], item: Indices) -> Iterator[tuple[int, int]]:
    """Pairs that one ranking puts in an order, the better one first."""
    rankings: dict[tuple[str, str, int], list[int]] = {}
    for at, one in enumerate(kept):
        rankings.setdefault((one.judgement.ranking, one.judgement.annotator, one.segment), []).append(at)
    for together in rankings.values():
        for a in together:
            for b in together:
                if kept[a].judgement.rank < kept[b].judgement.rank and item[a] != item[b]:
                    yield int(item[a]), int(item[b])
