"""N-grams of two systems against a count by the book, and against compare-mt's where it is installed."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from adjudge.analysis.base import Cutting
from adjudge.analysis.ngrams import KINDS, ngram_counts, ngram_differences, ngram_segments
from adjudge.data import Outputs, TestSet
from adjudge.errors import UsageError

PLAIN = Cutting("none")
texts = st.lists(st.lists(st.sampled_from("abc"), max_size=6).map(" ".join), min_size=3, max_size=3)


def by_the_book(output: str, references: list[str], longest: int) -> dict[str, Counter[tuple[str, ...]]]:
    def grams(text: str) -> Counter[tuple[str, ...]]:
        words = text.split()
        return Counter(
            tuple(words[i : i + n]) for n in range(1, longest + 1) for i in range(len(words) - n + 1)
        )

    own, theirs = grams(output), [grams(reference) for reference in references]
    every = set(own).union(*theirs)
    most = {gram: max(counts[gram] for counts in theirs) for gram in every}
    least = {gram: min(counts[gram] for counts in theirs) for gram in every}
    return {
        "match": Counter({gram: min(own[gram], most[gram]) for gram in every}),
        "over": Counter({gram: max(0, own[gram] - most[gram]) for gram in every}),
        "under": Counter({gram: max(0, least[gram] - own[gram]) for gram in every}),
    }


@given(texts, texts, texts, texts, st.integers(1, 4))
def test_counts_are_those_by_the_book(first, second, reference, other, longest) -> None:
    test_set = TestSet(references=[reference, other])
    outputs = [Outputs("a", first), Outputs("b", second)]
    counts = ngram_counts(test_set, outputs, longest=longest, cutting=PLAIN)
    for place, output in enumerate(outputs):
        expected: dict[str, Counter] = {kind: Counter() for kind in KINDS}
        for segment, *references in zip(output.segments, reference, other, strict=True):
            for kind, numbers in by_the_book(segment, references, longest).items():
                expected[kind] += numbers
        for kind in KINDS:
            ours = {counts.words(i): int(n) for i, n in enumerate(counts.counts[kind][place]) if n}
            assert ours == dict(+expected[kind])


def test_a_reference_that_is_missing_does_not_count() -> None:
    test_set = TestSet(references=[["a b", "c"], [None, "c c"]])
    counts = ngram_counts(test_set, [Outputs("x", ["a", "c c c"])], longest=1, cutting=PLAIN)
    told = {
        counts.words(i)[0]: [int(counts.counts[kind][0][i]) for kind in KINDS]
        for i in range(len(counts.last))
    }
    assert told == {"a": [1, 0, 0], "b": [0, 0, 1], "c": [2, 1, 0]}


def test_log_odds_by_hand() -> None:
    test_set = TestSet(references=[["a a a b", "c"]])
    result = ngram_differences(
        test_set, [Outputs("x", ["a a a", ""]), Outputs("y", ["b", "c"])], longest=1, cutting=PLAIN
    )
    assert [(n.words, n.a, n.b) for n in result.more] == [(("a",), 3, 0)]
    assert result.more[0].log_odds == pytest.approx(np.log(4))
    assert result.more[0].share == pytest.approx(4 / 5)
    assert result.more[0].z == pytest.approx(np.log(4) / np.sqrt(1 / 4 + 1))
    assert {n.words for n in result.less} == {("b",), ("c",)}
    assert result.distinct == 3


def test_n_grams_of_some_lengths_only() -> None:
    test_set = TestSet(references=[["a b c"]])
    result = ngram_differences(
        test_set, [Outputs("x", ["a b c"]), Outputs("y", [""])], shortest=2, longest=3, top=9, cutting=PLAIN
    )
    assert {n.words for n in result.more} == {("a", "b"), ("b", "c"), ("a", "b", "c")}


@given(texts, texts, texts)
def test_what_one_has_more_the_other_has_less(first, second, reference) -> None:
    test_set = TestSet(references=[reference])
    outputs = [Outputs("a", first), Outputs("b", second)]
    forth = ngram_differences(test_set, outputs, top=99, cutting=PLAIN)
    back = ngram_differences(test_set, outputs[::-1], top=99, cutting=PLAIN)
    assert {(n.words, n.a, n.b) for n in forth.more} == {(n.words, n.b, n.a) for n in back.less}


def test_questions_that_make_no_sense() -> None:
    test_set = TestSet(references=[["a"]])
    two = [Outputs("a", ["a"]), Outputs("b", ["b"])]
    with pytest.raises(UsageError, match="two systems apart, and there are 1"):
        ngram_differences(test_set, two[:1])
    with pytest.raises(UsageError, match="kind of n-grams"):
        ngram_differences(test_set, two, kind="fewer")
    with pytest.raises(UsageError, match="at least 1"):
        ngram_differences(test_set, two, shortest=3, longest=2)
    with pytest.raises(UsageError, match="above 0"):
        ngram_differences(test_set, two, smoothing=0)
    with pytest.raises(UsageError, match="tokenizer"):
        Cutting("nltk")


@given(texts, texts, texts, st.integers(1, 3))
def test_segments_of_an_ngram_have_it_as_often_as_by_the_book(first, reference, other, longest) -> None:
    test_set = TestSet(references=[reference, other])
    books = [
        by_the_book(own, list(both), longest) for own, *both in zip(first, reference, other, strict=True)
    ]
    ngrams = sorted(set().union(*(book["match"] for book in books)))
    for kind in KINDS:
        tables = ngram_segments(test_set, [Outputs("a", first)], ngrams, kind=kind, cutting=PLAIN)
        for ngram, [counts] in zip(ngrams, tables, strict=True):
            assert counts.tolist() == [book[kind][ngram] for book in books]


def test_references_that_are_missing_are_not_counted_as_lacking_an_ngram() -> None:
    test_set = TestSet(references=[["a b", "a"], [None, "b"]])
    [[under]] = ngram_segments(test_set, [Outputs("s", ["b", ""])], [("a",)], kind="under", cutting=PLAIN)
    assert under.tolist() == [1, 0]
