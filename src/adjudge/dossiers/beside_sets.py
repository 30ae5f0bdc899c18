"""What lies beside the texts of a test set: judgements, and scores of segments in their places."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from adjudge.comparison.judged_places import JudgedPlaces
from adjudge.dossiers.evaluation_dossier import EvaluationContext
from adjudge.dossiers.segment_table import ScoreColumn
from adjudge.errors import DataError
from adjudge.wording import join_names

if TYPE_CHECKING:
    from adjudge.data import Outputs, TestSet
    from adjudge.human.postediting import PostEditingRates
    from adjudge.io.segment_scores import ScoreFile
    from adjudge.io.studies import LoadedSet


def beside_set(
    loaded_set: LoadedSet,
    lower: Sequence[str] = (),
    *,
    rates: PostEditingRates | None = None,
    price: float | None = None,
    currency: str = "",
    by: Sequence[str] = (),
    training: Sequence[str] = (),
) -> EvaluationContext:
    """What a study has beside the texts of a set; `lower` are measures that are better where they are lower."""
    return EvaluationContext(
        judgements=loaded_set.judgements,
        estimates=placed_scores(loaded_set.qe, loaded_set.test_set, loaded_set.outputs, lower),
        rates=rates,
        price=price,
        currency=currency,
        training=tuple(training),
        by=tuple(by),
    )


def placed_scores(
    scores: Sequence[ScoreFile], test_set: TestSet, outputs: Sequence[Outputs], lower: Sequence[str] = ()
) -> tuple[ScoreColumn, ...]:
    """Scores from elsewhere beside the segments that they are of."""
    names = list(dict.fromkeys(output.system for output in outputs))
    places = JudgedPlaces(names, test_set)
    columns = []
    for score in scores:
        at = [places.segment(segment) for segment in score.segments]
        wrong = next((place for place in at if isinstance(place, str)), None)
        if wrong is not None:
            raise DataError(f"{score.path}: {wrong}")
        values = {}
        for row, system in enumerate(score.matrix.systems):
            if system in names:
                column = np.full(len(test_set), np.nan)
                column[np.array(at, np.intp)] = score.matrix.scores[row]
                values[system] = column
        if not values:
            raise DataError(
                f"{score.path}: no scores of {join_names(names)}, but of {join_names(score.matrix.systems, 4)}"
            )
        higher = score.name not in lower
        columns.append(ScoreColumn(score.name, score.name, higher, "qe", values, decimals=3))
    return tuple(columns)
