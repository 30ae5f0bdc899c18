"""Who is better than whom, by every metric, before it is put into words."""

from adjudge.comparison.claims import turned
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
    assert turned(turned(pair)) == pair
    assert turned(pair).delta == -pair.delta
