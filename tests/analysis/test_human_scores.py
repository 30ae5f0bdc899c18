"""What people think of segments: means by the book, whichever way the scores go, and files that fit no test set."""

import numpy as np
import pytest

from adjudge.analysis.human_scores import human_scores
from adjudge.data import Outputs, TestSet
from adjudge.data.judgements import Judgements, NameColumn, Span
from adjudge.errors import DataError, UsageError

TEST_SET = TestSet(references=[["a", "b", "c"]])
OUTPUTS = [Outputs("x", ["a", "b", "c"]), Outputs("y", ["a", "b", "c"])]


def judged(rows: list[tuple[str, str, float]], **others) -> Judgements:
    systems, items, scores = zip(*rows, strict=True)
    return Judgements(
        protocol=others.pop("protocol", "da"),
        system=NameColumn.of(systems),
        item=NameColumn.of(items),
        annotator=NameColumn.same("ann", len(rows)),
        score=np.array(scores),
        **others,
    )


def test_outputs_count_alike_however_often_they_were_judged() -> None:
    rows = [("x", "1", 10.0), ("x", "1", 20.0), ("y", "1", 45.0), ("x", "3", 7.0), ("z", "2", 99.0)]
    assert human_scores(judged(rows), TEST_SET, OUTPUTS).tolist() == pytest.approx(
        [30, np.nan, 7], nan_ok=True
    )


def test_systems_that_are_not_there_count_where_nobody_else_was_judged() -> None:
    assert human_scores(judged([("z", "2", 9.0)]), TEST_SET, OUTPUTS)[1] == 9


def test_penalties_are_turned_round() -> None:
    rows = [("x", "1", 10.0), ("x", "2", 0.0)]
    assert human_scores(judged(rows, higher_is_better=False), TEST_SET, OUTPUTS)[:2].tolist() == [-10, 0]
    bare = [("x", "1", 0.0), ("x", "2", 0.0)]
    marked = judged(bare, protocol="mqm", spans=((Span(0, 1, "major"),), ()))
    assert human_scores(marked, TEST_SET, OUTPUTS)[:2].tolist() == [-5, 0]


def test_ids_are_those_of_a_label() -> None:
    test_set = TestSet(references=[["a", "b"]], labels={"id": ["s-1", "s-2"]})
    assert human_scores(judged([("x", "s-2", 4.0)]), test_set, OUTPUTS)[1] == 4


def test_what_fits_no_test_set_is_said() -> None:
    with pytest.raises(DataError, match="judgement 1: segment 4: the test set has 1 to 3"):
        human_scores(judged([("x", "4", 1.0)]), TEST_SET, OUTPUTS)
    with pytest.raises(DataError, match="no scores"):
        human_scores(judged([("x", "1", np.nan)]), TEST_SET, OUTPUTS)
    with pytest.raises(UsageError, match="rankings"):
        human_scores(judged([("x", "1", 1.0)], other=NameColumn.of(["y"])), TEST_SET, OUTPUTS)
