"""Classes of errors beside each other: rates, tests that hold as often as they say, and the words."""

import math
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from adjudge.analysis.error_typology import ROOF
from adjudge.analysis.errors import CLASSES, classes_of, error_classes, shares
from adjudge.analysis.parts_of_speech import tagged_words
from adjudge.data import Outputs, TestSet
from adjudge.data.dependencies import ParsedSentence, Treebank
from adjudge.data.trees import read_tree
from adjudge.errors import UsageError
from adjudge.metrics import metric
from adjudge.metrics.hjerson import LETTERS
from adjudge.report.render.sections import text_of
from adjudge.report.render.text import plain

TAGS = {
    "the": "DET",
    "a": "DET",
    "cat": "NOUN",
    "cats": "NOUN",
    "sleeps": "VERB",
    "sleep": "VERB",
    "now": "ADV",
}
REFERENCE = ["the old house stands there", "we see many trees today", "nobody knows the way", "it rains"] * 10
DROPPED = [" ".join(line.split()[:-1]) for line in REFERENCE]


def result_of(*outputs: Outputs, **options):
    return error_classes(TestSet(references=[REFERENCE]), outputs, resamples=50, **options)


def test_what_is_missing_is_said_and_tested() -> None:
    result = result_of(Outputs("whole", REFERENCE), Outputs("cut", DROPPED), unit="segment")
    [whole, cut] = classes_of(result.systems, "missing")
    assert whole.rate == 0
    assert cut.rate == pytest.approx(100 * 4 / 16)
    assert cut.words == cut.blocks == 40
    assert dict(cut.frequent) == {"there": 10, "today": 10, "way": 10, "rains": 10}
    by_class = {d.errors: d for d in result.differences}
    assert by_class["missing"].delta == pytest.approx(25)
    assert by_class["missing"].significant
    assert not by_class["lexical"].significant
    text = plain(text_of(result.sections()))
    assert "cut has more errors than whole of: missing (+25.0)" in text


def test_every_class_has_its_roof_and_shares_are_of_a_whole() -> None:
    result = result_of(Outputs("cut", DROPPED))
    assert set(ROOF) == set(CLASSES)
    assert sum(shares(result.systems[0])) == pytest.approx(1)
    assert not result.differences
    assert shares(result_of(Outputs("whole", REFERENCE)).systems[0]) == [0.0] * 5


def test_rates_are_the_metrics() -> None:
    result = result_of(Outputs("cut", DROPPED))
    for errors in ("all", *CLASSES):
        scorer = metric(f"hjerson(errors={errors})")
        rows = scorer.stats(scorer.prepare(TestSet(references=[REFERENCE])), DROPPED)
        [own] = classes_of(result.systems, errors)
        assert own.rate == pytest.approx(float(scorer.aggregate(rows.sum(0))))
        assert own.low <= own.rate <= own.high


def test_only_together_can_they_be_told_apart() -> None:
    rng = np.random.default_rng(5)
    kinds = [lambda w: w[:-1], lambda w: [*w, "so"], lambda w: ["x", *w[1:]]]
    worse = [
        " ".join(kinds[i % 3](line.split())) if rng.random() < 0.4 else line
        for i, line in enumerate(REFERENCE)
    ]
    result = result_of(Outputs("right", REFERENCE), Outputs("worse", worse))
    text = plain(text_of(result.sections()))
    significant = {d.errors for d in result.differences if d.significant}
    assert ("cannot be told apart" in text) == (not significant)
    if significant == {"all"}:
        assert "no single class tells them apart" in text


def test_alike_systems_are_seldom_told_apart() -> None:
    rng = np.random.default_rng(1)
    alarms = 0
    for _ in range(40):
        pair = []
        for name in "ab":
            lines = [" ".join(w for w in line.split() if rng.random() > 0.2) or "x" for line in REFERENCE]
            pair.append(Outputs(name, lines))
        result = error_classes(TestSet(references=[REFERENCE]), pair, resamples=1)
        alarms += any(d.significant for d in result.differences)
    assert alarms <= 6  # of 40; 2 are expected, and more than 6 come once in two hundred


def test_another_metric_has_no_classes() -> None:
    with pytest.raises(UsageError, match="knows no classes of errors"):
        result_of(Outputs("cut", DROPPED), metric="bleu")


def test_errors_of_segments_add_up_to_those_of_systems() -> None:
    whole, cut = result_of(Outputs("whole", REFERENCE), Outputs("cut", DROPPED)).systems
    for system in (whole, cut):
        for errors in CLASSES:
            [own] = classes_of([system], errors)
            assert system.by_segment[errors].sum() == own.words
    assert cut.by_segment["missing"].tolist() == [1] * 40


words = st.lists(st.sampled_from(["go", "goes", "house", "houses", "a", "the", "tree"]), max_size=9)


@given(st.lists(st.tuples(words, words), min_size=1, max_size=6))
def test_frequent_words_are_counted_one_by_one(pairs) -> None:
    hypotheses, references = ([" ".join(side) for side in column] for column in zip(*pairs, strict=True))
    test_set, output = TestSet(references=[references]), Outputs("a", tuple(hypotheses))
    [system] = error_classes(test_set, [output], "hjerson(tokenize=none)", resamples=2).systems
    scorer = metric("hjerson(tokenize=none)")
    labels = scorer.classes(scorer.prepare(test_set), hypotheses).labels()
    for errors, letter in LETTERS.items():
        counts: Counter[str] = Counter()
        for (ours, theirs), own in zip(pairs, labels, strict=True):
            missing = errors in ("missing", "lexical")
            text, letters = (theirs, own.reference) if missing else (ours, own.hypothesis)
            counts.update(word for word, its in zip(text, letters, strict=True) if its == letter)
        [told] = classes_of([system], errors)
        assert told.frequent == tuple(counts.most_common(10))


def parse(text: str) -> tuple[ParsedSentence, ...]:
    words = tuple(text.split())
    rest = len(words) - 1
    tags = tuple(TAGS[word] for word in words)
    return (ParsedSentence(words, (0, *[1] * rest), ("root", *["dep"] * rest), classes=tags),)


def classes(reference: list[str], output: list[str], metric: str = "hjerson"):
    trees = Treebank({text: parse(text) for text in (*reference, *output) if text})
    test_set = TestSet(references=[reference], trees=trees)
    return error_classes(test_set, [Outputs("x", output)], metric, trees=True, resamples=1).systems[0]


def test_errors_by_hand() -> None:
    system = classes(
        ["the cat sleeps", "the cat now", "the cat"],  # sleep for sleeps is inflected, a for the lexical,
        ["a cat sleep", "the cat", "the cat now"],  # now is missing from the second, and extra in the third
    )
    told = {
        own.pos: (own.hypothesis_words, own.reference_words, {k: n for k, n in own.words.items() if n})
        for own in system.parts_of_speech
    }
    assert told == {
        "DET": (3, 3, {"lexical": 1}),
        "NOUN": (3, 3, {}),
        "VERB": (1, 1, {"inflection": 1}),
        "ADV": (1, 1, {"missing": 1, "extra": 1}),
    }
    by_tag = {own.pos: own.rates for own in system.parts_of_speech}
    assert by_tag["ADV"]["missing"] == 100
    assert by_tag["DET"]["lexical"] == pytest.approx(100 / 3)
    nothing = {own.pos: own for own in classes(["the cat now"], ["the cat"]).parts_of_speech}["ADV"].rates[
        "extra"
    ]
    assert math.isnan(nothing)  # no word of the output could have been one


def test_parts_add_up_to_the_whole() -> None:
    system = classes(
        ["the cat sleeps now", "a cat sleeps", "cats sleep"],
        ["now a cats sleeps", "cat sleep", "the the cats"],
    )
    for errors in CLASSES:
        [whole] = classes_of([system], errors)
        assert sum(own.words[errors] for own in system.parts_of_speech) == whole.words
    assert sum(own.hypothesis_words for own in system.parts_of_speech) == system.hypothesis_words
    assert system.words.tolist() == [4, 2, 3]


def test_words_of_constituents_have_what_stands_above_them() -> None:
    assert tagged_words((read_tree("(S (NP (DT the) (NN cat)) (VP sat))"),)) == [
        ("the", "DT"),
        ("cat", "NN"),
        ("sat", "VP"),
    ]


def test_words_are_not_cut_twice() -> None:
    with pytest.raises(UsageError, match="words are those of the trees"):
        classes(["the cat"], ["the cat"], "hjerson(tokenize=13a)")
