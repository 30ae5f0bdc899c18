"""Names that a pipeline knows: a tiny one, made here, whose rules are known."""

import pytest

from adjudge.errors import DataError, MissingResourceError
from adjudge.text.parsers import named_entities_of


@pytest.fixture(scope="module")
def spacy():
    return pytest.importorskip("spacy")


@pytest.fixture(scope="module")
def pipeline(tmp_path_factory, spacy):
    folder = tmp_path_factory.mktemp("pipelines") / "names"
    made = spacy.blank("en")
    made.add_pipe("entity_ruler").add_patterns(
        [
            {"label": "PERSON", "pattern": "Ann Lee"},
            {"label": "GPE", "pattern": "Rome"},
            {"label": "DATE", "pattern": "Monday"},
        ]
    )
    made.to_disk(folder)
    return str(folder)


def test_names_in_order_and_no_dates(pipeline):
    assert named_entities_of(pipeline, ["Rome saw Ann Lee on Monday.", "", "nobody"]) == [
        ["Rome", "Ann Lee"],
        [],
        [],
    ]


def test_names_that_are_lost_are_counted(pipeline, run_faults):
    document = run_faults(pipeline)
    kind = document["kinds"][-1]
    assert kind["name"] == "names lost"
    assert [(own["system"], own["faults"], own["of"]) for own in kind["systems"]] == [
        ("good", 0, 2),
        ("worse", 1, 2),
        ("reference", 0, 2),
    ]


@pytest.fixture
def run_faults(tmp_path):
    import json

    from click.testing import CliRunner

    from adjudge.cli.analyse import command

    texts = {
        "source.pt": "Roma viu Ann Lee.",
        "ref.en": "Rome saw Ann Lee.",
        "good.en": "Ann Lee was in Rome.",
        "worse.en": "Roma saw Ann Lee.",
    }
    for name, text in texts.items():
        (tmp_path / name).write_text(text + "\n")

    def run(pipeline):
        files = [str(tmp_path / name) for name in texts]
        arguments = [
            "faults",
            "-s",
            files[0],
            "-r",
            files[1],
            "--entities",
            pipeline,
            "-f",
            "json",
            *files[2:],
        ]
        result = CliRunner().invoke(command, arguments, catch_exceptions=False)
        return json.loads(result.stdout)

    return run


def test_what_is_no_pipeline_is_said(tmp_path, spacy):
    with pytest.raises(MissingResourceError, match="no 'nothing_like_it'"):
        named_entities_of("nothing_like_it", ["a"])
    made = tmp_path / "plain"
    spacy.blank("en").to_disk(made)
    with pytest.raises(DataError, match="knows no named entities, only a tokenizer"):
        named_entities_of(str(made), ["a"])
