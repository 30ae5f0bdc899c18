"""Names are checked when a campaign is made, in the words of its file."""

import json

import pytest

from adjudge.campaigns import campaign, exchange
from adjudge.errors import DataError
from adjudge.io.judgements.judgement_files import read_campaign
from helpers import served


def load(tmp_path, config):
    path = tmp_path / "campaign.json"
    path.write_text(json.dumps(config), encoding="utf-8")
    return campaign.load(str(path))


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("a/b", "holds a slash"),
        ("a\\b", "holds a backslash"),
        ("a=b", "holds an equals sign"),
        ("a\nb", "character 2 of 'a\\nb' is a control character (U+000A)"),
        ("a\tb", "U+0009"),
        ("\x1b[31mred", "U+001B"),
        ("a\u2028b", "U+2028"),
        ("a\u202eb", "U+202E"),
        (" a", "begins or ends with a space"),
    ],
)
@pytest.mark.parametrize("where", ["name", "systems", "reference_name"])
def test_what_no_name_can_hold(tmp_path, where, name, words):
    config = served.config()
    if where == "systems":
        config["systems"] = {**config["systems"], name: "x.txt"}
    else:
        config[where] = name
    with pytest.raises(DataError) as caught:
        load(tmp_path, config)
    assert "campaign.json: " in str(caught.value)
    assert ("name: " if where == "name" else "systems: ") in str(caught.value)
    assert words in str(caught.value)


@pytest.mark.parametrize("name", [".", ".."])
def test_names_that_are_folders(tmp_path, name):
    with pytest.raises(DataError, match="no name of a campaign"):
        load(tmp_path, served.config(name=name))


def test_people_are_called_as_they_like_on_one_line(tmp_path):
    loaded = load(tmp_path, served.config(annotators=["Ann/Bob = one", "Éva Ö."]))
    assert loaded.annotators.names == ("Ann/Bob = one", "Éva Ö.")
    with pytest.raises(DataError, match=r"annotators.names: character 4"):
        load(tmp_path, served.config(annotators=["ann\n", "ben"]))


def test_names_of_many_languages_pass(tmp_path):
    config = served.config(name="新闻 2025 (новости)")
    config["systems"] = {"Lan-BridgeMT v1.0": "a", "系统": "b"}
    assert load(tmp_path, config).name == "新闻 2025 (новости)"


def test_a_campaign_that_was_made_before_is_still_read():
    assert campaign.parse(served.config(name="old/name")).name == "old/name"


def test_another_tool_s_campaign_gets_a_name_that_holds(tmp_path):
    held = {
        "info": {"assignment": "task-based", "template": "DA"},
        "campaign_id": "a/b",
        "data": [[[{"src": "s", "tgt": {"org/model": "t"}}]]],
    }
    path = tmp_path / "pearmut.json"
    path.write_text(json.dumps(held))
    tasks = read_campaign(str(path))
    with pytest.raises(DataError, match=r"a slash.*--name NAME"):
        exchange.campaign_from_tasks(tasks)
    assert exchange.campaign_from_tasks(tasks, name="ours").material.systems == ("org/model",)


def test_a_key_that_stands_twice_is_named(tmp_path):
    path = tmp_path / "campaign.json"
    path.write_text('{"name": "a", "protocol": {"name": "da", "name": "sqm"}}')
    with pytest.raises(DataError, match=r"campaign.json: 'name' stands there twice"):
        campaign.load(str(path))


@pytest.mark.parametrize("field", ["annotators", "seed", "idle_seconds", "lines"])
@pytest.mark.parametrize("digits", [12, 20, 400])
def test_numbers_that_nothing_can_hold_are_refused_at_once(tmp_path, field, digits):
    number = "9" * digits
    path = tmp_path / "campaign.toml"
    values = {"annotators": '["anna"]', "seed": "1", "idle_seconds": "60", "lines": "1"} | {field: number}
    path.write_text(
        f"name = 'a'\nprotocol = 'da'\nannotators = {values['annotators']}\n[systems]\na = 'a'\nb = 'b'\n"
        f"[test_set]\nsource = 's'\nreference = 'r'\nlines = [1, {values['lines']}]\n"
        f"[assignment]\nseed = {values['seed']}\n[rules]\nidle_seconds = {values['idle_seconds']}\n"
    )
    if digits == 12 and field != "annotators":
        campaign.load(str(path))
        return
    with pytest.raises(DataError, match=field) as caught:
        campaign.load(str(path))
    assert len(str(caught.value)) < 300
