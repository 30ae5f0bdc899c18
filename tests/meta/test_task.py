"""Tasks that cannot be are refused."""

import pytest

from adjudge.errors import AdjudgeError
from adjudge.meta import Task, run_task
from helpers.meta_tasks import SCORES, meta_set


@pytest.mark.parametrize(
    ("task", "message"),
    [
        ({"gold": "da", "correlation": "pearsn"}, "did you mean 'pearson'"),
        ({"gold": "da", "correlation": "spa"}, "level must be system"),
        ({"gold": "da", "level": "system", "correlation": "acc_eq"}, "level must be segment"),
        ({"gold": "da", "level": "system", "grouping": "item"}, "grouping must be none"),
        (
            {"gold": "da", "correlation": "pdp", "grouping": "none"},
            "level must be segment or document, grouping item",
        ),
        ({"gold": "dda"}, "did you mean 'da'"),
        ({"gold": "da", "excluded": ("x",)}, "system to leave out"),
        ({"gold": "da", "excluded": ("a", "b")}, "fewer than two systems"),
        ({"gold": "da", "level": "document"}, "which segments make a document"),
    ],
)
def test_tasks_that_cannot_be(task, message):
    with pytest.raises(AdjudgeError, match=message):
        run_task(meta_set(SCORES, {"good": SCORES}), Task(**task))
