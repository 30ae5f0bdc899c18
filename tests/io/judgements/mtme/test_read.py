"""Files without a header, lists of scores, errors a row, results of Mechanical Turk."""

import numpy as np
import pytest

from adjudge.data.judgements import BAD_REFERENCE, ORDINARY, REFERENCE, REPEAT, Span
from adjudge.errors import DataError
from adjudge.io.judgements import read


def test_scores_of_segments_one_system_after_the_other(write):
    loaded = read([write("A\t1.5\nA\tNone\nA\t-3\nB\t2\nB\t1\nB\t0\n", "mqm.seg.score")])
    found = loaded.judgements
    assert loaded.format == "scores"
    assert found.protocol == "mqm"
    assert [*zip(found.system.values(), found.item.values(), found.score, strict=True)] == [
        ("A", "1", 1.5),
        ("A", "3", -3),
        ("B", "1", 2),
        ("B", "2", 1),
        ("B", "3", 0),
    ]
    assert found.line is not None
    assert found.line.tolist() == [1, 3, 4, 5, 6]
    assert "1 translation without a judgement (None) left out" in loaded.warnings[0]


def test_scores_of_systems_and_domains(write):
    systems = read([write("A\t1.5\nB\t2\n", "x.sys.score")]).judgements
    assert (systems.item.values(), systems.score.tolist()) == (["", ""], [1.5, 2])
    domains = read([write("news\tA\t1.5\nnews\tB\t2\nchat\tA\t3\n", "x.domain.score")]).judgements
    assert domains.labels["domain"].values() == ["news", "news", "chat"]
    assert domains.system.values() == ["A", "B", "A"]


def test_ratings_of_mt_metrics_eval(write):
    error = '{"errors": [{"start": 1, "end": 3, "category": "other", "severity": "major", "score": 5}]}'
    found = read([write(f"A\t{error}\nA\tNone\n", "en-de.mqm.seg.rating")]).judgements
    assert found.spans == ((Span(1, 3, "major", "other", weight=5.0),),)
    assert found.score.tolist() == [-5]


@pytest.mark.parametrize(
    ("text", "name", "message"),
    [
        (
            "A\t1\nA\t2\nB\t1\n",
            "x.seg.score",
            "A has 2 lines, but B 1; there should be one for every segment",
        ),
        ("A\tNone\nA\tNone\n", "x.seg.score", "no translation was judged, every score is 'None'"),
        ("A\t1\nA\tx\n", "x.seg.score", "line 2, column 'score': 'x' is no finite number"),
        ("A\t1\nA\tnan\n", "x.seg.score", "line 2, column 'score': 'nan' is no finite number"),
        ("A\t1\nA\n", "x.seg.score", "line 2: 1 columns, but there should be 2"),
        ("0.5\nx\n", "x.hter", "line 2: 'x' is no finite number"),
        ("0.5\n-1\n", "x.hter", "line 2: HTER is -1, but a share of edits is 0 or more"),
        ("0.5\n\n0.3\n", "x.hter", "line 2: there is no number"),
    ],
)
def test_what_is_wrong_is_told(write, text, name, message):
    with pytest.raises(DataError) as error:
        read([write(text, name)])
    assert message in str(error.value)
    assert name in str(error.value)


def test_one_number_a_line(write):
    loaded = read([write("0.25\n0\n", "dev.hter")])
    found = loaded.judgements
    assert loaded.format == "numbers"
    assert (found.protocol, found.higher_is_better) == ("hter", False)
    assert (found.system.values(), found.item.values()) == (["mt", "mt"], ["1", "2"])
    assert found.score.tolist() == [0.25, 0]
    assert read([write("25\n", "x.da")]).judgements.protocol == "da"


def test_lists_of_scores_are_judgements_of_nobody_in_particular(write):
    head = "index\toriginal\ttranslation\tscores\tmean\tz_scores\tz_mean\n"
    loaded = read(
        [write(head + '0\ta "b\tc\t[20, 35.5]\t27\t[-1, 0.5]\t-0.2\n1\ta\tc\t[100]\t100\t[1]\t1\n')]
    )
    found = loaded.judgements
    assert loaded.format == "lists"
    assert (found.item.values(), found.score.tolist()) == (["0", "0", "1"], [20, 35.5, 100])
    assert found.measures["z"].tolist() == [-1, 0.5, 1]
    assert not found.annotator.names
    assert found.system.names == ("mt",)
    with pytest.raises(DataError, match="line 2: 1 scores, but 2 z-scores"):
        read([write(head + "0\ta\tc\t[20]\t27\t[-1, 0.5]\t-0.2\n")])
    with pytest.raises(DataError, match="line 2, column 'scores': a list of numbers was expected"):
        read([write(head + "0\ta\tc\t20;3\t27\t[-1, 0.5]\t-0.2\n")])
    with pytest.raises(DataError, match="no segment has a score"):
        read([write(head + "0\ta\tc\t[]\t27\t[]\t-0.2\n")])


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
    found = loaded.judgements
    assert loaded.format == found.protocol == "mqm"
    assert found.spans == (
        (
            Span(4, 10, "major", "Accuracy/Mistranslation"),
            Span(11, 15, "minor", "Fluency/Grammar", comment="it is not closed"),
            Span(4, 10, "minor", "Accuracy/Omission", "source"),
            Span(None, None, "neutral", "Other"),
        ),
        (),
        (),
    )
    assert (found.system.values(), found.annotator.values()) == (["A", "B", "A"], ["r1", "r1", "r2"])
    assert found.labels["document"].values() == ["d", "d", "d"]
    assert np.isnan(found.score).all()  # what errors weigh is a question of analysis
    assert found.line is not None
    assert found.line.tolist() == [2, 6, 7]


def test_errors_of_nobody(write):
    with pytest.raises(DataError, match="no column 'system'"):
        read([write("seg_id\tcategory\tseverity\n1\tx\tMajor\n")])
    with pytest.raises(DataError, match="line 2: no segment"):
        read([write("system\tseg_id\tcategory\tseverity\nA\t\tx\tMajor\n")])


def batch(answers, *, kinds=("system", "repeat", "ref", "cal"), items=4):
    columns = [
        "HITId",
        "WorkerId",
        "WorkTimeInSeconds",
        "AssignmentStatus",
        "Input.src",
        "Input.trg",
        "Input.item",
    ]
    values = ["h1", "w1", "1376", "Approved", "cs", "en", "ad"]
    for i in range(items):
        columns += [f"Input.sys_id_{i}", f"Input.sid_{i}", f"Input.tst_{i}", f"Input.rid_{i}"]
        values += [f"sys{i}", f"{i + 10}", kinds[i], f"r{i}"]
    columns += ["Answer.Q1", "Answer.comments", "Approve"]
    values += [answers, "too long,\nreally"]  # and nothing for the last column

    def line(cells):
        return ",".join(f'"{cell}"' for cell in cells) + "\n"

    return line(columns) + line(values)


def test_results_of_mechanical_turk(write):
    loaded = read([write(batch("0_r0_89|1_r1_100|2_r2_7|3_r3_24"), "Batch.csv")])
    found = loaded.judgements
    assert loaded.format == "mturk"
    assert loaded.warnings == ()
    assert found.protocol == "da"
    assert found.system.values() == ["sys0", "sys1", "sys2", "sys3"]
    assert found.item.values() == ["10", "11", "12", "13"]
    assert found.score.tolist() == [89, 100, 7, 24]
    assert found.kind.tolist() == [ORDINARY, REPEAT, REFERENCE, BAD_REFERENCE]
    assert found.measures["hit_seconds"].tolist() == [1376] * 4
    assert {name: column.names for name, column in found.labels.items()} == {
        "hit": ("h1",),
        "languages": ("cs-en",),
        "status": ("Approved",),
    }
    short = read([write(batch("0_r0_89|1_r1_100"), "Batch.csv")])
    assert len(short.judgements) == 2
    assert "1 HIT not answered to the end" in short.warnings[0]


@pytest.mark.parametrize(
    ("answers", "kinds", "message"),
    [
        ("0_r0_89|nonsense", ("system",) * 4, "line 2: the answer 'nonsense' is not NUMBER_ID_SCORE"),
        ("0_r1_89", ("system",) * 4, r"line 2: an answer to item 0 \(r1\), which is not in the HIT"),
        ("9_r0_89", ("system",) * 4, r"line 2: an answer to item 9 \(r0\), which is not in the HIT"),
        ("0_r0_undefined", ("system",) * 4, "line 2: 'undefined' is no finite number"),
        ("0_r0_5", ("systm",) * 4, "line 2: unknown kind of item 'systm'"),
        ("", ("system",) * 4, "no HIT has an answer"),
    ],
)
def test_answers_that_do_not_fit(write, answers, kinds, message):
    with pytest.raises(DataError, match=message):
        read([write(batch(answers, kinds=kinds), "Batch.csv")])
