"""What is said beside the tables of a comparison."""

from dataclasses import replace

from helpers.compared import TWO, text


def test_the_test_is_described():
    shown = " ".join(text(TWO).split())
    assert (
        "p: two-sided paired approximate randomisation of segments, 10,000 trials, seed 12345; Holm over 6 "
        "comparisons of each metric; * is p ≤ 0.05." in shown
    )
    assert "±: 95 % percentile of 1,000 bootstrap resamples of segments, for each score by itself." in shown
    assert (
        "intervals of Δ: the differences that the test would not reject; 95 % for all 6 together. "
        "They leave out 0 where p ≤ 0.05, and only there." in shown
    )
    together = replace(TWO, test=replace(TWO.test, family="all", interval="percentile"))
    shown = " ".join(text(together).split())
    assert "Holm over 6 comparisons of all metrics together" in shown
    assert "They may leave out 0 where p does not" in shown
    other = replace(
        TWO,
        test=replace(
            TWO.test, method="bootstrap", sampling="half", unit="document", strata="domain", correction="bh"
        ),
    )
    shown = " ".join(text(other).split())
    assert "paired bootstrap of whole documents within domain" in shown
    assert "half-size subsamples" in shown
    assert "Benjamini–Hochberg over 6 comparisons" in shown
    assert "what one document adds" in shown


def test_claims_are_filled_into_lines():
    wide, narrow = text(TWO).splitlines(), text(TWO, width=60).splitlines()
    assert any(
        line.startswith("- best is better than worse on texts like these (BLEU +3.6, TER −7.0;")
        for line in wide
    )
    start = next(i for i, line in enumerate(narrow) if line.startswith("- best is better than worse"))
    assert narrow[start + 1].startswith("  ")
    assert max(len(line) for line in narrow[start:] if "|" not in line) <= 60
    assert max(len(line) for line in wide if "|" not in line) <= 100
