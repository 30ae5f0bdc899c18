"""Engines: who computes chunks of rows. Threads of this machine, or the workers of a Dask cluster."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any, Protocol

from adjudge.engine.chunks import Chunk, Scored, Work, scored
from adjudge.errors import MissingExtraError, UsageError

LOCAL = "local"


class Engine(Protocol):
    """Scores chunks, some of them at once."""

    def map(self, work: Work, chunks: Iterable[Chunk]) -> Iterator[Scored]:
        """What comes of each chunk, in their order; only so many are taken at a time as are being scored."""


class LocalEngine:
    """Threads of the process itself: a chunk after the other, each by all of them."""

    def __init__(self, threads: int = 0) -> None:
        self.threads = threads

    def map(self, work: Work, chunks: Iterable[Chunk]) -> Iterator[Scored]:
        """One after the other."""
        for chunk in chunks:
            yield scored(work, chunk, self.threads)


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
    with cluster.connected(wanted) as engine:
        yield engine
