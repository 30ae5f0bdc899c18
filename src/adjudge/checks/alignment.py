"""Where the lines of an output belong: runs of lines that are shifted by the same number of lines."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from adjudge._native import best_path
from adjudge.checks.evidence import Integers, LineEvidence

CHANGE = 14.0
"""Nats that another offset must bring before it is believed: about one in a million by chance."""
OFFSETS = 64
RUN = 30
"""Lines that runs have in the mean if they are not made up by chance."""
CLEAR = 8.0
"""What must speak for a line before it counts as one whose place is known."""


@dataclass(frozen=True)
class Run:
    """Lines start to end (not included) of the output hold what the other text has `offset` lines later.

    `earliest` to `latest` are the lines at which the run may begin just as well as at `start`.
    """

    start: int
    end: int
    offset: int
    earliest: int
    latest: int
    evidence: float
    """What speaks for these lines being translations of those, in nats."""
    gain: float
    """How much more that is than for the lines at the same places."""

    def __len__(self) -> int:
        return self.end - self.start


@dataclass(frozen=True, eq=False)
class LineAlignment:
    """Runs that cover the whole output, and what they leave unexplained."""

    runs: tuple[Run, ...]
    clear: int
    """Lines whose place is known beyond doubt."""
    strays: tuple[tuple[int, int], ...]
    """Those of them that belong elsewhere than their run says: line and where it belongs."""
    reversed: bool
    correlation: float
    """How the lengths of lines go together with those of their places; NaN where that says nothing."""


def align(evidence: LineEvidence) -> LineAlignment:
    """Find the runs by the path over offsets with most evidence, at a price for each change."""
    n, m = len(evidence.output_lengths), len(evidence.other_lengths)
    column, first, second = evidence.best
    clear = (first >= CLEAR) & (second <= 0.7 * first)
    offsets = _candidates(evidence, np.flatnonzero(clear), column)
    table = evidence.at(offsets)
    path = _path(table, offsets, same_length=n == m)
    runs = _runs(path, table, offsets)
    rows = np.flatnonzero(clear)
    fitting = column[rows] == rows + offsets[path[rows]]
    # What is said of a line at its own place must be weak, or it is a line that occurs twice.
    own = _weights_at(evidence, rows, rows + offsets[path[rows]])
    strays = rows[~fitting & (own < 0.3 * first[rows])]
    mirrored = column[strays] == n - 1 - strays
    # Many short runs are what chance finds in a file that fits nowhere; then the lines count where they stand.
    trusted = n >= RUN * len(runs)
    places = np.arange(n) + (offsets[path] if trusted else 0)
    return LineAlignment(
        runs,
        len(rows),
        tuple((int(row), int(column[row])) for row in strays),
        bool(len(strays) >= 5 and mirrored.mean() > 0.8),
        evidence.length_correlation(places),
    )


def _weights_at(evidence: LineEvidence, rows: Integers, columns: Integers) -> NDArray[np.float64]:
    width = len(evidence.other_lengths)
    keys = evidence.rows * width + evidence.columns  # sorted
    wanted = rows * width + columns
    if not len(keys):
        return np.zeros(len(wanted))
    at = np.minimum(np.searchsorted(keys, wanted), len(keys) - 1)
    return np.where((keys[at] == wanted) & (columns >= 0) & (columns < width), evidence.weights[at], 0.0)


def _candidates(evidence: LineEvidence, clear: Integers, column: Integers) -> Integers:
    """Offsets worth trying: none, small ones, those many lines vote for, and those the lengths speak for."""
    n, m = len(evidence.output_lengths), len(evidence.other_lengths)
    votes, numbers = np.unique(column[clear] - clear, return_counts=True)
    voted = votes[np.argsort(-numbers, kind="stable")][numbers[np.argsort(-numbers, kind="stable")] >= 2]
    near = np.arange(-3, 4)
    gap = np.array([m - n, (m - n) // 2])
    some = np.concatenate([near, gap, evidence.length_peaks(), voted[:OFFSETS]])
    return np.unique(some[(some > -n) & (some < m)]).astype(np.int64) if n and m else np.zeros(1, np.int64)


def _path(table: NDArray[np.float32], offsets: Integers, *, same_length: bool) -> Integers:
    """The best offset of each line (as index): what speaks for it, less CHANGE wherever it changes."""
    none = int(np.searchsorted(offsets, 0))
    has_none = none < len(offsets) and offsets[none] == 0
    if has_none and same_length and not _doubtful(table, none):
        return np.full(len(table), none)
    start, end = np.zeros(len(offsets)), np.zeros(len(offsets))
    if has_none:
        start -= CHANGE
        start[none] = 0.0
    if same_length and has_none:
        end[none] = 1e-6  # nothing speaks for anything: everything is where it is
    return best_path(table, start, end, CHANGE)


def _doubtful(table: NDArray[np.float32], none: int) -> bool:
    """Whether any stretch of lines fits another offset so much better that it pays to look closer."""
    gains = np.cumsum(table - table[:, [none]], axis=0, dtype=np.float64)
    lowest = np.minimum.accumulate(np.minimum(gains, 0.0), axis=0)
    return bool(len(gains) and (gains - lowest).max() > CHANGE)


def _runs(path: Integers, table: NDArray[np.float32], offsets: Integers) -> tuple[Run, ...]:
    starts = np.flatnonzero(np.r_[True, path[1:] != path[:-1]]) if len(path) else np.empty(0, np.int64)
    ends = np.r_[starts[1:], len(path)]
    runs: list[Run] = []
    for at, (start, end) in enumerate(zip(starts, ends, strict=True)):
        earliest = latest = int(start)
        if at:
            # Moving the change by a line swaps what the two offsets give there.
            better = table[:, path[start]].astype(np.float64) - table[:, path[start - 1]]
            before = np.cumsum(better[starts[at - 1] : start][::-1])
            after = np.cumsum(-better[start:end])
            earliest = int(start) - _reach(before)
            latest = int(start) + min(_reach(after), int(end - start) - 1)
        evidence = float(table[start:end, path[start]].sum(dtype=np.float64))
        here = np.searchsorted(offsets, 0)
        known = here < len(offsets) and offsets[here] == 0
        beaten = float(table[start:end, here].sum(dtype=np.float64)) if known else 0.0
        runs.append(
            Run(
                int(start), int(end), int(offsets[path[start]]), earliest, latest, evidence, evidence - beaten
            )
        )
    return tuple(runs)


def _reach(change: NDArray[np.float64]) -> int:
    """How far one can go without losing more than 2 nats in all."""
    lost = np.flatnonzero(change < -2.0)
    return int(lost[0]) if len(lost) else len(change)
