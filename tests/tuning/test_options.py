"""Options of a fit: questions that make no sense are refused."""

import pytest

from adjudge.errors import DataError, UsageError
from adjudge.tuning import TuningOptions, tune
from helpers.tunings import DEFAULT, ROWS, TEST_SET, ranked_together, said


def test_questions_that_make_no_sense():
    spoken = said(*(("A", i, i) for i in (1, 2, 3, 4)))
    ranks = ranked_together((1, {"A": 1, "B": 2}))
    for options, message in [
        ({"level": "sytem"}, "unknown level 'sytem'; did you mean 'system'"),
        ({"correlation": "person"}, "unknown correlation 'person'; did you mean 'pearson'"),
        ({"correlation": "tau", "level": "system"}, "of systems there is kendall"),
        ({"fold_by": "speaker"}, "unknown unit 'speaker'"),
        ({"folds": 1}, "at least 2"),
        ({"level": "system", "fold_by": "segment"}, "systems are held out"),
    ]:
        with pytest.raises(UsageError, match=message):
            tune(spoken, ROWS, TEST_SET, DEFAULT, TuningOptions(**options))
    with pytest.raises(DataError, match="tau has no pairs"):
        tune(spoken, ROWS, TEST_SET, DEFAULT, TuningOptions(correlation="tau", folds=2))
    with pytest.raises(UsageError, match="by tau only"):
        tune(ranks, ROWS, TEST_SET, DEFAULT, TuningOptions(correlation="pearson"))
    with pytest.raises(UsageError, match="cannot be held apart"):
        tune(ranks, ROWS, TEST_SET, DEFAULT, TuningOptions(fold_by="system"))
