"""Some of the judgements, by patterns of names; what is left out is counted."""

import numpy as np
import pytest

from adjudge.data.judgements import BAD_REFERENCE, ORDINARY, Judgements, NameColumn
from adjudge.errors import DataError, UsageError
from adjudge.human.conditions import Condition, select_judgements

TABLE = Judgements(
    "da",
    NameColumn.of(["a", "b", "a", "b"]),
    NameColumn.of(["U-1", "U-2", "E-1", "E-10"]),
    NameColumn.of(["x", "y", "x", None]),
    np.array([1.0, 2, 3, 4]),
    kind=np.array([ORDINARY, BAD_REFERENCE, ORDINARY, ORDINARY], np.int8),
    labels={"domain": NameColumn.of(["news", "news", None, "chat"])},
)
PAIRS = Judgements(
    "rank",
    NameColumn.of(["a", "b", "c"]),
    NameColumn.of(["1", "2", "3"]),
    NameColumn.of(["x", "x", "y"]),
    np.array([1.0, 0, -1]),
    other=NameColumn.of(["b", "c", "a"]),
)


def scores(judgements, only=(), without=()):
    result = select_judgements(
        judgements,
        only=[Condition.read(entry) for entry in only],
        without=[Condition.read(entry) for entry in without],
    )
    return result.judgements.score.tolist(), result.warnings


@pytest.mark.parametrize(
    ("only", "without", "left"),
    [
        ((), (), [1, 2, 3, 4]),
        (("item=U-*",), (), [1, 2]),
        ((), ("item=U-*",), [3, 4]),
        (("item=E-?",), (), [3]),
        (("annotator=x", "annotator=y"), (), [1, 2, 3]),
        (("annotator=x", "system=a"), (), [1, 3]),
        (("system=a", "item=U-1"), (), [1]),
        (("kind=bad*",), (), [2]),
        ((), ("domain=news",), [3, 4]),
        (("domain=",), (), [3]),
        (("domain=*",), (), [1, 2, 4]),
        ((), ("annotator=",), [1, 2, 3]),
        ((), ("system=A",), [1, 2, 3, 4]),  # case matters
    ],
)
def test_ratings(only, without, left):
    assert scores(TABLE, only, without)[0] == left


def test_a_comparison_has_two_systems():
    assert scores(PAIRS, without=["system=a"])[0] == [0]
    assert scores(PAIRS, only=["system=[ab]"])[0] == [1]


def test_what_is_left_out_is_counted():
    assert scores(TABLE, ["annotator=x"], ["item=E-1"])[1] == (
        "3 of 4 judgements left out as asked (--only annotator=x --without item=E-1)",
    )
    assert scores(TABLE, without=["item=Z*"])[1] == ("--without item=Z*: no judgement matches",)


def test_what_cannot_be():
    with pytest.raises(UsageError, match="'item': write NAME=PATTERN"):
        Condition.read("item")
    with pytest.raises(
        UsageError, match="no label 'origin' to choose by; there are: item, system, annotator, kind, d"
    ):
        scores(TABLE, ["origin=x"])
    with pytest.raises(
        DataError, match="nothing is left of 4 judgements: --only item=Z; item is U-1, U-2, E-1, E-10"
    ):
        scores(TABLE, ["item=Z"])
    with pytest.raises(DataError, match=r"nothing is left of 4 judgements: --without item=\*"):
        scores(TABLE, without=["item=*"])
