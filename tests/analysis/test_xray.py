"""What the X-ray says of systems: the same in blocks as at once, and shares by their definition."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adjudge.analysis import xray as module
from adjudge.analysis.alignments import structure
from adjudge.analysis.xray import xray
from adjudge.data import Outputs, TestSet
from adjudge.errors import DataError, MissingResourceError, UsageError
from adjudge.metrics import metric
from adjudge.metrics.ter import Ter

REFERENCES = ("the cat sat on the mat", "", "it rains today", "good morning to you all", "x")
FIRST = Outputs("first", ["on the mat the cat sat", "word", "it rains today", "morning", ""])
SECOND = Outputs("second", ["a cat sat on a mat", "", "today rains it", "good morning to all of you", "x"])
SMALL = TestSet(references=[REFERENCES])


def test_blocks_change_nothing(monkeypatch) -> None:
    whole = xray(SMALL, [FIRST, SECOND], show="different")
    monkeypatch.setattr(module, "BLOCK", 2)
    assert repr(xray(SMALL, [FIRST, SECOND], show="different")) == repr(whole)


def score_of(segments) -> float:
    ter = Ter()
    return float(ter.aggregate(ter.stats(ter.prepare(SMALL), segments).sum(0)))


def test_influence_of_two_systems_is_what_swapping_a_segment_does() -> None:
    before = score_of(FIRST.segments)
    moved = [
        score_of([*FIRST.segments[:n], SECOND.segments[n], *FIRST.segments[n + 1 :]]) - before
        for n in range(len(SMALL))
    ]
    order = sorted(range(len(SMALL)), key=lambda n: -abs(moved[n]))
    result = xray(SMALL, [FIRST, SECOND], rank="influence")
    assert [segment.number - 1 for segment in result.segments] == [n for n in order if moved[n]]
    assert [s.influence for s in result.segments] == pytest.approx([moved[n] for n in order if moved[n]])


def test_influence_of_one_system_is_what_is_lost_without_the_segment() -> None:
    ter = Ter()
    moved = []
    for n in range(len(SMALL)):
        rest = [m for m in range(len(SMALL)) if m != n]
        rows = ter.stats(ter.prepare(SMALL[rest]), [FIRST.segments[m] for m in rest])
        moved.append(score_of(FIRST.segments) - float(ter.aggregate(rows.sum(0))))
    result = xray(SMALL, FIRST, rank="influence", show="worst")
    assert [s.number - 1 for s in result.segments] == sorted(range(len(SMALL)), key=lambda n: -moved[n])
    assert [s.influence for s in result.segments] == pytest.approx(sorted(moved, reverse=True))


def test_by_default_length_and_difference_count() -> None:
    word, long = "x", " ".join("abcdefghijklmnop")
    references = [word, long, long]
    worse = Outputs("worse", ["y", "q " * 8 + long[16:], "q " + long[2:]])
    better = Outputs("better", [word, long, long])
    test_set = TestSet(references=[references])

    def order(rank: str) -> list[int]:
        return [s.number for s in xray(test_set, [worse, better], "wer", rank=rank).segments]

    assert order("score") == [1, 2, 3]  # 100, 50 and 6 points
    assert order("balanced") == [2, 1, 3]  # 50 √16, 100 √1, 6 √16
    assert order("influence") == [2, 1, 3] or order("influence") == [2, 3, 1]  # 8, 1 and 1 errors
    assert [s.number for s in xray(test_set, [worse, better], "wer").segments] == order("balanced")


def test_words_of_each_kind_add_up() -> None:
    result = xray(SMALL, FIRST, "ter", segments=range(1, 6))
    (system,) = result.systems
    views = [segment.systems[0] for segment in result.segments]
    for kind in ("exact", "shift", "substitution"):
        assert system.words.get(kind, 0) == sum(view.structure.words.get(kind, 0) for view in views)
    assert system.hypothesis_words == sum(system.words.values()) + system.extra
    assert system.missing == sum(view.structure.missing for view in views)


@pytest.mark.parametrize("name", ["ter", "wer", "meteor(matchers=exact)", "terp(synonyms=none)"])
def test_the_reference_is_named_that_was_taken(name) -> None:
    test_set = TestSet(references=[["a b c", None, "x"], ["d e f", "g h", "g h i"]], language="en")
    outputs = [Outputs("first", ["d e f", "g", "g h i"]), Outputs("second", ["a b c", "g h", "x"])]
    try:
        result = xray(test_set, outputs, name, segments=[1, 2, 3])
    except MissingResourceError as error:
        pytest.skip(str(error))
    assert [[view.reference for view in s.systems] for s in result.segments] == [[2, 1], [2, 2], [2, 1]]


def test_text_that_was_not_cut_into_words_is_warned_of() -> None:
    test_set = TestSet(references=[["请注意如果您支付加急运费订单的处理时间仍为三个工作日"]])
    output = Outputs("ours", ["请注意即使您支付了加急运输的费用处理订单的时间仍然是三个工作日"])
    (warning,) = xray(test_set, output, "ter").warnings
    assert "few spaces" in warning
    assert xray(test_set, output, "ter(normalized=true,asian_support=true)").warnings == ()
    assert xray(SMALL, FIRST, "ter").warnings == ()


def test_scores_and_ratios_are_those_of_the_metric_and_its_words() -> None:
    result = xray(SMALL, FIRST, "ter", segments=range(1, 6))
    ter = Ter()
    rows = ter.stats(ter.prepare(SMALL), FIRST.segments)
    assert [s.systems[0].score for s in result.segments] == ter.aggregate(rows).tolist()
    assert result.systems[0].score == float(ter.aggregate(rows.sum(0)))
    matched = sum(structure(s.systems[0].alignment).matched_hypothesis for s in result.segments)
    assert result.systems[0].precision == matched / sum(len(text.split()) for text in FIRST.segments)
    assert [s.systems[0].precision for s in result.segments[:4]] == [1, 0, 1, 1]
    assert math.isnan(result.segments[4].systems[0].precision)
    assert result.distributions[1].systems[0].missing == 1


def test_several_runs_are_several_systems() -> None:
    runs = [Outputs("s", FIRST.segments, run="1"), Outputs("s", SECOND.segments, run="2")]
    assert [system.system for system in xray(SMALL, runs).systems] == ["s (run 1)", "s (run 2)"]


def test_what_cannot_be_looked_at() -> None:
    with pytest.raises(UsageError, match="one or two systems can be looked at together, not 3; leave"):
        xray(SMALL, [FIRST, SECOND, Outputs("third", FIRST.segments)])
    with pytest.raises(UsageError, match=r"chrf yields no alignment of words; metrics that do: .*ter"):
        xray(SMALL, FIRST, "chrf")
    with pytest.raises(UsageError, match="there is no segment 6: they are numbered from 1 to 5"):
        xray(SMALL, FIRST, segments=[6])
    with pytest.raises(UsageError, match="unknown rank 'scores'; did you mean 'score'"):
        xray(SMALL, FIRST, rank="scores")
    with pytest.raises(DataError, match="5"):
        xray(SMALL, Outputs("short", ["a"]))


def test_a_metric_that_weighs_matches_brings_its_own_ratios() -> None:
    meteor = metric("meteor(matchers=exact+stem)")
    test_set = TestSet(references=[REFERENCES], language="en")
    try:
        meteor.prepare(test_set)
    except MissingResourceError as error:
        pytest.skip(str(error))
    result = xray(test_set, SECOND, meteor, segments=range(1, 6))
    rows = meteor.stats(meteor.prepare(test_set), SECOND.segments)
    for ratio in ("precision", "recall", "fragmentation"):
        ours = [getattr(segment.systems[0], ratio) for segment in result.segments]
        theirs = getattr(meteor, ratio)(rows)
        words = [segment.systems[0].structure for segment in result.segments]
        expected = np.where([bool(s.matched_hypothesis) for s in words], theirs, ours)
        np.testing.assert_array_equal(ours, expected)
        assert getattr(result.systems[0], ratio) == float(getattr(meteor, ratio)(rows.sum(0)))
    # Words, matched words and chunks counted in the links are those of METEOR's rows.
    counted = np.array([segment.systems[0].structure.row for segment in result.segments])
    np.testing.assert_array_equal(counted[:, :5], rows[:, [0, 1, 4, 5, 6]])


POOL = [
    "the",
    "a",
    "cat",
    "cats",
    "dog",
    "big",
    "large",
    "house",
    "houses",
    "said",
    "says",
    "away",
    "from",
    ",",
]
TEXTS = st.lists(st.sampled_from(POOL), max_size=12).map(" ".join)


@pytest.mark.parametrize("name", ["meteor", "meteor(matchers=exact+stem)", "meteor-2005"])
def test_links_are_those_that_meteor_counted(name) -> None:
    meteor = metric(name)
    try:
        meteor.prepare(TestSet(references=[["a"]], language="en"))
    except MissingResourceError as error:
        pytest.skip(str(error))

    @given(st.lists(st.tuples(TEXTS, TEXTS), min_size=1, max_size=6))
    @settings(max_examples=40, deadline=None)
    def law(pairs) -> None:
        references, outputs = zip(*pairs, strict=True)
        assert_counted(meteor, TestSet(references=[references], language="en"), outputs)

    law()


def test_links_are_those_that_meteor_counted_on_real_text(shared) -> None:
    meteor = metric("meteor")
    texts = [shared.lines(f"w1.{name}.en")[:400] for name in ("ref", "sys1")]
    test_set = TestSet(references=texts[:1], language="en")
    try:
        meteor.prepare(test_set)
    except MissingResourceError as error:
        pytest.skip(str(error))
    assert_counted(meteor, test_set, texts[1])


def assert_counted(meteor, test_set, outputs) -> None:
    """Every word is in one link at most, and words, matched words and chunks are those in the rows."""
    prepared = meteor.prepare(test_set)
    rows = meteor.stats(prepared, outputs)
    for row, alignment in zip(rows, meteor.alignments(prepared, outputs), strict=True):
        for side in ("hypothesis", "reference"):
            words = [n for link in alignment.links for n in range(*getattr(link, side))]
            assert len(words) == len(set(words))
        sections = structure(alignment)
        assert sections.row[:4] == tuple(row[[0, 1, 4, 5]])
        # METEOR 1.5 counts no chunk where all is matched in one; its form of 2005 subtracts it later.
        assert row[6] == (len(sections.chunks) if meteor.form == "2005" else sections.row[4])
