"""Results from Python into a history."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from adjudge.comparison.results import Comparison
from adjudge.comparison.scoring import Scores
from adjudge.errors import UsageError
from adjudge.history.evaluations import of_comparison, of_scores, of_study
from adjudge.history.place import Revision, revision_of
from adjudge.history.records import History
from adjudge.history.stored_study import StudyArguments

if TYPE_CHECKING:
    from adjudge.io import Input


def record(
    result: Scores | Comparison,
    *,
    place: str | None = None,
    label: str | None = None,
    made: float | None = None,
    revision: str | None = None,
    study: str = "study",
    inputs: Sequence[Input] = (),
) -> int:
    """Keep a result with its rows in a history, by default the project's; the number of its record comes back.

    Scores must have been made with `rows=True`. A result of a study goes under the name of the `study`. `inputs` are
    the files, as `load` names them. The time (`made`, in seconds since 1970) is now and the revision what git says,
    unless others are given.
    """
    if isinstance(result, Scores):
        evaluation = of_scores(result, inputs=inputs)
    elif isinstance(result, Comparison) and result.tables:
        metrics = tuple(table.metric for table in result.tables if table.is_metric)
        evaluation = of_study(result, study, inputs, StudyArguments("", metrics))
    elif isinstance(result, Comparison):
        evaluation = of_comparison(result, inputs=inputs)
    else:
        raise UsageError(f"a history keeps scores, comparisons and studies, not {type(result).__name__}")
    project = revision_of() if revision is None else Revision(revision)
    with History.open(place, create=True) as history:
        return history.add(evaluation, command="python", label=label, revision=project, made=made)
