"""One or two systems looked through: alignments of chosen segments, and how measures of all are spread."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, runtime_checkable

import numpy as np

from adjudge.analysis.alignments import Distribution, Structure, choose, distribution, ratios, structure
from adjudge.data import Alignment, Outputs, TestSet
from adjudge.errors import UsageError
from adjudge.evaluate.scoring import Progress, TestSetFacts, check, chosen_metrics, facts_of, rows_by
from adjudge.metrics import aligning
from adjudge.metrics.base import Metric, Rows

if TYPE_CHECKING:
    from adjudge.engine.cache import RowCache

DEFAULT_METRIC = "ter"
TOP = 5
BLOCK = 1000
"""Segments whose alignments are held in memory at once."""
RATIOS = ("precision", "recall", "fragmentation")


@runtime_checkable
class Weighing(Protocol):
    """A metric that weighs its matches and so has ratios of its own, from sums of rows."""

    def precision(self, sums: Rows) -> Rows:
        """The share of the output that is matched."""

    def recall(self, sums: Rows) -> Rows:
        """The share of the reference that is matched."""

    def fragmentation(self, sums: Rows) -> Rows:
        """Chunks per matched word."""


@dataclass(frozen=True)
class SystemView:
    """One system's output of one segment, against the reference that its score was taken from."""

    system: str
    score: float
    precision: float
    recall: float
    fragmentation: float
    alignment: Alignment
    structure: Structure


@dataclass(frozen=True)
class SegmentView:
    """One segment as every system translated it; `number` counts from 1."""

    number: int
    source: str | None
    references: tuple[str | None, ...]
    systems: tuple[SystemView, ...]

    @property
    def same_reference(self) -> bool:
        """Whether all systems were held against the same words."""
        return len({view.alignment.reference for view in self.systems}) == 1


@dataclass(frozen=True)
class SystemSummary:
    """One system over the whole test set; ratios are of all its words, crossings the mean of segments."""

    system: str
    score: float
    precision: float
    recall: float
    fragmentation: float
    crossings: float


@dataclass(frozen=True)
class Xray:
    """Everything that is to be looked at."""

    test_set: TestSetFacts
    metric: str
    label: str
    signature: str
    higher_is_better: bool | None
    decimals: int
    shown: str
    """Which segments: one of the choices, or `chosen` by number."""
    systems: tuple[SystemSummary, ...]
    segments: tuple[SegmentView, ...]
    distributions: tuple[Distribution, ...]
    """Of score, precision, recall and fragmentation."""

    @property
    def short_label(self) -> str:
        """The metric without its options, which the label and the signature tell."""
        return self.label.partition("(")[0]


def xray(
    test_set: TestSet,
    outputs: Iterable[Outputs] | Outputs,
    metric: Metric | str = DEFAULT_METRIC,
    *,
    segments: Sequence[int] = (),
    show: str | None = None,
    top: int = TOP,
    threads: int = 0,
    cache: RowCache | None = None,
    progress: Progress | None = None,
) -> Xray:
    """Look at how one or two systems match the reference.

    `segments` are numbers from 1; without them `show` chooses (one of `analysis.alignments.CHOICES`; by default
    where two systems differ most, or where one is worst) and `top` says how many.
    """
    outputs = (outputs,) if isinstance(outputs, Outputs) else tuple(outputs)
    (chosen,) = chosen_metrics(metric, test_set)
    check(test_set, outputs, [chosen])
    if len(outputs) > 2:
        raise UsageError(f"one or two systems can be looked at together, not {len(outputs)}")
    if chosen.name not in aligning():
        raise UsageError(
            f"{chosen.name} yields no alignment of words; metrics that do: {', '.join(aligning())}"
        )
    for number in segments:
        if not 1 <= number <= len(test_set):
            raise UsageError(f"there is no segment {number}: they are numbered from 1 to {len(test_set)}")

    compute = rows_by(chosen, test_set, threads, cache)
    rows = []
    for index, output in enumerate(outputs):
        if progress:
            progress(f"{chosen.label} of {output.title}", index, 2 * len(outputs))
        rows.append(compute(output))
    counts = _counts(chosen, test_set, outputs, progress)
    scores = np.array([chosen.for_segments().aggregate(found) for found in rows])
    measured = [_ratios(chosen, *known) for known in zip(rows, counts, strict=True)]

    show = show or ("different" if len(outputs) == 2 else "worst")
    if segments:
        show, places = "chosen", [number - 1 for number in dict.fromkeys(segments)]
    else:
        shares = _shares(chosen, rows) if len(rows) == 2 else None
        places = choose(scores, show, top, higher_is_better=chosen.higher_is_better, shares=shares)
    titles = [output.title for output in outputs]
    part = test_set[places]
    chosen_alignments = [
        chosen.alignments(chosen.prepare(part), [output.segments[place] for place in places])
        for output in outputs
    ]

    def view(index: int, place: int) -> SegmentView:
        return SegmentView(
            number=place + 1,
            source=None if test_set.sources is None else test_set.sources[place],
            references=tuple(column[place] for column in test_set.references),
            systems=tuple(
                SystemView(
                    system=name,
                    score=float(scores[i][place]),
                    **{ratio: float(measured[i][ratio][place]) for ratio in RATIOS},
                    alignment=chosen_alignments[i][index],
                    structure=structure(chosen_alignments[i][index]),
                )
                for i, name in enumerate(titles)
            ),
        )

    return Xray(
        test_set=facts_of(test_set),
        metric=chosen.spec,
        label=chosen.label,
        signature=chosen.signature(test_set),
        higher_is_better=None if chosen.neutral else chosen.higher_is_better,
        decimals=chosen.decimals,
        shown=show,
        systems=tuple(
            SystemSummary(
                system=name,
                score=float(chosen.aggregate(found.sum(0))),
                **{ratio: float(value) for ratio, value in total.items()},
                crossings=float(counted[:, -1].mean()),
            )
            for name, found, counted in zip(titles, rows, counts, strict=True)
            for total in [_ratios(chosen, found.sum(0), counted.sum(0))]
        ),
        segments=tuple(view(index, place) for index, place in enumerate(places)),
        distributions=_distributions(chosen, titles, scores, measured),
    )


def _shares(metric: Metric, rows: Sequence[Rows]) -> Rows:
    """What the first system's score gains from each segment of the second in place of its own."""
    first, second = rows
    total = first.sum(0)
    return metric.aggregate(total - first + second) - metric.aggregate(total)


def _counts(
    metric: Metric, test_set: TestSet, outputs: Sequence[Outputs], progress: Progress | None
) -> list[Rows]:
    """What can be counted in the alignments of all segments, block by block: only numbers are kept."""
    found: list[list[tuple[int, ...]]] = [[] for _ in outputs]
    for start in range(0, len(test_set), BLOCK):
        if progress:
            progress("alignments", len(outputs) * (len(test_set) + start) // len(test_set), 2 * len(outputs))
        part = slice(start, start + BLOCK)
        prepared = metric.prepare(test_set[part])
        for output, counted in zip(outputs, found, strict=True):
            aligned = metric.alignments(prepared, output.segments[part])
            counted += [structure(alignment).row for alignment in aligned]
    if progress:
        progress("done", 2 * len(outputs), 2 * len(outputs))
    return [np.array(counted, np.float64) for counted in found]


def _ratios(metric: Metric, rows: Rows, counts: Rows) -> dict[str, Rows]:
    """The metric's own ratios where it has some, else those of the words; NaN where there are no words."""
    counted = ratios(counts)
    if not isinstance(metric, Weighing):
        return counted
    return {
        ratio: np.where(np.isnan(counted[ratio]), np.nan, getattr(metric, ratio)(rows)) for ratio in RATIOS
    }


def _distributions(
    metric: Metric, titles: Sequence[str], scores: Rows, measured: Sequence[dict[str, Rows]]
) -> tuple[Distribution, ...]:
    low, high = sorted(metric.scale)
    score = distribution("score", dict(zip(titles, scores, strict=True)), low=low, high=high)
    others = (
        distribution(ratio, {name: found[ratio] for name, found in zip(titles, measured, strict=True)})
        for ratio in RATIOS
    )
    return (score, *others)
