"""Words by buckets: values that compare-mt gave, a count by the book, and laws."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from adjudge import _native
from adjudge.analysis.base import Cutting
from adjudge.analysis.words import kind_of, word_accuracy
from adjudge.data import Outputs, TestSet
from adjudge.data.dependencies import ParsedSentence, Treebank
from adjudge.errors import DataError, UsageError
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


tagged = st.lists(
    st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from(["NOUN", "VERB"])), max_size=5),
    min_size=3,
    max_size=3,
)


def parsed(*texts: list[list[tuple[str, str]]]) -> Treebank:
    """Trees of tagged words; the words of a segment are joined with their tags, so that each has one parse."""
    return Treebank(
        {
            text_of(words): (
                ParsedSentence(
                    words=tuple(word for word, _ in words),
                    heads=(0, *[1] * (len(words) - 1)),
                    relations=("root", *["dep"] * (len(words) - 1)),
                    classes=tuple(tag for _, tag in words),
                ),
            )
            for text in texts
            for words in text
            if words
        }
    )


def text_of(words: list[tuple[str, str]]) -> str:
    return " ".join(f"{word}/{tag}" for word, tag in words)


@given(tagged, tagged)
def test_parts_of_speech_by_the_book(output, reference) -> None:
    """compare-mt's rule: the k-th of the output goes with the k-th of the reference, and has its label."""
    if not any(reference) or not any(output):
        return
    test_set = TestSet(references=[list(map(text_of, reference))], trees=parsed(output, reference))
    result = word_accuracy(test_set, [Outputs("x", list(map(text_of, output)))], by="pos", resamples=1)
    told = {b.name: (b.reference, b.systems[0].matched, b.systems[0].output) for b in result.buckets}
    expected: Counter[tuple[str, int]] = Counter()
    wrong: dict[str, set[int]] = {"NOUN": set(), "VERB": set()}
    for place, (own, wanted) in enumerate(zip(output, reference, strict=True)):
        left = list(wanted)
        here: Counter[tuple[str, int]] = Counter((tag, 0) for _, tag in wanted)
        for word, tag in own:
            same = next((pair for pair in left if pair[0] == word), None)
            if same is not None:
                left.remove(same)
                here[same[1], 1] += 1
            here[same[1] if same else tag, 2] += 1
        for tag, places in wrong.items():
            if here[tag, 1] < max(here[tag, 0], here[tag, 2]):
                places.add(place)
        expected.update(here)
    tags = {tag for tag, _ in +expected}
    assert told == {tag: tuple(expected[tag, column] for column in (0, 1, 2)) for tag in tags}
    assert {b.name: set(b.systems[0].wrong.tolist()) for b in result.buckets} == {t: wrong[t] for t in tags}


def test_labels_are_compare_mts() -> None:
    """compare-mt 0.2.10 on texts by rule: matched, words of the reference and of the output, of NOUN, VERB and ADJ."""
    tags = ("NOUN", "VERB", "ADJ")

    def text(a: int, b: int) -> list[list[tuple[str, str]]]:
        return [
            [("abcdefgh"[(i * a + j * j * b) % 8], tags[(i * b + j * a) % 3]) for j in range(1 + i * a % 12)]
            for i in range(200)
        ]

    texts = [text(5, 3), text(7, 5), text(11, 2)]
    reference, *outputs = ([text_of(words) for words in own] for own in texts)
    result = word_accuracy(
        TestSet(references=[reference], trees=parsed(*texts)),
        [Outputs(str(place), own) for place, own in enumerate(outputs)],
        by="pos",
        resamples=1,
    )
    by_tag = {bucket.name: bucket for bucket in result.buckets}
    told = [
        [
            (own.systems[place].matched, own.reference, own.systems[place].output)
            for own in map(by_tag.get, tags)
        ]
        for place in (0, 1)
    ]
    assert told == [
        [(150, 500, 498), (99, 367, 348), (100, 433, 450)],
        [(151, 500, 521), (117, 367, 453), (100, 433, 338)],
    ]


def test_parts_of_speech_need_trees_of_all_texts() -> None:
    words = [("a", "NOUN")]
    outputs = [Outputs("x", ["a/NOUN"])]
    with pytest.raises(UsageError, match="--trees FILE"):
        word_accuracy(TestSet(references=[["a/NOUN"]]), outputs, by="pos")
    test_set = TestSet(references=[["a/NOUN"]], trees=parsed([words]))
    with pytest.raises(DataError, match="y, segment 1: no tree"):
        word_accuracy(test_set, [Outputs("y", ["b"])], by="pos")
    with pytest.raises(UsageError, match="no bounds"):
        word_accuracy(test_set, outputs, by="pos", cuts=(1,))
    bare = Treebank({"a": (ParsedSentence(words=("a",), heads=(0,), relations=("root",)),)})
    with pytest.raises(DataError, match="no parts of speech"):
        word_accuracy(TestSet(references=[["a"]], trees=bare), [Outputs("x", ["a"])], by="pos")


@given(*[st.lists(st.lists(st.integers(0, 3), max_size=6), min_size=2, max_size=2)] * 2)
def test_partners_are_the_first_for_the_first(own, other) -> None:
    def flat(text: list[list[int]]) -> tuple[np.ndarray, np.ndarray]:
        words = [word for segment in text for word in segment]
        return np.array(words, np.int64), np.cumsum([0, *map(len, text)], dtype=np.int64)

    places = _native.word_partners(*flat(own), *flat(other), 4).tolist()
    expected = []
    begin = 0
    for words, wanted in zip(own, other, strict=True):
        free = list(enumerate(wanted, begin))
        for word in words:
            partner = next((pair for pair in free if pair[1] == word), None)
            free = [pair for pair in free if pair is not partner]
            expected.append(-1 if partner is None else partner[0])
        begin += len(wanted)
    assert places == expected


def test_partners_of_numbers_that_fit_nothing_are_refused() -> None:
    def ints(*numbers: int) -> np.ndarray:
        return np.array(numbers, np.int64)

    good = (ints(0, 1), ints(0, 2))
    for bad, message in (
        ((ints(0, 9), ints(0, 2)), "without a number"),
        ((ints(0, -1), ints(0, 2)), "without a number"),
        ((ints(0, 1), ints(0, 3)), "do not fit"),
        ((ints(0, 1), ints(2, 0, 2)), "in no order"),
        ((ints(0, 1), ints(0, 1, 2)), "unlike numbers"),
    ):
        with pytest.raises(ValueError, match=message):
            _native.word_partners(*good, *bad, 2)


def test_a_bucket_that_few_segments_have_has_the_interval_of_those() -> None:
    reference = ["longest word"] + ["a"] * 30
    result = word_accuracy(
        TestSet(references=[reference]), [Outputs("x", reference)], by="length", cutting=PLAIN, resamples=99
    )
    assert {(b.systems[0].f, b.systems[0].low) for b in result.buckets} == {(100, 100)}


def test_segments_behind_a_number() -> None:
    test_set = TestSet(references=[["a b", "b", "c"]])
    result = word_accuracy(
        test_set, [Outputs("x", ["a", "b", "c c"])], by="length", cutting=PLAIN, resamples=1
    )
    [bucket] = result.buckets
    assert bucket.members.tolist() == [0, 1, 2]
    assert bucket.systems[0].wrong.tolist() == [0, 2]


def test_questions_that_make_no_sense() -> None:
    test_set, outputs = TestSet(references=[["a"]]), [Outputs("x", ["a"])]
    with pytest.raises(UsageError, match="property of words"):
        word_accuracy(test_set, outputs, by="colour")
    for cuts in ((5, 2), (0, 1), ()):
        with pytest.raises(UsageError, match="ascending"):
            word_accuracy(test_set, outputs, cuts=cuts)
    with pytest.raises(UsageError, match="no bounds"):
        word_accuracy(test_set, outputs, by="kind", cuts=(1,))
