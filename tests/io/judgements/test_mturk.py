"""Results of Mechanical Turk."""

import pytest

from adjudge.data.judgements import BAD_REFERENCE, ORDINARY, REFERENCE, REPEAT
from adjudge.errors import DataError
from adjudge.io.judgements import read


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
    judgements = loaded.judgements
    assert loaded.format == "mturk"
    assert loaded.warnings == ()
    assert judgements.protocol == "da"
    assert judgements.system.values() == ["sys0", "sys1", "sys2", "sys3"]
    assert judgements.item.values() == ["10", "11", "12", "13"]
    assert judgements.score.tolist() == [89, 100, 7, 24]
    assert judgements.kind.tolist() == [ORDINARY, REPEAT, REFERENCE, BAD_REFERENCE]
    assert judgements.measures["hit_seconds"].tolist() == [1376] * 4
    assert {name: column.names for name, column in judgements.labels.items()} == {
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
