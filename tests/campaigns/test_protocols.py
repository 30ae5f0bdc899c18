"""Protocols: each is whole, refuses what it must, and never tells a browser who made what."""

import json

import pytest

from adjudge.campaigns import protocols
from adjudge.campaigns.fields import AnswerError
from adjudge.campaigns.items import Candidate, Item
from adjudge.errors import UsageError

ITEM = Item(
    "secret-key",
    (0,),
    (Candidate(("secret-system", "other-secret"), ("the cat sat",)),),
    kind="bad reference",
    of="secret-original",
    document="d",
    extra={"questions": [{"question": "Who?", "choices": ["dog", "cat"], "answer": 1}], "expected": "secret"},
)
PAIR = Item("p", (0,), (Candidate(("A",), ("x",)), Candidate(("B",), ("y",))))
ANSWERS = {
    "adequacy-fluency": {"fluency": 4, "adequacy": 2},
    "da": {"score": 70},
    "sqm": {"score": 67},
    "ranking": {"ranks": [2, 1]},
    "preference": {"choice": "first"},
    "yes-no": {"acceptable": True},
    "post-editing": {"edit": {"state": "edited", "text": "the cat slept", "keystrokes": 4}},
    "acceptability": {"acceptable": False},
    "mqm": {"errors": [{"start": 0, "end": 3, "severity": "major", "category": "Accuracy/Addition"}]},
    "esa": {"errors": [{"start": 0, "end": 3, "severity": "major"}], "score": 40},
    "comprehension": {"answers": [1]},
}


def item_of(name):
    return PAIR if name in ("ranking", "preference") else ITEM


@pytest.mark.parametrize("name", protocols.PROTOCOLS)
def test_every_protocol_takes_its_answer_and_makes_rows(name):
    protocol = protocols.make(name)
    kept = protocol.check(ANSWERS[name], item_of(name), ["a source"])
    rows = protocol.rows(item_of(name), kept)
    assert {row.criterion for row in rows} == set(protocol.criteria)
    assert {row.system for row in rows} <= set(item_of(name).systems)
    assert json.loads(json.dumps(protocol.screen()))["protocol"] == protocol.name


@pytest.mark.parametrize("name", protocols.PROTOCOLS)
def test_an_empty_answer_names_the_field_that_is_missing(name):
    protocol = protocols.make(name)
    needed = [field.name for field in protocol.fields if not field.optional]
    if not needed:  # no errors marked is an answer
        assert protocol.check({}, item_of(name), [""]) == {"errors": []}
        return
    with pytest.raises(AnswerError) as refused:
        protocol.check({}, item_of(name), [""])
    assert refused.value.field == needed[0]
    with pytest.raises(AnswerError, match="unknown field 'extra'"):
        protocol.check({**ANSWERS[name], "extra": 1}, item_of(name), [""])


@pytest.mark.parametrize("name", protocols.PROTOCOLS)
def test_a_screen_tells_neither_systems_nor_kinds_nor_keys(name):
    protocol = protocols.make(name)
    shown = json.dumps(protocols.screen_texts(protocol, ITEM, ["the source"], ["the reference"]))
    assert "the cat sat" in shown
    for hidden in ("secret", "bad reference", "answer", "expected"):
        assert hidden not in shown
    assert ("the source" in shown) == protocol.shows_source
    assert ("the reference" in shown) == protocol.shows_reference


def test_errors_and_score_of_esa_share_a_row():
    protocol = protocols.make("esa")
    rows = protocol.rows(ITEM, protocol.check(ANSWERS["esa"], ITEM, [""]))
    assert [(row.system, row.score, len(row.spans)) for row in rows] == [
        ("secret-system", 40, 1),
        ("other-secret", 40, 1),
    ]


def test_adequacy_and_fluency_are_two_criteria():
    protocol = protocols.make("adequacy-fluency", points=7, against="source")
    rows = protocol.rows(ITEM, protocol.check({"fluency": 7, "adequacy": 1}, ITEM))
    assert {(row.criterion, row.score) for row in rows} == {("fluency", 7), ("adequacy", 1)}
    assert protocols.make("adequacy-fluency", ask=["fluency"]).against == "nothing"


def test_direct_assessment_with_documents():
    segment = protocols.make("da", context="document")
    whole = protocols.make("da", rate="document")
    assert (segment.unit, segment.context) == ("segment", "document")
    assert (whole.unit, whole.context) == ("document", "document")


@pytest.mark.parametrize(
    ("name", "options", "message"),
    [
        ("dda", {}, "unknown protocol 'dda'; did you mean 'da'"),
        ("da", {"againts": "source"}, "did you mean 'against'"),
        ("da", {"against": "target"}, "against: one of reference, source, both was expected"),
        ("da", {"context": True}, "context: a text was expected, not True"),
        ("ranking", {"size": 6}, "from 2 to 5"),
        ("ranking", {"size": True}, "a whole number was expected"),
        ("adequacy-fluency", {"points": 6}, "one of 4, 5, 7, 10"),
        ("adequacy-fluency", {"ask": "fluency"}, "a list was expected"),
        ("adequacy-fluency", {"ask": ["style"]}, "fluency, adequacy or both"),
        ("mqm", {"typology": "nowhere.toml"}, "no file 'nowhere.toml'.*mqm, vilar"),
        ("comprehension", {"against": "source"}, "unknown option"),
    ],
)
def test_options_that_are_wrong(name, options, message):
    with pytest.raises(UsageError, match=message):
        protocols.make(name, **options)


def test_a_typology_from_a_file(tmp_path):
    path = tmp_path / "own.toml"
    path.write_text('severities = ["slight", "grave"]\n[categories]\nTone = ["Too formal"]\nOther = []\n')
    (field,) = protocols.make("mqm", typology=str(path)).fields
    assert field.known_categories() == {"Tone/Too formal", "Other"}
    assert field.severities == ("slight", "grave")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("severities = 3", "severities: a list"),
        ('severities = ["a", "a"]', "severities: a list"),
        ('severities = ["a"]', "categories: a table"),
        ('severities = ["a"]\ncategories = {X = "y"}', "categories.X: a list"),
        ('severities = ["a"]\ncategories = {"X/Y" = []}', "no name has one"),
        ('severity = ["a"]', "unknown field 'severity'"),
        ("severities = [", "no typology can be read"),
    ],
)
def test_typologies_that_are_wrong(tmp_path, text, message):
    path = tmp_path / "own.toml"
    path.write_text(text)
    with pytest.raises(Exception, match=f"own.toml: .*{message}"):
        protocols.make("mqm", typology=str(path))


def test_neighbours_in_a_document():
    def item(document, segment):
        return Item(f"{document}{segment}", (segment,), (Candidate(("A",), ("x",)),), document=document)

    items = [item("a", 0), item("a", 1), item("b", 2), item("b", 3), item("b", 2), item("", 9), item("", 10)]
    assert protocols.document_runs(items) == [0, 0, 1, 1, 2, 3, 4]


def test_two_systems_are_not_each_other_s_context():
    def item(system, segment):
        return Item(f"{system}{segment}", (segment,), (Candidate((system,), ("x",)),), document="d")

    assert protocols.document_runs([item("A", 0), item("A", 1), item("B", 2), item("B", 3)]) == [0, 0, 1, 1]
