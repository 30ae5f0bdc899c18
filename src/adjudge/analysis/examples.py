"""Segments to look at: those on which systems differ most, and those on which all of them fare badly or well."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from adjudge.comparison.measuring import measure
from adjudge.comparison.results import Measured
from adjudge.data import Outputs, TestSet
from adjudge.display import Displayable
from adjudge.errors import UsageError
from adjudge.metrics.base import Metric

if TYPE_CHECKING:
    from adjudge.engine.cache import RowCache

Floats = NDArray[np.float64]
TOP = 5


@dataclass(frozen=True)
class Example:
    """One segment in all systems."""

    segment: int
    """From 1."""
    scores: tuple[float, ...]
    """By system."""
    delta: float
    """What it was chosen by: the difference of two scores, or the mean of all; the higher the better."""
    source: str
    reference: str
    outputs: tuple[str, ...]


@dataclass(frozen=True)
class ExampleList:
    """Segments that were chosen for one reason, the clearest first."""

    why: str
    """`better` or `worse` (than the first system), `low` or `high` (all systems alike)."""
    system: str
    """Whose difference it is; empty where all are meant."""
    examples: tuple[Example, ...]


@dataclass(frozen=True)
class Examples(Displayable):
    """Segments by the largest differences of one metric."""

    metric: str
    signature: str
    decimals: int
    higher_is_better: bool
    systems: tuple[str, ...]
    lists: tuple[ExampleList, ...]


def examples(
    test_set: TestSet,
    outputs: Iterable[Outputs],
    metric: Metric | str = "chrf",
    *,
    top: int = TOP,
    threads: int = 0,
    cache: RowCache | None = None,
    progress: Callable[[str, int, int], None] | None = None,
    measured: Measured | None = None,
) -> Examples:
    """Where each system is furthest ahead of the first and furthest behind it, and where all are low or high.

    Segments whose texts are the same as those of one before are left out, and so are those without a difference.
    """
    outputs = tuple(outputs)
    if measured is None:
        [measured] = measure(test_set, outputs, metric, threads=threads, cache=cache, progress=progress)
    if measured.higher_is_better is None:
        raise UsageError(f"by {measured.metric} nothing is better or worse: neither high nor low is")
    sign = 1.0 if measured.higher_is_better else -1.0
    scores = np.array([measured.segment_scores(rows) for runs in measured.rows.values() for rows in runs])
    # Rows go by system, outputs as they were given: runs of one system need not stand beside each other.
    order = [output for name in measured.rows for output in outputs if output.system == name]
    names = tuple(output.title for output in order)
    first = _unlike(test_set, order)
    lists = []
    for place in range(1, len(order)):
        deltas = sign * (scores[place] - scores[0])
        for why, signed in (("better", deltas), ("worse", -deltas)):
            chosen = _largest(np.where(signed > 0, signed, np.nan), first, top)
            lists.append(ExampleList(why, names[place], _told(test_set, order, scores, deltas, chosen)))
    means = sign * scores.mean(0)
    for why, signed in (("low", -means), ("high", means)):
        chosen = _largest(signed, first, top)
        lists.append(ExampleList(why, "", _told(test_set, order, scores, means, chosen)))
    return Examples(
        measured.metric, measured.signature, measured.decimals, measured.higher_is_better, names, tuple(lists)
    )


def _unlike(test_set: TestSet, outputs: Sequence[Outputs]) -> NDArray[np.bool_]:
    """Whether each segment is the first with its texts."""
    seen: set[tuple[str | None, ...]] = set()
    first = np.zeros(len(test_set), bool)
    for place in range(len(test_set)):
        texts = (*(column[place] for column in test_set.references), *(o.segments[place] for o in outputs))
        first[place] = texts not in seen
        seen.add(texts)
    return first


def _largest(values: Floats, usable: NDArray[np.bool_], top: int) -> list[int]:
    """The places of the largest values, of equals the first."""
    known = np.flatnonzero(usable & np.isfinite(values))
    return [int(place) for place in known[np.argsort(-values[known], kind="stable")][:top]]


def _told(
    test_set: TestSet, outputs: Sequence[Outputs], scores: Floats, deltas: Floats, chosen: Sequence[int]
) -> tuple[Example, ...]:
    return tuple(
        Example(
            place + 1,
            tuple(map(float, scores[:, place])),
            float(deltas[place]),
            "" if test_set.sources is None else test_set.sources[place],
            next((text for column in test_set.references if (text := column[place]) is not None), ""),
            tuple(output.segments[place] for output in outputs),
        )
        for place in chosen
    )
