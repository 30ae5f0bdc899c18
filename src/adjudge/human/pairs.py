"""Pairwise comparisons: how often each system was preferred to another, and scores that are simple shares."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from adjudge.data.judgements import NONE, ORDINARY, Judgements, NameColumn
from adjudge.errors import DataError, UsageError, unknown_name
from adjudge.human.grouping import combined_codes
from adjudge.stats.components import components
from adjudge.stats.draws import category_counts
from adjudge.stats.resampling import blocks_of_counts, resamples_at_a_time

Floats = NDArray[np.float64]

UNITS = ("pair", "ranking", "item", "document", "annotator")
"""What counts as one, drawn anew or turned by a coin: each comparison, all of one ranking, all of one item or document,
whoever made them, or all that one person made."""


@dataclass(frozen=True, eq=False)
class Comparisons:
    """One cell a comparison, in the order in which they were made.

    Of k systems, cell a·k + b says that a was preferred to b, and k² + a·k + b (a < b) that they tied.
    """

    systems: tuple[str, ...]
    """In the order of their first appearance as the first of two, then as the second."""
    cells: NDArray[np.int64]
    rows: NDArray[np.intp]
    """Which judgement each was."""
    left_out: dict[str, int] = field(default_factory=dict)
    """Judgements that compare nothing: why, and how many."""

    @property
    def columns(self) -> int:
        """How many cells there are."""
        return 2 * len(self.systems) ** 2

    def tables(self, counts: NDArray[np.number]) -> tuple[Floats, Floats]:
        """Wins (row over column) and ties (the same on both sides of the diagonal) from counts of cells."""
        k = len(self.systems)
        tables = counts.reshape(*counts.shape[:-1], 2, k, k).astype(np.float64)
        wins, ties = tables[..., 0, :, :], tables[..., 1, :, :]
        return np.ascontiguousarray(wins), ties + np.swapaxes(ties, -1, -2)

    @property
    def counts(self) -> PairCounts:
        """Wins and ties of all pairs of systems."""
        return PairCounts(self.systems, *self.tables(np.bincount(self.cells, minlength=self.columns)))


@dataclass(frozen=True, eq=False)
class PairCounts:
    """How often each system was preferred to each other one."""

    systems: tuple[str, ...]
    wins: Floats
    """[a, b]: how often a was preferred to b."""
    ties: Floats
    """[a, b] = [b, a]: how often neither was."""

    @property
    def never_compared(self) -> tuple[tuple[str, str], ...]:
        """Pairs of systems that no judgement is about."""
        met = self.wins + self.wins.T + self.ties > 0
        names = enumerate(self.systems)
        return tuple((first, other) for (a, first), (b, other) in combinations(names, 2) if not met[a, b])

    @property
    def groups(self) -> tuple[tuple[str, ...], ...]:
        """Connected components of the comparison graph; one group where every system is linked to all others."""
        first, second = np.nonzero(self.wins + self.ties)
        part = components(first, second, len(self.systems))
        return tuple(
            tuple(self.systems[s] for s in np.flatnonzero(part == number)) for number in np.unique(part)
        )


def comparisons(judgements: Judgements) -> Comparisons:
    """The ordinary judgements that compare two systems."""
    if judgements.other is None:
        raise DataError("these are ratings of one translation at a time; rankings or comparisons are needed")
    count, score = len(judgements), judgements.score
    both = NameColumn.joined([judgements.system, judgements.other])
    first, second = both.codes[:count].astype(np.int64), both.codes[count:].astype(np.int64)
    left = np.ones(count, dtype=bool)
    left_out = {}
    for why, wrong in (
        ("control items or repeats", judgements.kind != ORDINARY),
        ("without an answer", np.isnan(score)),
        ("without a system's name", (first == NONE) | (second == NONE)),
        ("of a system with itself", first == second),
    ):
        if left_now := int((left & wrong).sum()):
            left_out[why] = left_now
            left &= ~wrong
    if (odd := np.flatnonzero(left & ~np.isin(score, (-1, 0, 1)))).size:
        raise DataError(
            f"{judgements.place(int(odd[0]))}: {score[odd[0]]:g} is no outcome of a comparison; "
            "1 (the first is better), 0 (a tie) or -1 is"
        )
    rows = np.flatnonzero(left)
    if not rows.size:
        reasons = "; ".join(f"{number} {why}" for why, number in left_out.items()) or "no judgements at all"
        raise DataError(f"no two systems were compared ({reasons})")
    # Systems that only stand in judgements left out are not ranked.
    used = NameColumn(both.names, np.concatenate([first[rows], second[rows]]).astype(np.int32))[:]
    a, b = used.codes[: len(rows)].astype(np.int64), used.codes[len(rows) :].astype(np.int64)
    k, outcome = len(used.names), score[rows]
    low, high = np.minimum(a, b), np.maximum(a, b)
    cells = np.where(outcome > 0, a * k + b, np.where(outcome < 0, b * k + a, k * k + low * k + high))
    return Comparisons(used.names, cells, rows, left_out)


def units_of(judgements: Judgements, made: Comparisons, unit: str) -> NDArray[np.int64]:
    """Which unit each comparison belongs to. Comparisons without a ranking or an item are units of their own.

    Items without a document are documents of their own. Of two kinds (`item,annotator`), a unit is what is of one each.
    """
    if "," in unit:
        return combined_codes(*(units_of(judgements, made, kind) for kind in unit.split(",")))
    if unit not in UNITS:
        raise unknown_name("unit", unit, UNITS)
    alone = np.arange(len(made.rows), dtype=np.int64)
    if unit == "ranking" and judgements.ranking is not None:
        return judgements.ranking[made.rows]
    if unit in ("pair", "ranking"):
        return alone
    columns = {"item": judgements.item, "annotator": judgements.annotator}
    column = columns.get(unit) or judgements.labels.get(unit)
    if column is None:
        raise UsageError(f"no label says which {unit} an item is from (--labels FILE.tsv joins labels)")
    codes = column.codes[made.rows].astype(np.int64)
    others = units_of(judgements, made, "item") if unit == "document" else alone
    return np.where(codes == NONE, len(column.names) + others, codes)


def items_of_systems(judgements: Judgements, made: Comparisons) -> NDArray[np.int64]:
    """How many distinct items each system was compared on."""
    k, item = len(made.systems), units_of(judgements, made, "item")
    sides = np.concatenate(np.divmod(made.cells % (k * k), k))
    places = int(item.max(initial=0)) + 1
    translations = np.unique(sides * places + np.concatenate([item, item]))
    return np.bincount(translations // places, minlength=k)


def resampled_tables(
    made: Comparisons, unit: NDArray[np.int64] | None, *, resamples: int, seed: int, threads: int = 0
) -> Iterator[tuple[Floats, Floats]]:
    """Wins and ties when units are drawn anew with replacement, a block of resamples at a time.

    None: each comparison is a unit. Then only counts need to be drawn, which are multinomial.
    """
    if unit is not None:
        for counts in blocks_of_counts(
            made.cells, unit, made.columns, resamples=resamples, seed=seed, threads=threads
        ):
            yield made.tables(counts)
        return
    seen, often = np.unique(made.cells, return_counts=True)
    size, at_once = len(made.cells), resamples_at_a_time(made.columns)
    for drawn in category_counts(size, often / size, resamples, seed, at_once=at_once):
        block = np.zeros((len(drawn), made.columns))
        block[:, seen] = drawn
        yield made.tables(block)


def at_least_as_good(wins: Floats, ties: Floats) -> Floats:
    """'≥ others' (WMT09): the share of a system's comparisons that it did not lose."""
    won, tied, lost = wins.sum(-1), ties.sum(-1), wins.sum(-2)
    return _share(won + tied, won + tied + lost)


def better(wins: Floats, ties: Floats) -> Floats:
    """'> others': the share of wins among a system's comparisons that are no ties; NaN if all are."""
    won, lost = wins.sum(-1), wins.sum(-2)
    return _share(won, won + lost)


def expected_wins(wins: Floats, ties: Floats) -> Floats:
    """The chance to beat a system drawn at random (Bojar et al. 2011): the mean over opponents of the share of wins.

    Ties say nothing. Opponents against whom nothing was decided are left out of the mean; NaN if that is so of all.
    """
    beaten = np.swapaxes(wins, -1, -2)
    decided = wins + beaten > 0
    shares = np.where(decided, wins / np.where(decided, wins + beaten, 1.0), 0.0)
    return _share(shares.sum(-1), decided.sum(-1))


def reachable(meets: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Which can be reached from which by any number of steps (..., k, k), itself included."""
    k = meets.shape[-1]
    reached = (meets | np.eye(k, dtype=bool)).astype(np.float32)
    for _ in range(max(1, (k - 1).bit_length())):
        reached = (reached @ reached > 0).astype(np.float32)
    return reached > 0


def _share(part: Floats, whole: NDArray[np.number]) -> Floats:
    some = whole > 0
    return np.where(some, part / np.where(some, whole, 1), np.nan)
