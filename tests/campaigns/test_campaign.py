"""The campaign file: read whole, and wrong fields named."""

import json
from pathlib import Path

import pytest

from adjudge.campaigns import campaign
from adjudge.errors import DataError

EXAMPLES = Path(__file__).parents[2] / "examples"


PLAIN = {
    "name": "n",
    "protocol": "da",
    "systems": {"A": "a.txt"},
    "test_set": {"source": "s.txt", "reference": "r.txt"},
    "annotators": 2,
}


def test_the_example():
    read = campaign.load(str(EXAMPLES / "campaign.toml"))
    material = campaign.read_material(read, EXAMPLES)
    assert material.systems == tuple(read.systems)
    assert read.protocol.name == "da"
    assert (read.source_language, read.target_language) == ("pt", "en")
    assert len(material.documents()) < len(material.test_set)
    assert campaign.parse(json.loads(json.dumps(read.stored))) == read


def test_json_says_the_same(tmp_path):
    path = tmp_path / "campaign.json"
    path.write_text(json.dumps(PLAIN))
    read = campaign.load(str(path))
    assert read.annotators.all_names() == ("annotator-1", "annotator-2")
    assert read.test_set.references == ("r.txt",)


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"name": ""}, "name: missing"),
        ({"name": 3}, "name: a text was expected, not 3"),
        ({"protocol": "dda"}, "protocol: unknown protocol 'dda'; did you mean 'da'"),
        ({"protocol": {"name": "da", "against": "x"}}, "protocol: against: one of"),
        ({"protocol": 3}, "protocol: a name was expected"),
        ({"protokol": "da"}, "unknown field 'protokol'; did you mean 'protocol'"),
        ({"systems": {}}, "systems: missing"),
        ({"systems": {"A": 1}}, "systems.A: the path of a file"),
        ({"systems": {"reference": "r"}}, "systems.reference: that is what references are called"),
        ({"protocol": "ranking"}, "systems: ranking needs at least 2, not 1"),
        ({"test_set": {"source": "s"}}, "test_set.reference: missing; da shows the reference"),
        ({"test_set": {"reference": "r", "references": []}}, "one of them is enough"),
        ({"test_set": {"reference": 3}}, "test_set.references: a list of files"),
        ({"test_set": {"reference": "r", "lines": [5, 2]}}, "test_set.lines"),
        ({"test_set": {"refrence": "r"}}, "test_set.refrence"),
        ({"annotators": 0}, "annotators: missing"),
        ({"annotators": -1}, "annotators: nobody is named|annotators.count"),
        ({"annotators": ["a", "a"]}, "two annotators have the same name"),
        ({"annotators": [""]}, "annotators.names: a list of names"),
        ({"annotators": {"names": ["a"], "count": 3}}, "1 name, but count = 3"),
        ({"annotators": "anna"}, "annotators: a number, a list of names or a table"),
        ({"assignment": {"judgements": 3}}, "assignment.judgements: 3 people an item, but there are 2"),
        ({"assignment": {"common": 1.5}}, "assignment.common: a share from 0 to 1"),
        ({"assignment": {"common": True}}, "assignment.common: a number was expected"),
        ({"assignment": {"repeats": 0.9, "references": 0.2}}, "leave no room"),
        ({"assignment": {"hit_size": 0}}, "assignment.hit_size: at least 1"),
        ({"assignment": {"hitsize": 1}}, "did you mean 'assignment.hit_size'"),
        ({"rules": {"idle_seconds": 1}}, "rules.idle_seconds: at least 5"),
        ({"interface": "xx"}, "unknown interface language 'xx'"),
        ({"protocol": "comprehension"}, "rules.questions: missing"),
        ({"rules": []}, "rules: a table was expected"),
    ],
)
def test_what_is_wrong_is_named(tmp_path, changed, message):
    path = tmp_path / "c.json"
    path.write_text(json.dumps({**PLAIN, **changed}))
    with pytest.raises(DataError, match=f"c.json: .*(?:{message})"):
        campaign.load(str(path))


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("c.toml", b"name = \nx", "c.toml: .*line 1"),
        ("c.json", b"[1]", "c.json: a table of fields"),
        ("c.json", b"{", "c.json: Expecting"),
        ("c.toml", b"\xff\xfea", "c.toml, byte 3: marked as UTF-16, but it is none"),
        ("c.toml", b"", "c.toml: name: "),
        ("c.toml", b"a = \xe9", "c.toml, line 1, byte 5: "),
    ],
)
def test_files_that_cannot_be_read(tmp_path, name, content, message):
    (tmp_path / name).write_bytes(content)
    with pytest.raises(DataError, match=message):
        campaign.load(str(tmp_path / name))
    with pytest.raises(DataError, match="does not exist"):
        campaign.load(str(tmp_path / "none.toml"))


def test_some_lines_keep_their_numbers(tmp_path):
    for name in ("s.txt", "r.txt", "a.txt"):
        (tmp_path / name).write_text("".join(f"{name} {i}\n" for i in range(1, 7)))
    read = campaign.parse({**PLAIN, "test_set": {**PLAIN["test_set"], "lines": [3, 4]}})
    material = campaign.read_material(read, tmp_path)
    assert material.names() == ("3", "4")
    assert material.outputs[0].segments == ("a.txt 3", "a.txt 4")
    assert material.reference(1) == "r.txt 4"
    too_far = campaign.parse({**PLAIN, "test_set": {**PLAIN["test_set"], "lines": [3, 7]}})
    with pytest.raises(DataError, match="up to line 7, but there are 6"):
        campaign.read_material(too_far, tmp_path)
