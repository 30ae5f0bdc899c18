"""One or two systems looked through: alignments of chosen segments, and how measures of all are spread."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Protocol, runtime_checkable

import numpy as np

from adjudge.analysis.alignments import (
    RANKS,
    MeasureDistribution,
    Structure,
    choose,
    distribution,
    ratios,
    shrink_to_middle,
    structure,
)
from adjudge.comparison.scoring import (
    LONG_WORD,
    Progress,
    TestSetFacts,
    check,
    facts_of,
    identified_language,
    resolve_metrics,
    rows_by,
)
from adjudge.data import Alignment, Outputs, TestSet
from adjudge.display import Displayable
from adjudge.errors import UsageError, unknown_name
from adjudge.metrics import aligning_metrics
from adjudge.metrics.base import Direction, Metric, Rows
from adjudge.text.identification import share_of_spaceless

if TYPE_CHECKING:
    from adjudge.engine.cache import RowCache

DEFAULT_METRIC = "ter"
TOP = 5
BLOCK = 1000
"""Segments whose alignments are held in memory at once."""
RATIOS = ("precision", "recall", "fragmentation")
"""Mean characters of words above which Chinese, Japanese or Thai was surely not cut into words."""


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
    reference: int
    """Which reference that is, from 1."""


@dataclass(frozen=True)
class SegmentView:
    """One segment as every system translated it; `number` counts from 1."""

    number: int
    source: str | None
    references: tuple[str | None, ...]
    systems: tuple[SystemView, ...]
    influence: float
    """What the segment adds to the system's score; of two systems, what the first's score would gain if this segment
    were the second's."""

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
    words: Mapping[str, int]
    """Words of the output in links of each kind."""
    extra: int
    """Words of the output in no link."""
    missing: int
    """Words of the reference in no link."""
    hypothesis_words: int
    reference_words: int


@dataclass(frozen=True)
class Xray(Displayable):
    """Everything that is to be looked at."""

    test_set: TestSetFacts
    metric: str
    label: str
    signature: str
    higher_is_better: bool | None
    decimals: int
    shown: str
    """Which segments: one of the choices, or `chosen` by number."""
    rank: str
    """How length counts in that choice; empty where segments were named."""
    systems: tuple[SystemSummary, ...]
    segments: tuple[SegmentView, ...]
    distributions: tuple[MeasureDistribution, ...]
    """Of score, precision, recall and fragmentation."""
    warnings: tuple[str, ...] = ()

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
    rank: str = RANKS[0],
    top: int = TOP,
    threads: int = 0,
    cache: RowCache | None = None,
    progress: Progress | None = None,
) -> Xray:
    """Look at how one or two systems match the reference.

    `segments` are numbers from 1; without them `show` chooses (one of `analysis.alignments.CHOICES`; by default
    where two systems differ most, or where one is worst), `rank` says how length counts (`RANKS` there) and `top` how
    many. `balanced` weighs scores by √words; `score` takes them as they are, which favours short segments; `influence`
    is what a segment does to the score of the whole, which favours long ones.
    """
    outputs = (outputs,) if isinstance(outputs, Outputs) else tuple(outputs)
    (chosen,), test_set = resolve_metrics(metric, test_set)
    check(test_set, outputs, [chosen])
    _check_wishes(chosen, test_set, outputs, segments, rank)
    measures = _measures(chosen, test_set, outputs, threads, cache, progress)
    show = show or ("different" if len(outputs) == 2 else "worst")
    if segments:
        show, rank, places = "chosen", "", [number - 1 for number in dict.fromkeys(segments)]
    else:
        places = _places(measures, show, rank, top)
    views = _views(measures, test_set, outputs, places)
    return Xray(
        test_set=facts_of(test_set, [chosen]),
        metric=chosen.spec,
        label=chosen.label,
        signature=chosen.signature(test_set),
        higher_is_better=chosen.direction.higher_is_better,
        decimals=chosen.decimals,
        shown=show,
        rank=rank,
        systems=tuple(_summary(measures, index) for index in range(len(outputs))),
        segments=views,
        distributions=_distributions(chosen, measures.titles, measures.scores, measures.ratios),
        warnings=(*identified_language([chosen], test_set), *_warnings(chosen, views)),
    )


def _check_wishes(
    metric: Metric, test_set: TestSet, outputs: Sequence[Outputs], segments: Sequence[int], rank: str
) -> None:
    """Refuse what cannot be looked at, before anything is computed."""
    if len(outputs) > 2:
        raise UsageError(f"one or two systems can be looked at together, not {len(outputs)}; leave some away")
    if rank not in RANKS:
        raise unknown_name("rank", rank, RANKS)
    if metric.name not in aligning_metrics():
        raise UsageError(
            f"{metric.name} yields no alignment of words; metrics that do: {', '.join(aligning_metrics())}"
        )
    for number in segments:
        if not 1 <= number <= len(test_set):
            raise UsageError(f"there is no segment {number}: they are numbered from 1 to {len(test_set)}")


@dataclass(frozen=True)
class _Measures:
    """What is known of every segment of every system before any is chosen; lists and rows are by system."""

    metric: Metric
    titles: tuple[str, ...]
    rows: Sequence[Rows]
    counts: Sequence[Rows]
    kinds: Sequence[tuple[dict[str, int], int, int]]
    """Words by kind of link, extra and missing ones."""
    scores: Rows
    totals: Sequence[float]
    ratios: Sequence[dict[str, Rows]]
    influence: Rows
    """Of each segment."""


def _measures(
    metric: Metric,
    test_set: TestSet,
    outputs: Sequence[Outputs],
    threads: int,
    cache: RowCache | None,
    progress: Progress | None,
) -> _Measures:
    compute = rows_by(metric, test_set, threads, cache)
    rows = []
    for index, output in enumerate(outputs):
        if progress:
            progress(f"{metric.label} of {output.title}", index, 2 * len(outputs))
        rows.append(compute(output))
    counts, kinds = _counts(metric, test_set, outputs, progress)
    return _Measures(
        metric=metric,
        titles=tuple(output.title for output in outputs),
        rows=rows,
        counts=counts,
        kinds=kinds,
        scores=np.array([metric.for_segments().aggregate(of_system) for of_system in rows]),
        totals=[float(metric.aggregate(of_system.sum(0))) for of_system in rows],
        ratios=[_ratios(metric, *known) for known in zip(rows, counts, strict=True)],
        influence=_influence(metric, rows),
    )


def _places(measures: _Measures, show: str, rank: str, top: int) -> list[int]:
    """The segments that `show` asks for, counted from 0, in the order of `rank`."""
    sign = -1.0 if measures.metric.direction is Direction.LOWER else 1.0
    merits, gains = measures.scores, None
    if rank == "balanced":
        words = np.array([counted[:, 1] for counted in measures.counts]).mean(0)
        merits = shrink_to_middle(measures.scores, words, float(np.mean(measures.totals)))
    elif rank == "influence":
        merits = np.array([_influence(measures.metric, [of_system]) for of_system in measures.rows])
        gains = sign * measures.influence
    return choose(sign * merits, show, top, gains=gains)


def _views(
    measures: _Measures, test_set: TestSet, outputs: Sequence[Outputs], places: Sequence[int]
) -> tuple[SegmentView, ...]:
    """The chosen segments with their alignments."""
    texts = [[output.segments[place] for place in places] for output in outputs]
    aligned = _alignments(measures.metric, test_set[places], texts)
    return tuple(
        SegmentView(
            number=place + 1,
            source=None if test_set.sources is None else test_set.sources[place],
            references=tuple(column[place] for column in test_set.references),
            systems=tuple(
                _system_view(measures, system, place, *of_system[index])
                for system, of_system in enumerate(aligned)
            ),
            influence=float(measures.influence[place]),
        )
        for index, place in enumerate(places)
    )


def _system_view(
    measures: _Measures, system: int, place: int, alignment: Alignment, reference: int
) -> SystemView:
    return SystemView(
        system=measures.titles[system],
        score=float(measures.scores[system][place]),
        **{ratio: float(measures.ratios[system][ratio][place]) for ratio in RATIOS},
        alignment=alignment,
        structure=structure(alignment),
        reference=reference,
    )


def _summary(measures: _Measures, system: int) -> SystemSummary:
    """One system over all segments."""
    counts = measures.counts[system]
    words, extra, missing = measures.kinds[system]
    whole = _ratios(measures.metric, measures.rows[system].sum(0), counts.sum(0))
    return SystemSummary(
        system=measures.titles[system],
        score=measures.totals[system],
        **{ratio: float(value) for ratio, value in whole.items()},
        crossings=float(counts[:, -1].mean()),
        words=words,
        extra=extra,
        missing=missing,
        hypothesis_words=int(counts[:, 0].sum()),
        reference_words=int(counts[:, 1].sum()),
    )


def _influence(metric: Metric, rows: Sequence[Rows]) -> Rows:
    """What every segment adds to the score; of two systems, what the first gains with this segment of the second."""
    first, second = rows[0], rows[-1]
    total = first.sum(0)
    if len(rows) == 1:
        return metric.aggregate(total) - metric.aggregate(total - first)
    return metric.aggregate(total - first + second) - metric.aggregate(total)


def _alignments(
    metric: Metric, test_set: TestSet, outputs: Sequence[Sequence[str]]
) -> list[list[tuple[Alignment, int]]]:
    """Alignments, and the number of the reference that each of them is to."""
    prepared = metric.prepare(test_set)
    by_output = [metric.alignments(prepared, segments) for segments in outputs]
    if len(test_set.references) == 1:
        return [[(alignment, 1) for alignment in aligned] for aligned in by_output]
    known = []  # the words that each reference is to the metric, which tell it apart
    for column in test_set.references:
        alone = replace(test_set, references=(tuple(text or "" for text in column),))
        known.append([a.reference for a in metric.alignments(metric.prepare(alone), outputs[0])])

    def number(place: int, words: tuple[str, ...]) -> int:
        columns = enumerate(zip(test_set.references, known, strict=True), 1)
        return next(n for n, (column, of) in columns if column[place] is not None and of[place] == words)

    return [[(a, number(place, a.reference)) for place, a in enumerate(aligned)] for aligned in by_output]


def _counts(
    metric: Metric, test_set: TestSet, outputs: Sequence[Outputs], progress: Progress | None
) -> tuple[list[Rows], list[tuple[dict[str, int], int, int]]]:
    """What can be counted in the alignments of all segments, block by block: only numbers are kept.

    A row a segment, and for all segments the words by kind, the extra and the missing ones.
    """
    structures: list[list[tuple[int, ...]]] = [[] for _ in outputs]
    kinds: list[Counter[str]] = [Counter() for _ in outputs]
    extra, missing = [0] * len(outputs), [0] * len(outputs)
    for start in range(0, len(test_set), BLOCK):
        if progress:
            progress("alignments", len(outputs) * (len(test_set) + start) // len(test_set), 2 * len(outputs))
        part = slice(start, start + BLOCK)
        prepared = metric.prepare(test_set[part])
        for i, output in enumerate(outputs):
            for alignment in metric.alignments(prepared, output.segments[part]):
                known = structure(alignment)
                structures[i].append(known.row)
                kinds[i].update(known.words)
                extra[i] += known.extra
                missing[i] += known.missing
    if progress:
        progress("done", 2 * len(outputs), 2 * len(outputs))
    rows = [np.array(counted, np.float64) for counted in structures]
    return rows, list(zip(map(dict, kinds), extra, missing, strict=True))


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
) -> tuple[MeasureDistribution, ...]:
    low, high = sorted(metric.scale)
    score = distribution("score", dict(zip(titles, scores, strict=True)), low=low, high=high)
    others = (
        distribution(ratio, {name: ratios[ratio] for name, ratios in zip(titles, measured, strict=True)})
        for ratio in RATIOS
    )
    return (score, *others)


def _warnings(metric: Metric, views: Sequence[SegmentView]) -> tuple[str, ...]:
    words = [word for segment in views for view in segment.systems for word in view.alignment.reference]
    text = "".join(words)
    if share_of_spaceless(text) < 0.3 or len(text) < LONG_WORD * len(words):
        return ()
    return (
        f"{metric.label} takes what stands between spaces for words, and this text has few spaces; cut it into words "
        "or characters: -m 'ter(normalized=true,asian_support=true)', -m 'wer(tokenize=zh)'",
    )
