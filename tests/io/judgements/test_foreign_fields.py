"""Fields of another type than their tool writes are the file's fault; our own faults are not said to be the file's."""

import copy
import json

import pytest

from adjudge.errors import DataError
from adjudge.io.judgements import judgement_files, read
from adjudge.io.judgements.pearmut import campaign as pearmut_campaign
from adjudge.io.judgements.pearmut import read as pearmut_log

ODD = (None, -1, True, "text", [1], [{}], {"A": [1]}, 10**400, float("nan"))
ERROR = {"start_i": 0, "end_i": 1, "category": None, "severity": "minor", "weight": 1}
INFO = {"type": "task-based", "users": [{"user_id": "ann"}], "sliders": [{"name": "adequacy", "max": 5}]}
INFO["sliders"].append({"name": "fluency", "max": 5.0})
LISTED = {"src": "s", "tgt": ["xyz", "y"], "models": ["A", "B"], "item_id": "i", "error_spans": [[ERROR], []]}
SINGLE = {"src": "s", "tgt": "xyz", "sys_id": "A", "doc_id": "i", "error_spans": [ERROR]}
BY_MODEL = {"src": "s", "ref": "r", "tgt": {"A": "xyz"}, "item_id": "i", "error_spans": {"A": [ERROR]}}
ITEM = {"itemID": 1, "itemType": "TGT", "sourceID": "s", "sourceText": "s"}
TARGETS = [{"targetID": "A", "targetText": "xyz"}, {"targetID": "B", "targetText": "y"}]
MARKED = {"start_i": 0, "end_i": 1, "severity": "minor", "error_type": ["a"], "score": 1}
CAMPAIGNS = {
    "pearmut, a list of texts": {"info": INFO, "campaign_id": "c", "data": [[[LISTED]]]},
    "pearmut, one text": {"info": INFO, "campaign_id": "c", "data": [[[SINGLE]]]},
    "pearmut, texts by model": {"info": INFO, "campaign_id": "c", "data": {"ann": [[BY_MODEL]]}},
    "Appraise": [{"items": [{**ITEM, "targets": TARGETS, "mqm": [MARKED]}], "task": {"batchNo": 1}}],
}
ANSWER = {"score": 60, "error_spans": [ERROR], "sliders": {"adequacy": 3}, "measures": {"x": 1}}
ACTIONS = [{"time": 1.0, "action": "load"}, {"time": 9.0, "index": 0, "model": "A"}]
WHO = {"user_id": "ann", "item_i": 0, "actions": ACTIONS}
LOGS = {
    "a list of answers": {**WHO, "annotations": [[ANSWER, {"score": 3}]], "item": {"payload": [LISTED]}},
    "one answer": {**WHO, "annotation": ANSWER, "item": [SINGLE], "time": 3.0},
    "answers by model": {**WHO, "annotation": [{"A": ANSWER}], "item": [BY_MODEL]},
}


def changes(value, path=()):
    """The same JSON with every place in turn of another type, or gone."""
    for key, below in value.items() if isinstance(value, dict) else enumerate(value):
        for new in ODD:
            yield (*path, key), _changed(value, key, new)
        smaller = copy.copy(value)
        del smaller[key]
        yield (*path, key), smaller
        if isinstance(below, dict | list):
            for where, inner in changes(below, (*path, key)):
                yield where, _changed(value, key, inner)


def _changed(value, key, new):
    value = copy.copy(value)
    value[key] = new
    return value


def held_to(reader, file, held):
    """How many were taken, and how many refused with the file's name; anything else comes through."""
    taken = refused = 0
    for where, changed in changes(held):
        file.write_text(json.dumps(changed) + "\n")
        try:
            reader(str(file))
            taken += 1
        except DataError as error:
            assert file.name in str(error) or "item '" in str(error), (where, error)  # noqa: PT017
            assert len(str(error)) < 1000, where  # noqa: PT017
            refused += 1
    return taken, refused


@pytest.mark.parametrize("held", CAMPAIGNS.values(), ids=CAMPAIGNS)
def test_campaigns_with_a_field_of_another_type(tmp_path, held):
    taken, refused = held_to(judgement_files.read_campaign, tmp_path / "campaign.json", held)
    assert min(taken, refused) > 50


@pytest.mark.parametrize("held", LOGS.values(), ids=LOGS)
def test_logs_with_a_field_of_another_type(tmp_path, held):
    taken, refused = held_to(lambda path: read([path]), tmp_path / "log.jsonl", held)
    assert min(taken, refused) > 50


@pytest.mark.parametrize("error", [TypeError, KeyError, ValueError, AttributeError, IndexError])
def test_a_fault_of_ours_is_not_said_to_be_the_files(tmp_path, monkeypatch, error):
    def broken(*given, **named):
        raise error("ours")

    for module in (pearmut_log, pearmut_campaign):
        monkeypatch.setattr(module, "spans_in_code_points", broken)
    log, campaign = tmp_path / "log.jsonl", tmp_path / "campaign.json"
    log.write_text(json.dumps(LOGS["one answer"]) + "\n")
    campaign.write_text(json.dumps(CAMPAIGNS["pearmut, one text"]))
    with pytest.raises(error, match="ours"):
        read([str(log)])
    with pytest.raises(error, match="ours"):
        judgement_files.read_campaign(str(campaign))


@pytest.mark.parametrize(
    ("key", "value", "message"),
    [("item", 3, "'item' is no list, but 3"), ("actions", True, "'actions' is no list, but True")],
)
def test_the_line_and_the_field_are_named(tmp_path, key, value, message):
    file = tmp_path / "log.jsonl"
    whole = json.dumps(LOGS["one answer"])
    file.write_text(f"{whole}\n{json.dumps({**LOGS['one answer'], key: value})}\n")
    with pytest.raises(DataError, match=f"log.jsonl, line 2: {message}"):
        read([str(file)])
