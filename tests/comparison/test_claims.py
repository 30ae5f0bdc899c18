"""What is said about a comparison: each kind of outcome has its sentence, and there are never too many."""

import math
from dataclasses import replace

import pytest
from hypothesis import given

from adjudge.comparison.claims import EXAMPLES, claims
from adjudge.comparison.pairwise_view import PairwiseView
from adjudge.stats.equivalence import Equivalence
from adjudge.wording import digits, join_names, largest_p, p_number, p_text, with_sign
from helpers.claims import said
from helpers.comparisons import comparison, comparisons, many


def test_a_difference_that_is_shown():
    assert said({"bleu": {"A": 53.6, "B": 52.4}}) == (
        "A is better than B on texts like these (BLEU +1.2, p = 0.003); "
        "people may not notice such a difference.",
    )


def test_a_difference_that_is_not_shown_comes_with_what_could_have_been():
    assert said({"bleu": {"A": 53.6, "B": 53.3}}) == (
        "A and B cannot be told apart (BLEU +0.3, p = 0.45): this test set would show a difference of 1.1 at 80 % "
        "power; the one seen is 0.3; people hardly notice such a difference.",
    )


def reclaimed(result, **changes):
    """What is said where all pairs are changed so."""
    view = PairwiseView(result.results, tuple(replace(pair, **changes) for pair in result.pairs), result.test)
    return " ".join(claims(view, result.design, caveats=False))


def test_a_larger_difference_that_is_not_shown_says_why():
    """What would show with 80 % power is missed one time in five: a reader must not think that one of both is wrong."""
    one = comparison({"bleu": {"A": 53.6, "B": 53.0}})
    assert (
        "would show a difference of 0.5 at 80 % power; the one seen is 0.6 (what is seen is larger, but at that "
        "power one in five such differences is missed)" in reclaimed(one, detectable=0.5)
    )
    both = comparison({"bleu": {"A": 53.6, "B": 53.0}, "chrf": {"A": 60.0, "B": 59.9}})
    assert (
        "at 80 % power a difference of BLEU 0.5 and chrF 0.5 would show (by BLEU what is seen is larger, but at "
        "that power one in five such differences is missed)" in reclaimed(both, detectable=0.5)
    )
    assert "would show" not in reclaimed(both, detectable=math.inf) + reclaimed(both, detectable=0.0)
    three = comparison({"bleu": {"A": 53.0, "B": 52.6, "C": 52.2}})
    corrected = reclaimed(three, detectable=0.1, p=0.04)
    assert "(what is seen is larger, but no longer significant once corrected for 3 comparisons)" in corrected
    assert "is larger" not in reclaimed(one, detectable=0.7)


def test_a_p_that_the_correction_undid_shows_both():
    assert "(BLEU +0.8, p = 0.14 (0.046 before correction), Holm)" in " ".join(
        said({"bleu": {"A": 53.0, "B": 52.6, "C": 52.2}})
    )


def test_metrics_that_contradict_each_other_are_loud_and_come_first():
    first, *_ = said(
        {"bleu": {"A": 53.6, "B": 50.0, "C": 40.0}, "ter": {"A": 34.0, "B": 30.0, "C": 60.0}},
    )
    assert first == (
        "METRICS CONTRADICT EACH OTHER: A is better than B by BLEU (BLEU +3.6, p < 0.001, Holm; people probably notice "
        "such a difference), yet B is better than A by TER (TER +4.0, p < 0.001, Holm; people probably notice such a "
        "difference). Neither may be called better without naming the metric; let people judge."
    )


def test_a_metric_that_does_not_show_it_is_named():
    (only,) = said({"bleu": {"A": 50.0, "B": 53.6}, "chrf": {"A": 60.0, "B": 60.2}})
    assert only == (
        "B is better than A on texts like these (BLEU +3.6, p < 0.001, Holm); people probably notice such a "
        "difference; chrF does not show it (chrF +0.2, p = 0.62, Holm; at 80 % power a difference "
        "of chrF 1.1 would show), so claim it by BLEU only."
    )


def test_no_direction_no_better():
    both = said({"bleu": {"A": 53.6, "B": 50.0}, "length-ratio": {"A": 1.0, "B": 1.1}}, error=0.01)
    assert both[1] == (
        "length ratio differs between A and B (−0.100, p < 0.001, Holm); neither direction is better."
    )
    assert "better than" not in both[1]
    three = said({"length-ratio": {"A": 1.0, "B": 1.1, "C": 1.1001}}, error=0.01)
    assert three == ("length ratio differs on 2 of 3 pairs of systems; neither direction is better.",)


def test_a_missing_score_is_no_loss():
    first, second = said({"bleu": {"A": 53.6, "B": 50.0, "C": math.nan}})
    assert first == "C has no BLEU on this test set: nothing can be said by that metric."
    assert second.startswith("A is better than B")


def test_one_system_alone():
    assert comparison({"bleu": {"A": 53.6}}).claims == (
        "A is the only system: there is nothing to compare it with.",
    )


def test_the_same_output():
    same = comparison({"bleu": {"A": 53.6, "B": 53.6}})
    sentence = (
        "A and B score the same on every segment (BLEU, p = 1): their outputs are the same, or differ in nothing "
        "that is measured."
    )
    assert same.claims[0] == sentence
    alike = [replace(pair, better_on=1e-9) for pair in same.pairs]
    assert (
        claims(
            PairwiseView(same.results, tuple(alike), same.test, identical=frozenset({frozenset("BA")})),
            same.design,
        )[0]
        == sentence
    )
    assert not any("cannot be told apart (" in claim for claim in same.claims)


def test_each_system_against_the_baseline():
    scores = {"bleu": {"old": 50.0, "new": 53.6, "bad": 40.0, "like": 50.1}}
    claims = comparison(scores, baseline="old").claims
    assert claims[0] == (
        "new is better than the baseline old on texts like these (BLEU +3.6, p < 0.001, Holm); people probably notice "
        "such a difference."
    )
    assert claims[1] == (
        "bad is worse than the baseline old on texts like these (BLEU −10.0, p < 0.001, Holm); people probably notice "
        "such a difference."
    )
    assert claims[2].startswith("like and the baseline old cannot be told apart (BLEU +0.1, p = 0.80, Holm)")
    assert claims[3] == "Systems were tested against old only: nothing here ranks the others."


def test_many_systems_against_the_baseline():
    scores = {"bleu": {"old": 50.0, **{f"s{i}": 46.2 + i for i in range(9)}}}
    result = said(scores, baseline="old")
    assert result[:3] == (
        "By BLEU, s8, s7, s6 and s5 are better than the baseline old on texts like these (each p ≤ 0.009, Holm); "
        "people may not notice the smallest of these differences.",
        "By BLEU, s2, s1 and s0 are worse than the baseline old on texts like these (each p < 0.001, Holm); people "
        "may not notice the smallest of these differences.",
        "By BLEU, s4 and s3 cannot be told apart from the baseline old.",
    )


def test_a_cluster_is_told_once_for_metrics_that_agree():
    scores = {
        "bleu": {"A": 53.6, "B": 53.4, "C": 50.0, "D": 45.0, "E": 30.0},
        "ter": {"A": 33.6, "B": 33.7, "C": 37.0, "D": 45.0, "E": 60.0},
    }
    result = said(scores)
    assert result[:2] == (
        "By BLEU and TER, A and B form the first cluster: each of them is better than each of the 3 systems below "
        "on texts like these (each p ≤ 0.002, Holm); people probably notice the smallest of these differences.",
        "By BLEU and TER, A has the best score, but cannot be told apart from B.",
    )
    assert result[2].startswith("A and B cannot be told apart (BLEU +0.2, p = 1; TER −0.1, p = 1; Holm)")
    assert result[3] == "Of 10 pairs of systems, 9 are told apart by every metric, 1 by none."


def test_a_line_that_is_drawn_over_a_pair_that_is_not_told_apart_is_not_overclaimed():
    # The best beats its neighbour, which by WMT's rule makes up for the system below that it does not beat.
    scores = {"A": 53.0, "B": 51.0, "C": 49.0, "D": 40.0, "E": 30.0}
    c = comparison({"bleu": scores})
    pairs = [
        replace(pair, significant=False, p_adjusted=0.2, p=0.2) if (pair.a, pair.b) == ("A", "C") else pair
        for pair in c.pairs
    ]
    results = [replace(s, cluster=1 if s.system in "AB" else 2) for s in c.results]
    first, second, *_ = claims(PairwiseView(tuple(results), tuple(pairs), c.test), c.design, caveats=False)
    assert first == (
        "By BLEU, A and B form the first cluster: each of them is better than each of the 3 systems below on "
        "texts like these (each p < 0.001, Holm), except that A cannot be told apart from C; people may not notice "
        "the smallest of these differences."
    )
    assert second == (
        "By BLEU, A has the best score, but cannot be told apart from C (it is better than B; people may not notice "
        "such a difference)."
    )


def test_one_cluster_only():
    result = said({"bleu": {name: 50.0 + i / 100 for i, name in enumerate("ABCDE")}})
    assert result[0] == (
        "By BLEU, all 5 systems form one cluster: no group of them is better than all the rest on texts like these."
    )
    assert result[1] == "By BLEU, E has the best score, but cannot be told apart from D, C, B and A."
    assert f"… and {10 - EXAMPLES} more pairs that cannot be told apart; see the pairs." in result


@pytest.mark.parametrize("systems", [5, 10, 20, 40])
@pytest.mark.parametrize("metrics", [["bleu"], ["bleu", "chrf", "ter"]])
def test_the_number_of_sentences_does_not_grow_with_the_pairs(systems, metrics):
    claims = many(systems, metrics).claims
    assert len(claims) <= 20
    assert max(map(len, claims)) < 700


def test_nothing_is_claimed_beyond_the_test_set_and_the_metrics():
    *_, last = comparison({"bleu": {"A": 53.6, "B": 50.0}, "ter": {"A": 30.0, "B": 30.1}}).claims
    assert last.startswith(
        "All this holds for texts like these, by BLEU and TER (lower TER is better): other kinds of text and people's "
        "opinion were not tested."
    )
    assert "not shown to be equal" in last


def test_a_difference_beside_a_margin_that_was_given():
    """A significant +0.03 of 200,000 segments is no reason to change engines."""
    c = comparison({"bleu": {"A": 53.6, "B": 50.0}})

    def told(margin):
        beside = Equivalence(margin, 2.0, 5.0, 0.95, 0.5, 0.5, 0.5, 0.05)
        pairs = tuple(replace(pair, margin=beside) for pair in c.pairs)
        return claims(PairwiseView(c.results, pairs, c.test), c.design, caveats=False)[0]

    assert told(1.0).endswith("; the difference seen exceeds the margin of 1.")
    assert told(4.0).endswith("; the difference seen is within the margin of 4.")


def test_a_part_of_the_test_set_is_named():
    c = comparison({"bleu": {"A": 53.6, "B": 50.0}})
    sentences = claims(PairwiseView(c.results, c.pairs, c.test, "domain = news"), c.design, caveats=False)
    assert sentences[0].startswith(
        "A is better than B on texts like those of domain = news (BLEU +3.6, p < 0.001)"
    )


@given(comparisons())
def test_nothing_makes_it_fail(c):
    for claim in c.claims:
        assert claim
        assert "p = 0," not in claim


@pytest.mark.parametrize(
    ("p", "shown"),
    [
        (0.41, "0.41"),
        (0.0031, "0.003"),
        (0.0004, "<0.001"),
        (1.0, "1"),
        (0.9961, ">0.99"),
        (0.0499, "0.0499"),
        (0.0502, "0.0502"),
        (0.05, "0.050"),
        (math.nan, "–"),
    ],
)
def test_p_as_people_write_it(p, shown):
    assert p_number(p) == shown


def test_p_in_a_sentence():
    assert p_text(0.0004) == "p < 0.001"
    assert p_text(0.003) == "p = 0.003"
    assert p_text(0.0004, alpha=0.0005) == "p = 0.0004"
    assert largest_p([0.0004, 0.0021]) == "each p ≤ 0.003"
    assert largest_p([0.0004, 0.0002]) == "each p < 0.001"
    assert largest_p([0.0021]) == "p = 0.002"


def test_differences_as_people_write_them():
    assert with_sign(1.25, 1) == "+1.2"
    assert with_sign(-0.04, 1) == "0.0"
    assert with_sign(-0.04, digits([-0.04], 1)) == "−0.04"
    assert digits([0.0, math.nan, 3.0], 1) == 1


def test_names_in_a_row():
    assert [join_names(list("abcd"[:n])) for n in range(1, 4)] == ["a", "a and b", "a, b and c"]
    assert join_names(list("abcde"), 3) == "a, b, c and 2 more"
    assert join_names(list("abcd"), 3) == "a, b, c and d"
