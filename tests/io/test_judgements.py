"""Judgements from the tables people have them in."""

import math

import pytest

from adjudge.errors import DataError, UsageError
from adjudge.io.judgements import read_judgements


@pytest.fixture
def table(tmp_path):
    def write(text, name="j.tsv"):
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        return str(path)

    return write


def test_tabs_commas_spaces_and_json_say_the_same(table):
    tsv = table("System\tSEG_ID\tscore\tannotator\nA\t3\t71.5\tann\nB\t4\t-2\tbob\n")
    csv = table("system,segment,score,annotator\nA,3,71.5,ann\nB,4,-2,bob\n", "j.csv")
    wmt = table("LP DATA SYSTEM SID HUMAN annotator\nx y A 3 71.5 ann\nx y B 4 -2 bob\n", "da.csv")
    json = table(
        '{"system": "A", "segment": 3, "score": 71.5, "annotator": "ann"}\n'
        '{"system": "B", "segment": 4, "score": -2, "annotator": "bob"}\n',
        "j.jsonl",
    )
    found = [read_judgements(path).judgements for path in (tsv, csv, wmt, json)]
    assert found[0][0].system == "A"
    assert found[0][0].item == "3"
    assert found[0][0].score == 71.5
    assert math.isnan(found[0][0].rank)
    assert found[0][1].annotator == "bob"
    # NaN is not itself, so its text is compared
    assert len({repr(each) for each in found}) == 1


def test_judgements_of_whole_systems_need_no_segment(table):
    read = read_judgements(table("system\tscore\nA\t0.2\nB\t0.1\n"))
    assert [j.item for j in read.judgements] == ["", ""]


def test_the_column_follows_the_protocol_or_is_named(table):
    path = table("system\tsegment\tscore\thter\traw\nA\t1\t5\t0.25\t60\n")
    assert read_judgements(path).judgements[0].score == 5
    assert read_judgements(path, "hter").judgements[0].score == 0.25
    assert read_judgements(path, column="raw").judgements[0].score == 60
    assert read_judgements(path, column="raw").column == "raw"


def test_rankings_of_wmt(table):
    pairs = table(
        "segmentId,judgeID,system1Id,system1rank,system2Id,system2rank,rankingID\n"
        "7,j1,A,1,B,2,r1\n7,j1,A,1,C,3,r1\n7,j1,B,2,C,3,r1\n",
    )
    ranks = {j.system: j.rank for j in read_judgements(pairs, "rank").judgements}
    assert ranks == {"A": 1, "B": 2, "C": 3}
    wide = table(
        "segmentId,judgeId,system1Id,system2Id,system3Id,system1rank,system2rank,system3rank\n"
        "7,j1,A,B,C,1,2,-1\n7,j1,A,B,C,2,1,3\n"
    )
    found = read_judgements(wide, "rank").judgements
    assert [(j.system, j.rank) for j in found] == [("A", 1), ("B", 2), ("A", 2), ("B", 1), ("C", 3)]
    assert len({j.ranking for j in found}) == 2


@pytest.mark.parametrize(
    ("text", "protocol", "message"),
    [
        ("segment\tscore\n1\t2\n", "da", "has no column 'system', but segment, score; whose output"),
        ("system\tsegment\nA\t2\n", "da", "has no column 'score' or 'human'"),
        ("system\tsegment\tscore\nA\t2\t0.5\n", "rank", "has no column 'rank'"),
        ("system\trank\nA\t2\n", "rank", "has no column 'segment'"),
        ("system\tsegment\tscore\nA\t1\tnan\n", "da", "line 2, column 'score': 'nan' is no finite number"),
        ("system\tsegment\tscore\nA\t1\t1\nA\t2\t\n", "da", "line 3, column 'score': '' is no finite"),
        ("system\tsegment\tscore\nA\t1\t0,5\n", "da", "'0,5' is no finite number"),
        ("system\tsegment\tscore\n\t1\t1\n", "da", "line 2: no system"),
        ("system\tsegment\tscore\nA\t \t1\n", "da", "line 2: no segment"),
        ("system\tsegment\tscore\nA\t1\n", "da", "line 2: 2 columns, but the header names 3"),
        ("system\tsegment\tscore\n", "da", "no segment below it"),
        ('system,segment,score\n"A",1,2\n', "da", "quotes in CSV are not read"),
        ("segmentId,system1Id,system2Id,system1rank\n1,A,B,2\n", "rank", "has no column 'system2rank'"),
        (
            "segmentId,rankingID,system1Id,system1rank,system2Id,system2rank\n1,r,A,1,B,2\n1,r,A,3,C,2\n",
            "rank",
            "line 3: A has rank 3, but 1 before in the same ranking",
        ),
        ("", "da", "is empty"),
    ],
)
def test_what_is_wrong_is_told(table, text, protocol, message):
    with pytest.raises(DataError) as error:
        read_judgements(table(text), protocol)
    assert message in str(error.value)
    assert "j.tsv" in str(error.value)


def test_unknown_names(table):
    path = table("system\tsegment\tscore\nA\t1\t1\n")
    with pytest.raises(DataError, match=r"unknown column 'scor'; did you mean 'score'\?"):
        read_judgements(path, column="scor")
    with pytest.raises(UsageError, match="unknown kind of judgements 'ranks'"):
        read_judgements(path, "ranks")
