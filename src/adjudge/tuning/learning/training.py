"""A metric learned, and held against the best single metric on what it has not seen."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from adjudge.comparison.scoring import Progress
from adjudge.errors import DataError, UsageError
from adjudge.metrics.base import Direction, Metric
from adjudge.stats.draws import group_folds
from adjudge.tuning.learning.agreement import agreements, compare_with_people, measures_of
from adjudge.tuning.learning.batch import TrainingBatch, standardise_values
from adjudge.tuning.learning.features import FeatureMetrics
from adjudge.tuning.learning.fitting import fit
from adjudge.tuning.learning.learned_metric import LearnedMetric, UnseenResult
from adjudge.tuning.learning.material import TrainingSet
from adjudge.wording import pluralise

Array = NDArray[np.float64]

FEWEST = 10
"""Segments, below which nothing can be said of any that were not seen."""


def train(
    sets: Sequence[TrainingSet],
    features: FeatureMetrics,
    *,
    learner: str = "linear",
    objective: str | None = None,
    penalty: float = 0.03,
    folds: int = 5,
    seed: int = 12345,
    resamples: int = 1000,
    progress: Progress | None = None,
) -> LearnedMetric:
    """Learn from all of the sets, and say how well that goes where something is held out.

    `objective` is one of `OBJECTIVES`; without one, pairs where there are as many as translations, else regression.
    """
    if not sets:
        raise UsageError("no judgements to learn from: -j FILE, or --sets FILE")
    batch = TrainingBatch.of(sets)
    segments = int(batch.segment.max()) + 1
    if segments < FEWEST:
        raise DataError(
            f"too few judgements: {pluralise(segments, 'segment')}, and {FEWEST} are the fewest to learn from"
        )
    objective = objective or ("pairs" if len(batch.pairs) >= len(batch) else "regression")
    options: dict[str, Any] = {"learner": learner, "objective": objective, "penalty": penalty, "seed": seed}
    model = fit(batch, features.metrics, **options)
    first, *others = _measures(batch, objective)
    unseen, notes = [], [*features.notes, *(note for training_set in sets for note in training_set.notes)]
    for number, unit in enumerate(batch.groups):
        if progress:
            progress(f"holding out by {unit}", number, len(batch.groups))
        try:
            tested = FoldScores.of(batch, features.metrics, unit, first, folds, options)
        except DataError as error:
            notes.append(f"nothing could be held out by {unit}: {error}")
            continue
        known = measures_of(tested.batch)
        unseen += [
            tested.result(measure, resamples, seed) for measure in (first, *others) if measure in known
        ]
    learned = model.scores(batch.scores)
    return LearnedMetric(
        replace(model, signatures=features.signatures, unseen=tuple(map(asdict, unseen))),
        learner,
        objective,
        penalty,
        tuple(unseen),
        float(agreements(batch, learned[:, None], first)[0]),
        tuple(map(_facts, sets)),
        len(batch),
        len(batch.pairs),
        folds,
        seed,
        resamples,
        tuple(notes),
    )


@dataclass(frozen=True, eq=False)
class FoldScores:
    """Scores of translations by what was learned, or chosen, without their fold."""

    batch: TrainingBatch
    """Where folds part pairs, without these."""
    unit: str
    folds: int
    both: Array
    """Translations × (learned, best single metric)."""
    singles: tuple[str, ...]

    @classmethod
    def of(
        cls,
        batch: TrainingBatch,
        metrics: Sequence[Metric],
        unit: str,
        measure: str,
        folds: int,
        options: dict[str, Any],
    ) -> FoldScores:
        """Fitted once a fold; scores are brought to one scale within each set, for which no judgement is needed."""
        fold = group_folds(batch.groups[unit], folds, options["seed"])
        oriented = batch.scores * np.array([-1.0 if m.direction is Direction.LOWER else 1.0 for m in metrics])
        alone = standardise_values(oriented, batch.set)
        both, singles = np.empty((len(batch), 2)), []
        for number in range(int(fold.max()) + 1):
            fold_rows, seen = fold == number, batch.take(fold != number)
            model = fit(seen, metrics, **options)
            if measure not in measures_of(seen):
                raise DataError("what is left has no two translations that people tell apart")
            best = int(np.argmax(agreements(seen, oriented[fold != number], measure)))
            learned = standardise_values(model.scores(batch.scores), batch.set)
            both[fold_rows] = np.column_stack([learned, alone[:, best]])[fold_rows]
            singles.append(metrics[best].spec)
        within = replace(batch, pairs=batch.pairs[fold[batch.pairs[:, 0]] == fold[batch.pairs[:, 1]]])
        if not measures_of(within):
            raise DataError("no two translations that people tell apart lie in one fold")
        order = sorted(dict.fromkeys(singles), key=lambda name: -singles.count(name))
        return cls(within, unit, int(fold.max()) + 1, both, tuple(order))

    def result(self, measure: str, draws: int, seed: int) -> UnseenResult:
        """How both agree with people, by a measure."""
        agreement = compare_with_people(self.batch, self.both, measure, draws=draws, seed=seed)
        return UnseenResult(
            self.unit,
            self.folds,
            measure,
            agreement.first,
            agreement.second,
            agreement.first - agreement.second,
            agreement.p,
            self.singles,
            agreement.number,
        )


def _measures(batch: TrainingBatch, objective: str) -> tuple[str, ...]:
    """Those there are, that of the objective first."""
    measures = measures_of(batch)
    first = "pearson" if objective == "regression" else "tau"
    return tuple(sorted(measures, key=lambda measure: measure != first))


def _facts(training_set: TrainingSet) -> dict[str, Any]:
    """What the file says of a set."""
    return {
        "name": training_set.name,
        "language_pair": training_set.pair,
        "judgements": training_set.judgements,
        "translations": len(training_set),
        "segments": len(np.unique(training_set.segment)),
        "systems": len(set(training_set.system)),
    }
