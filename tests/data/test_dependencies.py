"""Heads that make a tree, and those that do not; trees by text."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adjudge.data import TestSet
from adjudge.data.dependencies import ParsedSentence, Treebank, head_fault
from adjudge.errors import DataError


def sentence(words: str, heads: list[int], **columns) -> ParsedSentence:
    parts = tuple(words.split())
    return ParsedSentence(parts, tuple(heads), ("dep",) * len(parts), **columns)


@st.composite
def heads_of_trees(draw):
    """Heads that hang each word on one that hangs on the root already, under numbers in any order."""
    size = draw(st.integers(1, 12))
    order = draw(st.permutations(range(1, size + 1)))
    heads = [0] * size
    for place in range(1, size):
        heads[order[place] - 1] = order[draw(st.integers(0, place - 1))]
    return heads


@given(heads_of_trees())
def test_trees_have_no_fault(heads):
    assert head_fault(heads) is None


@given(heads_of_trees(), st.data())
def test_a_word_below_itself_is_found(heads, data):
    """Whoever hangs a word on one of those below it, itself included, has a circle or no root."""
    word = data.draw(st.integers(1, len(heads)))

    def is_below(number):
        while number not in (0, word):
            number = heads[number - 1]
        return number == word

    below = data.draw(st.sampled_from([n for n in range(1, len(heads) + 1) if is_below(n)]))
    broken = list(heads)
    broken[word - 1] = below
    assert head_fault(broken) is not None


@pytest.mark.parametrize(
    ("heads", "word", "why"),
    [
        ([2, 3, 1], 1, "no word is the root"),
        ([0, 3, 2], 2, "in a circle .2 → 3 → 2."),
        ([0, 0], 2, "a second root, beside word 1"),
        ([0, 2], 2, "its own head"),
        ([0, 3], 2, "its head is 3, but the words are numbered from 1 to 2"),
    ],
)
def test_faults_name_the_word(heads, word, why):
    number, message = head_fault(heads)
    assert number == word
    assert re.search(why, message)
    with pytest.raises(DataError, match=f"word {word}: "):
        sentence(" ".join("a" * len(heads)), heads)


def test_a_long_circle_is_shown_in_part():
    assert "1 → 2 → 3 → 4 → 5 → 6 → … → 1" in head_fault([2, 3, 4, 5, 6, 7, 8, 1, 0])[1]


def test_a_chain_of_five_thousand_words_is_a_tree():
    assert head_fault(list(range(5000))) is None


def test_columns_have_one_length():
    with pytest.raises(DataError, match="2 words has columns of other lengths"):
        ParsedSentence(("a", "b"), (0, 1), ("root",))


def test_parts_of_speech_are_the_languages_own_where_there_are_any():
    tagged = sentence("a b", [0, 1], tags=("NN", ""), classes=("NOUN", "VERB"))
    assert tagged.parts_of_speech == ("NN", "VERB")
    assert tagged.lemmas == ("", "")
    assert tagged.dependents() == [[1], [2], []]


def test_a_treebank_is_told_apart_by_the_trees_of_the_texts_asked_for():
    bank = Treebank({"a b": (sentence("a b", [0, 1]),), "c": (sentence("c", [0]),)})
    other = Treebank({"a b": (sentence("a b", [2, 0]),), "c": (sentence("c", [0]),)})
    assert bank.fingerprint(["c"]) == other.fingerprint(["c"])
    assert bank.fingerprint(["a b"]) != other.fingerprint(["a b"])
    assert bank.fingerprint(["c", None]) != bank.fingerprint(["c"])
    assert bank != other
    assert bank == Treebank(dict(bank))


# What a test set has of them


def test_test_sets_without_pseudo_references_keep_their_fingerprint():
    plain = TestSet(references=[["a"]], sources=["b"])
    treed = TestSet(references=[["a"]], sources=["b"], trees=Treebank({}), back_translations={"x": "y"})
    assert treed.fingerprint == plain.fingerprint
    assert TestSet(references=[["a"]], sources=["b"], pseudo=1).fingerprint != plain.fingerprint


def test_pseudo_references_are_the_last_ones():
    test_set = TestSet(references=[["a"], ["b"], ["c"]], pseudo=2)
    assert test_set.human_references == (("a",),)
    assert test_set.pseudo_references == (("b",), ("c",))
    assert test_set[:1].pseudo == 2
    assert TestSet(references=[["a"]]).pseudo_references == ()
    with pytest.raises(DataError, match="2 pseudo-references among 1 reference sets"):
        TestSet(references=[["a"]], pseudo=2)


def test_a_part_of_a_test_set_knows_the_same():
    bank = Treebank({"a": (sentence("a", [0]),)})
    part = TestSet(references=[["a", "b"]], trees=bank, back_translations={"a": "z"})[[1]]
    assert part.trees is bank
    assert part.back_translations == {"a": "z"}


def test_what_is_known_of_outputs_depends_on_theirs_alone():
    bank = Treebank({"a": (sentence("a", [0]),), "z": (sentence("z", [0]),)})
    plain = TestSet(references=[["r"]])
    assert plain.knowledge_of(["a"]) == ""
    treed = TestSet(references=[["r"]], trees=bank)
    back = TestSet(references=[["r"]], trees=bank, back_translations={"a": "z"})
    assert len({test_set.knowledge_of(["a"]) for test_set in (plain, treed, back)}) == 3
    assert treed.knowledge_of(["q"]) == back.knowledge_of(["q"])
