"""What has to be said before a claim is believed: too few trials, units or runs, and corrections."""

from dataclasses import replace

from adjudge.comparison.claims import claims
from adjudge.comparison.pairwise_view import PairwiseView
from adjudge.stats.design import Design, Grouping
from helpers.claims import said
from helpers.comparisons import comparison


def caveats(scores, **options):
    return comparison(scores, **options).claims[len(said(scores, **options)) :]


def test_the_correction_is_named_where_there_is_one():
    three = {"bleu": {"A": 53.6, "B": 52.5, "C": 49.0}}
    assert said(three)[0].startswith("A is better than B on texts like these (BLEU +1.1, p = 0.006, Holm)")
    assert "p = 0.006, uncorrected)" in said(three, correction="none")[0]
    (warning, _) = caveats(three, correction="none")
    assert warning.startswith("The 3 p-values are not corrected for their number: about 5 % of them")


def test_one_segment_tests_nothing():
    c = comparison({"bleu": {"A": 53.6, "B": 50.0}})
    assert any(
        claim.startswith("There is only one segment: nothing varies")
        for claim in claims(PairwiseView(c.results, c.pairs, c.test), Design("segment", 1))
    )


def test_trials_that_cannot_show_anything_are_said_first():
    claims = comparison({"bleu": {"A": 53.6, "B": 50.0, "C": 40.0}}, trials=40).claims
    assert claims[0] == (
        "With 40 trials no difference can be significant after Holm's correction for 3 comparisons, however large "
        "it is: --trials 601 are enough."
    )
    assert "--trials" not in comparison({"bleu": {"A": 53.6, "B": 50.0}}, trials=201).claims[0]


def test_runs():
    scores = {"bleu": {"A": 53.6, "B": 50.0}}
    three = caveats(scores, runs={"A": 3, "B": 4})
    assert three[0] == (
        "A is the mean of 3 training runs: BLEU varies by s_opt = 0.37 between runs, by s_sel = 0.80 with the "
        "choice of segments (standard deviations)."
    )
    assert not any("fewer than three" in claim for claim in three)
    two = caveats(scores, runs={"A": 2, "B": 3})
    assert two[2] == (
        "A: with fewer than three training runs, luck of training cannot be told from a better system."
    )
    (caveat,) = caveats(scores)
    assert caveat.endswith("whether training it again would change the picture was not tested.")


def test_documents_that_were_not_used_and_units_that_are_few():
    c = comparison({"bleu": {"A": 53.6, "B": 50.0}})
    alike = Design("segment", 60, groupings=(Grouping("document", 12, 1.7),))
    sentences = claims(PairwiseView(c.results, c.pairs, c.test), alike)
    assert any(claim.startswith("60 segments are few:") for claim in sentences)
    assert (
        "Segments of one document are alike but were drawn one by one: p-values are too small and intervals too "
        "narrow. Standard errors are 1.7 times as large by 12 documents. --unit document accounts for it."
    ) in sentences
    few = replace(alike, groupings=(Grouping("document", 12, 1.05),))
    assert (
        "12 documents were not drawn, and are too few to rule out that p-values are too small. --unit document "
        "accounts for it."
    ) in claims(PairwiseView(c.results, c.pairs, c.test), few)
    unlike = replace(alike, groupings=(Grouping("document", 120, 1.05),))
    assert not any("--unit" in claim for claim in claims(PairwiseView(c.results, c.pairs, c.test), unlike))
    by_document = claims(PairwiseView(c.results, c.pairs, c.test), Design("document", 12))
    assert any(claim.startswith("12 documents are few:") for claim in by_document)
    assert not any("--unit" in claim for claim in by_document)
    enough = claims(PairwiseView(c.results, c.pairs, c.test), Design("segment", 2000))
    assert not any("few:" in claim or "--unit" in claim for claim in enough)
