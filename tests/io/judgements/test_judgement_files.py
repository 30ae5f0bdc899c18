"""Files of judgements by their names, their number and their format, whatever they hold."""

import json
from pathlib import Path

import pytest

from adjudge.data.tasks import Batch, TaskItem, Tasks, Translation
from adjudge.errors import DataError, UsageError
from adjudge.io.judgements import FORMATS, read
from adjudge.io.judgements.judgement_files import read_campaign, write_campaign
from helpers.campaign_files import one_of

ITEM = {"itemID": 1, "itemType": "TGT", "sourceText": "s", "targetID": "A", "targetText": "x"}


def one(path, **options):
    return read([path], **options).judgements


def test_unknown_names(write):
    path = write("system\tsegment\tscore\nA\t1\t1\n")
    with pytest.raises(DataError, match=r"unknown column 'scor'; did you mean 'score'\?"):
        one(path, column="scor")
    with pytest.raises(
        UsageError, match=r"unknown format of judgements 'apraise'; did you mean 'appraise'\?"
    ):
        one(path, input_format="apraise")
    with pytest.raises(DataError, match=r"judgement\.tsv does not exist; did you mean .*judgements\.tsv\?"):
        read([path.replace("judgements.tsv", "judgement.tsv")])


def test_files_are_given_once_and_may_be_patterns(write, tmp_path):
    first = write("system\tsegment\tscore\nA\t1\t1\n", "a1.tsv")
    write("system\tsegment\tscore\nB\t1\t2\n", "a2.tsv")
    loaded = read([str(tmp_path / "a*.tsv")])
    assert loaded.judgements.system.values() == ["A", "B"]
    assert [file.role for file in loaded.inputs] == ["judgements", "judgements"]
    assert [len(file.sha256) for file in loaded.inputs] == [64, 64]
    assert loaded.format == "table"
    with pytest.raises(UsageError, match="is given 2 times; once is enough"):
        read([first, first])
    with pytest.raises(UsageError, match="no file with judgements"):
        read([])
    assert read(first).judgements.system.values() == ["A"]


def test_paths_are_files_whatever_they_are_called(write, tmp_path):
    text = "system\tsegment\tscore\nA\t1\t5\n"
    odd = tmp_path / "a[1].tsv"
    odd.write_text(text)
    plain = Path(write(text))
    assert read(plain).judgements.score.tolist() == [5]
    assert read(odd).inputs[0].path == str(odd)
    assert len(read([odd, str(plain)]).judgements) == 2
    with pytest.raises(UsageError, match="is given 2 times"):
        read([plain, str(plain)])


def test_files_of_several_kinds_cannot_be_one(write):
    ratings = write("system\tsegment\tscore\nA\t1\t1\n", "a.tsv")
    ranks = write("system\tsegment\trank\nA\t1\t1\nB\t1\t2\n", "b.tsv")
    with pytest.raises(DataError, match="judgements of several kinds cannot be analysed as one"):
        read([ratings, ranks])


def test_the_format_can_be_said(write):
    path = write("system,segment,score\nA,1,1\n", "j.txt")
    assert read([path], input_format="csv").judgements.system.values() == ["A"]
    with pytest.raises(DataError, match=r"no column 'score' .* among system,segment,score"):
        read([path], input_format="tsv")
    with pytest.raises(DataError, match="not JSON"):
        read([path], input_format="jsonl")
    assert all(FORMATS.values())


@pytest.mark.parametrize(
    ("held", "message"),
    [
        ([{"items": 3}], "batch 1: 'items' is no list"),
        ([{"items": [3]}], "batch 1, item 1 is no object"),
        ([{"items": [{}]}], "batch 1, item 1 has no 'itemID'"),
        ([{"items": [{**ITEM, "itemType": "X"}]}], "unknown itemType 'X' (known: TGT, CHK, BAD, REF)"),
        ([{"items": [{**ITEM, "targetText": None}]}], "batch 1, item 1 has no 'targetText'"),
        ([], "no campaign; one file of pearmut's was expected, or batches.json of Appraise"),
        ({"a": 1}, "no campaign"),
    ],
)
def test_what_is_broken_is_named(tmp_path, held, message):
    path = tmp_path / "x.json"
    path.write_text(json.dumps(held))
    with pytest.raises(DataError) as error:
        read_campaign(str(path))
    assert "x.json" in str(error.value)
    assert message in str(error.value)


def test_what_is_no_json(tmp_path):
    path = tmp_path / "x.json"
    path.write_text("{")
    with pytest.raises(DataError, match=r"x\.json: not JSON"):
        read_campaign(str(path))


def test_what_cannot_be_written():
    with pytest.raises(UsageError, match="unknown format of campaigns 'appraize'; did you mean 'appraise'"):
        write_campaign(one_of(), "appraize")
    with pytest.raises(DataError, match="there is nothing to judge"):
        write_campaign(Tasks("c", "da", ()), "pearmut")
    with pytest.raises(DataError, match="Appraise has no task for ranking; it has da, sqm, esa and mqm"):
        write_campaign(one_of("ranking"), "appraise")
    with pytest.raises(DataError, match="pearmut has no protocol for ranking"):
        write_campaign(one_of("ranking"), "pearmut")
    digits = Tasks("c", "da", (Batch((TaskItem("7", (Translation(("7",), "x"),)),)),))
    with pytest.raises(DataError, match="pearmut refuses names that are nothing but digits"):
        write_campaign(digits, "pearmut")
    twice = Tasks("c", "da", (Batch((TaskItem("7", (Translation(("A",), "x"),) * 2),)),))
    with pytest.raises(DataError, match="a system is there twice"):
        write_campaign(twice, "pearmut")
    with pytest.raises(DataError, match="Appraise shows one translation here, not 2"):
        write_campaign(twice, "appraise")
    with pytest.raises(DataError, match="unknown kind 'odd'"):
        one_of(kind="odd")
