"""Dask: chunks go to workers, a bounded number at a time; the work of a worker that dies is done by another one."""

from __future__ import annotations

import importlib.metadata
import logging
import time
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import CancelledError
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import dask
from distributed import Client, Future
from distributed.scheduler import KilledWorker

from adjudge import __version__
from adjudge.database.problems import first_line
from adjudge.engine.chunks import Chunk, ChunkResult, Work, code_hash, other_build, score_chunk
from adjudge.errors import AdjudgeError, ProgramError, UsageError

CONNECT = 10.0
"""Seconds until a scheduler that does not answer is given up."""
WORKERS = 60.0
"""Seconds that a cluster without workers is waited for: some start them when they are needed."""
AHEAD = 2
"""Chunks that are under way for each thread of the cluster: one that is scored, and one that waits for it."""
ASKED = 1.0
"""Seconds after which workers are counted anew."""
SETTINGS = {
    # A chunk is a few megabytes and belongs to its task: where a worker dies, the scheduler still has it.
    "distributed.admin.large-graph-warning-threshold": "1GB",
}


class DaskEngine:
    """The workers of a cluster."""

    def __init__(self, client: Client) -> None:
        self.client = client
        self._address = str(client.scheduler.address) if client.scheduler else ""
        self._asked, self._space = -ASKED, 0

    def map(self, work: Work, chunks: Iterable[Chunk]) -> Iterator[ChunkResult]:
        """What comes of each chunk, in their order, however they are finished."""
        self.check()
        work = replace(work, code=code_hash())  # a worker that joins later is refused with its first chunk
        under_way: deque[Future] = deque()
        coming = iter(chunks)
        try:
            with dask.config.set(SETTINGS):
                while True:
                    while len(under_way) < self._room() and (chunk := next(coming, None)) is not None:
                        under_way.append(self.client.submit(score_chunk, work, chunk, pure=False))
                    if not under_way:
                        return
                    yield self._result(under_way.popleft())
        finally:
            if under_way and self.client.status == "running":
                self.client.cancel(list(under_way), force=True)

    def check(self) -> None:
        """Refuse a cluster without workers, and workers that would compute something else."""
        from distributed import TimeoutError as Late

        try:
            self.client.wait_for_workers(1, timeout=WORKERS)
            versions = self.client.run(importlib.metadata.version, "adjudge", on_error="return")
            self._check_versions(versions)
            self._check_code(self.client.run(code_hash, on_error="return"))
        except (Late, TimeoutError):
            raise ProgramError(
                f"{self._address}: the cluster has no workers; start some: dask worker {self._address}"
            ) from None
        except (OSError, CancelledError) as error:
            raise self._connection_lost(error) from None

    def _check_versions(self, versions: Mapping[str, object]) -> None:
        others = _others(versions, __version__)
        if others is not None:
            workers, version = others
            what = f"adjudge {version}" if isinstance(version, str) else "no adjudge"
            raise UsageError(
                f"{workers} has {what}, but {__version__} asks it: results must not depend on who computes them; "
                f"on every machine: pip install 'adjudge[cluster]=={__version__}'"
            )

    def _check_code(self, hashes: Mapping[str, object]) -> None:
        others = _others(hashes, code_hash())
        if others is not None:
            workers, code = others
            raise UsageError(
                f"{workers} has {other_build(code if isinstance(code, str) else 'unknown', code_hash())}"
            )

    def _room(self) -> int:
        """How many chunks may be under way: as many as workers can use; they are asked for every now and then."""
        if time.monotonic() < self._asked + ASKED:
            return self._space
        try:
            workers = self.client.scheduler_info(n_workers=-1)["workers"].values()
        except (KeyError, OSError, CancelledError, TimeoutError) as error:  # there is no one left to tell
            raise self._connection_lost(error) from None
        threads: int = sum(worker["nthreads"] for worker in workers)
        self._asked, self._space = time.monotonic(), AHEAD * max(1, threads)
        return self._space

    def _result(self, future: Future) -> ChunkResult:
        try:
            result: ChunkResult = future.result()
        except AdjudgeError:
            raise
        except KilledWorker as error:
            raise ProgramError(
                f"workers died one after the other of the same chunk, {error.last_worker.address} last: where memory "
                "ran out, give them more (dask worker --memory-limit)"
            ) from None
        except (CancelledError, OSError, TimeoutError) as error:
            raise self._connection_lost(error) from None
        future.release()
        return result

    def _connection_lost(self, error: BaseException) -> ProgramError:
        return ProgramError(
            f"the scheduler at {self._address} does not answer any more ({type(error).__name__}): is it running? What "
            "was scored so far is not kept; start the cluster again and repeat the command"
        )


def _others(answers: Mapping[str, object], expected: str) -> tuple[str, object] | None:
    """The first worker that answers something else, with the number of further ones, and its answer."""
    others = sorted(((name, value) for name, value in answers.items() if value != expected), key=str)
    if not others:
        return None
    more = f" (and {len(others) - 1} more)" if len(others) > 1 else ""
    return f"{others[0][0]}{more}", others[0][1]


@contextmanager
def connect_cluster(wanted: Any) -> Iterator[DaskEngine]:
    """The cluster that an address, a client or a cluster object means; quiet about what we say ourselves."""
    if isinstance(wanted, Client):
        yield DaskEngine(wanted)
        return
    if not isinstance(wanted, str) and not hasattr(wanted, "scheduler_address"):
        raise UsageError(
            f"{type(wanted).__name__} is no engine: local, the address of a Dask scheduler, a Dask client or cluster"
        )
    loggers = [logging.getLogger(name) for name in ("distributed.client", "distributed.comm")]
    levels = [logger.level for logger in loggers]
    for logger in loggers:
        logger.setLevel(logging.CRITICAL)
    try:
        with _client(wanted) as client:
            yield DaskEngine(client)
    finally:
        for logger, level in zip(loggers, levels, strict=True):
            logger.setLevel(level)


def _client(wanted: Any) -> Client:
    try:
        return Client(wanted, timeout=CONNECT, set_as_default=False)
    except (OSError, TimeoutError, ValueError) as error:
        raise ProgramError(
            f"there is no Dask scheduler at {wanted} ({first_line(error)[:80]}); start one: dask scheduler"
        ) from None
