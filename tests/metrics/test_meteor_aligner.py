"""METEOR's kernel against its slow twin, on small vocabularies where nearly everything ties."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adjudge import _native
from oracles import meteor as oracle

RANK = (0.85, 0.2, 0.6, 0.75, 1.0, 0.6, 0.8, 0.6)
FUNCTION_WORDS = frozenset({"a", "b2"})
words = st.sampled_from(["a", "a1", "a2", "b", "b1", "b2", "c", "d"])
sentences = st.lists(words, max_size=12)


def stem(word):
    return word[0]


def synsets(word):
    return {"a": [1, 7], "b": [1, 2], "b1": [2, 9], "c": [7], "d": [9, 4]}.get(word, [])


def kernel(
    pairs,
    matchers,
    *,
    references=1,
    parameters=RANK,
    threads=1,
    form_2005=False,
    lengths=None,
    paraphrases=None,
):
    """Rows and links of segments whose last `references` texts are references."""
    table = _native.MeteorWords()
    columns = [
        table.read(_native.texts([" ".join(pair[k]) for pair in pairs])) for k in range(1 + references)
    ]
    fresh = table.fresh()
    table.describe(
        [stem(w) for w in fresh],
        [synsets(w) for w in fresh],
        [w in FUNCTION_WORDS for w in fresh],
        [lengths(w) if lengths else 1 for w in fresh],
    )
    bits = sum(1 << oracle.NAMES.index(name) for name in matchers)
    arguments = (table, columns[0], columns[1:], bits, parameters, form_2005, paraphrases, threads)
    return _native.meteor_rows(*arguments), _native.meteor_links(*arguments)


matcher_sets = st.sampled_from([("exact",), ("stem",), ("exact", "stem"), ("exact", "stem", "synonym")])


@given(st.lists(st.tuples(sentences, sentences), min_size=1, max_size=4), matcher_sets)
def test_rows_and_links_are_the_twins(pairs, matchers):
    known = oracle.Knowledge(matchers, stem, synsets)
    rows, (links, sets) = kernel(pairs, matchers)
    assert sets == [0] * len(pairs)
    for segment, (hypothesis, reference) in enumerate(pairs):
        assert rows[segment].tolist() == oracle.row(hypothesis, reference, known, FUNCTION_WORDS)
        expected = [
            [m.hypothesis, m.hypothesis + 1, m.reference, m.reference + 1, oracle.NAMES.index(m.matcher)]
            for m in oracle.align(hypothesis, reference, known)
        ]
        assert links[links[:, 0] == segment][:, 1:].tolist() == expected


@settings(max_examples=15)
@given(st.lists(st.sampled_from("ab"), min_size=20, max_size=35), st.randoms(use_true_random=False))
def test_the_beam_falls_short_where_the_twin_does(reference, random):
    hypothesis = reference[:]
    random.shuffle(hypothesis)
    known = oracle.Knowledge(("exact", "stem"), str)
    rows, _ = kernel([(hypothesis, reference)], ("exact", "stem"))
    assert rows[0].tolist() == oracle.row(hypothesis, reference, known, FUNCTION_WORDS)


def test_the_best_reference_counts_and_of_equals_the_first():
    pairs = [(["c", "d"], ["x", "d"], ["c", "d"]), (["c", "d"], ["c", "x"], ["x", "d"])]
    rows, (_, sets) = kernel(pairs, ("exact",), references=2)
    assert sets == [1, 0]
    assert rows[:, 6].tolist() == [0, 1]
    assert rows[:, 4].tolist() == [2, 1]


def test_which_reference_is_best_depends_on_the_parameters():
    # One reference is short (precision), the other has more of the words and more besides (recall).
    hypothesis, short, long = ["c", "d", "x", "y"], ["c"], ["c", "d", "b", "b", "b", "b"]
    recall, precision = (0.95, 1, 0, 0.5, 1, 1, 1, 1), (0.05, 1, 0, 0.5, 1, 1, 1, 1)
    assert kernel([(hypothesis, short, long)], ("exact",), references=2, parameters=recall)[1][1] == [0]
    assert kernel([(hypothesis, short, long)], ("exact",), references=2, parameters=precision)[1][1] == [1]


def test_characters_count_for_words_but_not_in_chunks():
    rows, _ = kernel([(["aa1", "c"], ["c", "aa1", "d"])], ("exact",), lengths=len)
    assert rows[0, :7].tolist() == [4, 5, 0, 0, 2, 2, 2]
    assert rows[0, 7:11].tolist() == [4, 0, 4, 0]


def test_the_2005_form_keeps_the_one_chunk_of_a_perfect_segment():
    assert kernel([(["c", "d"], ["c", "d"])], ("exact",), form_2005=True)[0][0, 6] == 1


def test_threads_change_nothing():
    rng = np.random.default_rng(4)
    vocabulary = ["a", "a1", "a2", "b", "b1", "c"]
    pairs = [(list(rng.choice(vocabulary, 9)), list(rng.choice(vocabulary, 8))) for _ in range(300)]
    alone, _ = kernel(pairs, ("exact", "stem", "synonym"))
    for threads in (2, 3, 0):
        np.testing.assert_array_equal(kernel(pairs, ("exact", "stem", "synonym"), threads=threads)[0], alone)


def test_words_must_be_described():
    table = _native.MeteorWords()
    segments = table.read(_native.texts(["a b"]))
    with pytest.raises(ValueError, match="without a description"):
        _native.meteor_rows(table, segments, [segments], 1, RANK, False, None, 1)
    with pytest.raises(ValueError, match="do not fit"):
        table.describe(["a"] * 3, [[]] * 3, [False] * 3, [1] * 3)


def test_very_long_lines_are_aligned():
    rng = np.random.default_rng(5)
    # As words are in a language: the n-th most frequent has a share of about 1/n.
    vocabulary = np.array([f"w{n}" for n in range(5000)])
    shares = 1 / np.arange(1, 5001)
    reference = list(rng.choice(vocabulary, 20_000, p=shares / shares.sum()))
    hypothesis = reference[7000:] + reference[:7000]
    rows, _ = kernel([(hypothesis, reference), (["a"] * 20_000, ["a"] * 15_000)], ("exact", "stem"))
    assert rows[0, 4] > 19_000
    assert rows[1, 4] == 15_000
