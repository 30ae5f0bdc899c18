"""Exports: errors become the scores that Google published of them."""

from dataclasses import replace

import numpy as np

from adjudge.data.judgements import Span
from adjudge.human.conversion import Conversion, convert_judgements
from adjudge.human.mqm import as_scores
from adjudge.io.judgements import read, write
from helpers.judged import ratings

TED = "15_ted_mqm_ende"


def test_weighed_errors_are_the_published_scores(shared):
    real = (shared.data / TED / "mqm_ted_ende.avg_seg_scores.tsv").read_bytes()
    lines = [line.split() for line in real.decode().splitlines()[1:]]
    result = as_scores(read([str(shared.data / TED / "mqm_ted_ende.tsv")]).judgements)
    result = replace(result, system=result.system.renamed({"ref": "ref-A"}))  # its name in the other file
    written = write(result, None, "mqm-scores", items=list(dict.fromkeys(line[2] for line in lines)))
    ours = [line.split() for line in written.data.decode().splitlines()[1:]]
    assert {(system, item): score for system, score, item in ours} == {
        (system, item): score for system, score, item in lines
    }


def test_what_has_scores_keeps_them():
    judgements = ratings([("a", "A", "1", 70.0)], spans=((Span(0, 1, "major"),),), protocol="esa")
    assert as_scores(judgements) is judgements
    marked = ratings(
        [("a", "A", "1", np.nan), ("a", "A", "2", np.nan)], spans=((Span(0, 1, "major"),), ()), protocol="mqm"
    )
    assert write(as_scores(marked), None, "mtme-seg").data == b"A\t-5.0\nA\t-0.0\n"


def test_places_of_errors_are_warned_of_where_marks_of_appraise_have_no_text(examples, tmp_path):
    """Scores have no places, and other tools count characters as we do."""
    plain = convert_judgements(Conversion([str(examples / "assessment.csv")], output_format="jsonl"))
    assert not any("places of errors" in warning for warning in plain.warnings)
