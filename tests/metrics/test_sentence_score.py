"""One sentence at a time, beside the same sentence in a test set."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adjudge import Outputs, TestSet, metric, score
from adjudge.errors import UsageError

WORDS = st.lists(st.sampled_from(["a", "the", "cat", "Cat", "sat.", "ö", "猫"]), max_size=9).map(" ".join)
REFERENCES = st.lists(WORDS, min_size=1, max_size=3)
SPECS = [
    "bleu",
    "bleu(lowercase=true,max_order=2)",
    "bleu(smooth=none)",
    "bleu(smooth=floor)",
    "bleu(smooth=floor,smooth_value=0)",
    "bleu(smooth=add-k)",
    "bleu(smooth=add-k,smooth_value=0)",
    "bleu(smooth=mteval)",
    "bleu(max_order=12)",
    "chrf",
    "chrf++",
    "chrf(eps_smoothing=true)",
    "chrf(beta=0,whitespace=true)",
    "chrf(lowercase=true,char_order=0,word_order=2)",
    "ter",
    "ribes",
]


@pytest.mark.parametrize("spec", SPECS)
@given(hypothesis=WORDS, references=REFERENCES)
def test_a_sentence_has_the_score_of_its_segment(spec, hypothesis, references):
    chosen = metric(spec)
    test_set = TestSet(references=[[reference] for reference in references])
    [result] = score(test_set, Outputs("s", [hypothesis]), chosen, segments=True, threads=1).results
    # numpy's logarithm and math's may differ in the last bit.
    assert chosen.sentence_score(hypothesis, references) == pytest.approx(
        result.segments[0], rel=1e-14, nan_ok=True
    )


def test_a_metric_that_reads_the_source_says_so():
    with pytest.raises(UsageError, match="needs more than references"):
        metric("comet").sentence_score("a", ["a"])
