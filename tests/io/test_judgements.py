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


def test_spaces_and_tabs_as_wmt_mixes_them(table):
    trailing = table("SYS SID RAW.SCR Z.SCR N \nA.0 7 50 -0.5 3 \nB.1 8 60 0.5 2 \n", "seg-scores.csv")
    found = read_judgements(trailing)
    assert found.column == "Z.SCR"
    assert [(j.system, j.item, j.score) for j in found.judgements] == [("A.0", "7", -0.5), ("B.1", "8", 0.5)]
    assert read_judgements(trailing, column="RAW.SCR").judgements[1].score == 60
    mixed = table("system score seg_id\nA\t-1.5 3\n", "mqm.tsv")
    assert [(j.system, j.item, j.score) for j in read_judgements(mixed).judgements] == [("A", "3", -1.5)]


def test_where_there_is_one_system_its_name_may_be_left_out(table):
    found = read_judgements(table("index\toriginal\tz_mean\n0\tHello\t0.5\n1\tyou\t-1\n"))
    assert [(j.system, j.item, j.score) for j in found.judgements] == [("", "0", 0.5), ("", "1", -1)]


def test_bare_numbers_are_of_the_segments_one_after_the_other(table):
    path = table("0.25\n0.000000\n1.5\n", "dev.hter")
    found = read_judgements(path, "hter")
    assert [(j.system, j.item, j.score) for j in found.judgements] == [
        ("", "1", 0.25),
        ("", "2", 0),
        ("", "3", 1.5),
    ]
    assert found.place(2).endswith("dev.hter, line 3")
    assert [j.item for j in read_judgements(path, "hter", first_segment=0).judgements] == ["0", "1", "2"]
    with pytest.raises(DataError, match=r"dev.hter, line 1: no column 'rank' among 0.25"):
        read_judgements(path, "rank")


def test_what_nobody_judged_is_left_out(table):
    found = read_judgements(table("system\tsegment\tscore\nA\t1\tNone\nA\t2\t-1\n"))
    assert [(j.item, j.score) for j in found.judgements] == [("2", -1)]
    assert found.lines == (3,)


def test_every_judgement_knows_its_line(table):
    assert read_judgements(table("system\tsegment\tscore\nA\t1\t1\nB\t1\t2\n")).lines == (2, 3)
    json = table('{"system": "A", "segment": 3, "score": 71.5}\n', "j.jsonl")
    assert read_judgements(json).place(0).endswith("j.jsonl, line 1")
    pairs = table(
        "segmentId,system1Id,system1rank,system2Id,system2rank,rankingID\n7,A,1,B,2,r1\n7,A,1,C,3,r1\n",
        "r.csv",
    )
    found = read_judgements(pairs, "rank")
    assert list(zip([j.system for j in found.judgements], found.lines, strict=True)) == [
        ("A", 2),
        ("B", 2),
        ("C", 3),
    ]


@pytest.mark.parametrize(
    ("text", "protocol", "message"),
    [
        ("score\n2\n", "da", "line 1: no column 'system' or 'sys' or 'system_id' among score; whose output"),
        ("sistem\tscore\nA\t2\n", "da", "among sistem, score; is 'sistem' meant for 'system'?; whose output"),
        (
            "system\tsegment\nA\t2\n",
            "da",
            "line 1: no column 'score' or 'human' or 'z' among system, segment; --col",
        ),
        ("system\tsegment\tscroe\nA\t2\t1\n", "da", "; is 'scroe' meant for 'score'?; --column NAME says"),
        ("system\tsegment\tscore\nA\t2\t0.5\n", "rank", "line 1: no column 'rank'"),
        ("system\tsegment\tscore\nA\t2\t0.5\n", "rank", "are they scores? --target da"),
        ("system\tsegment\trank\nA\t2\t1\n", "da", "are they ranks? --target rank"),
        ("system\trank\nA\t2\n", "rank", "line 1: no column 'segment'"),
        ("segment\trank\n1\t2\n", "rank", "line 1: no column 'system'"),
        ("system\tsegment\tscore\nA\t1\tnan\n", "da", "line 2, column 'score': 'nan' is no finite number"),
        ("system\tsegment\tscore\nA\t1\t1\nA\t2\t\n", "da", "line 3, column 'score': '' is no finite"),
        ("system\tsegment\tscore\nA\t1\t0,5\n", "da", "'0,5' is no finite number; write 0.5"),
        ("system\tsegment\tscore\n\t1\t1\n", "da", "line 2: no system"),
        ("system\tsegment\tscore\nA\t \t1\n", "da", "line 2: no segment"),
        ("system\tsegment\tscore\nA\t1\n", "da", "line 2: 2 columns, but the header names 3"),
        ("system\tsegment\tscore\n", "da", "no segment below it"),
        ("system\tscore\tscore\nA\t1\t2\n", "da", "line 1: two columns are called 'score'"),
        ('system,segment,score\nA,1,2\n"B",1,2\n', "da", "line 3: quotes in CSV are not read"),
        (
            "system\tsegment\thter\nA\t1\t0\nA\t2\t-0.1\n",
            "hter",
            "line 3, column 'hter': HTER is -0.1, but a share",
        ),
        ("0.5\n-1\n", "hter", "line 2, column 'hter': HTER is -1"),
        ("0.5\nx\n", "hter", "line 2, column 'hter': 'x' is no finite number"),
        ("system\tsegment\trank\nA\t1\t1\nB\t1\t0\n", "rank", "line 3, column 'rank': rank 0, but 1 is best"),
        ("segmentId,system1Id,system2Id,system1rank\n1,A,B,2\n", "rank", "line 1: no column 'system2rank'"),
        ("system1Id,system1rank\nA,2\n", "rank", "line 1: no column 'segmentId'"),
        ("segmentId,system1Id,system1rank\n,A,2\n", "rank", "line 2: no segment"),
        ("segmentId,system1Id,system1rank\n1,,2\n", "rank", "line 2, column 'system1Id': no system"),
        (
            "segmentId,system1Id,system1rank\n1,A,one\n",
            "rank",
            "line 2, column 'system1rank': 'one' is no finite",
        ),
        (
            "segmentId,rankingID,system1Id,system1rank,system2Id,system2rank\n1,r,A,1,B,2\n1,r,A,3,C,2\n",
            "rank",
            "line 3: A has rank 3, but 1 in line 2 of the same ranking",
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
