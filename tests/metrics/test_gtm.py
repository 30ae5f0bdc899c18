"""GTM and unigram precision, recall and F against their definitions."""

import math
import time
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adjudge.data import TestSet
from adjudge.errors import DataError, UsageError
from adjudge.metrics import metric
from conftest import Shared
from helpers.scoring import rows_of as rows
from helpers.scoring import score_of as score
from oracles import gtm as oracle

words = st.lists(st.sampled_from("abcde"), max_size=14)
short = st.lists(st.sampled_from("abc"), max_size=6)


@given(hypothesis=words, reference=words, exponent=st.sampled_from([1.0, 1.2, 2.0, 3.0, 50.0]))
def test_longest_runs_are_matched_first(hypothesis: list[str], reference: list[str], exponent: float) -> None:
    spec = f"gtm(tokenize=none,exponent={exponent})"
    (row,) = rows(spec, [" ".join(hypothesis)], [" ".join(reference)])
    expected = oracle.size(oracle.greedy(hypothesis, reference), exponent)
    assert row == pytest.approx([expected, len(hypothesis), len(reference)], abs=1e-9)


@given(hypothesis=short, reference=short, exponent=st.sampled_from([1.5, 2.0]))
def test_never_more_than_the_best_match(hypothesis: list[str], reference: list[str], exponent: float) -> None:
    (row,) = rows(f"gtm(tokenize=none,exponent={exponent})", [" ".join(hypothesis)], [" ".join(reference)])
    best = oracle.best(hypothesis, reference, exponent)
    assert row[0] <= best + 1e-9
    assert row[0] >= best / 2  # how far greedy falls behind on six words


@given(hypothesis=words, references=st.lists(words, min_size=1, max_size=3))
def test_an_exponent_of_one_counts_words_in_common(
    hypothesis: list[str], references: list[list[str]]
) -> None:
    text, columns = [" ".join(hypothesis)], [[" ".join(r)] for r in references]
    (row,) = rows("gtm(tokenize=none)", text, *columns)

    def f(reference: list[str]) -> float:
        total = len(hypothesis) + len(reference)
        return 2 * (Counter(hypothesis) & Counter(reference)).total() / total if total else 0.0

    best = max(references, key=f)
    assert row.tolist() == [
        (Counter(hypothesis) & Counter(best)).total(),
        len(hypothesis),
        len(best),
    ]
    assert (rows("unigram(tokenize=none)", text, *columns) == row).all()
    assert metric("unigram").aggregate(row) == pytest.approx(100 * f(best), abs=1e-9)
    assert metric("gtm").aggregate(row) == metric("unigram").aggregate(row)


def test_worked_examples() -> None:
    # Turian's idea: "b c" as one run of 2 weighs √4, as two runs of 1 √2.
    assert score("gtm-2", "b c", "a b c") == pytest.approx(100 * 2 * 2 / 5)
    assert score("gtm-2", "c b", "a b c") == pytest.approx(100 * 2 * math.sqrt(2) / 5)
    assert score("gtm(exponent=2,measure=precision)", "c b", "a b c") == pytest.approx(100 * math.sqrt(2) / 2)
    assert score("gtm(exponent=2,measure=recall)", "c b", "a b c") == pytest.approx(100 * math.sqrt(2) / 3)
    # "a b c" is taken whole, which leaves "x" and "y": 3² + 1 + 1.
    assert score("gtm-2", "x a b c y", "y a b c x") == pytest.approx(100 * math.sqrt(11) / 5)
    # The first of two equal runs of the hypothesis takes the first place in the reference.
    assert rows("gtm-2", ["a b z a b"], ["a b a b"]).tolist() == [[pytest.approx(math.sqrt(8)), 5, 4]]
    assert score("precision", "the the the the", "the cat the") == 50
    assert score("recall", "the the the the", "the cat the") == pytest.approx(200 / 3)
    assert score("f1", "the the the the", "the cat the") == pytest.approx(100 * 4 / 7)
    assert score("f1", "The cat.", "the cat .") == pytest.approx(200 / 3)
    assert score("unigram(lowercase=true)", "The cat.", "the cat .") == 100


def test_greedy_can_miss_the_best_match() -> None:
    """The first "a d" of the reference is taken, which cuts its "b a" in two; the second would leave it whole."""
    assert rows("gtm-2", ["a d b a"], ["b a d a d"])[0, 0] == pytest.approx(math.sqrt(4 + 1 + 1))
    assert oracle.best("adba", "badad", 2.0) == pytest.approx(math.sqrt(4 + 4))


def test_empty_and_missing_segments() -> None:
    for spec in ("gtm", "gtm-2", "precision", "recall", "f1"):
        assert score(spec, "", "a b") == 0
        assert score(spec, "a b", "") == 0
        assert score(spec, "", " ") == 0
        assert score(spec, "a b", None, "a b") == 100
        assert score(spec, "a b", "c d", "a b") == 100


def test_the_corpus_is_scored_on_sums() -> None:
    table = rows("precision", ["a b c d", "x"], ["a b", "x"])
    assert metric("precision").aggregate(table).tolist() == [50, 100]
    assert metric("precision").aggregate(table.sum(0)) == 60


def test_repeated_words_and_large_exponents() -> None:
    line = "a " * 3000
    start = time.perf_counter()
    assert score("gtm(exponent=1000,tokenize=none)", line, line) == 100
    assert rows("gtm-2", [line], [line + "a"])[0, 0] == 3000
    assert time.perf_counter() - start < 5


def test_a_segment_that_would_take_minutes_is_refused_at_once() -> None:
    line = "a " * 100_000
    with pytest.raises(DataError, match="gtm: a segment of 100000 words repeats words too often"):
        score("gtm-2", line, line)
    assert score("gtm", line, line) == 100


def test_threads_never_change_rows(shared: Shared) -> None:
    outputs, references = shared.lines("w1.sys1.en"), (shared.lines("w1.ref.en"),)
    scorer = metric("gtm-2")
    prepared = scorer.prepare(TestSet(references=references))
    assert (scorer.stats(prepared, outputs, threads=1) == scorer.stats(prepared, outputs, threads=3)).all()


def test_signature_and_options() -> None:
    test_set = TestSet(references=(["a"],))
    assert "|case:mixed|tok:13a|refs:best-f|e:2|measure:f|" in metric("gtm-2").signature(test_set)
    assert "|refs:best-f|measure:recall|" in metric("recall").signature(test_set)
    assert [metric(m).label for m in ("gtm-2", "precision", "unigram")] == ["GTM-2", "precision", "f1"]
    for spec in ("gtm(exponent=0.5)", "gtm(exponent=inf)", "gtm(exponent=nan)", "unigram(measure=x)"):
        with pytest.raises(UsageError):
            metric(spec)
