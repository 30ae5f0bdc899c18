"""Texts cut into chunks that can be scored anywhere, and what comes back of each."""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field, fields
from functools import cache
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from adjudge import __version__, _native, workspace
from adjudge.data import Outputs, TestSet
from adjudge.data.dependencies import Treebank
from adjudge.data.texts import Counts, empty_segments, text_lengths
from adjudge.errors import DataError, UsageError
from adjudge.metrics.base import Metric, Rows
from adjudge.stats.units import BLOCK, block_sum

SHARED = ("allow_download", "device", "batch_size", "time_limit", "allow_programs", "named_by_file")
"""Of a workspace, what holds on other machines too: neither a store, a key nor a budget."""


class Chunk(Protocol):
    """Some segments that follow each other: at most a block of rows."""

    @property
    def first(self) -> int:
        """How many segments come before it."""

    def texts(self) -> tuple[TestSet, tuple[Outputs, ...]]:
        """The segments, read where they are scored."""


@dataclass(frozen=True)
class SlicedChunk:
    """A chunk of texts that were in memory."""

    first: int
    columns: Mapping[str, Any]
    """The fields of the test set, without labels."""
    outputs: tuple[tuple[str, str, tuple[str, ...]], ...]
    """System, run and segments."""

    def texts(self) -> tuple[TestSet, tuple[Outputs, ...]]:
        """The segments."""
        return TestSet(**self.columns), tuple(Outputs(s, texts, run) for s, run, texts in self.outputs)


def slice_test_set(test_set: TestSet, outputs: Sequence[Outputs]) -> Iterator[SlicedChunk]:
    """A test set in chunks of a block each, each with what is known of its own texts."""
    for first in range(0, len(test_set), BLOCK):
        part = slice(first, first + BLOCK)
        chunk_outputs = tuple((output.system, output.run, output.segments[part]) for output in outputs)
        columns: dict[str, Any] = {
            "references": tuple(column[part] for column in test_set.references),
            "sources": None if test_set.sources is None else test_set.sources[part],
        }
        back = test_set.back_translations
        translated = {text: back[text] for *_, texts in chunk_outputs for text in texts if text in back}
        trees = test_set.trees
        if trees is not None:
            texts = [
                *columns["references"],
                columns["sources"] or (),
                *(texts for *_, texts in chunk_outputs),
            ]
            texts.append(tuple(translated.values()))
            trees = Treebank({text: trees[text] for column in texts for text in column if text in trees})
        kept = {
            name: getattr(test_set, name)
            for name in ("name", "language", "language_from", "level", "realigned", "pseudo")
        }
        yield SlicedChunk(
            first, {**columns, **kept, "trees": trees, "back_translations": translated}, chunk_outputs
        )


@dataclass(frozen=True)
class Work:
    """What is done to every chunk."""

    metrics: tuple[tuple[type[Metric], tuple[tuple[str, Any], ...]], ...]
    """Each metric's class and options: what it has loaded so far stays here."""
    rows: bool
    """Whether rows are wanted, or their sums alone."""
    settings: Mapping[str, Any]
    """Of the workspace, what holds everywhere."""
    version: str = __version__
    code: str = ""
    """The caller's `code_hash`; empty where this process itself scores."""
    wanted: tuple[tuple[int, int], ...] | None = None
    """Which outputs by which metrics, (metric, output); None for all of them."""
    sizes: bool = False
    """Whether it is wanted how long segments are."""

    @classmethod
    def by(
        cls,
        metrics: Sequence[Metric],
        *,
        rows: bool,
        wanted: Sequence[tuple[int, int]] | None = None,
        sizes: bool = False,
    ) -> Work:
        """Work for some metrics, with what the workspace in use allows."""
        used = workspace.current()
        return cls(
            tuple((type(m), tuple((f.name, getattr(m, f.name)) for f in fields(m))) for m in metrics),
            rows,
            {name: getattr(used, name) for name in SHARED},
            wanted=None if wanted is None else tuple(wanted),
            sizes=sizes,
        )


@dataclass(frozen=True, eq=False)
class ChunkResult:
    """What came of a chunk."""

    segments: int
    sums: dict[tuple[int, int], Rows]
    """Of the rows of an output by a metric: (metric, output)."""
    packed: dict[tuple[int, int], NDArray[Any]]
    """The rows themselves, where they were wanted, in as few bytes as hold them."""
    facts: TextFacts
    notes: list[str] = field(default_factory=list)

    def rows(self, metric: int, output: int) -> Rows:
        """The rows of an output by a metric."""
        return self.packed[metric, output].astype(np.float64)


@dataclass(frozen=True)
class TextFacts:
    """What a result says of texts, of one chunk."""

    lengths: tuple[str, ...]
    """Of the segments of each reference set and of the source, as a fingerprint has them."""
    empty_outputs: tuple[int, ...]
    """How many segments of each output are empty."""
    empty_references: tuple[int, ...]
    reference_counts: frozenset[int]
    """How many references segments have."""
    same_references: frozenset[tuple[int, int]] = field(default_factory=frozenset)
    """Reference sets that have the same texts here."""
    sizes: tuple[Counts, Counts] | None = None
    """Words and characters of segments, where they were wanted."""

    @classmethod
    def of(cls, test_set: TestSet, outputs: Sequence[Outputs], *, sizes: bool = False) -> TextFacts:
        """Count."""
        references = test_set.references
        columns = [*references, test_set.sources or ()]
        counts = frozenset({len(references)})
        if any(None in column for column in references):
            counts = frozenset(sum(r is not None for r in s) for s in zip(*references, strict=True))
        pairs = [(i, j) for j in range(len(references)) for i in range(j)]
        return cls(
            tuple(_native.segment_lengths(column) for column in columns),
            tuple(empty_segments(output.segments) for output in outputs),
            tuple(empty_segments(column) for column in references),
            counts,
            frozenset((i, j) for i, j in pairs if references[i] == references[j]),
            text_lengths(test_set) if sizes else None,
        )


def score_chunk(work: Work, chunk: Chunk, threads: int = 1) -> ChunkResult:
    """Score a chunk, wherever this is."""
    if work.version != __version__:
        raise UsageError(
            f"a worker has adjudge {__version__}, but {work.version} asks it: install the same on every machine"
        )
    if work.code and work.code != code_hash():
        raise UsageError(f"a worker has {other_build(code_hash(), work.code)}")
    test_set, outputs = chunk.texts()
    result = ChunkResult(len(test_set), {}, {}, TextFacts.of(test_set, outputs, sizes=work.sizes))
    with workspace.use(workspace.Workspace(**work.settings, offset=chunk.first, notes=result.notes)):
        try:
            _score(work, test_set, outputs, threads, result)
        except DataError as error:
            before = f" (counted from segment {chunk.first + 1} on)" if chunk.first else ""
            raise DataError(f"{error}{before}") from None
    return result


@cache
def code_hash() -> str:
    """A hash of every Python source of adjudge and of its compiled core: equal hashes give equal numbers.

    Dates of files are left out, because they differ from machine to machine.
    """
    package = Path(workspace.__file__).parent
    digest = hashlib.sha256(Path(_native.CORE).read_bytes())
    for file in sorted(package.rglob("*.py")):
        data = file.read_bytes()
        digest.update(f"{file.relative_to(package).as_posix()} {len(data)}\n".encode() + data)
    return digest.hexdigest()[:16]


def other_build(theirs: str, ours: str) -> str:
    """Say that the same version was built from other code, and what to do."""
    return (
        f"another build of adjudge {__version__} (code {theirs}, but {ours} asks it): results must not depend on "
        "who computes them; install the same wheel, for the same Python, on every machine"
    )


def _score(
    work: Work, test_set: TestSet, outputs: Sequence[Outputs], threads: int, result: ChunkResult
) -> None:
    for m, (kind, options) in enumerate(work.metrics):
        places = [o for o in range(len(outputs)) if work.wanted is None or (m, o) in work.wanted]
        metric = _loaded_metric(kind, options)
        with _TURN if metric.takes_turns else nullcontext():
            prepared = metric.prepare(test_set) if places else None
            for o in places:
                with workspace.use(workspace.with_settings(subject=outputs[o].title)):
                    rows = metric.stats(prepared, outputs[o].segments, threads=threads)
                result.sums[m, o] = block_sum(rows)
                if work.rows:
                    result.packed[m, o] = narrow(rows)


def narrow(rows: Rows) -> NDArray[Any]:
    """Rows in as few bytes as hold all their numbers exactly; most are small counts."""
    for kind in (np.uint8, np.uint16, np.uint32, np.float32):
        with np.errstate(invalid="ignore", over="ignore"):
            smaller = rows.astype(kind)
        if np.array_equal(smaller, rows) and not np.signbit(rows[rows == 0]).any():
            return smaller
    return np.ascontiguousarray(rows)


_TURN = threading.Lock()
"""One chunk at a time for metrics that load models or parsers, so that a process has each of them once."""
_metrics: dict[tuple[type[Metric], tuple[tuple[str, Any], ...]], Metric] = {}


def _loaded_metric(kind: type[Metric], options: tuple[tuple[str, Any], ...]) -> Metric:
    """The metric, with what it has loaded for chunks before."""
    return _metrics.setdefault((kind, options), kind(**dict(options)))
