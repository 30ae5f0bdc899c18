"""Words by buckets: values that compare-mt gave, a count by the book, and laws."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adjudge.analysis.cutting import Cutting
from adjudge.analysis.word_accuracy import kind_of, word_accuracy
from adjudge.data import Outputs, TestSet
from adjudge.errors import UsageError
from conftest import Shared

PLAIN = Cutting("none")
texts = st.lists(
    st.lists(st.sampled_from(["a", "bb", "Ccc", "12", "."]), max_size=6).map(" ".join), min_size=2, max_size=2
)
COMPARE_MT = {
    # compare-mt 0.2.10 on w1: words of the reference; matched and words of the output, of both systems
    "0": (0, (0, 2907), (0, 2710)),
    "1": (2933, (812, 1480), (554, 1416)),
    "2": (1848, (695, 1254), (548, 1278)),
    "3": (1266, (557, 909), (414, 835)),
    "4": (1016, (465, 788), (382, 719)),
    "5–9": (3296, (1702, 2811), (1506, 2692)),
    "10–99": (11724, (6159, 10500), (5782, 9989)),
    "100–999": (17042, (10363, 16597), (10618, 16822)),
    "≥1000": (9058, (6511, 8426), (6752, 8746)),
}


def test_frequencies_are_compare_mts(shared: Shared) -> None:
    def lines(name: str) -> list[str]:
        return (shared.golden / "data" / name).read_text(encoding="utf-8").rstrip("\n").split("\n")

    outputs = [Outputs(name, lines(f"w1.tok.{name}.en")) for name in ("sys1", "sys2")]
    result = word_accuracy(TestSet(references=[lines("w1.tok.ref.en")]), outputs, cutting=PLAIN, resamples=10)
    told = {
        bucket.name: (bucket.reference, *((s.matched, s.output) for s in bucket.systems))
        for bucket in result.buckets
    }
    assert told == COMPARE_MT
    seldom = result.buckets[1].systems[0]
    assert (seldom.recall, seldom.precision, seldom.f) == pytest.approx(
        (27.684964, 54.864865, 36.800363), abs=1e-6
    )


@given(texts, texts)
def test_by_the_book(output, reference) -> None:
    result = word_accuracy(
        TestSet(references=[reference]), [Outputs("x", output)], by="kind", cutting=PLAIN, resamples=1
    )
    matched: Counter[str] = Counter()
    for own, wanted in zip(output, reference, strict=True):
        for word, times in (Counter(own.split()) & Counter(wanted.split())).items():
            matched[kind_of(word)] += times
    ours = Counter(kind_of(word) for segment in output for word in segment.split())
    theirs = Counter(kind_of(word) for segment in reference for word in segment.split())
    told = {b.name: (b.reference, b.systems[0].matched, b.systems[0].output) for b in result.buckets}
    assert told == {kind: (theirs[kind], matched[kind], ours[kind]) for kind in {*ours, *theirs}}


def test_frequencies_of_another_text_and_bounds_of_ones_own() -> None:
    result = word_accuracy(
        TestSet(references=[["a b c"]]),
        [Outputs("x", ["a b d"])],
        cuts=(1, 10),
        frequencies={"a": 12, "b": 3},
        cutting=PLAIN,
        resamples=1,
    )
    told = {b.name: (b.reference, b.systems[0].matched, b.systems[0].output) for b in result.buckets}
    assert told == {"0": (1, 0, 1), "1–9": (1, 1, 1), "≥10": (1, 1, 1)}
    assert result.counted_in == "another text"


def test_the_text_itself_is_right_and_its_interval_a_point() -> None:
    text = ["a b", "c a"]
    result = word_accuracy(
        TestSet(references=[text]), [Outputs("x", text)], by="length", cutting=PLAIN, resamples=50
    )
    [bucket] = result.buckets
    assert (bucket.systems[0].f, bucket.systems[0].low, bucket.systems[0].high) == (100, 100, 100)


@pytest.mark.parametrize(
    ("word", "kind"),
    [
        ("house", "word"),
        ("Haus", "name or start"),
        ("1,5", "number"),
        ("...", "punctuation"),
        ("B52", "mixed"),
        ("дом", "word"),
        ("家", "word"),
        ("٣", "number"),
    ],
)
def test_kinds_of_words_in_any_script(word: str, kind: str) -> None:
    assert kind_of(word) == kind


def test_questions_that_make_no_sense() -> None:
    test_set, outputs = TestSet(references=[["a"]]), [Outputs("x", ["a"])]
    with pytest.raises(UsageError, match="property of words"):
        word_accuracy(test_set, outputs, by="colour")
    for cuts in ((5, 2), (0, 1), ()):
        with pytest.raises(UsageError, match="ascending"):
            word_accuracy(test_set, outputs, cuts=cuts)
    with pytest.raises(UsageError, match="no bounds"):
        word_accuracy(test_set, outputs, by="kind", cuts=(1,))
