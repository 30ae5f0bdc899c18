"""Segments on which systems differ most, and those on which all fare badly or well."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

import numpy as np
from numpy.typing import NDArray

from adjudge.analysis.base import AnalysisInputs, Progress
from adjudge.comparison.comparing import measure
from adjudge.comparison.results import Measured
from adjudge.data import Outputs, TestSet
from adjudge.display import Cell, Column, Data, Displayable, Row, Section, Signature, Table, arrow, visible
from adjudge.errors import UsageError
from adjudge.metrics.base import Metric
from adjudge.wording import number, with_sign

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

    @property
    def title(self) -> str:
        """Of its page."""
        return f"Segments by the largest differences of {visible(self.metric)}"

    def sections(self) -> list[Section]:
        """One table per reason."""
        parts = [
            Section(
                _title(self, example_list),
                (_table(self, example_list),),
                key=f"examples {example_list.why} {example_list.system}".rstrip(),
            )
            for example_list in self.lists
            if example_list.examples
        ]
        note = (
            "Chosen by what is largest: such segments show what differences look like, not how large they usually are. "
            "A segment whose texts are those of one before is left out."
        )
        return [*parts, Section(notes=(note, Signature(self.metric, self.signature)), key="notes")]

    def data(self) -> Data:
        """One row per example."""
        scores = [f"{self.metric} {name}" for name in self.systems]
        head = ["why", "system", "segment", "delta", *scores, "source", "reference", *self.systems]
        rows = [
            [
                example_list.why,
                example_list.system,
                e.segment,
                e.delta,
                *e.scores,
                e.source,
                e.reference,
                *e.outputs,
            ]
            for example_list in self.lists
            for e in example_list.examples
        ]
        return Data(head, rows)


def examples(
    test_set: TestSet,
    outputs: Iterable[Outputs],
    metric: Metric | str = "chrf",
    *,
    top: int = TOP,
    threads: int = 0,
    cache: RowCache | None = None,
    progress: Progress | None = None,
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
        for why, values in (("better", deltas), ("worse", -deltas)):
            chosen = _largest(np.where(values > 0, values, np.nan), first, top)
            lists.append(
                ExampleList(why, names[place], _make_examples(test_set, order, scores, deltas, chosen))
            )
    means = sign * scores.mean(0)
    for why, values in (("low", -means), ("high", means)):
        chosen = _largest(values, first, top)
        lists.append(ExampleList(why, "", _make_examples(test_set, order, scores, means, chosen)))
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


def _make_examples(
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


def analyse(
    inputs: AnalysisInputs,
    *,
    metric: Annotated[str, "Segments are sorted by it."] = "chrf",
    top: Annotated[int, "Segments of each kind."] = 3,
    threads: int = 0,
    cache: RowCache | None = None,
) -> Examples:
    """Show the segments on which a system is furthest ahead of the first or behind it, and where all are low or high.

    \b
    adjudge analyse examples -r reference.en rulebased.en neural.en
    adjudge analyse examples -s source.pt -r reference.en -m ter --top 10 -o examples.html rulebased.en neural.en
    """
    loaded = inputs.load()
    return examples(
        loaded.test_set,
        loaded.outputs,
        metric,
        top=top,
        threads=threads,
        cache=cache,
        progress=inputs.progress,
    )


def _title(result: Examples, example_list: ExampleList) -> str:
    first = visible(result.systems[0])
    return {
        "better": f"{visible(example_list.system)} is furthest ahead of {first}",
        "worse": f"{visible(example_list.system)} is furthest behind {first}",
        "low": "All systems fare badly" if len(result.systems) > 1 else f"{first} fares badly",
        "high": "All systems fare well" if len(result.systems) > 1 else f"{first} fares well",
    }[example_list.why]


def _table(result: Examples, example_list: ExampleList) -> Table:
    metric = visible(result.metric)
    head = [Column("Segment"), Column("Text"), Column(metric, True, arrow(result.higher_is_better))]
    head += [Column("Δ", True, joined=True)] if example_list.system else []
    blank = [Cell("")] * bool(example_list.system)
    rows = []
    for example in example_list.examples:
        texts = [
            (name, text, score)
            for name, text, score in zip(result.systems, example.outputs, example.scores, strict=True)
            if not example_list.system or name in (result.systems[0], example_list.system)
        ]
        for place, (name, text, score) in enumerate(texts):
            delta = (
                [Cell(with_sign(example.delta, result.decimals))] if example_list.system and place else blank
            )
            cells = (
                Cell(str(example.segment) if not place else ""),
                Cell(f"{visible(name)}: {visible(text)}"),
            )
            rows.append(Row((*cells, Cell(number(score, result.decimals)), *delta), detail=place > 0))
        for name, text in (("reference", example.reference), ("source", example.source)):
            if text:
                rows.append(Row((Cell(""), Cell(f"{name}: {visible(text)}"), Cell(""), *blank), detail=True))
    return Table(tuple(head), tuple(rows))
