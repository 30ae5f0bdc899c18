"""Scores and comparisons of files that are read in chunks, by an engine: the same numbers, in bounded memory."""

from __future__ import annotations

import hashlib
import tempfile
from collections.abc import Generator, Iterable, Iterator, Sequence
from contextlib import ExitStack, closing
from dataclasses import replace
from itertools import islice
from typing import IO, Any, Unpack, overload

import numpy as np
from numpy.typing import NDArray

from adjudge import workspace
from adjudge.comparison.comparing import check_question, compare_measured
from adjudge.comparison.groups import LENGTH, MOST_TEXTS, has_spaces, length_names, repeated_texts
from adjudge.comparison.plan import Plan, PlanOptions, plan_of
from adjudge.comparison.results import Comparison, Measured
from adjudge.comparison.scoring import (
    DEFAULT_METRICS,
    Progress,
    Score,
    Scores,
    TestSetFacts,
    check,
    empty_warnings,
    facts_of,
    language_warnings,
    resolve_metrics,
    run_means,
)
from adjudge.data import TestSet
from adjudge.data.label_names import meant
from adjudge.data.levels import DOCUMENT
from adjudge.data.origins import ORIGIN
from adjudge.engine.chunks import ChunkResult, Work
from adjudge.engine.engines import Notes, engine_of
from adjudge.engine.spilling import RowFile, SpilledLabels, SpilledNumbers, SpilledRows
from adjudge.errors import DataError, UsageError
from adjudge.io.streams import FileStream, StreamedColumn, open_stream
from adjudge.metrics import metric as metric_of
from adjudge.metrics.base import Metric, Rows
from adjudge.stats.design import TEXT
from adjudge.stats.units import BLOCK, CodedLabels
from adjudge.text.identification import SAMPLE, sample_step, with_language_of
from adjudge.wording import pluralise

Metrics = Iterable[Metric | str] | Metric | str


def score_files(
    systems: Sequence[str],
    references: Sequence[str] = (),
    metrics: Metrics = DEFAULT_METRICS,
    *,
    source: str | None = None,
    labels: str | None = None,
    language: str | None = None,
    rows: str | None = None,
    keep: bool = False,
    threads: int = 0,
    engine: Any = None,
    progress: Progress | None = None,
) -> Scores:
    """Score files of any size, a chunk of segments at a time; what `score` says of them, to the last bit.

    Files are plain text (also compressed) or Parquet (`FILE:COLUMN`), here or behind an address that fsspec knows
    (`s3://…`). `rows` names a Parquet file for the rows and scores of all segments; with `keep`, scores have their rows
    and `labels` (TSV or Parquet), in temporary files. `engine` as in `score`.
    """
    stream = open_stream(
        systems=systems, references=references, source=source, labels=labels, language=language, rows=BLOCK
    )
    return score_stream(
        stream, metrics, rows=rows, keep=keep, threads=threads, engine=engine, progress=progress
    )


def compare_files(
    systems: Sequence[str],
    references: Sequence[str] = (),
    metrics: Metrics = DEFAULT_METRICS,
    plan: Plan | None = None,
    *,
    source: str | None = None,
    labels: str | None = None,
    language: str | None = None,
    threads: int = 0,
    engine: Any = None,
    progress: Progress | None = None,
    **options: Unpack[PlanOptions],
) -> Comparison:
    """Compare systems in files of any size: what `compare` says of them, to the last bit.

    Files and `engine` as in `score_files`. Rows and labels lie in temporary files meanwhile, in the folder that TMPDIR
    names.
    """
    stream = open_stream(
        systems=systems, references=references, source=source, labels=labels, language=language, rows=BLOCK
    )
    chosen = plan_of(plan, options)
    return compare_stream(stream, metrics, chosen, threads=threads, engine=engine, progress=progress)


def score_stream(
    stream: FileStream,
    metrics: Metrics = DEFAULT_METRICS,
    *,
    segments: bool = False,
    rows: str | None = None,
    keep: bool = False,
    threads: int = 0,
    engine: Any = None,
    progress: Progress | None = None,
) -> Scores:
    """The scores of files that are open already."""
    spills = keep or segments
    with workspace.notes_of_block() as notes:
        reading = _Reading(stream, metrics)
        outputs, chosen = stream.head.outputs, reading.metrics
        with ExitStack() as stack:
            stack.callback(reading.close)
            file = None if rows is None else stack.enter_context(RowFile(rows, chosen, outputs))
            spilled = stack.enter_context(closing(SpilledRows()))
            reading.read_labels([*stream.labels, LENGTH] if keep else [])
            for chunk in reading.scored(engine, threads, progress, rows=spills or rows is not None):
                if file is not None:
                    file.write(chunk)
                if spills:
                    spilled.add(chunk)
            facts, kept, labels = reading.facts(), spilled.rows(), reading.labels(texts=keep)
    results = tuple(
        replace(
            _score(output.system, output.run, metric, reading, (m, o)),
            segments=SegmentColumn(metric.for_segments(), kept[m, o]) if segments else None,
            rows=kept[m, o] if keep else None,
        )
        for o, output in enumerate(outputs)
        for m, metric in enumerate(chosen)
    )
    warnings = (*reading.warnings(), *notes)
    return Scores(facts, results, warnings, tuple(run_means(results)), labels)


def compare_stream(
    stream: FileStream,
    metrics: Metrics = DEFAULT_METRICS,
    plan: Plan | None = None,
    *,
    keep: bool = False,
    threads: int = 0,
    engine: Any = None,
    progress: Progress | None = None,
) -> Comparison:
    """The comparison of files that are open already; `keep` for all labels, not only those that it asks for."""
    plan = plan or Plan()
    outputs = stream.head.outputs
    known: dict[str, Sequence[str]] = dict.fromkeys((*stream.labels, LENGTH), ())
    check_question(plan, [output.system for output in outputs], known)
    asked = {meant(name, known) for name in (*plan.unit.split(","), *filter(None, [plan.strata]), *plan.by)}
    with workspace.notes_of_block() as notes:
        reading = _Reading(stream, metrics)
        with closing(reading), closing(SpilledRows()) as spilled:
            reading.read_labels([name for name in known if keep or name in {*asked, DOCUMENT, ORIGIN}])
            for chunk in reading.scored(engine, threads, progress, rows=True):
                spilled.add(chunk)
            rows, facts, labels = spilled.rows(), reading.facts(), reading.labels()
    measured = []
    for m, metric in enumerate(reading.metrics):
        own: dict[str, tuple[Rows, ...]] = {}
        runs: dict[str, tuple[str, ...]] = {}
        for o, output in enumerate(outputs):
            own[output.system] = (*own.get(output.system, ()), rows[m, o])
            runs[output.system] = (*runs.get(output.system, ()), output.run)
        measured.append(Measured.by(metric, metric.signature(reading.sketch()), own, runs))
    comparison = compare_measured(
        measured, facts, labels, plan, language=reading.said, threads=threads, progress=progress
    )
    return comparison.with_warnings([*reading.language_warnings(), *notes])


class _Reading:
    """One pass over the files, and what is known of them afterwards."""

    def __init__(self, stream: FileStream, metrics: Metrics) -> None:
        self.stream = stream
        self.said = stream.head.test_set.language
        asked = [metrics] if isinstance(metrics, Metric | str) else list(metrics)
        known = [metric_of(m) if isinstance(m, str) else m for m in asked]
        self.test_set = _with_language(stream, known)
        stream.head = replace(stream.head, test_set=self.test_set)
        self.metrics, _ = resolve_metrics(known, self.test_set)
        head = len(self.test_set)
        check(
            self.test_set, [replace(o, segments=o.segments[:head]) for o in stream.head.outputs], self.metrics
        )
        for metric in self.metrics:
            if reason := metric.undivided:
                raise UsageError(
                    f"{metric.label} cannot be scored in chunks: {reason}; leave --stream away for it"
                )
        self.sums: dict[tuple[int, int], Rows] = {}
        self.counts: set[int] = set()
        self.empty: list[list[int]] = []
        self.same: set[tuple[int, int]] | None = None
        self._lengths: list[IO[bytes]] = []
        self._labels: dict[str, SpilledLabels] = {}
        self._sizes: SpilledNumbers | None = None

    def read_labels(self, names: Sequence[str]) -> None:
        """Read labels; those by length, which no file has, come with the chunks.

        A file of labels that nobody asks for is looked at all the same: it must be of the same segments.
        """
        columns = self.stream.labels
        unread = self.stream.label_files - {columns[name].path for name in names if name in columns}
        first = {columns[name].path: name for name in list(columns)[::-1] if columns[name].path in unread}
        for name in (*names, *first.values()):
            if name not in self.stream.labels:
                self._sizes = SpilledNumbers(np.int64)
                continue
            self._labels[name] = SpilledLabels()
            for piece in self.stream.label_pieces(name, BLOCK):
                self._labels[name].add(piece)

    def labels(self, *, texts: bool = True) -> dict[str, Sequence[str]]:
        """The labels of all segments, once these have been counted; with `texts`, which of them repeat another."""
        labels: dict[str, Sequence[str]] = {name: label.labels() for name, label in self._labels.items()}
        for name, column in labels.items():
            if len(column) != self.stream.segments:
                raise DataError(
                    f"{self.stream.labels[name].path} has {pluralise(len(column), 'label')} {name!r}, but there are "
                    f"{pluralise(self.stream.segments, 'segment')}; they must be of the same segments in the same order"
                )
        if self._sizes is not None:
            labels[LENGTH] = _lengths(self._sizes.mapped())
        columns = [*filter(None, [self.stream.source]), *self.stream.references[:1]]
        if texts and TEXT not in labels and columns and self.stream.segments <= MOST_TEXTS:
            repeated = repeated_texts(zip(*map(_texts, columns), strict=True))
            labels |= {} if repeated is None else {TEXT: repeated}
        return labels

    def scored(
        self, engine: Any, threads: int, progress: Progress | None, *, rows: bool
    ) -> Iterator[ChunkResult]:
        """What came of every chunk, in order; sums are added up on the way."""
        work, notes, done = Work.by(self.metrics, rows=rows, sizes=self._sizes is not None), Notes(), 0
        with engine_of(engine, threads) as opened:
            for chunk in opened.map(work, self.stream.chunks(BLOCK)):
                done += chunk.segments
                if progress:
                    progress(f"scored {pluralise(done, 'segment')}; MB read", *self.stream.progress())
                notes.add(chunk.notes)
                self._add(chunk)
                yield chunk
        notes.tell()
        if progress:
            progress("done", 1, 1)

    def _add(self, chunk: ChunkResult) -> None:
        facts = chunk.facts
        for place, total in chunk.sums.items():
            self.sums[place] = self.sums[place] + total if place in self.sums else total
        self.counts |= facts.reference_counts
        self.same = set(facts.same_references) if self.same is None else self.same & facts.same_references
        self.empty.append([*facts.empty_outputs, *facts.empty_references])
        if self._sizes is not None and facts.sizes is not None:
            self._sizes.add(np.stack(facts.sizes, axis=1))
        if not self._lengths:
            self._lengths = [tempfile.TemporaryFile() for _ in facts.lengths]  # noqa: SIM115 - read at the end
        for file, lengths in zip(self._lengths, facts.lengths, strict=True):
            file.write((b"," if file.tell() else b"") + lengths.encode())

    def close(self) -> None:
        """Let go of temporary files."""
        for file in self._lengths:
            file.close()
        for labels in self._labels.values():
            labels.close()
        if self._sizes is not None:
            self._sizes.close()

    def sketch(self) -> TestSet:
        """A test set with as many references a segment as there are: what signatures tell is the same."""
        number = len(self.test_set.references)
        columns = tuple(tuple("x" if i < c else None for c in sorted(self.counts)) for i in range(number))
        sources = None if self.test_set.sources is None else ("",) * len(self.counts)
        return replace(self.test_set, references=columns, sources=sources, labels={})

    def facts(self) -> TestSetFacts:
        """What results say of the test set."""
        facts = facts_of(self.test_set, self.metrics)
        return replace(facts, segments=self.stream.segments, fingerprint=self._fingerprint())

    def _fingerprint(self) -> str:
        """As `TestSet.fingerprint` has it: lengths stand before texts there, so references are read once more."""
        digest = hashlib.sha256()
        columns: list[StreamedColumn | None] = [*self.stream.references, self.stream.source]
        roles = ["reference"] * len(self.stream.references) + ["source"]
        for role, column, lengths in zip(roles, columns, self._lengths, strict=True):
            digest.update(f"{role} {self.stream.segments if column else 0} ".encode())
            lengths.seek(0)
            while column and (data := lengths.read(1 << 20)):
                digest.update(data)
            digest.update(b"\n")
            for piece in column.pieces(BLOCK) if column else ():
                digest.update(piece.text())
            digest.update(b"\n")
        if self.test_set.pseudo:
            digest.update(f"pseudo {self.test_set.pseudo}\n".encode())
        return digest.hexdigest()

    def language_warnings(self) -> list[str]:
        """What is to be said of a language that was identified, and of texts without spaces."""
        return language_warnings(self.metrics, self.test_set)

    def warnings(self) -> list[str]:
        """The warnings that texts in memory would get."""
        counts = np.sum(self.empty, axis=0).tolist()
        titles = [output.title for output in self.stream.head.outputs]
        return [
            *self.language_warnings(),
            *empty_warnings(
                titles, counts[: len(titles)], counts[len(titles) :], self.stream.segments, self.same or set()
            ),
        ]


def _lengths(sizes: NDArray[np.int64]) -> CodedLabels:
    """The groups of segments by length, of their words and characters."""
    spaced = has_spaces(*map(int, sizes.sum(0)))
    with closing(SpilledLabels()) as labels:
        for start in range(0, len(sizes), BLOCK):
            labels.add(length_names(*sizes[start : start + BLOCK].T, spaced=spaced))
        return labels.labels()


class SegmentColumn(Sequence[float]):
    """Scores of segments that are made of their rows when somebody looks, a block of them at a time."""

    def __init__(self, metric: Metric, rows: Rows) -> None:
        self._metric, self._rows = metric, rows

    def __len__(self) -> int:
        return len(self._rows)

    @overload
    def __getitem__(self, place: int) -> float: ...
    @overload
    def __getitem__(self, place: slice) -> list[float]: ...
    def __getitem__(self, place: int | slice) -> float | list[float]:
        scores: float | list[float] = self._metric.aggregate(self._rows[place]).tolist()
        return scores

    def __iter__(self) -> Iterator[float]:
        for start in range(0, len(self._rows), BLOCK):
            yield from self[start : start + BLOCK]


def _score(system: str, run: str, metric: Metric, reading: _Reading, place: tuple[int, int]) -> Score:
    return Score(
        system=system,
        run=run,
        metric=metric.spec,
        label=metric.label,
        score=float(metric.aggregate(reading.sums[place])),
        signature=metric.signature(reading.sketch()),
        higher_is_better=metric.direction.higher_is_better,
        decimals=metric.decimals,
    )


def _with_language(stream: FileStream, metrics: Sequence[Metric]) -> TestSet:
    """The head with the language of all of the first reference, where a metric follows it and nobody says it."""
    head = stream.head.test_set
    followers = [metric for metric in metrics if isinstance(metric, Metric) and metric.follows_language]
    if head.language or not head.references or not followers:
        return head
    count = sum(1 for _ in _texts(stream.references[0]))
    step = sample_step(count)
    with closing(_texts(stream.references[0])) as texts:
        sample = list(islice(texts, 0, step * (SAMPLE - 1) + 1, step))
    return with_language_of(head, sample, model=any(metric.needs_language for metric in followers))


def _texts(column: StreamedColumn) -> Generator[str]:
    with closing(column.pieces(BLOCK)) as pieces:
        for piece in pieces:
            yield from filter(None, piece.segments())
