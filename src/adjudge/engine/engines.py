"""Engines compute chunks of rows: threads of this machine, or the workers of a Dask cluster."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Protocol

import numpy as np

from adjudge import workspace
from adjudge.data import Outputs, TestSet
from adjudge.engine.cache import RowCache
from adjudge.engine.chunks import Chunk, ChunkResult, Work, score_chunk, slice_test_set
from adjudge.errors import MissingExtraError, UsageError
from adjudge.metrics.base import Metric, Rows
from adjudge.stats.units import BLOCK

MOST_NOTES = 20
"""Of what workers notice, so much is told."""
LOCAL = "local"


class Engine(Protocol):
    """Scores chunks, some of them at once."""

    def map(self, work: Work, chunks: Iterable[Chunk]) -> Iterator[ChunkResult]:
        """What comes of each chunk, in their order; only so many are taken at a time as are being scored."""


class LocalEngine:
    """Threads of the process itself: a chunk after the other, each by all of them."""

    def __init__(self, threads: int = 0) -> None:
        self.threads = threads

    def map(self, work: Work, chunks: Iterable[Chunk]) -> Iterator[ChunkResult]:
        """One after the other."""
        for chunk in chunks:
            yield score_chunk(work, chunk, self.threads)


@contextmanager
def engine_of(wanted: Any, threads: int = 0) -> Iterator[Engine]:
    """The engine that is meant: `local` (or None), the address of a Dask scheduler, a Dask client or cluster.

    What is opened for it is closed at the end of the block; a client that was given stays open.
    """
    if wanted is None or wanted == LOCAL:
        yield LocalEngine(threads)
        return
    if hasattr(wanted, "map") and not hasattr(wanted, "scheduler_info"):
        yield wanted
        return
    if isinstance(wanted, str) and "://" not in wanted:
        raise UsageError(f"no engine {wanted!r}: local, or the address of a Dask scheduler (tcp://host:8786)")
    try:
        from adjudge.engine import cluster
    except ImportError:
        raise MissingExtraError("scoring on a cluster (Dask)", "cluster") from None
    with cluster.connect_cluster(wanted) as engine:
        yield engine


def rows_by_engine(
    engine: Engine,
    metrics: Sequence[Metric],
    test_set: TestSet,
    outputs: Sequence[Outputs],
    cache: RowCache | None = None,
    progress: Callable[[str, int, int], None] | None = None,
) -> dict[tuple[int, int], Rows]:
    """The rows that the cache lacks, by (metric, output); without those of metrics that need all segments at once."""
    wanted = [
        (m, o)
        for m, metric in enumerate(metrics)
        for o, output in enumerate(outputs)
        if not metric.undivided and (cache is None or cache.get(metric, test_set, output.segments) is None)
    ]
    parts: dict[tuple[int, int], list[Rows]] = {place: [] for place in wanted}
    if not wanted:
        return {}
    work, done = Work.by(metrics, rows=True, wanted=wanted), 0
    notes = Notes()
    for result in engine.map(work, slice_test_set(test_set, outputs)):
        if progress:
            progress("scoring", min(done, len(test_set)), len(test_set))
        done += BLOCK
        notes.add(result.notes)
        for place in wanted:
            parts[place].append(result.rows(*place))
    notes.tell()
    rows = {place: np.concatenate(part) for place, part in parts.items()}
    if cache is not None:
        for (m, o), row in rows.items():
            cache.put(metrics[m], test_set, outputs[o].segments, row)
    return rows


class Notes:
    """What was noticed in chunks: each thing once, and not too many of them."""

    def __init__(self) -> None:
        self._notes: dict[str, None] = {}

    def add(self, notes: Sequence[str]) -> None:
        """Take some down."""
        self._notes.update(dict.fromkeys(notes))

    def tell(self) -> None:
        """Hand them to the reader of the scores."""
        notes = list(self._notes)
        for note in notes[:MOST_NOTES]:
            workspace.current().note(note)
        if len(notes) > MOST_NOTES:
            workspace.current().note(f"and {len(notes) - MOST_NOTES} more notes like these")
