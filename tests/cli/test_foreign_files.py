"""Files of other tools with every field in turn of another type: an answer that names the file, never a fault."""

import copy
import json

import pytest

from adjudge.io.judgements.pearmut import read as pearmut_log

pytest.importorskip("sqlalchemy")

ODD = (None, 3, "text", [], [1], {"a": 1}, 10**400)
PEARMUT = {
    "info": {
        "assignment": "task-based",
        "protocol": "ESA",
        "users": ["ann"],
        "sliders": [
            {"name": "adequacy", "min": 1, "max": 5, "step": 1},
            {"name": "fluency", "min": 1, "max": 5},
        ],
    },
    "campaign_id": "c",
    "data_welcome": [[{"src": "s", "tgt": {"A": "x"}, "item_id": "w"}]],
    "data": [[[{"src": "s", "ref": "r", "tgt": {"A": "x", "B": "y"}, "item_id": "i", "doc_id": "d"}]]],
}
ERROR = {"start_i": 0, "end_i": 1, "category": None, "severity": "minor"}
LOG = {
    "annotation": [{"A": {"score": 60, "error_spans": [ERROR], "textfield": None}}],
    "actions": [{"time": 1.0, "action": "load"}, {"time": 9.0, "action": "submit", "index": 0}],
    "item": [{"src": "one", "tgt": {"A": "abc"}, "item_id": "i1"}],
    "user_id": "ann",
    "item_i": 0,
    "start_time": 1.0,
    "end_time": 2.0,
}
ITEM = {
    "itemID": 1,
    "itemType": "TGT",
    "sourceID": "s",
    "sourceText": "s",
    "targetID": "A",
    "targetText": "x",
}
DOCUMENT = {
    **ITEM,
    "documentID": "d",
    "isCompleteDocument": False,
    "contextLeft": "a",
    "_block": 0,
    "_item": 1,
}
APPRAISE = [
    {
        "items": [DOCUMENT, {**DOCUMENT, "itemID": 2, "targetID": "B", "targetText": "y"}],
        "task": {"batchNo": 1, "sourceLanguage": "eng", "targetLanguage": "deu"},
    }
]


def places(value, path=()):
    """Every place in a JSON value."""
    yield path
    inside = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, below in inside:
        yield from places(below, (*path, key))


def changed(value, path, new):
    if not path:
        return new
    value = copy.deepcopy(value)
    inner = value
    for key in path[:-1]:
        inner = inner[key]
    inner[path[-1]] = new
    return value


def check(result, file, message):
    assert result.code in (0, 1, 2), f"{message}: exit {result.code}\n{result.err}"
    assert "unexpected" not in result.err, f"{message}\n{result.err}"
    if result.code:
        assert "error" in result.err, message
        assert max(map(len, result.err.splitlines())) < 2000, message


@pytest.mark.parametrize("held", [PEARMUT, APPRAISE], ids=["pearmut", "appraise"])
def test_a_campaign_with_a_field_of_another_type(run, tmp_path, held):
    file = tmp_path / "campaign.json"
    for path in places(held):
        for new in ODD:
            file.write_text(json.dumps(changed(held, path, new)))
            check(run("human", "new", file, "--dry-run", "-q"), file, f"{path} = {str(new)[:20]}")


def test_a_log_with_a_field_of_another_type(run, tmp_path):
    file = tmp_path / "log.jsonl"
    for path in places(LOG):
        for new in ODD:
            file.write_text(json.dumps(changed(LOG, path, new)) + "\n")
            check(run("human", "convert", file, "-f", "jsonl"), file, f"{path} = {str(new)[:20]}")


def test_a_fault_of_ours_is_not_said_to_be_the_files(run, tmp_path, monkeypatch):
    monkeypatch.setattr(pearmut_log, "spans_in_code_points", lambda *given, **named: {}["ours"])
    file = tmp_path / "log.jsonl"
    file.write_text(json.dumps(LOG) + "\n")
    result = run("human", "convert", file, "-f", "jsonl")
    assert result.code == 70
    assert "a fault in adjudge, not in your data" in result.err


@pytest.mark.parametrize("info", [None, 3, "x", []])
def test_settings_that_are_no_table_are_named(run, tmp_path, info):
    file = tmp_path / "campaign.json"
    file.write_text(json.dumps({**PEARMUT, "info": info}))
    result = run("human", "new", file, "--dry-run")
    assert result.code == 1
    assert "campaign.json: 'info' is no table" in result.err


@pytest.mark.parametrize(
    "encoding", ["utf-7", "unicode_escape", "raw_unicode_escape", "idna", "punycode", "base64"]
)
@pytest.mark.parametrize("text", ["a", "\\ud800", "+2AA-", "\\N{x", "ä"])
def test_xml_that_declares_what_no_xml_has(run, tmp_path, encoding, text):
    file = tmp_path / "x.xml"
    file.write_bytes(f'<?xml version="1.0" encoding="{encoding}"?><tmx version="1.4">{text}</tmx>'.encode())
    for command in (("score", "-t", file), ("lint", "-t", file)):
        result = run(*command)
        assert result.code == (1 if command[0] == "score" else 0)  # lint reports it as a finding
        assert "unexpected" not in result.err
        assert encoding in result.out + result.err
