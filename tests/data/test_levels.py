"""Texts of several segments: every one in at least one, none beyond its document, and scores of what they hold."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import adjudge
from adjudge.data import Outputs, TestSet
from adjudge.data.dependencies import ParsedSentence, Treebank
from adjudge.data.levels import Arrangement, TextLevel, arrange_at_level, in_words
from adjudge.errors import DataError, UsageError

LEVELS = st.sampled_from(["document", "window:1", "window:2", "window:3", "window:3:2", "window:5:5"])


def names_of(sizes):
    return [f"d{i}" for i, size in enumerate(sizes) for _ in range(size)]


@given(LEVELS, st.lists(st.integers(1, 8), max_size=6))
def test_windows_cover_every_segment_and_cross_no_document(text, sizes):
    level, documents = TextLevel.of(text), names_of(sizes)
    parts = level.parts(documents)
    assert {i for part in parts for i in part} == set(range(len(documents)))
    assert all(len({documents[i] for i in part}) == 1 for part in parts)
    assert parts == sorted(parts, key=lambda part: (part.start, part.stop))
    assert len(set(parts)) == len(parts)
    if level.kind == "document":
        assert list(map(len, parts)) == sizes
    else:
        assert all(len(part) == min(level.size, sizes[int(documents[part.start][1:])]) for part in parts)
    if text == "window:1":
        assert len(parts) == len(documents)


@pytest.mark.parametrize(
    ("text", "sizes", "parts"),
    [
        ("window:3", [5, 2], [(0, 3), (1, 4), (2, 5), (5, 7)]),
        ("window:3:2", [6], [(0, 3), (2, 5), (3, 6)]),
        ("window:3:3", [7], [(0, 3), (3, 6), (4, 7)]),
        ("document", [2, 1], [(0, 2), (2, 3)]),
    ],
)
def test_windows_by_hand(text, sizes, parts):
    assert [(p.start, p.stop) for p in TextLevel.of(text).parts(names_of(sizes))] == parts


@pytest.mark.parametrize(
    "text",
    [
        "",
        "sentence",
        "window",
        "window:0",
        "window:-1",
        "window:x",
        "window:3:4",
        "window:3:0",
        "window:1001",
    ],
)
def test_what_is_no_level(text):
    with pytest.raises(UsageError, match="level"):
        TextLevel.of(text)


@given(LEVELS)
def test_levels_read_what_they_write(text):
    assert TextLevel.of(str(TextLevel.of(text))) == TextLevel.of(text)


SET = TestSet(
    references=(("a b", "c d", "e f", "g h"), ("A", None, "E", "G")),
    sources=("1", "2", "3", "4"),
    labels={"document": ("x", "x", "y", "y"), "domain": ("n", "n", "m", "m"), "id": ("1", "2", "3", "4")},
    language="de",
)


def test_texts_are_joined_and_labels_kept_where_they_are_shared():
    test_set, (output,) = arrange_at_level(SET, [Outputs("s", ("p", "q", "r", "s"))], "document")
    assert test_set.references == (("a b c d", "e f g h"), (None, "E G"))
    assert test_set.sources == ("1 2", "3 4")
    assert dict(test_set.labels) == {"document": ("x", "y"), "domain": ("n", "m")}
    assert output.segments == ("p q", "r s")
    assert (test_set.level, test_set.language) == ("document", "de")
    assert test_set[:1].level == "document"
    assert arrange_at_level(SET, [output], "segment") == (SET, (output,))


def chain_of(words: str) -> ParsedSentence:
    parts = tuple(words.split())
    return ParsedSentence(parts, tuple(range(len(parts))), ("dep",) * len(parts))


def test_trees_and_back_translations_are_joined_as_texts_are():
    texts = ("a b", "c d", "e f", "g h", "1", "2", "3", "p", "q", "s", "P", "Q", "R")
    known = Treebank({text: (chain_of(text),) for text in texts})
    back = {"p": "P", "q": "Q", "r": "R"}
    output = Outputs("s", ("p", "q", "r", "s"))
    of_segments = replace(SET, trees=known, back_translations=back)
    test_set, _ = arrange_at_level(of_segments, [output, Outputs("t", ("p", "", "r", " "))], "document")
    assert dict(test_set.back_translations) == {"p q": "P Q"}  # s has none
    trees = {text: tuple(" ".join(part.words) for part in parse) for text, parse in test_set.trees.items()}
    assert trees == {
        "a b c d": ("a b", "c d"),
        "e f g h": ("e f", "g h"),
        "1 2": ("1", "2"),
        "p q": ("p", "q"),
        "P Q": ("P", "Q"),
        "p ": ("p",),
    }
    windows, _ = arrange_at_level(of_segments, [output], "window:1")
    assert {text: known[text] for text in windows.trees} == dict(windows.trees)


def test_what_cannot_be_read_as_documents():
    with pytest.raises(UsageError, match=r"nothing tells which segments make a document; .* -L labels.tsv"):
        arrange_at_level(TestSet(sources=("a",)), [], "document")
    scattered = TestSet(sources=("a", "b", "c"), labels={"document": ("x", "y", "x")})
    with pytest.raises(DataError, match="'x' begins at segment 1 and again at segment 3"):
        arrange_at_level(scattered, [], "window:2")
    holes = TestSet(references=(("a", None), (None, "b")), labels={"document": ("x", "x")})
    with pytest.raises(DataError, match="segments 1 to 2 have no reference that all of them share"):
        arrange_at_level(holes, [], "document")
    with pytest.raises(DataError, match="s has 1 segment, but the test set has 4"):
        Arrangement(SET, TextLevel.of("document")).outputs(Outputs("s", ("p",)))


def test_scores_of_documents_are_scores_of_their_texts(examples):
    from adjudge.io import load

    files = {
        "systems": [str(examples / "systems/neural.en"), str(examples / "systems/rulebased.en")],
        "references": [str(examples / "reference.en")],
        "labels": str(examples / "labels.tsv"),
    }
    plain, whole, windows = (load(**files, level=level) for level in (None, "document", "window:1"))
    assert len(whole.test_set) == 16
    for metric in ("wer", "length-ratio"):
        # Counts of words add up whatever the texts; where alignments may cross lines, they can only become better.
        by_segment, by_document = (
            adjudge.score(entry.test_set, entry.outputs, metric, segments=True) for entry in (plain, whole)
        )
        assert by_document.results[0].score <= by_segment.results[0].score + 1e-9
        assert len(by_document.results[0].segments) == 16
    same = [adjudge.score(entry.test_set, entry.outputs, ["bleu", "chrf"]) for entry in (plain, windows)]
    assert [r.score for r in same[0].results] == [r.score for r in same[1].results]
    assert "level:document|version" in by_document.results[0].signature
    assert "level" not in by_segment.results[0].signature
    assert by_document.test_set.as_document()["level"] == "document"


def test_windows_are_tested_by_documents():
    rng = np.random.default_rng(0)
    documents = names_of([6] * 10)
    words = [" ".join(rng.choice(list("abcdef"), 6)) for _ in documents]
    test_set = TestSet(references=(words,), labels={"document": documents})
    outputs = [Outputs(name, [w[:at] for w in words]) for name, at in (("x", 9), ("y", 7))]
    wide, systems = arrange_at_level(test_set, outputs, "window:3")
    comparison = adjudge.compare(wide, systems, "chrf", trials=199, resamples=99)
    assert comparison.test.unit == "document"
    assert comparison.pairs[0].p == pytest.approx(1 / 200, abs=0.006)
    assert (
        adjudge.compare(wide, systems, "chrf", unit="segment", trials=99, resamples=99).test.unit
        == "document"
    )


def test_numbers_of_texts_in_words():
    assert in_words("", 3) == "3 segments"
    assert in_words("document", 1) == "1 document"
    assert in_words("window:3", 1200) == "1,200 windows of 3 segments"
