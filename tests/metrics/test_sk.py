"""The metric on sequences against KeLP's kernel on real segments, its definition, and its laws."""

import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from adjudge.data import TestSet
from adjudge.errors import MissingExtraError, UsageError
from adjudge.metrics import metric
from adjudge.text import stems
from conftest import Shared
from helpers.trees import kelp_rows, kelp_words
from oracles.kernels import sequence_kernel

sentences = st.lists(st.sampled_from("abcd"), max_size=8)


def scores(spec: str, hypotheses: list[str], *references: list[str | None], threads: int = 1) -> np.ndarray:
    scorer = metric(spec)
    return scorer.segments(scorer.prepare(TestSet(references=references)), hypotheses, threads=threads)


def score(hypothesis: str, *references: str | None, spec: str = "sk(tokenize=none)") -> float:
    return float(scores(spec, [hypothesis], *[[r] for r in references])[0])


def by_definition(a: list[str], b: list[str], n: int, decay: float) -> float:
    both, ours, theirs = (sequence_kernel(x, y, n, decay) for x, y in ((a, b), (a, a), (b, b)))
    return 100 * both / np.sqrt(ours * theirs) if ours and theirs else 0.0


def test_every_pair_of_kelps(shared: Shared) -> None:
    folder = shared.golden / "kelp"
    texts = kelp_rows(folder, "seqs500.tsv", header=False)
    outputs, references = ([" ".join(kelp_words(row[i])) for row in texts] for i in (0, 1))
    golden = [float(row[3]) for row in kelp_rows(folder, "seqs500.sk.n4.l0.75.tsv", header=False)]
    ours = scores("sk(tokenize=none)", outputs, references)
    assert len(ours) == 500
    assert ours / 100 == pytest.approx(golden, rel=1e-5)


@given(sentences, sentences, st.integers(1, 6), st.floats(0.1, 1))
def test_the_kernel_scores_as_the_definition_does(hypothesis, reference, n, decay) -> None:
    spec = f"sk(tokenize=none,n={n},decay={decay!r})"
    ours = score(" ".join(hypothesis), " ".join(reference), spec=spec)
    assert ours == pytest.approx(by_definition(hypothesis, reference, n, decay), rel=1e-12)
    assert 0 <= ours <= 100


@given(sentences.filter(bool), sentences)
def test_the_text_itself_scores_100_and_sides_may_be_changed(some, other) -> None:
    assert score(" ".join(some), " ".join(some)) == 100
    assert score(" ".join(some), " ".join(other)) == pytest.approx(score(" ".join(other), " ".join(some)))


def test_worked_examples() -> None:
    assert score("a b", "a c", spec="sk(tokenize=none,n=1)") == pytest.approx(50)
    # Both words, and the pair over a gap: 2·decay² + decay⁵, of 2·decay² + decay⁴ and 3·decay² + 2·decay⁴ + decay⁶.
    expected = (0.5 + 1 / 32) / np.sqrt((0.5 + 1 / 16) * (0.75 + 1 / 8 + 1 / 64))
    assert score("a b", "a x b", spec="sk(tokenize=none,n=2,decay=0.5)") == pytest.approx(100 * expected)
    assert score("a b.", "A b .", spec="sk(lowercase=true)") == 100
    assert score("b a", "a b") < score("a b", "a b")


@pytest.mark.parametrize("decay", [0.05, 0.15, 0.55, 0.9])
@pytest.mark.parametrize("times", [2, 3, 7])
def test_rounding_never_makes_more_than_100(times, decay) -> None:
    # Of words alone, a word and the same word several times have the same direction, and rounding goes either way.
    for others in range(1, 8):
        scored = score("a " * times, "a " * others, spec=f"sk(tokenize=none,n=1,decay={decay})")
        assert scored <= 100
        assert scored == pytest.approx(100, rel=1e-12)


def test_a_product_that_no_number_can_hold_spoils_no_score() -> None:
    assert score("a b", "a c", spec="sk(tokenize=none,n=1,decay=1e-100)") == pytest.approx(50)


def test_empty_and_missing_segments_and_several_references() -> None:
    assert score("", "a b") == 0
    assert score("a b", "") == 0
    assert score(" \t", "") == 0
    assert score("a b", None, "a b") == 100
    assert score("a b", "b a", "a b", "") == 100
    assert score("a b", "b c", "a x") == max(score("a b", "b c"), score("a b", "a x"))


def test_long_segments() -> None:
    line = " ".join(f"w{i % 700}" for i in range(3000))
    assert score(line, line) == 100
    assert 0 < score(line, "w1 w3 w5") < 100


def test_threads_never_change_scores(examples) -> None:
    lines = (examples / "reference.en").read_text(encoding="utf-8").splitlines() * 20
    outputs = (examples / "systems" / "neural.en").read_text(encoding="utf-8").splitlines() * 20
    assert (scores("sk", outputs, lines, threads=3) == scores("sk", outputs, lines)).all()


def test_lemmas_make_forms_of_a_word_equal() -> None:
    pytest.importorskip("simplemma")
    assert score("the houses were", "the house be", spec="sk(words=lemma,language=en)") == 100
    assert score("die Häuser", "die Haus", spec="sk(words=lemma,language=german)") == 100
    assert score("the houses were", "the house be", spec="sk") < 100
    assert score("a b", None, "a b", spec="sk(words=lemma,language=en)") == 100
    assert stems.lemmatizer("en") is stems.lemmatizer("en")


def test_the_language_of_lemmas_is_that_of_the_test_set() -> None:
    pytest.importorskip("simplemma")
    chosen = metric("sk(words=lemma)").for_test_set(TestSet(references=(["a"],), language="en-de"))
    assert chosen.spec == "sk(words=lemma,language=de)"
    assert "|words:lemma|lang:de|lemmas:simplemma-" in chosen.signature(TestSet(references=(["a"],)))
    unknown = TestSet(references=(["a"],))
    assert metric("sk").for_test_set(unknown) == metric("sk")
    with pytest.raises(UsageError, match="SK depends on the target language"):
        metric("sk(words=lemma)").for_test_set(unknown)
    japanese = TestSet(references=(["a"],), language="ja")
    assert metric("sk").for_test_set(japanese).tokenize == "ja-mecab"
    with pytest.raises(UsageError, match="simplemma knows no lemmas of Sesotho"):
        stems.lemmatizer("st")


def test_without_simplemma_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "simplemma", None)
    stems.lemmatizer.cache_clear()
    with pytest.raises(MissingExtraError, match=r"pip install 'adjudge\[lemmas\]'"):
        score("a", "a", spec="sk(words=lemma,language=en)")


def test_signature_and_options() -> None:
    test_set = TestSet(references=(["a"],))
    expected = "nrefs:1|case:mixed|tok:13a|refs:best|n:4|decay:0.75|words:exact|version:"
    assert metric("sk").signature(test_set).startswith(expected)
    for options in (
        "n=0",
        "n=1.5",
        "decay=0",
        "decay=1.01",
        "decay=nan",
        "words=stem",
        "language=en",
        "tokenize=13b",
    ):
        with pytest.raises(UsageError):
            metric(f"sk({options})")
