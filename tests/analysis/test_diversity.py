"""How rich words are: the values of lexicalrichness 0.5.1, definitions by the book, and laws."""

import math
import re
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from adjudge.analysis.diversity import diversity, text_diversity
from adjudge.data import Outputs, TestSet

EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / "reference.en"
SENTENCE = (
    "the cat sat on the mat and the dog sat on the log while the cat and the dog and the bird looked at the old man "
    "on the hill"
)


def numbered(words: list[str]) -> np.ndarray:
    numbers: dict[str, int] = {}
    return np.array([numbers.setdefault(word, len(numbers)) for word in words], np.int64)


def test_the_values_of_lexicalrichness() -> None:
    short = text_diversity("x", numbered(SENTENCE.split()), window=10)
    assert (short.words, short.types, short.ttr) == (30, 15, 0.5)
    assert short.mattr == pytest.approx(0.7428571428571428)
    assert short.mtld == pytest.approx(13.026315789473685)
    assert short.yule_k == pytest.approx(1000.0)
    words = re.findall("[a-z]+", EXAMPLE.read_text(encoding="utf-8").lower())
    long = text_diversity("x", numbered(words), window=100)
    assert (long.words, long.types) == (2874, 1121)
    assert long.mattr == pytest.approx(0.7702918918918983)
    assert long.mtld == pytest.approx(140.04445949328115)
    assert long.yule_k == pytest.approx(104.3720268924134)


@given(st.lists(st.integers(0, 5), min_size=1, max_size=30), st.integers(1, 12))
def test_windows_by_the_book(words, window) -> None:
    size = min(window, len(words))
    shares = [len(set(words[i : i + size])) / size for i in range(len(words) - size + 1)]
    own = text_diversity("x", np.array(words, np.int64), window)
    assert own.mattr == pytest.approx(np.mean(shares))
    assert own.mtld > 0
    assert own.hapaxes == sum(words.count(w) == 1 for w in set(words)) / len(set(words))


def mtld(words: list[int]) -> float:
    """Words over factors, one way: a stretch ends where no more than 72 % of its words are different."""
    factors, stretch = 0.0, []
    for word in words:
        stretch.append(word)
        if len(set(stretch)) / len(stretch) <= 0.72:
            factors, stretch = factors + 1, []
    if stretch:
        factors += (1 - len(set(stretch)) / len(stretch)) / (1 - 0.72)
    return len(words) / factors if factors else float(len(words))


@given(st.lists(st.integers(0, 9), min_size=1, max_size=60))
def test_stretches_by_the_book(words) -> None:
    own = text_diversity("x", np.array(words, np.int64))
    assert own.mtld == (mtld(words) + mtld(words[::-1])) / 2


def test_texts_beside_the_reference_without_punctuation() -> None:
    test_set = TestSet(references=[["One, two!", "Three."]])
    result = diversity(test_set, [Outputs("x", ["one one ONE", ", . !"])])
    x, reference = result.texts
    assert (x.words, x.types, reference.words, reference.types) == (3, 1, 3, 3)
    assert reference.text == "reference"


def test_a_text_without_words() -> None:
    [own, _] = diversity(TestSet(references=[["a"]]), [Outputs("x", ["..."])]).texts
    assert own.words == 0
    assert math.isnan(own.mtld)
    assert math.isnan(own.mattr)
