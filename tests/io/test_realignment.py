"""Lines that an engine merged or split: cut as the best of all ways to cut them, and lines that are right stay."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from adjudge.io import realignment
from adjudge.io.realignment import LOST_BREAK, NEW_CUT, best_cuts, realigned
from oracles.realignment import cost_of, least_cost

WORDS = st.lists(st.integers(0, 3), max_size=7)


@given(WORDS, WORDS, st.data())
def test_no_other_cuts_are_better(ours, theirs, data):
    ends = sorted(data.draw(st.lists(st.integers(0, len(theirs)), min_size=1, max_size=3)))
    inner = st.sets(st.integers(0, len(ours)), max_size=4)
    breaks, allowed = data.draw(inner), data.draw(inner)
    extra = np.full(len(ours) + 1, np.inf)
    extra[sorted(allowed)] = NEW_CUT
    extra[sorted(breaks)] = -LOST_BREAK
    extra[[0, -1]] = 0
    cuts = best_cuts(np.array(ours, np.int64), np.array(theirs, np.int64), np.array(ends), extra)
    assert cuts == sorted(cuts)
    terms = (breaks, allowed | breaks, NEW_CUT, LOST_BREAK)
    assert cost_of(ours, theirs, ends, cuts, *terms) == least_cost(ours, theirs, ends, *terms)


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
    assert list(realigned(lines, reference).segments) == reference
    found = realigned(damaged(neural, k, how), reference)
    wrong = [i for i, (a, b) in enumerate(zip(found.segments, neural, strict=True)) if a != b]
    assert len(wrong) <= 0.03 * len(neural)
    assert found.note("x")


def test_one_line_for_all(texts):
    reference, neural, _ = texts
    assert list(realigned([" ".join(reference)], reference).segments) == reference
    found = realigned([" ".join(neural)], reference)
    assert sum(a == b for a, b in zip(found.segments, neural, strict=True)) > 0.9 * len(neural)


def test_a_narrow_band_finds_what_a_wide_one_does(texts, monkeypatch):
    reference, neural, _ = texts
    lines = damaged(neural, 3, "both")
    found = realigned(lines, reference)
    monkeypatch.setattr(realignment, "NARROWEST", 1 << 20)
    assert realigned(lines, reference) == found


def test_lines_that_are_right_stay(texts):
    reference, *systems = texts
    for lines in systems:
        found = realigned(lines, reference)
        assert list(found.segments) == lines
        assert found.note("x") == ""


def test_no_word_is_lost_or_made(texts):
    reference, _, rulebased = texts
    found = realigned(damaged(rulebased, 3, "both"), reference)
    assert " ".join(found.segments).split() == " ".join(rulebased).split()


def test_texts_without_spaces():
    reference = ["我 喜欢 猫。", "今天下雨。", "你好吗？"]
    assert realigned(["我喜欢猫。今天下雨。", "你好吗？"], reference).segments == (
        "我喜欢猫。",
        "今天下雨。",
        "你好吗？",
    )
    assert realigned(["我喜", "欢猫。", "今天下雨。", "你好吗？"], reference).segments[0] == "我喜欢猫。"


def test_punctuation_stays_with_its_word():
    found = realigned(["He said no. She went home, he stayed."], ["He said no !", "She left , he stayed ."])
    assert found.segments == ("He said no.", "She went home, he stayed.")


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
    assert realigned(lines, references).segments == segments


def test_the_note_says_what_was_done():
    found = realigned(["a b c d e f", "g h i", "j k l"], ["a b c", "d e f", "g h i", "j k l"])
    assert found.note("mt") == (
        "mt: 3 lines for 4 segments, re-aligned with the reference by edit distance; 2 segments had no line of their "
        "own: 1, 2"
    )
