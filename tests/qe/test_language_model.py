"""Language models: probabilities that add up, Kneser-Ney's counts, and KenLM on the same n-grams."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from adjudge.errors import DataError
from adjudge.qe.language_model import BITS, SPECIAL, train_language_model
from adjudge.qe.word_text import WordVocabulary

CORPUS = ["a b c", "a b d", "a b", "c a b c d", "d", "b b b", "a c", "e a b c", ""]
SENTENCES = st.lists(st.lists(st.sampled_from("abcdefg"), max_size=6).map(" ".join), min_size=1, max_size=12)


def trained(lines, **options):
    vocabulary = WordVocabulary("intl")
    text = vocabulary.add(lines)
    return vocabulary, train_language_model(text, len(vocabulary), **options)


@given(SENTENCES, st.sampled_from(["", "a", "a b", "g g", "zz", "b zz"]), st.integers(1, 2))
def test_the_probabilities_of_all_next_words_add_up(lines, context, fewest):
    vocabulary, model = trained(lines, fewest=fewest)
    words = [*vocabulary.words, "never-seen"]
    sentences = [f"{context} {word}".strip() for word in words]
    place = len(context.split())
    text = vocabulary.read(sentences)
    scores, _ = model.token_scores(text)
    begins = np.cumsum(text.sizes + 1) - (text.sizes + 1)
    end, _ = model.token_scores(vocabulary.read([context]))
    # "never-seen" is cut into three unknown words, of which the first one counts.
    total = np.exp(scores[begins + place]).sum() + math.exp(end[place])
    assert total == pytest.approx(1.0, abs=1e-5)


def test_lower_orders_count_the_words_before():
    """p(c) by unigrams follows how many different words stood before it, not how often it stood there."""
    vocabulary, model = trained(["x a", "x a", "x a", "x a", "y b", "z b", "w b", "v u t"])
    unigrams = model.orders[0]
    by_word = {
        word: float(unigrams.log_probabilities[unigrams.places(np.array([i + SPECIAL], np.uint64))[0]])
        for i, word in enumerate(vocabulary.words)
    }
    assert by_word["b"] > by_word["a"]
    counts = dict(zip(vocabulary.words, unigrams.counts[2 + 1 :], strict=True))
    assert (counts["a"], counts["b"]) == (4, 3)


def test_discounts_are_those_of_chen_and_goodman():
    from adjudge.qe.language_model import _discounts

    adjusted = np.repeat([1, 2, 3, 4], [10, 5, 3, 2])
    y = 10 / (10 + 2 * 5)
    assert _discounts(adjusted).tolist() == pytest.approx(
        [0, 1 - 2 * y * 5 / 10, 2 - 3 * y * 3 / 5, 3 - 4 * y * 2 / 3]
    )
    assert _discounts(np.array([1, 1])).tolist() == [0, 0.5, 1.0, 1.5]


def test_known_text_is_likelier_than_words_in_another_order():
    vocabulary, model = trained(CORPUS * 3)
    scores = model.sentence_scores(vocabulary.read(["a b c", "c b a"]))
    assert scores[0] > scores[1]


def test_context_is_counted_in_words():
    vocabulary, model = trained(CORPUS)
    _, depths = model.token_scores(vocabulary.read(["a b c zz"]))
    assert depths.tolist() == [1, 2, 2, 0, 0]


def test_an_empty_text_teaches_nothing():
    vocabulary = WordVocabulary("intl")
    with pytest.raises(DataError, match="needs text"):
        train_language_model(vocabulary.add([]), 0)


def test_more_words_than_keys_can_hold_are_refused():
    vocabulary = WordVocabulary("intl")
    with pytest.raises(DataError, match="different words at most"):
        train_language_model(vocabulary.add(["a"]), 1 << BITS)


def arpa(model, words):
    """The n-grams in the format that others read."""
    names = ["<unk>", "<s>", "</s>", *words]
    lines = ["\\data\\", *(f"ngram {i}={len(o.keys)}" for i, o in enumerate(model.orders, 1))]
    for order, ngrams in enumerate(model.orders, 1):
        lines += ["", f"\\{order}-grams:"]
        for key, probability, backoff in zip(
            ngrams.keys, ngrams.log_probabilities, ngrams.backoffs, strict=True
        ):
            ids = [int(key) >> BITS * (order - 1 - i) & (1 << BITS) - 1 for i in range(order)]
            text = " ".join(names[i] for i in ids)
            value = -99.0 if text == "<s>" else probability / math.log(10)
            lines.append(f"{value:.8f}\t{text}" + (f"\t{backoff / math.log(10):.8f}" if order < 3 else ""))
    return "\n".join([*lines, "", "\\end\\", ""])


@pytest.mark.oracle
def test_kenlm_reads_the_same_scores_from_the_same_ngrams(tmp_path):
    kenlm = pytest.importorskip("kenlm", reason="KenLM is not installed: pip install 'adjudge[qe]'")
    vocabulary, model = trained(CORPUS * 3)
    file = tmp_path / "model.arpa"
    file.write_text(arpa(model, vocabulary.words), encoding="utf-8")
    sentences = ["a b c", "c b a", "b zz a", "", "e e a b", "d d d d d"]
    theirs = [kenlm.Model(str(file)).score(sentence) * math.log(10) for sentence in sentences]
    assert model.sentence_scores(vocabulary.read(sentences)) == pytest.approx(theirs, abs=1e-4)
