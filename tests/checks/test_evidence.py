"""The kernel that finds rare words two lines share, against its slow twin."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adjudge import _native
from adjudge.checks.corpus import Text
from adjudge.checks.evidence import evidence, features
from oracles.shared_words import shared_words as oracle

WORDS = [
    "a",
    "the",
    "Kraków",
    "informação",
    "information",
    "informed",
    "2,500",
    "x_y",
    "猫が",
    "好き",
    "ไทย",
    "…",
    "—ok",
    "Ελλάς",
]
lines = st.lists(
    st.lists(st.sampled_from(WORDS) | st.text(max_size=3), max_size=6).map(" ".join), min_size=1, max_size=12
)


@given(lines, lines, st.integers(1, 16), st.sampled_from([1, 10, 10**6]))
def test_against_the_slow_twin(ours, theirs, rare, most):
    result = _native.shared_words(
        _native.texts([line.encode("utf-8", "replace").decode() for line in ours], lowercase=True),
        _native.texts([line.encode("utf-8", "replace").decode() for line in theirs], lowercase=True),
        rare,
        most,
    )
    expected = oracle(ours, theirs, rare, most)
    pairs = [(int(row), int(column)) for row, column, _ in result]
    assert pairs == sorted(expected)
    assert list(result[:, 2]) == pytest.approx([expected[pair] for pair in pairs], abs=1e-9)


def test_nothing_at_all():
    none = _native.texts([])
    assert _native.shared_words(none, none, 16, 100).shape == (0, 3)
    assert _native.shared_words(_native.texts(["a", None]), _native.texts([None]), 16, 100).shape == (0, 3)


def pairs(ours, theirs):
    """Which lines meet, among many that have nothing to do with them."""
    rest = [f"zzz{n} yyy{n}" for n in range(20)]
    result = evidence(
        features(Text("system", "o", (*ours, *[line[::-1] for line in rest]))),
        features(Text("reference", "r", (*theirs, *[f"{line} q" for line in rest]))),
    )
    return {
        (int(i), int(j))
        for i, j in zip(result.rows, result.columns, strict=True)
        if i < len(ours) and j < len(theirs)
    }


@pytest.mark.parametrize(
    ("first", "other"),
    [
        ("Müller", "MULLER"),  # case and accents
        ("Путин", "Putin"),  # letters of another alphabet
        ("informação", "information"),  # cognates start alike
        ("１２５", "125"),  # full width
        ("我住在北京", "北京很大"),
        ("e\u0301tude", "étude"),
        ("\ud800 half 77", "77"),
    ],
)
def test_words_that_are_the_same_in_two_languages(first, other):
    assert pairs([first], [other]) == {(0, 0)}
    assert pairs(["nothing", first], [other, "else"]) == {(1, 0)}


def test_lengths_go_together():
    ours = Text("system", "o", ["x" * (1 + (7 * n) % 97) for n in range(200)])
    theirs = Text("source", "s", ["щ" * (2 + 2 * ((7 * n) % 97)) for n in range(200)])
    shifted = Text("system", "o", [*ours.segments[3:], "x", "x", "x"])
    assert evidence(features(shifted), features(theirs)).length_peaks()[0] == 3
    assert evidence(features(ours), features(theirs)).length_peaks()[0] == 0
