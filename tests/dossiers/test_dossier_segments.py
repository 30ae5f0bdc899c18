"""Alignments of segments are those of the metrics that align, and only as many as a page carries."""

from adjudge.data import Outputs, TestSet
from adjudge.dossiers.dossier_segments import segment_alignments
from adjudge.metrics import metric

TEST_SET = TestSet(references=[["the old house", "he came home"]], language="en")
OUTPUTS = [Outputs("A", ["the house", "he came home late"]), Outputs("B", ["house old the", ""])]


def test_metrics_that_align_words_are_asked_and_others_are_not():
    result = segment_alignments(TEST_SET, OUTPUTS, ["bleu", "ter", "wer"])
    assert list(result) == ["TER", "WER"]
    ter = metric("ter")
    for output in OUTPUTS:
        assert result["TER"][output.title] == tuple(ter.alignments(ter.prepare(TEST_SET), output.segments))


def test_more_outputs_than_a_page_carries_are_left_out():
    assert segment_alignments(TEST_SET, OUTPUTS, ["ter"], most=4) != {}
    assert segment_alignments(TEST_SET, OUTPUTS, ["ter"], most=3) == {}
    assert segment_alignments(TestSet(sources=["x", "y"]), OUTPUTS, ["length-ratio"]) == {}
