"""Judgements beside the rows of what was judged."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from adjudge.comparison.judged_places import JudgedPlaces
from adjudge.data import TestSet
from adjudge.data.judgements import ORDINARY, REPEAT, Judgements, NameColumn
from adjudge.errors import DataError, UsageError, unknown_name
from adjudge.tuning.items import Items

Array = NDArray[np.float64]
Indices = NDArray[np.intp]

UNITS = ("segment", "document", "system")
COLUMNS: Mapping[str, Sequence[str] | None] = {
    "da": (
        "score",
        "human",
        "humanscore",
        "z",
        "zscore",
        "zscr",
        "zmean",
        "da",
        "mean",
        "rating",
        "rawscr",
        "raw",
    ),
    "hter": ("hter", "score", "human"),
    "rank": None,
}
"""What to fit to, by target, where no column is named: annotators brought to one scale before raw scores."""


@dataclass(frozen=True, eq=False)
class JudgedItems:
    """Items, and what was done to make them."""

    items: Items
    judgements: int
    systems: int
    segments: int
    left_out: int = 0
    """Judgements of systems whose outputs are not there."""
    controls: int = 0
    """Judgements of damaged outputs, references and tutorials."""


def gather(
    judgements: Judgements,
    rows: Mapping[str, Array],
    test_set: TestSet,
    *,
    level: str,
    unit: str,
    first: int = 1,
    min_gap: float = 0.0,
    skip_unknown_systems: bool = False,
) -> JudgedItems:
    """The items of some level, units being segments, documents or systems.

    `rows` are those of each system, segments × references × columns. Several judgements of one translation count by
    their mean. Segments are numbers from `first` on, or ids that a label of the test set has. Scores of one segment
    that differ by `min_gap` at least put its translations in an order.
    """
    counted = np.isin(judgements.kind, (ORDINARY, REPEAT))
    controls = int((~counted).sum())
    judgements = judgements[counted] if controls else judgements
    kept = _match(judgements, JudgedPlaces(rows, test_set, first), skip_unknown_systems)
    left_out = len(judgements) - len(kept.segment)
    ranked = kept.other is not None
    if level == "system":
        items = _systems(kept, rows)
    else:
        if (kept.segment < 0).any():
            raise DataError(
                "the judgements name no segments, so they are of whole systems; fit to those: --level system"
            )
        items = _translations(kept, rows, _units(unit, test_set, kept), min_gap)
    systems = {
        name for column in kept.columns for code in np.unique(column.codes) for name in column.systems[code]
    }
    number = len(kept.segment)
    if ranked:  # what stands in two pairs of a ranking was ranked once
        both = NameColumn.joined([NameColumn(column.names, column.codes) for column in kept.columns])
        number = len(np.unique(np.tile(kept.ranking, 2) * len(both.names) + both.codes))
    segments = len(np.unique(kept.segment[kept.segment >= 0]))
    return JudgedItems(items, number, len(systems), segments, left_out, controls)


@dataclass(frozen=True, eq=False)
class JudgementOwners:
    """Whose output each judgement is about: several systems where these wrote the same."""

    names: tuple[str, ...]
    codes: NDArray[np.int32]
    systems: tuple[tuple[str, ...], ...]
    """Of each name."""

    def places(self, of: Mapping[str, int]) -> tuple[Indices, Indices]:
        """A row for each judgement and system: which judgement, and the system's number."""
        width = np.array([len(names) for names in self.systems], np.intp)
        flat = np.array([of[name] for names in self.systems for name in names], np.intp)
        begins = np.cumsum([0, *width])[:-1]
        times = width[self.codes]
        judgement = np.repeat(np.arange(len(self.codes)), times)
        turn = np.arange(len(judgement)) - np.repeat(np.cumsum(times) - times, times)
        return judgement, flat[begins[self.codes[judgement]] + turn]

    def first(self, of: Mapping[str, int]) -> Indices:
        """The number of the first system of each judgement: outputs that are the same are one."""
        numbers = np.array([of[names[0]] if names else -1 for names in self.systems], np.intp)
        return np.asarray(numbers[self.codes], np.intp)


@dataclass(frozen=True, eq=False)
class MatchedJudgements:
    """Judgements of outputs that are there, each with its place."""

    system: JudgementOwners
    other: JudgementOwners | None
    segment: Indices
    """−1 where the whole output was judged."""
    score: Array
    """More is better; of pairs, 1 where the first one is the better."""
    ranking: NDArray[np.int64]
    document: NameColumn | None

    @property
    def columns(self) -> tuple[JudgementOwners, ...]:
        """The one system of each judgement, or the two."""
        return (self.system,) if self.other is None else (self.system, self.other)


def _match(judgements: Judgements, places: JudgedPlaces, skip_unknown_systems: bool) -> MatchedJudgements:
    """The judgements whose systems and segments are there; the first that is not there is told."""
    columns = [judgements.system] if judgements.other is None else [judgements.system, judgements.other]
    systems = [[places.systems(name) for name in column.names] for column in columns]
    usable = np.ones(len(judgements), bool)
    for column, outputs in zip(columns, systems, strict=True):
        usable &= np.array([*(output is not None for output in outputs), False])[column.codes]
    segments = [places.segment(name) for name in judgements.item.names]
    lost = np.array([*(isinstance(segment, str) for segment in segments), False])[judgements.item.codes]
    wrong = (usable & lost) if skip_unknown_systems else (~usable | lost)
    if wrong.any():
        row = int(np.argmax(wrong))
        says = segments[judgements.item.codes[row]] if usable[row] else ""
        for column, outputs in zip(columns, systems, strict=True):
            if not says and outputs[column.codes[row]] is None:
                says = places.unknown_system(column.names[column.codes[row]])
        raise DataError(f"{judgements.place(row)}: {says}")
    if not usable.any():
        known = sorted({name for column in columns for name in column.names})
        raise DataError(
            "no judgement of any of the systems whose outputs were given "
            f"({', '.join(places.names)}); judged were {', '.join(known[:5])}, …"
        )
    unscored = usable & ~np.isfinite(judgements.score)
    if unscored.any():
        raise DataError(f"{judgements.place(int(np.argmax(unscored)))}: no score to fit to")
    number = np.array([*(-1 if isinstance(segment, str) else segment for segment in segments), -1])
    ranking = judgements.ranking if judgements.ranking is not None else np.arange(len(judgements))
    document = judgements.labels.get("document")
    judged = [
        JudgementOwners(column.names, column.codes[usable], tuple(output or () for output in outputs))
        for column, outputs in zip(columns, systems, strict=True)
    ]
    return MatchedJudgements(
        judged[0],
        judged[1] if len(judged) > 1 else None,
        number[judgements.item.codes][usable],
        judgements.score[usable] if judgements.higher_is_better else -judgements.score[usable],
        ranking[usable],
        None if document is None else document[usable],
    )


def _units(unit: str, test_set: TestSet, kept: MatchedJudgements) -> Indices:
    """The number of each judgement's unit, in the order in which units come up."""
    if unit == "segment":
        return _turns(kept.segment)
    if unit == "system":
        if kept.other is not None:
            raise UsageError(
                "systems that were ranked together cannot be held apart: --fold-by segment or document"
            )
        return _turns(kept.system.first({name: at for at, name in enumerate(_names(kept))}))
    if unit in test_set.labels:
        labels = NameColumn.of(test_set.labels[unit])
        return _turns(labels.codes[kept.segment])
    if unit == "document" and kept.document is not None and (kept.document.codes >= 0).all():
        # One a segment, whatever the rows say: what is compared must lie in one fold.
        _, begins, places = np.unique(kept.segment, return_index=True, return_inverse=True)
        return _turns(kept.document.codes[begins][places])
    raise unknown_name("unit", unit, {*UNITS[::2], *test_set.labels}, "labels: -L FILE")


def _names(kept: MatchedJudgements) -> Iterator[str]:
    yield from dict.fromkeys(name for column in kept.columns for names in column.systems for name in names)


def _turns(values: NDArray[np.integer]) -> Indices:
    """Numbers from 0 on, in the order in which values come up."""
    _, begins, places = np.unique(values, return_index=True, return_inverse=True)
    turn = np.empty(len(begins), np.intp)
    turn[np.argsort(begins)] = np.arange(len(begins))
    return turn[places]


def _translations(
    kept: MatchedJudgements, rows: Mapping[str, Array], units: Indices, min_gap: float
) -> Items:
    """One item a translation that was judged; outputs that are the same were judged once and count once."""
    names = list(rows)
    of = {name: at for at, name in enumerate(names)}
    segments = len(next(iter(rows.values())))
    keys = np.stack([column.first(of) * segments + kept.segment for column in kept.columns], 1)
    item = _turns(keys.ravel()).reshape(keys.shape)
    count = int(item.max()) + 1
    place = np.empty(count, np.intp)
    place[item.ravel()] = keys.ravel()
    unit = np.zeros(count, np.intp)
    unit[item] = units[:, None]
    chosen = np.stack([rows[names[key // segments]][key % segments] for key in place])
    if kept.other is not None:
        apart = (kept.score != 0) & (item[:, 0] != item[:, 1])
        pairs = np.where(kept.score[:, None] > 0, item, item[:, ::-1])[apart]
        if not len(pairs):
            raise DataError("no two translations of a segment have different ranks in one ranking")
        return Items(chosen, np.zeros(count), unit, pairs)
    human = np.bincount(item[:, 0], kept.score, count) / np.bincount(item[:, 0], minlength=count)
    return Items(chosen, human, unit, _ordered_pairs(human, place % segments, unit, min_gap))


def _systems(kept: MatchedJudgements, rows: Mapping[str, Array]) -> Items:
    """One item a system: all of its translations, and the mean of its judgements (of ranks: the share of wins)."""
    judged = {
        name for column in kept.columns for code in np.unique(column.codes) for name in column.systems[code]
    }
    names = [name for name in rows if name in judged]
    if next(iter(rows.values())).shape[1] == 1:  # no reference to be chosen: rows are added up once for all
        system_rows, begins = np.stack([rows[name].sum(0) for name in names]), None
    else:
        system_rows = np.concatenate([rows[name] for name in names])
        begins = np.cumsum([0, *(len(rows[name]) for name in names)])
    human = _system_means(kept, names) if kept.other is None else _win_shares(kept, kept.other, names)
    return Items(system_rows, human, np.arange(len(names)), None, begins)


def _win_shares(kept: MatchedJudgements, other: JudgementOwners, names: Sequence[str]) -> Array:
    wins, losses = np.zeros(len(names)), np.zeros(len(names))
    of = {name: at for at, name in enumerate(names)}
    for column, sign in ((kept.system, 1), (other, -1)):
        judgement, system = column.places(of)
        score = sign * kept.score[judgement]
        wins += np.bincount(system, score > 0, len(names))
        losses += np.bincount(system, score < 0, len(names))
    if not (wins + losses).all():
        lonely = names[int(np.flatnonzero(wins + losses == 0)[0])]
        raise DataError(f"{lonely} was never ranked above or below another system")
    return wins / (wins + losses)


def _system_means(kept: MatchedJudgements, names: Sequence[str]) -> Array:
    """Translations count alike, however often each was judged (as WMT averages them)."""
    judgement, system = kept.system.places({name: at for at, name in enumerate(names)})
    width = int(kept.segment.max()) + 2  # −1 is a segment of its own
    keys = system * width + kept.segment[judgement] + 1
    distinct, places = np.unique(keys, return_inverse=True)
    means = np.bincount(places, kept.score[judgement]) / np.bincount(places)
    of = distinct // width
    return np.bincount(of, means, len(names)) / np.bincount(of, minlength=len(names))


def _ordered_pairs(human: Array, segment: Indices, unit: Indices, min_gap: float) -> Indices:
    """Pairs of translations of one segment that people scored apart, the better one first; none across units."""
    order = np.lexsort((-human, unit, segment))
    pairs = []
    for apart in range(1, len(order)):
        alike = order[apart:]
        before = order[:-apart]
        same = (segment[before] == segment[alike]) & (unit[before] == unit[alike])
        if not same.any():
            break
        better, worse = before[same], alike[same]
        gap = human[better] - human[worse]
        wide = (gap > 0) & (gap >= min_gap)
        pairs.append(np.stack([better[wide], worse[wide]], 1))
    return np.concatenate(pairs) if pairs else np.empty((0, 2), np.intp)
