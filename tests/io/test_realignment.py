"""Lines that an engine merged or split: cut as the best of all ways to cut them, and lines that are right stay."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from adjudge._native import best_cuts
from adjudge.io import realignment
from adjudge.io.realignment import LOST_BREAK, NARROWEST, NEW_CUT, NO_CUT, realign_output
from oracles.realignment import cost_of, least_cost

WORDS = st.lists(st.integers(0, 3), max_size=5)


def columns(reference):
    """A reference set as the core takes it."""
    words = [word for segment in reference for word in segment or ()]
    ends = np.cumsum([len(segment or ()) for segment in reference])
    has = [segment is not None for segment in reference]
    return np.array(words, np.int32), ends.astype(np.int64), np.array(has, np.uint8)


def cuts_of(ours, references, breaks, allowed, narrowest=NARROWEST):
    extra = np.full(len(ours) + 1, NO_CUT, np.int32)
    extra[sorted(allowed)] = NEW_CUT
    extra[sorted(breaks)] = -LOST_BREAK
    extra[[0, -1]] = 0
    sets = [columns(reference) for reference in references]
    return best_cuts(np.array(ours, np.int32), sets, extra, len(references[0]), narrowest)


@given(st.lists(st.integers(0, 3), max_size=7), st.integers(1, 4), st.integers(1, 3), st.data())
def test_no_other_cuts_are_better(ours, segments, count, data):
    def some(words):
        return st.lists(words, min_size=segments, max_size=segments)

    references = [data.draw(some(WORDS))]
    references += [data.draw(some(st.none() | WORDS)) for _ in range(count - 1)]
    inner = st.sets(st.integers(0, len(ours)), max_size=4)
    breaks, allowed = data.draw(inner), data.draw(inner)
    cuts = cuts_of(ours, references, breaks, allowed)
    assert len(cuts) == segments - 1
    assert cuts == sorted(cuts)
    terms = (breaks, allowed | breaks, NEW_CUT, LOST_BREAK)
    assert cost_of(ours, references, cuts, *terms) == least_cost(ours, references, *terms)


def test_what_does_not_fit_is_refused():
    words, ends, has = columns([[1], [2, 3]])
    extra = np.zeros(4, np.int32)
    with pytest.raises(ValueError, match="a cost is needed before each word and at the end"):
        best_cuts(words, [(words, ends, has)], extra[:3], 2, 64)
    with pytest.raises(ValueError, match="do not fit its segments"):
        best_cuts(words, [(words, ends, has)], extra, 3, 64)
    with pytest.raises(ValueError, match="do not fit its segments"):
        best_cuts(words, [(words, ends[::-1].copy(), has)], extra, 2, 64)
    with pytest.raises(ValueError, match="segment 2 has no reference"):
        best_cuts(words, [columns([[1, 2, 3], None])], extra, 2, 64)
    forbidden = np.full(4, NO_CUT, np.int32)
    assert (
        best_cuts(words, [(words, ends, has)], forbidden, 2, 64) == []
    )  # no way, and an end to looking for one


def test_many_segments_are_cut_in_bounded_memory():
    """Places of cuts are kept for a part of the segments at once, and computed a second time for the others."""
    random = np.random.default_rng(3)
    reference = [random.integers(0, 500, random.integers(1, 6)).tolist() for _ in range(5000)]
    ours = [word for segment in reference for word in segment]
    expected = np.cumsum([len(segment) for segment in reference])[:-1].tolist()
    assert cuts_of(ours, [reference], expected, range(len(ours)), narrowest=1000) == expected


def damaged(lines, k, how):
    """Every k-th line merged with the next, or split in its middle."""
    made, i = [], 0
    while i < len(lines):
        words = lines[i].split()
        if len(made) % k == k - 1 and how != "split" and i + 1 < len(lines):
            made.append(f"{lines[i]} {lines[i + 1]}")
            i += 2
        elif len(made) % k == k - 1 and how != "merged" and len(words) > 1:
            made += [" ".join(words[: len(words) // 2]), " ".join(words[len(words) // 2 :])]
            i += 1
        else:
            made.append(lines[i])
            i += 1
    return made


@pytest.fixture(scope="module")
def texts(examples):
    names = ("reference.en", "systems/neural.en", "systems/rulebased.en")
    return [(examples / name).read_text(encoding="utf-8").splitlines() for name in names]


@pytest.mark.parametrize("how", ["merged", "split", "both"])
@pytest.mark.parametrize("k", [2, 3, 7])
def test_every_kth_line_merged_or_split_comes_back(texts, k, how):
    reference, neural, _ = texts
    lines = damaged(reference, k, how)
    assert len(lines) != len(reference) or how == "both"
    assert list(realign_output(lines, [reference]).segments) == reference
    alignment = realign_output(damaged(neural, k, how), [reference])
    wrong = [i for i, (a, b) in enumerate(zip(alignment.segments, neural, strict=True)) if a != b]
    assert len(wrong) <= 0.03 * len(neural)
    assert alignment.note("x")


def test_one_line_for_all(texts):
    reference, neural, _ = texts
    assert list(realign_output([" ".join(reference)], [reference]).segments) == reference
    alignment = realign_output([" ".join(neural)], [reference])
    assert sum(a == b for a, b in zip(alignment.segments, neural, strict=True)) > 0.9 * len(neural)


def test_a_narrow_band_finds_what_a_wide_one_does(texts, monkeypatch):
    reference, neural, _ = texts
    lines = damaged(neural, 3, "both")
    alignment = realign_output(lines, [reference])
    monkeypatch.setattr(realignment, "NARROWEST", 1 << 20)
    assert realign_output(lines, [reference]) == alignment


def test_lines_that_are_right_stay(texts):
    reference, *systems = texts
    for lines in systems:
        alignment = realign_output(lines, [reference])
        assert list(alignment.segments) == lines
        assert alignment.note("x") == ""


def test_no_word_is_lost_or_made(texts):
    reference, _, rulebased = texts
    alignment = realign_output(damaged(rulebased, 3, "both"), [reference])
    assert " ".join(alignment.segments).split() == " ".join(rulebased).split()


def test_texts_without_spaces():
    reference = ["我 喜欢 猫。", "今天下雨。", "你好吗？"]
    assert realign_output(["我喜欢猫。今天下雨。", "你好吗？"], [reference]).segments == (
        "我喜欢猫。",
        "今天下雨。",
        "你好吗？",
    )
    assert (
        realign_output(["我喜", "欢猫。", "今天下雨。", "你好吗？"], [reference]).segments[0] == "我喜欢猫。"
    )


def test_punctuation_stays_with_its_word():
    alignment = realign_output(
        ["He said no. She went home, he stayed."], [["He said no !", "She left , he stayed ."]]
    )
    assert alignment.segments == ("He said no.", "She went home, he stayed.")


@pytest.mark.parametrize(
    ("lines", "references", "segments"),
    [
        ([], ["a", "b"], ("", "")),
        (["", ""], ["a", "b", "c"], ("", "", "")),
        (["a b"], ["a b"], ("a b",)),
        (["a", "b"], ["a b"], ("a b",)),
        (["a b"], ["", "a b", ""], ("", "a b", "")),
        (["a", "", "b"], ["a", "x", "b"], ("a", "", "b")),
    ],
)
def test_edges(lines, references, segments):
    assert realign_output(lines, [references]).segments == segments


def test_the_note_says_what_was_done():
    alignment = realign_output(["a b c d e f", "g h i", "j k l"], [["a b c", "d e f", "g h i", "j k l"]])
    assert alignment.note("mt") == (
        "mt: 3 lines for 4 segments, re-aligned with the reference by edit distance; 2 segments had no line of their "
        "own: 1, 2"
    )


def test_each_part_counts_by_its_nearest_reference():
    first = ["one two three", "nothing of it here", "seven eight nine"]
    second = ["quite other words", "four five six", None]
    lines = ["one two three four five six seven eight nine"]
    assert realign_output(lines, [first, second]).segments == (
        "one two three",
        "four five six",
        "seven eight nine",
    )
    assert realign_output(lines, [second, first]).segments == realign_output(lines, [first, second]).segments
    assert realign_output(lines, [first]).segments[1] != "four five six"
    assert "re-aligned with 2 references by edit distance" in realign_output(lines, [first, second]).note("x")
