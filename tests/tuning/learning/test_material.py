"""Training sets: every judged translation with the metrics' own scores of it, and what belongs together."""

import numpy as np
import pytest

import adjudge
from adjudge.data import Outputs, TestSet
from adjudge.data.judgements import Judgements, NameColumn
from adjudge.errors import DataError
from adjudge.metrics import metric
from adjudge.tuning.learning import training_set
from adjudge.tuning.learning.batch import TrainingBatch

TEXTS = ["the cat sat on the mat", "it rains today", "no"]
OUTPUTS = (Outputs("a", ["the cat sat", "it rains", "no"]), Outputs("b", ["a cat", "rain today", "yes"]))
METRICS = [metric("chrf"), metric("ter")]


def judgements(rows, **more):
    systems, items, scores = zip(*rows, strict=True)
    return Judgements(
        "da",
        system=NameColumn.of(systems),
        item=NameColumn.of(items),
        annotator=NameColumn.same("", len(rows)),
        score=np.array(scores, np.float64),
        **more,
    )


ROWS = [("a", "1", 80), ("b", "1", 20), ("b", "3", 5), ("a", "3", 60), ("a", "3", 80)]


def test_scores_are_the_metrics_own():
    test_set = TestSet(references=[TEXTS], language="de-en", labels={"document": ["x", "x", "y"]})
    own = training_set("name", test_set, OUTPUTS, judgements(ROWS), METRICS)
    by = {}
    for result in adjudge.score(test_set, OUTPUTS, METRICS, segments=True).results:
        by[result.system, result.metric] = result.segments
    assert own.system == ("a", "b", "b", "a")
    assert own.segment.tolist() == [0, 0, 2, 2]
    assert own.document == ("x", "x", "y", "y")
    for row, (system, segment) in enumerate(zip(own.system, own.segment, strict=True)):
        assert own.scores[row].tolist() == [by[system, "chrf"][segment], by[system, "ter"][segment]]
    assert own.gold.tolist() == [80, 20, 5, 70]  # the mean of two judgements
    assert own.pairs.tolist() == [[0, 1], [3, 2]]
    assert (own.pair, own.judgements) == ("de-en", 5)


def test_documents_may_stand_beside_the_judgements():
    document = NameColumn.of(["x", "x", "y", "y", "y"])
    own = training_set(
        "name",
        TestSet(references=[TEXTS]),
        OUTPUTS,
        judgements(ROWS, labels={"document": document}),
        METRICS,
    )
    assert own.document == ("x", "x", "y", "y")
    assert own.pair == "name"  # where no language is known
    assert (
        training_set("name", TestSet(references=[TEXTS]), OUTPUTS, judgements(ROWS), METRICS).document is None
    )


def test_sets_together_keep_what_belongs_together():
    test_set = TestSet(references=[TEXTS], language="de-en", labels={"document": ["x", "x", "y"]})
    sets = [training_set(name, test_set, OUTPUTS, judgements(ROWS), METRICS) for name in ("one", "two")]
    batch = TrainingBatch.of(sets)
    assert batch.segment.tolist() == [0, 0, 1, 1, 2, 2, 3, 3]
    assert batch.groups["document"].tolist() == [0, 0, 1, 1, 2, 2, 3, 3]  # of one name, but not of one set
    assert batch.groups["system"].tolist() == [0, 1, 1, 0, 0, 1, 1, 0]  # a system is one wherever it stands
    assert "language pair" not in batch.groups  # there is one only
    assert batch.pairs.tolist() == [[0, 1], [3, 2], [4, 5], [7, 6]]
    part = batch.take(batch.set == 1)
    assert part.pairs.tolist() == [[0, 1], [3, 2]]


def test_no_judgements_are_refused():
    some = judgements(ROWS)
    with pytest.raises(DataError, match="name: no judgements to learn from"):
        training_set("name", TestSet(references=[TEXTS]), OUTPUTS, some[np.zeros(5, bool)], METRICS)
