"""Lexicons: held to a twin that goes through all alignments, and to what a lexicon should know."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from adjudge import _native
from adjudge.errors import DataError
from adjudge.qe.lexicon import Lexicon, train_lexicon
from adjudge.qe.word_text import WordText, WordVocabulary
from oracles import lexical

WORDS = 4
SENTENCE = st.lists(st.integers(0, WORDS - 1), min_size=1, max_size=3)
PAIRS = st.lists(st.tuples(SENTENCE, SENTENCE), min_size=1, max_size=4)


def text_of(sentences):
    ids = [word for sentence in sentences for word in sentence]
    return WordText(np.array(ids, np.int32), np.array([len(s) for s in sentences], np.int64))


def trained(pairs, model1, hmm, threads=1, **how):
    source, target = (text_of(side) for side in zip(*pairs, strict=True))
    return _native.LexicalModel.train(
        source.ids, source.sizes, target.ids, target.sizes, WORDS, WORDS, model1, hmm, threads, **how
    )


def table_of(model):
    return {(int(s), int(t)): float(p) for s, t, p in zip(*model.entries(0.0), strict=True)}


@given(PAIRS)
def test_model_1_is_that_of_its_formula(pairs):
    table = lexical.even(pairs, WORDS, WORDS)
    likelihoods = []
    for _ in range(3):
        table, likelihood = lexical.model1_step(pairs, table, WORDS)
        likelihoods.append(likelihood)
    model = trained(pairs, 3, 0)
    assert table_of(model) == pytest.approx(table, abs=1e-6)
    assert model.likelihoods == pytest.approx(likelihoods, abs=1e-5)
    assert likelihoods == sorted(likelihoods) or np.allclose(np.diff(likelihoods), 0, atol=1e-9)


@given(PAIRS)
def test_the_hmm_is_that_of_all_its_paths(pairs):
    table, jumps = lexical.even(pairs, WORDS, WORDS), [1 / 15] * 15
    table, _ = lexical.model1_step(pairs, table, WORDS)
    likelihoods = []
    for _ in range(2):
        table, jumps, likelihood = lexical.hmm_step(pairs, table, jumps, WORDS)
        likelihoods.append(likelihood)
    model = trained(pairs, 1, 2)
    assert table_of(model) == pytest.approx(table, abs=1e-5)
    assert model.jumps == pytest.approx(jumps, abs=1e-6)
    assert model.likelihoods[1:] == pytest.approx(likelihoods, abs=1e-4)


def test_far_jumps_share_a_probability():
    rng = np.random.default_rng(1)
    source, target = rng.integers(0, WORDS, 12).tolist(), rng.integers(0, WORDS, 2).tolist()
    pairs = [(source, target)]
    table, _ = lexical.model1_step(pairs, lexical.even(pairs, WORDS, WORDS), WORDS)
    _, jumps, likelihood = lexical.hmm_step(pairs, table, [1 / 15] * 15, WORDS)
    model = trained(pairs, 1, 1)
    assert model.jumps == pytest.approx(jumps, abs=1e-6)
    assert model.likelihoods[1] == pytest.approx(likelihood, abs=1e-4)


def test_threads_change_nothing():
    rng = np.random.default_rng(2)
    pairs = [(rng.integers(0, WORDS, 9).tolist(), rng.integers(0, WORDS, 8).tolist()) for _ in range(600)]
    alone, several = trained(pairs, 3, 2, threads=1), trained(pairs, 3, 2, threads=3)
    assert all((a == b).all() for a, b in zip(alone.entries(0.0), several.entries(0.0), strict=True))
    assert alone.likelihoods == several.likelihoods
    assert alone.jumps == several.jumps


@given(PAIRS, st.integers(0, 200))
def test_memory_for_speed_changes_nothing(pairs, memory):
    """Whether where words lie is kept for all sentences, for the first of them or for none."""
    whole, little = trained(pairs, 2, 2), trained(pairs, 2, 2, memory=memory)
    assert table_of(whole) == table_of(little)
    assert (whole.jumps, whole.likelihoods) == (little.jumps, little.likelihoods)


GERMAN = {"the": "das", "house": "haus", "is": "ist", "small": "klein", "old": "alt", "book": "buch"}


def small_lexicon():
    rng = np.random.default_rng(3)
    sources = [f"the {rng.choice(['house', 'book'])} is {rng.choice(['small', 'old'])}" for _ in range(200)]
    targets = [" ".join(GERMAN[word] for word in source.split()) for source in sources]
    source, target = WordVocabulary("intl"), WordVocabulary("intl")
    texts = source.add(sources), target.add(targets)
    return source, target, train_lexicon(*texts, len(source), len(target))


def test_a_lexicon_finds_translations_and_alignments():
    source, target, lexicon = small_lexicon()
    words = source.words, target.words
    best = {}
    for s, t, p in zip(lexicon.sources, lexicon.targets, lexicon.probabilities, strict=True):
        if s < len(words[0]):
            best[words[0][s]] = max(best.get(words[0][s], (0.0, "")), (float(p), words[1][t]))
    assert {word: name for word, (_, name) in best.items() if word in ("house", "book", "small", "old")} == {
        "house": "haus",
        "book": "buch",
        "small": "klein",
        "old": "alt",
    }
    links = lexicon.links(source.read(["the house is old"]), target.read(["das haus ist alt"]))
    assert links.place.tolist() == [0, 1, 2, 3]
    wrong = lexicon.links(source.read(["the house is old"]), target.read(["das buch ist klein"]))
    assert wrong.model1.sum() < links.model1.sum() - 5
    assert (wrong.best[[1, 3]] < 0.01).all()


def test_unknown_words_and_empty_segments_are_scored():
    source, target, lexicon = small_lexicon()
    links = lexicon.links(source.read(["", "unheard of", "the"]), target.read(["haus", "", "nie gesehen"]))
    assert np.isfinite(links.columns).all()
    assert links.place[0] == -1
    assert links.model1[1:].tolist() == pytest.approx([np.log(1e-7)] * 2)


def test_a_lexicon_kept_as_arrays_says_the_same():
    source, target, lexicon = small_lexicon()
    again = Lexicon(
        lexicon.source_words,
        lexicon.sources.copy(),
        lexicon.targets.copy(),
        lexicon.probabilities.copy(),
        lexicon.jumps,
    )
    texts = source.read(["the old book is small"]), target.read(["das alte buch ist klein"])
    assert (again.links(*texts).columns == lexicon.links(*texts).columns).all()


@pytest.mark.parametrize(
    ("sources", "targets", "words"),
    [([1, 0], [0, 0], 2), ([0, 0], [1, 0], 2), ([5], [0], 2), ([-1], [0], 2)],
)
def test_a_table_out_of_order_is_refused(sources, targets, words):
    arrays = np.array(sources, np.int32), np.array(targets, np.int32), np.ones(len(sources), np.float32)
    with pytest.raises(ValueError, match="order of its words"):
        _native.LexicalModel(*arrays, words, [1 / 15] * 15)


def test_texts_of_different_lengths_are_refused():
    with pytest.raises(DataError, match="2 source segments, but 1"):
        train_lexicon(text_of([[0], [1]]), text_of([[0]]), 2, 2)


def test_translations_are_counted_above_a_threshold():
    arrays = (
        np.array([0, 0, 1, 2], np.int32),
        np.array([0, 1, 1, 0], np.int32),
        np.array([0.5, 0.15, 0.9, 1.0], np.float32),
    )
    lexicon = Lexicon(2, *arrays, (1 / 15,) * 15)
    assert lexicon.translations(0.2).tolist() == [1, 1]
    assert lexicon.translations(0.01).tolist() == [2, 1]
