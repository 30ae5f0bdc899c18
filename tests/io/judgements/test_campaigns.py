"""Campaigns of Appraise and pearmut: read, written, read again."""

import json

import pytest

from adjudge.data.tasks import Batch, TaskItem, Tasks, Translation
from adjudge.errors import DataError, UsageError
from adjudge.io.judgements.campaigns import read, write
from helpers.campaign_files import one_of

ITEM = {"itemID": 1, "itemType": "TGT", "sourceText": "s", "targetID": "A", "targetText": "x"}


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
        read(str(path))
    assert "x.json" in str(error.value)
    assert message in str(error.value)


def test_what_is_no_json(tmp_path):
    path = tmp_path / "x.json"
    path.write_text("{")
    with pytest.raises(DataError, match=r"x\.json: not JSON"):
        read(str(path))


def test_what_cannot_be_written():
    with pytest.raises(UsageError, match="unknown format of campaigns 'appraize'; did you mean 'appraise'"):
        write(one_of(), "appraize")
    with pytest.raises(DataError, match="there is nothing to judge"):
        write(Tasks("c", "da", ()), "pearmut")
    with pytest.raises(DataError, match="Appraise has no task for ranking; it has da, sqm, esa and mqm"):
        write(one_of("ranking"), "appraise")
    with pytest.raises(DataError, match="pearmut has no protocol for ranking"):
        write(one_of("ranking"), "pearmut")
    digits = Tasks("c", "da", (Batch((TaskItem("7", (Translation(("7",), "x"),)),)),))
    with pytest.raises(DataError, match="pearmut refuses names that are nothing but digits"):
        write(digits, "pearmut")
    twice = Tasks("c", "da", (Batch((TaskItem("7", (Translation(("A",), "x"),) * 2),)),))
    with pytest.raises(DataError, match="a system is there twice"):
        write(twice, "pearmut")
    with pytest.raises(DataError, match="Appraise shows one translation here, not 2"):
        write(twice, "appraise")
    with pytest.raises(DataError, match="unknown kind 'odd'"):
        one_of(kind="odd")
