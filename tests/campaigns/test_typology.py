"""Typologies of errors: beside the file, in it, or brought along."""

import json
import re

import pytest

from adjudge.campaigns import campaign, protocols, typology
from adjudge.campaigns.items import Candidate, Item
from adjudge.errors import DataError

TYPOLOGY = """\
severities = ["slight", "grave"]
[weights]
slight = 1
grave = 4.5
[categories]
Tone = ["Too formal"]
Other = []
A = []
"""


@pytest.fixture
def with_typology(tmp_path):
    """A campaign file in a folder of its own, with a typology beside it."""
    config = {
        "name": "own",
        "protocol": {"name": "mqm", "typology": "errors/own.toml"},
        "systems": {"one": "one.en"},
        "test_set": {"source": "source.pt"},
        "annotators": 1,
    }
    (tmp_path / "errors").mkdir()
    (tmp_path / "errors" / "own.toml").write_text(TYPOLOGY)
    path = tmp_path / "campaign.json"
    path.write_text(json.dumps(config))
    return path


def test_a_typology_is_found_beside_the_file_and_kept_with_the_campaign(with_typology):
    loaded = campaign.load(str(with_typology))
    (with_typology.parent / "errors" / "own.toml").unlink()
    kept = campaign.parse(json.loads(json.dumps(loaded.stored)))
    assert kept.protocol == loaded.protocol
    (field,) = kept.protocol.fields
    assert field.severities == ("slight", "grave")
    assert field.categories == (("Tone", ("Too formal",)), ("Other", ()), ("A", ()))  # in the file's order
    assert kept.stored["protocol"]["typology"]["name"] == "own"


def test_a_typology_that_comes_along_is_kept_by_its_name(with_typology):
    config = json.loads(with_typology.read_text())
    config["protocol"]["typology"] = "vilar"
    with_typology.write_text(json.dumps(config))
    assert campaign.load(str(with_typology)).stored["protocol"]["typology"] == "vilar"


def test_a_typology_may_stand_in_the_campaign_file(with_typology):
    config = json.loads(with_typology.read_text())
    config["protocol"]["typology"] = {"severities": ["minor"], "categories": {"X": []}}
    with_typology.write_text(json.dumps(config))
    (field,) = campaign.load(str(with_typology)).protocol.fields
    assert (field.severities, field.categories) == (("minor",), (("X", ()),))


@pytest.mark.parametrize(
    ("typology", "message"),
    [
        ("none.toml", r"campaign.json: typology: no file 'none.toml'.*mqm, vilar"),
        ("campaign.json", r"campaign.json: .*campaign.json: no typology can be read"),
        ({"severities": ["a"]}, r"campaign.json: protocol: typology: categories: a table was expected"),
        ({"severities": ["a"], "categories": {"X": 1}}, r"protocol: typology: categories.X: a list"),
        ({"severities": ["a"], "categories": {"X": []}}, r"what a count is not known .*\[weights\].* a = 1"),
        (
            {"severities": ["a", "b"], "categories": {"X": []}, "weights": {"a": 1}},
            r"typology: weights: b has none; give one to every severity",
        ),
        ({"severities": ["a"], "categories": {"X": []}, "weights": {"a": -1}}, r"numbers from 0 up"),
        ({"severities": ["a"], "categories": {"X": []}, "weights": {"a": True}}, r"numbers from 0 up"),
        (
            {"severities": ["leicht"], "categories": {"X": []}, "weights": {"leich": 1}},
            r"did you mean 'leicht'",
        ),
        (3, r"campaign.json: protocol: typology: a text was expected, not 3"),
    ],
)
def test_typologies_of_a_campaign_that_are_wrong(with_typology, typology, message):
    config = json.loads(with_typology.read_text())
    config["protocol"]["typology"] = typology
    with_typology.write_text(json.dumps(config))
    with pytest.raises(DataError, match=message):
        campaign.load(str(with_typology))


def test_severities_of_ones_own_weigh_what_their_typology_says(with_typology):
    """So that what can be answered can be analysed, without an option."""
    (field,) = campaign.load(str(with_typology)).protocol.fields
    assert dict(field.weights) == {"slight": 1.0, "grave": 4.5}
    assert "weights" not in field.screen()
    item = Item("1", segments=(0,), candidates=(Candidate(("one",), ("some words",)),))
    errors = [
        {"start": 0, "end": 4, "severity": severity, "category": "Other"} for severity in ("slight", "grave")
    ]
    (row,) = field.rows(field.check(errors, item), item, "mqm")
    assert [span.weight for span in row.spans] == [1.0, 4.5]


@pytest.mark.parametrize(
    ("definitions", "message"),
    [
        ({"Style/Awkward": "Nobody writes so."}, ""),
        ({"Stile": "x"}, "definitions: there is no category 'Stile'"),
        ({"Style": " "}, "definitions: a table of texts was expected"),
        (["Style"], "definitions: a table of texts was expected"),
    ],
)
def test_a_typology_says_what_its_categories_mean(definitions, message):
    table = {"severities": ["minor"], "categories": {"Style": ["Awkward"]}, "definitions": definitions}
    if message:
        with pytest.raises(DataError, match=re.escape(message)):
            typology.load(table)
    else:
        assert typology.load(table).definitions == (("Style/Awkward", "Nobody writes so."),)
        (field,) = protocols.make("mqm", typology=table).screen()["fields"]
        assert dict(field["definitions"]) == definitions
