"""Test sets and outputs: what they refuse, how they are cut, what their fingerprint covers."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from adjudge.data import Link, Outputs, ScoreMatrix, TestSet
from adjudge.errors import DataError

SMALL = TestSet(
    references=(("a", "b", "c"), ("x", None, "z")),
    sources=("1", "2", "3"),
    labels={"document": ("d1", "d1", "d2")},
    name="small",
    language="de-en",
)


def test_columns_of_different_length_are_refused_by_name():
    with pytest.raises(DataError, match="reference 1 has 2 segments, but source has 1"):
        TestSet(references=(("a", "b"),), sources=("1",))
    with pytest.raises(DataError, match="reference 1 has 1 segment, but label 'domain' has 2"):
        TestSet(references=(("a",),), labels={"domain": ("x", "y")})


def test_a_test_set_needs_something():
    with pytest.raises(DataError, match="neither"):
        TestSet()


def test_a_segment_needs_a_reference():
    with pytest.raises(DataError, match="segment 2 has no reference at all"):
        TestSet(references=(("a", None), ("b", None)))


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: TestSet(references=["abc"]), "reference 1: one string was given, a list of segments"),
        (lambda: TestSet(references="abc"), "references: one string was given, a list of reference sets"),
        (lambda: TestSet(references=[["a"]], sources="b"), "sources: one string was given"),
        (lambda: TestSet(references=[["a"]], labels={"d": "b"}), "label 'd': one string was given"),
        (lambda: TestSet(references=[["a", 3]]), "reference 1: segment 2 is int, not a string"),
        (lambda: TestSet(references=[b"abc"]), "reference 1: one string was given"),
        (lambda: TestSet(references=[None]), "reference 1: NoneType was given, a list of segments"),
        (lambda: TestSet(references=3), "references: int was given, a list of reference sets"),
        (lambda: TestSet(sources=["a", None]), "sources: segment 2 is NoneType, not a string"),
        (lambda: Outputs("mine", "text"), "outputs of 'mine': one string was given"),
        (lambda: Outputs("mine", ["a", None]), "outputs of 'mine': segment 2 is NoneType, not a string"),
        (lambda: Outputs("mine", [["a"]]), "outputs of 'mine': segment 1 is list, not a string"),
    ],
)
def test_what_is_no_list_of_texts_is_refused(make, message):
    with pytest.raises(DataError, match=message):
        make()


def test_any_iterable_of_strings_is_a_column():
    class Text(str):
        pass

    assert TestSet(references=iter([iter(["a"])])).references == (("a",),)
    assert Outputs("mine", np.array(["a", "b"])).segments == ("a", "b")
    assert Outputs("mine", [Text("a")]).segments == ("a",)


def test_reference_count():
    assert SMALL.reference_count() is None
    assert SMALL[[0, 2]].reference_count() == 2
    assert TestSet(references=(("a", None), (None, "b"))).reference_count() == 1


def test_slices_keep_all_columns_in_step():
    part = SMALL[[2, 0]]
    assert part.references == (("c", "a"), ("z", "x"))
    assert part.sources == ("3", "1")
    assert part.labels["document"] == ("d2", "d1")
    assert (part.name, part.language) == ("small", "de-en")
    assert SMALL[1:] == SMALL[[1, 2]]
    assert len(SMALL[:0]) == 0


def test_a_test_set_cannot_be_changed():
    with pytest.raises(TypeError):
        SMALL.labels["document"] = ("x",) * 3  # type: ignore[index]


texts = st.lists(st.none() | st.text(max_size=3), max_size=3)


@given(first=texts, second=texts)
def test_fingerprint_is_equal_exactly_for_equal_texts(first, second):
    test_set = TestSet(references=(("r",) * len(first), tuple(first)))
    two = TestSet(references=(("r",) * len(second), tuple(second)))
    assert (test_set.fingerprint == two.fingerprint) == (first == second)


def test_fingerprint_knows_roles_but_not_labels():
    assert TestSet(references=(("a",),)).fingerprint != TestSet(sources=("a",)).fingerprint
    assert TestSet(references=(("a",),), labels={"x": ("y",)}).fingerprint == (
        TestSet(references=(("a",),), name="n").fingerprint
    )
    assert (
        TestSet(references=(("a",), ("b",))).fingerprint != TestSet(references=(("b",), ("a",))).fingerprint
    )


def test_outputs_have_a_title():
    assert Outputs("A", ("x",)).title == "A"
    assert Outputs("A", ("x",), run="2").title == "A (run 2)"


def test_score_matrix_checks_its_shape():
    assert ScoreMatrix(("A",), np.zeros((1, 3))).scores.shape == (1, 3)
    with pytest.raises(DataError, match="2 systems"):
        ScoreMatrix(("A", "B"), np.zeros((1, 3)))


def test_a_substitution_is_a_link_but_no_match():
    assert Link((0, 1), (2, 3), "synonym").matches
    assert not Link((0, 1), (2, 3), "substitution").matches
