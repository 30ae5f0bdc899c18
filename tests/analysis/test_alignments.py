"""Chunks, crossings, ratios, choices and spreads, each against its definition."""

import math
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from adjudge.analysis.alignments import choose, distribution, ratios, shrink_to_middle, structure, word_kinds
from adjudge.data import Alignment, Link
from adjudge.errors import UsageError

WORDS = tuple("abcdefgh")


@st.composite
def alignments(draw: st.DrawFn) -> Alignment:
    """Links of one word or two to one or two, each word at most once."""

    def spans(count: int) -> list[tuple[int, int]]:
        result, start = [], 0
        while start < count:
            size = draw(st.integers(1, min(2, count - start)))
            result.append((start, start + size))
            start += size
        return result

    ours, theirs = (draw(st.integers(0, 8)) for _ in range(2))
    left, right = spans(ours), draw(st.permutations(spans(theirs)))
    kinds = st.sampled_from(["exact", "stem", "paraphrase", "substitution", ""])
    pairs = [(h, r, draw(kinds)) for h, r in zip(left, right, strict=False)]
    links = tuple(Link(h, r, kind) for h, r, kind in pairs if kind)
    return Alignment(WORDS[:ours], WORDS[:theirs], links)


@given(alignments())
def test_structure_by_definition(alignment: Alignment) -> None:
    sections = structure(alignment)
    matches = [link for link in alignment.links if link.kind != "substitution"]
    ours = {n for link in matches for n in range(*link.hypothesis)}
    theirs = {n for link in matches for n in range(*link.reference)}
    assert (sections.matched_hypothesis, sections.matched_reference) == (len(ours), len(theirs))
    crossing = [
        (a, b)
        for a, b in combinations(matches, 2)
        if (a.hypothesis < b.hypothesis) != (a.reference < b.reference)
    ]
    assert sections.crossings == len(crossing)
    # A link starts a chunk unless another one ends exactly where it begins, on both sides.
    starts = [
        link
        for link in matches
        if not any(
            o.hypothesis[1] == link.hypothesis[0] and o.reference[1] == link.reference[0] for o in matches
        )
    ]
    assert len(sections.chunks) == len(starts)
    assert {n for chunk in sections.chunks for n in range(*chunk.hypothesis)} == ours
    assert {n for chunk in sections.chunks for n in range(*chunk.reference)} == theirs
    assert sum(sections.kinds.values()) == len(alignment.links)
    assert sum(sections.words.values()) + sections.extra == len(alignment.hypothesis)
    linked = {n for link in alignment.links for n in range(*link.reference)}
    assert sections.missing == len(alignment.reference) - len(linked)


@given(alignments())
def test_kinds_of_words(alignment: Alignment) -> None:
    for side in ("hypothesis", "reference"):
        kinds = word_kinds(alignment, side)  # type: ignore[arg-type]
        for n in range(len(getattr(alignment, side))):
            (kind,) = {x.kind for x in alignment.links if n in range(*getattr(x, side))} or {""}
            assert kinds[n] == kind


def ratios_of(*alignments: Alignment) -> list[float]:
    return [
        float(value) for value in ratios(np.array([structure(a).row for a in alignments]).sum(0)).values()
    ]


def test_ratios_by_hand() -> None:
    links = (Link((0, 1), (3, 4), "exact"), Link((1, 2), (4, 5), "stem"), Link((2, 3), (0, 2), "paraphrase"))
    alignment = Alignment(tuple("abcd"), tuple("vwxyz"), (*links, Link((3, 4), (2, 3), "substitution")))
    assert ratios_of(alignment) == [3 / 4, 4 / 5, 2 / 3.5]
    assert (len(structure(alignment).chunks), structure(alignment).crossings) == (2, 2)


SAME = Link((0, 1), (0, 1), "exact")


def test_a_whole_match_is_not_fragmented_and_nothing_has_no_ratio() -> None:
    assert ratios_of(Alignment(("a",), ("a",), (SAME,))) == [1, 1, 0]
    assert ratios_of(Alignment(("a",), ("a", "b"), (SAME,))) == [1, 0.5, 1]
    assert all(map(math.isnan, ratios_of(Alignment((), ()))))
    precision, recall, fragmentation = ratios_of(Alignment(("a",), ("b",)))
    assert (precision, recall) == (0, 0)
    assert math.isnan(fragmentation)


def test_ratios_of_many_segments_are_those_of_their_words() -> None:
    part = Alignment(("a", "b", "c"), ("a", "b"), (SAME,))
    assert ratios_of(Alignment(("a",), ("a",), (SAME,)), part) == [2 / 4, 2 / 3, 1 / 2]


SCORES = np.array([[10.0, 50.0, 30.0, np.nan, 70.0], [20.0, 20.0, 30.0, 5.0, 75.0]])


@pytest.mark.parametrize(
    ("choice", "higher", "places"),
    [
        ("different", True, [1, 0, 4]),
        ("different", False, [1, 0, 4]),
        ("gains", True, [0, 4]),
        ("gains", False, [1]),
        ("losses", True, [1]),
        ("losses", False, [0, 4]),
        ("best", True, [4, 1, 2, 0]),
        ("best", False, [0, 2, 1, 4]),
        ("worst", True, [0, 2, 1, 4]),
    ],
)
def test_choices_leave_out_what_has_no_score_or_no_difference(choice, higher, places) -> None:
    merits = SCORES if higher else -SCORES
    assert choose(merits, choice, 10) == places
    assert choose(merits, choice, 1) == places[:1]


def test_gains_may_be_other_than_differences_of_merits() -> None:
    gains = np.array([0.1, -0.4, 0.0, 0.2, np.nan])
    assert choose(SCORES, "different", 2, gains=gains) == [1, 3]
    assert choose(SCORES, "losses", 2, gains=gains) == [1]


def test_balanced_differences_are_those_of_scores_times_the_root_of_words() -> None:
    words = np.array([1.0, 4.0, 9.0, 0.0, 100.0])
    merits = shrink_to_middle(SCORES, words, 40.0)
    np.testing.assert_allclose(merits[1] - merits[0], [10, -60, 0, np.nan, 50])
    assert choose(merits, "different", 5) == [1, 4, 0]
    # By score alone 75 is best, 20 worst; what counts is the distance from the middle.
    assert choose(merits[1:], "best", 1) == [4]
    assert choose(merits[1:], "worst", 2) == [1, 3]


def test_ties_come_in_order() -> None:
    assert choose(np.zeros((1, 6)), "worst", 4) == [0, 1, 2, 3]


def test_choices_that_cannot_be_made() -> None:
    with pytest.raises(UsageError, match="unknown choice 'gain'; did you mean 'gains'"):
        choose(SCORES, "gain", 1)
    with pytest.raises(UsageError, match="compares two systems, but there is one"):
        choose(SCORES[:1], "different", 1)


def test_distributions_share_bins_and_count_every_value() -> None:
    shares = distribution("recall", {"a": [0.0, 0.5, 1.0, math.nan], "b": [0.04, 0.06]})
    assert shares.edges[0] == 0
    assert shares.edges[-1] == 1
    assert len(shares.edges) == 21
    a, b = shares.systems
    assert (sum(a.counts), a.missing, a.mean) == (3, 1, 0.5)
    assert (a.counts[0], a.counts[10], a.counts[19]) == (1, 1, 1)
    assert b.counts[:2] == (1, 1)
    assert a.deciles[0] == 0
    assert a.deciles[5] == 0.5
    assert a.deciles[10] == 1
    assert not shares.open_ended


def test_an_open_scale_ends_where_most_values_do() -> None:
    values = [*range(100), 5000]
    shares = distribution("score", {"a": values}, high=math.inf)
    assert shares.edges[-1] == 100
    assert shares.open_ended
    assert shares.systems[0].counts[-1] == 6
    assert sum(shares.systems[0].counts) == 101


@given(st.lists(st.floats(0, 1e6) | st.just(math.nan)), st.sampled_from([1.0, math.inf]))
def test_no_value_is_lost(values, high) -> None:
    shares = distribution("x", {"a": values}, high=high)
    (system,) = shares.systems
    assert sum(system.counts) + system.missing == len(values)
    assert list(shares.edges) == sorted(set(shares.edges))
    assert len(system.deciles) in (0, 11)
