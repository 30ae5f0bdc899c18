"""What a metric is learned from: scores of other metrics beside what people said, translation by translation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from adjudge.comparison.scoring import Progress, resolve_metrics, rows_by
from adjudge.data import Outputs, TestSet
from adjudge.data.judgements import Judgements, NameColumn
from adjudge.errors import DataError
from adjudge.metrics.base import Metric
from adjudge.tuning.gathering import gather
from adjudge.wording import pluralise

if TYPE_CHECKING:
    from adjudge.engine.cache import RowCache

Array = NDArray[np.float64]
Indices = NDArray[np.intp]


@dataclass(frozen=True, eq=False)
class TrainingSet:
    """One test set's judged translations."""

    name: str
    pair: str
    """The language pair, or what there is of it."""
    scores: Array
    """Translations × features, as the metrics give them."""
    gold: Array | None
    """What people said of each, more is better; None where they only put translations in an order."""
    pairs: Indices
    """Two columns: translations of one segment, the better one first."""
    segment: Indices
    system: tuple[str, ...]
    document: tuple[str, ...] | None
    judgements: int
    notes: tuple[str, ...] = ()

    def __len__(self) -> int:
        return len(self.scores)


def training_set(
    name: str,
    test_set: TestSet,
    outputs: Sequence[Outputs],
    judgements: Judgements,
    metrics: Sequence[Metric],
    *,
    min_gap: float = 0.0,
    first_segment: int = 1,
    skip_unknown_systems: bool = False,
    threads: int = 0,
    cache: RowCache | None = None,
    progress: Progress | None = None,
) -> TrainingSet:
    """The judged translations of a test set with every metric's score of them.

    Scores of one segment that differ by more than `min_gap` put its translations in an order.
    """
    if not len(judgements):
        raise DataError(f"{name}: no judgements to learn from")
    columns = feature_scores(
        test_set, outputs, metrics, threads=threads, cache=cache, progress=progress, name=name
    )
    # Where each translation stands goes along as two more columns.
    places = np.arange(len(test_set), dtype=np.float64)
    rows = {
        output.title: np.column_stack([columns[number], places, np.full(len(test_set), number)])[:, None]
        for number, output in enumerate(outputs)
    }
    gathered = gather(
        judgements,
        rows,
        test_set,
        level="segment",
        unit="segment",
        first=first_segment,
        min_gap=min_gap,
        skip_unknown_systems=skip_unknown_systems,
    )
    items = gathered.items
    segment, system = (items.rows[:, 0, column].astype(np.intp) for column in (-2, -1))
    notes = [f"{name}: left out {pluralise(gathered.left_out, 'judgement')} of systems without outputs"]
    return TrainingSet(
        name=name,
        pair=test_set.language or name,
        scores=items.rows[:, 0, :-2],
        gold=None if judgements.is_ranking else items.human,
        pairs=np.empty((0, 2), np.intp) if items.pairs is None else items.pairs,
        segment=segment,
        system=tuple(outputs[number].system for number in system),
        document=_documents(test_set, judgements, segment, first_segment),
        judgements=gathered.judgements,
        notes=tuple(notes if gathered.left_out else ()),
    )


def feature_scores(
    test_set: TestSet,
    outputs: Sequence[Outputs],
    metrics: Sequence[Metric],
    *,
    threads: int = 0,
    cache: RowCache | None = None,
    progress: Progress | None = None,
    name: str = "",
) -> list[Array]:
    """Segments × features of every output."""
    by_output: list[list[Array]] = [[] for _ in outputs]
    for number, metric in enumerate(metrics):
        if progress:
            progress(f"{name}: {metric.label}", number, len(metrics))
        (chosen,), known = resolve_metrics(metric, test_set)
        compute, of_segments = rows_by(chosen, known, threads, cache), chosen.for_segments()
        for columns, output in zip(by_output, outputs, strict=True):
            columns.append(np.asarray(of_segments.aggregate(compute(output))))
    return [np.stack(columns, axis=-1) for columns in by_output]


def _documents(
    test_set: TestSet, judgements: Judgements, segment: Indices, first: int
) -> tuple[str, ...] | None:
    """The document of each translation, by the test set's labels or the judgements' own; None where none is known."""
    labels = test_set.labels.get("document")
    if labels is not None:
        return tuple(labels[place] for place in segment)
    named: NameColumn | None = judgements.labels.get("document")
    if named is None or (named.codes < 0).any():
        return None
    by_item = dict(zip(judgements.item.values(), named.values(), strict=True))
    return tuple(by_item.get(str(place + first), "") for place in segment)
