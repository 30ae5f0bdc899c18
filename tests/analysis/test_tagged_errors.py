"""Classes of errors by part of speech: what the words say, added up by hand and over all parts."""

import math

import pytest

from adjudge.analysis.error_classes import CLASSES, classes_of, error_classes
from adjudge.analysis.parts_of_speech import tagged_words
from adjudge.data import Outputs, TestSet
from adjudge.data.dependencies import Sentence, Treebank
from adjudge.data.trees import read_tree
from adjudge.errors import UsageError

TAGS = {
    "the": "DET",
    "a": "DET",
    "cat": "NOUN",
    "cats": "NOUN",
    "sleeps": "VERB",
    "sleep": "VERB",
    "now": "ADV",
}


def parse(text: str) -> tuple[Sentence, ...]:
    words = tuple(text.split())
    rest = len(words) - 1
    tags = tuple(TAGS[word] for word in words)
    return (Sentence(words, (0, *[1] * rest), ("root", *["dep"] * rest), classes=tags),)


def classes(reference: list[str], output: list[str], metric: str = "hjerson"):
    trees = Treebank({text: parse(text) for text in (*reference, *output) if text})
    test_set = TestSet(references=[reference], trees=trees)
    return error_classes(test_set, [Outputs("x", output)], metric, trees=True, resamples=1).systems[0]


def test_errors_by_hand() -> None:
    system = classes(
        ["the cat sleeps", "the cat now", "the cat"],  # sleep for sleeps is inflected, a for the lexical,
        ["a cat sleep", "the cat", "the cat now"],  # now is missing from the second, and extra in the third
    )
    told = {
        own.pos: (own.hypothesis_words, own.reference_words, {k: n for k, n in own.words.items() if n})
        for own in system.parts_of_speech
    }
    assert told == {
        "DET": (3, 3, {"lexical": 1}),
        "NOUN": (3, 3, {}),
        "VERB": (1, 1, {"inflection": 1}),
        "ADV": (1, 1, {"missing": 1, "extra": 1}),
    }
    by_tag = {own.pos: own.rates for own in system.parts_of_speech}
    assert by_tag["ADV"]["missing"] == 100
    assert by_tag["DET"]["lexical"] == pytest.approx(100 / 3)
    nothing = {own.pos: own for own in classes(["the cat now"], ["the cat"]).parts_of_speech}["ADV"].rates[
        "extra"
    ]
    assert math.isnan(nothing)  # no word of the output could have been one


def test_parts_add_up_to_the_whole() -> None:
    system = classes(
        ["the cat sleeps now", "a cat sleeps", "cats sleep"],
        ["now a cats sleeps", "cat sleep", "the the cats"],
    )
    for errors in CLASSES:
        [whole] = classes_of([system], errors)
        assert sum(own.words[errors] for own in system.parts_of_speech) == whole.words
    assert sum(own.hypothesis_words for own in system.parts_of_speech) == system.hypothesis_words
    assert system.words.tolist() == [4, 2, 3]


def test_words_of_constituents_have_what_stands_above_them() -> None:
    assert tagged_words((read_tree("(S (NP (DT the) (NN cat)) (VP sat))"),)) == [
        ("the", "DT"),
        ("cat", "NN"),
        ("sat", "VP"),
    ]


def test_words_are_not_cut_twice() -> None:
    with pytest.raises(UsageError, match="words are those of the trees"):
        classes(["the cat"], ["the cat"], "hjerson(tokenize=13a)")
