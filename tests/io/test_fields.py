"""Values of JSON and TOML: one vocabulary of what is expected, and of what is said where it is something else."""

import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adjudge.errors import DataError, UsageError
from adjudge.io import fields
from adjudge.io.fields import Fields

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=5,
)


@given(VALUES)
def test_every_value_of_json_has_a_name_and_is_of_the_kind_it_is_called(value):
    assert fields.kind_of(value) in fields.KINDS.values()
    kinds = [kind for kind in (str, bool, int, float, list, dict) if fields.fits(value, kind)]
    assert len(kinds) == (0 if value is None else 2 if fields.is_whole(value) else 1)


@given(VALUES, st.sampled_from((str, bool, int, float, list, dict)))
def test_a_value_comes_back_as_it_is_or_is_refused_by_its_field(value, kind):
    large = fields.fits(value, float) and not abs(value) <= fields.LARGEST
    if fields.fits(value, kind) and not large:
        assert fields.check_type(value, kind, "a.b") is value
        return
    with pytest.raises(DataError, match=r"^a\.b: .+ was expected, not ") as caught:
        fields.check_type(value, kind, "a.b")
    assert len(str(caught.value)) < 400


@pytest.mark.parametrize(
    ("taken", "message"),
    [
        (lambda: fields.text(None, "name"), "name: missing"),
        (lambda: fields.text(" ", "name"), "name: a text was expected, not ' '"),
        (lambda: fields.texts("ab", "names"), "names: a list of texts was expected"),
        (lambda: fields.texts(["a", ""], "names"), "names: a list of texts was expected"),
        (lambda: fields.texts(["a"], "names", "two names", fewest=2), "names: two names was expected"),
        (lambda: fields.table([], "rules"), "rules: a table was expected, not []"),
        (lambda: fields.check_type(True, float, "share"), "share: a number was expected, not True"),
        (
            lambda: fields.check_type(1e300, float, "n"),
            "n: a number up to 9,007,199,254,740,992 was expected",
        ),
        (
            lambda: fields.list_under({"a": {}}, "a", "x.json, task 1"),
            "x.json, task 1: 'a' is no list, but {}",
        ),
        (lambda: fields.table_under({"a": 3}, "a", "x.json"), "x.json: 'a' is no object, but 3"),
        (
            lambda: Fields("x.json", {"a": True}).take("a", int),
            "x.json: a: true or false, but a whole number",
        ),
        (lambda: Fields("x.json", {"a": {}}).object("a").number("b"), "x.json: a.b: missing; a number was"),
    ],
)
def test_what_is_said(taken, message):
    with pytest.raises(DataError, match=f"^{re.escape(message)}"):
        taken()


def test_an_unknown_field_is_told_the_nearest_one():
    fields.check_keys(["common"], ("common", "repeats"), "assignment.")
    with pytest.raises(
        UsageError, match=r"unknown field 'assignment.comon'; did you mean 'assignment.common'"
    ):
        fields.check_keys(["comon"], ("common", "repeats"), "assignment.")


def test_what_another_tool_left_out_is_empty():
    assert fields.list_under({"a": None}, "a", "x") == fields.list_under({}, "a", "x") == []
    assert fields.table_under({}, "a", "x") == {}


@given(VALUES)
def test_only_finite_numbers_are_numbers(value):
    number = fields.finite(value)
    assert number is None or json.loads(json.dumps(number, allow_nan=False)) == number == float(value)


def test_numbers_with_hundreds_of_digits_are_none():
    assert fields.finite(10**400) is None
    assert fields.finite(10**300) == 1e300
    assert fields.finite(True) is None
