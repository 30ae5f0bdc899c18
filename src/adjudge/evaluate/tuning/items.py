"""What a metric is fitted to: rows of translations (or systems) beside what people said of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from adjudge.data import Judgement, TestSet
from adjudge.errors import DataError, UsageError, unknown_name
from adjudge.stats.correlation import CORRELATIONS

Array = NDArray[np.float64]
Indices = NDArray[np.intp]

MEASURES = (*CORRELATIONS, "tau")
"""tau is WMT's on ranked pairs: (concordant − discordant) / all, a tie of the metric being discordant."""
LEVELS = ("segment", "system")
UNITS = ("segment", "document", "system")
LOWER_IS_BETTER = ("hter",)


@dataclass(frozen=True, eq=False)
class Items:
    """Rows, the human score of each (higher is better), and what belongs together in cross-validation."""

    rows: Array
    human: Array
    unit: Indices
    pairs: Indices | None = None
    """Two columns of items, the better one first, where there are rankings; `human` says nothing then."""

    def __len__(self) -> int:
        return len(self.rows)

    @property
    def units(self) -> int:
        """How many units there are."""
        return int(self.unit.max()) + 1 if len(self.unit) else 0

    def take(self, keep: NDArray[np.bool_]) -> Items:
        """The items for which `keep` is true, with the pairs that lie among them."""
        pairs = self.pairs
        if pairs is not None:
            place = np.cumsum(keep) - 1
            pairs = place[pairs[keep[pairs].all(1)]]
        return Items(self.rows[keep], self.human[keep], self.unit[keep], pairs)

    def correlation(self, scores: Array, measure: str, *, threads: int = 1) -> Array:
        """Of each list of scores (lists × items) with the judgements; NaN where there is none."""
        if measure != "tau":
            return CORRELATIONS[measure](scores, self.human, threads=threads)
        if self.pairs is None or not len(self.pairs):
            return np.full(len(scores), np.nan)
        concordant = (scores[:, self.pairs[:, 0]] > scores[:, self.pairs[:, 1]]).mean(-1)
        return np.asarray(2 * concordant - 1, np.float64)


@dataclass(frozen=True, eq=False)
class Gathered:
    """Items, and what was done to make them."""

    items: Items
    judgements: int
    systems: int
    segments: int
    left_out: int = 0
    """Judgements of systems whose outputs are not there."""


def gather(
    judgements: Sequence[Judgement],
    rows: Mapping[str, Array],
    test_set: TestSet,
    *,
    level: str,
    unit: str,
    first: int = 1,
    known_only: bool = False,
) -> Gathered:
    """The items of some level, units being segments, documents or systems.

    Several judgements of one translation count by their mean. Segments are numbers from `first` on, or ids that a
    label of the test set has.
    """
    places = Places(rows, test_set, first)
    kept, left_out = [], 0
    for judgement in judgements:
        systems = places.systems(judgement.system)
        if systems is None:
            if not known_only:
                raise DataError(places.unknown_system(judgement.system))
            left_out += 1
            continue
        kept.append((judgement, systems, places.segment(judgement.item) if judgement.item else -1))
    if not kept:
        raise DataError("no judgement of any of the systems whose outputs were given")
    ranked = kept[0][0].protocol == "rank"
    if level == "system":
        items = _systems(kept, rows, ranked)
    else:
        if any(segment < 0 for _, _, segment in kept):
            raise DataError(
                "the judgements name no segments, so they are of whole systems; fit to those: --level system"
            )
        items = _translations(kept, rows, _unit_labels(unit, test_set, kept), ranked)
    systems_seen = {name for _, systems, _ in kept for name in systems}
    return Gathered(items, len(kept), len(systems_seen), len({s for _, _, s in kept if s >= 0}), left_out)


Kept = tuple[Judgement, tuple[str, ...], int]


class Places:
    """Which system and which segment a judgement means."""

    def __init__(self, rows: Mapping[str, Array], test_set: TestSet, first: int) -> None:
        self.names = tuple(rows)
        self.count = len(test_set)
        self.first = first
        self.known: dict[str, tuple[str, ...] | None] = {}
        self.ids: dict[str, int] = {}
        for label in ("segment_id", "seg_id", "segment", "id"):
            if label in test_set.labels:
                self.ids = {text: at for at, text in enumerate(test_set.labels[label])}
                break

    def systems(self, name: str) -> tuple[str, ...] | None:
        """The systems of a name; several where outputs were the same (`a+b`), None where one is not there."""
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
        error = unknown_name("system in the judgements", name, self.names)
        return f"{error}; give its outputs as NAME=FILE, or leave out such judgements: --known-only"

    def segment(self, text: str) -> int:
        """The place of a segment, from 0."""
        if self.ids:
            if text not in self.ids:
                raise DataError(
                    f"the judgements speak of segment {text!r}, which no label of the test set has"
                )
            return self.ids[text]
        try:
            at = int(text) - self.first
        except ValueError:
            raise DataError(
                f"segment {text!r} of the judgements is no whole number; ids need labels of the segments (-L) "
                "with a column 'segment_id'"
            ) from None
        if not 0 <= at < self.count:
            last = self.first + self.count - 1
            other = "; do they count from 0? --first-segment 0" if at == -1 and self.first == 1 else ""
            raise DataError(
                f"segment {text} of the judgements: the test set has {self.first} to {last}{other}"
            )
        return at


def _unit_labels(unit: str, test_set: TestSet, kept: Sequence[Kept]) -> list[str]:
    """The unit of each judgement."""
    if unit == "segment":
        return [str(segment) for _, _, segment in kept]
    if unit == "system":
        if kept[0][0].protocol == "rank":
            raise UsageError(
                "systems that were ranked together cannot be held apart: --unit segment or document"
            )
        return [systems[0] for _, systems, _ in kept]
    if unit in test_set.labels:
        labels = test_set.labels[unit]
        return [labels[segment] for _, _, segment in kept]
    if unit == "document" and all(judgement.document for judgement, _, _ in kept):
        return [judgement.document for judgement, _, _ in kept]
    raise unknown_name("unit", unit, {*UNITS[::2], *test_set.labels}, "labels: -L FILE")


def _translations(kept: Sequence[Kept], rows: Mapping[str, Array], units: list[str], ranked: bool) -> Items:
    """One item a translation that was judged; outputs that are the same were judged once and count once."""
    place: dict[tuple[str, int], int] = {}
    item = np.array([place.setdefault((systems[0], segment), len(place)) for _, systems, segment in kept])
    numbers: dict[str, int] = {}
    unit = np.zeros(len(place), dtype=np.intp)
    unit[item] = [numbers.setdefault(label, len(numbers)) for label in units]
    found = np.stack([rows[system][segment] for system, segment in place])
    if ranked:
        pairs = np.array(list(_ranked_pairs(kept, item)), dtype=np.intp).reshape(-1, 2)
        if not len(pairs):
            raise DataError("no two translations of a segment have different ranks in one ranking")
        return Items(found, np.zeros(len(place)), unit, pairs)
    return Items(found, _means(item, [_signed(judgement) for judgement, _, _ in kept], len(place)), unit)


def _systems(kept: Sequence[Kept], rows: Mapping[str, Array], ranked: bool) -> Items:
    """One item a system: its rows added up, and the mean of its judgements (of ranks: the share of wins)."""
    names = [name for name in rows if any(name in systems for _, systems, _ in kept)]
    found = np.stack([rows[name].sum(0) for name in names])
    unit = np.arange(len(names))
    place = {name: at for at, name in enumerate(names)}
    if ranked:
        index = np.arange(len(kept))
        wins, losses = np.zeros(len(names)), np.zeros(len(names))
        for better, worse in _ranked_pairs(kept, index):
            for name in kept[better][1]:
                wins[place[name]] += 1
            for name in kept[worse][1]:
                losses[place[name]] += 1
        if not (wins + losses).all():
            lonely = names[int(np.flatnonzero(wins + losses == 0)[0])]
            raise DataError(f"{lonely} was never ranked above or below another system")
        return Items(found, wins / (wins + losses), unit)
    # Translations count alike, however often each was judged (as WMT averages them).
    scores: dict[tuple[str, int], list[float]] = {}
    for judgement, systems, segment in kept:
        for name in systems:
            scores.setdefault((name, segment), []).append(_signed(judgement))
    means = {key: float(np.mean(values)) for key, values in scores.items()}
    human = [np.mean([mean for (name, _), mean in means.items() if name == wanted]) for wanted in names]
    return Items(found, np.array(human, dtype=np.float64), unit)


def _signed(judgement: Judgement) -> float:
    return -judgement.score if judgement.protocol in LOWER_IS_BETTER else judgement.score


def _means(item: Indices, values: Iterable[float], count: int) -> Array:
    return np.bincount(item, np.fromiter(values, np.float64), count) / np.bincount(item, minlength=count)


def _ranked_pairs(kept: Sequence[Kept], item: Indices) -> Iterator[tuple[int, int]]:
    """Pairs that one ranking puts in an order, the better one first."""
    rankings: dict[tuple[str, str, int], list[int]] = {}
    for at, (judgement, _, segment) in enumerate(kept):
        key = (judgement.ranking, judgement.annotator, segment)
        rankings.setdefault(key, []).append(at)
    for together in rankings.values():
        for a in together:
            for b in together:
                if kept[a][0].rank < kept[b][0].rank and item[a] != item[b]:
                    yield int(item[a]), int(item[b])
