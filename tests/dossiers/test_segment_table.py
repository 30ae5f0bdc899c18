"""A table of segments holds columns of one length, and names that are known."""

import numpy as np
import pytest

from adjudge.comparison import score
from adjudge.data import Outputs, TestSet
from adjudge.dossiers.segment_table import MarkedSpan, ScoreColumn, SegmentTable, segment_table
from adjudge.errors import AdjudgeError, DataError

OUTPUTS = {"A": ("a", "b"), "B": ("c", "d")}


def scores(**changes):
    known = {
        "key": "chrf",
        "title": "chrF",
        "higher_better": True,
        "kind": "metric",
        "values": {"A": np.zeros(2)},
    }
    return ScoreColumn(**(known | changes))


def test_a_table_is_made_of_a_test_set_its_outputs_and_their_scores():
    test_set = TestSet(
        references=[["a b c d", "e f g"], [None, "e f"]],
        sources=["x", "y"],
        labels={"id": ["first", "second"], "domain": ["news", "news"]},
        language="de-en",
        name="two",
    )
    outputs = [Outputs("A", ["a b c", "e f g"]), Outputs("B", ["a", "g"], run="2")]
    result = score(test_set, outputs, ["chrf", "ter"], segments=True)
    table = segment_table(test_set, outputs, result, marks={"short": [False, True], "long": [0, 0]})
    assert table.identifiers == ("first", "second")
    assert table.systems == ("A", "B (run 2)")
    assert [(s.key, s.title, s.higher_better, s.kind) for s in table.scores] == [
        ("chrf", "chrF", True, "metric"),
        ("ter", "TER", False, "metric"),
    ]
    for column in table.scores:
        matrix = result.segment_matrix(column.key)
        for system, values in zip(matrix.systems, matrix.scores, strict=True):
            np.testing.assert_array_equal(column.values[system], values)
    assert {name: list(indices) for name, indices in table.marks.items()} == {"short": [1], "long": [0]}
    assert (table.language, table.name, len(table)) == ("de-en", "two", 2)


def test_segments_without_names_of_their_own_are_numbered():
    test_set = TestSet(sources=["x", "y"], labels={"id": ["same", "same"]})
    assert segment_table(test_set, [Outputs("A", ["a", "b"])]).identifiers == ("1", "2")


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"outputs": {}}, "needs the outputs of a system"),
        ({"outputs": {"A": ("a",)}}, "2 segments, but the output of 'A' has 1"),
        ({"sources": ("x", "y", "z")}, "2 segments, but the source has 3"),
        ({"references": (("x",),)}, "2 segments, but reference 1 has 1"),
        ({"labels": {"domain": ("n",)}}, "2 segments, but label 'domain' has 1"),
        ({"scores": (scores(values={"A": np.zeros(3)}),)}, "2 segments, but chrf of 'A' has 3"),
        ({"scores": (scores(values={"C": np.zeros(2)}),)}, "unknown system 'C'"),
        ({"scores": (scores(), scores())}, "two scores are called 'chrf'"),
        ({"scores": (scores(kind="people"),)}, "unknown kind of scores 'people'"),
        ({"counts": {"extra": {"A": np.zeros(1, int)}}}, "2 segments, but extra of 'A' has 1"),
        ({"counts": {"extra": {"Z": np.zeros(2, int)}}}, "unknown system 'Z'"),
        ({"spans": {"A": ((MarkedSpan(0, 1, "major"),),)}}, "2 segments, but spans of 'A' has 1"),
        ({"alignments": {"TER": {"A": ()}}}, "2 segments, but TER of 'A' has 0"),
        ({"marks": {"m": [2]}}, "mark 'm' names a segment beyond the last one"),
        ({"marks": {"m": [-1]}}, "or below 0"),
        ({"marks": {"m": [True]}}, "2 segments, but mark 'm' has 1"),
    ],
)
def test_what_does_not_fit_is_refused_by_its_name(changes, message):
    with pytest.raises(AdjudgeError, match=message) as caught:
        SegmentTable(**({"identifiers": ("1", "2"), "outputs": OUTPUTS} | changes))
    assert isinstance(caught.value, DataError) or "unknown" in message
