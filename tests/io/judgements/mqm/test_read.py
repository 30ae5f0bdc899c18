"""MQM as Google publishes it: errors a row."""

import numpy as np
import pytest

from adjudge.data.judgements import Span
from adjudge.errors import DataError
from adjudge.io.judgements import read

MQM = "system\tdoc\tdoc_id\tseg_id\trater\tsource\ttarget\tcategory\tseverity\tcomment\n"


def test_errors_of_one_rater_on_one_translation_are_one_judgement(write):
    loaded = read(
        [
            write(
                MQM
                + "A\td\t1\t1\tr1\tsrc\tEin <v>Fehler</v> hier\tAccuracy/Mistranslation\tMajor\t\n"
                + "A\td\t1\t1\tr1\tsrc\tEin Fehler <v>hier\tFluency/Grammar\tMinor\tit is not closed\n"
                + "A\td\t1\t1\tr1\tthe <v>source</v>\tEin Fehler hier\tAccuracy/Omission\tMinor\t\n"
                + "A\td\t1\t1\tr1\tsrc\tEin Fehler hier\tOther\tNeutral\t\n"
                + "B\td\t1\t1\tr1\tsrc\tKein\tNo-error\tNo-error\t\n"
                + "A\td\t1\t1\tr2\tsrc\tEin Fehler hier\tNo-error\tNo-error\t\n"
            )
        ]
    )
    judgements = loaded.judgements
    assert loaded.format == judgements.protocol == "mqm"
    assert judgements.spans == (
        (
            Span(4, 10, "major", "Accuracy/Mistranslation"),
            Span(11, 15, "minor", "Fluency/Grammar", comment="it is not closed"),
            Span(4, 10, "minor", "Accuracy/Omission", "source"),
            Span(None, None, "neutral", "Other"),
        ),
        (),
        (),
    )
    assert (judgements.system.values(), judgements.annotator.values()) == (
        ["A", "B", "A"],
        ["r1", "r1", "r2"],
    )
    assert judgements.labels["document"].values() == ["d", "d", "d"]
    assert np.isnan(judgements.score).all()  # what errors weigh is a question of analysis
    assert judgements.line is not None
    assert judgements.line.tolist() == [2, 6, 7]


def test_errors_of_nobody(write):
    with pytest.raises(DataError, match="no column 'system'"):
        read([write("seg_id\tcategory\tseverity\n1\tx\tMajor\n")])
    with pytest.raises(DataError, match="line 2: no segment"):
        read([write("system\tseg_id\tcategory\tseverity\nA\t\tx\tMajor\n")])
