"""Studies kept in files: what is written is read again, and every damage is named."""

import json

import pytest

from adjudge.cli import main
from adjudge.errors import DataError
from adjudge.history.stored import measured_sets, read
from helpers.studies import write_study


@pytest.fixture
def saved(tmp_path):
    study = write_study(tmp_path, {"one": {"a": 0.8, "b": 0.5}, "two": {"a": 0.8}})
    path = tmp_path / "result.json"
    assert (
        main(["study", "run", str(study), "--resamples", "20", "--trials", "50", "-q", "--save", str(path)])
        == 0
    )
    return path


def test_what_was_written_is_read_again(saved):
    stored = read(str(saved), study=True)
    assert (stored.study, stored.systems, stored.arguments.metrics) == ("made", ("a", "b"), ("chrf",))
    assert dict(stored.arguments.options) == {"resamples": 20, "trials": 50}
    measures = measured_sets(stored)
    assert {name: set(own[0].rows) for name, own in measures.items()} == {"one": {"a", "b"}, "two": {"a"}}
    table = stored.document["tables"][0]
    score = table["scores"][0]["score"]
    own = measures["one"][0]
    assert float(own.aggregate(own.rows["a"][0].sum(0))) == pytest.approx(score)


def test_it_is_no_result_of_one_test_set(saved):
    with pytest.raises(DataError, match=r"is the result of a study: adjudge gate STUDY\.toml"):
        read(str(saved), study=False)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda d: d.pop("tables"), "is not the result of a study"),
        (lambda d: d.pop("facts"), "facts: missing"),
        (lambda d: d.update(format=99), "written by a newer adjudge"),
        (lambda d: d["arguments"].pop("study"), r"arguments\.study: missing"),
        (lambda d: d["rows"][0].update(test_set="none"), "is none of the test sets"),
        (lambda d: d["rows"].append(d["rows"][0]), "stand in the file twice"),
        (lambda d: d["rows"][0].update(data="!"), "damaged"),
        (lambda d: d["rows"][0].update(shape=[30]), "two whole numbers"),
        (lambda d: d.update(systems=3), "systems"),
    ],
)
def test_damage_is_named(saved, change, message):
    document = json.loads(saved.read_text())
    change(document)
    saved.write_text(json.dumps(document))
    with pytest.raises(DataError, match=message):
        read(str(saved), study=True)


def test_rows_that_give_another_score_are_refused(saved):
    document = json.loads(saved.read_text())
    document["tables"][0]["scores"][0]["score"] += 1
    saved.write_text(json.dumps(document))
    with pytest.raises(DataError, match=r"the rows of a on one by chrf give .* the file was changed"):
        measured_sets(read(str(saved)))
    document["rows"] = []
    saved.write_text(json.dumps(document))
    with pytest.raises(DataError, match="holds no rows"):
        measured_sets(read(str(saved)))
