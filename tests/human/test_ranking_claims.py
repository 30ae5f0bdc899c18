"""Claims from rankings: of many systems, counts and examples."""

from adjudge.human.rankings import analyse_rankings
from helpers.rankings import compared


def test_claims_of_many_systems_are_counts_and_examples():
    names = "abcdef"
    counts = [(a, b, 10, 0, 10) for i, a in enumerate(names) for b in names[i + 1 :]]
    claims = analyse_rankings(compared(*counts), resamples=50, correction="none").groups[0].claims
    assert "Of 15 pairs of systems, 0 are told apart." in claims
    assert sum("cannot be told apart (10 comparisons to 10, p = 1, uncorrected)" in c for c in claims) == 4
    assert "… and 11 more that cannot be told apart; see the pairs." in claims
    assert any("15 p-values are not corrected" in c for c in claims)
