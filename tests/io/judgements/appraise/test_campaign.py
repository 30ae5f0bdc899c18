"""Campaigns of Appraise: real ones are read, and ours are what it takes."""

import json
from dataclasses import replace

import pytest
from hypothesis import given

from adjudge.errors import DataError
from adjudge.io.judgements.judgement_files import read_campaign, write_campaign
from helpers.campaign_files import campaigns, one_of, saved

APPRAISE = "17_appraise_examples"


@pytest.mark.parametrize(
    ("name", "batches", "kinds", "same_bytes"),
    [
        ("Direct", [100], {"ordinary": 80, "bad reference": 10, "reference": 5, "repeat": 5}, True),
        ("Document", [109], {"ordinary": 96, "bad reference": 13}, True),
        ("Pairwise", [100], {"ordinary": 80, "bad reference": 10, "reference": 5, "repeat": 5}, True),
        ("Data", [100, 100], {"ordinary": 180, "reference": 20}, False),  # its keys are in another order
    ],
)
def test_real_campaigns_of_appraise(shared, name, batches, kinds, same_bytes):
    folder = shared.data / APPRAISE / name
    loaded = read_campaign([str(folder / "manifest.json"), str(folder / "batches.json")])
    assert [len(batch.items) for batch in loaded.batches] == batches
    counted = [item.kind for batch in loaded.batches for item in batch.items]
    assert {kind: counted.count(kind) for kind in kinds} == kinds
    assert loaded.languages == ("eng", "deu")
    assert loaded.protocol == "da"
    written = write_campaign(loaded, "appraise")
    real = (folder / "batches.json").read_bytes()
    assert json.loads(written["batches.json"]) == json.loads(real)
    assert (written["batches.json"] == real) == same_bytes
    assert json.loads(written["manifest.json"]) == json.loads((folder / "manifest.json").read_bytes())


def test_the_manifest_says_how_it_is_asked(shared):
    batches = str(shared.data / APPRAISE / "Direct" / "batches.json")
    assert (
        read_campaign([batches, str(shared.data / APPRAISE / "DirectSQM" / "manifest.json")]).protocol
        == "sqm"
    )
    assert read_campaign(batches).name == ""
    with pytest.raises(
        DataError, match=r"manifest.json says how a campaign is run; what is judged is in its batches"
    ):
        read_campaign(str(shared.data / APPRAISE / "DirectSQM" / "manifest.json"))


@given(campaigns(blanks=False))
def test_a_campaign_for_appraise(tmp_path_factory, drawn):
    folder = tmp_path_factory.mktemp("appraise")
    back = read_campaign(saved(folder, write_campaign(drawn, "appraise")))
    assert (back.name, back.protocol, back.languages, back.in_context) == ("c", "esa", ("de", "en"), True)
    for ours, theirs in zip(drawn.batches, back.batches, strict=True):
        assert [replace(item, extra={}, page=0) for item in theirs.items] == [
            replace(item, page=0) for item in ours.items
        ]


def test_what_appraise_gets():
    written = write_campaign(one_of(), "appraise")
    assert json.loads(written["batches.json"]) == [
        {
            "items": [
                {
                    "_block": -1,
                    "_item": 0,
                    "itemID": 7,
                    "itemType": "TGT",
                    "sourceID": "source",
                    "sourceText": "s",
                    "targetID": "A",
                    "targetText": "x",
                }
            ],
            "task": {
                "batchNo": 1,
                "batchSize": 1,
                "randomSeed": 0,
                "requiredAnnotations": 1,
                "sourceLanguage": "eng",
                "targetLanguage": "deu",
            },
        }
    ]
    assert json.loads(written["manifest.json"])["TASK_TYPE"] == "Direct"
    manifest = json.loads(write_campaign(one_of("mqm", kind="tutorial"), "appraise")["manifest.json"])
    assert (manifest["TASK_TYPE"], manifest["TASK_OPTIONS"]) == ("Document", "MQM")
    (batch,) = json.loads(write_campaign(one_of("mqm", kind="tutorial"), "appraise")["batches.json"])
    assert batch["items"][0]["documentID"] == "tutorial"
    assert batch["items"][0]["mqm"] == []
