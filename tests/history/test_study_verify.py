"""Results of studies computed again: all of it holds, wherever it lies, until something changes."""

import json
import shutil

import pytest

from adjudge.cli import main
from adjudge.history.stored import read
from adjudge.history.verify import verify
from helpers.studies import write_output, write_study

FEW = ("--resamples", "20", "--trials", "50", "-q")


@pytest.fixture
def folder(tmp_path):
    inner = tmp_path / "evaluation"
    inner.mkdir()
    study = write_study(
        inner, {"one": {"a": 0.8, "b": 0.5}, "two": {"a": 0.8}}, head='[plan]\nunit = "document"'
    )
    assert main(["study", "run", str(study), *FEW, "--save", str(inner / "result.json")]) == 0
    return inner


def verified(folder):
    return verify(read(str(folder / "result.json")))


def problems(folder):
    return [(p.kind, p.field, p.message) for p in verified(folder).problems]


def test_everything_holds(folder):
    result = verified(folder)
    assert result.holds
    assert result.checked > 90
    assert {state.role for state in result.files} == {"study", "reference", "labels", "system"}


def test_it_holds_where_the_whole_folder_was_moved(folder, tmp_path, monkeypatch):
    shutil.move(folder, tmp_path / "elsewhere")
    monkeypatch.chdir(tmp_path / "elsewhere")
    assert verified(tmp_path / "elsewhere").holds
    assert main(["verify", "result.json"]) == 0


def test_another_output_is_named_with_what_follows(folder):
    write_output(folder, "one", "a", 0.9)
    kinds = {kind for kind, _, _ in problems(folder)}
    assert {"file", "result", "mean", "pair", "rows"} <= kinds
    assert main(["verify", str(folder / "result.json")]) == 1


def test_another_system_that_a_pattern_finds_now(folder):
    write_output(folder, "two", "b", 0.9)
    assert any("has no hash in the result" in message for _, _, message in problems(folder))


def test_a_missing_file_is_named(folder):
    (folder / "one" / "reference.en").unlink()
    found = problems(folder)
    assert any(message == "does not exist" for _, _, message in found)
    assert any("is not possible" in message for _, _, message in found)


def test_a_number_that_was_changed_is_named(folder):
    path = folder / "result.json"
    document = json.loads(path.read_text())
    document["tables"][0]["groups"][0]["pairs"][0]["p"] = 0.5
    path.write_text(json.dumps(document))
    (problem,) = verified(folder).problems
    assert (problem.kind, problem.field, problem.stored) == ("pair", "p", 0.5)
    assert problem.where == "a and b by chrf, mean over all"


def test_a_study_that_is_gone(folder):
    (folder / "study.toml").unlink()
    assert not verified(folder).holds
    assert any("does not exist (neither here nor beside it)" in message for _, _, message in problems(folder))
