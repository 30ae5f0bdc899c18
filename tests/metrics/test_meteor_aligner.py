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
phrases = st.lists(words, min_size=1, max_size=3).map(tuple)


def stem(word):
    return word[0]


SYNSETS = {"a": [1, 7], "b": [1, 2], "b1": [2, 9], "c": [7], "d": [9, 4]}
SYNONYMS = _native.SynonymTable(
    "".join(f"{w}\n{' '.join(map(str, s))}\n" for w, s in SYNSETS.items()), "", []
)


def synsets(word):
    return SYNSETS.get(word, [])


def kernel(
    pairs,
    matchers,
    *,
    references=1,
    parameters=RANK,
    threads=1,
    form_2005=False,
    characters=False,
    paraphrases=None,
):
    """Rows and links of segments whose last `references` texts are references."""
    table = _native.MeteorWords(_native.MeteorLexicon("", SYNONYMS, sorted(FUNCTION_WORDS), characters))
    columns = [
        table.read(_native.texts([" ".join(pair[k]) for pair in pairs])) for k in range(1 + references)
    ]
    table.look_up(list(map(stem, table.fresh())))
    bits = sum(1 << oracle.NAMES.index(name) for name in matchers)
    arguments = (table, columns[0], columns[1:], bits, parameters, form_2005, paraphrases, threads)
    return _native.meteor_rows(*arguments), _native.meteor_links(*arguments)


def compiled(pairs):
    """A paraphrase table of these pairs."""
    builder = _native.ParaphraseBuilder()
    builder.feed("".join(f"0.5\n{' '.join(a)}\n{' '.join(b)}\n" for a, b in pairs).encode())
    return _native.ParaphraseTable(builder.finish(bytes(32)))


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


@given(
    st.lists(st.tuples(sentences, sentences), min_size=1, max_size=3),
    st.lists(st.tuples(phrases, phrases), min_size=1, max_size=8, unique=True),
)
def test_rows_with_phrases_are_the_twins(pairs, table):
    # The table lists what belongs to a phrase in one order, so pairs are put in it.
    table = sorted(table)
    matchers = ("exact", "stem", "synonym", "paraphrase")
    known = oracle.Knowledge(matchers, stem, synsets, table)
    rows, _ = kernel(pairs, matchers, paraphrases=compiled(table))
    for segment, (hypothesis, reference) in enumerate(pairs):
        assert rows[segment].tolist() == oracle.row(hypothesis, reference, known, FUNCTION_WORDS)


@settings(max_examples=15)
@given(st.lists(st.sampled_from("ab"), min_size=20, max_size=35), st.randoms(use_true_random=False))
def test_the_beam_falls_short_where_the_twin_does(reference, random):
    hypothesis = reference[:]
    random.shuffle(hypothesis)
    known = oracle.Knowledge(("exact", "stem"), str)
    rows, _ = kernel([(hypothesis, reference)], ("exact", "stem"))
    assert rows[0].tolist() == oracle.row(hypothesis, reference, known, FUNCTION_WORDS)


@pytest.mark.parametrize("length", [80, 150])
def test_more_words_to_choose_from_than_machine_words_have_bits(length):
    rng = np.random.default_rng(length)
    hypothesis, reference = (list(rng.choice(["a", "a1", "b", "c", "d", "x"], length)) for _ in range(2))
    matchers = ("exact", "stem", "synonym")
    rows, _ = kernel([(hypothesis, reference)], matchers)
    known = oracle.Knowledge(matchers, stem, synsets)
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
    rows, _ = kernel([(["aa1", "c"], ["c", "aa1", "d"])], ("exact",), characters=True)
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


def test_words_must_be_looked_up():
    table = _native.MeteorWords(_native.MeteorLexicon("en", None, [], False))
    segments = table.read(_native.texts(["a b"]))
    with pytest.raises(ValueError, match="nobody looked up"):
        _native.meteor_rows(table, segments, [segments], 1, RANK, False, None, 1)
    with pytest.raises(ValueError, match="do not fit"):
        table.look_up(["a"] * 3)
    table.look_up([])
    assert _native.meteor_rows(table, segments, [segments], 1, RANK, False, None, 1)[0, 4] == 2
    with pytest.raises(ValueError, match="no stemmer is called xx"):
        _native.MeteorLexicon("xx", None, [], False)


def test_very_long_lines_are_aligned():
    rng = np.random.default_rng(5)
    # As words are in a language: the n-th most frequent has a share of about 1/n.
    vocabulary = np.array([f"w{n}" for n in range(5000)])
    shares = 1 / np.arange(1, 5001)
    reference = list(rng.choice(vocabulary, 20_000, p=shares / shares.sum()))
    hypothesis = reference[7000:] + reference[:7000]
    pairs = [(hypothesis, reference), (["a"] * 20_000, ["a"] * 15_000)]
    rows, _ = kernel(pairs, ("exact", "stem"))
    assert rows[0, 4] > 19_000
    assert rows[1, 4] == 15_000
    # Paraphrases are looked for near a word, also across the blocks in which that is done.
    table = compiled([(("w0",), ("w1",)), (("w2", "w0"), ("w3",)), (("new", "thing"), ("novelty", "item"))])
    reference[2046:2050] = ["x", "new", "thing", "x"]
    shifted = [*reference[:100], *reference[107:]]
    shifted[2039:2043] = ["x", "novelty", "item", "x"]
    rows, (links, _) = kernel([(shifted, reference)], ("exact", "stem", "paraphrase"), paraphrases=table)
    assert rows[0, 4] > 19_900
    assert [2040, 2042, 2047, 2049, 3] in links[:, 1:].astype(int).tolist()
