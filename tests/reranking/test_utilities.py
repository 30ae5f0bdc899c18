"""Expected utilities of all pairs at once are those of the metric itself, pair by pair."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from adjudge.data import TestSet
from adjudge.metrics import metric
from adjudge.reranking import utilities
from adjudge.reranking.utilities import best, distinct, expected_utilities, one_by_one

EXACT = [
    "chrf", "chrf++", "chrf(eps_smoothing=true)", "chrf(whitespace=true,lowercase=true,char_order=3)",
    "chrf(char_order=0,word_order=2)", "bleu", "bleu(smooth=floor)", "bleu+1", "bleu(tokenize=char,max_order=2)",
    "bleu(tokenize=intl,lowercase=true)", "bleu(smooth=mteval)",
]  # fmt: skip
WORDS = ("the", "The", "cat", "cat.", "sat", "on", "Ünï", "漢字", "a", "…", "1,000")
TEXTS = st.lists(st.sampled_from(WORDS), max_size=9).map(" ".join)


def matrix(spec, texts):
    """The slow twin: the metric's own segment score of every pair."""
    chosen = metric(spec)
    rows = [
        chosen.stats(chosen.prepare(TestSet(references=((reference,),))), [text])
        for text in texts
        for reference in texts
    ]
    return chosen.for_segments().aggregate(np.concatenate(rows)).reshape(len(texts), len(texts))


@pytest.mark.parametrize("spec", EXACT)
@given(texts=st.lists(TEXTS, min_size=1, max_size=7))
def test_all_pairs_at_once_are_those_of_the_metric(spec, texts):
    chosen = metric(spec)
    pairs = chosen.all_pairs(texts)
    assert pairs is not None
    count = len(texts)
    scores = chosen.for_segments().aggregate(pairs.rows(0, count)).reshape(count, count)
    assert scores.tolist() == matrix(spec, texts).tolist()  # to the last digit
    assert pairs.rows(count // 2, count).tolist() == pairs.rows(0, count)[count // 2 * count :].tolist()


@pytest.mark.parametrize("size", [63, 64, 65, 130])
def test_sets_of_texts_go_over_the_edges_of_words(size):
    generator = np.random.default_rng(size)
    texts = [" ".join(generator.choice(WORDS, generator.integers(0, 30))) for _ in range(size)]
    chosen = metric("chrf++")
    prepared = chosen.prepare(TestSet(references=(tuple(texts),)))
    slow = np.concatenate([chosen.stats(prepared, [text] * size) for text in texts])
    assert (chosen.all_pairs(texts).rows(0, size) == slow).all()


@pytest.mark.parametrize("spec", ["chrf", "bleu", "ter", "wer"])
@given(texts=st.lists(TEXTS, min_size=1, max_size=6), data=st.data())
def test_expected_utility_is_the_mean_over_the_list_with_its_probabilities(spec, texts, data):
    shares = st.lists(st.floats(0.01, 1), min_size=len(texts), max_size=len(texts))
    probabilities = np.array(data.draw(shares))
    expected = matrix(spec, texts) @ (probabilities / probabilities.sum())
    assert expected_utilities(metric(spec), texts, probabilities) == pytest.approx(expected, abs=1e-9)
    plain = expected_utilities(metric(spec), texts)
    assert plain == pytest.approx(matrix(spec, texts).mean(1), abs=1e-9)


@given(texts=st.lists(TEXTS, min_size=2, max_size=6))
def test_equal_hypotheses_have_equal_utilities_to_the_last_digit(texts):
    twice = [*texts, *texts]
    values = expected_utilities(metric("chrf"), twice)
    assert values[: len(texts)].tolist() == values[len(texts) :].tolist()
    assert distinct(twice).texts == tuple(dict.fromkeys(texts))


def test_blocks_change_nothing(monkeypatch):
    texts = [f"the {word} sat on {word} {number}" for number, word in enumerate(WORDS)]
    whole = expected_utilities(metric("bleu"), texts)
    monkeypatch.setattr(utilities, "BLOCK", 1)
    assert expected_utilities(metric("bleu"), texts).tolist() == whole.tolist()


def test_references_are_prepared_once_for_all_hypotheses(monkeypatch):
    chosen = metric("ter")
    calls = []
    prepare = type(chosen).prepare
    monkeypatch.setattr(type(chosen), "prepare", lambda self, own: calls.append(1) or prepare(self, own))
    one_by_one(chosen, ["a", "b", "c"], ["a", "b", "c"]).rows(0, 3)
    assert calls == [1]


def test_of_equals_the_first_is_best_and_what_has_no_score_is_not():
    assert best(np.array([1.0, 2.0, 2.0]), higher=True) == 1
    assert best(np.array([1.0, 2.0, 2.0 + 1e-12]), higher=True) == 1  # rounding is no difference
    assert best(np.array([3.0, 2.0, 1.0]), higher=False) == 2
    assert best(np.array([np.nan, 2.0]), higher=True) == 1
    assert best(np.array([np.nan, np.nan]), higher=True) is None


@given(texts=st.lists(TEXTS, min_size=1, max_size=6))
def test_the_order_of_a_list_changes_no_utility(texts):
    forward = expected_utilities(metric("chrf"), texts)
    backward = expected_utilities(metric("chrf"), texts[::-1])[::-1]
    assert forward == pytest.approx(backward, abs=1e-9)
