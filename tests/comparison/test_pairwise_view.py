"""Who is better than whom, by every metric, before it is put into words."""

from dataclasses import replace

from adjudge.comparison.claims import swap_pair
from adjudge.comparison.pairwise_view import PairwiseView
from helpers.claims import said
from helpers.comparisons import comparison


def test_where_lower_is_better_the_lower_one_wins():
    assert said({"ter": {"A": 33.6, "B": 31.0}}) == (
        "B is better than A on texts like these (TER −2.6, p < 0.001); people probably notice such a difference.",
    )


def test_metrics_that_agree_share_a_sentence():
    assert said({"bleu": {"A": 53.6, "B": 50.0}, "ter": {"A": 30.0, "B": 34.0}}) == (
        "A is better than B on texts like these (BLEU +3.6, TER −4.0; each p < 0.001, Holm); people probably notice "
        "such a difference.",
    )


def test_a_pair_turned_twice_is_itself():
    pair = comparison({"bleu": {"A": 53.6, "B": 50.0}}).pairs[0]
    assert swap_pair(swap_pair(pair)) == pair
    assert swap_pair(pair).delta == -pair.delta


def test_a_view_is_of_the_pairs_that_are_there_now():
    """A comparison of which a part was replaced is not seen as it was before."""
    whole = comparison({"bleu": {"A": 53.6, "B": 50.0}, "ter": {"A": 30.0, "B": 34.0}})
    whole = replace(whole, pairwise=PairwiseView(whole.results, whole.pairs, whole.test))
    assert PairwiseView.of(whole, whole.test) is whole.pairwise
    fewer = replace(whole, pairs=whole.pairs[:1])
    assert PairwiseView.of(fewer, whole.test).pairs == whole.pairs[:1]
    assert PairwiseView.of(replace(whole, results=whole.results[:1]), whole.test).results == whole.results[:1]
