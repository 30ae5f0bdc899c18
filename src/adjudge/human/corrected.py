"""Systems' scores freed of their annotators' severity by a mixed model, as an alternative to z-scores."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from adjudge.data.judgements import NONE, ORDINARY, Judgements
from adjudge.errors import UsageError
from adjudge.human.grouping import usable, without_tutorials
from adjudge.stats.mixed import RaterModel, rater_model


@dataclass(frozen=True, eq=False)
class Corrected:
    """A model of who judged what, with the names of systems and annotators in its order."""

    systems: tuple[str, ...]
    annotators: tuple[str, ...]
    model: RaterModel
    left_out: int
    """Judgements that are not in it: control items, repeats, of nobody in particular, recorded twice."""


def corrected(judgements: Judgements, *, repeats: bool = False, translations: bool = True) -> Corrected:
    """The model of these ratings, on their own scale; repeats count where asked for.

    Unlike z-scores it does not take annotators for equally severe because they judged different systems. Standard
    errors hold for other annotators, documents and segments, as far as the judgements show how these differ. It does
    not stretch scales: annotators who use a narrow range count for what they say.
    """
    if judgements.is_ranking:
        raise UsageError("these judgements are rankings, not ratings")
    if len(judgements) and not judgements.annotator.names:
        raise UsageError(
            "these judgements name no annotator, and a mixed model needs annotators: leave it out"
        )
    every = len(judgements)
    judgements = without_tutorials(judgements)
    rows = usable(judgements).rows
    if not repeats:
        rows = rows[judgements.kind[rows] == ORDINARY]
    documents = judgements.labels.get("document")
    named = documents is not None and bool((documents.codes[rows] != NONE).all())
    columns = (judgements.system, judgements.annotator, judgements.item, *((documents,) if named else ()))
    model = rater_model(
        judgements.score[rows],
        *(column.codes[rows].astype(np.int64) for column in columns if column is not None),
        systems_known=len(judgements.system.names),
        raters_known=len(judgements.annotator.names),
        translations=translations,
    )
    return Corrected(judgements.system.names, judgements.annotator.names, model, every - len(rows))
